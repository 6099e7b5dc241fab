"""Misnamed tool (`misnamed_tool`)

## What it finds
A call under a name that is not the one of the tool it means. The subkind says how sure that is:

- `misnamed`: the arguments have the shape of one other offered tool and not of the tool named
  (`shell_exec` with `path` and `content` and no command is a `file_write`; empty content is legal), or
  the name is an offered one but for letter case, separators, a namespace (`functions.`,
  `mcp__server__`), a typing error, a synonym or template tokens stuck to it
  (`cat<|channel|>commentary`).
  Where the telemetry has no schemas, shapes are learned from the session's successful calls.
- `ambiguous`: two or more tools could be meant. Never decided, always `info`.
- `unknown_tool`: the call failed because no tool has that name, and none that was offered is like it.

Equal misnamings of a session are one finding. A misnaming that the backend put right is `info`.

## Why it matters
The tool refuses the call and the model often sends it again unchanged until the round cap, or it runs
under the wrong name and a write is lost without an error. Local models do it most: in one recorded
benchmark 147 of 5,769 calls of a model carried template tokens in their names.

## Quiet on
Names that the telemetry writes without the server's prefix, and any other near name, when the call did
not fail; arguments that are only incomplete or of the wrong type (they are a call of the tool named);
commentary that a model adds to its arguments; arguments that the telemetry does not hold; tools without a
schema, unless the call was refused over its arguments and two calls or more show whose they are.

## Fix
Recover the name before the call runs (`tightrope_sdk.shapes.judge_call` says which tool is meant), or
answer with the name that fits instead of the tool's own error. Keep the schemas of tools that are often
confused apart: different required keys, `additionalProperties: false`. Template tokens in names come from
the server's tool-call parser: choose the one of the model's family.

## Settings
`min_confidence` and `ignore_tools`; see the fields of `MisnamedToolSettings`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tightrope_sdk.fingerprint import canonical_json
from tightrope_sdk.names import is_spelling
from tightrope_sdk.shapes import Toolbox, Verdict, learned

from analyzers import call_classes
from analyzers.model import Finding, Rescue, Round, Session, Severity, ToolCall
from analyzers.registry import analyzer

_EXCERPT = 300
_SURE = 0.7
_LISTED = 100  # calls that the evidence lists; `count` has them all

# A refusal that no error flag accompanies.
_REFUSED = re.compile(
    r"missing|required|invalid|unexpected|unknown|validation|not found|usage:", re.IGNORECASE
)
# A refusal of the arguments themselves.
_LACKS = re.compile(
    r"\b(?:missing|required|unexpected|unknown|invalid) (?:\w{1,20} ){0,3}"
    r"(?:argument|parameter|property|key|field|input)"
    r"|\bis (?:required|missing)\b|\bvalidation\b|\bgot an unexpected\b",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"[<>|\"'`\n]")

_ADVICE = {
    "misnamed": "Recover the name before the call runs, or answer with the name that fits; keep the required "
    "keys of the two tools apart.",
    "dirty": "Template tokens in a tool's name come from the server's tool-call parser: choose the one of "
    "the model's family, and cut the name at the first special token.",
    "ambiguous": "Give the tools that this call could mean different required keys, so that one can tell "
    "them apart; do not guess.",
    "unknown_tool": "Answer with the names of the tools that exist, and check that the prompt does not "
    "mention a tool that is not offered.",
}


@dataclass(frozen=True, slots=True)
class MisnamedToolSettings:
    """How sure a misnaming must be, and whose calls are not judged."""

    min_confidence: float = field(
        default=0.5, metadata={"help": "below it (0 to 1) a misnaming is no finding"}
    )  # fmt: skip
    ignore_tools: tuple[str, ...] = field(
        default=(), metadata={"help": "names under which calls are never judged"}
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Misnaming:
    call: ToolCall
    turn: Round
    verdict: Verdict
    severity: Severity
    rescued: str = ""  # the tool that ran instead, "" where the backend did not put it right


@analyzer("misnamed_tool", MisnamedToolSettings())
def misnamed_tools(session: Session, settings: MisnamedToolSettings) -> Iterator[Finding]:
    """The misnamed calls of `session`; equal ones of one agent are one finding."""
    tools = _Tools(session)
    groups: dict[tuple[str, ...], list[_Misnaming]] = {}
    for turn in session.rounds:
        for call in turn.calls:
            if call.named in settings.ignore_tools:
                continue
            found = _judged(call, turn, tools, _rescued(call, session.rescues))
            if found and found.verdict.confidence >= settings.min_confidence:
                verdict = found.verdict
                meant = verdict.recovered or "|".join(verdict.candidates)
                group = (turn.agent_name, call.named, _subkind(verdict), meant, found.severity)
                groups.setdefault(group, []).append(found)
    for misnamings in groups.values():
        yield _finding(misnamings, session, tools.offered)


class _Tools:
    """A session's tools as they were offered and, where no schema says, as its successful calls show them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._schemas = {tool.name: tool.input_schema for tool in session.tools}
        self.offered = Toolbox(self._schemas)

    def judge(self, call: ToolCall) -> Verdict:
        """What the call meant. By calls alone only where it was refused over its arguments."""
        verdict = self.offered.judge(call.named, call.arguments)
        if (
            verdict.verdict in ("ok", "unknown_tool")
            and not self._schemas.get(call.named)
            and call.tool == call.named
            and call_classes.failed(call)
            and _LACKS.search(call_classes.failure(call)[:_EXCERPT])
        ):
            return self._by_calls(call) or verdict
        return verdict

    def _by_calls(self, call: ToolCall) -> Verdict | None:
        """One key, or one call that had it, is no shape."""
        if call.named not in self._learned or not isinstance(call.arguments, dict) or len(call.arguments) < 2:
            return None
        verdict = self._learned.judge(call.named, call.arguments)
        if verdict.verdict != "misnamed" or verdict.rule != "M4":
            return None
        if not self._schemas.get(verdict.recovered or "") and self._times[verdict.recovered or ""] < 2:
            return None
        return replace(verdict, rule="learned", confidence=round(verdict.confidence - 0.2, 2))

    @cached_property
    def _successes(self) -> list[tuple[str, dict[str, Any]]]:
        return [
            (call.named, call.arguments)
            for call in self._session.calls()
            if isinstance(call.arguments, dict) and _is_accepted(call)
        ]

    @cached_property
    def _times(self) -> Counter[str]:
        return Counter(name for name, _ in self._successes)

    @cached_property
    def _learned(self) -> Toolbox:
        known = {name: schema for name, schema in self._schemas.items() if schema}
        return Toolbox({**learned(self._successes), **known})


