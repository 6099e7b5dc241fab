"""Langfuse observations where the recording does not reach: decorators, the OpenAI drop-in, odd values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.dialects.langfuse import read_span
from tests.collector.derive.pipeline import derive_one, span

FUNCTION = {"name": "search", "arguments": '{"q": "tea"}'}
ASKS = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": FUNCTION}]}
REQUEST: dict[str, Any] = {
    "messages": [{"role": "user", "content": "Tea?"}],
    "tools": [{"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}],
}


def observation(span_id: str, at: float, kind: Any, **more: Any) -> Any:
    attributes = {f"langfuse.observation.{key.replace('__', '.')}": value for key, value in more.items()}
    return span(span_id, at, name="search", **{"langfuse.observation.type": kind, **attributes})


def test_a_decorated_tool_and_an_openai_request() -> None:
    rows = derive_one(
        [
            observation("a", 0, "generation", input=json.dumps(REQUEST), output=json.dumps(ASKS)),
            observation(
                "t",
                1,
                "tool",
                input='{"args": [], "kwargs": {"q": "tea"}}',
                level="ERROR",
                status_message="no tea",
            ),
        ]
    )
    assert [row.user_text for row in rows.rounds] == ["Tea?"]
    assert [tool.tool for tool in rows.tools] == ["search"]
    [call] = rows.tool_calls
    assert (call.call_id, call.span_id, call.arguments) == ("c1", "t", '{"q":"tea"}')
    assert (call.is_error, call.error, call.result) == (True, "no tea", None)


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (
            {"input": 20, "input_cache_read": 100, "output": 20, "output_reasoning": 10, "total": 150},
            (120, 30),
        ),
        ({"prompt_tokens": 120, "completion_tokens": 30, "prompt_tokens_details": {"a": 1}}, (120, 30)),
        ({"input": 0, "output": 0}, (0, 0)),
        ({"total": 150}, (None, None)),
        ({"input": -1, "output": "many"}, (None, None)),
        ([1], (None, None)),
        ("{", (None, None)),
        (None, (None, None)),
    ],
)
def test_tokens_of_all_kinds_are_added_up(usage: Any, tokens: tuple[int | None, int | None]) -> None:
    rows = derive_one([observation("a", 0, "GENERATION", output="Hi.", usage_details=json.dumps(usage))])
    assert [(row.text, row.input_tokens, row.output_tokens) for row in rows.rounds] == [("Hi.", *tokens)]


def test_a_tools_message_is_no_offered_tool() -> None:
    result = {"role": "tool", "tool_call_id": "c1", "content": {"function": {"name": "search"}}}
    odd = {"role": "tool", "content": {"type": "function", "function": "search"}}
    history = [REQUEST["messages"][0], ASKS, result, odd]
    rows = derive_one([observation("a", 0, "generation", input=json.dumps(history), output="Hi.")])
    assert rows.tools == []


@pytest.mark.parametrize("kind", [None, 1, ["tool"], "", "embedding", "event"])
def test_other_observations_make_no_round(kind: Any) -> None:
    assert not read_span(observation("a", 0, kind, input="1", output="2"))


def test_an_observation_with_a_genai_operation_is_left_to_genai() -> None:
    rows = derive_one([observation("a", 0, "generation", output="Hi.")])
    assert rows.sessions[0].dialect == "langfuse"
    both = observation("a", 0, "generation")
    both.attributes.update(
        {"gen_ai.operation.name": "chat", "gen_ai.output.messages": '[{"content": "Hi."}]'}
    )
    assert derive_one([both]).sessions[0].dialect == "genai"
