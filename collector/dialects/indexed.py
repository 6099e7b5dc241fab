"""Messages flattened into attributes, one key for each field: `…messages.3.message.content`.

OpenInference and the older OpenLLMetry write them so. An index is only a name here: nothing is
allocated by its size.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

_MAX_INDEX_DIGITS = 12
_NOISE = ("message.", "tool_call.", "function.", "message_content.")
_LISTS = ("tool_calls", "contents")


def read_indexed(attributes: Mapping[str, Any], prefix: str) -> tuple[list[dict[str, Any]], bool]:
    """The messages under `prefix` by index, in OpenAI's shape; and whether the first of them are missing.

    An SDK that reaches its attribute limit drops the oldest keys, which are the first messages.
    """
    by_index: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        if key.startswith(prefix) and (place := _place(key, prefix)):
            index, name, item, leaf = place
            message = by_index.get(index)
            if message is None:
                message = by_index[index] = {}
            if leaf:
                message.setdefault(f"{name}.", {}).setdefault(item, {})[leaf] = value
            else:
                message[name] = value
    indexes = sorted(by_index)
    return [_finished(by_index[index]) for index in indexes], bool(indexes) and indexes[0] > 0


@lru_cache(maxsize=16384)
def _place(key: str, prefix: str) -> tuple[int, str, int, str] | None:
    """Where a key's value belongs: message index, field, and within a list its index and field."""
    index, _, path = key[len(prefix) :].partition(".")
    if not _is_index(index):
        return None
    for noise in _NOISE:
        path = path.replace(noise, "")
    name, dot, rest = path.partition(".")
    if not dot:
        return int(index), name, 0, ""
    item, _, leaf = rest.partition(".")
    if name not in _LISTS or not _is_index(item) or not leaf:
        return None
    return int(index), name, int(item), leaf


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MAX_INDEX_DIGITS


def _finished(message: dict[str, Any]) -> dict[str, Any]:
    for name in _LISTS:
        items = message.pop(f"{name}.", None)
        if items is not None:
            message[name] = [items[index] for index in sorted(items)]
    contents = message.pop("contents", None)
    if contents is not None and "content" not in message:
        message["content"] = contents
    return message
