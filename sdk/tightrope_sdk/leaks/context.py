"""Where in a text a call is only quoted: fences, inline code, quotes, comments, sentences about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tightrope_sdk.leaks.source import Source

LINE = 200
"""Characters of a line that are looked at before and after a call."""

LEAD = 160
"""Characters before a call without markers that may say what it is."""

QUOTE_START = re.compile(
    r"(?m)(?:^|(?<=\n))[ \t]{0,12}(?P<fence>`{3,}|~{3,})(?P<info>[^\n`]{0,80})$|(?P<tick>`+)"
    r"|(?P<block>\"\"\"|'''|<!--|<(?P<tag>pre|code)\b[^<>\n]{0,80}>)"
)
_CLOSERS = {"<!--": "-->"}
_TICKS = re.compile(r"`+")
_FENCE_START = re.compile(r"(`{3,}|~{3,})([^\n`]{0,80})\n")
_FENCE_COST = 32
_INLINE = 1500

_QUOTES = "\"'“”‘«「『‹`\\"
_LEAD = re.compile(r"^\s*(?:>+|#+|//+|\*+|\+|-|\||<!--|%+|;+|--)[\s>*\-]*$")
_TEMPLATE = re.compile(r"\{%|%\}|\{\{|\}\}")


class _Words:
    """A pattern of words, searched only where one of its stems is: a text without costs next to nothing."""

    def __init__(self, stems: str, pattern: str) -> None:
        self._stems = tuple(stems.split())
        self._pattern = re.compile(pattern, re.IGNORECASE)

    def __call__(self, text: str) -> bool:
        lowered = text.lower()
        return any(stem in lowered for stem in self._stems) and self._pattern.search(text) is not None


_speaks_of_form = _Words(
    "exampl exempl ejempl beispiel e.g. instance such look would should syntax format doc template "
    "placeholder 예시 例えば 例如 示例",
    r"\bexamples?\b(?!\.(?:com|org|net))|\be\.g\.|\bfor instance\b|\bsuch as\b|\blooks? like\b|\bsyntax\b"
    r"|\b(?:should|would) (?:be|look)\b|\bformat (?:is|of|for|that|looks)\b|\bformat\b[^\n]{0,30}:"
    r"|\bdocumentation\b|\bdocs?\b|\btemplate\b|\bplaceholder\b|\bexemplo\b|\bejemplo\b|\bBeispiel\b|\bexemple\b"
    r"|예시|例えば|例如|示例",
)
_reports = _Words(
    "show print return emit output produc wrote write sen receiv generat logged leak contain expect mean "
    "see got here was were answered said replied reads",
    r"\b(?:shows?|shown|prints?|printed|returns?|returned|emits?|emitted|outputs?|produces?|produced|wrote|"
    r"writes?|sends?|sent|received|generates?|generated|logged|leaks?|leaked|contains?|expects?|means?|sees?|seen|"
    r"got|answered|said|replied)\b|\bhere(?:'s| is| are)\b(?!.*\bcall\b)|\b(?:was|were|reads):$",
)
_OPERATORS = tuple("=(,[{+")
_announces = _Words(
    "i'll i’ll let will going need calling",
    r"\bI['’]ll\b|\bI will\b|\bI am going to\b|\bI need to\b|\blet(?:'s| me)\b|\bcalling\b",
)
_acts = _Words(
    "i'll i’ll let will going need now",
    r"\b(?:I['’]ll|I will|I need to|going to|let me|let's|now)\s(?:\w{1,20}\s)?"
    r"(?:look|check|read|run|search|open|see|inspect|fetch|find|get|call|try|view|list|execute|examine|explore|query|retrieve|load|verify|"
    r"test|fix|edit)\b",
)
_STOPS = ".!?…。！？>"
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s(?=\s?[^\sa-z])|(?<=[.!?。！？])\s*$|(?<=[。！？])")
_IN_SENTENCE = re.compile(
    r"\s{1,8}(?:and|or|but|which|that|with|so|because|while|instead|where|when|is|was|in|into|"
    r"to|by|from)[ \t]"
    r"|[ \t]{1,4}[a-z(=]|[,;)\]:]|\.(?:\s|$)|[\"'”’`]"
)


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted region: `text[start:end]`; `body` is where its content begins."""

    start: int
    body: int
    end: int
    fence: bool
    info: str = ""


