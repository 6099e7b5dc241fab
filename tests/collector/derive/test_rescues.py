"""Rescues: every way of reporting one, and each rescue once."""

from __future__ import annotations

from typing import Any

import pytest

from collector.derive.rescues import RESCUE_PATTERNS, RescuePattern, families
from collector.derive.rows import SessionRows
from collector.derive.sessions import derive_session
from collector.derive.stitch import SessionKey
from collector.derive.units import read_unit
from tests.collector.derive.pipeline import TRACE, ask_for, chat, derive_one, event, log, say, tool

NAMED = {"agent.rescue.name": "tool_name_recovered", "agent.rescue.original": "serch"}


def brief(rows: SessionRows) -> list[tuple[int | None, str, str, str, str]]:
    return [(row.round, row.name, row.family, row.original, row.recovered) for row in rows.rescues]


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("phase_auto_bootstrapped", "bootstrap"),
        ("agent.phase_auto_bootstrapped", "bootstrap"),
        ("tool_name_recovered", "name_recovery"),
        ("verification_derived", "verification"),
        ("plan_derived", "verification"),
        ("loop_broken", "loop_break"),
        ("gen_ai.choice", None),
        ("derived", None),
        ("tool_name_recovered_late", None),
        ("x" * 200 + "_derived", None),
    ],
)
def test_families(name: str, family: str | None) -> None:
    assert families(RESCUE_PATTERNS)[name] == family


@pytest.mark.parametrize(
    ("event_attributes", "wanted"),
    [
        ({"name": "agent.rescue", **NAMED}, (0, "tool_name_recovered", "name_recovery", "serch", "")),
        (
            {"name": "agent.rescue", "agent.rescue.name": "fixed_it", "agent.rescue.recovered": "x"},
            (0, "fixed_it", "other", "", "x"),
        ),
        (
            {"name": "agent.rescue", "agent.rescue.name": "fixed_it", "agent.rescue.family": "loop_break"},
            (0, "fixed_it", "loop_break", "", ""),
        ),
        ({"name": "agent.rescue"}, (0, "unnamed", "other", "", "")),
        (
            {"name": "loop_broken", "original": "a", "recovered": "b"},
            (0, "loop_broken", "loop_break", "a", "b"),
        ),
    ],
)
def test_span_events_and_log_records_say_the_same(
    event_attributes: dict[str, Any], wanted: tuple[Any, ...]
) -> None:
    attributes = dict(event_attributes)
    name = attributes.pop("name")
    by_event = derive_one([chat("a", 0, say("x"), events=[event(name, 0.2, **attributes)])])
    by_log = derive_one([chat("a", 0, say("x"))], [log(0.2, name=name, **attributes)])
    by_attribute = derive_one([chat("a", 0, say("x"))], [log(0.2, **attributes, **{"event.name": name})])
    assert brief(by_event) == brief(by_log) == brief(by_attribute) == [wanted]


def test_a_log_whose_text_starts_with_the_name() -> None:
    rows = derive_one(
        [chat("a", 0, say("x"))], [log(1, body="verification_derived: tests ran in the sandbox")]
    )
    assert brief(rows) == [(0, "verification_derived", "verification", "", "")]
    assert rows.rescues[0].note == "verification_derived: tests ran in the sandbox"


def test_a_log_that_talks_about_a_rescue_is_none() -> None:
    rows = derive_one([chat("a", 0, say("x"))], [log(1, body="see tool_name_recovered in the docs")])
    assert rows.rescues == []


def test_a_structured_log_body() -> None:
    body = {"event": "tool_name_recovered", "original": "serch", "recovered": "search"}
    rows = derive_one([chat("a", 0, say("x"))], [log(1, body=body)])
    assert brief(rows) == [(0, "tool_name_recovered", "name_recovery", "serch", "search")]


@pytest.mark.parametrize(
    "attributes",
    [
        NAMED,
        {"tool_name_recovered": True, "original": "serch"},
        {"x.tool_name_recovered": "true", "original": "serch"},
    ],
)
def test_attributes_of_a_tool_span(attributes: dict[str, Any]) -> None:
    rows = derive_one([chat("a", 0, say("x")), tool("t", 1, "search", **attributes)])
    assert brief(rows) == [(0, "tool_name_recovered", "name_recovery", "serch", "")]


def test_a_flag_that_is_false_is_no_rescue() -> None:
    assert derive_one([tool("t", 1, "search", tool_name_recovered=False)]).rescues == []


def test_three_signals_of_one_rescue_count_once() -> None:
    rows = derive_one(
        [
            chat("a", 0, ask_for(("c", "serch", {"q": 1}))),
            tool("t", 1, "search", "c", events=[event("tool_name_recovered", 1.1)], **NAMED),
        ],
        [log(1.2, span_id="t", name="tool_name_recovered", recovered="search")],
    )
    assert brief(rows) == [(0, "tool_name_recovered", "name_recovery", "serch", "search")]


def test_the_same_rescue_again_counts_again() -> None:
    events = [event("loop_broken", 0.1), event("loop_broken", 0.2)]
    rows = derive_one(
        [chat("a", 0, say("x"), events=events), chat("b", 1, say("y"), events=[event("loop_broken", 1.1)])]
    )
    assert [row.round for row in rows.rescues] == [0, 0, 1]
    assert rows.sessions[0].rescues == 3


def test_signals_that_contradict_each_other_are_two_rescues() -> None:
    rows = derive_one(
        [chat("a", 0, say("x"), events=[event("tool_name_recovered", 0.1, original="one")])],
        [log(0.1, name="tool_name_recovered", original="two")],
    )
    assert len(rows.rescues) == 2


def test_rescues_alone_make_a_session() -> None:
    rows = derive_one([], [log(0, name="phase_auto_bootstrapped", **{"session.id": "s"})])
    assert (rows.sessions[0].session_id, rows.sessions[0].rescues) == ("s", 1)
    assert rows.rescues[0].round is None


def test_more_patterns() -> None:
    patterns = (RescuePattern("*_created_late", "bootstrap"), *RESCUE_PATTERNS)
    spans = [chat("a", 0, say("x"), events=[event("phase_created_late")])]
    unit = read_unit(TRACE, spans, patterns=patterns)
    rows = derive_session(SessionKey("svc", TRACE, "trace"), [unit])
    assert [row.family for row in rows.rescues] == ["bootstrap"]
    assert derive_one(spans).rescues == []
