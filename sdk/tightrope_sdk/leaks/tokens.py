"""Grammars of special tokens around a name and a JSON object, and of Gemma's own notation."""

from __future__ import annotations

import json
import re

from tightrope_sdk.leaks.model import Call, Grammar, Match
from tightrope_sdk.leaks.names import NAME, is_name
from tightrope_sdk.leaks.source import Source

_BAR = r"[｜|]"
_GAP = r"[▁_ ]"


def deepseek_token(words: str) -> str:
    """The regular expression of a DeepSeek token, e.g. `tool calls begin`, full-width or ASCII."""
    return f"<{_BAR}{_GAP.join(words.split())}{_BAR}>"


def named(section: str, head: str, tail: str, section_end: str = "", *, proof: bool = True) -> Grammar:
    """`section? (head {json} tail?)+ section_end?`, all regular expressions of bounded work.

    `head` has one group, the name; the JSON object follows it. Without `proof` the tool named has
    to be known.
    """
    section_re, head_re = re.compile(rf"(?:{section})?"), re.compile(rf"\s*{head}\s*")
    tail_re, section_end_re = re.compile(rf"\s*(?:{tail})?"), re.compile(rf"\s*(?:{section_end})")

    def grammar(source: Source, start: int, body: int) -> Match | None:
        text = source.text
        outer = section_re.match(text, start)
        pos = outer.end() if outer else start
        calls: list[Call] = []
        truncated = False
        while not truncated and (found := head_re.match(text, pos)) and is_name(found[1]):
            arguments = source.json(found.end()) if text.startswith("{", found.end()) else None
            if arguments is None or arguments.state != "ok":
                truncated = found.end() == len(text) or (arguments is not None and arguments.state == "open")
                if not truncated:
                    break
                calls.append((found[1], {}))
                pos = len(text)
            else:
                calls.append((found[1], arguments.value))
                end = tail_re.match(text, arguments.end)
                pos = end.end() if end and end.group().strip() else arguments.end
        if not calls:
            return None
        if section_end and (end := section_end_re.match(text, pos)):
            pos = end.end()
        return Match(pos, tuple(calls), truncated, proof=proof)

    return grammar


def plamo(source: Source, start: int, body: int) -> Match | None:
    """`<|plamo:begin_tool_name:plamo|>N…{json}…`, whatever tokens of the family stand between and behind."""
    head = _PLAMO_HEAD.match(source.text, start)
    arguments = source.json(head.end()) if head else None
    if head is None or arguments is None or arguments.state == "bad":
        return None
    if arguments.state == "open":
        return Match(arguments.end, ((head[1], {}),), truncated=True, proof=True)
    tail = _PLAMO_TAIL.match(source.text, arguments.end)
    return Match(tail.end() if tail else arguments.end, ((head[1], arguments.value),), proof=True)


def fragment(source: Source, start: int, body: int) -> Match | None:
    """A special token that stands for a call whose body has no grammar here."""
    return Match(body, proof=True, note="only the marker of a call")


_PLAMO = r"<\|plamo:\w{1,40}:plamo\|>"
_PLAMO_HEAD = re.compile(rf"{_PLAMO}\s?({NAME})\s?(?:{_PLAMO}\s{{0,4}}){{0,6}}(?={{)")
_PLAMO_TAIL = re.compile(rf"(?:\s{{0,4}}{_PLAMO}){{0,6}}")
_DSML_LEAD = re.compile(r"</?\s?[｜|‖]{1,2}\s?$")
DSML_PREFIX = r"\s?[｜|‖]{1,2}\s?DSML\s?[｜|‖]{1,2}\s?"
_DSML_TAG = re.compile(rf"</?{DSML_PREFIX}[\w=\"' ]{{0,80}}>?")


def dsml(calls: Grammar) -> Grammar:
    """DeepSeek's markup: the word `DSML` between bars, in whatever variant; a lone tag counts too."""

    def grammar(source: Source, start: int, body: int) -> Match | None:
        lead = _DSML_LEAD.search(source.text[max(0, start - 6) : start])
        if lead is None:
            return None
        head = start - len(lead.group())
        match = calls(source, head, body)
        if match is not None:
            return Match(match.end, match.calls, match.truncated, start=head, proof=True)
        tag = _DSML_TAG.match(source.text, head)
        return tag and Match(tag.end(), start=head, proof=True, note="only the marker of a call")

    return grammar


