"""What a run has to show: an answer, something written, or an answer in the log of a run inside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from tightrope_sdk.names import words

from analyzers import call_classes
from analyzers.model import Round, ToolCall
from analyzers.stalled.announcements import announced

_ANSWERS = frozenset(
    {
        "answer", "artifact", "artifacts", "deliverable", "final", "final_answer", "final_output",
        "final_text", "finalanswer", "finaloutput", "output_file", "report", "summary",
    }
)  # fmt: skip
_LOGS = frozenset(
    {"events", "history", "log", "logs", "messages", "steps", "trace", "trajectory", "transcript"}
)
_WRITES = frozenset(
    {
        "append", "apply", "book", "commit", "create", "edit", "insert", "patch", "post", "publish",
        "replace", "save", "send", "submit", "update", "upload", "write",
    }
)  # fmt: skip
_MAX_RESULT = 1_000_000  # characters of a result that is read as JSON
_MAX_VALUES = 20_000
_MAX_LINES = 2_000  # of a log with one JSON object a line
_ENDS = 20_000  # characters at either end of a log that are read as words
_SAID_IN_WORDS = re.compile(
    r"\bfinal (?:answer|output|report|result)s?\b[\s:*=#]{1,6}\S.{15}"
    r"|\b(?:report|results?|output|answer) (?:was |were |is |are )?(?:saved|written|stored) (?:to|in|at) \S",
    re.IGNORECASE,
)
_MAX_NESTED = 100  # texts in a result that are read as JSON
_LEAST_ANSWER = 20  # characters that are more than "ok" or "done"
_LAST_CALLS = 20


def delivered(rounds: Sequence[Round]) -> bool:
    """Whether the rounds (since the user spoke) wrote something or hold an answer in a log."""
    calls = [call for turn in rounds for call in turn.calls]
    if any(map(_wrote, calls)):
        return True
    return any(_holds_answer(call) for call in calls[-_LAST_CALLS:])


def _wrote(call: ToolCall) -> bool:
    """A write that went well; of one that changed nothing, or of which nothing came back, nothing is left."""
    if call.changed is False or call.result is None or call_classes.failed(call):
        return False
    return bool(call.changed) or not _WRITES.isdisjoint(words(call.tool))


def _holds_answer(call: ToolCall) -> bool:
    """Whether the call's result is the log of a run that holds an answer, be it in a text in it."""
    return any(_log_answers(text) for text in (call.result, call.error) if text)


def _log_answers(text: str) -> bool:
    if _SAID_IN_WORDS.search(text[:_ENDS]) or _SAID_IN_WORDS.search(text[-_ENDS:]):
        return True
    decoded = _decoded(text) if "{" in text[:200] else None
    if decoded is not None:
        return _answers(decoded, _MAX_NESTED)
    lines = text[-_MAX_RESULT:].splitlines()[-_MAX_LINES:]
    entries = [_decoded(line) for line in lines if line.startswith("{")]
    return bool(entries) and (_said(entries) or _answers(entries, _MAX_NESTED))


def _answers(value: Any, nested: int) -> bool:
    """Whether `value` (decoded JSON) names an answer, or a log in it ends with one of the assistant."""
    left: list[Any] = [value]
    for _ in range(_MAX_VALUES):
        if not left:
            return False
        item = left.pop()
        if isinstance(item, dict):
            for key, inner in item.items():
                name = str(key).lower()
                if name in _ANSWERS and _is_answer(inner):
                    return True
                if name in _LOGS and isinstance(inner, list) and _said(inner):
                    return True
                left.append(inner)
        elif isinstance(item, list):
            left.extend(item)
        elif isinstance(item, str) and nested and item[:1] in "{[" and len(item) > _LEAST_ANSWER:
            nested -= 1
            left.append(_decoded(item))
    return False


def _is_answer(value: Any) -> bool:
    return (
        bool(value)
        if isinstance(value, (dict, list))
        else isinstance(value, str) and len(value) >= _LEAST_ANSWER
    )


def _said(log: Iterable[Any]) -> bool:
    """Whether the assistant's last words in a log are an answer, and not the announcement of a step."""
    for entry in reversed(list(log)):
        if isinstance(entry, dict) and "assistant" in (entry.get("role"), entry.get("type")):
            text = _text(entry.get("content") or entry.get("text") or entry.get("message"))
            if text:
                return _is_answer(text) and not announced(text)
    return False


def _text(content: Any) -> str:
    """The text of a message: its content, or that of its parts."""
    if isinstance(content, dict):
        content = content.get("content")
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        content = "\n".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _decoded(text: str) -> Any:
    if len(text) > _MAX_RESULT:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
