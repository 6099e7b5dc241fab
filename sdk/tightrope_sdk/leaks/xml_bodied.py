"""Grammars whose calls are tags: a call tag with a name, and one tag per argument."""

from __future__ import annotations

import re

from tightrope_sdk.leaks.model import Call, Grammar, Match
from tightrope_sdk.leaks.names import NAME, is_name
from tightrope_sdk.leaks.source import Source

_UNQUOTED = r"(?!\s?[\"'`),;\\])"
_CUT_TAG = re.compile(r"<[^<>\n]{0,140}$")


def tags(wrap: str, call: str, call_end: str, param: str, param_end: str, *, wrap_end: str = "") -> Grammar:
    """Calls of the form `wrap call (param value param_end)* call_end … wrap_end`.

    All are regular expressions that match in bounded work; `call` and `param` have one group, the
    name. `wrap` and every closer may be missing. A value ends at its closer or, where that is lost,
    at the next line that begins with a tag of the grammar, or with the text.
    """
    wrap_re, call_re, param_re = (re.compile(rf"\s*(?:{p})") for p in (wrap, call, param))
    close_re = re.compile(rf"\s*(?:{call_end})")
    unwrap_re = re.compile(rf"\s*(?:{wrap_end or wrap})")
    lost = "|".join((param, call, call_end, wrap, wrap_end or wrap))
    value_end = re.compile(rf"(?P<own>{param_end}){_UNQUOTED}|(?<=\n)(?:{lost})")

    def grammar(source: Source, start: int, body: int) -> Match | None:
        text = source.text
        outer = wrap_re.match(text, start)
        pos = outer.end() if outer else start
        calls: list[Call] = []
        truncated = False
        while not truncated and (head := call_re.match(text, pos)):
            name, arguments, pos, closed = head[1], {}, head.end(), False
            while not truncated and (key := param_re.match(text, pos)):
                end = source.search(value_end, key.end())
                stop = end.start() if end else len(text)
                arguments[key[1]] = _value(text[key.end() : stop])
                own = end is not None and end["own"] is not None
                truncated = end is None
                pos = end.end() if end and own else stop
            if close := close_re.match(text, pos):
                pos, closed = close.end(), True
            if not closed and not truncated:
                truncated = source.at_end(pos) or _cut(source, pos)
                if not arguments and not truncated:
                    break
            if not is_name(name):
                break
            if truncated:
                pos = len(text)
            calls.append((name, arguments))
            if not outer:
                break
        if calls:
            if unwrap := unwrap_re.match(text, pos):
                pos = unwrap.end()
            return Match(pos, tuple(calls), truncated)
        return Match(len(text), truncated=True) if _cut(source, pos) else None

    return grammar


def _cut(source: Source, pos: int) -> bool:
    """Whether the text ends within a tag that begins at `pos`."""
    return _CUT_TAG.match(source.text, source.skip_space(pos)) is not None


def _value(text: str) -> str:
    """A value without the one line break that the format puts on either side of it."""
    return text.removeprefix("\r").removeprefix("\n").removesuffix("\n").removesuffix("\r")


QWEN3_CALL = r"<function=\s?([^\s<>{}]{1,128})\s?>"
QWEN3_PARAM = r"<parameter=\s?([^<>\n]{1,128}?)\s?>"


def coder(wrap: str = "<tool_call>", wrap_end: str = "</tool_call>") -> Grammar:
    """`<tool_call><function=N><parameter=K>V</parameter></function></tool_call>`."""
    return tags(wrap, QWEN3_CALL, "</function>", QWEN3_PARAM, "</parameter>", wrap_end=wrap_end)


def headless(source: Source, start: int, body: int) -> Match | None:
    """The rest of a coder call whose head was lost: parameters that end in `</function>`."""
    if not source.text.startswith("<parameter=", start):
        return None
    end = source.find("</function>", body)
    if end < 0 or source.find("</parameter>", body) not in range(body, end):
        return None
    pos = end + len("</function>")
    after = source.skip_space(pos)
    if source.text.startswith("</tool_call>", after):
        pos = after + len("</tool_call>")
    return Match(pos, note="the head of the call is missing")


