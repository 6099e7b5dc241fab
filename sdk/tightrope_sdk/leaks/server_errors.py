"""Errors by which a server says that its parser failed on a tool call."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from tightrope_sdk.leaks.model import Leak
from tightrope_sdk.leaks.scan import find_leaks

LONGEST = 20_000
"""Characters of an error text that are looked at."""


@dataclass(frozen=True, slots=True)
class ServerError:
    """A parser's failure: where it stands in the error text, whose it is, and the leak it quotes."""

    start: int
    end: int
    server: str
    format: str
    leak: Leak | None = None


_ERRORS: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), server, label)
    for pattern, server, label in (
        (
            r"unexpected tokens remaining in message header",
            "vLLM or another user of openai_harmony",
            "gpt_oss",
        ),
        (r"\bHarmonyError\b", "vLLM or another user of openai_harmony", "gpt_oss"),
        (r"error parsing tool call: raw=", "Ollama", ""),
        (r"Failed to parse input at pos \d{1,9}:?\s?", "llama.cpp", ""),
        (r"Error in extracting tool call from response", "vLLM", ""),
        (r"\btool_use_failed\b|Failed to call a function\. Please adjust your prompt", "the hosted API", ""),
    )
)


def find_server_error(error: str, tools: Collection[str] = ()) -> ServerError | None:
    """The tool-call parser's failure that `error` reports, None where it reports something else.

    Where the server quotes the text it could not parse, `leak` is the call in it, with offsets into
    `error`, and its format is taken.
    """
    error = error[:LONGEST]
    for pattern, server, label in _ERRORS:
        found = pattern.search(error)
        if found is None:
            continue
        quoted = found.end()
        for leak in find_leaks(error[quoted:], tools):
            moved = Leak(
                leak.format,
                leak.start + quoted,
                leak.end + quoted,
                leak.calls,
                leak.truncated,
                leak.tier,
                leak.note,
            )
            return ServerError(found.start(), moved.end, server, leak.format, moved)
        return ServerError(found.start(), found.end(), server, label)
    return None
