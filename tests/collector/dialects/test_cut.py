"""JSON that a limit cut off is read as far as it goes, and nothing half is taken for whole."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from collector.dialects.cut import read_cut

CALLS: list[Any] = [
    {"role": "assistant", "content": "I look at both."},
    {
        "role": "assistant",
        "tool_calls": [
            {"id": "c1", "name": "read", "arguments": {"path": "a.txt", "lines": [1, 2]}},
            {"id": "c2", "name": "write", "arguments": {"path": "b.txt", "content": 'say "{}" \\ [\u00e4'}},
        ],
    },
]
WHOLE = json.dumps(CALLS)


@pytest.mark.parametrize("keep", range(1, len(WHOLE)))
def test_every_cut_keeps_what_stands_before_it(keep: int) -> None:
    text = WHOLE[:keep]
    messages = read_cut(text)
    calls = [call for message in messages for call in message.get("tool_calls", ())]
    for call, whole in zip(calls, CALLS[1]["tool_calls"], strict=False):
        assert call.get("id", whole["id"]) == whole["id"]
        assert call.get("name", whole["name"]) == whole["name"]
        arguments = call.get("arguments", whole["arguments"])
        assert arguments == whole["arguments"] or (arguments[0] == "{" and text.endswith(arguments))
    assert sum("name" in call for call in calls) == len(re.findall(r'"name": "\w+"', text))
    assert "I look at both.".startswith(messages[0].get("content", "") if messages else "")


def test_arguments_held_as_text_stay_the_text_that_is_left() -> None:
    whole = json.dumps(
        [{"function": {"name": "t", "arguments": json.dumps({"path": "a", "content": "bcd"})}}]
    )
    (call,) = read_cut(whole[:-8])
    assert call["function"] == {"name": "t", "arguments": '{"path": "a", "content": "bc'}


@pytest.mark.parametrize(
    "text",
    ['[{"a" "b"', '{"a": 1} and so on', "[see above", "]", '"text', "", "[1] [", "[" * 5000, '{"a": 1}}{'],
)
def test_text_that_is_broken_elsewhere_is_no_cut_json(text: str) -> None:
    assert read_cut(text) is None


@pytest.mark.parametrize(
    "text", ['{"a": {"a": {}, "b": 2, "a": {"y": [1', '[{"a": {"b": 1}, "c": "", "a": {"d": {']
)
def test_a_key_that_stands_twice_is_harmless(text: str) -> None:
    assert read_cut(text)


def test_half_an_emoji_spoils_nothing() -> None:
    text = '[{"content": "so \\ud83d"}, {"content": "well \\ud83d\\ude00"}, {"content": "then \\ud83d'
    texts = [message["content"] for message in read_cut(text)]
    assert texts == ["so \ufffd", "well \U0001f600", "then \ufffd"]
