"""Grammars whose calls are JSON objects behind an opener, and the shapes such objects have."""

from __future__ import annotations

import json
import re
from typing import Any

from tightrope_sdk.leaks.model import Call, Grammar, Match
from tightrope_sdk.leaks.names import NAME, is_name
from tightrope_sdk.leaks.pythonic import literal
from tightrope_sdk.leaks.source import Json, Source

NAME_KEYS = ("name", "tool_name", "tool", "toolName", "function_name", "function", "action", "recipient_name")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "params", "kwargs")
ENVELOPES = ("tool_calls", "tool_uses", "function_call", "tool_call")
TEXT_ARGUMENTS = ("action_input", "tool_input")
_SIDE_KEYS = {"id", "type", "index", "call_id", "tool_call_id", "thought", "reasoning", "explanation"}
_TYPES = ("function", "tool_use", "tool_call", "function_call", "tool", "call", "action")

_OBJECT = re.compile(r"[\[{](?:\s{0,100}[\[{])?\s{0,100}(?:[\"'}\]]|$)")
_PYTHON = re.compile(r"[\[{](?:\s{0,100}\{)?\s{0,100}'")
_BETWEEN = re.compile(r"[\s,;]{0,100}(?=[\[{])")
_FENCE = re.compile(r"\s{0,20}```(?:json)?\s{0,20}(?=[\[{])")
HEAD_NAME = re.compile(
    rf'[\[\s]{{0,20}}\{{\s{{0,100}}"(?:{"|".join(NAME_KEYS)})"\s{{0,20}}:\s{{0,20}}"({NAME})"\s{{0,20}}[,}}]'
)
_PLACEHOLDER_BODY = re.compile(r"[\s:{\[]\s{0,20}(?:\.\.\.|…|<[\w -]{1,40}>)")


def call_in(value: Any, *, alone: bool = False) -> Call | None:
    """The call that a decoded JSON object spells, or None.

    `alone`: the object stands without any marker, so nothing in it may be unknown.
    """
    if not isinstance(value, dict):
        return None
    for key in ("function", "function_call"):
        if isinstance(value.get(key), dict) and value.keys() <= {key} | _SIDE_KEYS:
            return call_in(value[key], alone=alone)
    name_key = next((k for k in NAME_KEYS if isinstance(value.get(k), str)), None)
    if name_key is None or not is_name(value[name_key]):
        return None
    argument_key = next((k for k in ARGUMENT_KEYS if k in value and k != name_key), None)
    if argument_key is None:
        return None if alone else (value[name_key], {})
    arguments = _arguments(value[argument_key], text=argument_key in TEXT_ARGUMENTS)
    if arguments is None or _is_definition(value, arguments):
        return None
    if alone and not value.keys() <= {name_key, argument_key} | _SIDE_KEYS:
        return None
    if alone and value.get("type", "function") not in _TYPES:
        return None
    return value[name_key], arguments


def calls_in(value: Any, *, alone: bool = False) -> tuple[Call, ...] | None:
    """All calls of a decoded JSON value (an object, a list, an envelope), None if anything is no call."""
    if isinstance(value, dict):
        for key in ENVELOPES:
            if key in value and not (alone and value.keys() - {key, "content", "role"} - _SIDE_KEYS):
                return calls_in(value[key], alone=alone)
        value = [value]
    if not isinstance(value, list) or not value:
        return None
    calls = tuple(call for item in value if (call := call_in(item, alone=alone)) is not None)
    return calls if len(calls) == len(value) else None


def _arguments(value: Any, *, text: bool) -> Any:
    """Arguments as a dict; JSON in a string is decoded; free text only where the shape allows it."""
    if isinstance(value, str):
        if text:
            return value
        try:
            value = json.loads(value, strict=False, parse_constant=str) if value.strip() else {}
        except (ValueError, RecursionError):
            return None
    return {} if value is None else value if isinstance(value, dict) else None


def _is_definition(value: dict[str, Any], arguments: Any) -> bool:
    """Whether the object declares a tool (a JSON schema) instead of calling it."""
    if not isinstance(arguments, dict):
        return False
    if "description" in value and "parameters" in value:
        return True
    return isinstance(arguments.get("properties"), dict) and "type" in arguments


