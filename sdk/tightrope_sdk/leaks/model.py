"""What a leak is, what a format is, and what a grammar answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from tightrope_sdk.leaks.source import Source

Tier = Literal["strict", "soft"]
Call = tuple[str, Any]
"""(tool name, arguments). The arguments are a dict, or text where the format carries free text."""


@dataclass(frozen=True, slots=True)
class Leak:
    """One tool call, or several in a row, written as text.

    `text[start:end]` is the leaked part, markers included. `calls` is empty where the text holds
    only a marker or breaks off before the name. `truncated`: the text ended before the call did.
    `strict`: a whole match of the grammar; `soft`: likely, but never proof by itself.
    """

    format: str
    start: int
    end: int
    calls: tuple[Call, ...] = ()
    truncated: bool = False
    tier: Tier = "strict"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """What a grammar read: the text up to `end`, and the calls in it.

    `start` is set where the call begins before its opener. `proof`: a special token was seen, which
    no writer types by chance. `soft`: the text is a call only if its context agrees. `plain`: the
    text is data and no call, and nothing within it is to be looked at.
    """

    end: int
    calls: tuple[Call, ...] = ()
    truncated: bool = False
    start: int | None = None
    proof: bool = False
    soft: bool = False
    plain: bool = False
    note: str = ""


Grammar = Callable[["Source", int, int], "Match | None"]
"""(source, start of the opener, end of the opener) -> what stands there, or None."""


def either(*grammars: Grammar) -> Grammar:
    """The first of `grammars` that matches."""

    def grammar(source: Source, start: int, body: int) -> Match | None:
        return next((m for g in grammars if (m := g(source, start, body)) is not None), None)

    return grammar


@dataclass(frozen=True, slots=True)
class Format:
    """One way of writing tool calls as text, and the server flags that would have parsed it.

    `openers` are the literal strings with which it begins; with `line_start` they count only at the
    beginning of a line. `special`: the openers are special tokens of the model's vocabulary, so that
    they are proof even when the tool named is not known. `prompted`: a convention of the prompt, not
    of the model's chat template; harnesses parse such formats themselves. `section`: the tag around
    its calls, where nothing but tool calls uses that tag: a whole call in it that ends the text counts
    even when the tool named is not known.
    """

    label: str
    families: str
    shape: str
    openers: tuple[str, ...]
    grammar: Grammar = field(repr=False)
    vllm: tuple[str, ...] = ()
    sglang: tuple[str, ...] = ()
    line_start: bool = False
    special: bool = False
    prompted: bool = False
    section: str = ""

    @property
    def fenced(self) -> bool:
        """Whether its opener is that of a Markdown fence."""
        return self.openers[0].startswith("```")
