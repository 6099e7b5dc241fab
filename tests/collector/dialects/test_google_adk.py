"""ADK's spans where the recordings do not reach: version 1, parallel calls, stable events, odd values."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from collector.records import LogRecord, SpanRecord
from tests.collector.derive.pipeline import derive_one, log, span

SCOPE = "gcp.vertex.agent"
SCHEMA = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}
TOOLS = [{"function_declarations": [{"name": "weather", "description": "Look up.", "parameters": SCHEMA}]}]
QUESTION = {"role": "user", "parts": [{"text": "Rain?"}]}
ASKS = {"role": "model", "parts": [{"function_call": {"name": "weather", "args": {"city": "Rome"}}}]}
TOLD = {"role": "user", "parts": [{"function_response": {"name": "weather", "response": {"result": "sun"}}}]}
SAYS = {"role": "model", "parts": [{"text": "Hm.", "thought": True}, {"text": "No."}]}
USAGE = {"prompt_token_count": 20, "candidates_token_count": 3, "total_token_count": 23}


def own(span_id: str, at: float, name: str, **more: Any) -> SpanRecord:
    return replace(span(span_id, at, name=name, **more), scope_name=SCOPE)


def own_log(span_id: str, name: str, body: Any, at: float = 0) -> LogRecord:
    return replace(log(at, name=name, body=body, span_id=span_id), scope_name=SCOPE)


def call_llm(span_id: str, at: float, contents: Any, response: Any, **more: Any) -> SpanRecord:
    request = {"model": "gemini-2.0", "config": {"tools": TOOLS}, "contents": contents}
    attributes = {
        "gen_ai.system": SCOPE,
        "gen_ai.request.model": "gemini-2.0",
        "gen_ai.usage.input_tokens": 20,
        "gen_ai.usage.output_tokens": 23,
        "gcp.vertex.agent.session_id": "s1",
        "gcp.vertex.agent.llm_request": json.dumps(request),
        "gcp.vertex.agent.llm_response": response if isinstance(response, str) else json.dumps(response),
    }
    return own(span_id, at, "call_llm", parent="agent", **{**attributes, **more})


def execute_tool(span_id: str, at: float, call_id: str = "adk-1", **more: Any) -> SpanRecord:
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "weather",
        "gen_ai.tool.call.id": call_id,
        "gcp.vertex.agent.tool_call_args": '{"city": "Rome"}',
        "gcp.vertex.agent.tool_response": '{"result": "sun"}',
        "gcp.vertex.agent.llm_request": "{}",
        "gcp.vertex.agent.llm_response": "{}",
    }
    return own(span_id, at, "execute_tool weather", parent="agent", **{**attributes, **more})


AGENT = own("agent", 0, "agent_run [guide]", lasts=9, parent="run")
RUN = own("run", 0, "invocation", lasts=9)


def test_a_run_of_version_1() -> None:
    rows = derive_one(
        [
            RUN,
            AGENT,
            call_llm("a", 1, [QUESTION], {"content": ASKS, "usage_metadata": USAGE, "finish_reason": "STOP"}),
            execute_tool("t", 2),
            call_llm("b", 3, [QUESTION, ASKS, TOLD], {"content": SAYS, "usage_metadata": USAGE}),
        ]
    )
    [head] = rows.sessions
    assert (head.session_id, head.session_source, head.agent_name, head.dialect) == (
        "s1",
        "gcp.vertex.agent.session_id",
        "guide",
        "google_adk",
    )
    first, second = rows.rounds
    assert (first.user_text, first.finish_reason, first.input_tokens, first.output_tokens) == (
        "Rain?",
        "stop",
        20,
        3,
    )
    assert (second.text, second.reasoning, second.user_text) == ("No.", "Hm.", "")
    [call] = rows.tool_calls
    assert (call.round, call.call_id, call.arguments, call.result, call.source) == (
        0,
        "adk-1",
        '{"city":"Rome"}',
        "sun",
        "span",
    )
    [tool] = rows.tools
    assert (tool.tool, json.loads(tool.input_schema or "")) == ("weather", SCHEMA)


def test_a_response_in_the_spelling_of_java_and_typescript() -> None:
    usage = {"promptTokenCount": 7, "candidatesTokenCount": 2, "thoughtsTokenCount": 1}
    [turn] = derive_one([call_llm("a", 1, [], {"content": SAYS, "usageMetadata": usage})]).rounds
    assert (turn.input_tokens, turn.output_tokens) == (7, 3)


def test_a_tool_that_raised_in_version_1_has_its_name_and_error_only() -> None:
    answer = {"content": ASKS}
    failed = own("t", 2, "execute_tool weather", parent="agent", status=2, message="ValueError: no such city")
    [call] = derive_one([AGENT, call_llm("a", 1, [QUESTION], answer), failed]).tool_calls
    assert (call.tool, call.arguments, call.error) == (
        "weather",
        '{"city":"Rome"}',
        "ValueError: no such city",
    )


def test_parallel_calls_and_the_span_of_their_sum() -> None:
    cities = ["Rome", "Oslo", "Rome"]
    parts = [{"function_call": {"name": "weather", "args": {"city": city}}} for city in cities]
    spans = [
        execute_tool(
            f"t{at}",
            2,
            f"adk-{at}",
            **{
                "gcp.vertex.agent.tool_call_args": json.dumps({"city": city}),
                "gcp.vertex.agent.tool_response": json.dumps({"result": f"{city} {at}"}),
            },
        )
        for at, city in enumerate(cities)
    ]
    merged = execute_tool("m", 2, "event-1", **{"gen_ai.tool.name": "(merged tools)"})
    answer = {"content": {"role": "model", "parts": parts}}
    rows = derive_one([AGENT, call_llm("a", 1, [QUESTION], answer), *spans, merged])
    assert [(call.arguments, call.result) for call in rows.tool_calls] == [
        ('{"city":"Rome"}', "Rome 0"),
        ('{"city":"Oslo"}', "Oslo 1"),
        ('{"city":"Rome"}', "Rome 2"),
    ]


def test_one_call_told_by_two_spans_and_their_events() -> None:
    inner = own(
        "g",
        1.1,
        "generate_content gemini-2.0",
        parent="b",
        lasts=0.2,
        **{"gen_ai.operation.name": "generate_content", "gen_ai.usage.output_tokens": 3},
    )
    logs = [
        own_log("g", "gen_ai.system.message", {"content": "Be brief."}, 1.1),
        own_log("g", "gen_ai.user.message", {"content": QUESTION}, 1.11),
        own_log("g", "gen_ai.user.message", {"content": ASKS}, 1.12),
        own_log("g", "gen_ai.user.message", {"content": TOLD}, 1.13),
        own_log("g", "gen_ai.choice", {"content": SAYS, "index": 0, "finish_reason": "STOP"}, 1.2),
    ]
    outer = call_llm("b", 1, [QUESTION, ASKS, TOLD], "{}")
    rows = derive_one([outer, inner], logs)
    [turn] = rows.rounds
    assert (turn.text, turn.user_text, turn.finish_reason, turn.output_tokens) == ("No.", "", "stop", 3)
    assert rows.sessions[0].tool_calls == 0  # asked for in the history only


def test_content_that_is_left_out() -> None:
    off = {"gcp.vertex.agent.tool_call_args": "{}", "gcp.vertex.agent.tool_response": "{}"}
    logs = [
        own_log("a", "gen_ai.user.message", {"content": "<elided>"}, 1),
        own_log("a", "gen_ai.choice", {"content": "<elided>", "index": 0, "finish_reason": "STOP"}, 1),
    ]
    request = {"gcp.vertex.agent.llm_request": "{}"}
    rows = derive_one([AGENT, call_llm("a", 1, [], "{}", **request), execute_tool("t", 2, **off)], logs)
    [turn] = rows.rounds
    [call] = rows.tool_calls
    assert (turn.text, turn.user_text, call.arguments, call.result) == ("", "", None, None)
    assert rows.sessions[0].not_captured == ["messages", "arguments"]


def test_a_tool_that_answers_later() -> None:
    later = {"gcp.vertex.agent.tool_response": '{"result": "<not specified>"}'}
    [call] = derive_one([execute_tool("t", 2, "<not specified>", **later)]).tool_calls
    assert (call.call_id, call.arguments, call.result) == ("", '{"city":"Rome"}', None)


@pytest.mark.parametrize(
    "text", ["", "x", "[]", "7", "<not serializable>", '{"content": 3}', '{"content": {"parts": [3, null]}}']
)
def test_odd_values_leave_the_round(text: str) -> None:
    odd = {"gcp.vertex.agent.llm_request": text, "gcp.vertex.agent.tool_call_args": text}
    rows = derive_one(
        [
            call_llm("a", 1, [], text, **odd),
            execute_tool("t", 2, **{"gcp.vertex.agent.tool_response": text}),
            own("d", 3, "send_data", **{"gcp.vertex.agent.data": text}),
        ],
        [
            own_log("a", "gen_ai.choice", text),
            own_log("", "gen_ai.user.message", {"content": {"parts": text}}),
        ],
    )
    assert (len(rows.rounds), len(rows.tool_calls)) == (1, 1)
