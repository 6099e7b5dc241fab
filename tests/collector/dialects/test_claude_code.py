"""Claude Code's spans and events, together and each alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from collector.derive.rows import SessionRows
from collector.records import LogRecord, SpanEvent, SpanRecord
from tests.collector.derive.pipeline import derive_one
from tests.collector.derive.pipeline import event as span_event
from tests.collector.derive.pipeline import log as plain_log
from tests.collector.derive.pipeline import span as plain_span
from tests.otlp_records import read_folder

RECORDING = Path(__file__).parents[2] / "data" / "otlp" / "claude_code_pb"
SCOPE = "com.anthropic.claude_code"


def span(span_id: str, at: float, kind: str, **more: Any) -> SpanRecord:
    """A span of the interaction `i`."""
    parent = more.pop("parent", "" if kind == "interaction" else "i")
    attributes = {"span.type": kind, "session.id": "s", **more}
    return replace(plain_span(span_id, at, parent=parent, **attributes), scope_name=f"{SCOPE}.tracing")


def event(at: float, name: str, **more: Any) -> LogRecord:
    """An event on the interaction's span, with the name as one version or another writes it."""
    attributes = {"event.name": name, "session.id": "s", **more}
    return replace(plain_log(at, span_id="i"), attributes=attributes, scope_name=f"{SCOPE}.events")


def request(span_id: str, at: float, **more: Any) -> SpanRecord:
    return span(span_id, at, "llm_request", model="m", input_tokens=10, output_tokens=3, **more)


def told(rows: SessionRows) -> list[Any]:
    calls = [(call.round, call.tool, call.call_id, call.arguments) for call in rows.tool_calls]
    return [[(row.model, row.input_tokens, row.user_text, row.text) for row in rows.rounds], calls]


def test_the_events_alone_tell_the_same_rounds() -> None:
    spans, logs = read_folder(RECORDING)
    alone = derive_one([], [replace(log, trace_id="", span_id="") for log in logs])
    assert told(alone) == told(derive_one(spans, logs))
    assert alone.sessions[0].outcome == "answered"


def test_the_spans_alone_lack_arguments_and_what_the_model_says() -> None:
    spans, logs = read_folder(RECORDING)
    alone, whole = derive_one(spans), derive_one(spans, logs)
    assert [(row.span_id, row.finish_reason) for row in alone.rounds] == [
        (row.span_id, row.finish_reason) for row in whole.rounds
    ]
    assert [call.call_id for call in alone.tool_calls] == [call.call_id for call in whole.tool_calls]
    assert alone.sessions[0].not_captured == ["messages", "arguments"]


def test_a_failed_tool_says_so_on_the_span_inside() -> None:
    rows = derive_one(
        [
            span("i", 0, "interaction"),
            request("r", 0.1),
            span("t", 0.7, "tool", tool_name="Bash", tool_use_id="c"),
            replace(
                span("x", 0.8, "tool.execution", parent="t", tool_use_id="c", success=False, error="exit 1"),
                status_code=2,
            ),
        ]
    )
    assert [(call.tool, call.is_error, call.error) for call in rows.tool_calls] == [("Bash", True, "exit 1")]


def test_each_sub_agent_and_helper_keeps_its_own_rounds() -> None:
    spans = [
        span("i", 0, "interaction"),
        request("main", 0.1, query_source="repl_main_thread"),
        request("one", 1, agent_id="a1", query_source="agent:builtin:Explore"),
        request("two", 1.1, agent_id="a2", query_source="agent:builtin:Explore"),
        request("title", 1.2, query_source="generate_session_title"),
        request("again", 2, query_source="sdk"),
    ]
    rounds = [(row.agent_name, row.round) for row in derive_one(spans).rounds]
    assert rounds == [("svc", 0), ("a1", 0), ("a2", 0), ("generate_session_title", 0), ("svc", 1)]


def test_an_attempt_that_failed_before_the_answer_is_no_round() -> None:
    spans = [span("i", 0, "interaction"), request("r", 0, stop_reason="end_turn")]
    logs = [
        event(0.2, "claude_code.api_error", error="overloaded", duration_ms="100"),
        event(0.5, "claude_code.api_request", input_tokens="10", output_tokens="3", duration_ms="200"),
    ]
    [row] = derive_one(spans, logs).rounds
    assert (row.error, row.input_tokens) == ("", 10)
    [failed] = derive_one(spans[:1], logs[:1]).rounds
    assert failed.error == "overloaded"


@pytest.mark.parametrize("name", ["user_prompt", "claude_code.user_prompt"])
def test_what_is_redacted_was_not_said(name: str) -> None:
    spans = [span("i", 0, "interaction", user_prompt="<REDACTED>"), request("r", 0.1)]
    said = [event(0, name, prompt=text) for text in ("<REDACTED>", "Fix it.", "Fix it.")]
    assert derive_one(spans, said[:1]).rounds[0].user_text == ""
    assert derive_one(spans, said).rounds[0].user_text == "Fix it."


def test_raw_bodies_tell_what_was_offered_and_asked_for() -> None:
    tools = [{"name": "Read", "input_schema": {"type": "object", "properties": {"file_path": {}}}}]
    asked = {"messages": [{"role": "user", "content": "Fix it."}], "tools": tools}
    content = [
        {"type": "text", "text": "First I read."},
        {"type": "tool_use", "id": "c", "name": "Read", "input": {"path": "a"}},
    ]
    logs = [
        event(0.1, "api_request_body", body=json.dumps(asked)),
        event(0.6, "api_response_body", body=json.dumps({"content": content, "stop_reason": "tool_use"})),
        event(0.6, "api_request", input_tokens=10, output_tokens=3, duration_ms=500, model="m"),
    ]
    for spans in ([], [span("i", 0, "interaction"), request("r", 0.1)]):
        rows = derive_one(spans, logs)
        [row] = rows.rounds
        assert (row.user_text, row.text, row.finish_reason) == ("Fix it.", "First I read.", "tool_use")
        assert [(call.tool, call.arguments) for call in rows.tool_calls] == [("Read", '{"path":"a"}')]
        assert [offered.tool for offered in rows.tools] == ["Read"]
    cut = event(0.1, "api_request_body", body=json.dumps(asked)[:60], body_truncated="true")
    assert derive_one([], [cut, *logs[1:]]).tools == []


def test_a_commands_output_is_its_result() -> None:
    output: SpanEvent = span_event("tool.output", 1, output="a.py")
    ran = span("t", 0.7, "tool", tool_name="Bash", tool_use_id="c", full_command="ls")
    rows = derive_one([span("i", 0, "interaction"), request("r", 0.1), replace(ran, events=[output])])
    assert [(call.result, call.arguments) for call in rows.tool_calls] == [("a.py", None)]
