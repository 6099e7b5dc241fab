"""Duplicate side effect (`duplicate_side_effect`)

## What it finds
The same act in the world done twice by one agent, with equal arguments and success both times, without a
word of the user in between. The subkind says what was done: `message` (a mail, a text message, a post),
`payment` (a payment, a refund, a transfer), `booking` (a booking, an order, an appointment) or `record`
(a ticket, an issue, an invoice).

## Why it matters
A call repeated costs a round; an act repeated costs money, or sends a customer the same mail twice. Nothing
in the run shows it: every call went well.

## Quiet on
Retries after a failure, a time-out or silence; a second call that the service knew for one ("already
refunded", the same id again, an idempotency key); an act that was undone in between; acts that the user
asked for more than once, or for two of; other arguments, other agents; rehearsals; more than an hour
between them; acts whose second time changes nothing (writing a file, setting a value).

## Fix
Give the tool an idempotency key made of its arguments and let it answer "already done" with the first
result; put a confirmation before what cannot be undone; keep results of acts when the history is compacted.

## Settings
`ignore_tools` and `within_seconds`; see the fields of `DuplicateSideEffectSettings`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tightrope_sdk.fingerprint import canonical_json, fingerprint, without_commentary
from tightrope_sdk.names import words

from analyzers import call_classes
from analyzers.acts.classes import act_of
from analyzers.acts.sameness import is_keyed, same_object, succeeded
from analyzers.model import Finding, Round, Session, ToolCall
from analyzers.registry import analyzer

_EXCERPT = 300
_LISTED = 100
_USER_TEXT = 4_000
_UNDOES = {"cancel", "clear", "close", "delete", "remove", "revert", "undo", "unsend", "void", "withdraw"}

# Words by which a user wants several; a false alarm costs more than a miss here.
_SEVERAL = re.compile(
    r"\b(?:twice|two|three|four|five|several|again|another|both|copies|couple|double|duplicate|each"
    r"|every|multiple|once more|repeat(?:edly)?|resend|times|second|zwei|zweimal|drei|nochmals?|jede\w?|dos"
    r"|deux|dois|duas|tres|trois|[2-9]x?|x[2-9])\b|两|三|再|[2-9]回|もう一度|두 |다시",
    re.IGNORECASE,
)

_WHAT = {"message": "sent", "payment": "made", "booking": "booked", "record": "created"}


@dataclass(frozen=True, slots=True)
class DuplicateSideEffectSettings:
    """What counts as the same act again."""

    within_seconds: int = field(
        default=3_600,
        metadata={"help": "seconds between two equal acts beyond which they are two, as of a scheduled job"},
    )
    ignore_tools: tuple[str, ...] = field(
        default=(), metadata={"help": "tools whose calls may well be made twice, by name"}
    )  # fmt: skip


@dataclass(slots=True)
class _Act:
    """An act of one segment: its calls so far; `undone` counts what was undone before the last of them."""

    kind: str
    calls: list[ToolCall]
    turns: list[Round]
    undone: int
    two_objects: bool = False


@analyzer("duplicate_side_effect", DuplicateSideEffectSettings())
def duplicate_side_effects(session: Session, settings: DuplicateSideEffectSettings) -> Iterator[Finding]:
    """The acts of each agent of `session` that were done more than once."""
    for rounds in session.agents().values():
        start = 0
        for index in range(1, len(rounds) + 1):
            if index == len(rounds) or rounds[index].user_text.strip():
                for act in _repeated(rounds[start:index], settings):
                    yield _finding(act, session)
                start = index


def _repeated(rounds: Sequence[Round], settings: DuplicateSideEffectSettings) -> Iterator[_Act]:
    asked = rounds[0].user_text[:_USER_TEXT]
    if _SEVERAL.search(asked):
        return
    acts: dict[str, _Act] = {}
    undone = 0
    for turn in rounds:
        for call in turn.calls:
            if not _UNDOES.isdisjoint(words(call.tool)) and not call_classes.failed(call):
                undone += 1
            kind = act_of(call)
            if not kind or call.named in settings.ignore_tools or is_keyed(call) or not succeeded(call):
                continue
            if kind == "booking" and not asked.strip():
                continue  # two of a kind are often wanted
            key = fingerprint(call.tool, without_commentary(call.arguments))
            act = acts.get(key)
            if act is None or act.undone != undone or _is_late(act.calls[-1], call, settings):
                acts[key] = _Act(kind, [call], [turn], undone)
            elif not _is_one_record(act, call, turn):
                same = same_object(act.calls[-1], call)
                if not same:
                    act.calls.append(call)
                    act.turns.append(turn)
                    act.two_objects = act.two_objects or same is False
    yield from (act for act in acts.values() if len(act.calls) > 1)


def _is_late(one: ToolCall, two: ToolCall, settings: DuplicateSideEffectSettings) -> bool:
    if one.started_at is None or two.started_at is None:
        return False
    return abs((two.started_at - one.started_at).total_seconds()) > settings.within_seconds


def _is_one_record(act: _Act, call: ToolCall, turn: Round) -> bool:
    """Whether the telemetry tells of one call twice: under one id, or in one round and not told apart."""
    before = act.calls[-1]
    if call.call_id and call.call_id == before.call_id:
        return True
    apart = bool(call.call_id and before.call_id) and call.source == before.source
    return act.turns[-1] is turn and not apart


def _finding(act: _Act, session: Session) -> Finding:
    first, last, count = act.calls[0], act.calls[-1], len(act.calls)
    turn = act.turns[0]
    arguments = canonical_json(first.arguments)[:_EXCERPT]
    results = [(call.result or "").strip()[:_EXCERPT] for call in (first, last)]
    told_apart = "the results name different ones" if act.two_objects else "both went well"
    return Finding(
        kind="duplicate_side_effect",
        subkind=act.kind,
        severity="warning",
        confidence=0.95 if act.two_objects else 0.8,
        title=f"{first.tool[:80]}: the same {act.kind} {_WHAT[act.kind]} {count} times",
        detail=f"{first.tool[:80]}({arguments}) in rounds {first.round} and {last.round}: {told_apart} "
        f"({results[0]!r}, {results[1]!r}), and the user had not spoken in between.",
        advice="Give the tool an idempotency key made of its arguments, and let it answer a second equal "
        "call with the first result and the word that it was done already.",
        round=first.round,
        last_round=last.round,
        agent_name=turn.agent_name,
        model=turn.model or session.model,
        trace_id=first.trace_id or turn.trace_id,
        span_id=first.span_id or turn.span_id,
        evidence={
            "rule": "equal_acts",
            "count": count,
            "calls": [
                {"round": call.round, "position": call.position, "tool": call.tool}
                for call in act.calls[:_LISTED]
            ],
            "arguments": arguments,
            "results": results,
            "two_objects": act.two_objects,
        },
        wasted_calls=count - 1,
    )
