"""Finding the tool calls that a text holds: one walk from left to right, in linear time."""

from __future__ import annotations

import heapq
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter

from tightrope_sdk.leaks.context import (
    QUOTE_START,
    Quote,
    begins_clause,
    is_material,
    is_offered_as_action,
    is_quoted,
    quote_at,
    whole_fence,
)
from tightrope_sdk.leaks.fenced import LANGUAGES
from tightrope_sdk.leaks.formats import FORMATS, MARKER
from tightrope_sdk.leaks.model import Call, Format, Leak, Match, Tier
from tightrope_sdk.leaks.names import is_placeholder, normalised, normalised_all
from tightrope_sdk.leaks.prompted import marker
from tightrope_sdk.leaks.source import Source, WorkLimit

_EVENT_COST = 16
_INDENT = 13
_JUDGE_COST = 200
_TAGGED = 20_000
_LONGEST_MARKER = 40
_SHORTEST_HALF = 6
_CODE_INFOS = """
    python py diff patch js javascript ts typescript jsx tsx html css jinja jinja2 yaml yml toml ini go rust
    java c cpp c# csharp php ruby kotlin swift sql markdown md log console bash sh shell
"""
_CODE = frozenset(_CODE_INFOS.split())
_TOKEN_START = re.compile(r"^(<[|｜]).*")
_JSON_KEYS = ('"name"', '"tool', '"action"', '"function', '"recipient_name"')
_HARMLESS = frozenset({"<|channel|>commentary", "<|channel|>analysis to=", "<|start|>assistant"})
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))
_THOUGHTS_END = "</think>"


def _signs(formats: Collection[Format]) -> tuple[str, ...]:
    """The shortest set of substrings of which every text with a marked opener holds at least one."""
    openers = {o for f in formats for o in f.openers if len(o) > 2 and not o.startswith("```")}
    signs = {_TOKEN_START.sub(r"\1", o) for o in openers}
    return tuple(sorted(s for s in signs if not any(other in s and other != s for other in signs)))


_FENCES = tuple(f"```{info}\n" for info in ("tool_code", *LANGUAGES))
SIGNS: tuple[str, ...] = (*_signs(FORMATS), *_JSON_KEYS, ")]", "</", ">\n<", "&lt;", *_FENCES)
"""A text without any of these substrings holds no whole marker and no call without one."""
_RARE = '<["`&'
_HINTS = tuple(dict.fromkeys(next((c for c in _RARE if c in sign), sign) for sign in (*SIGNS, "[")))
"""Fewer substrings of which every sign and every half of a marker holds one: most texts have none."""


def may_leak(text: str, markers: Collection[str] = ()) -> bool:
    """Whether `text` could hold a leak at all: a few substring searches, no parsing."""
    if markers and any(_marker_opener(m) in text for m in markers):
        return True
    for hint in _HINTS:
        if hint in text:
            break
    else:
        return False
    if any(sign in text for sign in SIGNS):
        return True
    tail = text[-2 * _LONGEST_MARKER :].rstrip()
    return _half(tail, len(tail)) is not None


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
    openers = _openers(tuple(markers))
    plain, to_raw = _unescaped(text)
    leaks: list[Leak] = []
    for start, end in _pieces(plain):
        piece = plain[start:end] if (start, end) != (0, len(plain)) else plain
        for found in _scan(Source(piece, offered, _whole(piece)), openers):
            leaks.append(replace(found, start=to_raw(found.start + start), end=to_raw(found.end + start)))
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


@dataclass(frozen=True, slots=True)
class _Opener:
    """A literal opener and the formats it may open, first choice first."""

    text: str
    line_start: bool
    formats: tuple[Format, ...]

    @property
    def fenced(self) -> bool:
        return self.text.startswith("```")


