"""The case files of analyzers, each the cases of `analyzers.testing` as YAML."""

from __future__ import annotations

from pathlib import Path

from analyzers.testing import Case, parse_call, parse_cases, parse_session

__all__ = ["Case", "load_cases", "parse_call", "parse_session"]


def load_cases(path: Path) -> list[Case]:
    """All cases of one file, hits first."""
    return parse_cases(path.read_text("utf-8"))
