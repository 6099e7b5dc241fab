"""Messages, results and values, told apart by their shape."""

from __future__ import annotations

from typing import Any

import pytest

from collector.dialects import messages
from collector.dialects.decode import decode, decode_text, identifier, integer, to_json
from collector.dialects.indexed import IndexedMessages
from collector.dialects.results import call_id_in, read_result

TEA = {"q": "tea"}
TEXT = '{"q": "tea"}'
SAID = {"role": "assistant"}
CALL = ("c1", "search", TEA)
RESULT = {"result": "R"}
VALUE = {"type": "text", "value": "R"}


@pytest.mark.parametrize(
    "raw",
    [
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "id": "c1", "name": "search", "arguments": {"q": "tea"}}],
        },
        {
            "role": "assistant",
            "tool_calls": [{"id": "c1", "function": {"name": "search", "arguments": '{"q": "tea"}'}}],
        },
        {"role": "assistant", "tool_calls": '[{"id": "c1", "name": "search", "args": {"q": "tea"}}]'},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c1", "name": "search", "input": {"q": "tea"}}],
        },
        {
            "role": "assistant",
            "content": [{"toolUse": {"toolUseId": "c1", "name": "search", "input": {"q": "tea"}}}],
        },
        {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "search", "args": {"q": "tea"}}}]},
        {"role": "model", "parts": [{"function_call": {"id": "c1", "name": "search", "args": {"q": "tea"}}}]},
        {
            "role": "assistant",
            "content": [
                {"type": "tool-call", "toolCallId": "c1", "toolName": "search", "input": '{"q":"tea"}'}
            ],
        },
        {"type": "function_call", "call_id": "c1", "name": "search", "arguments": '{"q": "tea"}'},
        {
            "type": "ai",
            "data": {"content": "", "tool_calls": [{"id": "c1", "name": "search", "args": {"q": "tea"}}]},
        },
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", "AIMessage"],
            "kwargs": {"content": "", "tool_calls": [{"id": "c1", "name": "search", "args": {"q": "tea"}}]},
        },
    ],
)
def test_a_call_in_every_shape(raw: dict[str, Any]) -> None:
    message = messages.parse(raw)
    assert message.role == "assistant"
    assert [(call.call_id, call.name, call.arguments) for call in message.calls] == [CALL]
    assert message.text == ""


@pytest.mark.parametrize(
    "raw",
    [
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "R"}]},
        {"role": "user", "parts": [{"type": "tool_call_response", "id": "c1", "result": {"result": "R"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "R"},
        {"role": "tool", "id": "c1", "content": [{"type": "text", "text": "R"}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "R"}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", "content": [{"text": "R"}]}}]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"id": "c1", "name": "s", "response": {"result": "R"}}}],
        },
        {
            "role": "tool",
            "content": [
                {"type": "tool-result", "toolCallId": "c1", "output": {"type": "text", "value": "R"}}
            ],
        },
        {"type": "function_call_output", "call_id": "c1", "output": "R"},
        {"type": "tool", "data": {"content": "R", "tool_call_id": "c1"}},
    ],
)
def test_a_result_in_every_shape(raw: dict[str, Any]) -> None:
    message = messages.parse(raw)
    assert [(result.call_id, result.text, result.is_error) for result in message.results] == [
        ("c1", "R", False)
    ]
    assert message.text == ""


def test_a_result_that_was_not_captured() -> None:
    (result,) = messages.parse({"role": "tool", "id": "c1", "content": None}).results
    assert (result.call_id, result.text) == ("c1", None)


@pytest.mark.parametrize(
    ("raw", "text", "reasoning"),
    [
        ({"role": "assistant", "content": "a"}, "a", ""),
        ({"role": "assistant", "content": "a", "reasoning_content": "r"}, "a", "r"),
        ({"role": "assistant", "content": ["a", {"type": "output_text", "text": "b"}]}, "a\nb", ""),
        ({"parts": [{"type": "reasoning", "content": "r"}, {"type": "text", "content": "a"}]}, "a", "r"),
        ({"content": [{"type": "thinking", "thinking": "r"}, {"type": "text", "text": "a"}]}, "a", "r"),
        ({"content": [{"reasoningContent": {"reasoningText": {"text": "r"}}}, {"text": "a"}]}, "a", "r"),
        ({"role": "model", "parts": [{"text": "r", "thought": True}, {"text": "a"}]}, "a", "r"),
        ({"role": "assistant", "content": '{"json": "answer"}'}, '{"json": "answer"}', ""),
        ("just text", "just text", ""),
        (None, "", ""),
    ],
)
def test_texts(raw: Any, text: str, reasoning: str) -> None:
    message = messages.parse(raw)
    assert (message.text, message.reasoning) == (text, reasoning)


def test_the_tail_is_what_came_after_the_last_answer() -> None:
    history = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
    ]
    assert [message.text for message in messages.tail(history)] == ["c"]
    assert [message.text for message in messages.tail(history[:1])] == ["a"]
    assert messages.tail([]) == []


