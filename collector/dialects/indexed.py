"""Messages flattened into attributes, one key for each field: `…messages.3.message.content`.

OpenInference and the older OpenLLMetry write them so. An index is only a name here: nothing is
allocated by its size.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MAX_INDEX_DIGITS = 12
_MAX_KNOWN_KEYS = 50_000
_NOISE = ("message.", "tool_call.", "function.", "message_content.", "tool.")
_CALLS, _CONTENTS = "tool_calls.", "contents."
_LISTS = {"tool_calls": _CALLS, "contents": _CONTENTS}

Place = tuple[int, int, str, int, str]
"""Where a key's value belongs: position of its prefix, index of its message, field, and within a list
(whose field then ends in a dot) the index and field of its item."""
_UNKNOWN: Place = (0, 0, "", 0, "")


class IndexedMessages:
    """Reads the messages under some prefixes in one pass. The same keys come with every span, so what
    they mean is remembered."""

    def __init__(self, *prefixes: str) -> None:
        self._prefixes = prefixes
        self._places: dict[str, Place | None] = {}

    def read(self, attributes: Mapping[str, Any]) -> list[tuple[list[dict[str, Any]], bool]]:
        """For each prefix its messages by index, in OpenAI's shape, and whether the first are missing.

        An SDK that reaches its attribute limit drops the oldest keys, which are the first messages.
        """
        found: list[dict[int, dict[str, Any]]] = [{} for _ in self._prefixes]
        places = self._places
        for key, value in attributes.items():
            place = places.get(key, _UNKNOWN)
            if place is _UNKNOWN:
                place = self._learn(key)
            if place is None:
                continue
            prefix, index, name, item, leaf = place
            messages = found[prefix]
            message = messages.get(index)
            if message is None:
                message = messages[index] = {}
            if leaf:
                message.setdefault(name, {}).setdefault(item, {})[leaf] = value
            else:
                message[name] = value
        return [_in_order(messages) for messages in found]

    def _learn(self, key: str) -> Place | None:
        place = self._place(key)
        if len(self._places) < _MAX_KNOWN_KEYS:
            self._places[key] = place
        return place

    def _place(self, key: str) -> Place | None:
        for position, prefix in enumerate(self._prefixes):
            if not key.startswith(prefix):
                continue
            index, _, path = key[len(prefix) :].partition(".")
            if not _is_index(index):
                return None
            for noise in _NOISE:
                path = path.replace(noise, "")
            name, dot, rest = path.partition(".")
            if not dot:
                return position, int(index), name, 0, ""
            item, _, leaf = rest.partition(".")
            if name not in _LISTS or not _is_index(item) or not leaf:
                return None
            return position, int(index), _LISTS[name], int(item), leaf
        return None


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MAX_INDEX_DIGITS


def _in_order(messages: dict[int, dict[str, Any]]) -> tuple[list[dict[str, Any]], bool]:
    indexes = sorted(messages)
    for message in messages.values():
        if items := message.pop(_CALLS, None):
            message["tool_calls"] = [items[index] for index in sorted(items)]
        if items := message.pop(_CONTENTS, None):
            message.setdefault("content", [items[index] for index in sorted(items)])
    return [messages[index] for index in indexes], bool(indexes) and indexes[0] > 0
