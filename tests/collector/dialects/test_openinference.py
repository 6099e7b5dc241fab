"""OpenInference by framework, as the public source of its instrumentations writes it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.derive.canonical import ToolExecution
from collector.dialects.openinference import OPENINFERENCE
from collector.records import SpanRecord
from tests.collector.derive.pipeline import derive_one, span

KIND, INPUT, OUTPUT = "openinference.span.kind", "input.value", "output.value"
ARGUMENTS = {"id": "R-1"}
RESULT = '{"success": true, "changed": false}'


def oi(span_id: str, at: float, kind: str, name: str, **more: Any) -> SpanRecord:
    return span(span_id, at, **{"name": name, KIND: kind, **more})


def llm(
    span_id: str,
    at: float,
    name: str,
    *,
    text: str = "",
    calls: tuple[tuple[str, Any], ...] = (),
    **more: Any,
) -> SpanRecord:
    """A model span; `calls` are of the tool `update`, each (id, arguments)."""
    attributes: dict[str, Any] = {
        "llm.output_messages.0.message.role": "assistant",
        "llm.token_count.prompt": 100,
        "llm.token_count.completion": 10,
    }
    if text:
        attributes["llm.output_messages.0.message.content"] = text
    for number, (call_id, arguments) in enumerate(calls):
        prefix = f"llm.output_messages.0.message.tool_calls.{number}.tool_call."
        attributes |= {f"{prefix}id": call_id, f"{prefix}function.name": "update"}
        if arguments is not None:
            attributes[f"{prefix}function.arguments"] = json.dumps(arguments)
    return oi(span_id, at, "LLM", name, **{**attributes, **more})


def executed(value: SpanRecord) -> ToolExecution:
    (record,) = OPENINFERENCE.read_span(value) or ()
    assert isinstance(record, ToolExecution)
    return record


def test_smolagents_steps_tools_and_arguments() -> None:
    bound = {"args": [], "sanitize_inputs_outputs": True, "kwargs": ARGUMENTS}
    spans = [oi("a", 0, "AGENT", "ToolCallingAgent.run", lasts=60, **{"llm.token_count.prompt": 200})]
    for step in (1, 2):
        spans += [
            oi(f"s{step}", step * 10, "CHAIN", f"Step {step}", parent="a", lasts=9),
            llm(
                f"m{step}", step * 10, "OpenAIModel.generate", parent=f"s{step}", calls=((f"c{step}", None),)
            ),
            oi(
                f"t{step}",
                step * 10 + 2,
                "TOOL",
                "SimpleTool",
                parent=f"s{step}",
                tool__name="update",
                **{INPUT: json.dumps(bound), OUTPUT: RESULT},
            ),
        ]
    rows = derive_one(spans)
    assert [(row.agent_name, row.emitter_step, row.input_tokens) for row in rows.rounds] == [
        ("ToolCallingAgent", 1, 100),
        ("ToolCallingAgent", 2, 100),
    ]
    assert [(call.call_id, call.tool, call.arguments, call.changed) for call in rows.tool_calls] == [
        ("c1", "update", '{"id":"R-1"}', False),
        ("c2", "update", '{"id":"R-1"}', False),
    ]


def test_smolagents_history_is_no_new_word_of_the_user() -> None:
    asked = {"role": "user", "content": "New task"}
    called = {"role": "tool-call", "content": "Calling tools: …"}
    answered = {"role": "tool-response", "content": "Observation: …"}

    def history(*messages: dict[str, str]) -> dict[str, Any]:
        return {
            f"llm.input_messages.{number}.message.{key}": value
            for number, message in enumerate(messages)
            for key, value in message.items()
        }

    rows = derive_one(
        [
            llm("1", 0, "OpenAIModel.generate", calls=(("c1", ARGUMENTS),), **history(asked)),
            llm("2", 5, "OpenAIModel.generate", text="Done.", **history(asked, called, answered)),
        ]
    )
    assert [row.user_text for row in rows.rounds] == ["New task", ""]


def test_llama_index_nested_model_spans_are_one_call_and_prepared_ones_none() -> None:
    output = {
        "blocks": [{"block_type": "text", "text": RESULT}],
        "raw_input": {"kwargs": ARGUMENTS},
        "raw_output": RESULT,
    }
    uncounted: dict[str, Any] = {"llm.token_count.prompt": None, "llm.token_count.completion": None}
    rows = derive_one(
        [
            oi(
                "p",
                0,
                "LLM",
                "OpenAILike._prepare_chat_with_tools",
                **{INPUT: "{}", OUTPUT: '{"messages": []}', "output.mime_type": "application/json"},
            ),
            llm(
                "o",
                1,
                "OpenAILike.astream_chat_with_tools",
                calls=(("c1", ARGUMENTS),),
                lasts=3,
                **uncounted,
            ),
            llm("m", 1.1, "OpenAILike.astream_chat", parent="o", calls=(("c1", ARGUMENTS),), lasts=2.8),
            llm("i", 1.2, "OpenAI.astream_chat", parent="m", calls=(("c1", ARGUMENTS),), lasts=2.6),
            oi(
                "t",
                5,
                "TOOL",
                "FunctionTool.acall",
                tool__name="update",
                **{INPUT: json.dumps({"kwargs": ARGUMENTS}), OUTPUT: json.dumps(output)},
            ),
        ]
    )
    assert [(row.round, row.input_tokens, row.tool_calls) for row in rows.rounds] == [(0, 100, 1)]
    (call,) = rows.tool_calls
    assert (call.call_id, call.tool, call.arguments) == ("c1", "update", '{"id":"R-1"}')
    assert (call.result, call.changed, call.is_error) == (RESULT, False, False)


def test_llama_index_says_in_its_output_that_a_tool_failed() -> None:
    output = {
        "blocks": [{"block_type": "text", "text": "no such requirement"}],
        "tool_name": "update",
        "raw_output": "x",
        "is_error": True,
    }
    call = executed(
        oi("t", 0, "TOOL", "FunctionTool.acall", tool__name="update", **{OUTPUT: json.dumps(output)})
    )
    assert (call.result, call.is_error) == ("no such requirement", True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("update.run", ARGUMENTS),
        (
            "update._use",
            {"tool_string": "…", "tool": "…", "calling": {"tool_name": "update", "arguments": ARGUMENTS}},
        ),
        ("update.acall", {"args": [], "kwargs": ARGUMENTS}),
        ("update", {"args": [ARGUMENTS], "sanitize_inputs_outputs": False, "kwargs": {}}),
    ],
)
def test_tools_whose_spans_name_only_their_method(name: str, value: Any) -> None:
    call = executed(oi("t", 0, "TOOL", name, **{INPUT: json.dumps(value)}))
    assert (call.tool, call.arguments) == ("update", ARGUMENTS)


def test_crewai_agents_are_named_by_their_role() -> None:
    rows = derive_one(
        [
            oi("k", 0, "CHAIN", "Crew.kickoff", lasts=60),
            oi("a", 1, "AGENT", "Writer.execute", parent="k", graph__node__id="Writer", lasts=20),
            llm("1", 2, "gpt.llm_call", parent="a", text="A draft."),
            oi("b", 30, "AGENT", "Editor.execute", parent="k", graph__node__id="Editor", lasts=20),
            llm("2", 31, "gpt.llm_call", parent="b", text="Final."),
        ]
    )
    assert [(row.agent_name, row.round) for row in rows.rounds] == [("Writer", 0), ("Editor", 0)]


def test_a_handoff_is_no_call_beside_the_one_that_asked_for_it() -> None:
    assert OPENINFERENCE.read_span(oi("h", 0, "TOOL", "handoff to billing")) == ()


def test_a_completion_without_messages_has_a_text() -> None:
    rows = derive_one(
        [oi("1", 0, "LLM", "OpenAI.complete", **{OUTPUT: "Hello.", "llm.token_count.completion": 3})]
    )
    assert [(row.text, row.output_tokens) for row in rows.rounds] == [("Hello.", 3)]


@pytest.mark.parametrize("kind", ["TOOL", "LLM", "AGENT", "CHAIN"])
@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        [],
        {},
        "{",
        {"kwargs": 1},
        {"calling": [], "tool_string": 1},
        {"raw_output": None, "tool_name": 3},
        {"blocks": [None], "raw_output": 1, "tool_name": ""},
    ],
)
def test_values_of_any_type_are_read_as_far_as_they_go(kind: str, value: Any) -> None:
    for given in (value, json.dumps(value)):
        assert (
            OPENINFERENCE.read_span(
                oi("1", 0, kind, "x", **{INPUT: given, OUTPUT: given, "tool.name": given})
            )
            is not None
        )
