"""CrewAI's own telemetry beside OpenInference's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from collector.dialects.crewai import CREWAI
from collector.records import SpanRecord
from tests.collector.derive.pipeline import ask_for, chat, derive_one, span, tool


def own(span_id: str, at: float, name: str, **attributes: Any) -> SpanRecord:
    return replace(span(span_id, at, name=name, lasts=0, **attributes), scope_name="crewai.telemetry")


def test_a_refused_repetition_is_a_rescue_and_no_call() -> None:
    rows = derive_one(
        [
            chat("1", 0, ask_for(("c1", "search", {"q": "tea"}))),
            tool("2", 1, "search", "c1"),
            own("3", 1.1, "Tool Usage", tool_name="search", attempts=1),
            chat("4", 2, ask_for(("c2", "search", {"q": "tea"}))),
            tool("5", 3, "search", "c2"),
            own("6", 3.1, "Tool Repeated Usage", parent="5", tool_name="search", attempts=2, llm="m"),
        ]
    )
    assert [call.call_id for call in rows.tool_calls] == ["c1", "c2"]
    (rescue,) = rows.rescues
    assert (rescue.name, rescue.family, rescue.original) == ("tool_repeated_usage", "loop_break", "search")
    assert (rescue.round, rescue.note, rescue.model) == (1, "attempt 2", "m")


@pytest.mark.parametrize("value", [None, 7, "", [], {"a": 1}])
def test_values_of_any_type_are_read_as_far_as_they_go(value: Any) -> None:
    read = CREWAI.read_span(own("1", 0, "Tool Repeated Usage", tool_name=value, attempts=value, llm=value))
    assert len(read or ()) == 1


def test_spans_of_other_scopes_are_left_to_others() -> None:
    assert CREWAI.read_span(span("1", name="Tool Repeated Usage")) is None
