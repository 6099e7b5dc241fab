"""Loops in what the model says: the same text in a row, and one passage over and over in one text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from analyzers.model import Round

_MIN_TEXT = 20  # characters; below lie "ok" and "Done."
_PASSAGE = 50  # characters; with the spacing below as in Gemini CLI's loop detector
_MIN_CHANT = 200
_MAX_SPACING = 5 * _PASSAGE
_LOOKED_AT = 8_000  # characters of prose at the end of a text: a model that chants does not stop
_PROBES = (_PASSAGE, 2 * _PASSAGE, 4 * _PASSAGE)  # cheap to look for: a chant fills the end of its text

_DIGITS = re.compile(r"\d+")
_NO_PROSE = re.compile(r"\s*(?:[-*+•>|#]|\d{1,4}[.)]|at |File \"|Traceback)|\s{4,}\S")
_FENCE = re.compile(r"\s*(?:```|~~~)")


class Chant(NamedTuple):
    """A passage, and how many times it stands in a text."""

    passage: str
    times: int


def monologues(rounds: Sequence[Round], least: int) -> Iterator[list[Round]]:
    """Stretches of at least `least` rounds without calls whose texts are equal but for digits and blanks."""
    run: list[Round] = []
    for turn in rounds:
        if not (turn.text.strip() or turn.calls):
            continue
        if run and (turn.calls or _folded(turn.text) != _folded(run[-1].text)):
            if len(run) >= least:
                yield run
            run = []
        if not turn.calls and len(turn.text) >= _MIN_TEXT and not turn.text.lstrip().startswith(("{", "[")):
            run.append(turn)
    if len(run) >= least:
        yield run


def chant(text: str, least: int) -> Chant | None:
    """The passage that stands at least `least` times, close together, at the end of `text`'s prose.

    Code, lists, tables, headings, quotes and tracebacks are no prose.
    """
    if len(text) < _MIN_CHANT or not any(_recurs(text[-_LOOKED_AT:], probe) for probe in _PROBES):
        return None
    cut = max(0, len(text) - 4 * _LOOKED_AT)
    prose = _prose(text[cut:], in_fence=text.count("```", 0, cut) % 2 == 1)[-_LOOKED_AT:]
    passages = Counter(prose[at : at + _PASSAGE] for at in range(len(prose) - _PASSAGE + 1))
    if not passages:
        return None
    passage, times = passages.most_common(1)[0]
    spread = prose.rindex(passage) - prose.index(passage)
    if times < least or spread > _MAX_SPACING * (times - 1) or sum(map(str.isalpha, passage)) < _PASSAGE // 2:
        return None
    return Chant(passage, times)


def _recurs(text: str, probe: int) -> bool:
    """Whether the passage that begins `probe` characters before the end stands elsewhere too."""
    return text.count(text[-probe:][:_PASSAGE]) >= 3


def _folded(text: str) -> str:
    return _DIGITS.sub("0", " ".join(text.split()))


def _prose(text: str, in_fence: bool) -> str:
    kept = []
    for line in text.splitlines():
        if _FENCE.match(line):
            in_fence = not in_fence
        elif not in_fence and not _NO_PROSE.match(line):
            kept.append(line)
    return "\n".join(kept)
