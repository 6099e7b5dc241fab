"""Semantic Kernel, where its recorded payloads do not reach."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from collector.dialects import CHAIN
from collector.dialects.semantic_kernel import SEMANTIC_KERNEL
from collector.records import SpanRecord
from tests.collector.derive.pipeline import derive_one, event, log, span

OPERATION = "gen_ai.operation.name"


def own(span_id: str, at: float, operation: Any, **more: Any) -> SpanRecord:
    record = span(span_id, at, **{"name": str(operation), OPERATION: operation, **more})
    return replace(record, scope_name="semantic_kernel.functions.kernel_function")


def test_a_function_that_the_application_invokes_is_no_tool_call() -> None:
    rows = derive_one(
        [
            own("f", 0, "execute_tool", gen_ai__tool__name="jokes-tell", lasts=9),
            own("m", 1, "chat", parent="f", gen_ai__response__finish_reason="FinishReason.STOP"),
        ]
    )
    assert (len(rows.tool_calls), [row.finish_reason for row in rows.rounds]) == (0, ["stop"])


def test_older_versions_wrote_messages_as_events_on_the_span() -> None:
    asked = json.dumps([{"role": "user", "content": "Hello?"}])
    answered = json.dumps([{"message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}])
    events = [
        event("gen_ai.content.prompt", 1, **{"gen_ai.prompt": asked}),
        event("gen_ai.content.completion", 2, **{"gen_ai.completion": answered}),
    ]
    rows = derive_one([own("m", 1, "chat.completions", events=events, gen_ai__usage__prompt_tokens=9)])
    assert [(row.user_text, row.input_tokens) for row in rows.rounds] == [("Hello?", 9)]


@pytest.mark.parametrize(
    "value", [None, 7, "", "-", "{", [1], [{"function": 3}], [{"function": {"name": 4}}]]
)
@pytest.mark.parametrize("operation", ["chat", "execute_tool", "invoke_agent", "other", 3, None])
def test_values_of_any_type_are_read_as_far_as_they_go(operation: Any, value: Any) -> None:
    names = (
        "gen_ai.tool.name",
        "gen_ai.tool.call.id",
        "gen_ai.tool.definitions",
        "gen_ai.response.finish_reason",
    )
    record = own("1", 0, operation, **dict.fromkeys(names, value))
    named, read = CHAIN.read_span(record)
    assert named == "semantic_kernel" or not read
    told = replace(log(0, name="gen_ai.choice", body=value), scope_name="semantic_kernel.x")
    assert len(SEMANTIC_KERNEL.read_log(told) or ()) == 1
