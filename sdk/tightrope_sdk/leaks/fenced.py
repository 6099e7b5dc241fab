"""The grammar of fences with code that are offered as the action itself."""

from __future__ import annotations

import re

from tightrope_sdk.leaks.context import is_offered_as_action
from tightrope_sdk.leaks.model import Call, Match
from tightrope_sdk.leaks.names import normalised
from tightrope_sdk.leaks.pythonic import keyword_calls
from tightrope_sdk.leaks.source import Source

_SHELLS = frozenset({"bash", "shell", "terminal", "command", "cmd", "console"})
_PYTHONS = frozenset({"python", "ipython", "jupyter", "interpreter", "code"})
_RUNNERS = {
    "bash": _SHELLS,
    "sh": _SHELLS,
    "shell": _SHELLS,
    "console": _SHELLS,
    "python": _PYTHONS,
    "py": _PYTHONS,
}
_NOT_RUN = frozenset({"read", "write", "search", "edit", "review", "view", "list", "format", "get"})
LANGUAGES = tuple(_RUNNERS)
"""The languages of fences that a tool may run."""

_KEYS = {True: "command", False: "code"}
_INFO = re.compile(r"`{3,}([\w.\-]{1,64})\r?\n")


def fenced_code(source: Source, start: int, body: int) -> Match | None:
    """The fence that ends a message and was announced: a command for a shell tool, calls of offered tools."""
    info = _INFO.match(source.text, start)
    close = source.find("\n```", body - 1)
    code = source.text[body : close if close >= 0 else body].strip()
    if info is None or not code or not source.offered:
        return None
    end = close + 4
    if not is_offered_as_action(source, start, end, announced=True):
        return None
    language = info[1].lower()
    calls = keyword_calls(code) if language in ("python", "py") else []
    if calls and all(normalised(name) in source.offered for name, _ in calls):
        return Match(end, tuple(calls), soft=True)
    call = _run(source, language, code)
    return Match(end, (call,), soft=True) if call else None


def _run(source: Source, language: str, code: str) -> Call | None:
    """The call of the one offered tool that runs code in that language."""
    words = _RUNNERS[language]
    source.spend(len(source.offered))
    found = [
        name
        for name in source.offered
        if not words.isdisjoint(parts := name.split("_")) and _NOT_RUN.isdisjoint(parts)
    ]
    return (found[0], {_KEYS[words is _SHELLS]: code}) if len(found) == 1 else None
