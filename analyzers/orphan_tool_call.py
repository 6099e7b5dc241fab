"""Orphan tool call (`orphan_tool_call`)

## What it finds
Calls and results that do not pair. The subkind says which is alone, `evidence.rule` how one knows:

- `call_without_result`: the model server refused a request because a call in it has no result (`refused`);
  or the model went on after a call of which nothing came back, though its neighbours in the round or other
  calls of that tool were answered (`unanswered`).
- `result_without_call`: the server refused a request because of a result that answers no call (`refused`);
  or the conversation holds such a result (`unasked`).

## Why it matters
Strict servers refuse such a history, often on every later request, so that the session is dead. Lenient
ones let the model go on, and it takes the missing result for a success.

## Quiet on
Calls of the last round, which may be under way; calls that ran and returned nothing; tools and sessions
whose results the telemetry does not hold; neighbours of a failed call; calls that the user, a safety net or
the token limit stopped, and answers that were thrown away and made again; tools that the provider runs;
hand-overs, sub-agents, questions to a person and calls that are the final answer.

## Fix
Answer every call, a cancelled one too ("cancelled by the user"), before the next request. Cut or compact a
history only between a result and the next call: never between a call and its result.

## Settings
`ignore_tools`; see the fields of `OrphanToolCallSettings`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tightrope_sdk.fingerprint import canonical_json, fingerprint

from analyzers import call_classes
from analyzers.model import Finding, Round, Session, Severity, ToolCall
from analyzers.orphans.elsewhere import is_answered_elsewhere
from analyzers.orphans.refusals import refused
from analyzers.registry import analyzer

_EXCERPT = 300
_LISTED = 100
_CUT = frozenset({"content_filter", "length", "max_output_tokens", "max_tokens", "model_length", "refusal"})
_SHARE = 5  # one unanswered call in five at most: where more are, the telemetry loses results

_TITLES = {
    ("call_without_result", "refused"): "The model server refused a call without a result",
    ("result_without_call", "refused"): "The model server refused a result without a call",
    ("call_without_result", "unanswered"): "{tool} was called and never answered",
    ("result_without_call", "unasked"): "A result that answers no call",
}
_ADVICE = {
    "call_without_result": "Answer every call before the next request, a cancelled or failed one too, and "
    "cut a history only between a result and the next call.",
    "result_without_call": "Keep a call as long as its result is in the history: cut or compact only before "
    "a call, and check that both carry the same id.",
}


@dataclass(frozen=True, slots=True)
class OrphanToolCallSettings:
    """Whose calls are not judged."""

    ignore_tools: tuple[str, ...] = field(
        default=(), metadata={"help": "tools whose calls need no result, by name"}
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Orphan:
    subkind: str
    rule: str
    turn: Round
    severity: Severity
    call: ToolCall | None = None


@analyzer("orphan_tool_call", OrphanToolCallSettings())
def orphan_tool_calls(session: Session, settings: OrphanToolCallSettings) -> Iterator[Finding]:
    """The calls and results of `session` that do not pair; equal ones of one agent are one finding."""
    groups: dict[tuple[str, ...], list[_Orphan]] = {}
    for orphan in (*_refused(session), *_unasked(session), *_unanswered(session, settings)):
        name = orphan.call.named if orphan.call else ""
        key = (orphan.turn.agent_name, orphan.subkind, orphan.rule, name, orphan.severity)
        groups.setdefault(key, []).append(orphan)
    for orphans in groups.values():
        yield _finding(orphans, session)


def _refused(session: Session) -> Iterator[_Orphan]:
    for turn in session.rounds:
        subkind = refused(turn.error) if turn.error else ""
        if subkind:
            yield _Orphan(subkind, "refused", turn, "warning")


def _unasked(session: Session) -> Iterator[_Orphan]:
    """A result that came without a call has no name and no arguments; only the conversation tells of it."""
    for turn in session.rounds:
        for call in turn.calls:
            is_bare = not call.named and call.arguments is None
            if is_bare and call.source == "message" and call.result is not None:
                yield _Orphan("result_without_call", "unasked", turn, "warning", call)


def _unanswered(session: Session, settings: OrphanToolCallSettings) -> Iterator[_Orphan]:
    calls = list(session.calls())
    open_calls = [call for call in calls if not _is_answered(call)]
    if not open_calls or len(open_calls) > max(1, len(calls) // _SHARE):
        return
    answered = {call.named for call in calls if _is_answered(call)}
    histories_tell = any(call.source == "message" and call.result is not None for call in calls)
    ids = Counter(call.call_id for call in calls if call.call_id)
    rescued = {(rescue.agent_name, rescue.round) for rescue in session.rescues}
    offered = {tool.name for tool in session.tools}
    for turn, following in _followed(session.rounds):
        nets = {(turn.agent_name, turn.round), ("", turn.round)}
        if not nets.isdisjoint(rescued) or not _goes_on(turn, following):
            continue
        lost = [
            call
            for call in turn.calls
            if not _ran(call)
            and call.named
            and not _is_answered(call)
            and not isinstance(call.arguments, str)
            and call.named not in settings.ignore_tools
            and (not offered or call.named in offered)
            and ids[call.call_id] < 2
            and not is_answered_elsewhere(call)
        ]
        if not lost:
            continue
        neighbour = any(map(_is_answered, turn.calls))
        severity: Severity = "warning" if neighbour or histories_tell else "info"
        made = Counter(_identity(call) for call in (*turn.calls, *following.calls))
        for call in lost:
            # Asked for twice, or again in the next round: that answer of the model was thrown away.
            if made[_identity(call)] == 1 and (neighbour or call.named in answered):
                yield _Orphan("call_without_result", "unanswered", turn, severity, call)


def _followed(rounds: Sequence[Round]) -> Iterator[tuple[Round, Round]]:
    """Rounds and the next one, where that is the same agent's."""
    for turn, following in pairwise(rounds):
        if turn.calls and turn.agent_name == following.agent_name:
            yield turn, following


