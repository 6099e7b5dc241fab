"""`duplicate_side_effect` on readable cases."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from analyzers import Round, Session, ToolCall
from analyzers.duplicate_side_effect import DuplicateSideEffectSettings, duplicate_side_effects
from tests.analyzers.casefile import check_case, load_cases, parse_session

CASES = load_cases(Path(__file__).parent / "cases" / "duplicate_side_effect.yml")
PAGE = Path(__file__).parents[2] / "docs" / "findings" / "duplicate_side_effect.md"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    check_case(duplicate_side_effects, case)


def test_settings():
    session = parse_session("case", {"rounds": ["2x pay_invoice invoice=I-1 -> paid"]})
    assert duplicate_side_effects.run(session)
    settings = duplicate_side_effects.configure({"ignore_tools": ["pay_invoice"]})
    assert duplicate_side_effects.run(session, settings) == []


def test_the_page_names_every_subkind_and_setting():
    page = PAGE.read_text("utf-8")
    assert all(f"`{case.expect['subkind']}`" in page for case in CASES if case.hit)
    assert [f.name for f in fields(DuplicateSideEffectSettings) if f"`{f.name}`" not in page] == []


@pytest.mark.parametrize(
    "rounds",
    [
        (),
        (Round(0, calls=(ToolCall(""), ToolCall("pay", [1], result="ok"), ToolCall("pay", 7, result="ok"))),),
        tuple(
            Round(n, calls=(ToolCall("send_email", {"to": n % 7}, result="x" * 3_000),))
            for n in range(20_000)
        ),
        tuple(
            Round(n, calls=(ToolCall("pay_bill", {"a": "1" * 10**6}, result="7" * 10**6),)) for n in range(3)
        ),
    ],
    ids=["empty", "odd calls", "many calls", "long values"],
)
def test_odd_sessions_are_read_to_the_end(rounds):
    for finding in duplicate_side_effects.run(Session("odd", rounds=rounds)):
        json.dumps(finding.evidence)
