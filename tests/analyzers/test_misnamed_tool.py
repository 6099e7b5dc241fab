"""`misnamed_tool` on readable cases."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from analyzers import Session
from analyzers.misnamed_tool import MisnamedToolSettings, misnamed_tools
from tests.analyzers.casefile import load_cases, parse_session

CASES = load_cases(Path(__file__).parent / "cases" / "misnamed_tool.yml")
PAGE = Path(__file__).parents[2] / "docs" / "findings" / "misnamed_tool.md"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    findings = misnamed_tools.run(case.session)
    if not case.hit:
        assert findings == []
        return
    [finding] = findings
    seen = {**finding.evidence, "subkind": finding.subkind, "severity": finding.severity}
    assert {key: seen[key] for key in case.expect} == case.expect


def test_agents_are_judged_apart_and_evidence_is_json():
    session = parse_session(
        "case",
        {
            "rounds": [
                {"agent": "a", "calls": ["shell_exec path=x content=y !! no"]},
                {"agent": "b", "calls": ["2x shell_exec path=x content=y !! no"]},
            ]
        },
    )
    findings = misnamed_tools.run(session)
    assert [(finding.agent_name, finding.evidence["count"]) for finding in findings] == [("a", 1), ("b", 2)]
    assert [call["position"] for call in json.loads(json.dumps(findings[1].evidence))["calls"]] == [0, 1]


def test_settings():
    session = parse_session("case", {"rounds": ["shell_exec path=x content=y"]})
    assert misnamed_tools.run(session, misnamed_tools.configure({"min_confidence": 0.99})) == []
    assert misnamed_tools.run(session, misnamed_tools.configure({"ignore_tools": ["shell_exec"]})) == []


@pytest.mark.parametrize(
    "call", ["", {"tool": "", "args": [1]}, {"tool": "shell_exec", "args": 7}, {"tool": "x" * 10**6}]
)
def test_odd_calls_are_no_misnaming(call):
    session = parse_session(
        "case", {"rounds": [{"calls": [call]}], "tools": {"bash": "command", "free": None}}
    )
    assert misnamed_tools.run(session) == []


def test_an_empty_session_has_no_finding():
    assert misnamed_tools.run(Session("empty")) == []


def test_every_setting_is_on_the_page():
    page = PAGE.read_text("utf-8")
    assert [f.name for f in fields(MisnamedToolSettings) if f"`{f.name}`" not in page] == []
