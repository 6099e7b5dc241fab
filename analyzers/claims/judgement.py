"""A verdict on one claim, and what a session holds for and against its claims."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from analyzers.claims.calls import Fact
from analyzers.claims.model import Reason, Subkind, Verdict


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, why, and the call and the field of it that decide."""

    verdict: Verdict
    reason: Reason
    subkind: Subkind = ""
    fact: Fact | None = None
    field: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """What a session holds against or for its claims."""

    facts: tuple[Fact, ...]
    captured: bool
    user_text: str
    texts: tuple[str, ...]
    sequences: tuple[int, ...]

    def before(self, sequence: int) -> tuple[Fact, ...]:
        """The calls of the rounds before that place."""
        return self.facts[: bisect_left(self.sequences, sequence)]


def excuse(before: tuple[Fact, ...], after: Fact | None = None) -> Judgement | None:
    """An opaque call that may have done it after the call that did not."""
    for fact in before:
        if after is not None and fact.order <= after.order:
            continue
        if fact.kinds & {"opaque", "delegate"} and fact.outcome != "failed":
            return Judgement("unknown", "delegated" if "delegate" in fact.kinds else "opaque_call", fact=fact)
    return None


def told_of(fact: Fact, sentence: str) -> bool:
    """Whether the sentence names the state that the call's result shows."""
    return (
        fact.shown is not None and fact.field == fact.shown[0] and fact.shown[1].lower() in sentence.lower()
    )
