"""Telemetry as text that is safe to show.

Everything an agent sends is untrusted. It reaches the screen as plain text (`visible`), or, where a
Streamlit label would read it as Markdown, with every Markdown meaning taken from it (`plain`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

SHOWN_CHARACTERS = 20_000
"""The longest text that one box shows; more would stall the browser."""

_CONTROLS = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"}
_CONTROLS |= {0x0D: "", 0x7F: "␡"} | {code: f"⟨U+{code:04X}⟩" for code in range(0x80, 0xA0)}
# Characters that reorder or hide their neighbours: a name could look like another one.
_CONTROLS |= {
    code: f"⟨U+{code:04X}⟩"
    for code in (
        0x061C,
        0x200B,
        0x200E,
        0x200F,
        *range(0x202A, 0x202F),
        0x2060,
        *range(0x2066, 0x206A),
        0xFEFF,
    )
}
_SURROGATE = re.compile("[\ud800-\udfff]")
_INLINE_MEDIA = re.compile(r"data:([a-z]{1,20}/[a-z0-9.+-]{1,60});base64,([A-Za-z0-9+/=]{200,})")

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+.!|~<>$&^=-])")
# Read from the parsed text, where a backslash is gone already: icons, emoji, arrows, links, addresses.
_AFTERWARDS = re.compile(r"(:|@|www(?=\.)|-(?=[->])|<(?=-)|=(?=>))")
_JOINER = "\u2060"


def visible(text: str) -> str:
    """The text with nothing hidden: control, zero-width and direction characters are spelled out.

    Embedded base64 media are folded to their type and size; lone surrogates become U+FFFD.
    """
    folded = _INLINE_MEDIA.sub(lambda m: f"[{m[1]}, {len(m[2]) * 3 // 4:,} bytes]", text)
    return _SURROGATE.sub("\ufffd", folded).translate(_CONTROLS)


def one_line(text: str | None, length: int = 200) -> str:
    """The text on one line, cut to `length` characters."""
    if not text:
        return ""
    line = " ".join(visible(text[: 2 * length]).split())
    return line if len(line) <= length else line[: length - 1] + "…"


def plain(text: str | None, length: int = 200) -> str:
    """The text as a one-line label that Markdown shows letter by letter."""
    return _MARKDOWN.sub(r"\\\1", _AFTERWARDS.sub(rf"\1{_JOINER}", one_line(text, length)))


def shown(text: str, length: int = SHOWN_CHARACTERS) -> tuple[str, str]:
    """What one box shows of the text, and a note "N of M characters" ("" when it is whole)."""
    if len(text) <= length:
        return visible(text), ""
    return visible(text[:length]), f"{length:,} of {len(text):,} characters"


def pretty(value: Any) -> str:
    """Arguments as a person reads them: JSON indented, text as it is."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return str(value)
    if isinstance(value, str):
        return value
    return json.dumps(value, indent=2, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a text. `mark` says what it is ("" for ordinary text)."""

    text: str
    mark: str = ""


def segments(text: str, marks: Iterable[tuple[int, int, str]]) -> list[Segment]:
    """The text cut at its marked ranges (start, end, mark), in order.

    Ranges that overlap an earlier one or lie outside the text are clipped.
    """
    pieces: list[Segment] = []
    at = 0
    for first, last, mark in sorted(marks):
        start, end = max(first, at), min(last, len(text))
        if start >= end:
            continue
        if text[at:start].strip():
            pieces.append(Segment(text[at:start].strip("\n")))
        pieces.append(Segment(text[start:end], mark))
        at = end
    if text[at:].strip():
        pieces.append(Segment(text[at:].strip("\n")))
    return pieces


def moment(value: str) -> datetime:
    """A time of the API (ISO 8601, UTC)."""
    time = datetime.fromisoformat(value)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def duration(seconds: float) -> str:
    """Seconds as a person says them: `350 ms`, `12.4 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
    return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:.0f} min"


def worded_count(count: int, noun: str) -> str:
    """`1 session`, `1,234 sessions`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def counted(number: int) -> str:
    """A count, shortened where it is large: `950`, `18.0 k`, `5.65 M`, `6.01 G`."""
    if number < 10_000:
        return f"{number:,}"
    if number < 1_000_000:
        return f"{number / 1e3:.1f} k"
    return f"{number / 1e6:.2f} M" if number < 1_000_000_000 else f"{number / 1e9:.2f} G"
