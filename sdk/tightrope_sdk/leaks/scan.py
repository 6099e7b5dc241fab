"""Finding the tool calls that a text holds: one walk from left to right, in linear time."""

from __future__ import annotations

import heapq
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache

from tightrope_sdk.leaks.context import (
    QUOTE_START,
    Quote,
    begins_clause,
    has_cue,
    is_quoted,
    quote_at,
    whole_fence,
)
from tightrope_sdk.leaks.formats import FORMATS, MARKER
from tightrope_sdk.leaks.model import Format, Leak, Match
from tightrope_sdk.leaks.names import is_placeholder, normalised, normalised_all
from tightrope_sdk.leaks.prompted import marker
from tightrope_sdk.leaks.source import Source, WorkLimit

_CANDIDATE_COST = 16
_CODE_INFOS = """
    python py diff patch js javascript ts typescript jsx tsx html css jinja jinja2 yaml yml toml ini go rust
    java c cpp c# csharp php ruby kotlin swift sql markdown md log console bash sh shell
"""
_CODE = frozenset(_CODE_INFOS.split())
_CHEAP = ('"name"', '"tool', '"action"', '"function', '"recipient_name"')
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))
_THOUGHTS_END = "</think>"


def _signs(formats: Collection[Format]) -> tuple[str, ...]:
    """The shortest set of substrings of which every text with an opener holds at least one."""
    openers = {
        o
        for f in formats
        if f.label not in ("bare_json", "fenced_json", "pythonic", "tool_name_xml")
        for o in f.openers
    }
    return tuple(sorted(o for o in openers if not any(p in o and p != o for p in openers)))


SIGNS: tuple[str, ...] = (*_signs(FORMATS), *_CHEAP, ")]", "</", "&lt;")
"""A text without any of these substrings holds no leak; for checks over whole columns of text."""


def may_leak(text: str, markers: Collection[str] = ()) -> bool:
    """Whether `text` could hold a leak at all: a few substring searches, no parsing."""
    return any(sign in text for sign in SIGNS) or any(_marker_opener(m) in text for m in markers)


def find_leaks(text: str, tools: Collection[str] = (), markers: Collection[str] = ()) -> list[Leak]:
    """The tool calls written in `text`, in order.

    `tools` are the names of the offered tools (empty: not known); calls of other tools count only
    where special tokens prove them. `markers` are conventions of the user's own prompt, written with
    an ellipsis for what varies: `{{PYTHON: …}}`. Text that quotes, documents or implements a format
    holds no leak. The work is linear in the length of the text.
    """
    if not may_leak(text, markers):
        return []
    offered = normalised_all(tuple(tools))
    formats = FORMATS + tuple(_marker_format(m) for m in markers)
    plain, to_raw = _unescaped(text)
    leaks: list[Leak] = []
    for start, end in _pieces(plain):
        piece = plain[start:end] if (start, end) != (0, len(plain)) else plain
        found = _scan(Source(piece, offered, _whole(piece)), formats)
        leaks += [
            Leak(
                x.format, to_raw(x.start + start), to_raw(x.end + start), x.calls, x.truncated, x.tier, x.note
            )
            for x in found
        ]
    return leaks


def _marker_opener(text: str) -> str:
    return re.split(r"…|\.\.\.", text, maxsplit=1)[0].rstrip() or text


@lru_cache(maxsize=256)
def _marker_format(text: str) -> Format:
    """The format of a configured marker."""
    opener = _marker_opener(text)
    closer = re.split(r"…|\.\.\.", text, maxsplit=1)[-1].strip() if opener != text.strip() else ""
    name = re.sub(r"^\W+|\W+$", "", opener) or opener
    return Format(MARKER, "", text, (opener,), marker(name, closer), prompted=True)


def _unescaped(text: str) -> tuple[str, Callable[[int], int]]:
    """`text` with HTML entities resolved once, and the way back from its offsets to those of `text`."""
    if "&lt;" not in text:
        return text, lambda pos: pos
    parts: list[str] = []
    places: list[int] = [0]
    shifts: list[int] = [0]
    last = length = 0
    for match in _ENTITY.finditer(text):
        parts += (text[last : match.start()], _ENTITIES[match[0]])
        length += match.start() - last + 1
        last = match.end()
        places.append(length)
        shifts.append(last - length)
    parts.append(text[last:])
    return "".join(parts), lambda pos: pos + shifts[bisect_right(places, pos) - 1]


def _pieces(text: str) -> list[tuple[int, int]]:
    """The stretches to scan: all of the text, or thoughts and the content of the one fence that follows."""
    start, end = _whole(text)
    fence = whole_fence(text, start, end)
    if fence is None or fence[2] in _CODE or fence[2] == "tool_code":
        return [(0, len(text))]
    return [*([(0, start)] if text[:start].strip() else []), fence[:2]]


def _whole(text: str) -> tuple[int, int]:
    """(start, end) of the message behind its thoughts, without surrounding blanks."""
    start = text.rfind(_THOUGHTS_END)
    start = 0 if start < 0 else start + len(_THOUGHTS_END)
    end = len(text.rstrip())
    return min(end, len(text) - len(text[start:].lstrip())), end