@lru_cache(maxsize=64)
def _openers(markers: tuple[str, ...]) -> tuple[_Opener, ...]:
    """All openers in the order of the table, those of the configured markers last."""
    found: dict[tuple[str, bool], list[Format]] = {}
    for f in (*FORMATS, *map(_marker_format, markers)):
        for opener in f.openers:
            found.setdefault((opener, f.line_start), []).append(f)
    return tuple(_Opener(text, line, tuple(formats)) for (text, line), formats in found.items())


_Event = tuple[int, int, "_Opener | re.Match[str]"]
"""(position, rank, what begins there); a quoted region ranks before the openers."""


def _quotes(text: str) -> Iterator[_Event]:
    for match in QUOTE_START.finditer(text):
        yield match.start(), -1, match


def _begins_line(text: str, pos: int) -> bool:
    """Whether at most a few blanks stand before `pos` on its line."""
    first = max(0, pos - _INDENT)
    newline = text.rfind("\n", first, pos)
    return (newline >= 0 or first == 0) and not text[max(newline + 1, first) : pos].strip()


def _occurrences(text: str, rank: int, opener: _Opener) -> Iterator[_Event]:
    pos = text.find(opener.text)
    while pos >= 0:
        if not opener.line_start or _begins_line(text, pos):
            yield pos, rank, opener
        pos = text.find(opener.text, pos + 1)


def _scan(source: Source, openers: Sequence[_Opener]) -> list[Leak]:
    """The leaks of one stretch of text, adjacent calls of one format joined.

    Where the work runs out, those found until then.
    """
    batches: list[list[Leak]] = []
    try:
        for leak in _walk(source, openers):
            if batches and _continues(source.text, batches[-1][-1], leak):
                batches[-1].append(leak)
            else:
                batches.append([leak])
    except WorkLimit:
        pass
    return [
        replace(
            batch[0],
            end=batch[-1].end,
            calls=tuple(call for leak in batch for call in leak.calls),
            truncated=batch[-1].truncated,
        )
        for batch in batches
    ]


def _continues(text: str, previous: Leak, leak: Leak) -> bool:
    """Whether two leaks are calls of one batch: same format, nothing but blanks between them."""
    same = (previous.format, previous.tier) == (leak.format, leak.tier)
    return same and not text[previous.end : leak.start].strip()


def _walk(source: Source, openers: Sequence[_Opener]) -> Iterator[Leak]:
    """The leaks from left to right; quoted regions and what a grammar has read are stepped over."""
    text, pos = source.text, 0
    starts = (_occurrences(text, rank, o) for rank, o in enumerate(openers) if not o.fenced)
    fences = [o for o in openers if o.fenced]
    for at, _, event in heapq.merge(_quotes(text), *starts, key=itemgetter(0, 1)):
        source.spend(_EVENT_COST)
        if at < pos:
            continue
        if isinstance(event, _Opener):
            leak, pos = _opened(source, event, at)
        else:
            region = quote_at(source, event)
            if region is None:
                continue
            leak, pos = _in_fence(source, region, fences) if region.fence else None, region.end
        if leak:
            yield leak
    if (half := _half_marker(source, max(pos, source.read_to))) is not None:
        yield half


def _half(text: str, end: int) -> tuple[int, Format] | None:
    """Where the first part of a marker begins that is the last of `text[:end]`, and the marker's format."""
    first = max(0, end - _LONGEST_MARKER)
    for at in (text.rfind(sign, first, end) for sign in "<["):
        part = text[at:end]
        if at >= 0 and len(part) >= _SHORTEST_HALF and not part[1:].isalpha():
            for f in FORMATS:
                if any(o.startswith(part) and o != part and o not in _HARMLESS for o in f.openers):
                    return at, f
    return None


def _half_marker(source: Source, pos: int) -> Leak | None:
    """The first part of a marker at the very end of the text: there the stream broke off."""
    end = source.whole[1]
    half = _half(source.text, end)
    if half is None or half[0] < pos or not begins_clause(source, half[0]) or is_quoted(source, half[0], end):
        return None
    return Leak(half[1].label, half[0], end, truncated=True, note="half a marker")


