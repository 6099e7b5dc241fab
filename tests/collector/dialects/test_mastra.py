"""Mastra's spans, as the public source of its exporter writes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.derive.rows import SessionRows
from collector.dialects.mastra import MASTRA
from collector.records import SpanRecord
from tests.collector.derive.pipeline import derive_one, span

TYPE, OPERATION = "mastra.span.type", "gen_ai.operation.name"
UNCHANGED = '{"success":true,"changed":false}'


def mastra(span_id: str, at: float, kind: str, operation: str, **more: Any) -> SpanRecord:
    return span(span_id, at, **{"name": operation, TYPE: kind, OPERATION: operation, **more})


def step(number: int, parent: str, output: Any, history: Any = (), lasts: float = 4) -> SpanRecord:
    return mastra(
        f"s{number}",
        number * 10,
        "model_step",
        "agent_step",
        parent=parent,
        lasts=lasts,
        mastra__model_step__step_index=number,
        mastra__model_step__input=json.dumps(list(history)),
        mastra__model_step__output=json.dumps(output),
    )


def chat(span_id: str, at: float, kind: str, parent: str, tokens: int, lasts: float = 2) -> SpanRecord:
    return mastra(
        span_id,
        at,
        kind,
        "chat",
        parent=parent,
        lasts=lasts,
        gen_ai__request__model="m",
        gen_ai__provider__name="openai",
        gen_ai__usage__input_tokens=tokens,
        gen_ai__usage__output_tokens=1,
        gen_ai__response__finish_reasons='["tool-calls"]',
        gen_ai__output__messages='[{"role":"assistant","parts":[{"type":"text","content":""}]}]',
    )


def around(generation: SpanRecord, *steps: SpanRecord, call_id: str = "c1") -> SessionRows:
    agent = mastra(
        "a",
        0,
        "agent_run",
        "invoke_agent",
        lasts=60,
        gen_ai__agent__name="spec",
        gen_ai__conversation__id="thread-1",
        gen_ai__tool__definitions='["update","shell"]',
    )
    identified = {"gen_ai.tool.call.id": call_id} if call_id else {}
    execution = mastra(
        "t",
        5,
        "tool_call",
        "execute_tool",
        parent="s0",
        lasts=1,
        gen_ai__tool__name="update",
        gen_ai__tool__call__arguments='{"id":"R-1"}',
        gen_ai__tool__call__result=UNCHANGED,
        **identified,
    )
    return derive_one([agent, generation, execution, *steps])


FIRST = {"text": "", "toolCalls": [{"toolCallId": "c1", "toolName": "update", "args": {"id": "R-1"}}]}
CHUNK = {"text": "", "toolCalls": [{"type": "tool-call", "payload": FIRST["toolCalls"][0]}]}
ASKED = {"role": "user", "content": "Fill it in."}
HISTORY = [
    ASKED,
    {"role": "assistant", "content": "[tool: update]"},
    {"role": "tool", "content": "[tool: update]"},
]


@pytest.mark.parametrize("first", [FIRST, CHUNK], ids=["call", "chunk"])
@pytest.mark.parametrize("call_id", ["c1", ""], ids=["id", "no id"])
def test_a_step_and_the_inference_in_it_are_one_round(first: Any, call_id: str) -> None:
    rows = around(
        mastra("g", 0, "model_generation", "model_generation", parent="a", lasts=59),
        step(0, "g", first, [ASKED]),
        chat("i0", 1, "model_inference", "s0", 100),
        mastra("k", 1, "model_chunk", "model_chunk", parent="s0"),
        step(1, "g", {"text": "Done."}, HISTORY),
        chat("i1", 11, "model_inference", "s1", 120),
        call_id=call_id,
    )
    head = rows.sessions[0]
    assert (head.session_id, head.agent_name, head.model, head.dialect) == ("thread-1", "spec", "m", "mastra")
    assert [
        (row.round, row.emitter_step, row.provider, row.input_tokens, row.user_text, row.text)
        for row in rows.rounds
    ] == [(0, 0, "openai", 100, "Fill it in.", ""), (1, 1, "openai", 120, "", "Done.")]
    assert rows.rounds[0].finish_reason == "tool_calls"
    assert [(call.call_id, call.tool, call.result, call.changed) for call in rows.tool_calls] == [
        ("c1", "update", UNCHANGED, False)
    ]
    assert [row.tool for row in rows.tools] == ["update", "shell"]


def test_before_1_4_a_generation_around_its_steps_is_their_sum() -> None:
    rows = around(
        chat("g", 0, "model_generation", "a", 220, lasts=59),
        step(0, "g", FIRST, [ASKED]),
        step(1, "g", {"text": "Done."}),
    )
    assert [(row.round, row.model, row.text, row.input_tokens) for row in rows.rounds] == [
        (0, "m", "", None),
        (1, "m", "Done.", None),
    ]


def test_a_generation_of_one_step_is_one_round() -> None:
    rows = around(chat("g", 0, "model_generation", "a", 100, lasts=59), step(0, "g", FIRST, [ASKED]))
    assert [(row.emitter_step, row.model, row.input_tokens, row.tool_calls) for row in rows.rounds] == [
        (0, "m", 100, 1)
    ]


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        "",
        "{",
        [1],
        {"toolCalls": 3},
        {"toolCalls": [None, {"payload": 1}]},
        {"body": {"messages": 1}},
    ],
)
@pytest.mark.parametrize("kind", ["model_step", "agent_run", "tool_call", "other"])
def test_values_of_any_type_are_read_as_far_as_they_go(kind: str, value: Any) -> None:
    for given in (value, json.dumps(value)):
        assert (
            MASTRA.read_span(
                mastra(
                    "1",
                    0,
                    kind,
                    "execute_tool",
                    **{
                        "mastra.model_step.output": given,
                        "mastra.model_step.input": given,
                        "gen_ai.tool.definitions": given,
                    },
                )
            )
            is not None
        )
