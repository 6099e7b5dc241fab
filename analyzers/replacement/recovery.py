"""Whether what was lost was put back, or stands elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from analyzers.claims.kinds import name_words
from analyzers.model import ToolCall
from analyzers.replacement.accesses import Access, base_name, same_target
from analyzers.replacement.contents import MAX_CHARS
from analyzers.replacement.model import Replacement

_SAMPLE = 40
_READ = 4_000  # characters of a command that are read
_UNDONE = re.compile(
    r"\bgit\s+(?:checkout|restore|stash|reset|revert)\b|\b(?:hg|svn)\s+revert\b"
    r"|\bcp\s[^|;&\n]{0,200}\.(?:bak|orig|old)\b"
)
_CARRIED = re.compile(r"\b(?:mv|cp|rename|move|copy)\b")
_CARRYING = {"copy", "move", "rename"}
_UNDOING = {"restore", "revert", "undo"}


class Recovery:
    """Looks through a session's successful calls; once that has cost `budget`, all counts as recovered."""

    def __init__(self, calls: Sequence[tuple[ToolCall, Access | None]], budget: int) -> None:
        self._calls = calls
        self._budget = budget

    def of(self, found: Replacement) -> bool:
        """Whether what was lost stands in another write of the session, or came back later."""
        name = re.compile(rf"(?<![\w.-]){re.escape(base_name(found.target))}(?![\w-])")
        after = False
        for call, access in self._calls:
            if call is found.call:
                after = True
            elif _carries(call, name, after) or (found.lines and self._shows(call, access, found, after)):
                return True
        return False

    def _shows(self, call: ToolCall, access: Access | None, found: Replacement, after: bool) -> bool:
        same = access is not None and same_target(access.target, found.target)
        if same and not after:
            return False
        for text in _texts(call, access, same):
            self._budget -= min(len(text), MAX_CHARS)
            if self._budget < 0 or _holds(text, found.lines):
                return True
        return False


def _carries(call: ToolCall, name: re.Pattern[str], after: bool) -> bool:
    """Whether the call copied or moved the thing at any time, or took changes back later."""
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    command = arguments.get("command", arguments.get("cmd"))
    if isinstance(command, str):
        command = command[:_READ]
        if after and (_UNDONE.search(command) or "undo" in command[:40]):
            return True
        return _CARRIED.search(command) is not None and name.search(command) is not None
    named = name_words(call.tool)
    return not _CARRYING.isdisjoint(named) or (after and not _UNDOING.isdisjoint(named))


def _texts(call: ToolCall, access: Access | None, same: bool) -> Iterable[str]:
    """Where lost lines may stand: what a call wrote, what a later read of the thing showed."""
    if access is None or access.kind != "read":
        return _strings(call.arguments)
    return [access.shown] if same else []


def _holds(text: str, lines: tuple[str, ...]) -> bool:
    """Whether half of the lines stand in the text; of many lines some, spread over all, are looked for."""
    sample = lines[:: 1 + len(lines) // _SAMPLE]
    text = text[:MAX_CHARS]
    return 2 * sum(line in text for line in sample) >= len(sample)


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < 4 and isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(item, depth + 1)
