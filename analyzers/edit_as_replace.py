"""Edit as replace (`edit_as_replace`)

## What it finds
A call meant to edit that replaced the whole: sections, fields, functions or keys that were there before are
gone. `evidence.rule` says how that is known:

- `write`: the content written lacks most of what was read of the same thing earlier in the session;
- `placeholder`: the same, with a line in place of the rest ("rest of the file unchanged");
- `reread`: an append or an edit, and the thing read again lacks most of what it held;
- `fields`: fields that the call did not give are empty or missing after it;
- `fields_modified`: the diff summary lists fields that the call did not give;
- `summary`: the result's own summary tells of sections, fields or lines removed;
- `before_after`: the contents before and after, in the arguments or in the result.

## Why it matters
The call succeeds, and the answer reports the addition that was asked for. What is gone is found missing
later, by somebody else, and often there is no other copy.

## Quiet on
Requests to rewrite, shorten, convert, move or delete, and every request that does not plainly ask to add
something or to change a part; files that the session itself made; generated files, logs, plans and lists of
tasks of the agent's own; contents that stand in another file of the session or were put back; writes in part
(a passage, a section by name, an append); the same headings over other words; fields that follow from others
(sums, versions, times).

## Fix
Give the model a tool that edits in place (old and new text, a section by name, PATCH and not PUT), let the
write tool refuse a content that drops most of what is there unless told to, and return what was removed.

## Settings
See the fields of `EditAsReplaceSettings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzers.model import Finding, Session, Severity, ToolCall
from analyzers.registry import analyzer
from analyzers.replacement.model import Replacement
from analyzers.replacement.settings import EditAsReplaceSettings
from analyzers.replacement.walk import replacements

_LISTED = 50
_NAMED = 5
_GREAT = 20  # lines; from there on, after a request to add, the loss is critical
_ADVICE = (
    "Put back what is gone (version control, the content read in the round that the evidence names). Offer "
    "an edit tool that changes a passage or a section, or let the write tool refuse contents that drop most "
    "of what is there."
)
_HOW = {
    "write": "wrote a content without them",
    "placeholder": "wrote a line in place of the rest",
    "reread": "left a content without them",
    "fields": "left fields empty that it did not name",
    "fields_modified": "modified fields that it did not name",
    "summary": "reports what it removed",
    "before_after": "shows the contents before and after",
}
_ASKED = {
    "additive": "something was to be added",
    "preserve": "the rest was to be kept",
    "local": "a part was to be changed",
}


@analyzer("edit_as_replace", EditAsReplaceSettings())
def edit_as_replace(session: Session, settings: EditAsReplaceSettings) -> Iterator[Finding]:
    """Edits of `session` that replaced the whole; one finding for each thing that lost by it."""
    for found in replacements(session, settings):
        yield _finding(found, session)


def _finding(found: Replacement, session: Session) -> Finding:
    call, turn, loss = found.call, found.turn, found.loss
    names = ", ".join(found.lost[:_NAMED]) + (" …" if len(found.lost) > _NAMED else "")
    return Finding(
        kind="edit_as_replace",
        severity=_severity(found),
        confidence=_confidence(found),
        title=f"{call.named[:80]} replaced {found.target[:80]}"
        + (f": {len(found.lost)} parts gone" if found.lost else ""),
        detail=_detail(found, names),
        advice=_ADVICE,
        round=call.round,
        last_round=call.round,
        agent_name=turn.agent_name,
        model=turn.model or session.model,
        trace_id=call.trace_id or turn.trace_id,
        span_id=call.span_id or turn.span_id,
        evidence={
            "rule": found.rule,
            "target": found.target,
            "intent": found.intent,
            "lost": [name[:200] for name in found.lost[:_LISTED]],
            "lost_in_all": len(found.lost),
            "lines_before": loss.lines_before if loss else None,
            "lines_after": loss.lines_after if loss else None,
            "lines_lost": loss.lines_lost if loss else None,
            "parts_before": loss.parts_before if loss else None,
            "said": found.said[:300],
            "read": None if found.read is None else _place(found.read),
            "calls": [_place(call)],
            "hash_before": call.hash_before,
            "hash_after": call.hash_after,
        },
    )


def _severity(found: Replacement) -> Severity:
    if found.call.result is None or found.rule == "fields_modified":
        return "info"
    great = found.loss is not None and found.loss.lines_lost >= _GREAT
    if found.rule == "placeholder" or (great and found.intent in ("additive", "preserve")):
        return "critical"
    return "warning"


def _confidence(found: Replacement) -> float:
    if found.call.result is None or found.rule == "fields_modified":
        return 0.6
    return 0.9 if found.intent in ("additive", "preserve") or found.rule in ("placeholder", "reread") else 0.8


def _detail(found: Replacement, names: str) -> str:
    call, loss = found.call, found.loss
    asked = _ASKED.get(found.intent)
    parts = [
        f"Round {call.round}: {call.named[:80]} {_HOW[found.rule]}" + (f", and {asked}." if asked else ".")
    ]
    if names:
        parts.append(f"Gone: {names}.")
    if loss:
        parts.append(
            f"{loss.lines_lost} of {loss.lines_before} lines are gone ({loss.lines_after} after it)"
            + (f", {len(found.lost)} of {loss.parts_before} named parts." if loss.parts_before else ".")
        )
    if found.said:
        parts.append(f"It says: {found.said[:300]}")
    return " ".join(parts)


def _place(call: ToolCall) -> dict[str, Any]:
    return {"round": call.round, "position": call.position, "tool": call.named}
