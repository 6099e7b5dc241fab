"""# leaked_tool_call

## What it finds
The assistant's text holds a tool call that the server's parser did not take: the model called a tool,
the harness saw only prose, and nothing ran. The format is named, the calls in it are parsed, and the
advice names the server flag that would have caught it. Four places, told apart by subkind:

- `text`: the call stands in the answer;
- `reasoning`: the call stands in the reasoning, and no structured call followed in that round;
- `server_error`: the server itself failed on the call and said so;
- `residue`: the call was parsed or executed, but its markers stayed in the text.

A whole match of a grammar is a warning, and critical when the run ended on it: then it looks as if the
model had refused. What is only likely (a fence with a call of an offered tool, or with a command for the
one that runs commands, announced and never run) is an info.

## Why it matters
It looks like a model that is bad at tools and is a server with the wrong parser: every call of the run
is lost, and retries and prompt changes cannot help.

## Quiet on
Text, code and logs that quote, explain or implement such syntax: fences and inline code (unless the
fence is the whole message or is announced as the next step), quoted lines, log lines, options of a quiz,
what stands under a heading or behind a line that presents it while the text goes on about it;
placeholders; tools that were not offered; text protocols whose harness executed the call; markers of one's
own prompt, until they are listed in `markers`.

## Fix
Set the parser flag that the advice names and test with `tool_choice: "auto"`. A test with
`tool_choice: "required"` does not prove that `auto` works: it goes through guided decoding.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from tightrope_sdk.leaks import MARKER, Leak, advice, by_label, find_leaks, find_server_error

from analyzers.model import Finding, Round, Session, Severity
from analyzers.registry import AnalyzerError, analyzer

Subkind = Literal["text", "reasoning", "server_error", "residue"]
_MAX_LEAKS = 20
_EXCERPT = 200
_VALUE = 500
_NAMES = 3
_ANSWERED = re.compile(
    r"\s*(?:Observation\b|<tool_respon|<tool_result|<function_results?>|\[[\w.-]{1,64} for "
    r"|\[?Tool (?:result|output)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LeakedToolCallSettings:
    """Settings of `leaked_tool_call`."""

    markers: tuple[str, ...] = field(
        default=(),
        metadata={
            "help": "Markers of your own prompt that must never reach the reader, with an ellipsis for what "
            "varies: `{{PYTHON: …}}`, `[CREATE_TASK …]`. Others are never a leak."
        },
    )
    min_tier: str = field(
        default="soft",
        metadata={
            "help": "`soft` also reports likely leaks, as info; `strict` only whole matches of a grammar."
        },
    )
    ignore_formats: tuple[str, ...] = field(
        default=(),
        metadata={"help": "Formats that your harness reads from the text itself, e.g. `react`."},
    )

    def __post_init__(self) -> None:
        if self.min_tier not in ("soft", "strict"):
            raise AnalyzerError(f'min_tier must be "soft" or "strict", not {self.min_tier!r}')


@dataclass(frozen=True, slots=True)
class _Hit:
    """One leak where it was found; `ended`: nothing followed it."""

    turn: Round
    place: Literal["text", "reasoning", "error"]
    subkind: Subkind
    leak: Leak
    ended: bool
    server: str = ""


@analyzer("leaked_tool_call", LeakedToolCallSettings())
def leaked_tool_call(session: Session, settings: LeakedToolCallSettings) -> Iterator[Finding]:
    """One finding per agent, place and format."""
    tools = _tools(session)
    for rounds in session.agents().values():
        groups: dict[tuple[str, str], list[_Hit]] = {}
        for turn, following in zip(rounds, (*rounds[1:], None), strict=True):
            for hit in _hits(turn, following, tools, settings):
                if hit.leak.format not in settings.ignore_formats:
                    groups.setdefault((hit.subkind, hit.leak.format), []).append(hit)
        structured = sum(len(turn.calls) for turn in rounds)
        for hits in groups.values():
            yield _finding(hits, structured, known=bool(tools))


def _tools(session: Session) -> tuple[str, ...]:
    """The offered tools and those that were called, since telemetry seldom lists them all; () if unknown."""
    if not session.tools:
        return ()
    names = [tool.name for tool in session.tools] + [call.tool for call in session.calls()]
    return tuple(dict.fromkeys(names))


def _hits(
    turn: Round, following: Round | None, tools: tuple[str, ...], settings: LeakedToolCallSettings
) -> Iterator[_Hit]:
    """The leaks of one round, wherever they are."""
    ended = following is None and not turn.calls
    for leak in find_leaks(turn.text, tools, settings.markers):
        if leak.tier == "soft" and (settings.min_tier == "strict" or (turn.calls and leak.calls)):
            continue
        subkind = _subkind(leak, turn, following)
        if subkind:
            yield _Hit(turn, "text", subkind, leak, ended)
    if turn.reasoning and not turn.calls:
        for leak in find_leaks(turn.reasoning, tools, settings.markers):
            if leak.tier == "strict" and _subkind(leak, turn, following) == "text":
                yield _Hit(turn, "reasoning", "reasoning", leak, ended and not turn.text.strip())
    failure = find_server_error(turn.error, tools) if turn.error else None
    if failure:
        leak = failure.leak or Leak(failure.format, failure.start, failure.end)
        yield _Hit(turn, "error", "server_error", leak, ended, failure.server)


def _subkind(leak: Leak, turn: Round, following: Round | None) -> Literal["text", "residue", ""]:
    """`text` for a lost call, `residue` for what was executed all the same, "" for a text protocol."""
    later = following.calls if following else ()
    ran = turn.calls + tuple(call for call in later if call.result is not None)
    prompted = leak.format == MARKER or getattr(by_label(leak.format), "prompted", False)
    if leak.format == MARKER and turn.calls:
        return ""
    if following and _ANSWERED.match(following.user_text):
        return ""
    if leak.format == "fenced_code" and following and following.user_text:
        return ""  # code that the reader may run, and has answered
    if turn.calls and not leak.calls:
        return "residue"
    if leak.calls and all(
        any(_same(name, arguments, call.named, call.arguments, leak.truncated) for call in ran)
        for name, arguments in leak.calls
    ):
        return "" if prompted else "residue"
    return "text"


def _same(name: str, arguments: Any, called: str, given: Any, truncated: bool) -> bool:
    """Whether a written call is the structured one; written values may be the text of what was given."""
    plain = [re.sub(r"^functions?[._]|[^a-z0-9]", "", text.lower()) for text in (name, called)]
    if plain[0] != plain[1]:
        return False
    if truncated or not isinstance(arguments, dict) or not isinstance(given, dict):
        return truncated or arguments == given or not isinstance(given, dict)
    return {k: _text(v) for k, v in arguments.items()} == {k: _text(v) for k, v in given.items()}


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _finding(hits: list[_Hit], structured: int, *, known: bool) -> Finding:
    first, last = hits[0], hits[-1]
    subkind, label = first.subkind, first.leak.format
    strict = any(hit.leak.tier == "strict" for hit in hits)
    names = list(dict.fromkeys(name for hit in hits for name, _ in hit.leak.calls))
    lost = sum(max(1, len(hit.leak.calls)) for hit in hits)
    intended = lost + structured
    return Finding(
        kind="leaked_tool_call",
        subkind=subkind,
        title=_title(subkind, label, names),
        detail=_detail(hits, subkind, label, lost, intended),
        advice=_advice(first),
        severity=_severity(hits, subkind, strict),
        confidence=0.5 if not strict else 0.97 if known or subkind == "server_error" else 0.9,
        round=first.turn.round,
        last_round=last.turn.round,
        agent_name=first.turn.agent_name,
        model=first.turn.model,
        trace_id=first.turn.trace_id,
        span_id=first.turn.span_id,
        evidence={
            "rule": f"{subkind}/{'strict' if strict else 'soft'}",
            "format": label,
            "count": len(hits),
            "rounds": list(dict.fromkeys(hit.turn.round for hit in hits)),
            "calls_leaked": lost,
            "calls_intended": intended,
            "leaks": [_evidence(hit) for hit in hits[:_MAX_LEAKS]],
        },
    )


def _title(subkind: Subkind, label: str, names: list[str]) -> str:
    what = ", ".join(names[:_NAMES]) or "a tool call"
    if len(names) > _NAMES:
        what += f" and {len(names) - _NAMES} more"
    form = f" ({label})" if label else ""
    return {
        "text": f"{what} leaked as text{form}",
        "reasoning": f"{what} leaked into the reasoning{form}",
        "server_error": f"the server failed to parse {what}{form}",
        "residue": f"markers of {what} stayed in the text{form}",
    }[subkind]


def _detail(hits: list[_Hit], subkind: Subkind, label: str, lost: int, intended: int) -> str:
    rounds = len({hit.turn.round for hit in hits})
    where = f"in {rounds} round{'s' if rounds > 1 else ''}"
    if subkind == "residue":
        return f"The calls were executed, but {label} markers stayed in the text {where}."
    if subkind == "server_error":
        return (
            f"The tool-call parser of {hits[0].server} failed {where}: {_clip(hits[0].turn.error, _EXCERPT)}"
        )
    place = "the reasoning" if subkind == "reasoning" else "the text"
    cut = " The text breaks off within the call." if any(hit.leak.truncated for hit in hits) else ""
    end = " The run ended on it." if any(hit.ended for hit in hits) else ""
    return f"{lost} of {intended} intended calls stood in {place} {where} and did not run.{cut}{end}"


def _advice(hit: _Hit) -> str:
    if hit.leak.format:
        return advice(hit.leak.format)
    return (
        f"The parser of {hit.server} could not read what the model wrote. Update the server, and check "
        "that its tool-call parser and chat template are those of the model."
    )


def _severity(hits: list[_Hit], subkind: Subkind, strict: bool) -> Severity:
    if subkind == "residue" or not strict:
        return "info"
    if any(hit.ended for hit in hits):
        return "critical"
    if subkind == "reasoning" and all(hit.turn.text.strip() for hit in hits):
        return "info"
    return "warning"


def _evidence(hit: _Hit) -> dict[str, Any]:
    text = getattr(hit.turn, hit.place)
    leak = hit.leak
    return {
        "round": hit.turn.round,
        "place": hit.place,
        "format": leak.format,
        "start": leak.start,
        "end": leak.end,
        "excerpt": _clip(text[leak.start : leak.end], _EXCERPT),
        "calls": [
            {"name": name, "arguments": _plain(arguments)} for name, arguments in leak.calls[:_MAX_LEAKS]
        ],
        "truncated": leak.truncated,
        "tier": leak.tier,
        "note": leak.note,
    }


def _clip(text: str, length: int) -> str:
    """At most `length` characters, all of them encodable."""
    short = text if len(text) <= length else text[: length - 1] + "…"
    return short.encode("utf-8", "replace").decode()


def _plain(value: Any) -> Any:
    """`value` as JSON that any database takes: long text clipped, no NaN, no tuples or sets."""
    if isinstance(value, str):
        return _clip(value, _VALUE)
    if isinstance(value, dict):
        return {_clip(str(k), _VALUE): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(v) for v in list(value)[:_VALUE]]
    if value is None or isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return _clip(str(value), _VALUE)
