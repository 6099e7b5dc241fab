"""`repetition_loop` on readable cases and on the situations that other loop detectors met."""

import json
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tightrope_sdk.fingerprint import fingerprint

from analyzers import AnalyzerError, Round, Session, ToolCall
from analyzers.repetition.settings import RepetitionLoopSettings
from analyzers.repetition_loop import repetition_loops
from tests.analyzers.casefile import load_cases, parse_session
from tests.labelled import loop_session

CASES = Path(__file__).parent / "cases"
COLLECTED = [json.loads(line) for line in (CASES / "loops.jsonl").read_text("utf-8").splitlines()]

SEVERITIES = {"low": "info", "medium": "warning", "high": "critical"}


@pytest.mark.parametrize("case", COLLECTED, ids=lambda case: case["id"])
def test_collected(case):
    findings = repetition_loops.run(loop_session(case))
    if not case["expect_loop"]:
        assert findings == []
        return
    assert [finding.subkind for finding in findings] == [case["expect_kind"]]
    expected = SEVERITIES[case["expect_severity"]]
    if expected == "info" and case["expect_kind"] in ("exact_repeat", "error_loop"):
        expected = "warning"  # three equal calls in a row with equal results are one already
    assert findings[0].severity == expected


@pytest.mark.parametrize("case", load_cases(CASES / "repetition_loop.yml"), ids=lambda case: case.name)
def test_case(case):
    findings = repetition_loops.run(case.session)
    if not case.hit:
        assert findings == []
        return
    [finding] = findings
    seen = {**asdict(finding), **finding.evidence}
    assert {key: seen[key] for key in case.expect} == case.expect


def test_evidence_is_json_and_leads_to_the_calls():
    session = parse_session(
        "case", {"rounds": [{"calls": ["ls -> a", "test -> failed"]}, "2x test -> failed"]}
    )
    [finding] = repetition_loops.run(session)
    evidence = json.loads(json.dumps(finding.evidence))
    assert [(call["round"], call["position"]) for call in evidence["calls"]] == [(0, 1), (1, 0), (2, 0)]
    assert evidence["fingerprint"] == fingerprint("test", {})
    assert (finding.round, finding.last_round) == (0, 2)


def test_wasted_seconds_are_those_of_the_rounds_that_held_nothing_else():
    def at(second):
        return datetime(2024, 5, 2, 11, 4, second, tzinfo=UTC)

    def call(turn, **times):
        return ToolCall("test", {}, result="1 failed", round=turn, **times)

    other = ToolCall("read", {"p": 1}, result="x", round=2, position=1)
    rounds = (
        Round(0, calls=(call(0),), started_at=at(0), ended_at=at(5)),
        Round(1, calls=(call(1, started_at=at(8), ended_at=at(17)),), started_at=at(5), ended_at=at(8)),
        Round(
            2, calls=(call(2, started_at=at(20), ended_at=at(24)), other), started_at=at(17), ended_at=at(20)
        ),
    )
    [finding] = repetition_loops.run(Session("case", rounds=rounds))
    assert finding.evidence["wasted_seconds"] == 12 + 4
    [finding] = repetition_loops.run(parse_session("case", {"rounds": ["3x test -> 1 failed"]}))
    assert finding.evidence["wasted_seconds"] is None


def test_similarity_is_measured_and_has_a_threshold():
    session = parse_session(
        "case",
        {"rounds": [f"find q=tea request_id=a{n} trace_id=b{n} nonce=c{n} -> nothing" for n in range(3)]},
    )
    [finding] = repetition_loops.run(session)
    assert (finding.evidence["similarity"], finding.confidence) == (0.62, 0.9)
    assert repetition_loops.run(session, repetition_loops.configure({"near_similarity": 0.7})) == []


def test_each_agent_has_its_own_loops():
    session = parse_session(
        "case",
        {"rounds": [{"agent": name, "calls": ["test -> failed"]} for name in ("a", "b", "a", "b", "a", "b")]},
    )
    findings = repetition_loops.run(session)
    assert [(finding.agent_name, finding.round, finding.last_round) for finding in findings] == [
        ("a", 0, 2),
        ("b", 0, 2),
    ]


def test_a_stored_fingerprint_is_the_identity_of_a_call():
    calls = [ToolCall("f", {"a": n}, result="ok", fingerprint="same", round=n) for n in range(3)]
    session = Session("case", rounds=tuple(Round(n, calls=(call,)) for n, call in enumerate(calls)))
    assert [finding.subkind for finding in repetition_loops.run(session)] == ["exact_repeat"]


def test_settings():
    session = parse_session("case", {"rounds": ["4x f -> ok"]})
    for values in ({"exact_repeat": [5, 5, 8]}, {"ignore_tools": ["f"]}, {"poll_tools": ["f"]}):
        assert repetition_loops.run(session, repetition_loops.configure(values)) == []
    with pytest.raises(AnalyzerError, match="exact_repeat must be three rising counts"):
        repetition_loops.configure({"exact_repeat": [3, 2]})


def test_every_setting_is_on_the_page_with_its_default():
    page = (Path(__file__).parents[2] / "docs" / "findings" / "repetition_loop.md").read_text("utf-8")
    defaults = {f.name: f.default for f in fields(RepetitionLoopSettings)}
    rows = {
        name: f"| `{name}` | `{list(default) if isinstance(default, tuple) else default}` |"
        for name, default in defaults.items()
    }
    assert [name for name, row in rows.items() if row not in page] == []


@pytest.mark.parametrize(
    "rounds",
    [
        (),
        (Round(0, calls=(ToolCall(""), ToolCall("", [1]), ToolCall("x", 7, result="\x00" * 10**6))),),
        tuple(Round(n, calls=(ToolCall("f", {"n": n % 7}, result="x" * (n % 5)),)) for n in range(20_000)),
        (Round(0, text="a" * 10**6, reasoning="\n" * 10**6),),
        (Round(0, text="`" * 10**6, reasoning="    " * 250_000),),
    ],
    ids=["empty", "odd calls", "many calls", "one letter", "no words"],
)
def test_odd_sessions_are_read_to_the_end(rounds):
    for finding in repetition_loops.run(Session("odd", rounds=rounds)):
        json.dumps(finding.evidence)
