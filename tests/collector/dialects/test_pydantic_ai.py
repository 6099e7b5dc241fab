"""Pydantic AI's spans where the recordings do not reach: earlier versions, and odd values."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from collector.derive.rows import SessionRows
from collector.records import SpanRecord
from tests.collector.derive.pipeline import derive_one, log, span

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOL = {"name": "weather", "description": "Look up.", "parameters_json_schema": SCHEMA}
QUESTION = {"event.name": "gen_ai.user.message", "role": "user", "content": "Rain?"}
CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Rome"}'}}
ASKS = {"message": {"role": "assistant", "tool_calls": [CALL]}, "event.name": "gen_ai.choice"}
THOUGHTS = [{"kind": "thinking", "text": "Hm."}, {"kind": "text", "text": "No."}]
THINKS = {"message": {"role": "assistant", "content": THOUGHTS}, "event.name": "gen_ai.choice"}


def own(span_id: str, at: float, **more: Any) -> SpanRecord:
    return replace(span(span_id, at, **more), scope_name="pydantic-ai")


def chat(span_id: str, at: float, events: Any, **more: Any) -> SpanRecord:
    return own(span_id, at, name="chat m", gen_ai__operation__name="chat", events_=events, **more)


def with_events(record: SpanRecord) -> SpanRecord:
    attributes = dict(record.attributes)
    attributes["events"] = attributes.pop("events_")
    return replace(record, attributes=attributes)


def derive(events: list[Any], **more: Any) -> SessionRows:
    """A run of a version whose spans of tools and agents name no operation."""
    return derive_one(
        [
            own("run", 0, name="agent run", lasts=9, agent_name="guide"),
            with_events(chat("a", 1, json.dumps(events), parent="run", **more)),
            own("ts", 2, name="running tools", parent="run", tools=["weather"]),
            own(
                "t",
                2,
                name="running tool",
                parent="ts",
                gen_ai__tool__name="weather",
                gen_ai__tool__call__id="c1",
                tool_arguments='{"city": "Rome"}',
                tool_response="sun",
            ),
        ]
    )


def test_spans_that_name_no_operation() -> None:
    rows = derive([QUESTION, ASKS], model_request_parameters=json.dumps({"function_tools": [TOOL]}))
    [call] = rows.tool_calls
    assert (call.tool, call.call_id, call.arguments, call.result) == (
        "weather",
        "c1",
        '{"city":"Rome"}',
        "sun",
    )
    [turn] = rows.rounds
    assert (turn.agent_name, turn.user_text, call.agent_name) == ("guide", "Rain?", "guide")
    [tool] = rows.tools
    assert (tool.tool, tool.description, json.loads(tool.input_schema or "")) == (
        "weather",
        "Look up.",
        SCHEMA,
    )


def test_thoughts_and_words_of_an_answer() -> None:
    [turn] = derive([QUESTION, THINKS]).rounds
    assert (turn.reasoning, turn.text) == ("Hm.", "No.")


def test_an_answer_cut_by_a_length_limit() -> None:
    says = {"message": {"role": "assistant", "content": "It rains all day."}, "event.name": "gen_ai.choice"}
    text = json.dumps([QUESTION, says])
    [turn] = derive_one([with_events(chat("a", 1, text[: text.index(" all day")]))]).rounds
    assert (turn.user_text, turn.text) == ("Rain?", "It rains")


ODD_EVENTS: list[Any] = [
    None,
    7,
    "",
    "[",
    "{}",
    [None, 3, "x", {"event.name": ["gen_ai.choice"]}],
    {"message": 3},
]
ODD_PARAMETERS: list[Any] = [None, "[", "{}", {"function_tools": "x", "output_tools": [None, 5, {}]}]


@pytest.mark.parametrize("events", ODD_EVENTS)
@pytest.mark.parametrize("parameters", ODD_PARAMETERS)
def test_odd_values_leave_the_round(events: Any, parameters: Any) -> None:
    rows = derive_one([with_events(chat("a", 1, events, model_request_parameters=parameters))])
    assert (len(rows.rounds), rows.tools) == (1, [])


def test_other_records_of_its_scope_are_nothing() -> None:
    noise = replace(log(1, name="other"), scope_name="pydantic-ai")
    rows = derive_one([with_events(chat("a", 1, json.dumps([QUESTION, THINKS])))], [noise])
    assert len(rows.rounds) == 1
