"""Requests and responses that an attribute holds whole."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.derive.canonical import ModelCall
from collector.dialects import messages
from collector.dialects.answers import read_answer, read_request

FUNCTION = {"name": "search", "arguments": '{"q": "tea"}'}
SAYS = {"role": "assistant", "content": "Look."}
ASKS = {**SAYS, "tool_calls": [{"id": "c1", "type": "function", "function": FUNCTION}]}
LANGCHAIN_CALL = {"name": "search", "args": {"q": "tea"}, "id": "c1", "type": "tool_call"}
LANGCHAIN = {
    "lc": 1,
    "type": "constructor",
    "id": ["langchain", "schema", "messages", "AIMessage"],
    "kwargs": {"content": "Look.", "tool_calls": [LANGCHAIN_CALL]},
}
HAYSTACK_CALL = {"tool_call": {"tool_name": "search", "arguments": {"q": "tea"}, "id": "c1"}}


@pytest.mark.parametrize(
    ("response", "finish_reason"),
    [
        ({"choices": [{"message": ASKS, "finish_reason": "tool_calls"}, {"message": SAYS}]}, "tool_calls"),
        (
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "Look."},
                    {"type": "tool_use", "id": "c1", "name": "search", "input": {"q": "tea"}},
                ],
                "stop_reason": "tool_use",
            },
            "tool_use",
        ),
        (
            {
                "output": [
                    {
                        "type": "message",
                        "role": "assistant",
                        "content": [{"type": "output_text", "text": "Look."}],
                    },
                    {"type": "function_call", "call_id": "c1", **FUNCTION},
                ]
            },
            "",
        ),
        (
            {
                "candidates": [
                    {
                        "content": {
                            "role": "model",
                            "parts": [
                                {"text": "Look."},
                                {"functionCall": {"id": "c1", "name": "search", "args": {"q": "tea"}}},
                            ],
                        },
                        "finishReason": "STOP",
                    }
                ]
            },
            "STOP",
        ),
        (
            {
                "output": {
                    "message": {
                        "role": "assistant",
                        "content": [
                            {"text": "Look."},
                            {"toolUse": {"toolUseId": "c1", "name": "search", "input": {"q": "tea"}}},
                        ],
                    }
                },
                "stopReason": "tool_use",
            },
            "tool_use",
        ),
        ({"message": ASKS, "done_reason": "stop"}, "stop"),
        ({"generations": [[{"message": LANGCHAIN, "generation_info": {"finish_reason": "stop"}}]]}, "stop"),
        (
            {
                "replies": [
                    {
                        "role": "assistant",
                        "meta": {"finish_reason": "tool_calls"},
                        "content": [{"text": "Look."}, HAYSTACK_CALL],
                    }
                ]
            },
            "tool_calls",
        ),
        ({"output": ASKS}, ""),
        (ASKS, ""),
        ([ASKS], ""),
    ],
    ids=[
        "openai",
        "anthropic",
        "openai-responses",
        "gemini",
        "bedrock",
        "ollama",
        "langchain",
        "haystack",
        "wrapped",
        "message",
        "messages",
    ],
)
def test_responses_of_all_providers(response: Any, finish_reason: str) -> None:
    for form in (response, json.dumps(response), json.dumps(json.dumps(response))):
        answer = read_answer(form)
        assert (answer.text, answer.finish_reason) == ("Look.", finish_reason)
        assert [(call.call_id, call.name, call.arguments) for call in answer.calls] == [
            ("c1", "search", {"q": "tea"})
        ]


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("Tea it is.", "Tea it is."),
        ({"generations": [[{"text": "Tea it is.", "type": "Generation"}]]}, "Tea it is."),
        ({"choices": [{"text": "Tea it is."}]}, "Tea it is."),
        ({"replies": ["Tea it is."]}, "Tea it is."),
        ({"output": "Tea it is."}, "Tea it is."),
        ({"drink": "tea"}, '{"drink":"tea"}'),
        ('{"role": "assistant", "content": "Tea it i', "Tea it i"),
        (7, "7"),
        (None, ""),
        ("", ""),
        ({}, ""),
        ([], ""),
        ({"choices": []}, ""),
        ({"generations": [[]]}, ""),
    ],
)
def test_texts_and_answers_of_no_known_shape(response: Any, text: str) -> None:
    assert read_answer(response).text == text


USER = {"role": "user", "content": "Tea?"}
TOOLS = [{"type": "function", "function": {"name": "search"}}]


@pytest.mark.parametrize(
    "request_value",
    [
        {"messages": [USER], "tools": TOOLS, "model": "m"},
        {"messages": [[USER]], "tools": TOOLS},
        {"input": [USER], "tools": TOOLS},
        {"input": "Tea?", "tools": TOOLS},
        {"contents": [{"role": "user", "parts": [{"text": "Tea?"}]}], "tools": TOOLS},
    ],
)
def test_requests_of_all_providers(request_value: Any) -> None:
    for form in (request_value, json.dumps(request_value)):
        call = ModelCall("", "", 0, 0)
        read_request(call, form)
        assert [(message.role, message.text) for message in call.news] == [("user", "Tea?")]
        assert [tool.name for tool in messages.definitions(call.definitions)] == ["search"]


@pytest.mark.parametrize("prompt", ["Tea?", [USER], {"prompts": ["Tea?"]}, {"prompt": "Tea?"}])
def test_requests_without_tools(prompt: Any) -> None:
    call = ModelCall("", "", 0, 0, definitions=TOOLS)
    read_request(call, prompt)
    assert [(message.role, message.text) for message in call.news] == [("user", "Tea?")]
    assert call.definitions == TOOLS


@pytest.mark.parametrize("odd", [None, "", "{", "[1,", 3, {}, {"messages": 4}, {"input": True}, [None], [[]]])
def test_odd_requests_say_nothing(odd: Any) -> None:
    call = ModelCall("", "", 0, 0)
    read_request(call, odd)
    assert not any(message.calls or message.results for message in call.news)
