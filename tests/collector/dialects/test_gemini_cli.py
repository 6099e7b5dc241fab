"""Gemini CLI's spans and events, also where one of them lacks the contents."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from collector.dialects.gemini_cli import GEMINI_CLI
from collector.records import LogRecord, SpanRecord
from tests.collector.derive.pipeline import derive_one
from tests.collector.derive.pipeline import log as plain_log
from tests.collector.derive.pipeline import span as plain_span

USER = {"text": "<session_context>\nToday is Monday.\n</session_context>"}, {"text": "List."}
CALL = {"name": "ls", "args": {"dir": "."}, "id": "ls__ls_1"}
# As the history sends the call and its result back: under another id.
ASKED = {"role": "model", "parts": [{"functionCall": {**CALL, "id": "ls_1"}}]}


def given(response: dict[str, Any]) -> dict[str, Any]:
    return {"functionResponse": {"id": "ls_1", "name": "ls", "response": response}}


def span(span_id: str, at: float, operation: str, trace: str, **messages: Any) -> SpanRecord:
    """A span that is a trace by itself."""
    attributes: dict[str, Any] = {
        f"gen_ai.{key}.messages": json.dumps(value) for key, value in messages.items()
    }
    attributes |= {"gen_ai.operation.name": operation, "gen_ai.conversation.id": "s"}
    made = plain_span(span_id, at, name=operation, trace=trace)
    return replace(made, attributes=attributes, scope_name="gemini-cli")


def event(at: float, name: str, **more: Any) -> LogRecord:
    made = plain_log(at, trace="")
    return replace(made, attributes={"event.name": name, "session.id": "s", **more}, scope_name="gemini-cli")


def details(at: float, history: list[dict[str, Any]], parts: list[dict[str, Any]]) -> LogRecord:
    """The model's messages have the role `system` here, and JSON text for arguments and results."""
    return event(
        at,
        "gen_ai.client.inference.operation.details",
        **{
            "gen_ai.operation.name": "generate_content",
            "gen_ai.response.finish_reasons": ["stop"],
            "gen_ai.input.messages": json.dumps(history, separators=(",", ":")),
            "gen_ai.output.messages": json.dumps([{"role": "system", "parts": parts}]),
        },
    )


SPANS = [
    span(
        "m1",
        0,
        "llm_call",
        "1" * 32,
        input=[{"role": "user", "parts": USER}],
        output=[{"role": "model", "parts": [{"functionCall": CALL}]}],
    ),
    span(
        "t1",
        0.6,
        "tool_call",
        "2" * 32,
        input={"callId": "ls__ls_1", "name": "ls", "args": {"dir": "."}},
        output={"status": "success", "response": {"responseParts": [given({"output": "a.py"})]}},
    ),
    span(
        "m2",
        1.2,
        "llm_call",
        "3" * 32,
        input=[
            {"role": "user", "parts": USER},
            ASKED,
            {"role": "user", "parts": [given({"output": "a.py"})]},
        ],
        output=[{"role": "model", "parts": [{"text": "One file."}]}],
    ),
]
SAID = [{"type": "text", "content": part["text"]} for part in USER]
LOGS = [
    details(
        0.5,
        [{"role": "user", "parts": SAID}],
        [{"type": "tool_call", "name": "ls", "id": "ls__ls_1", "arguments": '{"dir":"."}'}],
    ),
    event(1.1, "gemini_cli.tool_call", function_name="ls", function_args='{\n "dir": "."\n}', success=True),
    details(
        1.7,
        [
            {"role": "user", "parts": SAID},
            {
                "role": "system",
                "parts": [{"type": "tool_call", "name": "ls", "id": "ls_1", "arguments": '{"dir":"."}'}],
            },
            {
                "role": "user",
                "parts": [{"type": "tool_call_response", "id": "ls_1", "response": '{"output":"a.py"}'}],
            },
        ],
        [{"type": "text", "content": "One file."}],
    ),
]
# Without `telemetry.traces` nothing else stands on them.
BARE = [
    replace(
        span,
        attributes={key: span.attributes[key] for key in ("gen_ai.operation.name", "gen_ai.conversation.id")},
    )
    for span in SPANS
]


@pytest.mark.parametrize(
    ("spans", "logs", "finish"),
    [(SPANS, LOGS, "stop"), (SPANS, [], ""), ([], LOGS, "stop"), (BARE, LOGS, "stop")],
    ids=["both", "spans", "events", "spans without contents"],
)
def test_spans_and_events_tell_the_same_run(
    spans: list[SpanRecord], logs: list[LogRecord], finish: str
) -> None:
    rows = derive_one(spans, logs)
    assert [(row.user_text, row.text, row.finish_reason) for row in rows.rounds] == [
        ("List.", "", finish),
        ("", "One file.", finish),
    ]
    [call] = rows.tool_calls
    assert (call.round, call.tool, call.call_id, call.arguments) == (0, "ls", "ls__ls_1", '{"dir":"."}')
    assert (call.result, call.is_error) == ("a.py", False)


def test_a_call_that_was_refused_has_no_span_of_its_own() -> None:
    refused = {
        "status": "error",
        "request": {"callId": "ls__ls_1", "name": "ls", "args": {"dir": "."}},
        "response": {"responseParts": [given({"error": "dir is not allowed"})]},
    }
    schedule = span("s1", 0.6, "schedule_tool_calls", "2" * 32, output=[refused])
    failed = replace(LOGS[1], attributes={**LOGS[1].attributes, "success": False, "error": "not allowed"})
    [call] = derive_one([SPANS[0], schedule], [failed]).tool_calls
    assert (call.call_id, call.is_error, call.error) == ("ls__ls_1", True, "dir is not allowed")
    [call] = derive_one([SPANS[0]], [failed]).tool_calls
    assert (call.call_id, call.is_error, call.error) == ("ls__ls_1", True, "not allowed")


@pytest.mark.parametrize("status", [None, 7, ["error"], {"a": 1}])
@pytest.mark.parametrize("response", [None, 1, [], {"responseParts": [None, {"functionResponse": 1}]}])
def test_values_of_any_type_are_read_as_far_as_they_go(status: Any, response: Any) -> None:
    completed = {"status": status, "request": {"name": "ls", "args": 1}, "response": response}
    scheduled = span("a", 0, "schedule_tool_calls", "1" * 32, input=7, output=[completed, None, 3])
    read = GEMINI_CLI.read_span(scheduled)
    assert read is not None
    assert len(read) == (status is not None)
    ran = span("a", 0, "tool_call", "1" * 32, input={"name": "ls", "args": [1]}, output=completed)
    assert GEMINI_CLI.read_span(ran)
