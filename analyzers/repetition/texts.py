"""Loops in what the model says: the same text in a row, and one passage over and over in one text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analyzers.model import Round

_MIN_TEXT = 20  # characters; below lie "ok" and "Done."
_PASSAGE = 50  # characters; with the spacing below as in Gemini CLI's loop detector
_MAX_PERIOD = 3  # texts that are said in turn
_MIN_CHANT = 200
_SENTENCE_LENGTH = 30
_PARAGRAPH = 100
_MIN_ASKED = 10
_MARKS = tuple("!?,;@$&%")
_MAX_SPACING = 5 * _PASSAGE
_LOOKED_AT = 8_000  # characters of prose at the end of a text: a model that chants does not stop
_PROBES = (_PASSAGE, 2 * _PASSAGE, 4 * _PASSAGE)  # cheap to look for: a chant fills the end of its text

_SENTENCE = re.compile(r"[.!?\n。]")
_NO_WORD = re.compile(r"[\W\d_]+")
_NO_PROSE = re.compile(r"\s*(?:[-*+•>|#]|\d{1,4}[.)]|at |File \"|Traceback)|\s{4,}\S")
_FENCE = re.compile(r"\s*(?:```|~~~)")


class Chant(NamedTuple):
    """A passage, and how many times it stands in a text."""

    passage: str
    times: int


@dataclass(frozen=True, slots=True)
class Monologue:
    """Rounds without calls that say the same `period` texts in turn."""

    rounds: list[Round]
    period: int

    @property
    def count(self) -> int:
        """How many times each text was said."""
        return len(self.rounds) // self.period


def monologues(rounds: Sequence[Round], least: int) -> Iterator[Monologue]:
    """Stretches of rounds without calls that say the same, or the same two or three texts in turn.

    At least `least` times. Texts are the same when their words are, whatever their case, digits, blanks
    and punctuation. A round without a text says its reasoning.
    """
    talk: list[Round] = []
    for turn in (*rounds, None):
        if turn is not None and not turn.calls:
            if _said(turn):
                talk.append(turn)
            continue
        if turn is None or turn.calls:
            yield from _same_again(talk, least)
            talk = []


def _same_again(talk: Sequence[Round], least: int) -> Iterator[Monologue]:
    if len(talk) < least:
        return
    said = [_folded(_said(turn)) for turn in talk]
    at = 0
    while at <= len(talk) - least:
        for period in range(1, _MAX_PERIOD + 1):
            end = at + period
            while end < len(said) and said[end] and said[end] == said[end - period]:
                end += 1
            if (end - at) // period >= least and all(said[at : at + period]):
                yield Monologue(list(talk[at:end]), period)
                at = end
                break
        else:
            at += 1


def _said(turn: Round) -> str:
    return turn.text.strip() or turn.reasoning.strip()


def _folded(text: str) -> str:
    """The words of a text; "" of one that is too short, or made for a program: it says nothing."""
    if len(text) < _MIN_TEXT or text.startswith(("{", "[")):
        return ""
    return _words(text)


def _words(text: str) -> str:
    return " ".join(_NO_WORD.sub(" ", text.lower()).split())


def chant(text: str, least: int, asked: str = "") -> Chant | None:
    """The passage that stands at least `least` times, close together, at the end of `text`'s prose.

    Code, lists, tables, headings, quotes and tracebacks are no prose. What the user `asked` in the same words
    is no chant, nor are lines that the model left again: it wrote them on purpose.
    """
    if len(text) < _MIN_CHANT:
        return None
    found = _stuck_key(text) or _refrain(text, least, asked)
    if found:
        return found
    if not any(_recurs(text[-_LOOKED_AT:], probe) for probe in _PROBES):
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
    last = prose.rindex(passage)
    unit = last - prose.rindex(passage, 0, last + len(passage) - 1)
    end = last + len(passage)
    while end < len(prose) and prose[end] == prose[end - unit]:
        end += 1
    repeated = prose[last - unit : last]
    if prose.count(repeated) < times // 2:  # lines that are alike, and yet each says another thing
        return None
    if ("\n" in repeated and prose[end:].strip()) or _is_asked_for(repeated, asked):
        return None
    return Chant(passage, times)


def _stuck_key(text: str) -> Chant | None:
    """One mark over and over at the end: what a model with broken weights writes. Rulers are none."""
    text = text.rstrip()
    if text[-1:] not in _MARKS:
        return None
    times = len(text) - len(text.rstrip(text[-1]))
    return Chant(text[-1], times) if times >= _MIN_CHANT else None


def _refrain(text: str, least: int, asked: str) -> Chant | None:
    """A passage that stands again and again without a letter between, to the very end of a text of prose.

    The longer the passage, the fewer times tell: half of `least` for a paragraph, six tenths for a sentence
    that goes on in the same line.
    """
    text = text[-_LOOKED_AT:].rstrip()
    last = text[-_PASSAGE:]
    unit = len(text) - _PASSAGE - text.rfind(last, 0, len(text) - 1)
    if len(text) < _MIN_CHANT or last not in text[:-1] or unit < _SENTENCE_LENGTH:
        return None
    start = len(text) - unit
    while start > 0 and text[start - 1] == text[start - 1 + unit]:
        start -= 1
    times = (len(text) - start + 2) // unit  # the blanks after the last may be gone
    passage = text[start : start + unit]
    enough = least // 2 if unit >= _PARAGRAPH else least * 6 // 10 if "\n" not in passage.strip() else least
    if times < max(3, enough) or _prose(text[start:], in_fence="```" in text) != text[start:]:
        return None
    if sum(map(str.isalpha, passage)) < unit // 2 or _is_asked_for(passage, asked):
        return None
    return Chant(passage.strip()[:_PARAGRAPH], times)


def _is_asked_for(repeated: str, asked: str) -> bool:
    sentence = _words(max(_SENTENCE.split(repeated), key=len))
    return len(sentence) >= _MIN_ASKED and sentence in _words(asked[:_LOOKED_AT])


def _recurs(text: str, probe: int) -> bool:
    """Whether the passage that begins `probe` characters before the end stands elsewhere too."""
    return text.count(text[-probe:][:_PASSAGE]) >= 3


def _prose(text: str, in_fence: bool) -> str:
    kept = []
    for line in text.splitlines():
        if _FENCE.match(line):
            in_fence = not in_fence
        elif not in_fence and not _NO_PROSE.match(line):
            kept.append(line)
    return "\n".join(kept)
