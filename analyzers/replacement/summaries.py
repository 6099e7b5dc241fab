"""What a call's own result says of what it took away: summaries of the difference, before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tightrope_sdk.names import words

from analyzers.replacement.accesses import Content

_GONE = {"cleared", "deleted", "dropped", "lost", "removed"}
_ADDED = {"added", "inserted", "insertions", "additions"}
_THINGS = {"fields", "functions", "headings", "items", "keys", "methods", "properties", "sections"}
_SIZES = {"bytes", "characters", "chars", "length", "lines", "size", "words"}
_MIN_THINGS = 4
_MIN_SIZE = 500  # bytes or characters
_MIN_LINES = 25
_TALLIES = (("lines_removed", "lines_added"), ("deletions", "insertions"), ("deletions", "additions"))
_PAIRS = (
    ("before", "after"),
    ("content_before", "content_after"),
    ("old_content", "new_content"),
    ("previous", "current"),
    ("original", "updated"),
    ("original", "modified"),
)
_FIRSTS = frozenset(first for first, _ in _PAIRS)
_EDITOR_WORDS = {
    "acceptance_criteria", "attachments", "body", "comments", "content", "description", "details", "examples",
    "links", "notes", "rationale", "sections", "steps", "summary", "tags", "text", "title",
}  # fmt: skip
"""Fields that people write; others may well follow from a change of their neighbours."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a summary says was lost: names where it gives them, else counts in words.

    `only_for_additions`: it proves a loss only where nothing was to go.
    """

    said: str
    lost: tuple[str, ...] = ()
    only_for_additions: bool = False


def told_by(result: Mapping[str, Any]) -> Told | None:
    """The loss that a result's own summary tells of, None where it tells of none."""
    for level in (result, *(value for value in result.values() if isinstance(value, dict))):
        told = _removed(level) or _counted(level) or _lines(level)
        if told:
            return told
    return None


def pairs_in(values: Mapping[str, Any]) -> Iterator[tuple[Content, Content]]:
    """Contents before and after that a call's arguments or its result hold."""
    if _FIRSTS.isdisjoint(values):
        return
    for first, second in _PAIRS:
        before, after = values.get(first), values.get(second)
        if isinstance(before, str) and isinstance(after, str):
            yield {"": before}, {"": after}
        elif isinstance(before, dict) and isinstance(after, dict):
            yield before, after


def fields_beyond(modified: tuple[str, ...], given: Iterable[str], known: Content) -> tuple[str, ...]:
    """Fields that were modified though the call did not give them, of those that people write.

    None at all where the call gave none of what was modified: then the two are not named alike.
    """
    asked = {_plain(name) for name in given}
    if asked.isdisjoint(map(_plain, modified)):
        return ()
    extra = sorted({name for name in modified if _plain(name) not in asked})
    return tuple(name for name in extra if name.lower() in _EDITOR_WORDS or is_written(known.get(name)))


def is_written(value: Any) -> bool:
    """Whether a field's value is something that a person would miss: words, or a list.

    An object is more often the state of a thing, which one view of it shows and another does not.
    """
    if isinstance(value, str):
        return len(value[:200].split()) >= 3
    return isinstance(value, list) and bool(value)


def _removed(level: Mapping[str, Any]) -> Told | None:
    gone: list[str] = []
    came: set[str] = set()
    for key, value in level.items():
        named = set(words(str(key)[:80]))
        if not isinstance(value, list) or named.isdisjoint(_THINGS):
            continue
        names = [item for item in value[:1_000] if isinstance(item, str)]
        if named & _GONE:
            gone += names
        elif named & _ADDED:
            came.update(name.casefold() for name in names)
    lost = tuple(name for name in gone if name.casefold() not in came)
    return Told(f"removed: {', '.join(lost[:10])}", lost) if len(lost) >= 2 else None


def _counted(level: Mapping[str, Any]) -> Told | None:
    for key, value in level.items():
        if not key.endswith("_before") or type(value) is not int:
            continue
        thing, after = key.removesuffix("_before"), level.get(key.removesuffix("_before") + "_after")
        if type(after) is not int or after > value / 2:
            continue
        least = _MIN_THINGS if thing in _THINGS else _MIN_LINES if thing == "lines" else _MIN_SIZE
        if thing in _THINGS | _SIZES and value >= least:
            return Told(f"{thing}: {value} before, {after} after")
    return None


def _lines(level: Mapping[str, Any]) -> Told | None:
    for gone, came in (
        ("lines_removed", "lines_added"),
        ("deletions", "insertions"),
        ("deletions", "additions"),
    ):
        removed, added = level.get(gone), level.get(came)
        if (
            type(removed) is int
            and type(added) is int
            and removed >= _MIN_SIZE // 20
            and added <= removed / 4
        ):
            return Told(f"{removed} lines removed, {added} added", only_for_additions=True)
    return None


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()
