"""OpenLLMetry's entity spans, where the recorded payloads do not reach."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.derive.canonical import AgentSpan, ToolExecution
from collector.dialects.traceloop import TRACELOOP
from tests.collector.derive.pipeline import ask_for, chat, derive_one, say, span

KIND, ENTITY = "traceloop.span.kind", "traceloop.entity.name"
INPUT, OUTPUT = "traceloop.entity.input", "traceloop.entity.output"


def entity(span_id: str, at: float, kind: str | None, name: Any, **more: Any) -> Any:
    shape = {} if kind is None else {KIND: kind}
    return span(span_id, at, **{"name": f"{name}.tool", **shape, ENTITY: name, **more})


@pytest.mark.parametrize(
    ("given", "arguments"),
    [
        ({"args": [], "kwargs": {"id": "R-1"}}, {"id": "R-1"}),
        ({"args": [{"id": "R-1"}], "kwargs": {}}, {"id": "R-1"}),
        ({"args": ["R-1"], "kwargs": {"x": 2}}, {"args": ["R-1"], "kwargs": {"x": 2}}),
        ({"tool_name": "t", "arguments": {"id": "R-1"}}, {"id": "R-1"}),
        ({"input_str": "{'id': 'R-1'}", "tags": [], "metadata": {}, "inputs": None}, {"id": "R-1"}),
        ({"input_str": "{'id': R-1}", "tags": [], "metadata": {}}, "{'id': R-1}"),
        ({"input_str": "R-1"}, {"input_str": "R-1"}),
    ],
)
def test_arguments_come_out_of_their_wrappers(given: Any, arguments: Any) -> None:
    (record,) = TRACELOOP.read_span(entity("1", 0, "tool", "t", **{INPUT: json.dumps(given)})) or ()
    assert isinstance(record, ToolExecution)
    assert record.arguments == arguments


@pytest.mark.parametrize(
    ("given", "result", "is_error"),
    [
        ('"plain"', "plain", False),
        ('{"changed": false}', '{"changed": false}', False),
        ('{"result": "Done."}', "Done.", False),
        ('{"result": "no such file", "is_error": true}', "no such file", True),
        (None, None, False),
    ],
)
def test_results_come_out_of_their_wrappers(given: Any, result: Any, is_error: bool) -> None:
    (record,) = TRACELOOP.read_span(entity("1", 0, "tool", "t", **{OUTPUT: given})) or ()
    assert isinstance(record, ToolExecution)
    assert (record.result, record.is_error) == (result, is_error)


def test_a_function_called_by_position_is_the_call_that_the_model_asked_for() -> None:
    rows = derive_one(
        [
            chat(
                "1",
                0,
                ask_for(("c1", "move", {"from": "a", "to": "b"}), ("c2", "move", {"from": "x", "to": "y"})),
            ),
            entity(
                "2", 1, "tool", "move", **{INPUT: '{"args": ["x"], "kwargs": {"to": "y"}}', OUTPUT: '"two"'}
            ),
            entity("3", 2, "tool", "move", **{INPUT: '{"args": ["a", "b"], "kwargs": {}}', OUTPUT: '"one"'}),
        ]
    )
    assert [(call.call_id, call.result) for call in rows.tool_calls] == [("c1", "one"), ("c2", "two")]


def test_agents_and_workflows_name_the_rounds_within_them() -> None:
    rows = derive_one(
        [
            entity("w", 0, "workflow", "pipeline", lasts=9),
            entity("a", 1, "agent", "writer", parent="w", lasts=3),
            entity("t", 1, "task", "draft", parent="a", lasts=2),
            chat("1", 1, say("one"), parent="t"),
            chat("2", 6, say("two"), parent="w"),
        ]
    )
    assert [row.agent_name for row in rows.rounds] == ["writer", "pipeline"]


def test_a_span_that_lost_its_kind_is_known_by_its_name() -> None:
    (record,) = TRACELOOP.read_span(entity("1", 0, None, "search")) or ()
    assert isinstance(record, ToolExecution)
    assert record.tool == "search"


@pytest.mark.parametrize("kind", ["tool", "agent", "workflow", "task", "unknown", "", 7, None, ["tool"]])
@pytest.mark.parametrize(
    "value", [None, 7, "", "{", "[1", {"args": 1, "kwargs": {}}, [[]], {"result": {"a": None}}]
)
def test_values_of_any_type_are_read_as_far_as_they_go(kind: Any, value: Any) -> None:
    records = TRACELOOP.read_span(
        span("1", name="x.tool", **{KIND: kind, ENTITY: value, INPUT: value, OUTPUT: value})
    )
    assert records is None or all(isinstance(record, ToolExecution | AgentSpan) for record in records)


def test_other_spans_are_left_to_others() -> None:
    assert TRACELOOP.read_span(span("1", name="search.tool")) is None
    assert (
        TRACELOOP.read_span(entity("1", 0, "tool", "t", **{"gen_ai.operation.name": "execute_tool"})) is None
    )