def _opened(source: Source, opener: _Opener, at: int) -> tuple[Leak | None, int]:
    """What an opener at `at` begins, and where to go on."""
    body = at + len(opener.text)
    for f in opener.formats:
        source.spend(_EVENT_COST)
        match = f.grammar(source, at, body)
        if match is not None:
            leak = None if match.plain else _judged(source, f, match, at)
            source.read_to = match.end
            return leak, match.end
    leak = _lone(source, opener.formats[0], at, body)
    return leak, body if leak else at


def _in_fence(source: Source, region: Quote, fences: Sequence[_Opener]) -> Leak | None:
    """The call that a fence holds, where its kind is one of those that carry calls."""
    for opener in fences:
        if source.text.startswith(opener.text, region.body - len(opener.text)):
            match = opener.formats[0].grammar(source, region.start, region.body)
            if match:
                return _judged(source, opener.formats[0], match, region.start)
    return _tagged(source, region)


def _tagged(source: Source, region: Quote) -> Leak | None:
    """A fence that holds a call in its own tags and nothing else, offered as the action."""
    body = source.text[region.body : region.end].rstrip().removesuffix("```").strip()
    if region.info in _CODE or len(body) > _TAGGED or not body.startswith(("<", "[")) or not source.offered:
        return None
    if not is_offered_as_action(source, region.start, region.end):
        return None
    inner, pos, label = Source(body, source.offered), 0, ""
    calls: list[Call] = []
    while pos < len(body):
        leak = next((found for o in _openers(()) if (found := _starting(inner, o, pos))), None)
        source.spend(_JUDGE_COST)
        if leak is None or not leak.calls:
            return None
        label, pos = leak.format, inner.skip_space(leak.end)
        calls += leak.calls
    return Leak(label, region.start, region.end, tuple(calls), tier="soft")


def _starting(source: Source, opener: _Opener, at: int) -> Leak | None:
    """The leak that begins with that opener at `at`, if any."""
    return _opened(source, opener, at)[0] if source.text.startswith(opener.text, at) else None


def _judged(source: Source, f: Format, match: Match, at: int) -> Leak | None:
    """The match as a leak, or None where its names or its context speak against it."""
    start = at if match.start is None else match.start
    source.spend(_JUDGE_COST)
    if f.label != MARKER:
        if any(is_placeholder(name, arguments, source.offered) for name, arguments in match.calls):
            return None
        known = not source.offered or all(normalised(name) in source.offered for name, _ in match.calls)
        if not (known or f.special or match.proof or _ends_turn(source, f, match, start)):
            return None
    if not match.calls and not match.proof and not begins_clause(source, start):
        return None
    quoted = is_material if match.soft or f.fenced else is_quoted
    if quoted(source, start, match.end):
        return None
    tier: Tier = "soft" if match.soft else "strict"
    return Leak(f.label, start, match.end, match.calls, match.truncated, tier, match.note)


def _ends_turn(source: Source, f: Format, match: Match, start: int) -> bool:
    """Whether a whole call in its own tags is the last thing said: the model stopped for its result."""
    return (
        f.section != ""
        and source.text.startswith(f.section, start)
        and bool(match.calls)
        and not match.truncated
        and source.at_end(match.end)
        and begins_clause(source, start)
    )


def _lone(source: Source, f: Format, at: int, end: int) -> Leak | None:
    """A marker with no call behind it: at the end of the text, or, for a special token, on its own line."""
    if f.line_start or source.text[end - 1] not in ">]" or not begins_clause(source, at):
        return None
    cut = source.at_end(end)
    if not cut and not (f.special and source.text[end] in "\r\n"):
        return None
    source.spend(_JUDGE_COST)
    if is_quoted(source, at, end):
        return None
    return Leak(f.label, at, end, truncated=cut, note="only the marker of a call")
