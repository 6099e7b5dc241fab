"""Findings over derived sessions, and the rows as tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import polars as pl
import pytest

from analyzers import ANALYZERS, Analyzer, AnalyzerError, Finding, Session
from collector.derive.analysis import analyze, to_session
from collector.derive.rows import SCHEMAS, SessionRows, frames
from collector.records import SpanRecord
from tests.collector.derive.pipeline import START, ask_for, chat, derive_one, given_back, say, tool, user

COLUMNS = {
    "sessions": "session_id session_source started_at ended_at service_name agent_name model dialect "
    "rounds tool_calls distinct_calls tool_errors rescues findings max_severity flagged "
    "kinds outcome input_tokens output_tokens last_tool final_text not_captured capture_switch",
    "rounds": "service_name session_id round emitter_step agent_name trace_id span_id started_at "
    "ended_at model provider server_address finish_reason text reasoning tool_calls "
    "input_tokens output_tokens user_text error",
    "tool_calls": "service_name session_id round position agent_name trace_id span_id call_id started_at "
    "ended_at tool requested_tool arguments fingerprint result is_error error changed "
    "hash_before hash_after fields_modified source",
    "tools": "service_name session_id tool description input_schema",
    "rescues": "session_id round at name family original recovered note agent_name model service_name "
    "trace_id span_id",
    "findings": "finding_id session_id kind subkind severity confidence round last_round agent_name "
    "model service_name trace_id span_id title detail evidence advice wasted_calls "
    "wasted_tokens detected_at verdict",
}


def loop(turns: int) -> list[SpanRecord]:
    """A model that does the same thing again and again."""
    spans: list[SpanRecord] = []
    history = [user("update it")]
    for turn in range(turns):
        asked = ask_for((f"c{turn}", "update", {"id": 1}))
        spans.append(chat(f"m{turn}", 2 * turn, asked, list(history)))
        spans.append(tool(f"t{turn}", 2 * turn + 1, "update", f"c{turn}"))
        history += [asked, given_back(f"c{turn}", '{"changed": false}')]
    return spans


def test_findings_mark_the_session() -> None:
    rows = analyze(derive_one(loop(4)), ANALYZERS)
    (head,) = rows.sessions
    assert (head.findings, head.kinds, head.flagged) == (len(rows.findings), ["repetition_loop"], True)
    assert head.max_severity in {"warning", "critical"}
    finding = rows.findings[0]
    assert (finding.session_id, finding.service_name, finding.round) == (head.session_id, "svc", 0)


def test_a_clean_session_is_not_flagged() -> None:
    (head,) = analyze(derive_one([chat("a", 0, say("Hello."), [user("hi")])]), ANALYZERS).sessions
    assert (head.findings, head.kinds, head.flagged, head.max_severity) == (0, [], False, "")


def test_a_finding_keeps_its_id_when_later_rounds_arrive() -> None:
    before = analyze(derive_one(loop(4)), ANALYZERS).findings
    after = analyze(derive_one(loop(9)), ANALYZERS).findings
    assert [row.finding_id for row in before] == [row.finding_id for row in after]
    assert before[0].last_round != after[0].last_round


def test_findings_of_one_session_have_ids_of_their_own() -> None:
    spans = loop(4)
    asked = ask_for(
        ("w1", "shell_exec", {"path": "a", "content": "x"}),
        ("w2", "shell_exec", {"path": "b", "content": "y"}),
    )
    rows = analyze(derive_one([*spans, chat("w", 20, asked)]), ANALYZERS)
    ids = [row.finding_id for row in rows.findings]
    assert len(ids) == len(set(ids))


def test_settings_reach_their_analyzer() -> None:
    rows = derive_one(loop(4))
    (repetition,) = (analyzer for analyzer in ANALYZERS if analyzer.kind == "repetition_loop")
    deaf = repetition.choose({"ignore_tools": ["update"]})
    assert analyze(rows, ANALYZERS, {"repetition_loop": deaf}).findings == []


def test_an_analyzer_can_be_switched_off_or_kept_from_flagging() -> None:
    rows = derive_one(loop(4))
    (repetition,) = (analyzer for analyzer in ANALYZERS if analyzer.kind == "repetition_loop")
    off = analyze(rows, ANALYZERS, {"repetition_loop": repetition.choose({"enabled": False})})
    assert (off.findings, off.sessions[0].flagged) == ([], False)
    quiet = analyze(rows, ANALYZERS, {"repetition_loop": repetition.choose({"max_severity": "info"})})
    assert [row.severity for row in quiet.findings] == ["info"]
    assert (quiet.sessions[0].flagged, quiet.sessions[0].kinds) == (False, ["repetition_loop"])


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"enabled": "no"}, "enabled must be true or false"),
        ({"max_severity": "grave"}, "one of info, warning, critical"),
        ({"max_period": "4"}, "must be of type int"),
        ({"nothing": 1}, "no setting 'nothing'; it has: .*enabled"),
    ],
)
def test_a_wrong_choice_is_refused(values: dict[str, Any], told: str) -> None:
    (repetition,) = (analyzer for analyzer in ANALYZERS if analyzer.kind == "repetition_loop")
    with pytest.raises(AnalyzerError, match=told):
        repetition.choose(values)


def test_one_analyzer_at_fault_leaves_the_findings_of_the_others() -> None:
    def broken(_session: Session, _settings: object) -> Iterator[Finding]:
        raise ZeroDivisionError("no rounds")

    at_fault = Analyzer("broken", broken, None, "")
    failures: list[str] = []
    rows = analyze(derive_one(loop(4)), [at_fault, *ANALYZERS], None, failures)
    assert [row.kind for row in rows.findings] == ["repetition_loop"]
    assert len(failures) == 1
    assert failures[0].startswith("broken: Traceback")
    with pytest.raises(ZeroDivisionError):
        analyze(derive_one(loop(4)), [at_fault])


def test_rows_as_analyzers_read_them() -> None:
    rows = derive_one(loop(2))
    session = to_session(rows)
    assert [call.arguments for call in session.calls()] == [{"id": 1}, {"id": 1}]
    assert [turn.user_text for turn in session.rounds] == ["update it", ""]
    first = session.rounds[0]
    assert first.started_at == datetime.fromtimestamp(START // 10**9, UTC)
    assert (first.calls[0].named, first.calls[0].changed) == ("update", False)


def test_rows_without_a_session() -> None:
    assert analyze(SessionRows(), ANALYZERS) == SessionRows()
    with pytest.raises(ValueError, match="no session"):
        to_session(SessionRows())


def test_times_out_of_range_are_unknown() -> None:
    rows = derive_one(loop(2))
    far = replace(rows, rounds=[replace(row, started_at=2**62) for row in rows.rounds])
    assert {turn.started_at for turn in to_session(far).rounds} == {None}


def test_the_tables_have_the_documented_columns() -> None:
    assert {table: " ".join(schema) for table, schema in SCHEMAS.items()} == COLUMNS


def test_frames_of_many_sessions_and_of_none() -> None:
    rows = analyze(derive_one(loop(4)), ANALYZERS)
    for table, frame in frames([rows, rows]).items():
        assert dict(frame.schema) == SCHEMAS[table]
        assert frame.height == 2 * len(getattr(rows, table))
    assert {table: frame.height for table, frame in frames([]).items()} == dict.fromkeys(SCHEMAS, 0)
    calls = frames(rows)["tool_calls"]
    assert calls["started_at"].dtype == pl.Datetime("us")
    assert calls["changed"].to_list() == [False, False, False, None]
