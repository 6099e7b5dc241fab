"""Where in a text a call is only quoted: fences, inline code, quotes, comments, sentences about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tightrope_sdk.leaks.source import Source
from tightrope_sdk.leaks.wording import acts, reports, runs, speaks_of_calling, speaks_of_form, waits

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
_LEAD = re.compile(
    r"^\s{0,12}(?:(?:>+|#+|//+|\*+|\+|-|\||<!--|%+|;+|--)[\s>*\-]*$"  # a comment, a list, a table, a diff
    r"|>(?!>)"  # a quotation, whatever stands in it
    r"|\(?[A-Za-z][.):]\s{0,4}$"  # one of several options
    r"|\d{1,6}[\t|→]\s{0,20}$"  # a numbered line of some file
    r"|[\w./\-]{1,120}:\d{1,6}:"  # a line that a search found
    r"|\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR)\b))"  # a line of a log
)
_LABEL = re.compile(
    r"^\W{0,8}(?:[\w.\-]{1,20} ){0,3}[\w.\-]{1,20}\W{0,4}[:：]\W{0,3}$|^\s{0,8}\(?\d{1,3}[.)]$"
)
_ROLE = re.compile(r"<\|im_start\|>assistant$|<\|assistant\|>$", re.IGNORECASE)
_NEXT_LABEL = re.compile(r"\s{0,4}\n\W{0,4}[\w .\-]{1,30}[:：→]")
_ELEMENT = re.compile(r"<(?:td|th|p|li|dd|span|div|kbd|samp|blockquote)(?:\s[^<>]{0,80})?>$", re.IGNORECASE)
_BLOCK = re.compile(r"^(?:\\begin\{(?:verbatim|lstlisting|minted)|[-=.]{4,}$|\$ |\.\. code)")
_BOLD = re.compile(r"^(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__):?$")
_UNDERLINE = re.compile(r"^(?:-{3,}|={3,})$")
_THOUGHT = re.compile(r"^(?:Thought|Question|Plan|Reflection)\s?:", re.IGNORECASE)
_ACTION = re.compile(
    r"(?:^|\n)\W{0,4}(?:action|call|tool|tool call|function call)\W{0,4}:?\W{0,4}$", re.IGNORECASE
)
_YOU = re.compile(r"\b(?:you|your|du|ihr|sie|vous|tu|usted|você)\b", re.IGNORECASE)
_NEXT_CALL = re.compile(r"[<\[{]")
_SCALAR = re.compile(r":\s?[|>][+-]?\s{0,8}$")
_TITLE_WORDS = 4
_CALL_ENDS = (">", "}", "]", "`", ")")
_TEMPLATE = re.compile(r"\{%|%\}|\{\{|\}\}")


_OPERATORS = tuple("=(,[{+→⇒")
_SHOWN_BEHIND = tuple("=→⇒")
_STOPS = ".!?…。！？>"
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s(?=\s?[^\sa-z])|(?<=[.!?。！？])\s*$|(?<=[。！？])")
_IN_SENTENCE = re.compile(
    r"\s{1,8}(?:and|or|but|which|that|with|so|because|while|instead|where|when|is|was|in|into|"
    r"to|by|from)[ \t]"
    r"|[ \t]{1,4}[a-z(=→]|[,;)\]:]|\.(?:\s|$)|[\"'”’`]|[ \t]?(?:と|という|是|라고|이라|을|를)"
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
        return (
            _IN_SENTENCE.match(after) is not None
            or _is_code_block(source, start, before)
            or _is_introduced(source, start - len(before), end)
            or _is_discussed(source, start, end)
        )
    clause = _SENTENCE_END.split(before)[-1]
    if lead[-1] in _SHOWN_BEHIND or _ELEMENT.search(lead):
        return True
    labelled = _LABEL.match(lead) and (_goes_on(source, end) or _NEXT_LABEL.match(after))
    if (speaks_of_form(clause) or labelled) and not acts(clause):
        return True
    if lead[-1] in _STOPS:
        return _is_discussed(source, start, end)
    return _IN_SENTENCE.match(after) is not None or (reports(clause) and not acts(clause))


def _goes_on(source: Source, end: int) -> bool:
    """Whether more is said after the call, and not by somebody who waits for its result."""
    rest = source.text[end : end + LINE].strip()
    if not rest or source.text[source.whole[1] - 1 : source.whole[1]] in _CALL_ENDS:
        return False
    return not acts(rest) and not waits(rest)


def _is_code_block(source: Source, start: int, before: str) -> bool:
    """Whether the call is indented as Markdown's code blocks are, or as the block scalars of YAML."""
    if not before or not source.text[max(0, start - LINE) : start].strip():
        return False
    above = source.text[max(0, start - LINE) : start - len(before)].rstrip("\n")
    return before.startswith("\t") or len(before) >= 4 or _SCALAR.search(above) is not None


