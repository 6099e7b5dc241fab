"""MLflow spans where the recording does not reach: other autologs, decorated functions, odd values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.dialects.mlflow import read_span
from tests.collector.derive.pipeline import derive_one, span

LANGCHAIN_CALL = {"name": "search", "args": {"q": "tea"}, "id": "c1", "type": "tool_call"}
GENERATION = {"message": {"content": "", "type": "ai", "tool_calls": [LANGCHAIN_CALL]}}
TOOL_MESSAGE = {
    "content": "3 kinds",
    "type": "tool",
    "name": "search",
    "tool_call_id": "c1",
    "status": "success",
}


def traced(span_id: str, at: float, kind: Any, inputs: Any, outputs: Any, **more: Any) -> Any:
    values = {"spanType": kind, "spanInputs": inputs, "spanOutputs": outputs, **more}
    attributes: dict[str, Any] = {f"mlflow.{key}": json.dumps(value) for key, value in values.items()}
    return span(span_id, at, name="search", **attributes)


def test_langchain_messages_and_tool_messages() -> None:
    rows = derive_one(
        [
            traced(
                "a",
                0,
                "CHAT_MODEL",
                [[{"content": "Tea?", "type": "human"}]],
                {"generations": [[GENERATION]]},
            ),
            traced("t", 1, "TOOL", {"q": "tea", "limit": ""}, TOOL_MESSAGE),
        ]
    )
    assert [row.user_text for row in rows.rounds] == ["Tea?"]
    [call] = rows.tool_calls
    assert (call.call_id, call.span_id, call.arguments, call.result) == ("c1", "t", '{"q":"tea"}', "3 kinds")


def test_a_session_on_the_root_span_only() -> None:
    root = traced("r", 0, "AGENT", None, None)
    root.attributes["session.id"] = "s-1"
    model = traced("a", 1, "LLM", "Tea?", "Yes.")
    model.parent_span_id = "r"
    [head] = derive_one([root, model]).sessions
    assert (head.session_id, head.session_source, head.agent_name) == ("s-1", "session.id", "search")
    assert head.final_text == "Yes."


def test_a_tool_that_returned_nothing_has_no_result() -> None:
    rows = derive_one([traced("t", 0, "TOOL", {}, None, spanFunctionName="brew")])
    assert [(call.tool, call.result, call.is_error) for call in rows.tool_calls] == [("brew", None, False)]


@pytest.mark.parametrize("kind", [None, 1, ["TOOL"], "", "CHAIN", "RETRIEVER", "UNKNOWN"])
def test_other_spans_make_no_round(kind: Any) -> None:
    assert read_span(traced("a", 0, kind, 1, 2)) == ()


def test_a_span_without_a_type_is_not_claimed() -> None:
    assert read_span(span("a", 0, mlflow__traceRequestId='"tr-1"')) is None


@pytest.mark.parametrize("odd", [None, 1, [1], "many", {"input_tokens": -1, "output_tokens": "x"}])
def test_odd_token_counts(odd: Any) -> None:
    chat = {"choices": [{"message": {"role": "assistant", "content": "Yes."}}]}
    model = traced("a", 0, "CHAT_MODEL", {}, chat, **{"chat.tokenUsage": odd, "llm.model": odd})
    [row] = derive_one([model]).rounds
    assert (row.text, row.input_tokens, row.output_tokens) == ("Yes.", None, None)
