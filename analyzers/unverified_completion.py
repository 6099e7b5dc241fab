"""Unverified completion (`unverified_completion`)

## What it finds
An answer that says that work is done (fixed, implemented, complete, works now) after changes that nothing
verified. Subkinds:

- `never_verified`: after the last change of code nothing was run and nothing was even looked at, though the
  agent had a tool to do so;
- `stale_evidence`: tests or a build ran well, then code was changed again, and the answer came without
  another run.

`evidence.derived` is the verification that could have been run: the test files that the session wrote, the
run that it had done before, the tests of what it edited, or a check that it compiles.

## Why it matters
Missing verification is among the most frequent failures of agent runs (8 to 9 % in the MAST study; 28 % of
the sessions of one team that counted). A change that was never run is found broken by somebody else.

## Quiet on
Answers that say that nothing was run, leave it to the user, or hedge; answers that only say what was
written; documents, settings, comments and wording; sessions in which nothing could be run or running was
refused or not wanted; any run, script, request, sub-agent, look in a browser or at the change after the last
edit; edit tools that report their own check. Tests that were never run and are said to pass are a
`contradicted_claim`.

## Fix
Have the harness run the derived verification before an answer is accepted, and give its result to the
model; or let the prompt ask for what was run, and when, in each final answer.

## Settings
See the fields of `UnverifiedCompletionSettings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from analyzers.claims.calls import Fact, facts
from analyzers.claims.extraction import read
from analyzers.claims.ledger import ledger
from analyzers.model import Finding, Round, Session, Severity
from analyzers.registry import analyzer
from analyzers.verification import wording
from analyzers.verification.derived import derived
from analyzers.verification.offered import Omitted, omitted_verification
from analyzers.verification.work import (
    Work,
    could_verify,
    edited_code,
    is_run,
    may_have_verified,
    run_before,
    verified_by_itself,
    work_of,
)

_LISTED = 20
_JUDGED = 3_000  # calls before the answer that are looked at: a change and its run lie close together
_ADVICE = {
    True: "Run it, and have the harness do so before an answer is accepted: {derived}",
    False: "Have the harness run a verification before an answer is accepted, or ask in the prompt what "
    "was run.",
}


@dataclass(frozen=True, slots=True)
class UnverifiedCompletionSettings:
    """What is reported."""

    only_strong: bool = field(
        default=False,
        metadata={
            "help": "report only what is a `warning`: tests written or failing and not run, a run that the "
            "user asked for, a pass that is claimed of code edited after it"
        },
    )
    ignore_paths: tuple[str, ...] = field(
        default=(), metadata={"help": "parts of paths; edits of such files are no work to verify"}
    )


@dataclass(frozen=True, slots=True)
class _Case:
    subkind: str
    rule: str
    severity: Severity
    detail: str
    derived: str
    edits: tuple[Fact, ...]
    paths: tuple[str, ...]
    ran: Fact | None = None


@analyzer("unverified_completion", UnverifiedCompletionSettings())
def unverified_completion(session: Session, settings: UnverifiedCompletionSettings) -> Iterator[Finding]:
    """At most one finding: the last answer of `session`, if it claims what nothing verified."""
    answer = _answer(session)
    if answer is None or any(rescue.family == "verification" for rescue in session.rescues):
        return
    text, turn = answer
    recent = _recent(session)
    if _ran_last(recent):
        return
    reading = read(text)
    effect, passed = wording.effect_in(text, reading), wording.pass_claim_in(reading)
    done = effect or wording.done_in(text)
    if not (done or passed) or wording.discloses(text):
        return
    asked = "\n".join(turn.user_text[:4_000] for turn in session.rounds if turn.user_text)
    if wording.forbids(asked):
        return
    case = _case(recent, asked, done, passed)
    if case is None or (case.rule == "no_run" and not effect):
        return  # "done" may mean no more than that it was written, and the call shows that
    if settings.only_strong and case.severity == "info":
        return
    if case.paths and all(any(part in path for part in settings.ignore_paths) for path in case.paths):
        return
    if any(entry.answer and entry.verdict == "contradicted" for entry in ledger(recent)):
        return
    yield _finding(case, passed or done, turn, recent)


def _recent(session: Session) -> Session:
    """The session's last rounds, as many as hold the calls that are judged."""
    spare = _JUDGED
    for at in range(len(session.rounds) - 1, -1, -1):
        spare -= len(session.rounds[at].calls)
        if spare < 0:
            return replace(session, rounds=session.rounds[at + 1 :])
    return session