def _judged(call: ToolCall, turn: Round, tools: _Tools, rescued: str) -> _Misnaming | None:
    toolbox = tools.offered
    if call.named not in toolbox and rescued in toolbox and _names_only_base(call.named, rescued):
        call, rescued = replace(call, requested_tool=rescued), ""  # telemetry writes the one name in two ways
    verdict = tools.judge(call)
    if rescued:
        if verdict.verdict == "ok" and (call.named in toolbox or is_spelling(call.named, rescued)):
            return None  # a dispatcher, or one name written in two ways
        if verdict.recovered != rescued:
            note = f"{call.named}→{rescued} (as it ran)"  # a fact; the verdict only said what it looked like
            verdict = Verdict("misnamed", rescued, (rescued,), note, rule="ran")
        return _Misnaming(call, turn, verdict, "info", rescued)
    severity = _severity(call, verdict, call.named in toolbox)
    return _Misnaming(call, turn, verdict, severity) if severity else None


def _names_only_base(named: str, ran: str) -> bool:
    """Whether `named` is `ran` without its plugin or server: spans and messages often differ in that."""
    return len(named) < len(ran) and ran.endswith(named) and is_spelling(named, ran)


def _severity(call: ToolCall, verdict: Verdict, offered: bool) -> Severity | None:
    """How bad a misnaming is that nothing put right; None where it is none, or not sure enough."""
    if verdict.verdict not in ("misnamed", "ambiguous"):
        unknown = not offered and call_classes.failed(call) and call_classes.is_unknown_tool(call)
        return "warning" if unknown else None
    refused, accepted = _is_refused(call), _is_accepted(call)
    if verdict.verdict == "ambiguous":
        return None if accepted else "info"
    if verdict.rule in ("founding", "learned") or _TOKENS.search(call.named):
        return "warning"
    if offered:
        return "info" if accepted else "warning"
    if accepted:
        return None  # telemetry lists not every tool, and often writes its name in another way
    return "warning" if refused or verdict.confidence >= _SURE else "info"


