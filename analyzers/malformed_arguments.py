"""Malformed arguments (`malformed_arguments`)

## What it finds
A call whose arguments begin as a JSON object and do not end as one, or whose object breaks the schema of
the tool that was offered. The subkind says what is wrong with them:

- `token_limit`: the model was cut off by its limit of output tokens in the middle of the call.
- `telemetry`: the call itself went well or was recorded by an exporter that cuts long values; what was
  stored is cut, what ran was not.
- `cut`: the text ends in the middle, and nothing says who cut it.
- `syntax`: the text is there to its end and is no JSON.
- `missing_required`, `wrong_type`, `not_in_enum`: the object breaks the schema, and the tool refused it for
  that; or a required key is absent and nothing tells what became of the call (`info`).

Equal faults of one agent in one tool are one finding.

## Why it matters
The tool never sees such a call, or sees half of it. Where only the telemetry is cut, what was cut off
cannot be judged: a loop, a misnaming or a claim in it stays unseen.

## Quiet on
Arguments that are plain text by design, Python literals that an instrumentation writes in place of JSON,
and arguments that the telemetry does not hold. A breach of the schema that the tool took all the same, or
that failed for another reason; calls that mean another tool (`misnamed_tool` has those).

## Fix
`token_limit`: raise the limit of output tokens, or let large contents be written in parts. `telemetry`:
unset `OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT` and `OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT` in the agent's
process, or raise them. `syntax`: have the server decode with a grammar, or answer with the parser's error. A
breach of the schema: answer with the key and what it takes, give the key's description an example, or
decode with the schema (`strict: true`).

## Settings
`ignore_tools`; see the fields of `MalformedArgumentsSettings`.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial

from tightrope_sdk.fingerprint import canonical_json

from analyzers import call_classes
from analyzers.malformed.schema import Breach, SchemaCheck
from analyzers.model import Finding, Round, Session, Severity, ToolCall
from analyzers.registry import analyzer

_LENGTH_REASONS = frozenset(["length", "max_tokens", "max_output_tokens", "model_length"])
_TAIL = 8  # a cut inside an escape such as \u00e4 is reported a few characters before the end
_MAX_LITERAL = 100_000
_EXCERPT = 300
_LISTED = 100

_LIMITS = "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT and OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT"
_SCHEMA_ADVICE = (
    "Answer with the key and what it takes, give the key's description an example, or let the model server "
    "decode calls with the tool's schema (strict: true)."
)
_ADVICE = {
    "token_limit": "Raise the model's limit of output tokens, or have large contents written in parts.",
    "telemetry": f"The exporter cuts long values: unset {_LIMITS} in the agent's process, or raise them, so "
    "that the rest can be judged.",
    "cut": f"See whether the model's limit of output tokens or the exporter's {_LIMITS} "
    "cut it, and raise it.",
    "syntax": "Let the model server decode calls with a grammar, or answer with the parser's error and the "
    "place of the fault.",
    "missing_required": _SCHEMA_ADVICE,
    "wrong_type": _SCHEMA_ADVICE,
    "not_in_enum": _SCHEMA_ADVICE,
}
_TITLES = {
    "token_limit": "{tool} called with arguments that the token limit cut off",
    "telemetry": "Arguments of {tool} are cut in the telemetry",
    "cut": "{tool} called with arguments that end in the middle",
    "syntax": "{tool} called with arguments that are no JSON",
    "missing_required": "{tool} called without {keys}",
    "wrong_type": "{tool} called with the wrong type of {keys}",
    "not_in_enum": "{tool} called with a value of {keys} that its schema does not list",
}


@dataclass(frozen=True, slots=True)
class MalformedArgumentsSettings:
    """Whose calls are not judged."""

    ignore_tools: tuple[str, ...] = field(
        default=(), metadata={"help": "names under which calls are never judged"}
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Fault:
    call: ToolCall
    turn: Round
    subkind: str
    severity: Severity
    place: int  # where reading the JSON failed, in characters
    text: str


@analyzer("malformed_arguments", MalformedArgumentsSettings())
def malformed_arguments(session: Session, settings: MalformedArgumentsSettings) -> Iterator[Finding]:
    """The calls of `session` with arguments that no tool can take; equal faults are one finding."""
    cut_length = cache(partial(_common_length, session))
    check = SchemaCheck(session)
    last = session.rounds[-1] if session.rounds else None
    groups: dict[tuple[str, ...], list[_Fault]] = {}
    breaches: dict[tuple[str, ...], list[tuple[ToolCall, Round, Breach]]] = {}
    for turn in session.rounds:
        for call in turn.calls:
            if call.named in settings.ignore_tools:
                continue
            fault = _fault(call, turn, cut_length)
            if fault:
                key: tuple[str, ...] = (turn.agent_name, call.named, fault.subkind, fault.severity)
                groups.setdefault(key, []).append(fault)
                continue
            breach = check.breach(call, is_last=turn is last)
            if breach:
                key = (turn.agent_name, call.named, breach.subkind, breach.severity, *breach.keys)
                breaches.setdefault(key, []).append((call, turn, breach))
    for faults in groups.values():
        yield _finding(faults, session)
    for broken in breaches.values():
        yield _breach_finding(broken, session)


def _fault(call: ToolCall, turn: Round, cut_length: Callable[[], int | None]) -> _Fault | None:
    text = call.arguments
    if not isinstance(text, str) or text.lstrip()[:1] != "{":
        return None
    place = _broken_at(text)
    if place is None or _is_literal(text):
        return None
    went_well = call.result is not None and not call_classes.failed(call)
    if place < len(text.rstrip()) - _TAIL:
        return _Fault(call, turn, "syntax", "info" if went_well else "warning", place, text)
    if turn.finish_reason in _LENGTH_REASONS:
        return _Fault(call, turn, "token_limit", "warning", place, text)
    if went_well or len(text) == cut_length():
        return _Fault(call, turn, "telemetry", "info", place, text)
    return _Fault(
        call, turn, "cut", "warning" if call.result is not None or call.error else "info", place, text
    )


def _broken_at(text: str) -> int | None:
    """Where `text` stops being JSON, its length where it only ends too early; None for JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return len(text) if error.msg.startswith("Unterminated string") else error.pos
    except RecursionError:
        return None
    return None


