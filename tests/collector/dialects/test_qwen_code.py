"""Qwen Code's events, none of which has a trace id."""

from __future__ import annotations

import json
from typing import Any

from collector.records import LogRecord
from tests.collector.derive.pipeline import chat, derive_one, log, say

ASK = {"role": "user", "parts": [{"text": "List."}]}


def event(at: float, name: str, **more: Any) -> LogRecord:
    attributes = {"event.name": f"qwen-code.{name}", "session.id": "s", "model": "m", **more}
    return log(at, trace="", **attributes)


def asked(at: float, *history: dict[str, Any], **more: Any) -> LogRecord:
    return event(at, "api_request", request_text=json.dumps(history), **more)


def answered(at: float, text: str | None, **more: Any) -> LogRecord:
    tokens = {"input_token_count": 10, "output_token_count": 3}
    return event(at, "api_response", response_text=text, duration_ms=100, **tokens, **more)


def test_what_the_model_asked_for_is_told_by_the_next_request() -> None:
    call = {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "ls", "args": {"dir": "."}}}]}
    result = {"functionResponse": {"id": "c1", "name": "ls", "response": {"output": "a.py"}}}
    logs = [
        event(0, "user_prompt", prompt="List."),
        asked(0.1, ASK),
        answered(1, None),
        event(
            1.5, "tool_call", function_name="ls", function_args='{"dir": "."}', success=True, duration_ms=9
        ),
        asked(2, ASK, call, {"role": "user", "parts": [result]}),
        answered(3, "One file."),
    ]
    rows = derive_one([], logs)
    assert [(row.user_text, row.text, row.output_tokens, row.tool_calls) for row in rows.rounds] == [
        ("List.", "", 3, 1),
        ("", "One file.", 3, 0),
    ]
    [told] = rows.tool_calls
    assert (told.call_id, told.result, told.source) == ("c1", "a.py", "log")
    [until] = derive_one([], logs[:4]).tool_calls  # the run ended here
    assert (until.tool, until.arguments, until.result) == ("ls", '{"dir":"."}', None)


def test_a_sub_agents_requests_in_between_are_its_own() -> None:
    logs = [
        asked(0, ASK),
        asked(0.2, {"role": "user", "parts": [{"text": "Search."}]}, subagent_name="Explore"),
        answered(0.5, "Found.", subagent_name="Explore"),
        answered(1, "Done."),
    ]
    rounds = [(row.agent_name, row.user_text, row.text) for row in derive_one([], logs).rounds]
    assert rounds == [("svc", "List.", "Done."), ("Explore", "Search.", "Found.")]


def test_a_request_that_failed_is_a_failed_round() -> None:
    logs = [asked(0, ASK), event(1, "api_error", error_message="overloaded", error_type="E", duration_ms=9)]
    assert [row.error for row in derive_one([], logs).rounds] == ["overloaded"]


def test_a_span_of_the_same_call_is_the_same_round() -> None:
    spans = [chat("a", 0.1, say("Done."), session__id="s", gen_ai__usage__output_tokens=3)]
    [row] = derive_one(spans, [asked(0.1, ASK), answered(0.6, "Done.")]).rounds
    assert (row.span_id, row.user_text, row.text) == ("a", "List.", "Done.")
