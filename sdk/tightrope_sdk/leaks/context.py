"""Where in a text a call is only quoted: fences, inline code, quotes, comments, sentences about it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tightrope_sdk.leaks.source import Source

LINE = 240
"""Characters of a line that are looked at before and after a call."""

QUOTE_START = re.compile(
    r"(?m)(?:^|(?<=\n))[ \t]{0,12}(?P<fence>`{3,}|~{3,})(?P<info>[^\n`]{0,80})$|(?P<tick>`+)"
    r"|(?P<block>\"\"\"|'''|<!--|<(?P<tag>pre|code)\b[^<>\n]{0,80}>)"
)
_CLOSERS = {"<!--": "-->"}
_INLINE = 1500

_QUOTES = "\"'“”‘«「『‹`\\"
_LEAD = re.compile(r"^\s*(?:>+|#+|//+|\*+|\+|-|\||<!--|%+|;+|--)[\s>*\-]*$")
_TEMPLATE = re.compile(r"\{%|%\}|\{\{|\}\}")
_CUE_WORDS = (
    r"\bexamples?\b|\be\.g\.|\bfor instance\b|\bsuch as\b|\blooks? like\b|\bwould (?:be|look)\b|\bsyntax\b"
    r"|\bformat (?:is|of|for|that|looks)\b|\bformat\b[^\n]{0,30}:|\bdocumentation\b|\btemplate\b"
    r"|\bplaceholder\b|\bdocs?\b|\bshould (?:be|look)\b|\bejemplo\b|\bexemplo\b|\bBeispiel\b|\bexemple\b"
    r"|예시|例えば|例如|示例"
)
_CUE = re.compile(_CUE_WORDS, re.IGNORECASE)
_REPORT = re.compile(
    r"\b(?:shows?|shown|prints?|printed|returns?|returned|emits?|emitted|outputs?|produces?|produced|wrote|"
    r"writes?|sends?|sent|received|generates?|generated|logged|leaks?|leaked|contains?|expects?|means?)\b",
    re.IGNORECASE,
)
_IN_SENTENCE = re.compile(r"[ \t]{1,4}[a-z(=]|[,;)\]:]|\.(?:\s|$)|[\"'”’`]")


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted region: `text[start:end]`; `body` is where its content begins."""

    start: int
    body: int
    end: int
    fence: bool
    info: str = ""


def quote_at(source: Source, match: re.Match[str]) -> Quote | None:
    """The quoted region that begins at a match of QUOTE_START, None where it has no end."""
    text, start = source.text, match.start()
    if match["fence"]:
        mark = match["fence"]
        close = re.compile(rf"\n[ \t]{{0,12}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]{{0,20}}(?=\r?\n|$)")
        end = source.search(close, match.end())
        stop = end.end() if end else len(text)
        return Quote(start, min(match.end() + 1, len(text)), stop, True, match["info"].strip().lower())
    if match["tick"]:
        run, near = match["tick"], match.end() + _INLINE
        paragraph = text.find("\n\n", match.end(), near)
        limit = paragraph if paragraph >= 0 else min(near, len(text))
        source.spend(limit - match.end() if len(run) > 2 else 40)
        for found in re.compile(r"`+").finditer(text, match.end(), limit):
            if len(found[0]) == len(run):
                return Quote(start, match.end(), found.end(), False)
        return None
    closer = f"</{match['tag']}>" if match["tag"] else _CLOSERS.get(match["block"], match["block"])
    end_at = source.find(closer, match.end())
    return None if end_at < 0 else Quote(start, match.end(), end_at + len(closer), False)


def whole_fence(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """(start, end, info) of the content where `text[start:end]` is nothing but one fence."""
    first = re.compile(r"(`{3,}|~{3,})([^\n`]{0,80})\n").match(text, start)
    if first is None:
        return None
    close = re.compile(
        rf"\n?[ \t]{{0,12}}{re.escape(first[1][0])}{{{len(first[1])},}}[ \t]{{0,20}}(?=\r?\n|$)"
    )
    inner = close.search(text, first.end() - 1, end)
    if inner is None:
        return first.end(), end, first[2].strip().lower()
    return None if text[inner.end() : end].strip() else (first.end(), inner.start(), first[2].strip().lower())


def line_before(text: str, pos: int) -> str:
    """What stands before `pos` on its line, at most LINE characters."""
    return text[max(0, pos - LINE) : pos].rpartition("\n")[2]


def line_after(text: str, pos: int) -> str:
    """What stands after `pos` on its line, at most LINE characters."""
    return text[pos : pos + LINE].partition("\n")[0]


def is_quoted(text: str, start: int, end: int) -> bool:
    """Whether the call at `text[start:end]` is shown rather than made."""
    before, after = line_before(text, start), line_after(text, end)
    if before and (before[-1] in _QUOTES or _LEAD.match(before) or _TEMPLATE.search(before)):
        return True
    if _CUE.search(before):
        return True
    if before.strip() and _REPORT.search(before) and before.rstrip()[-1] not in ".!?。！？":
        return True
    if _IN_SENTENCE.match(after) and (not before.strip() or before.rstrip()[-1] not in ".!?。！？>"):
        return True
    return not before.strip() and _announced(text, start - len(before))


def _announced(text: str, line_start: int) -> bool:
    """Whether the line before ends in a colon and says that something is shown."""
    lead = text[max(0, line_start - LINE) : line_start].rstrip()
    last = lead.rpartition("\n")[2]
    return lead.endswith(":") and (_CUE.search(last) or _REPORT.search(last)) is not None


def has_cue(text: str, start: int) -> bool:
    """Whether the 160 characters before speak of an example, a format or documentation."""
    return _CUE.search(text, max(0, start - 160), start) is not None


def begins_clause(text: str, start: int) -> bool:
    """Whether nothing of a sentence stands open before `start` on its line."""
    before = line_before(text, start).rstrip()
    return not before or before[-1] in ".!?…。！？>"
