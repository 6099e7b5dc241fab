"""Attribute values to Python: JSON held in text, ids, numbers, lists; nothing here raises.

Telemetry writes the same value as an AnyValue, as JSON text, or as JSON text of JSON text, and one
emitter may do all three.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import orjson

from collector.encoding import from_json

_MAX_DECODES = 3
_MAX_DEPTH = 254
"""Levels of JSON that are read: what orjson writes. Comparing deeper values would overflow the stack."""
_MIN_DEEP = 2 * _MAX_DEPTH
_MAX_ID_CHARS = 1_000
_MAX_COUNT = 10**12
_JSON_STARTS = frozenset('{["')


def decode(value: Any) -> Any:
    """`value` with JSON text decoded, up to three times over; text that is not JSON, or JSON of more than
    254 levels, stays as it is."""
    if not isinstance(value, str):
        return value
    for _ in range(_MAX_DECODES):
        if not isinstance(value, str) or not value or (value[0] not in _JSON_STARTS and not _indented(value)):
            return value
        try:
            decoded = from_json(value)
        except ValueError:
            return value
        if len(value) > _MIN_DEEP and value.count("{") + value.count("[") > _MAX_DEPTH and _too_deep(decoded):
            return value
        value = decoded
    return value


def _too_deep(value: Any) -> bool:
    try:
        orjson.dumps(value)
    except TypeError:
        return True
    return False


def decode_once(value: str) -> Any:
    """`value` as JSON, else as it is."""
    try:
        return from_json(value)
    except ValueError:
        return value


def _indented(value: str) -> bool:
    return value[0].isspace() and value[:64].lstrip()[:1] in _JSON_STARTS


def decode_object(value: Any) -> Any:
    """`value` decoded where that gives an object or a list, else the text as it came.

    For values that are text in their own right (a tool's plain result): `"42"` stays what it is.
    """
    decoded = decode(value)
    return decoded if isinstance(decoded, dict | list) else value


def to_json(value: Any) -> str:
    """`value` as JSON text, whatever its depth and types."""
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    except (TypeError, ValueError):  # deeper than 254 levels, or an integer of more than 64 bits
        try:
            return json.dumps(value, default=str)
        except (TypeError, ValueError, RecursionError):
            return json.dumps(f"<{type(value).__name__} too deep to write>")


def decode_text(text: str | None) -> Any:
    """What `to_json` wrote; None for None."""
    if text is None:
        return None
    try:
        return orjson.loads(text)
    except ValueError:  # integers and depths beyond orjson's
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text


def text_of(value: Any) -> str:
    """`value` as one line of text would hold it: text as it is, None as "", all else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else to_json(value)


def identifier(value: Any) -> str:
    """An id as the agent gave it: unquoted, numbers as text; "" for what cannot be an id."""
    if value is None:
        return ""
    if isinstance(value, str):
        value = value.strip()
        if value[:1] != '"':
            return value if len(value) <= _MAX_ID_CHARS else ""
        value = decode(value)
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    text = str(value).strip()
    return text if len(text) <= _MAX_ID_CHARS else ""


def integer(value: Any) -> int | None:
    """A count or index that fits 64 bits; None for anything else (also bools and fractions)."""
    if value is None:
        return None
    if isinstance(value, str):
        if len(value) > 20:
            return None
        try:
            value = int(value)
        except ValueError:
            return None
    elif isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if -(2**63) <= value < 2**63 else None


def count(value: Any) -> int | None:
    """A number of tokens; None for what cannot be one (negative, or beyond any model's)."""
    number = integer(value)
    return number if number is not None and 0 <= number <= _MAX_COUNT else None


def ordinal(value: Any) -> int | None:
    """A round's or step's number as its emitter counts; None for what cannot be one."""
    number = integer(value)
    return number if number is not None and 0 <= number < 2**31 else None


def boolean(value: Any) -> bool | None:
    """A flag, written as bool or as the text `true` or `false`."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.lower()) if isinstance(value, str) else None


def first(attributes: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """The first of `keys` that has a value; None where none has."""
    for key in keys:
        value = attributes.get(key)
        if value is not None and value != "":
            return value
    return None


def first_text(attributes: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """The first of `keys` that holds non-empty text; "" where none does."""
    for key in keys:
        value = attributes.get(key)
        if value and isinstance(value, str):
            return value
    return ""