@pytest.mark.parametrize(
    ("value", "text", "is_error"),
    [
        (None, None, False),
        ("", "", False),
        ("plain", "plain", False),
        ('{"a": 1}', '{"a": 1}', False),
        ('"{\\"a\\": 1}"', '{"a": 1}', False),
        ('"quoted"', "quoted", False),
        ({"a": 1}, '{"a":1}', False),
        ({"result": "R"}, "R", False),
        ({"result": {"a": 1}}, '{"result":{"a":1}}', False),
        ([{"text": "a"}, {"type": "text", "text": "b"}], "a\nb", False),
        ({"content": [{"type": "text", "text": "no"}], "isError": True}, "no", True),
        ({"type": "error-text", "value": "no"}, "no", True),
        ({"type": "tool", "data": {"content": "R", "tool_call_id": "c", "status": "error"}}, "R", True),
        ({"output": {"lc": 1, "kwargs": {"content": "R", "tool_call_id": "c"}}, "kwargs": {}}, "R", False),
        ("Traceback (most recent call last):\n", "Traceback (most recent call last):\n", True),
        ("ValueError: no", "ValueError: no", True),
        ("An error occurred while running the tool.", "An error occurred while running the tool.", True),
        ('{"error": ""}', '{"error": ""}', False),
        ("Error: " + "x" * 5000, "Error: " + "x" * 5000, False),
    ],
)
def test_results(value: Any, text: str | None, is_error: bool) -> None:
    assert read_result(value) == (text, is_error)


def test_the_call_id_inside_a_tool_message() -> None:
    assert call_id_in('{"type": "tool", "data": {"content": "R", "tool_call_id": "c"}}') == "c"
    assert call_id_in("plain") == call_id_in(None) == call_id_in({"tool_call_id": "c"}) == ""


def test_indexed_messages_keep_their_order_and_say_when_the_first_are_missing() -> None:
    attributes = {
        "m.10.message.content": "second",
        "m.2.message.role": "user",
        "m.2.message.contents.1.message_content.text": "b",
        "m.2.message.contents.0.message_content.text": "a",
        "m.10.message.tool_calls.0.tool_call.function.name": "t",
        "m.x.message.content": "no index",
        "m.3": "no field",
        "other.0.message.content": "not ours",
    }
    read, headless = IndexedMessages("m.").read(attributes)[0]
    assert read == [
        {"role": "user", "content": [{"text": "a"}, {"text": "b"}]},
        {"": "no field"},
        {"content": "second", "tool_calls": [{"name": "t"}]},
    ]
    assert headless
    assert IndexedMessages("m.").read({"m.0.content": "x"})[0] == ([{"content": "x"}], False)
    assert IndexedMessages("m.", "n.").read({}) == [([], False), ([], False)]


@pytest.mark.parametrize(
    ("value", "decoded"),
    [
        ('{"a": 1}', {"a": 1}),
        (" \n[1]", [1]),
        ('"\\"[1]\\""', [1]),
        ("{not json}", "{not json}"),
        ("42", "42"),
        (42, 42),
        ("", ""),
        ("[" * 3000, "[" * 3000),
        (r'["a\ud83d", "\udca9\uD83D\uDCA9", "\\ud83d"]', ["a\ufffd", "\ufffd\U0001f4a9", r"\ud83d"]),
    ],
)
def test_decoding(value: Any, decoded: Any) -> None:
    assert decode(value) == decoded


def test_anything_is_written_as_json() -> None:
    deep: list[Any] = []
    for _ in range(2000):
        deep = [deep]
    for value in (deep, 10**40, {1: 2}, {"x": float("nan")}, object(), [b"x"]):
        assert isinstance(to_json(value), str)
    assert decode_text(to_json({"n": 2**64})) == {"n": float(2**64)}


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3),
        ("3", 3),
        (3.0, 3),
        (3.5, None),
        (True, None),
        ("x", None),
        (2**70, None),
        ("9" * 5000, None),
        (None, None),
    ],
)
def test_integers(value: Any, number: int | None) -> None:
    assert integer(value) == number


@pytest.mark.parametrize(
    ("value", "name"),
    [("a", "a"), (' "a" ', "a"), (7, "7"), (True, ""), (["a"], ""), ("x" * 2000, ""), ('"7"', "7")],
)
def test_identifiers(value: Any, name: str) -> None:
    assert identifier(value) == name
