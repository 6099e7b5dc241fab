"""AutoGen's spans and logged events, as its public source writes them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from collector.dialects.autogen import AUTOGEN
from collector.records import LogRecord, SpanRecord
from tests.collector.derive.pipeline import derive_one, log, span

TEAM = "0f1e2d3c-0123-4567-89ab-0123456789ab"
CALL = {"id": "c1", "type": "function", "function": {"name": "update", "arguments": '{"id":"R-1"}'}}
RESULT = '{"success": true, "changed": false}'
ASKED = {"role": "user", "content": "Fill it in."}
TOOLS = [{"type": "function", "function": {"name": "update", "parameters": {"properties": {"id": {}}}}}]


def logged(at: float, kind: str, **fields: Any) -> LogRecord:
    body = json.dumps({**fields, "type": kind, "agent_id": fields.get("agent_id", f"spec_{TEAM}/{TEAM}")})
    return replace(log(at, body=body, span_id="a"), scope_name="autogen_core.events")


def completion(message: dict[str, Any], reason: str) -> dict[str, Any]:
    return {"id": "x", "model": "m", "choices": [{"index": 0, "finish_reason": reason, "message": message}]}


def spans() -> list[SpanRecord]:
    def own(span_id: str, at: float, name: str, **more: Any) -> SpanRecord:
        more |= {"gen_ai.system": "autogen", "gen_ai.operation.name": name.split(maxsplit=1)[0]}
        return replace(span(span_id, at, name=name, **more), scope_name="autogen-core")

    return [
        own("a", 0, "invoke_agent spec", lasts=20, gen_ai__agent__name="spec"),
        span("p", 0.5, name="autogen process spec", parent="a", messaging__operation="process"),
        own(
            "t",
            2,
            "execute_tool update",
            parent="a",
            gen_ai__tool__name="update",
            gen_ai__tool__call__id="c1",
        ),
    ]


ASKS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
WHOLE = [
    logged(
        1,
        "LLMCall",
        messages=[ASKED],
        response=completion(ASKS, "tool_calls"),
        prompt_tokens=100,
        completion_tokens=10,
        tools=TOOLS,
    ),
    logged(
        4,
        "LLMCall",
        messages=[ASKED, ASKS, {"role": "tool", "tool_call_id": "c1", "content": RESULT}],
        response=completion({"role": "assistant", "content": "Done."}, "stop"),
        prompt_tokens=120,
        completion_tokens=5,
    ),
]
STREAMED = [
    logged(0.9, "LLMStreamStart", messages=[ASKED]),
    logged(
        1,
        "LLMStreamEnd",
        response={
            "finish_reason": "function_calls",
            "content": [{"id": "c1", "name": "update", "arguments": '{"id":"R-1"}'}],
            "usage": {},
            "cached": False,
            "thought": None,
        },
        prompt_tokens=100,
        completion_tokens=10,
    ),
    logged(
        3.5,
        "LLMStreamStart",
        messages=[ASKED, ASKS, {"role": "tool", "tool_call_id": "c1", "content": RESULT}],
    ),
    logged(
        4,
        "LLMStreamEnd",
        response={"finish_reason": "stop", "content": "Done.", "usage": {}, "cached": False},
        prompt_tokens=120,
        completion_tokens=5,
    ),
]


@pytest.mark.parametrize("events", [WHOLE, STREAMED], ids=["whole", "streamed"])
def test_events_and_spans_are_one_run(events: list[LogRecord]) -> None:
    ran = logged(2.6, "ToolCall", tool_name="update", arguments={"id": "R-1"}, result=RESULT)
    rows = derive_one(spans(), [*events, ran, logged(0.2, "Message", payload="{}")])
    assert rows.sessions[0].dialect == "autogen"
    assert [
        (row.agent_name, row.input_tokens, row.output_tokens, row.user_text, row.text) for row in rows.rounds
    ] == [
        ("spec", 100, 10, "Fill it in.", ""),
        ("spec", 120, 5, "", "Done."),
    ]
    (call,) = rows.tool_calls
    assert (call.round, call.call_id, call.tool, call.arguments) == (0, "c1", "update", '{"id":"R-1"}')
    assert (call.result, call.changed, call.source) == (RESULT, False, "span")


def test_offered_tools_and_the_model_come_from_the_call() -> None:
    rows = derive_one(spans(), WHOLE)
    assert (rows.sessions[0].model, [row.tool for row in rows.tools]) == ("m", ["update"])


def test_without_the_events_the_calls_are_there_and_their_content_is_said_to_be_missing() -> None:
    (head,) = derive_one(spans()).sessions
    assert (head.agent_name, head.tool_calls, head.not_captured) == ("spec", 1, ["arguments"])
    assert "autogen_core.events" in head.capture_switch


def test_a_call_outside_a_team_is_of_the_only_agent() -> None:
    rows = derive_one(
        spans(),
        [
            logged(
                1,
                "LLMCall",
                agent_id=None,
                messages=[ASKED],
                response=completion(ASKS, "tool_calls"),
                prompt_tokens=1,
                completion_tokens=1,
            )
        ],
    )
    assert [row.agent_name for row in rows.rounds] == ["spec"]


@pytest.mark.parametrize(
    "value", [None, 7, "", "{", [], [1], {"choices": [None]}, {"content": [1], "finish_reason": 3}]
)
@pytest.mark.parametrize("kind", ["LLMCall", "LLMStreamStart", "LLMStreamEnd", "ToolCall", "Message", 3])
def test_values_of_any_type_are_read_as_far_as_they_go(kind: Any, value: Any) -> None:
    fields = dict.fromkeys(
        [
            "agent_id",
            "messages",
            "response",
            "tools",
            "prompt_tokens",
            "tool_name",
            "arguments",
            "result",
            "call_id",
        ],
        value,
    )
    assert AUTOGEN.read_log(logged(0, kind, **fields)) is not None


@pytest.mark.parametrize("body", [None, 7, "LLMCall", ["LLMCall"], "{"])
def test_bodies_that_are_no_event_say_nothing(body: Any) -> None:
    assert AUTOGEN.read_log(replace(log(0, body=body), scope_name="autogen_core.events")) == ()
    assert AUTOGEN.read_log(log(0, body=body)) is None
