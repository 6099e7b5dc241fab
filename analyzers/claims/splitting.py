"""Text to sentences and clauses, with quoted and fenced material masked. Offsets stay those of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MASK = "\ufffc"
MAX_SENTENCE_CHARS = 1_500
"""A longer stretch without an end is data, not a sentence; it is not read for claims."""

_FENCE = re.compile(r"^[ \t]{0,6}(`{3,}|~{3,})", re.MULTILINE)
_QUOTE_LINE = re.compile(r"^[ \t]{0,6}>[^\n]*", re.MULTILINE)
_CODE = re.compile(r"`([^`\n]{1,300})`")
_QUOTED = re.compile(
    r'"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|„[^“”\n]{1,400}[“”]|「[^」\n]{1,400}」|『[^』\n]{1,400}』'
    r"|(?<![^\s(])'[^'\n]{1,200}'(?![^\s.,;:!?)])|(?<![^\s(])‘[^’\n]{1,200}’(?![^\s.,;:!?)])"
)
_SENTENCE_END = re.compile(r"[.!?…]{1,3}[\"')\]*_]{0,3}(?=\s)|[。！？]|\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|resp|bzw|z\.B|p\.ex|cf|no|nº|Nr|Dr|Mr|Ms|St))\.$", re.I
)
_SOFT_WRAP = re.compile(r"(?<=[\w,`)])[ \t]{0,4}\n(?=[ \t]{0,4}[a-zà-ÿ`])")
_CLAUSE_END = re.compile(
    r";\s|:\s|\s[–—-]{1,2}\s|—"
    r"|(?:,\s*|\s)(?:but|however|although|though|yet|whereas|while|pero|aunque|porém|contudo|embora|aber"
    r"|jedoch"
    r"|obwohl|doch|mais|cependant|toutefois|sondern)\s|,\s*(?:so|mas|sin embargo|no entanto)\s"
    r"|[，；：]|(?:지만|는데|으나),?\s|が、|けど、|しかし|(?:但是|但|不过|然而)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: `start`/`end` in the text, `masked` its masked words, `question` whether it asks."""

    start: int
    end: int
    masked: str
    question: bool


def mask(text: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The text with fences, quotes and code spans masked, and the names that were masked in it.

    A name is a code span or a quoted string without spaces, as (start, end, name): it is not read for
    verbs, but may be a target.
    """
    names: list[tuple[int, int, str]] = []

    def hide(match: re.Match[str]) -> str:
        name = match.group()[1:-1].strip()
        if match.group()[0] == "`" or not re.search(r"\s", name):
            names.append((match.start(), match.end(), name))
        return MASK * len(match.group())

    masked = _QUOTE_LINE.sub(lambda m: " " * len(m.group()), _without_fences(text))
    masked = _QUOTED.sub(hide, _CODE.sub(hide, masked))
    return masked, sorted(names)


def _without_fences(text: str) -> str:
    """Fenced blocks blanked; one that is never closed runs to the end (the text was cut)."""
    parts: list[str] = []
    at, opened, marker = 0, -1, ""
    for match in _FENCE.finditer(text):
        if opened < 0:
            opened, marker = match.start(), match.group(1)
        elif match.group(1).startswith(marker):
            end = match.end()
            parts.append(text[at:opened] + _blank(text[opened:end]))
            at, opened = end, -1
    if opened >= 0:
        parts.append(text[at:opened] + _blank(text[opened:]))
        at = len(text)
    return "".join(parts) + text[at:]


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def sentences(masked: str) -> Iterator[Sentence]:
    """The sentences of a masked text. Each line is one at least, but for soft-wrapped lines."""
    joined = _SOFT_WRAP.sub(lambda m: " " * len(m.group()), masked)
    start = 0
    for match in _SENTENCE_END.finditer(joined):
        if match.group()[0] == "." and _ABBREVIATION.search(joined, max(start, match.end() - 8), match.end()):
            continue
        yield from _sentence(joined, start, match.end())
        start = match.end()
    yield from _sentence(joined, start, len(joined))


def _sentence(text: str, start: int, end: int) -> Iterator[Sentence]:
    stretch = text[start:end]
    words = stretch.strip()
    if not words or len(words) > MAX_SENTENCE_CHARS:
        return
    lead = len(stretch) - len(stretch.lstrip())
    begin = start + lead
    question = words.rstrip("\"')]*_ ").endswith(("?", "？")) or words.startswith("¿")
    yield Sentence(begin, begin + len(words), words, question)


def clauses(sentence: str) -> Iterator[tuple[int, int]]:
    """The clauses of a sentence as (start, end) offsets in it."""
    start = 0
    for match in _CLAUSE_END.finditer(sentence):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(sentence):
        yield start, len(sentence)
