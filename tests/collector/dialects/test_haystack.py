"""Haystack's spans as its documentation and its source describe them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.derive.rows import SessionRows
from collector.records import SpanRecord
from tests.collector.derive.pipeline import derive_one, span

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOL = {
    "type": "haystack.tools.tool.Tool",
    "data": {"name": "weather", "description": "Look up.", "parameters": SCHEMA, "function": "app.weather"},
}
TOOLSET = {"type": "haystack.tools.toolset.Toolset", "data": {"tools": [TOOL]}}
QUESTION: dict[str, Any] = {"role": "user", "meta": {}, "name": None, "content": [{"text": "Rain in Rome?"}]}
CALL = {"tool_name": "weather", "arguments": {"city": "Rome"}, "id": "c1", "extra": None}
META = {"model": "m", "finish_reason": "tool_calls", "usage": {"prompt_tokens": 12, "completion_tokens": 3}}
ASKS = {"role": "assistant", "meta": META, "name": None, "content": [{"tool_call": CALL}]}
FAILED = {"result": "no such city", "error": True, "origin": CALL}
TELLS: dict[str, Any] = {"role": "tool", "meta": {}, "name": None, "content": [{"tool_call_result": FAILED}]}
SAYS = {
    "role": "assistant",
    "meta": {**META, "finish_reason": "stop"},
    "content": [{"reasoning": {"reasoning_text": "Hm.", "extra": {}}}, {"text": "I do not know."}],
}


def model_span(span_id: str, at: float, parent: str, history: list[Any], reply: Any) -> SpanRecord:
    return span(
        span_id,
        at,
        name="haystack.agent.step.llm",
        parent=parent,
        haystack__agent__step__llm__input=json.dumps({"messages": history, "tools": [TOOL]}),
        haystack__agent__step__llm__output=json.dumps({"replies": [reply]}),
    )


def tool_span(**more: Any) -> SpanRecord:
    return span("t", 3, name="haystack.agent.step.tool", parent="s0", **more)


def run(*spans: SpanRecord) -> SessionRows:
    """An agent in a pipeline, two steps long, with these spans in it."""
    return derive_one(
        [
            span("p", 0, name="haystack.pipeline.run", lasts=9),
            span(
                "c",
                0,
                name="haystack.component.run",
                parent="p",
                lasts=9,
                haystack__component__name="guide",
                haystack__component__type="Agent",
            ),
            span(
                "r",
                0,
                name="haystack.agent.run",
                parent="c",
                lasts=9,
                haystack__agent__tools=json.dumps(TOOLSET),
            ),
            span("s0", 1, name="haystack.agent.step", parent="r", lasts=4, haystack__agent__step=0),
            span("s1", 5, name="haystack.agent.step", parent="r", lasts=4, haystack__agent__step=1),
            *spans,
        ]
    )


def test_a_run_with_content() -> None:
    rows = run(
        model_span("a", 1, "s0", [QUESTION], ASKS),
        tool_span(
            haystack__tool__name="weather",
            haystack__tool__error=True,
            haystack__agent__step__tool__input='{"city": "Rome"}',
            haystack__agent__step__tool__output="no such city",
        ),
        model_span("b", 6, "s1", [QUESTION, ASKS, TELLS], SAYS),
    )
    [head] = rows.sessions
    assert (head.agent_name, head.model, head.dialect, head.outcome) == ("guide", "m", "haystack", "answered")
    assert (head.input_tokens, head.output_tokens) == (24, 6)
    assert [(row.emitter_step, row.finish_reason, row.user_text, row.text) for row in rows.rounds] == [
        (0, "tool_calls", "Rain in Rome?", ""),
        (1, "stop", "", "I do not know."),
    ]
    assert rows.rounds[1].reasoning == "Hm."
    [call] = rows.tool_calls
    assert (call.call_id, call.tool, call.requested_tool, call.arguments) == (
        "c1",
        "weather",
        "weather",
        '{"city":"Rome"}',
    )
    assert (call.source, call.span_id, call.round) == ("span", "t", 0)
    assert (call.result, call.is_error, call.error) == ("no such city", True, "no such city")
    assert [(tool.tool, json.loads(tool.input_schema or "")) for tool in rows.tools] == [("weather", SCHEMA)]


def test_a_run_without_content_says_so() -> None:
    rows = run(
        span("a", 1, name="haystack.agent.step.llm", parent="s0"),
        tool_span(haystack__tool__name="weather"),
        span("b", 6, name="haystack.agent.step.llm", parent="s1"),
    )
    [head] = rows.sessions
    assert (head.rounds, head.tool_calls) == (2, 1)
    assert head.not_captured == ["messages", "arguments"]
    assert [(call.tool, call.round, call.arguments) for call in rows.tool_calls] == [("weather", 0, None)]
    assert [tool.tool for tool in rows.tools] == ["weather"]


def test_all_calls_of_a_step_in_one_span_are_told_by_the_messages() -> None:
    rows = run(
        model_span("a", 1, "s0", [QUESTION], ASKS),
        tool_span(haystack__agent__step__tool__output=json.dumps({"tool_messages": [TELLS]})),
        model_span("b", 6, "s1", [QUESTION, ASKS, TELLS], SAYS),
    )
    [call] = rows.tool_calls
    assert (call.call_id, call.source, call.result, call.is_error) == ("c1", "message", "no such city", True)


@pytest.mark.parametrize(
    ("kind", "response"),
    [
        ("OpenAIChatGenerator", {"replies": [{**SAYS, "meta": META}]}),
        ("OpenAIGenerator", {"replies": ["I do not know."], "meta": [META]}),
    ],
)
def test_a_generator_in_a_pipeline_is_a_model_call(kind: str, response: Any) -> None:
    rows = derive_one(
        [
            span(
                "g",
                0,
                name="haystack.component.run",
                haystack__component__name="llm",
                haystack__component__type=kind,
                haystack__component__input=json.dumps({"messages": [QUESTION]}),
                haystack__component__output=json.dumps(response),
            )
        ]
    )
    [row] = rows.rounds
    assert (row.text, row.model, row.input_tokens, row.output_tokens) == ("I do not know.", "m", 12, 3)


@pytest.mark.parametrize(
    "odd", ["", "{", "[]", '{"replies": 3}', '{"replies": [{"meta": [1], "content": 2}]}', 7]
)
def test_odd_values(odd: Any) -> None:
    rows = run(
        span(
            "a",
            1,
            name="haystack.agent.step.llm",
            parent="s0",
            haystack__agent__step__llm__input=odd,
            haystack__agent__step__llm__output=odd,
        ),
        tool_span(haystack__tool__name="weather", haystack__tool__error=odd),
    )
    assert [(row.model, row.input_tokens) for row in rows.rounds] == [("", None)]
    assert [(call.tool, call.is_error) for call in rows.tool_calls] == [("weather", False)]