def _is_refused(call: ToolCall) -> bool:
    return call_classes.failed(call) or bool(call.result and _REFUSED.search(call.result[:_EXCERPT]))


def _is_accepted(call: ToolCall) -> bool:
    return call.result is not None and not _is_refused(call)


def _rescued(call: ToolCall, rescues: Sequence[Rescue]) -> str:
    """The tool that a safety net ran in place of the one named, "" where none did."""
    if call.tool != call.named:
        return call.tool
    for rescue in rescues:
        if rescue.recovered and rescue.original == call.named and rescue.round in (None, call.round):
            return rescue.recovered
    return ""


def _finding(misnamings: list[_Misnaming], session: Session, toolbox: Toolbox) -> Finding:
    first, last = misnamings[0], misnamings[-1]
    call, verdict = first.call, first.verdict
    times = f" ({len(misnamings)} times)" if len(misnamings) > 1 else ""
    return Finding(
        kind="misnamed_tool",
        subkind=_subkind(verdict),
        severity=first.severity,
        confidence=min(found.verdict.confidence for found in misnamings),
        title=_title(call, verdict, first.rescued) + times,
        detail=_detail(first, toolbox),
        advice=_ADVICE["dirty" if _TOKENS.search(call.named) else _subkind(verdict)],
        round=call.round,
        last_round=last.call.round,
        agent_name=first.turn.agent_name,
        model=first.turn.model or session.model,
        trace_id=call.trace_id or first.turn.trace_id,
        span_id=call.span_id or first.turn.span_id,
        evidence={
            "rule": verdict.rule,
            "note": verdict.note,
            "requested": call.named,
            "recovered": verdict.recovered,
            "candidates": list(verdict.candidates),
            "rescued": bool(first.rescued),
            "count": len(misnamings),
            "calls": [
                {"round": found.call.round, "position": found.call.position, "tool": found.call.named}
                for found in misnamings[:_LISTED]
            ],
            "arguments": _excerpt(call.arguments),
            "result": (call.error or call.result or "")[:_EXCERPT],
        },
    )


def _subkind(verdict: Verdict) -> str:
    """`ok` in the eyes of what was offered, and yet refused: then nothing was offered under that name."""
    return verdict.verdict if verdict.verdict in ("misnamed", "ambiguous") else "unknown_tool"


def _title(call: ToolCall, verdict: Verdict, recovered: str) -> str:
    match _subkind(verdict):
        case "ambiguous":
            return f"{_short(call.named)} could mean {' or '.join(verdict.candidates[:4])}"
        case "unknown_tool":
            return f"No tool is named {_short(call.named)}"
        case _:
            return (
                f"{_short(call.named)} called, {verdict.recovered} {'run instead' if recovered else 'meant'}"
            )


def _detail(found: _Misnaming, toolbox: Toolbox) -> str:
    call, verdict = found.call, found.verdict
    parts = [f"{verdict.note or _short(call.named)}; arguments {_excerpt(call.arguments)}."]
    if found.rescued:
        parts.append(f"The backend recovered the name: {found.rescued} ran.")
    elif call.error or call.result:
        parts.append(f"It {'failed with' if call_classes.failed(call) else 'returned'} {_said(call)!r}.")
    if verdict.recovered and call.named in toolbox and verdict.recovered not in toolbox:
        parts.append(f"{verdict.recovered} is not among the tools that the telemetry lists.")
    if verdict.verdict == "ambiguous":
        parts.append(f"The arguments fit {', '.join(verdict.candidates[:10])}.")
    return " ".join(parts)


def _said(call: ToolCall) -> str:
    return (call.error or call.result or "").strip()[:_EXCERPT]


def _short(name: str) -> str:
    return repr(name[:80]) if _TOKENS.search(name[:80]) or not name else name[:80]


def _excerpt(arguments: Any) -> str:
    return (arguments if isinstance(arguments, str) else canonical_json(arguments))[:_EXCERPT]