def json_body(*closers: str, many: bool = False, keyed: bool = False) -> Grammar:
    """Opener, JSON, optional closer. `many`: the JSON is a list; `keyed`: items are `{N: arguments}`.

    Where no list is asked for, several objects may follow each other. A closing brace that got lost
    before the closer is put back; a body that is no JSON at all keeps its name, without arguments.
    """

    def grammar(source: Source, start: int, body: int) -> Match | None:
        fence = _FENCE.match(source.text, body)
        pos = fence.end() if fence else source.skip_space(body)
        calls: list[Call] = []
        while _OBJECT.match(source.text, pos):
            if source.text[pos] == "[" and not many and not calls and closers:
                return None
            found = source.json(pos)
            if found.state != "ok" and _PYTHON.match(source.text, pos) and (read_as := literal(source, pos)):
                found = Json("ok", read_as[1], read_as[0])
            if found.state != "ok":
                broken = _broken(source, pos, closers, found.state == "open")
                return broken and Match(
                    broken.end, (*calls, *broken.calls), broken.truncated, note=broken.note
                )
            read = _keyed(found.value) if keyed else calls_in(found.value)
            if read is None:
                return None
            calls += read
            end = found.end
            more = _BETWEEN.match(source.text, end)
            if more is None:
                break
            pos = more.end()
        if not calls:
            return None
        if fence and source.text.startswith("```", source.skip_space(end)):
            end = source.skip_space(end) + 3
        return Match(_after(source, end, closers), tuple(calls))

    return grammar


def behind(lead: str, grammar: Grammar) -> Grammar:
    """`grammar` for what follows `lead`, a regular expression that begins where the opener does."""
    lead_re = re.compile(lead)

    def led(source: Source, start: int, body: int) -> Match | None:
        found = lead_re.match(source.text, start)
        return grammar(source, start, found.end()) if found else None

    return led


def _keyed(value: Any) -> tuple[Call, ...] | None:
    items = value if isinstance(value, list) else [value]
    calls = [(name, args) for item in items if isinstance(item, dict) for name, args in item.items()]
    return tuple(calls) if all(is_name(n) and isinstance(a, dict) for n, a in calls) else None


def _after(source: Source, end: int, closers: tuple[str, ...]) -> int:
    """The end of the first closer behind `end`, or `end` where none follows."""
    pos = source.skip_space(end)
    return next((pos + len(c) for c in closers if source.text.startswith(c, pos)), end)


def _broken(source: Source, pos: int, closers: tuple[str, ...], is_open: bool) -> Match | None:
    """A body whose JSON is cut or wrong."""
    head = HEAD_NAME.match(source.text, pos)
    ends = [(at, c) for c in closers if (at := source.find(c, pos)) >= 0]
    if ends:
        at, closer = min(ends)
        for suffix in ("}", "}}", "]", "}]", "}}]"):
            repaired = source.loads(pos, at, suffix)
            if repaired.state == "ok" and (calls := calls_in(repaired.value)):
                return Match(at + len(closer), calls, note="a closing brace is missing")
        body = source.text[pos : min(at, pos + 2000)]
        if head and not _PLACEHOLDER_BODY.search(body):
            return Match(at + len(closer), ((head[1], {}),), note="the arguments are not valid JSON")
        return None
    if is_open:
        return Match(len(source.text), ((head[1], {}),) if head else (), truncated=True)
    return None


def hermes(closer: str) -> Grammar:
    """JSON objects between `<tool_call>` tags, or the closing tag alone at the end of the text."""
    bodied = json_body(closer, "</tools>")

    def grammar(source: Source, start: int, body: int) -> Match | None:
        if source.text.startswith(closer, start):
            return (
                Match(body, soft=True, note="only the closing marker of a call")
                if source.at_end(body)
                else None
            )
        return bodied(source, start, body)

    return grammar


_LISTED = json_body(many=True)


def functools_body(source: Source, start: int, body: int) -> Match | None:
    """`functools[{…}]`: the opener holds the bracket of the list."""
    return _LISTED(source, start, body - 1)
