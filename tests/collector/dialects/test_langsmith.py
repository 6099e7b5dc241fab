"""LangSmith runs where the recording does not reach: `traceable`, wrapped clients, hand-made spans."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.dialects.langsmith import read_span
from tests.collector.derive.pipeline import derive_one, event, span

FUNCTION = {"name": "search", "arguments": '{"q": "tea"}'}
ASKS = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": FUNCTION}]}
REQUEST = {
    "model": "m",
    "messages": [{"role": "user", "content": "Tea?"}],
    "tools": [{"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}],
}


def run(span_id: str, at: float, kind: Any, name: str = "search", **more: Any) -> Any:
    return span(span_id, at, name=name, **{"langsmith.span.kind": kind, **more})


def test_a_wrapped_client_and_a_traceable_tool() -> None:
    rows = derive_one(
        [
            run(
                "a",
                0,
                "llm",
                gen_ai__prompt=json.dumps(REQUEST),
                gen_ai__completion=json.dumps(
                    {"choices": [{"message": ASKS, "finish_reason": "tool_calls"}]}
                ),
                gen_ai__request__model="m",
                gen_ai__usage__input_tokens=12,
            ),
            run("t", 1, "tool", gen_ai__prompt='{"q": "tea"}', gen_ai__completion='{"output": "3 kinds"}'),
        ]
    )
    [row] = rows.rounds
    assert (row.user_text, row.model, row.finish_reason, row.input_tokens) == ("Tea?", "m", "tool_calls", 12)
    assert [tool.tool for tool in rows.tools] == ["search"]
    [call] = rows.tool_calls
    assert (call.call_id, call.span_id, call.result) == ("c1", "t", "3 kinds")


def test_a_hand_made_span_with_indexed_attributes() -> None:
    attributes = {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Tea?"}
    answer = {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Yes."}
    rows = derive_one([run("a", 0, "LLM", **attributes, **answer)])
    assert [(row.user_text, row.text) for row in rows.rounds] == [("Tea?", "Yes.")]


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ("ValueError('no tea')Traceback (most recent call last):\n\n  File a.py", "ValueError('no tea')"),
        (
            "Traceback (most recent call last):\n  File a.py",
            "Traceback (most recent call last):\n  File a.py",
        ),
        ("no tea", "no tea"),
    ],
)
def test_an_error_is_told_without_its_stack_trace(message: str, error: str) -> None:
    failed = event("exception", exception__message=message)
    rows = derive_one([run("t", 0, "tool", status=2, events=[failed], gen_ai__completion="{}")])
    assert [(call.is_error, call.error, call.result) for call in rows.tool_calls] == [(True, error, None)]


def test_hidden_inputs_are_not_taken_for_calls_without_arguments() -> None:
    hidden = {"gen_ai.prompt": "{}", "gen_ai.completion": "{}"}
    rows = derive_one([run("a", 0, "llm", **hidden), *(run(f"t{n}", n, "tool", **hidden) for n in (1, 2, 3))])
    assert [(call.arguments, call.result) for call in rows.tool_calls] == [(None, None)] * 3
    assert rows.sessions[0].not_captured == ["messages", "arguments", "results"]


@pytest.mark.parametrize("kind", [None, 1, ["llm"], "", "chain", "retriever", "prompt", "parser"])
def test_other_runs_make_no_round(kind: Any) -> None:
    assert not read_span(run("a", 0, kind, gen_ai__prompt="1", gen_ai__completion="2"))