@lru_cache(maxsize=64)
def _fence_end(mark: str) -> re.Pattern[str]:
    """The line that closes a fence which `mark` opened."""
    return re.compile(rf"\n[ \t]{{0,12}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]{{0,20}}(?=\r?\n|$)")


def quote_at(source: Source, match: re.Match[str]) -> Quote | None:
    """The quoted region that begins at a match of QUOTE_START, None where it has no end."""
    text, start = source.text, match.start()
    if match["fence"]:
        source.spend(_FENCE_COST)
        end = source.search(_fence_end(match["fence"]), match.end())
        stop = end.end() if end else len(text)
        return Quote(start, min(match.end() + 1, len(text)), stop, True, match["info"].strip().lower())
    if match["tick"]:
        run, near = match["tick"], match.end() + _INLINE
        paragraph = text.find("\n\n", match.end(), near)
        limit = paragraph if paragraph >= 0 else min(near, len(text))
        source.spend(limit - match.end() if len(run) > 2 else 40)
        for found in _TICKS.finditer(text, match.end(), limit):
            if len(found[0]) == len(run):
                return Quote(start, match.end(), found.end(), False)
        return None
    closer = f"</{match['tag']}>" if match["tag"] else _CLOSERS.get(match["block"], match["block"])
    end_at = source.find(closer, match.end())
    return None if end_at < 0 else Quote(start, match.end(), end_at + len(closer), False)


def whole_fence(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """(start, end, info) of the content where `text[start:end]` is nothing but one fence."""
    first = _FENCE_START.match(text, start)
    if first is None:
        return None
    inner = _fence_end(first[1]).search(text, first.end() - 1, end)
    if inner is None:
        return first.end(), end, first[2].strip().lower()
    return None if text[inner.end() : end].strip() else (first.end(), inner.start(), first[2].strip().lower())


def line_before(source: Source, pos: int) -> str:
    """What stands before `pos` on its line and behind the last call read, at most LINE characters."""
    return source.text[max(source.read_to, pos - LINE, 0) : pos].rpartition("\n")[2]


def line_after(source: Source, pos: int) -> str:
    """What stands after `pos` on its line, at most LINE characters."""
    return source.text[pos : pos + LINE].partition("\n")[0]


def is_marked(source: Source, start: int, end: int) -> bool:
    """Whether the line marks the call as quoted: quote, comment, diff, table row, template."""
    before = line_before(source, start)
    if before and (before[-1] in _QUOTES or _LEAD.match(before) or _TEMPLATE.search(before)):
        return True
    return before.lstrip().startswith("|") and "|" in line_after(source, end)


def is_quoted(source: Source, start: int, end: int) -> bool:
    """Whether the call at `text[start:end]` is shown rather than made."""
    if is_marked(source, start, end):
        return True
    before, after = line_before(source, start), source.text[end : end + LINE]
    lead = before.rstrip()
    if not lead:
        return _IN_SENTENCE.match(after) is not None or _is_introduced(source, start - len(before))
    clause = _SENTENCE_END.split(before)[-1]
    if _speaks_of_form(clause) and not _acts(clause):
        return True
    if lead[-1] in _STOPS:
        return False
    return _IN_SENTENCE.match(after) is not None or (_reports(clause) and not _acts(clause))


def _is_introduced(source: Source, line_start: int) -> bool:
    """Whether the line before is a heading, or ends in a colon, and says that something is shown."""
    lead = source.text[max(source.read_to, line_start - LINE, 0) : line_start].rstrip()
    last = _SENTENCE_END.split(lead.rpartition("\n")[2])[-1]
    if not (lead.endswith(":") or last.startswith("#")) or _acts(last):
        return False
    return _speaks_of_form(last) or _reports(last)


def is_material(source: Source, start: int, end: int) -> bool:
    """Whether a call without markers is more likely data: code, or a text about examples and formats."""
    if is_marked(source, start, end) or line_before(source, start).rstrip()[-1:] in _OPERATORS:
        return True
    return _speaks_of_form(source.text[max(0, start - LEAD) : start])


def is_announced(source: Source, start: int) -> bool:
    """Whether the LEAD characters before say that something is about to be done."""
    return _announces(source.text[max(0, start - LEAD) : start])


def begins_clause(source: Source, start: int) -> bool:
    """Whether nothing of a sentence stands open before `start` on its line."""
    before = line_before(source, start).rstrip()
    return not before or before[-1] in _STOPS
