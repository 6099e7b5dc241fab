"""`stalled_run` on readable cases."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from analyzers import Round, Session, ToolCall
from analyzers.stalled_run import StalledRunSettings, stalled_runs
from tests.analyzers.casefile import check_case, load_cases, parse_session

CASES = load_cases(Path(__file__).parent / "cases" / "stalled_run.yml")
PAGE = Path(__file__).parents[2] / "docs" / "findings" / "stalled_run.md"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    check_case(stalled_runs, case)


def test_settings():
    loop = parse_session("case", {"rounds": [{"user": "Go.", "calls": ["f -> no"]}, "5x f -> no"]})
    promise = parse_session("case", {"rounds": ["f -> ok", {"say": "Let me run the tests:"}]})
    assert stalled_runs.run(loop)
    assert stalled_runs.run(promise)
    assert stalled_runs.run(loop, stalled_runs.configure({"repeats": 7})) == []
    assert stalled_runs.run(promise, stalled_runs.configure({"announcements": False})) == []


def test_the_page_names_every_subkind_and_setting():
    page = PAGE.read_text("utf-8")
    assert all(f"`{case.expect['subkind']}`" in page for case in CASES if case.hit)
    assert [f.name for f in fields(StalledRunSettings) if f"`{f.name}` | `{f.default}`" not in page] == []


NESTED = '{"log": ' * 50_000


@pytest.mark.parametrize(
    "rounds",
    [
        (),
        (Round(0, calls=(ToolCall(""), ToolCall("", [1]), ToolCall("x", 7, result="\x00" * 10**6))),),
        tuple(
            Round(n, calls=(ToolCall("f", {"n": n}, error="no", is_error=True),), model="m")
            for n in range(20_000)
        ),
        (
            Round(0, calls=(ToolCall("x", result='{"a": "' + "{" * 10**7),)),
            Round(1, error="max turns reached"),
        ),
        (Round(0, calls=(ToolCall("x", result=NESTED),)), Round(1, error="max turns reached")),
        (Round(0, calls=(ToolCall("x", result=""),)), Round(1, text="let me run " * 400_000 + ":")),
        (Round(0, calls=(ToolCall("x", result=""),)), Round(1, error="max turn " * 400_000)),
    ],
    ids=["empty", "odd calls", "many calls", "long result", "deep result", "long text", "long error"],
)
def test_odd_sessions_are_read_to_the_end(rounds):
    for finding in stalled_runs.run(Session("odd", rounds=rounds)):
        json.dumps(finding.evidence)