def invoke(prefix: str, wrap: str, tag: str = "invoke", param: str = "parameter") -> Grammar:
    """`<wrap><invoke name="N"><parameter name="K">V</parameter></invoke></wrap>`, tags with `prefix`.

    `prefix` and `wrap` are regular expressions; `wrap` comes with its own prefix.
    """
    return tags(
        rf"<{wrap}>",
        rf"<{prefix}{tag}\s+name=[\"']([^\"'<>]{{1,128}})[\"']\s?>",
        rf"</{prefix}{tag}>",
        rf"<{prefix}{param}\s+name=[\"']([^\"'<>]{{1,128}})[\"'][^<>/]{{0,80}}>",
        rf"</{prefix}{param}>",
        wrap_end=rf"</{wrap}>",
    )


def namespaced(prefix: str) -> Grammar:
    """`<tool_call><invoke name="N"><K>V</K></invoke></tool_call>`, each tag behind `prefix`."""
    lead = rf"\s{{0,8}}(?:{prefix})?"
    name = r"[\w.\-]{1,128}"
    return tags(
        rf"{lead}<tool_calls?>",
        rf'{lead}<invoke\s+name="({name})"\s?>',
        rf"{lead}</invoke>",
        rf'{lead}<(?:parameter\s+name=")?({name})"?>',
        rf"{lead}</{name}>",
        wrap_end=rf"{lead}</tool_calls?>",
    )


_GLM_CALL = re.compile(
    rf"\s*<tool_call(?::\w{{1,16}})?>\s{{0,20}}({NAME})\s{{0,20}}"
    r"(?:<tool_sep(?::\w{1,16})?>)?\s{0,20}(?=<arg_key|</tool_call|$)"
)
_GLM_KEY = re.compile(
    r"\s*<arg_key(?::\w{1,16})?>([^<>\n]{1,128})</arg_key(?::\w{1,16})?>\s*<arg_value(?::\w{1,16})?>"
)
_GLM_VALUE_END = re.compile(r"</arg_value(?::\w{1,16})?>|<arg_key|</?tool_call")
_GLM_END = re.compile(r"\s*</tool_call(?::\w{1,16})?>")
_GLM_OUTER = re.compile(r"<tool_calls(?::\w{1,16})?>\s{0,20}")
_GLM_OUTER_END = re.compile(r"\s*</tool_calls(?::\w{1,16})?>")


def keyed_values(source: Source, start: int, body: int) -> Match | None:
    """`<tool_call>N<arg_key>K</arg_key><arg_value>V</arg_value></tool_call>`, tags with or without suffix."""
    text = source.text
    outer = _GLM_OUTER.match(text, start)
    pos = outer.end() if outer else start
    calls: list[Call] = []
    truncated = False
    while not truncated and (head := _GLM_CALL.match(text, pos)):
        pos = head.end()
        arguments = {}
        while not truncated and (key := _GLM_KEY.match(text, pos)):
            end = source.search(_GLM_VALUE_END, key.end())
            stop = end.start() if end else len(text)
            arguments[key[1].strip()] = _value(text[key.end() : stop])
            truncated = end is None
            pos = end.end() if end and end[0].startswith("</arg_value") else stop
        if close := _GLM_END.match(text, pos):
            pos = close.end()
        elif source.at_end(pos) or _cut(source, pos):
            truncated, pos = True, len(text)
        elif not arguments:
            break
        calls.append((head[1], arguments))
        if not outer:
            break
    if not calls:
        return None
    if outer and (unwrap := _GLM_OUTER_END.match(text, pos)):
        pos = unwrap.end()
    bare = not truncated and not any(arguments for _, arguments in calls)
    return Match(pos, tuple(calls), truncated, soft=bare)
