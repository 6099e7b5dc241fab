"""`orphan_tool_call` on readable cases."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from analyzers import Round, Session, ToolCall
from analyzers.orphan_tool_call import OrphanToolCallSettings, orphan_tool_calls
from tests.analyzers.casefile import check_case, load_cases, parse_session

CASES = load_cases(Path(__file__).parent / "cases" / "orphan_tool_call.yml")
PAGE = Path(__file__).parents[2] / "docs" / "findings" / "orphan_tool_call.md"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    check_case(orphan_tool_calls, case)


def test_settings():
    unanswered = {"tool": "read", "args": {"p": "b"}, "source": "message"}
    session = parse_session("case", {"rounds": [{"calls": ["read p=a -> x", unanswered]}, {"say": "Done."}]})
    assert orphan_tool_calls.run(session)
    assert orphan_tool_calls.run(session, orphan_tool_calls.configure({"ignore_tools": ["read"]})) == []


def test_the_page_names_every_subkind_rule_and_setting():
    page = PAGE.read_text("utf-8")
    assert all(f"`{case.expect['subkind']}`" in page for case in CASES if case.hit)
    assert all(f"`{case.expect['rule']}`" in page for case in CASES if "rule" in case.expect)
    assert [f.name for f in fields(OrphanToolCallSettings) if f"`{f.name}`" not in page] == []


@pytest.mark.parametrize(
    "rounds",
    [
        (),
        (
            Round(0, calls=(ToolCall(""), ToolCall("", [1], source="message"))),
            Round(1, calls=(ToolCall("x", 7),)),
        ),
        tuple(
            Round(n, calls=(ToolCall("f", {"n": n}, result="ok" if n % 9 else None, source="message"),))
            for n in range(50_000)
        ),
        (
            Round(0, calls=tuple(ToolCall("f", {"n": n}, result="ok") for n in range(10_000))),
            Round(1, text="x"),
        ),
        (Round(0, error="number of toolResult blocks at " * 10**5),),
    ],
    ids=["empty", "odd calls", "many rounds", "many calls", "long error"],
)
def test_odd_sessions_are_read_to_the_end(rounds):
    for finding in orphan_tool_calls.run(Session("odd", rounds=rounds)):
        json.dumps(finding.evidence)
