"""The text under scan: cursor helpers that count their work, so that no text can make a scan slow."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

STEPS_PER_CHARACTER = 8
MAX_DEPTH = 100
_TOKEN_COST = 4
_JSON_TOKENS = re.compile(r'[{}\[\]"\\]')
_PYTHON_TOKENS = re.compile(r"""[{}\[\]()"'\\]""")
_SPACE = re.compile(r"\s*")


class WorkLimit(Exception):
    """The text makes the scan do more than its share of work."""


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value read at some place. `open`: the text ended within it; `bad`: it is no JSON."""

    state: Literal["ok", "open", "bad"]
    end: int
    value: Any = None


class Source:
    """A text, the names of the offered tools (normalised), and a count of the work done on it.

    Every helper charges the characters it looks at; beyond `STEPS_PER_CHARACTER` times the text's
    length `WorkLimit` is raised. That bounds each scan to linear time whatever the text.
    `read_to` is the end of the last call read. `whole` is (start, end) of the message without
    surrounding blanks and thoughts.
    """

    def __init__(
        self, text: str, offered: Collection[str] = (), whole: tuple[int, int] | None = None
    ) -> None:
        self.text = text
        self.offered = offered
        self.whole = whole or (0, len(text))
        self.read_to = 0
        self.steps = 0
        self.limit = 20_000 + STEPS_PER_CHARACTER * len(text)
        self._absent: dict[str, int] = {}

    def spend(self, steps: int) -> None:
        """Count `steps`; raises WorkLimit when the text has used up its share."""
        self.steps += steps
        if self.steps > self.limit:
            raise WorkLimit

    def skip_space(self, pos: int) -> int:
        """The first place at or after `pos` that is not white space."""
        match = _SPACE.match(self.text, pos)
        end = match.end() if match else pos
        self.spend(end - pos)
        return end

    def at_end(self, pos: int) -> bool:
        """Whether nothing but white space follows `pos`."""
        return self.skip_space(pos) == len(self.text)

    def find(self, needle: str, pos: int) -> int:
        """`str.find`, remembering what is absent from here on."""
        if self._absent.get(needle, len(self.text) + 1) <= pos:
            return -1
        found = self.text.find(needle, pos)
        self.spend((len(self.text) if found < 0 else found) - pos)
        if found < 0:
            self._absent[needle] = pos
        return found

    def search(self, pattern: re.Pattern[str], pos: int) -> re.Match[str] | None:
        """`pattern.search` from `pos` on; the pattern itself must match in constant work."""
        match = pattern.search(self.text, pos)
        self.spend((match.end() if match else len(self.text)) - pos)
        return match

    def json(self, pos: int, keys: tuple[str, ...] = ()) -> Json:
        """The JSON object or list that begins at `pos`; decoded only if it holds one of `keys`, if any."""
        end = self._balanced(pos, _JSON_TOKENS, '"')
        if end is None:
            return Json("open", len(self.text))
        if end < 0:
            return Json("bad", pos)
        if keys and not any(self.text.find(key, pos, end) >= 0 for key in keys):
            return Json("ok", end)
        return self.loads(pos, end)

    def loads(self, pos: int, end: int, suffix: str = "") -> Json:
        """`text[pos:end] + suffix` as JSON; raw line breaks within strings are let pass."""
        self.spend(end - pos)
        try:
            value = json.loads(self.text[pos:end] + suffix, strict=False, parse_constant=str)
        except (ValueError, RecursionError):
            return Json("bad", end)
        return Json("ok", end, value)

    def python_end(self, pos: int) -> int | None:
        """The end of the Python bracket that opens at `pos`; None if it is not closed or too deep."""
        end = self._balanced(pos, _PYTHON_TOKENS, "\"'")
        return None if end is None or end < 0 else end

    def _balanced(self, pos: int, tokens: re.Pattern[str], quotes: str) -> int | None:
        """The end of the bracket that opens at `pos`; None: the text ends first; -1: too deep."""
        depth, quote, skip = 0, "", -1
        spent, left = -pos, self.limit - self.steps
        for match in tokens.finditer(self.text, pos):
            at, token = match.start(), match[0]
            spent += _TOKEN_COST
            if spent + at > left:
                raise WorkLimit
            if at == skip:
                continue
            if token == "\\":
                skip = at + 1
            elif quote:
                quote = "" if token == quote else quote
            elif token in quotes:
                quote = token
            elif token in "{[(":
                depth += 1
                if depth > MAX_DEPTH:
                    self.spend(spent + at)
                    return -1
            elif token in "}])":
                depth -= 1
                if depth == 0:
                    self.spend(spent + at)
                    return at + 1
        self.spend(spent + len(self.text))
        return None
