"""JSON text, and what to do with values that JSON or Polars has no type for."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import orjson

DAY_NS = 86_400 * 10**9

_HALVES = re.compile(
    r"(?:\\\\)+"  # backslashes that are text, so that what follows is no escape
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def from_json(text: str) -> Any:
    """What JSON text holds, also where it holds halves of characters. Raises ValueError for no JSON."""
    try:
        return orjson.loads(text)
    except ValueError:
        mended = without_halves(text)
        if mended == text:
            raise
        return orjson.loads(mended)


def without_halves(text: str) -> str:
    """JSON text with U+FFFD for each escaped half of a surrogate pair, in as many characters.

    JavaScript and Java cut text between UTF-16 units, so in the middle of an emoji.
    """
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _HALVES.sub(lambda found: r"\ufffd" if found["half"] else found[0], text)


def to_json(content: Any, *, indent: bool = False) -> bytes:
    """`content` as JSON: times as ISO 8601 (without an offset they are UTC), NaN as null.

    Decimals become numbers, intervals ISO 8601 durations, bytes hex text.
    """
    option = orjson.OPT_NAIVE_UTC | orjson.OPT_UTC_Z | (orjson.OPT_INDENT_2 if indent else 0)
    return orjson.dumps(content, default=_plain, option=option)


def iso_duration(months: int, days: int, nanoseconds: int) -> str:
    """An interval as ISO 8601 writes it: `PT1.5S`, `P1M2D`; each part carries its own sign."""
    date = f"{months}M" * (months != 0) + f"{days}D" * (days != 0)
    seconds = f"{nanoseconds / 1e9:.9f}".rstrip("0").rstrip(".")
    return f"P{date}" + (f"T{seconds}S" if nanoseconds or not date else "")


def nanoseconds_of(interval: Any) -> int | None:
    """The length of an Arrow month-day-nano interval; None for one with months, which have no length."""
    return None if interval.months else int(interval.days) * DAY_NS + int(interval.nanoseconds)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        number = int(value) if value == value.to_integral_value() else float(value)
        return number if abs(number) < 2**63 else str(value)
    if isinstance(value, timedelta):
        return iso_duration(0, value.days, value.seconds * 10**9 + value.microseconds * 1000)
    if isinstance(value, tuple) and hasattr(value, "nanoseconds"):  # Arrow's month-day-nano interval
        return iso_duration(*value)
    if isinstance(value, bytes):
        return value.hex()
    return str(value)
