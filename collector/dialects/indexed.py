"""Messages flattened into attributes, one key for each field: `…messages.3.message.content`.

OpenInference and the older OpenLLMetry write them so. An index is only a name here: nothing is
allocated by its size.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MAX_INDEX_DIGITS = 12
_NOISE = ("message.", "tool_call.", "function.", "message_content.")
_LISTS = ("tool_calls", "contents")


def read_indexed(attributes: Mapping[str, Any], prefix: str) -> tuple[list[dict[str, Any]], bool]:
    """The messages under `prefix` by index, in OpenAI's shape; and whether the first of them are missing.

    An SDK that reaches its attribute limit drops the oldest keys, which are the first messages.
    """
    start = len(prefix)
    by_index: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        if key.startswith(prefix):
            index, _, path = key[start:].partition(".")
            if index.isdecimal() and len(index) <= _MAX_INDEX_DIGITS:
                _set(by_index.setdefault(int(index), {}), _plain(path), value)
    indexes = sorted(by_index)
    return [_finished(by_index[index]) for index in indexes], bool(indexes) and indexes[0] > 0


def _plain(path: str) -> str:
    for noise in _NOISE:
        if noise in path:
            path = path.replace(noise, "")
    return path


def _set(message: dict[str, Any], path: str, value: Any) -> None:
    name, dot, rest = path.partition(".")
    if not dot:
        message[name] = value
    elif name in _LISTS:
        index, _, leaf = rest.partition(".")
        if index.isdecimal() and len(index) <= _MAX_INDEX_DIGITS and leaf:
            message.setdefault(f"{name}.", {}).setdefault(int(index), {})[leaf] = value


def _finished(message: dict[str, Any]) -> dict[str, Any]:
    for name in _LISTS:
        items = message.pop(f"{name}.", None)
        if items is not None:
            message[name] = [items[index] for index in sorted(items)]
    contents = message.pop("contents", None)
    if contents is not None and "content" not in message:
        message["content"] = contents
    return message
