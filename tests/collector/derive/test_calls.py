"""Proposals, spans and results become one call each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collector.derive.rows import SessionRows, ToolCallRow
from tests.collector.derive.pipeline import (
    ask_for,
    chat,
    derive_one,
    event,
    given_back,
    log,
    say,
    span,
    tool,
    user,
)

ARGS = "gen_ai.tool.call.arguments"
RESULT = "gen_ai.tool.call.result"


def brief(rows: SessionRows) -> list[tuple[int, int, str, str | None]]:
    return [(call.round, call.position, call.tool, call.result) for call in rows.tool_calls]


def only(rows: SessionRows) -> ToolCallRow:
    (call,) = rows.tool_calls
    return call


def test_a_call_told_four_times_is_one_call() -> None:
    asked = ask_for(("c1", "search", {"q": "tea"}))
    history = [user("find tea"), asked, given_back("c1", "found")]
    rows = derive_one(
        [
            chat("a", 0, asked, history[:1]),
            tool("b", 1, "search", "c1", **{ARGS: '{"q": "tea"}', RESULT: "found"}),
            chat("c", 2, say("Here."), history),
        ],
        [log(0.4, name="gen_ai.choice", span_id="a", body={"message": {"tool_calls": [{"id": "c1"}]}})],
    )
    assert brief(rows) == [(0, 0, "search", "found")]
    assert only(rows).source == "span"
    assert [row.user_text for row in rows.rounds] == ["find tea", ""]


def test_calls_in_the_history_of_an_unseen_past_are_not_counted() -> None:
    history = [user("hi"), ask_for(("old", "search", {})), given_back("old", "found"), user("again")]
    rows = derive_one([chat("a", 0, say("Sorry."), history)])
    assert rows.tool_calls == []
    assert rows.rounds[0].user_text == "again"


def test_a_result_that_nobody_asked_for_is_kept_without_a_name() -> None:
    asked = ask_for(("c1", "search", {"q": "tea"}))
    history = [user("find tea"), asked, given_back("c1", "found"), given_back("c9", "stray")]
    rows = derive_one([chat("a", 0, asked, history[:1]), chat("b", 2, say("Here."), history)])
    assert brief(rows) == [(0, 0, "search", "found"), (0, 1, "", "stray")]
    assert (rows.tool_calls[1].call_id, rows.tool_calls[1].arguments) == ("c9", None)


@pytest.mark.parametrize(
    "history",
    [
        [user("find tea"), ask_for(("c1", "search", {})), given_back("c9", "found")],
        [user("find tea"), ask_for(("c9", "search", {})), given_back("c9", "found")],
        [user("what was before"), given_back("c9", "found")],
    ],
    ids=["a call waits, under another id", "the request holds the call", "the history was cut"],
)
def test_a_result_whose_call_may_be_somewhere_is_not_unasked(history: list[dict[str, Any]]) -> None:
    rows = derive_one(
        [chat("a", 0, ask_for(("c1", "search", {})), [user("find tea")]), chat("b", 2, say("Here."), history)]
    )
    assert [call.tool for call in rows.tool_calls] == ["search"]


def test_ids_used_again_in_every_round_mean_the_latest_proposal() -> None:
    asked = ask_for(("search_0", "search", {"q": "tea"}))
    spans = []
    history = [user("find tea")]
    for turn in range(3):
        spans.append(chat(f"m{turn}", 2 * turn, asked, list(history)))
        spans.append(tool(f"t{turn}", 2 * turn + 1, "search", "search_0"))
        history += [asked, given_back("search_0", f"result {turn}")]
    rows = derive_one([*spans, chat("end", 9, say("done"), history)])
    assert brief(rows) == [(turn, 0, "search", f"result {turn}") for turn in range(3)]
    assert [call.span_id for call in rows.tool_calls] == ["t0", "t1", "t2"]


def test_spans_without_call_id_are_joined_by_name_arguments_and_time() -> None:
    asked = ask_for(("a", "read", {"path": "x"}), ("b", "read", {"path": "y"}), ("c", "read", {"path": "x"}))
    rows = derive_one(
        [
            chat("m", 0, asked),
            tool("t2", 1.1, "read", **{ARGS: {"path": "y"}, RESULT: "Y"}),
            tool("t1", 1.0, "read", **{ARGS: {"path": "x", "limit": None}, RESULT: "X1"}),
            tool("t3", 1.2, "read", **{ARGS: {"path": "x"}, RESULT: "X2"}),
        ]
    )
    assert [(call.call_id, call.result) for call in rows.tool_calls] == [("a", "X1"), ("b", "Y"), ("c", "X2")]


def test_a_span_named_by_its_operation_takes_its_tools_name_from_the_proposal() -> None:
    unnamed = {"name": "execute_tool", "gen_ai.operation.name": "execute_tool"}
    rows = derive_one(
        [
            chat("a", 0, ask_for(("c1", "search", {"q": "tea"}))),
            span("t", 1, **unnamed, **{ARGS: {"q": "tea", "limit": ""}, RESULT: "3"}),
            span("u", 2, **unnamed, **{ARGS: {"q": "milk"}}),
        ]
    )
    assert [(call.tool, call.requested_tool, call.span_id, call.result) for call in rows.tool_calls] == [
        ("search", "search", "t", "3"),
        ("execute_tool", "execute_tool", "u", None),
    ]


def test_a_span_without_proposal_belongs_to_the_model_call_before_it() -> None:
    rows = derive_one(
        [chat("m", 0, say("a")), chat("n", 2, say("b")), tool("t", 1, "search"), tool("u", 3, "run")]
    )
    assert brief(rows) == [(0, 0, "search", None), (1, 0, "run", None)]


def test_a_proposal_that_nothing_answered_has_no_result() -> None:
    call = only(derive_one([chat("m", 0, ask_for(("c", "t", {})))]))
    assert (call.result, call.is_error, call.source, call.started_at) == (None, False, "message", None)


def test_a_result_told_only_by_a_much_later_request() -> None:
    history = [
        user("x"),
        ask_for(("c", "t", {})),
        given_back("c", "R"),
        ask_for(("d", "t", {})),
        given_back("d", "S"),
    ]
    rows = derive_one([chat("m", 0, history[1], history[:1]), chat("n", 5, say("done"), history)])
    assert brief(rows) == [(0, 0, "t", "R")]


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ("", {}),
        ('{"a": ', '{"a": '),
        ("ls -la", "ls -la"),
        (None, None),
    ],
)
def test_arguments(given: Any, stored: Any) -> None:
    call = only(derive_one([chat("m", 0, ask_for(("c", "t", given)))]))
    assert (None if call.arguments is None else json.loads(call.arguments)) == stored
    assert bool(call.fingerprint) == (stored is not None)


def test_the_fingerprint_is_of_what_the_model_asked_for() -> None:
    asked = ask_for(("c", "Search", {"q": "tea", "n": 1}))
    plain = only(derive_one([chat("m", 0, asked)]))
    ran = only(
        derive_one([chat("m", 0, asked), tool("t", 1, "web_search", "c", **{ARGS: {"n": 1, "q": "tea"}})])
    )
    assert plain.fingerprint == ran.fingerprint
    assert (ran.requested_tool, ran.tool) == ("Search", "web_search")


def test_a_rescued_name_is_what_ran() -> None:
    rescue = event("tool_name_recovered", 0.6, original="serch", recovered="search")
    by_event = derive_one([chat("m", 0, ask_for(("c", "serch", {"q": 1})), events=[rescue])])
    assert (only(by_event).requested_tool, only(by_event).tool) == ("serch", "search")
    by_span = derive_one(
        [
            chat("m", 0, ask_for(("c", "serch", {"q": 1}))),
            tool("t", 1, "search", **{ARGS: {"q": 1}, RESULT: "R"}),
        ]
    )
    assert brief(by_span) == [(0, 0, "search", "R")]
    assert only(by_span).requested_tool == "serch"
    no_proposal = derive_one(
        [
            tool(
                "t",
                0,
                "search",
                **{"agent.rescue.name": "tool_name_recovered", "agent.rescue.original": "serch"},
            )
        ]
    )
    assert (only(no_proposal).requested_tool, only(no_proposal).tool) == ("serch", "search")


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"status": 2, "message": "no such file"}, "no such file"),
        ({"status": 2, "message": "x", "events": [event("exception", exception__message="boom")]}, "boom"),
        ({"status": 2}, "error"),
        ({"error.type": "TimeoutError"}, "TimeoutError"),
        ({RESULT: "Error: no such file"}, "Error: no such file"),
        ({RESULT: '{"error": "no such file"}'}, "no such file"),
        ({"error.type": "TOOL_ERROR", RESULT: '{"error": "no such file"}'}, "no such file"),
        ({"error.type": "timeout", RESULT: "half an answer"}, "timeout"),
        ({RESULT: '{"success": false}'}, '{"success": false}'),
        ({RESULT: '{"success": true, "error": null}'}, None),
        ({RESULT: "Errors and how to handle them"}, None),
        ({RESULT: "0 errors"}, None),
    ],
)
def test_errors(more: dict[str, Any], error: str | None) -> None:
    call = only(derive_one([tool("t", 0, "read", "c", **more)]))
    assert (call.is_error, call.error) == (error is not None, error)


def test_the_diff_summary_comes_from_attributes_before_the_result() -> None:
    result = '{"changed": true, "hash_before": "a", "hash_after": "b", "fields_modified": ["title"]}'
    told = only(derive_one([tool("t", 0, "edit", **{RESULT: result})]))
    assert (told.changed, told.hash_before, told.hash_after, told.fields_modified) == (
        True,
        "a",
        "b",
        ["title"],
    )
    attributes = {
        "agent.tool.diff.changed": False,
        "agent.tool.diff.hash_before": "a",
        "agent.tool.diff.hash_after": "a",
        "agent.tool.diff.fields_modified": [],
    }
    measured = only(derive_one([tool("t", 0, "edit", **{RESULT: result, **attributes})]))
    assert (measured.changed, measured.hash_after, measured.fields_modified) == (False, "a", [])


def test_nested_spans_of_one_tool_are_one_call() -> None:
    rows = derive_one(
        [
            tool("out", 0, "search", **{ARGS: {"q": 1}}),
            tool("in", 0.1, "search", parent="out", **{ARGS: {"q": 1}, RESULT: "R"}),
        ]
    )
    assert brief(rows) == [(0, 0, "search", "R")]


def test_a_tool_that_calls_an_agent_that_calls_the_tool_makes_two_calls() -> None:
    rows = derive_one(
        [
            tool("out", 0, "ask", **{ARGS: {"q": 1}}, lasts=9),
            span("sub", 0.1, parent="out", gen_ai__operation__name="invoke_agent", gen_ai__agent__name="sub"),
            tool("in", 0.2, "ask", parent="sub", **{ARGS: {"q": 1}}),
        ]
    )
    assert len(rows.tool_calls) == 2


def test_two_spans_of_one_call_id_at_the_same_time_are_one_call() -> None:
    rows = derive_one(
        [tool("x", 0, "bash", "c1", lasts=2), tool("y", 0.5, "Tool.execute", "c1", **{RESULT: "ok"})]
    )
    assert brief(rows) == [(0, 0, "bash", "ok")]


def test_plain_tool_spans_make_rounds_by_their_own_numbers() -> None:
    spans = [
        span("a", 0, name="tool_call", **{"tool.name": "ls", "tool.args": "{}", "round_idx": 1}),
        span("b", 0.2, name="tool_call", **{"tool.name": "cat", "args": '{"p": 1}', "round": 1}),
        span(
            "c",
            1,
            name="tool_call",
            **{"tool.name": "rm", "args": {"p": 2}, "round_idx": 3, "result": "gone"},
        ),
        span("d", 2, name="tool_call", **{"x": 1}),
    ]
    rows = derive_one(spans)
    assert brief(rows) == [(0, 0, "ls", None), (0, 1, "cat", None), (1, 0, "rm", "gone")]
    assert [row.emitter_step for row in rows.rounds] == [1, 3]
    assert rows.sessions[0].dialect == "toolspan"


def test_plain_tool_spans_without_numbers_are_a_round_each_unless_they_overlap() -> None:
    names = ["a", "b", "c"]
    starts = [0, 0.2, 5]
    spans = [span(n, t, name="tool_call", tool__name=n) for n, t in zip(names, starts, strict=True)]
    assert [(call.round, call.tool) for call in derive_one(spans).tool_calls] == [
        (0, "a"),
        (0, "b"),
        (1, "c"),
    ]


def test_a_tool_call_start_counts_unless_its_tool_call_follows() -> None:
    start = span("a", 0, name="tool_call_start", **{"tool.name": "ls", "args": "{}", "round": 0})
    done = span("b", 1, name="tool_call", **{"tool.name": "ls", "args": "{}", "round": 0, "result": "x"})
    assert brief(derive_one([start])) == [(0, 0, "ls", None)]
    assert brief(derive_one([start, done])) == [(0, 0, "ls", "x")]


def test_spans_with_ids_that_no_message_has() -> None:
    spans = [
        chat("a", 0, ask_for(("read_0", "read", {"p": 1}), ("read_1", "read", {"p": 2}))),
        tool("x", 1, "read", "own-1", **{ARGS: '{"p": 2}', RESULT: "two"}),
        tool("y", 1, "read", "own-2", **{RESULT: "one"}),
        chat("b", 2, ask_for(("read_0", "read", {"p": 1}))),
        tool("z", 3, "read", "own-3", **{RESULT: "again"}),
    ]
    assert brief(derive_one(spans)) == [
        (0, 0, "read", "one"),
        (0, 1, "read", "two"),
        (1, 0, "read", "again"),
    ]
    told_apart = [spans[0], tool("x", 1, "read", "read_0"), spans[2], tool("w", 1, "read", "read_1")]
    assert derive_one(told_apart).sessions[0].tool_calls == 3