def _goes_on(turn: Round, following: Round) -> bool:
    """Whether the model was asked again, for all one knows with this round's answer in the history."""
    return not (
        turn.error
        or following.error
        or following.user_text.strip()
        or turn.finish_reason in _CUT
        or any(map(call_classes.failed, turn.calls))
    )


def _ran(call: ToolCall) -> bool:
    """Whether a record of its own tells that the call ran: then it may have returned nothing."""
    return call.source != "message" and bool(call.span_id or call.started_at)


def _is_answered(call: ToolCall) -> bool:
    return call.result is not None or bool(call.error) or call.is_error


def _identity(call: ToolCall) -> str:
    return call.fingerprint or fingerprint(call.named, call.arguments)


def _finding(orphans: list[_Orphan], session: Session) -> Finding:
    first, last = orphans[0], orphans[-1]
    turn, call = first.turn, first.call
    times = f" ({len(orphans)} times)" if len(orphans) > 1 else ""
    return Finding(
        kind="orphan_tool_call",
        subkind=first.subkind,
        severity=first.severity,
        confidence=0.95 if first.rule == "refused" else 0.8 if first.severity == "warning" else 0.6,
        title=_TITLES[first.subkind, first.rule].format(tool=call.named[:80] if call else "") + times,
        detail=_detail(first),
        advice=_ADVICE[first.subkind],
        round=turn.round,
        last_round=last.turn.round,
        agent_name=turn.agent_name,
        model=turn.model or session.model,
        trace_id=turn.trace_id,
        span_id=turn.span_id,
        evidence={
            "rule": first.rule,
            "count": len(orphans),
            "calls": [
                {"round": orphan.turn.round, "position": orphan.call.position, "tool": orphan.call.named}
                for orphan in orphans[:_LISTED]
                if orphan.call
            ],
            "call_id": call.call_id if call else "",
            "error": turn.error.strip()[:_EXCERPT] if first.rule == "refused" else "",
        },
    )


def _detail(orphan: _Orphan) -> str:
    turn, call = orphan.turn, orphan.call
    if call is None:
        return f"The request of round {turn.round} failed with {turn.error.strip()[:_EXCERPT]!r}."
    if orphan.rule == "unasked":
        said = (call.result or "").strip()[:_EXCERPT]
        return (
            f"After round {turn.round} the conversation holds the result {said!r} (call id "
            f"{call.call_id[:80]!r}), which answers no call."
        )
    arguments = canonical_json(call.arguments)[:_EXCERPT]
    why = (
        "other calls of the round were answered"
        if any(map(_is_answered, turn.calls))
        else "other calls of the tool were answered"
    )
    return (
        f"{call.named}({arguments}) in round {turn.round} has no result and no error, though {why}; "
        "the model went on all the same."
    )
