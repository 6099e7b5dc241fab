"""Contradicted claim: the assistant says that it did something, and what its tools did disagrees.

## What it finds
Claims in the assistant's texts ("I updated the description of R-8881", "I calculated this in Python",
"all tests pass") that the calls of the session contradict. Subkinds:

- `unchanged`: every call that was to make the claimed change left things as they were (`changed: false`,
  equal hashes, 0 rows, "no changes made", a dry run, a result that shows another value than the one set);
- `failed`: every such call failed, the latest test or build run failed, or one of "all three" did;
- `never_ran`: no call of the session could have done it, or used the program or source that is named;
- `wrong_target`: calls of that kind touched other ids, paths, addresses, branches, fields, hosts, tables,
  environments, dates or amounts only;
- `value_before_execution`: a value is stated before the call (or the `{{PYTHON: …}}` marker) that was to
  compute or find it, and no result has it.

Where all that acted in a session failed or changed nothing and the answer admits nothing, any sentence of it
that says that something was done is contradicted, whatever its verb.

Read in English, Spanish, Portuguese, French, German, Korean, Japanese and Chinese.

## Why it matters
A person acts upon the answer. A change that was reported and not made, or a test run that never took
place, is found later, by somebody else, at a higher price.

## Quiet on
Negations, attempts, hedges, conditions, plans, questions, quotations, code blocks, advice to the user,
acts of others, work within the text itself; failures that the text admits elsewhere; a failed call that
was tried again and succeeded; calls whose result was not captured; scripts, sub-agents and unknown tools
that may have done it; tests that passed before a later edit (unsupported, not contradicted).

## Fix
Let the agent read the diff summary of each change before it reports, and report from it. Give the model
the tool it claims to have used, or tell it in the prompt to say what it did not do.

## Settings
See the fields of `ContradictedClaimSettings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import get_args

from analyzers.claims import LedgerEntry, Subkind, ledger
from analyzers.claims.extraction import MAX_TEXT_CHARS
from analyzers.model import SEVERITIES, Finding, Session, Severity
from analyzers.registry import AnalyzerError, analyzer


@dataclass(frozen=True, slots=True)
class ContradictedClaimSettings:
    """The settings of the analyzer, with their defaults."""

    subkinds: tuple[str, ...] = field(
        default=tuple(kind for kind in get_args(Subkind) if kind),
        metadata={"help": "Subkinds that are reported."},
    )
    progress_texts: bool = field(
        default=True,
        metadata={"help": "Judge the texts between calls too, not only answers to the person."},
    )
    answer_severity: str = field(
        default="critical",
        metadata={"help": "Severity in an answer (a text with no call after it): a person acts upon it."},
    )
    progress_severity: str = field(
        default="warning",
        metadata={"help": "Severity in a text between calls: the agent may still put it right."},
    )
    max_text_chars: int = field(
        default=MAX_TEXT_CHARS,
        metadata={"help": "Characters of one text that are read; of a longer text only the end."},
    )

    def __post_init__(self) -> None:
        for name in ("answer_severity", "progress_severity"):
            if getattr(self, name) not in SEVERITIES:
                raise AnalyzerError(
                    f"[analyzers.contradicted_claim] {name} must be one of {', '.join(SEVERITIES)}, "
                    f"not {getattr(self, name)!r}"
                )
        if unknown := set(self.subkinds) - set(get_args(Subkind)):
            raise AnalyzerError(
                f"[analyzers.contradicted_claim] unknown subkinds {', '.join(sorted(unknown))}; "
                f"there are: {', '.join(kind for kind in get_args(Subkind) if kind)}"
            )


@dataclass(frozen=True, slots=True)
class _Words:
    """How a subkind is reported. `confidence` follows how directly the evidence speaks."""

    title: str
    advice: str
    confidence: float


_WORDS: dict[str, _Words] = {
    "unchanged": _Words(
        "Claimed a change that the tool did not make",
        "Return the diff summary (changed, hashes, fields) to the model and have it report from that; check"
        " the "
        "target by hand now.",
        0.95,
    ),
    "failed": _Words(
        "Claimed success of a call that failed",
        "Show failures to the model as errors, not as text it may overlook, and have it repeat or report"
        " them.",
        0.95,
    ),
    "never_ran": _Words(
        "Claimed an act that no call performed",
        "Offer the tool that the claim needs, or have the prompt say that untested and uncomputed results"
        " must be "
        "named so; do not rely on the stated result.",
        0.85,
    ),
    "wrong_target": _Words(
        "Claimed a change to one target, touched another",
        "Compare the named target with the arguments of the call; put the touched one back if it was not"
        " meant.",
        0.85,
    ),
    "value_before_execution": _Words(
        "Stated a value before the call that computes it",
        "Stop the text at the call (or the marker) and let the model state values only after the result is"
        " there.",
        0.75,
    ),
}


@analyzer("contradicted_claim", ContradictedClaimSettings())
def contradicted_claims(session: Session, settings: ContradictedClaimSettings) -> Iterator[Finding]:
    """One finding per contradicted claim; a sentence said again in a later round is one claim."""
    latest: dict[tuple[str, str, str, str], LedgerEntry] = {}
    for entry in ledger(session, settings.max_text_chars):
        if entry.verdict != "contradicted" or entry.subkind not in settings.subkinds:
            continue
        if entry.answer or settings.progress_texts:
            latest[(entry.agent_name, entry.subkind, entry.sentence, entry.target)] = entry
    for entry in latest.values():
        yield _finding(session, entry, settings)


def _finding(session: Session, entry: LedgerEntry, settings: ContradictedClaimSettings) -> Finding:
    words = _WORDS[entry.subkind]
    turn = next(
        (r for r in session.rounds if r.round == entry.round and r.agent_name == entry.agent_name),
        session.rounds[-1],
    )
    severity: Severity = settings.answer_severity if entry.answer else settings.progress_severity  # type: ignore[assignment]
    return Finding(
        kind="contradicted_claim",
        subkind=entry.subkind,
        title=words.title + (f": {entry.target}" if entry.target else ""),
        detail=_detail(entry),
        advice=words.advice,
        severity=severity,
        confidence=words.confidence,
        round=entry.round,
        last_round=entry.round,
        agent_name=entry.agent_name,
        model=turn.model or session.model,
        trace_id=turn.trace_id,
        span_id=turn.span_id,
        evidence={
            "rule": entry.reason,
            "sentence": entry.sentence,
            "source": entry.source,
            "start": entry.start,
            "end": entry.end,
            "claim": entry.claim_class,
            "target": entry.target,
            "language": entry.language,
            "call": None if entry.evidence is None else asdict(entry.evidence),
        },
    )


def _detail(entry: LedgerEntry) -> str:
    said = f"Round {entry.round} says: “{entry.sentence[:300]}”"
    call = entry.evidence
    if call is None:
        return f"{said}. No call of the session could have done that."
    hashes = f", hash {call.hash_before} → {call.hash_after}" if call.hash_before or call.hash_after else ""
    return f"{said}. The call of {call.tool} in round {call.round} says: {call.field}{hashes}."
