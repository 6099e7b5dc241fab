"""Grammars of prompt conventions and of calls without any marker; here the context decides."""

from __future__ import annotations

import re

from tightrope_sdk.leaks.context import is_offered_as_action, line_after, line_before
from tightrope_sdk.leaks.json_bodied import HEAD_NAME, calls_in
from tightrope_sdk.leaks.model import Call, Grammar, Match
from tightrope_sdk.leaks.names import NAME, is_name, normalised
from tightrope_sdk.leaks.source import Source

_OBJECT = re.compile(r'\{\s{0,100}"')
_COMMA = re.compile(r"\s{0,100}[,;]?\s{0,100}(?=\{)")
_END_TOKEN = re.compile(r"\s?(?:<\|(?:eot_id|eom_id|im_end|end|endoftext)\|>|</s>)")
_LIST_BEFORE = re.compile(r"\[\s{0,20}$")
_CALL_KEYS = ('"name"', '"tool', '"action"', '"function', '"recipient_name"')


def bare_json(source: Source, start: int, body: int) -> Match | None:
    """A JSON object, or several in a row, that spells a call: strict alone on its lines, else soft.

    Without a list of tools only a message that is nothing but calls counts, and only the key
    `arguments` is sure: `parameters` and `input` are everyday keys.
    """
    text = source.text
    if _OBJECT.match(text, start) is None:
        return None
    calls: list[Call] = []
    pos = end = start
    while True:
        found = source.json(pos, _CALL_KEYS)
        if found.state != "ok" and calls:
            break
        if found.state != "ok":
            return _cut_json(source, start) if found.state == "open" else None
        read = calls_in(found.value, alone=True)
        if read is None:
            return Match(found.end, plain=True)
        calls += read
        end = found.end
        more = _COMMA.match(text, end)
        if more is None:
            break
        pos = more.end()
    before = _LIST_BEFORE.search(text[max(0, start - 21) : start])
    if before:
        start -= len(before.group())
        after = source.skip_space(end)
        end = after + 1 if text.startswith("]", after) else end
    if token := _END_TOKEN.match(text, end):
        end = token.end()
    whole = (start, end) == source.whole
    if not source.offered:
        sure = '"arguments"' in text[start : start + 2000]
        return Match(end, tuple(calls), start=start, soft=not sure) if whole else Match(end, plain=True)
    own_line = not line_before(source, start).strip() and not line_after(source, end).strip()
    return Match(end, tuple(calls), start=start, soft=not (whole or own_line))


def _cut_json(source: Source, start: int) -> Match | None:
    """A call of an offered tool that breaks off: the message itself, or its announced end."""
    name = HEAD_NAME.match(source.text, start)
    if name is None or not source.offered or line_before(source, start).strip():
        return None
    if start != source.whole[0] and not is_offered_as_action(source, start, len(source.text)):
        return None
    return Match(len(source.text), ((name[1], {}),), truncated=True, soft=True)


def fenced_json(source: Source, start: int, body: int) -> Match | None:
    """A fence that holds nothing but a call as JSON, announced or the last word of the message."""
    pos = source.skip_space(body)
    if not source.text.startswith(("{", "["), pos):
        return None
    found = source.json(pos)
    if found.state != "ok" or not source.text.startswith("```", source.skip_space(found.end)):
        return None
    calls = calls_in(found.value, alone=True)
    end = source.skip_space(found.end) + 3
    if not calls or not source.offered or not is_offered_as_action(source, start, end):
        return None
    return Match(end, calls, soft=True)


_ACTION = re.compile(
    r"\*{0,2}Action:?\*{0,2}:?[ \t]{0,8}`?([^\n(\[{`:*]{1,128}?)`?[ \t]{0,8}(?:\r?\n[ \t]{0,8}){0,3}"
    r"\*{0,2}Action Input:?\*{0,2}:?[ \t]{0,8}"
)
_ACTION_CALL = re.compile(
    rf"Action:[ \t]{{0,8}}({NAME})[ \t]?[(\[]([^\n]{{0,2000}})[)\]][ \t]{{0,8}}(?:\r?\n|$)"
)
_ACTION_NAME = re.compile(rf"Action:[ \t]{{0,8}}({NAME})\s{{0,20}}$")