def _occurrences(text: str, opener: str, line_start: bool) -> Iterator[tuple[int, str, bool]]:
    pos = text.find(opener)
    while pos >= 0:
        if not line_start or pos == 0 or text[pos - 1] in "\n \t":
            yield pos, opener, line_start
        pos = text.find(opener, pos + 1)


def _candidates(text: str, formats: Collection[Format]) -> Iterator[tuple[int, str, bool]]:
    openers = {(o, f.line_start) for f in formats for o in f.openers if not o.startswith("```")}
    return heapq.merge(*(_occurrences(text, o, line) for o, line in sorted(openers)))


def _scan(source: Source, formats: Collection[Format]) -> list[Leak]:
    """The leaks of one stretch of text; where the work runs out, those found until then."""
    leaks: list[Leak] = []
    try:
        for leak in _walk(source, formats):
            previous = leaks[-1] if leaks else None
            if previous and _continues(source.text, previous, leak):
                leaks[-1] = Leak(
                    leak.format,
                    previous.start,
                    leak.end,
                    previous.calls + leak.calls,
                    leak.truncated,
                    leak.tier,
                    previous.note or leak.note,
                )
            else:
                leaks.append(leak)
    except WorkLimit:
        pass
    return leaks


def _continues(text: str, previous: Leak, leak: Leak) -> bool:
    """Whether two leaks are calls of one batch: same format, nothing but blanks between them."""
    return (previous.format, previous.tier) == (leak.format, leak.tier) and not text[
        previous.end : leak.start
    ].strip()


def _walk(source: Source, formats: Collection[Format]) -> Iterator[Leak]:
    by_opener: dict[tuple[str, bool], list[Format]] = {}
    for f in formats:
        for opener in f.openers:
            by_opener.setdefault((opener, f.line_start), []).append(f)
    fenced = [(o, fs) for (o, _), fs in by_opener.items() if o.startswith("```")]
    quotes = QUOTE_START.finditer(source.text)
    quote = next(quotes, None)
    pos = 0
    for at, opener, line_start in _candidates(source.text, formats):
        while quote is not None and quote.start() <= at:
            if quote.start() >= pos and (region := quote_at(source, quote)):
                leak = _in_fence(source, region, fenced) if region.fence else None
                if leak:
                    yield leak
                pos = region.end
            quote = next(quotes, None)
        source.spend(_CANDIDATE_COST)
        if at < pos:
            continue
        for f in by_opener[opener, line_start]:
            match = f.grammar(source, at, at + len(opener))
            if match is not None:
                pos = match.end
                leak = None if match.plain else _judged(source, f, match, at)
                if leak:
                    yield leak
                break
        else:
            leak = _lone_opener(source, by_opener[opener, line_start][0], at, at + len(opener))
            if leak:
                yield leak
                pos = leak.end
    while quote is not None:
        if quote.start() >= pos and (region := quote_at(source, quote)):
            leak = _in_fence(source, region, fenced) if region.fence else None
            if leak:
                yield leak
            pos = region.end
        quote = next(quotes, None)


def _in_fence(source: Source, region: Quote, fenced: list[tuple[str, list[Format]]]) -> Leak | None:
    """The call that a fence holds, where its kind is one of those that carry calls."""
    for opener, formats in fenced:
        if source.text.startswith(opener, region.body - len(opener)):
            match = formats[0].grammar(source, region.start, region.body)
            return _judged(source, formats[0], match, region.start) if match else None
    return None


def _judged(source: Source, f: Format, match: Match, at: int) -> Leak | None:
    """The match as a leak, or None where its context or its names speak against it."""
    start = at if match.start is None else match.start
    soft = match.soft
    if f.label in ("fenced_json", "tool_code") or (f.label == "bare_json" and soft):
        if has_cue(source.text, start):
            return None
    elif is_quoted(source.text, start, match.end):
        return None
    if not match.calls and not (match.proof or match.note) and not begins_clause(source.text, start):
        return None
    if any(is_placeholder(name, arguments, source.offered) for name, arguments in match.calls):
        return None
    if f.label != MARKER and not (f.special or match.proof):
        if source.offered and any(normalised(name) not in source.offered for name, _ in match.calls):
            return None
        if not source.offered and f.label in ("pythonic", "react", "tool_code", "fenced_json"):
            soft = True
    return Leak(
        f.label, start, match.end, match.calls, match.truncated, "soft" if soft else "strict", match.note
    )


def _lone_opener(source: Source, f: Format, at: int, end: int) -> Leak | None:
    """A marker with no call behind it: at the end of the text, or, for a special token, on its own line."""
    if f.line_start or source.text[end - 1] not in ">]" or not begins_clause(source.text, at):
        return None
    if source.at_end(end):
        if not is_quoted(source.text, at, end):
            return Leak(f.label, at, end, truncated=True, note="only the marker of a call")
    elif f.special and source.text[end : end + 1] in "\r\n" and not is_quoted(source.text, at, end):
        return Leak(f.label, at, end, note="only the marker of a call")
    return None
