"""The case files of analyzers, each the cases of `analyzers.testing` as YAML."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from analyzers import Analyzer
from analyzers.testing import Case, parse_call, parse_cases, parse_session

__all__ = ["Case", "check_case", "load_cases", "parse_call", "parse_session"]


def load_cases(path: Path) -> list[Case]:
    """All cases of one file, hits first."""
    return parse_cases(path.read_text("utf-8"))


def check_case(analyzer: Analyzer, case: Case) -> None:
    """Nothing is found in a miss; in a hit one finding, with what is expected, and evidence that is JSON."""
    findings = analyzer.run(case.session)
    if not case.hit:
        assert [finding.detail for finding in findings] == []
        return
    [finding] = findings
    seen = {**asdict(finding), **finding.evidence}
    assert {key: seen[key] for key in case.expect} == case.expect
    assert json.loads(json.dumps(finding.evidence)) == finding.evidence
