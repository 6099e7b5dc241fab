"""Codex's events and spans as its documentation and its source describe them."""

from __future__ import annotations

from typing import Any

from collector.records import LogRecord, SpanRecord
from tests.collector.derive.pipeline import derive_one, span
from tests.collector.derive.pipeline import log as plain_log


def log(at: float, name: str, **more: Any) -> LogRecord:
    """An event; the field for its name holds a place in the source."""
    event = {"event.name": f"codex.{name}", "conversation.id": "s", "model": "m"}
    return plain_log(at, name="event otel/src/events.rs:1", trace="", **{**event, **more})


def stream(at: float, kind: str, **more: Any) -> LogRecord:
    return log(at, "sse_event", event__kind=kind, **more)


def ended(at: float) -> list[LogRecord]:
    """The end of a response: written twice, once with what it cost."""
    return [
        stream(at, "response.completed", duration_ms="0"),
        stream(at + 0.001, "response.completed", input_token_count="10", output_token_count="3"),
    ]


def ran(at: float, call_id: str, **more: Any) -> LogRecord:
    fields = {"tool_name": "exec_command", "arguments": '{"cmd": "ls"}', "success": "true", **more}
    return log(at, "tool_result", call_id=call_id, duration_ms="100", **fields)


def sampling(span_id: str, at: float) -> SpanRecord:
    return span(span_id, at, codex__turn__phase="sampling", conversation__id="s")


def test_a_round_lasts_from_the_first_to_the_last_event_of_its_response() -> None:
    """Codex runs a tool as soon as it is asked for, which is before the response has ended."""
    logs = [
        log(0, "user_prompt", prompt="List."),
        stream(1, "response.created"),
        stream(2, "response.output_item.done"),
        ran(2.3, "c1", output="a.py"),
        *ended(3),
        stream(4, "response.created"),
        *ended(5),
    ]
    rows = derive_one([], logs)
    assert [(row.user_text, row.output_tokens, row.tool_calls) for row in rows.rounds] == [
        ("List.", 3, 1),
        ("", 3, 0),
    ]
    assert rows.sessions[0].not_captured == ["messages"]
    assert "log_agent_responses" not in rows.sessions[0].capture_switch  # no scope, no switch


def test_a_stream_that_broke_is_a_failed_round() -> None:
    logs = [
        stream(1, "response.created"),
        stream(2, "response.failed", error__message="rate limit"),
        stream(3, "response.created"),
        *ended(4),
    ]
    assert [(row.error, row.output_tokens) for row in derive_one([], logs).rounds] == [
        ("rate limit", None),
        ("", 3),
    ]


def test_spans_and_events_of_one_call_are_one() -> None:
    spans = [
        sampling("a", 0),
        span(
            "t",
            0.4,
            name="exec_command",
            codex__tool__phase="dispatch",
            tool_name="exec_command",
            call_id="c1",
        ),
        span(
            "u",
            0.4,
            name="handle_responses",
            lasts=0.1,
            gen_ai__usage__input_tokens=10,
            gen_ai__usage__output_tokens=3,
            codex__usage__total_tokens=13,
        ),
        span("x", 0.1, name="append_items"),
    ]
    logs = [*ended(0.45), ran(0.85, "c1", output="no such file", success="false")]
    for events in (logs, []):
        rows = derive_one(spans, events)
        assert [(row.span_id, row.input_tokens, row.tool_calls) for row in rows.rounds] == [("a", 10, 1)]
        assert [call.call_id for call in rows.tool_calls] == ["c1"]
    [call] = derive_one(spans, logs).tool_calls
    assert (call.is_error, call.error, call.arguments) == (True, "no such file", '{"cmd":"ls"}')


def test_newer_versions_log_their_final_answers() -> None:
    logs = [stream(1, "response.created"), log(1.9, "agent_response", response="Done."), *ended(2)]
    [row] = derive_one([], logs).rounds
    assert (row.text, row.output_tokens) == ("Done.", 3)


def test_a_prompt_that_is_not_logged_is_not_told() -> None:
    [row] = derive_one([], [log(0, "user_prompt", prompt="[REDACTED]"), *ended(2)]).rounds
    assert row.user_text == ""
