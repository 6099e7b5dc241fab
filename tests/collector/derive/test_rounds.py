"""Rounds: one for each answer of a model, numbered within its agent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.records import SpanRecord
from tests.collector.derive.pipeline import (
    ask_for,
    chat,
    derive_all,
    derive_one,
    event,
    given_back,
    log,
    say,
    span,
    tool,
    user,
)

OPERATION = "gen_ai.operation.name"
AGENT = "gen_ai.agent.name"


def agent(span_id: str, name: str, parent: str = "", **more: Any) -> Any:
    return span(span_id, 0, parent=parent, lasts=60, **{OPERATION: "invoke_agent", AGENT: name, **more})


def test_agents_of_one_session_count_their_own_rounds() -> None:
    rows = derive_one(
        [
            agent("A", "boss"),
            chat("1", 1, ask_for(("c", "delegate", {})), parent="A"),
            tool("t", 2, "delegate", "c", parent="A", lasts=5),
            agent("B", "helper", parent="t"),
            chat("2", 3, say("working"), parent="B"),
            chat("3", 4, say("found it"), parent="B"),
            chat("4", 8, say("All done."), parent="A"),
        ]
    )
    told = [(row.agent_name, row.round, row.text) for row in rows.rounds]
    assert told == [
        ("boss", 0, ""),
        ("helper", 0, "working"),
        ("helper", 1, "found it"),
        ("boss", 1, "All done."),
    ]
    head = rows.sessions[0]
    assert (head.agent_name, head.final_text, head.outcome) == ("boss", "All done.", "answered")


def test_tokens_are_counted_on_model_spans_only() -> None:
    usage = {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 2}
    doubled = {"gen_ai.usage.input_tokens": 20, "gen_ai.usage.output_tokens": 4}
    output = [{"role": "assistant", "parts": [{"type": "text", "content": "a"}]}]
    rows = derive_one(
        [
            agent("A", "x", **{**doubled, "gen_ai.output.messages": output}),
            chat("1", 1, say("a"), parent="A", **usage),
            chat("2", 2, say("b"), parent="A", **usage),
        ]
    )
    assert (rows.sessions[0].input_tokens, rows.sessions[0].output_tokens) == (20, 4)


def test_two_instrumentations_of_one_call_give_one_round() -> None:
    outer = span(
        "o",
        0,
        lasts=3,
        **{
            "openinference.span.kind": "LLM",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "hello",
            "llm.token_count.prompt": 7,
        },
    )
    inner = chat("i", 1, say("hello"), [user("hi")], parent="o", **{"gen_ai.usage.input_tokens": 7})
    rows = derive_one([outer, inner])
    assert [(row.text, row.user_text, row.input_tokens, row.model) for row in rows.rounds] == [
        ("hello", "hi", 7, "m")
    ]
    assert rows.sessions[0].dialect == "genai, openinference"


def test_a_model_span_around_several_is_their_sum() -> None:
    rows = derive_one(
        [
            chat("o", 0, say("a b"), lasts=9),
            chat("1", 1, say("a"), parent="o"),
            chat("2", 2, say("b"), parent="o"),
        ]
    )
    assert [row.text for row in rows.rounds] == ["a", "b"]


def test_a_log_twin_fills_what_the_span_lacks() -> None:
    cut = '[{"role":"assistant","parts":[{"type":"tool_call","id":"c","name":"t","arguments":{"pa'
    rows = derive_one(
        [span("m", 0, **{OPERATION: "chat", "gen_ai.request.model": "m", "gen_ai.output.messages": cut})],
        [
            log(
                0.5,
                name="gen_ai.client.inference.operation.details",
                span_id="m",
                **{
                    OPERATION: "chat",
                    "gen_ai.input.messages": [user("go")],
                    "gen_ai.output.messages": [ask_for(("c", "t", {"path": "x"}))],
                },
            )
        ],
    )
    assert [(call.tool, call.arguments) for call in rows.tool_calls] == [("t", '{"path":"x"}')]
    assert [(row.user_text, row.model) for row in rows.rounds] == [("go", "m")]


def test_of_a_history_that_was_cut_nobody_knows_what_is_new() -> None:
    history = [user("go"), say("one"), user("and now?")]
    cut = json.dumps([*history, user("the latest")])[:-5]
    rows = derive_one([chat("m", 0, say("two"), **{"gen_ai.input.messages": cut})])
    assert [row.user_text for row in rows.rounds] == [""]


def test_a_log_twin_fills_calls_that_a_cut_took_away() -> None:
    answer = [ask_for(("c1", "t", {"path": "x"}), ("c2", "t", {"path": "y"}))]
    cut = json.dumps(answer)
    cut = cut[: cut.index("c2")]
    details = {OPERATION: "chat", "gen_ai.output.messages": answer}
    rows = derive_one(
        [span("m", 0, **{OPERATION: "chat", "gen_ai.output.messages": cut})],
        [log(0.5, name="gen_ai.client.inference.operation.details", span_id="m", **details)],
    )
    assert [call.arguments for call in rows.tool_calls] == ['{"path":"x"}', '{"path":"y"}']


def test_model_calls_told_by_log_records_alone() -> None:
    def turn(at: float, span_id: str, question: str, answer: str) -> list[Any]:
        return [
            log(at, name="gen_ai.user.message", span_id=span_id, body={"content": question}),
            log(
                at + 0.1,
                span_id=span_id,
                body={"message": {"content": answer}},
                **{"event.name": "gen_ai.choice"},
            ),
        ]

    logs = [*turn(0, "a", "one?", "1"), *turn(1, "b", "two?", "2")]
    rows = derive_one([], logs)
    assert [(row.user_text, row.text) for row in rows.rounds] == [("one?", "1"), ("two?", "2")]


def test_model_calls_told_by_log_records_without_trace_or_span() -> None:
    logs = []
    for at, question, answer in ((0, "one?", "1"), (1, "two?", "2")):
        logs.append(log(at, trace="", name="gen_ai.user.message", body=f'{{"content": "{question}"}}'))
        logs.append(
            log(at + 0.1, trace="", name="gen_ai.choice", body=f'{{"message": {{"content": "{answer}"}}}}')
        )
    for record in logs:
        record.attributes["session.id"] = "s"
    rows = derive_one([], logs)
    assert [(row.user_text, row.text) for row in rows.rounds] == [("one?", "1"), ("two?", "2")]
    assert rows.sessions[0].session_id == "s"


def test_events_on_the_span_in_two_generations() -> None:
    for events in (
        [event("gen_ai.user.message", 0, content="hi"), event("gen_ai.choice", 1, message="hello")],
        [
            event("gen_ai.content.prompt", 0, gen_ai__prompt='[{"role": "user", "content": "hi"}]'),
            event(
                "gen_ai.content.completion",
                1,
                gen_ai__completion='[{"role": "assistant", "content": "hello"}]',
            ),
        ],
    ):
        (row,) = derive_one([span("m", 0, events=events, **{OPERATION: "chat"})]).rounds
        assert (row.user_text, row.text) == ("hi", "hello")


def test_a_request_sent_again_is_not_the_user_speaking_again() -> None:
    failed = span(
        "a", 0, status=2, message="503", **{OPERATION: "chat", "gen_ai.input.messages": [user("hi")]}
    )
    rows = derive_one([failed, chat("b", 1, say("hello"), [user("hi")])])
    assert [(row.user_text, row.error, row.text) for row in rows.rounds] == [
        ("hi", "503", ""),
        ("", "", "hello"),
    ]


def test_results_in_a_user_message_are_no_words_of_the_user() -> None:
    asked = {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "c", "name": "t", "input": {"x": 1}}],
    }
    answer = {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "c",
                "content": [{"type": "text", "text": "R"}],
                "is_error": True,
            },
            {"type": "text", "text": "hurry up"},
        ],
    }
    rows = derive_one(
        [chat("a", 0, asked, [user("go")]), chat("b", 1, say("done"), [user("go"), asked, answer])]
    )
    assert rows.rounds[1].user_text == "hurry up"
    assert [(call.result, call.is_error) for call in rows.tool_calls] == [("R", True)]


def test_steps_of_the_emitter_are_kept_beside_our_numbers() -> None:
    rows = derive_one(
        [
            span("s1", 0, name="step 1", **{OPERATION: "agent_step"}),
            chat("a", 0, say("x"), parent="s1"),
            span("s2", 1, name="Step 7", openinference__span__kind="CHAIN"),
            chat("b", 1, say("y"), parent="s2"),
            chat("c", 2, say("z"), **{"agent.round.index": 12}),
        ]
    )
    assert [(row.round, row.emitter_step) for row in rows.rounds] == [(0, 1), (1, 7), (2, 12)]


@pytest.mark.parametrize(
    ("answer", "more", "outcome"),
    [
        (say("Done."), {}, "answered"),
        (say("Do"), {"gen_ai.response.finish_reasons": ["length"]}, "length"),
        (say(""), {"gen_ai.response.finish_reasons": ["FinishReason.MAX_TOKENS"]}, "length"),
        (ask_for(("c", "t", {})), {}, "no_answer"),
        (say(""), {}, "no_answer"),
        (say(""), {"status": 2, "message": "overloaded"}, "error"),
        (say(""), {"gen_ai.response.finish_reasons": '["stop"]'}, "answered"),  # content is not captured
    ],
)
def test_outcomes(answer: dict[str, Any], more: dict[str, Any], outcome: str) -> None:
    assert derive_one([chat("a", 0, answer, **more)]).sessions[0].outcome == outcome


def test_a_run_that_ends_on_a_failed_tool() -> None:
    spans = [chat("a", 0, ask_for(("c", "t", {}))), tool("t", 1, "t", "c", status=2)]
    assert derive_one(spans).sessions[0].outcome == "tool_error"
    assert derive_one(spans[1:]).sessions[0].outcome == "tool_error"


def test_offered_tools_from_every_shape() -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    for definitions in (
        [{"type": "function", "name": "search", "description": "d", "parameters": schema}],
        json.dumps(
            [{"type": "function", "function": {"name": "search", "description": "d", "parameters": schema}}]
        ),
        [{"name": "search", "description": "d", "input_schema": schema}],
        [{"name": "search", "description": "d", "inputSchema": schema}, {"no": "name"}, 3],
    ):
        rows = derive_one([chat("a", 0, say("x"), **{"gen_ai.tool.definitions": definitions})])
        assert [(row.tool, row.description) for row in rows.tools] == [("search", "d")]
        assert rows.tools[0].input_schema is not None


def test_traces_without_an_agent_are_no_sessions() -> None:
    assert derive_all([span("a", 0, name="GET /", session__id="browser-1")]) == []


def test_given_back_without_ids_answers_the_calls_in_order() -> None:
    asked = ask_for(("", "a", {}), ("", "b", {}))
    history = [user("x"), asked, given_back("", "A"), given_back("", "B")]
    rows = derive_one([chat("m", 0, asked, history[:1]), chat("n", 1, say("ok"), history)])
    assert [call.result for call in rows.tool_calls] == ["A", "B"]


def test_a_call_that_names_no_agent_is_of_the_agent_whose_results_it_is_given() -> None:
    rows = derive_one(
        [
            chat("1", 1, say("A title"), [user("find a title")], **{AGENT: "title"}),
            chat("2", 2, ask_for(("c1", "read", {})), [user("go")], **{AGENT: "build"}),
            chat("3", 3, ask_for(("c2", "read", {})), [user("go"), given_back("c1", "text")]),
            chat("4", 4, say("Done."), [user("go"), given_back("c2", "text")]),
        ]
    )
    told = [(row.agent_name, row.round) for row in rows.rounds]
    assert told == [("title", 0), ("build", 0), ("build", 1), ("build", 2)]
    head = rows.sessions[0]  # a helper that answers once is not the session's agent
    assert (head.agent_name, head.final_text, head.outcome) == ("build", "Done.", "answered")


def worker(number: int, at: float, parent: str = "0") -> list[SpanRecord]:
    """A run of an agent that looks something up; its span ends long after its work."""
    run, call_id = f"{number}a", f"c{number}"
    return [
        span(run, at, parent=parent, lasts=20, **{OPERATION: "invoke_agent", AGENT: "worker"}),
        chat(f"{number}b", at + 1, ask_for((call_id, "look", {})), parent=run),
        tool(f"{number}c", at + 3, "look", call_id, parent=run),
        chat(f"{number}d", at + 5, say(f"part {number}"), parent=run),
    ]


def test_agents_of_one_name_at_work_at_once_count_rounds_of_their_own() -> None:
    rows = derive_one([record for number in range(3) for record in worker(number, number * 0.1)])
    assert {(row.agent_name, row.round) for row in rows.rounds} == {
        (name, number) for name in ("worker", "worker (2)", "worker (3)") for number in (0, 1)
    }
    assert {(call.agent_name, call.round) for call in rows.tool_calls} == {
        ("worker", 0),
        ("worker (2)", 0),
        ("worker (3)", 0),
    }


def test_an_agent_that_runs_again_goes_on_counting() -> None:
    rows = derive_one([*worker(1, 0), *worker(2, 10)])
    assert [(row.agent_name, row.round) for row in rows.rounds] == [("worker", number) for number in range(4)]


def test_a_span_of_the_same_agent_inside_is_the_same_run_unless_a_tool_ran_it() -> None:
    rows = derive_one([*worker(1, 0), *worker(2, 1, parent="1a")])
    assert {row.agent_name for row in rows.rounds} == {"worker"}
    rows = derive_one([*worker(1, 0), *worker(2, 2, parent="1c")])
    assert {row.agent_name for row in rows.rounds} == {"worker", "worker (2)"}
