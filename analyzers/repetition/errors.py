"""When two failures are the same failure though they name different arguments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from tightrope_sdk.names import words

from analyzers import call_classes
from analyzers.model import ToolCall

_MAX_VALUES = 20
_MAX_VALUE = 200  # characters of an argument that an error is likely to repeat
_MIN_VALUE = 3
_CURSORS = frozenset(
    {
        "after", "arrive", "batch", "before", "chunk", "cursor", "date", "day", "depart", "end", "from",
        "hour", "index", "limit", "month", "offset", "page", "since", "skip", "start", "to", "token", "until",
        "week", "year",
    }
)  # fmt: skip
_STEM = (
    4  # letters that two words share: "helper" and "helpers" are guesses at one name, "username" and "name"
)

_NAME = re.compile(r"\w[\w.-]{2,100}")
_POSITION = re.compile(
    r"\b(line|column|col|char|character|position|pos|offset|byte|index)(\W{1,3})\d{1,9}\b", re.IGNORECASE
)


def without_position(text: str) -> str:
    """A parser's message without the place of the fault."""
    return _POSITION.sub(r"\1\2~", text)


def without_arguments(call: ToolCall) -> str:
    """What a failed call said, without the arguments that it repeats."""
    said = call_classes.failure(call)
    values: set[str] = set()
    for value in _values(call.arguments):
        values.update((value, value.rstrip("/").rpartition("/")[2], value.partition("://")[2]))
    for value in sorted(values, key=len, reverse=True):
        if len(value) >= _MIN_VALUE and value in said:
            said = said.replace(value, "~")
    given = {word for value in values for word in _NAME.findall(value)}
    return _NAME.sub(lambda word: "~" if word[0] in given else word[0], said)


def are_guesses(arguments: Sequence[Any]) -> bool:
    """Whether the arguments vary around one word, rather than go through a list or count something up.

    What all of them share (a folder, a domain) says nothing. Of the rest most must hold one word, or one
    must be the bare name that the others only add to.
    """
    bags = [frozenset(_stems(given)) for given in arguments]
    common = frozenset.intersection(*bags)
    rests = [bag - common for bag in bags]
    if len(set(rests)) < len(rests) / 2:
        return False  # numbers, dates
    counts = Counter(word for rest in rests for word in rest)
    most = counts.most_common(1)[0][1] if counts else 0
    return most * 2 >= len(rests) or frozenset() in rests


def is_sweep(arguments: Sequence[Any]) -> bool:
    """Whether calls differ only in where they look: a page, an offset, a day."""
    if not all(isinstance(given, dict) for given in arguments):
        return False
    first = arguments[0]
    moved = {
        key for given in arguments for key in first.keys() | given.keys() if first.get(key) != given.get(key)
    }
    return bool(moved) and all(not _CURSORS.isdisjoint(words(str(key))) for key in moved)


def _stems(arguments: Any) -> Iterator[str]:
    for value in _values(arguments):
        for word in words(value):
            if not word.isdigit():
                yield from (word[at : at + _STEM] for at in range(max(1, len(word) - _STEM + 1)))


def _values(arguments: Any) -> list[str]:
    if not isinstance(arguments, dict):
        return []
    texts = (value for value in arguments.values() if isinstance(value, str) and len(value) <= _MAX_VALUE)
    return [text.strip() for text in islice(texts, _MAX_VALUES)]
