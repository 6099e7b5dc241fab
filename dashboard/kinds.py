"""How findings, severities, verdicts and rescues are named and coloured, on every page alike.

Colours are of middle lightness: they must read on the light and on the dark background.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

BadgeColor = Literal["red", "orange", "blue", "green", "violet", "gray"]

_HERE = Path(__file__).parent
# A built package brings the pages along; a checkout has them among its documentation.
_PAGES = next(filter(Path.is_dir, [_HERE / "findings", _HERE.parent / "docs" / "findings"]), _HERE)


@dataclass(frozen=True, slots=True)
class Kind:
    """A finding kind as people read it."""

    name: str
    meaning: str
    color: str


KINDS = {
    "repetition_loop": Kind(
        "Repetition loop",
        "The model repeats the same call, cycle, error or text without progress.",
        "#e08a1e",
    ),
    "misnamed_tool": Kind(
        "Misnamed tool",
        "The call has the arguments of another tool than it names, or names a tool that was not offered.",
        "#8b6cef",
    ),
    "leaked_tool_call": Kind(
        "Leaked tool call",
        "A tool call stayed in the assistant's text: the model server did not parse it, and it never ran.",
        "#d6409f",
    ),
    "contradicted_claim": Kind(
        "Contradicted claim",
        "The assistant says that it did something; what its tools did says otherwise.",
        "#e5484d",
    ),
    "duplicate_side_effect": Kind(
        "Duplicate side effect",
        "The same mail, payment, booking or ticket twice, with success both times.",
        "#0e9888",
    ),
    "edit_as_replace": Kind(
        "Edit as replace",
        "A call meant to edit replaced the whole: what was there before is gone.",
        "#a9794e",
    ),
    "stalled_run": Kind(
        "Stalled run",
        "The run ended without a result: at a cap, on a repeated error, or in silence.",
        "#7087a3",
    ),
    "orphan_tool_call": Kind(
        "Orphan tool call", "A call without a result, or a result without a call.", "#12a594"
    ),
    "malformed_arguments": Kind(
        "Malformed arguments", "Arguments that are cut, are not JSON, or break the tool's schema.", "#3b82f6"
    ),
    "unverified_completion": Kind(
        "Unverified completion", "Completion is claimed after changes that nothing verified.", "#6f9f1c"
    ),
}

SEVERITIES: dict[str, tuple[str, BadgeColor]] = {
    "critical": ("Critical", "red"),
    "warning": ("Warning", "orange"),
    "info": ("Info", "blue"),
}

VERDICTS = {"true": "True finding", "false": "False alarm", "ignored": "Ignore"}

CLAIM_VERDICTS: dict[str, str] = {
    "contradicted": "#e5484d",
    "unsupported": "#e08a1e",
    "unknown": "#7087a3",
    "supported": "#2e9e6b",
    "no_claim": "#9aa0a6",
}

FAMILIES = {
    "bootstrap": "Bootstrap",
    "name_recovery": "Name recovery",
    "verification": "Verification",
    "loop_break": "Loop break",
    "other": "Other",
}

NET_COLORS = ("#2a97a3", "#5a6fd6", "#7bb662", "#0e6f9e", "#9a7fd1", "#4d8f5b", "#7087a3", "#63c3cc")
"""Colours of the safety nets, by name: other ones than those of the findings."""


def kind_of(kind: str) -> Kind:
    """The kind; one that is not known here (an outsider's analyzer) keeps its own name."""
    return KINDS.get(kind) or Kind(kind.replace("_", " ").capitalize(), "", "#8a8f98")


def worded(word: str | None) -> str:
    """An identifier in words: `wrong_target` becomes "wrong target"."""
    return (word or "").replace("_", " ")


def page(kind: str) -> str | None:
    """The documentation page of a kind (Markdown), None where this installation has none."""
    path = _PAGES / f"{kind}.md"
    return path.read_text("utf-8") if kind in KINDS and path.is_file() else None
