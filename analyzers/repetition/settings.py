"""The thresholds of `repetition_loop`."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from analyzers.model import SEVERITIES, Severity
from analyzers.registry import AnalyzerError

Levels = tuple[int, int, int]
"""Counts from which a repetition is `info`, `warning` and `critical`."""


@dataclass(frozen=True, slots=True)
class RepetitionLoopSettings:
    """Counts at which a repetition becomes a finding. Three stand for info, warning and critical."""

    exact_repeat: Levels = field(
        default=(3, 3, 8), metadata={"help": "the same call in a row with the same result, or the same error"}
    )
    near_similarity: float = field(
        default=0.5,
        metadata={
            "help": "share of equal arguments (0 to 1) from which calls that differ in noise are the same"
        },
    )
    error_loop: Levels = field(
        default=(3, 5, 8),
        metadata={"help": "the same call failing in a row with changing or transient errors"},
    )
    same_error: Levels = field(
        default=(4, 5, 8), metadata={"help": "one tool failing in a row, other arguments, the same error"}
    )
    guesses: Levels = field(
        default=(6, 10, 20),
        metadata={"help": "one tool failing in a row alike, for names guessed around one word"},
    )
    unknown_tool: Levels = field(
        default=(3, 5, 8), metadata={"help": "calls in a row of a tool that does not exist"}
    )
    poll_no_progress: Levels = field(
        default=(10, 20, 30), metadata={"help": "the same wait, poll or step in a row with the same result"}
    )
    cycle: Levels = field(
        default=(3, 5, 8),
        metadata={"help": "repetitions of some calls in the same order with the same results"},
    )
    max_period: int = field(default=6, metadata={"help": "the longest cycle, in calls"})
    interleaved_repeat: Levels = field(
        default=(5, 8, 12), metadata={"help": "the same call and result among others that change nothing"}
    )
    interleaved_window: int = field(
        default=20, metadata={"help": "calls within which `interleaved_repeat` counts"}
    )
    scattered_error: int = field(
        default=3, metadata={"help": "the same failing call among others that change nothing; always info"}
    )
    stagnation: Levels = field(
        default=(6, 10, 20), metadata={"help": "different searches in a row with the same result"}
    )
    plan_churn: int = field(
        default=5, metadata={"help": "plans in a row that change no item's status; always info"}
    )
    monologue: Levels = field(default=(3, 5, 8), metadata={"help": "the same text in a row without a call"})
    text_repetition: int = field(
        default=10, metadata={"help": "times that one passage stands in one text; always warning"}
    )
    poll_tools: tuple[str, ...] = field(
        default=(), metadata={"help": "further tools that wait, poll or step, by name"}
    )
    ignore_tools: tuple[str, ...] = field(
        default=(), metadata={"help": "tools whose calls are never judged, by name"}
    )

    def __post_init__(self) -> None:
        for setting in fields(self):
            value = getattr(self, setting.name)
            if setting.type == "Levels" and (len(value) != len(SEVERITIES) or sorted(value) != list(value)):
                raise AnalyzerError(
                    f"[analyzers.repetition_loop] {setting.name} must be three rising counts "
                    f"(info, warning, critical), not {list(value)!r}"
                )


def severity_of(count: int, levels: Levels) -> Severity | None:
    """The highest severity whose count is reached; None where not even the lowest is."""
    reached = [severity for severity, least in zip(SEVERITIES, levels, strict=True) if count >= least]
    return reached[-1] if reached else None