def _is_literal(text: str) -> bool:
    """Whether an instrumentation wrote a Python literal in place of JSON."""
    if len(text) > _MAX_LITERAL:
        return False
    try:
        return isinstance(ast.literal_eval(text.strip()), dict)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False


def _common_length(session: Session) -> int | None:
    """The length of the longest values, where several have just that one: a limit cut them."""
    texts: set[str] = set()
    for turn in session.rounds:
        texts.update((turn.text, turn.reasoning, turn.user_text))
        texts.update(
            text for call in turn.calls for text in (call.arguments, call.result) if isinstance(text, str)
        )
    lengths = Counter(map(len, texts))
    longest = max(lengths, default=0)
    return longest if lengths[longest] > 1 else None


def _finding(faults: list[_Fault], session: Session) -> Finding:
    first, last = faults[0], faults[-1]
    call = first.call
    times = f" ({len(faults)} times)" if len(faults) > 1 else ""
    answer = (call.error or call.result or "").strip()[:_EXCERPT]
    shown = first.text if len(first.text) <= _EXCERPT else "…" + first.text[-_EXCERPT:]
    return Finding(
        kind="malformed_arguments",
        subkind=first.subkind,
        severity=first.severity,
        confidence=0.6 if first.subkind == "cut" else 0.9,
        title=_TITLES[first.subkind].format(tool=call.named[:80]) + times,
        detail=f"{len(first.text):,} characters, no JSON from character {first.place:,} on: {shown}"
        + (f" It was answered with {answer!r}." if answer else ""),
        advice=_ADVICE[first.subkind],
        round=call.round,
        last_round=last.call.round,
        agent_name=first.turn.agent_name,
        model=first.turn.model or session.model,
        trace_id=call.trace_id or first.turn.trace_id,
        span_id=call.span_id or first.turn.span_id,
        evidence={
            "length": len(first.text),
            "place": first.place,
            "finish_reason": first.turn.finish_reason,
            "count": len(faults),
            "calls": [
                {"round": fault.call.round, "position": fault.call.position, "tool": fault.call.named}
                for fault in faults[:_LISTED]
            ],
            "arguments": shown,
            "result": answer,
        },
    )


def _breach_finding(broken: list[tuple[ToolCall, Round, Breach]], session: Session) -> Finding:
    (call, turn, breach), (last, _, _) = broken[0], broken[-1]
    times = f" ({len(broken)} times)" if len(broken) > 1 else ""
    answer = (call.error or call.result or "").strip()[:_EXCERPT]
    arguments = canonical_json(call.arguments)[:_EXCERPT]
    keys = ", ".join(breach.keys[:4])[:80]
    return Finding(
        kind="malformed_arguments",
        subkind=breach.subkind,
        severity=breach.severity,
        confidence=0.9 if breach.severity == "warning" else 0.6,
        title=_TITLES[breach.subkind].format(tool=call.named[:80], keys=keys) + times,
        detail=f"{call.named[:80]}({arguments}) {breach}. "
        + (f"It was answered with {answer!r}." if answer else "Nothing tells what became of the call."),
        advice=_ADVICE[breach.subkind],
        round=call.round,
        last_round=last.round,
        agent_name=turn.agent_name,
        model=turn.model or session.model,
        trace_id=call.trace_id or turn.trace_id,
        span_id=call.span_id or turn.span_id,
        evidence={
            "rule": breach.subkind,
            "missing": list(breach.missing),
            "mistyped": list(breach.mistyped),
            "not_listed": list(breach.not_listed),
            "count": len(broken),
            "calls": [
                {"round": one.round, "position": one.position, "tool": one.named}
                for one, _, _ in broken[:_LISTED]
            ],
            "arguments": arguments,
            "result": answer,
        },
    )
