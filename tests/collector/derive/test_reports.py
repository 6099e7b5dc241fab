"""Reports of one call that only their time and content link, and answers that only the next request holds."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from collector.derive.sessions import derive_session
from collector.derive.stitch import SessionKey
from collector.records import LogRecord
from tests.collector.derive.pipeline import (
    ask_for,
    chat,
    derive_one,
    given_back,
    log,
    read_units,
    say,
    tool,
    user,
)

DETAILS = "gen_ai.client.inference.operation.details"


def details(at: float, answer: dict[str, Any] | None = None, **more: Any) -> LogRecord:
    """The record of a whole model call without a trace id, written when the call ends."""
    said = {} if answer is None else {"gen_ai.output.messages": [answer]}
    attributes = {"gen_ai.operation.name": "chat", "session.id": "s", **said, **more}
    return log(at, name=DETAILS, trace="", **attributes)


def test_a_record_without_a_span_is_the_call_that_ends_at_its_time() -> None:
    spans = [
        chat("a", 0, say("one"), session__id="s"),
        chat("b", 0.6, say("two"), [user("?")], session__id="s"),
    ]
    logs = [
        details(0.501, gen_ai__response__finish_reasons=["stop"]),
        details(1.1, say("two"), server__address="host", gen_ai__usage__output_tokens=7),
    ]
    rounds = derive_one(spans, logs).rounds
    seen = [(row.text, row.finish_reason, row.server_address, row.output_tokens) for row in rounds]
    assert seen == [("one", "stop", "", None), ("two", "", "host", 7)]


@pytest.mark.parametrize(
    ("record", "texts"),
    [
        (details(0.5, say("another")), ["one", "another"]),  # says something else
        (details(1.6, gen_ai__usage__output_tokens=7), ["one", ""]),  # long after
        (details(0.5, say("one")), ["one"]),
    ],
)
def test_a_record_that_fits_no_span_is_a_call_by_itself(record: LogRecord, texts: list[str]) -> None:
    rows = derive_one([chat("a", 0, say("one"), session__id="s")], [record])
    assert [row.text for row in rows.rounds] == texts


def test_two_records_of_one_kind_are_two_calls() -> None:
    logs = [details(0.5, gen_ai__usage__output_tokens=1), details(0.501, gen_ai__usage__output_tokens=1)]
    assert len(derive_one([chat("a", 0, say("one"), session__id="s")], logs).rounds) == 2


def test_tokens_tell_which_of_two_calls_at_once_a_record_is_about() -> None:
    spans = [
        chat(name, 0, say(name), session__id="s", gen_ai__usage__output_tokens=tokens)
        for name, tokens in (("a", 1), ("b", 2))
    ]
    logs = [
        details(0.5, gen_ai__usage__output_tokens=2, server__address="second"),
        details(0.5, gen_ai__usage__output_tokens=1, server__address="first"),
    ]
    rounds = derive_one(spans, logs).rounds
    assert {row.text: row.server_address for row in rounds} == {"a": "first", "b": "second"}


def test_joining_leaves_what_was_read_as_it_was() -> None:
    spans = [chat("a", 0, ask_for(("c", "f", None)), session__id="s")]
    logs = [details(0.5, ask_for(("c", "f", {"x": 1})))]
    units = read_units(spans, logs)
    before = deepcopy(units)
    rows = derive_session(SessionKey("svc", "s", "session.id"), units)
    assert rows.tool_calls[0].arguments == '{"x":1}'
    assert units == before


def test_an_answer_that_was_not_recorded_is_in_the_next_request() -> None:
    asked = ask_for(("c", "f", {"x": 1}))
    spans = [
        chat("a", 0, {}, [user("?")]),
        tool("t", 0.6, "f", gen_ai__tool__call__arguments={"x": 1}),
        chat("b", 1, say("done"), [user("?"), asked, given_back("c", "42")]),
    ]
    rows = derive_one(spans)
    assert [row.tool_calls for row in rows.rounds] == [1, 0]
    [call] = rows.tool_calls
    assert (call.call_id, call.result, call.source) == ("c", "42", "span")


def test_a_history_that_was_rewritten_tells_no_answer() -> None:
    history = [user("in short: ?"), ask_for(("c", "f", {}))]
    spans = [chat("a", 0, {}, [user("?")], session__id="s"), chat("b", 1, say("x"), history, session__id="s")]
    assert derive_one(spans).tool_calls == []


def test_results_under_ids_of_their_own_go_to_the_calls_before_them() -> None:
    asked = ask_for(("f-1", "f", {"x": 1}), ("f-2", "f", {"x": 2}))
    history = [user("?"), asked, given_back("1", "one"), given_back("2", "two")]
    spans = [chat("a", 0, asked, [user("?")]), chat("b", 1, say("done"), history)]
    assert [(call.call_id, call.result) for call in derive_one(spans).tool_calls] == [
        ("f-1", "one"),
        ("f-2", "two"),
    ]
    spans[1] = chat("b", 1, say("done"), history[:-1])  # one is missing: none can be told
    assert [call.result for call in derive_one(spans).tool_calls] == [None, None]


def test_many_short_calls_are_each_found_by_their_record() -> None:
    spans = [
        chat(f"{number:016x}", number * 0.02, say(f"{number}"), lasts=0.015, session__id="s")
        for number in range(60)
    ]
    logs = [
        details(number * 0.02 + 0.016, say(f"{number}"), gen_ai__usage__output_tokens=1)
        for number in range(60)
    ]
    assert [(row.text, row.output_tokens) for row in derive_one(spans, logs).rounds] == [
        (f"{number}", 1) for number in range(60)
    ]


def test_many_short_executions_are_each_found_by_their_record() -> None:
    spans = [
        chat("a", 0, say("x"), session__id="s"),
        *(
            tool(f"{number:016x}", 1 + number * 0.02, "read", lasts=0.015, gen_ai__tool__call__arguments={})
            for number in range(60)
        ),
    ]
    logs = [
        log(
            1 + number * 0.02 + 0.016,
            name="qwen-code.tool_call",
            trace="",
            session__id="s",
            function_name="read",
        )
        for number in range(60)
    ]
    assert len(derive_one(spans, logs).tool_calls) == 60
