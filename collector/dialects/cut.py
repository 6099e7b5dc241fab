"""JSON that a length limit cut off: read as far as it goes.

An exporter that cuts long attribute values (`OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT`) cuts JSON in the
middle. What stands before the cut is whole, but for the values that were open when it came.
"""

from __future__ import annotations

import re
from typing import Any

from pydantic_core import from_json

from collector.encoding import without_halves

_TOKENS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?P<end>"?)|[][{}]', re.DOTALL)
_ARGUMENTS = frozenset(["arguments", "args", "input"])
"""Keys under which the shapes that `messages` reads hold the arguments of a call."""
_TEXTS = _ARGUMENTS | {"content", "text", "thinking", "response", "result", "output"}
"""Keys whose text says something even when its end is missing; half a name or an id is none."""


def read_cut(text: str) -> Any:
    """The list or object that `text` begins; None where it is broken elsewhere than at its end.

    Of a text that the cut left open there is the beginning. A call's arguments that it left open stay
    the text they came as, so that nobody takes them for whole.
    """
    starts, open_text = _open_at_end(text)
    if not starts:
        return None
    try:
        value = from_json(text, allow_partial="trailing-strings")
    except ValueError:
        try:
            value = from_json(without_halves(text), allow_partial="trailing-strings")
        except ValueError:
            return None
    inner = value
    for start in starts[1:]:
        key = next(reversed(inner)) if isinstance(inner, dict) else -1
        if key in _ARGUMENTS and isinstance(inner[key], dict):
            inner[key] = text[start:]
            return value
        inner = inner[key]
        if not isinstance(inner, dict | list) or not inner:
            return value  # a key stands twice: the last is not the open one
    if open_text and isinstance(inner, dict) and next(reversed(inner)) not in _TEXTS:
        inner.popitem()
    return value


def _open_at_end(text: str) -> tuple[list[int], bool]:
    """Where the brackets stand that are never closed, the outermost first, and whether the end is
    in the middle of an object's or a list's text."""
    starts: list[int] = []
    open_text = False
    for token in _TOKENS.finditer(text):
        mark = token[0]
        if mark in "{[":
            starts.append(token.start())
        elif mark in "}]":
            if len(starts) < 2:  # the outermost is closed: whatever is wrong, it is not the end
                return [], False
            starts.pop()
        else:
            open_text = not token["end"] and text[: token.start()].rstrip().endswith(":")
    return starts, open_text
