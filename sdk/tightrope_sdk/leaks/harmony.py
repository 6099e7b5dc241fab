"""The harmony format of gpt-oss, whole or with its special tokens stripped by a server."""

from __future__ import annotations

import re

from tightrope_sdk.leaks.model import Match
from tightrope_sdk.leaks.names import NAME
from tightrope_sdk.leaks.source import Source

_LOOK_BACK = 80
_TO = rf"to=(?:functions\.)?({NAME})"
_LEAD = re.compile(
    r"(?:<\|start\|>)?(?:assistant)?\s?(?:<\|channel\|>)?(?:commentary|analysis|final)?\s?$", re.IGNORECASE
)
_HEAD = re.compile(
    r"(?:<\|start\|>)?(?:assistant)?\s?(?:<\|channel\|>)?(?:commentary|analysis|final)?\s?"
    rf"{_TO}\s?(?:<\|channel\|>)?(?:commentary|analysis)?\s?"
    r"(?:<\|constrain\|>)?(?:json|code)?\s?(?:<\|message\|>)?\s{0,4}",
    re.IGNORECASE,
)
_GLUED = re.compile(r"(?:commentary|analysis|json|code)$")
_END = re.compile(r"\s?<\|(?:call|end|return)\|>")
_STOP = re.compile(r"<\|(?:call|end|return|start|channel)\|>")


def harmony(source: Source, start: int, body: int) -> Match | None:
    """`<|channel|>commentary to=functions.N <|constrain|>json<|message|>{…}<|call|>` and its remains."""
    text = source.text
    if text.startswith(("to=", "commentary to="), start):
        source.spend(2 * _LOOK_BACK)
        before = text[max(0, start - _LOOK_BACK) : start]
        lead = _LEAD.search(before)
        start -= len(lead.group()) if lead else 0
        start = source.skip_space(start)
    head = _HEAD.match(text, start)
    if head is None:
        return None
    name, pos, proof = _GLUED.sub("", head[1]) or head[1], head.end(), "<|" in head.group()
    if text.startswith("{", pos):
        arguments = source.json(pos)
        if arguments.state == "ok":
            end = _END.match(text, arguments.end)
            return Match(
                end.end() if end else arguments.end, ((name, arguments.value),), start=start, proof=proof
            )
        if arguments.state == "open":
            return Match(len(text), ((name, {}),), truncated=True, start=start, proof=proof)
        return None
    if not proof or "<|message|>" not in head.group():
        cut = pos == len(text) and (proof or "commentary" in head.group())
        return Match(pos, ((name, {}),), truncated=True, start=start, proof=proof) if cut else None
    stop = source.search(_STOP, pos)
    if stop is None:
        return Match(len(text), ((name, {}),), truncated=True, start=start, proof=True)
    free_text = text[pos : stop.start()]
    end = _END.match(text, stop.start())
    return Match(end.end() if end else stop.start(), ((name, {"input": free_text}),), start=start, proof=True)


_ROLE = re.compile(rf"\[Assistant to=(?:functions\.)?({NAME})\]\s{{0,20}}", re.IGNORECASE)


def role_header(source: Source, start: int, body: int) -> Match | None:
    """`[Assistant to=functions.N] {json}`."""
    head = _ROLE.match(source.text, start)
    if head is None or not source.text.startswith("{", head.end()):
        return None
    arguments = source.json(head.end())
    if arguments.state == "bad":
        return None
    is_open = arguments.state == "open"
    return Match(arguments.end, ((head[1], {} if is_open else arguments.value),), truncated=is_open)