def _ran_last(session: Session) -> bool:
    """Whether something ran after the last change of code: most sessions end so, and a few calls tell."""
    for turn in reversed(session.rounds):
        for call in reversed(turn.calls):
            fact = Fact(call, 0)
            if "noop" in fact.kinds:
                continue
            if edited_code(fact):
                return False
            if is_run(fact):
                return True
    return False


def _answer(session: Session) -> tuple[str, Round] | None:
    """The text by which the session ends, and its round; None where it ends in a call or in silence."""
    if not session.rounds or session.rounds[-1].calls:
        return None
    last = session.rounds[-1]
    text = session.final_text if session.final_text.strip() else last.text
    return (text, last) if text.strip() else None


def _case(session: Session, asked: str, done: str, passed: str) -> _Case | None:
    known = facts(session)
    since = max((n for n, turn in enumerate(session.rounds) if turn.user_text.strip()), default=0)
    work = work_of(known)
    if work is None:
        omitted = omitted_verification(known, session.tools, since) if done else None
        return _omitted(omitted) if omitted else None
    if work.last.sequence < since or wording.is_slight(session.rounds[since].user_text):
        return None
    if any(fact.outcome == "unknown" for fact in known if "write" in fact.kinds):
        return None
    if verified_by_itself(work.last) or any(may_have_verified(fact, work) for fact in work.after):
        return None
    if not could_verify(known, session.tools):
        return None
    return _judged(work, known, asked, done, passed)


def _judged(work: Work, known: list[Fact], asked: str, done: str, passed: str) -> _Case | None:
    ran = run_before(work)
    command = derived(work, ran, known)
    files = ", ".join(work.paths[-3:])
    edits = tuple(fact for fact, _ in work.edits if ran is None or fact.order > ran.order)
    if ran is not None and ran.outcome in ("ok", "changed"):
        when = f"the last run ({ran.call.named}, round {ran.call.round}) came before it"
        severity: Severity = "warning" if passed else "info"
        detail = f"{files} changed in round {work.last.call.round}, and {when}."
        return _Case(
            "stale_evidence", "passed_then_edited", severity, detail, command, edits, work.paths, ran
        )
    if not done:
        return None  # passing is claimed and nothing passed: a matter of the claim ledger
    if ran is not None and ran.outcome == "failed":
        rule, severity = "failed_then_edited", "warning"
        why = f"the run that failed in round {ran.call.round} was not run again"
    elif ran is not None:
        return None
    elif work.test_files:
        rule, severity, why = "tests_written_not_run", "warning", "the tests that were written never ran"
    elif wording.asks_to_verify(asked):
        rule, severity, why = (
            "asked_to_verify",
            "warning",
            "the run that the user asked for did not take place",
        )
    else:
        rule, severity, why = "no_run", "info", "nothing was run or looked at after it"
    detail = f"{files} changed in round {work.last.call.round}, and {why}."
    return _Case("never_verified", rule, severity, detail, command, edits, work.paths, ran)


def _omitted(omitted: Omitted) -> _Case:
    change = omitted.change.call
    detail = f"{change.named} changed it in round {change.round}; {omitted.tool} was offered and not called."
    return _Case(
        "never_verified", "verification_tool", "info", detail, omitted.derived, (omitted.change,), ()
    )


def _finding(case: _Case, sentence: str, turn: Round, session: Session) -> Finding:
    stale = case.subkind == "stale_evidence"
    return Finding(
        kind="unverified_completion",
        subkind=case.subkind,
        severity=case.severity,
        confidence=0.9 if case.severity == "warning" else 0.7,
        title="Completion claimed of changes made after the last run"
        if stale
        else "Completion claimed of changes that nothing verified",
        detail=f"The answer says: “{sentence.strip()[:300]}”. {case.detail}"
        + (f" It could have been verified by: {case.derived}" if case.derived else ""),
        advice=_ADVICE[bool(case.derived)].format(derived=case.derived),
        round=turn.round,
        last_round=turn.round,
        agent_name=turn.agent_name,
        model=turn.model or session.model,
        trace_id=turn.trace_id,
        span_id=turn.span_id,
        evidence={
            "rule": case.rule,
            "sentence": sentence.strip()[:1_000],
            "derived": case.derived,
            "files": list(case.paths[:_LISTED]),
            "edits": len(case.edits),
            "calls": [_place(fact) for fact in case.edits[-_LISTED:]],
            "run": None if case.ran is None else {**_place(case.ran), "said": case.ran.field[:200]},
        },
    )


def _place(fact: Fact) -> dict[str, Any]:
    return {"round": fact.call.round, "position": fact.call.position, "tool": fact.call.named}