def react(source: Source, start: int, body: int) -> Match | None:
    """`Action: N`, `Action Input: {json}` on the next line; of an offered tool also `Action: N(text)`."""
    head = _ACTION.match(source.text, start)
    if head is None:
        return _short_action(source, start)
    if not is_name(head[1]):
        return None
    pos = source.skip_space(head.end())
    fence = _JSON_FENCE.match(source.text, pos)
    pos = fence.end() if fence else pos
    if source.text.startswith("{", pos):
        found = source.json(pos)
        if found.state == "ok":
            return Match(found.end, ((head[1], found.value),), soft=not source.offered)
        if found.state == "open":
            return Match(found.end, ((head[1], {}),), truncated=True, soft=not source.offered)
    if not source.offered:
        return None
    end = source.find("\n", head.end())
    end = len(source.text) if end < 0 else end
    value = source.text[head.end() : end].strip()
    return Match(end, ((head[1], {"input": value} if value else {}),), truncated=not value)


def _short_action(source: Source, start: int) -> Match | None:
    """`Action: N(text)` or `Action: N[text]` on one line, or the text breaks off after the name."""
    if not source.offered:
        return None
    if call := _ACTION_CALL.match(source.text, start):
        value = call[2].strip().strip("\"'")
        return Match(call.end(), ((call[1], {"input": value} if value else {}),))
    name = _ACTION_NAME.match(source.text, start)
    return Match(len(source.text), ((name[1], {}),), truncated=True, soft=True) if name else None


_JSON_FENCE = re.compile(r"```(?:json)?\s{0,4}(?=\{)")
_PLAN = re.compile(r"Action:\s{0,20}```(?:json)?\s{0,20}(?=\[)")


def action_plan(source: Source, start: int, body: int) -> Match | None:
    """`Action:` and a fence with a list of `{"tool_name", "parameters"}`."""
    head = _PLAN.match(source.text, start)
    if head is None:
        return None
    found = source.json(head.end())
    if found.state == "open":
        return Match(found.end, truncated=True)
    calls = calls_in(found.value) if found.state == "ok" else None
    if not calls:
        return None
    after = source.skip_space(found.end)
    return Match(after + 3 if source.text.startswith("```", after) else found.end, calls)


_TAG = re.compile(r"\s{0,200}<([A-Za-z_][\w-]{0,63})>")
_HTML_TAGS = """
    a abbr article aside audio b body button canvas caption cite code data details dialog div em embed
    fieldset figure footer form h1 h2 h3 head header html i iframe img input label legend li link main map
    mark menu meta nav object ol option output p param picture pre progress q s script search section select
    slot small source span strong style sub summary sup svg table tbody td template textarea th time title
    tr u ul var video
"""
_HTML = frozenset(_HTML_TAGS.split())


def tool_name_xml(source: Source, start: int, body: int) -> Match | None:
    """`<read_file><path>…</path></read_file>`: the tool's own name as the tag, arguments as its children.

    Within another element, or indented, it is more likely a piece of some document.
    """
    text = source.text
    before = text[max(0, start - 20) : start]
    if before.rstrip().endswith(">") and not before.rstrip().endswith(("</think>", "</thinking>")):
        return None
    head = None if before.endswith((" ", "\t")) else _TAG.match(text, start)
    if head is None or head[1].lower() in _HTML or normalised(head[1]) not in source.offered:
        return None
    arguments: dict[str, str] = {}
    closer, pos = f"</{head[1]}>", head.end()
    while child := _TAG.match(text, pos):
        end = source.find(f"</{child[1]}>", child.end())
        if end < 0:
            return Match(len(text), ((head[1], arguments),), truncated=True)
        arguments[child[1]] = text[child.end() : end].strip("\r\n")
        pos = end + len(child[1]) + 3
    pos = source.skip_space(pos)
    if text.startswith(closer, pos):
        return Match(pos + len(closer), ((head[1], arguments),), soft=not arguments)
    if pos == len(text) and arguments:
        return Match(pos, ((head[1], arguments),), truncated=True)
    return None


_RECIPIENT = re.compile(rf">>>({NAME})\r?\n(?=\{{)")


def recipient(source: Source, start: int, body: int) -> Match | None:
    """`>>>N` and a JSON object on the next line."""
    head = _RECIPIENT.match(source.text, start)
    found = source.json(head.end()) if head else None
    if head is None or found is None or found.state == "bad" or head[1] == "all":
        return None
    is_open = found.state == "open"
    return Match(found.end, ((head[1], {} if is_open else found.value),), truncated=is_open)


def marker(name: str, closer: str) -> Grammar:
    """A marker of the user's own prompt: everything up to `closer` is its text."""

    def grammar(source: Source, start: int, body: int) -> Match | None:
        end = source.find(closer, body) if closer else body
        if end < 0:
            return Match(len(source.text), ((name, {"text": source.text[body:].strip()}),), truncated=True)
        text = source.text[body:end].strip()
        return Match(end + len(closer), ((name, {"text": text} if text else {}),))

    return grammar