_K3_CALL = re.compile(
    r"(?:<\|open\|>)?(?:tools)?(?:<\|sep\|>)?(?:<\|open\|>)?"
    r'call tool="([^"<>]{1,128})"[^<>]{0,80}<\|sep\|>'
)
_K3_ARGUMENT = re.compile(r'\s*<\|open\|>argument key="([^"<>]{1,128})"[^<>]{0,80}<\|sep\|>')
_K3_VALUE_END = re.compile(r"argument<\|sep\|>|<\|")
_K3_END = re.compile(
    r"\s*(?:<\|close\|>)?(?:argument|call|(?:tools){1,2}(?:message)?)?(?:<\|sep\|>|<\|close\|>)"
)


def kimi_k3(source: Source, start: int, body: int) -> Match | None:
    """`<|open|>tools<|sep|><|open|>call tool="N"<|sep|><|open|>argument key="K"<|sep|>V<|close|>…`.

    Servers that drop some of the tokens leave `<|open|>toolscall tool=…` and `Vargument<|sep|>`.
    """
    text, pos = source.text, start
    calls: list[Call] = []
    truncated = False
    while not truncated and (head := _K3_CALL.match(text, source.skip_space(pos))):
        arguments: dict[str, str] = {}
        pos = head.end()
        while not truncated and (key := _K3_ARGUMENT.match(text, pos)):
            end = source.search(_K3_VALUE_END, key.end())
            pos = end.start() if end else len(text)
            arguments[key[1]] = text[key.end() : pos]
            truncated = end is None
            if close := _K3_END.match(text, pos):
                pos = close.end()
        while close := _K3_END.match(text, pos):
            pos = close.end()
        calls.append((head[1], arguments))
    return Match(pos, tuple(calls), truncated, proof=True) if calls else None


_BARE_KEY = re.compile(r"([{,]\s{0,20})([A-Za-z_][\w\-]{0,127})\s{0,20}:")


def _nested(written: str, quote: str) -> object:
    """A list or object of Gemma's notation as JSON has it, or as written where it is none."""
    parts = written.split(quote)
    for at, part in enumerate(parts):
        parts[at] = json.dumps(part) if at % 2 and quote != '"' else _BARE_KEY.sub(r'\1"\2":', part)
    try:
        return json.loads("".join(parts) if quote != '"' else written)
    except (ValueError, RecursionError):
        return written


def braces(head: str, quote: str, tail: str, *, proof: bool = True) -> Grammar:
    """`call:N{K:<quote>V<quote>,K2:V2}` as the Gemma models write it; `head` has one group, the name."""
    head_re, tail_re, quoted = re.compile(head), re.compile(rf"\s*(?:{tail})"), re.escape(quote)
    key_re = re.compile(rf"\s*,?\s*(?:{quoted}|\")?([\w-]{{1,128}})(?:{quoted}|\")?\s*:\s*")
    bare_re = re.compile(r"[^,{}<>]{0,200}")
    quotes = (quote, '"', "'")

    def grammar(source: Source, start: int, body: int) -> Match | None:
        text = source.text
        found = head_re.match(text, start)
        if found is None:
            return None
        arguments: dict[str, object] = {}
        pos = found.end()
        while key := key_re.match(text, pos):
            pos = key.end()
            mark = next((q for q in quotes if text.startswith(q, pos)), None)
            if mark is not None:
                end = source.find(mark, pos + len(mark))
                if end < 0:
                    return Match(len(text), ((found[1], {}),), truncated=True, proof=proof)
                arguments[key[1]], pos = text[pos + len(mark) : end], end + len(mark)
            elif text[pos : pos + 1] in ("{", "["):
                stop = source.python_end(pos)
                if stop is None:
                    return Match(len(text), ((found[1], {}),), truncated=True, proof=proof)
                arguments[key[1]], pos = _nested(text[pos:stop], quote), stop
            else:
                bare = bare_re.match(text, pos)
                end = bare.end() if bare else pos
                loaded = source.loads(pos, end)
                arguments[key[1]] = loaded.value if loaded.state == "ok" else text[pos:end].strip()
                pos = end
        pos = source.skip_space(pos)
        if text.startswith("}", pos):
            tail_match = tail_re.match(text, pos + 1)
            return Match(tail_match.end() if tail_match else pos + 1, ((found[1], arguments),), proof=proof)
        if pos == len(text):
            return Match(pos, ((found[1], {}),), truncated=True, proof=proof)
        return None

    return grammar


KIMI_HEAD = (
    rf"(?:<\|tool_call_begin\|>)?\s?(?:functions\.)?({NAME}?)(?::\d{{1,6}})?\s?"
    r"(?:<\|tool_call_argument_begin\|>|(?=\{))"
)
MISTRAL_HEAD = rf"\[TOOL_CALLS\]\s?({NAME})(?:\[CALL_ID\]\w{{1,64}})?(?:\[ARGS\]|(?={{))"
