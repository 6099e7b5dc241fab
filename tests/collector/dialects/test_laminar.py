"""Laminar spans where the recording does not reach: lost proposals, its own decorator, odd values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.dialects.laminar import read_span
from tests.collector.derive.pipeline import derive_one, span

CALL_ID = "lmnr.association.properties.metadata.tool_call_id"


def observed(span_id: str, at: float, kind: Any, name: str = "search", **more: Any) -> Any:
    values = {f"lmnr.span.{key}": value for key, value in more.items() if key in {"input", "output"}}
    rest = {key: value for key, value in more.items() if key not in {"input", "output"}}
    return span(span_id, at, name=name, **{"lmnr.span.type": kind, **values, **rest})


@pytest.mark.parametrize(
    ("name", "given", "tool", "arguments"),
    [
        (
            "TerminalAction",
            {"action": {"command": "ls", "reset": False, "kind": "TerminalAction"}},
            "terminal",
            {"command": "ls", "reset": False},
        ),
        (
            "FileEditorAction",
            {"action": {"path": "a", "kind": "FileEditorAction"}},
            "file_editor",
            {"path": "a"},
        ),
        ("TerminalAction", {"tool_input": {"name": "shell", "arguments": '{"x": 1}'}}, "shell", {"x": 1}),
        ("Action", {"action": "go"}, "Action", {"action": "go"}),
        ("search", {"q": "tea"}, "search", {"q": "tea"}),
    ],
)
@pytest.mark.parametrize("call_id", ["c1", ""])
def test_a_call_without_its_proposal(name: str, given: Any, tool: str, arguments: Any, call_id: str) -> None:
    rows = derive_one([observed("t", 0, "TOOL", name, input=json.dumps(given), **{CALL_ID: call_id})])
    [call] = rows.tool_calls
    assert (call.tool, call.requested_tool, json.loads(call.arguments or "")) == (tool, tool, arguments)


def test_the_proposal_knows_the_tools_name() -> None:
    asked: dict[str, Any] = {"id": "c1", "function": {"name": "fetch_page", "arguments": '{"url": "a"}'}}
    rows = derive_one(
        [
            observed("a", 0, "LLM", gen_ai__output__messages=[{"role": "assistant", "tool_calls": [asked]}]),
            observed(
                "t", 1, "TOOL", "MCPToolAction", input='{"action": {"data": {"url": "a"}}}', **{CALL_ID: "c1"}
            ),
        ]
    )
    [call] = rows.tool_calls
    assert (call.tool, call.requested_tool, call.span_id) == ("fetch_page", "fetch_page", "t")


def test_housekeeping_is_no_round_of_the_conversation() -> None:
    operation = "lmnr.association.properties.metadata.openhands.operation"
    rows = derive_one(
        [
            observed("a", 0, "LLM", output='"Yes."'),
            observed("b", 1, "LLM", output='"Tea"', **{operation: "title"}),
            observed("c", 2, "LLM", output='"No."'),
        ]
    )
    assert [(row.agent_name, row.round, row.text) for row in rows.rounds] == [
        ("svc", 0, "Yes."),
        ("title", 0, "Tea"),
        ("svc", 1, "No."),
    ]


def test_a_decorated_model_call() -> None:
    model = observed("a", 0, "LLM", input='[{"role": "user", "content": "Tea?"}]', output='"Yes."')
    assert [(row.user_text, row.text) for row in derive_one([model]).rounds] == [("Tea?", "Yes.")]


@pytest.mark.parametrize("kind", [None, 1, ["LLM"], "", "DEFAULT", "EVALUATOR"])
def test_other_spans_make_no_round(kind: Any) -> None:
    assert not read_span(observed("a", 0, kind, input="1", output="2"))