def _is_introduced(source: Source, line_start: int, end: int) -> bool:
    """Whether the line before says that something is shown.

    A heading, a label or a line that ends in a colon says so too, where the text goes on after the call.
    """
    lead = source.text[max(source.read_to, line_start - 2 * LINE, 0) : line_start].rstrip()
    above, _, line = lead.rpartition("\n")
    if _BLOCK.match(line) and not (above and _UNDERLINE.match(line)):
        return True
    while above and (_THOUGHT.match(line) or _UNDERLINE.match(line)):
        heading = _UNDERLINE.match(line) is not None
        above, _, line = above.rstrip().rpartition("\n")
        if heading:
            line = f"# {line}"
    last = _SENTENCE_END.split(line)[-1]
    if not line or acts(last):
        return False
    opens = line.endswith((":", "：", "|", "**")) or last.startswith("#")
    opens = (
        opens or last.endswith(("?", "？")) or _ROLE.search(line) is not None or _BOLD.match(line) is not None
    )
    if len(line.split()) <= _TITLE_WORDS and speaks_of_calling(line):
        return True
    if opens and (speaks_of_form(last) or reports(last)):
        return True
    return _goes_on(source, end) and (opens or speaks_of_form(line) or reports(line))


def _is_discussed(source: Source, start: int, end: int) -> bool:
    """Whether the text around the call, which goes on after it, is about calling tools."""
    if not _goes_on(source, end):
        return False
    before = source.text[max(source.read_to, start - 2 * LINE, 0) : start]
    source.spend(LINE)
    if acts(before.rstrip().rpartition("\n")[2]):
        return False
    after = _NEXT_CALL.split(source.text[end : end + 2 * LINE], maxsplit=1)[0]
    return speaks_of_calling(before) or speaks_of_calling(after)


def is_material(source: Source, start: int, end: int) -> bool:
    """Whether a call without markers is more likely data: code, or a text about examples and formats."""
    if is_marked(source, start, end) or line_before(source, start).rstrip()[-1:] in _OPERATORS:
        return True
    if source.text.startswith("```", start) and _is_introduced(source, start, end):
        return True
    return speaks_of_form(source.text[max(0, start - LEAD) : start])


def is_offered_as_action(source: Source, start: int, end: int, *, announced: bool = False) -> bool:
    """Whether a fence at `text[start:end]` is what the writer sets about doing, rather than something shown.

    It is announced in the first person or stands under `Action:`; or it is the last word of the message, with
    no word that presents it. Where it has to be `announced`, it is both, as something to be run now.
    """
    before = source.text[max(0, start - LEAD) : start].rstrip()
    line = before.rpartition("\n")[2]
    if announced:
        return (
            source.at_end(end)
            and acts(line)
            and runs(line)
            and not (speaks_of_form(line) or _YOU.search(line))
        )
    if acts(line):
        return not speaks_of_form(line)
    if not source.at_end(end):
        return False
    if _ACTION.search(before):
        return True
    shown = (
        line.endswith((":", "：")) or reports(line) or speaks_of_form(before) or _YOU.search(line) is not None
    )
    return not shown


def begins_clause(source: Source, start: int) -> bool:
    """Whether nothing of a sentence stands open before `start` on its line."""
    before = line_before(source, start).rstrip()
    return not before or before[-1] in _STOPS
