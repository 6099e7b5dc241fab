"""Grammars whose calls are written as Python."""

from __future__ import annotations

import ast
import re

from tightrope_sdk.leaks.context import line_after
from tightrope_sdk.leaks.model import Call, Grammar, Match
from tightrope_sdk.leaks.names import NAME
from tightrope_sdk.leaks.source import Source

MAX_CODE = 50_000
"""Characters of Python that are parsed at most; a longer text is no tool call."""

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_VALID_ESCAPES = set("\\'\"abfnrtvxNuU01234567\n")
_FIRST = re.compile(rf"\s*\[?\s*{NAME}\s?\(")


def _parsed(code: str) -> list[ast.stmt]:
    """The statements of `code`; [] where it is no Python. Unknown escapes stand for themselves."""
    if len(code) > MAX_CODE:
        return []
    code = _ESCAPE.sub(lambda m: m[0] if m[1] in _VALID_ESCAPES else "\\" + m[0], code)
    try:
        return ast.parse(code.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _name(node: ast.expr) -> str | None:
    """`a.b.c` as text."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def _call(node: ast.expr) -> Call | None:
    """A call with literal keyword arguments, None for anything else."""
    if not isinstance(node, ast.Call) or node.args:
        return None
    name = _name(node.func)
    arguments = {}
    for keyword in node.keywords:
        try:
            arguments[keyword.arg] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, RecursionError, MemoryError):
            return None
    if name is None or None in arguments:
        return None
    return name.removeprefix("default_api."), arguments


def listed(*closers: str, bare: bool = False, whole: bool = False, proof: bool = False) -> Grammar:
    """`[N(K=V), N2()]`, then a closer if any; with `bare` the brackets may be missing.

    `whole`: the list has to be all of its lines and not indented, since prose and code have such lists
    too; where the tools are not known, all of the message.
    """

    def grammar(source: Source, start: int, body: int) -> Match | None:
        text = source.text
        pos = source.skip_space(start if whole else body)
        if _FIRST.match(text, pos) is None or (whole and text[pos - 1 : pos].strip("\n")):
            return None
        if text[pos] == "[":
            end = source.python_end(pos)
        elif bare and closers:
            stops = [at for c in closers if (at := source.find(c, pos)) >= 0]
            end = min(stops) if stops else None
        else:
            return None
        if end is None:
            return None if whole else _cut(source, pos, proof)
        known = source.offered or (pos, end) == source.whole
        if whole and (line_after(source, end).strip() or not known):
            return None
        calls = keyword_calls(text[pos:end])
        if not calls:
            return None
        after = source.skip_space(end)
        close = next((c for c in closers if text.startswith(c, after)), None)
        soft = whole and not source.offered
        return Match(after + len(close) if close else end, tuple(calls), proof=proof, soft=soft)

    return grammar


def keyword_calls(code: str) -> list[Call]:
    """The calls of a list or of one call per line; [] if anything else is among them."""
    calls: list[Call] = []
    for statement in _parsed(code):
        if not isinstance(statement, ast.Expr):
            return []
        value = statement.value
        for node in value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]:
            call = _call(node)
            if call is None:
                return []
            calls.append(call)
    return calls


_CUT_NAME = re.compile(rf"\[?\s*({NAME})\s?\(")


def _cut(source: Source, pos: int, proof: bool) -> Match | None:
    name = _CUT_NAME.match(source.text, pos)
    return name and Match(len(source.text), ((name[1], {}),), truncated=True, proof=proof)


def literal(source: Source, pos: int) -> tuple[object, int] | None:
    """The Python literal in the brackets that open at `pos`, and where it ends."""
    end = source.python_end(pos)
    statements = _parsed(source.text[pos:end]) if end is not None else []
    if end is None or len(statements) != 1 or not isinstance(statements[0], ast.Expr):
        return None
    try:
        return ast.literal_eval(statements[0].value), end
    except (ValueError, TypeError, RecursionError, MemoryError):
        return None


_BUILTIN = re.compile(rf"<\|python_tag\|>\s?({NAME})\.call(?=\()")


def builtin(source: Source, start: int, body: int) -> Match | None:
    """`<|python_tag|>N.call(K="V")`."""
    head = _BUILTIN.match(source.text, start)
    if head is None:
        return None
    end = source.python_end(head.end())
    if end is None:
        return Match(len(source.text), ((head[1], {}),), truncated=True, proof=True)
    calls = keyword_calls(f"{head[1]}{source.text[head.end() : end]}")
    return Match(end, tuple(calls), proof=True) if calls else None


_TOOL_CODE = "tool_code\n"


def tool_code(source: Source, start: int, body: int) -> Match | None:
    """A `tool_code` fence, or its content alone: calls, bare, assigned or within `print()`."""
    text = source.text
    if text.startswith("```", start):
        close = source.find("\n```", body - 1)
        end = len(text) if close < 0 else close + 4
        calls, cut = _code_calls(text[body : close if close >= 0 else end]), close < 0
    else:
        stop = source.python_end(start + len("print"))
        if stop is None:
            return None
        end, cut = stop, False
        calls = _code_calls(text[start:end])
        if text.endswith(_TOOL_CODE, max(0, start - len(_TOOL_CODE)), start):
            start -= len(_TOOL_CODE)
    return Match(end, tuple(calls), cut, start=start, soft=not source.offered) if calls else None


def _code_calls(code: str) -> list[Call]:
    """The calls among the statements of `code`; what is no call is passed over."""
    calls: list[Call] = []
    for statement in _parsed(code):
        value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
        if isinstance(value, ast.Call) and _name(value.func) == "print" and len(value.args) == 1:
            value = value.args[0]
        if isinstance(value, ast.Call) and (call := _call(value)):
            calls.append(call)
    return calls
