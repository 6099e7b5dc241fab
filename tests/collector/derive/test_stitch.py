"""Which session a trace belongs to: by the ids it names, else by the history in its requests."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from collector.derive.canonical import FoundSession
from collector.derive.identity import UnitIdentity, identify
from collector.derive.stitch import SessionKey, stitch
from collector.records import SpanRecord
from tests.collector.derive.pipeline import (
    ask_for,
    chat,
    derive_all,
    derive_one,
    given_back,
    log,
    read_units,
    say,
    span,
    tool,
    user,
)

METADATA = "metadata"


def sessions(spans: list[SpanRecord]) -> list[tuple[str, str, int]]:
    """Id, source and number of rounds of each session."""
    heads = [rows.sessions[0] for rows in derive_all(spans)]
    return [(head.session_id, head.session_source, head.rounds) for head in heads]


def conversation(**more: Any) -> list[SpanRecord]:
    """Three requests, each its own trace; the history grows."""
    asked = ask_for(("c1", "search", {"q": "tea"}))
    first = [user("find tea")]
    second = [*first, asked, given_back("c1", "found")]
    third = [*second, say("Tea is in aisle 3."), user("thanks")]
    return [
        chat("a", 0, asked, first, trace="t1", **more),
        chat("b", 1, say("Tea is in aisle 3."), second, trace="t2", **more),
        chat("c", 2, say("Welcome."), third, trace="t3", **more),
    ]


def test_requests_that_hold_each_others_answers_are_one_session() -> None:
    for order in permutations(conversation()):
        assert sessions(list(order)) == [("t1", "stitched", 3)]


def test_a_missing_link_makes_two_sessions() -> None:
    first, _, third = conversation()
    assert sessions([first, third]) == [("t1", "trace", 1), ("t3", "trace", 1)]


def test_a_late_link_joins_what_was_apart() -> None:
    identities = [identify(unit) for unit in read_units(conversation())]
    assert len({key for keys in stitch([identities[0], identities[2]]).values() for key in keys}) == 2
    joined = stitch(reversed(identities))
    assert set(joined.values()) == {(SessionKey("svc", "t1", "stitched"),)}
    assert {key.session_source for keys in joined.values() for key in keys} == {"stitched"}


def test_other_processes_and_services_stay_apart() -> None:
    first, second, third = conversation()
    second.resource = {"service.name": "svc", "service.instance.id": "other"}
    third.service_name = "another"
    assert [head[2] for head in sessions([first, second, third])] == [1, 1, 1]


def test_users_stay_apart_but_a_lost_user_id_does_not_part() -> None:
    spans = conversation(**{"user.id": "u1"})
    assert sessions(spans) == [("t1", "stitched", 3)]
    del spans[2].attributes["user.id"]
    assert sessions(spans) == [("t1", "stitched", 3)]
    spans[1].attributes["user.id"] = "u2"
    assert [head[2] for head in sessions(spans)] == [1, 2], "the last one follows the history, whoever asked"


def test_a_history_of_texts_only_still_links() -> None:
    first, second, third = conversation()
    third.attributes["gen_ai.input.messages"] = [user("find tea"), say("Tea is in aisle 3."), user("thanks")]
    assert sessions([first, second, third]) == [("t1", "stitched", 3)]


def test_a_history_cut_in_front_links_by_its_last_answers() -> None:
    first, second, third = conversation()
    third.attributes["gen_ai.input.messages"] = third.attributes["gen_ai.input.messages"][1:]
    assert sessions([first, second, third]) == [("t1", "stitched", 3)]


def test_the_same_answer_to_another_opening_links_nothing() -> None:
    one = chat("a", 0, say("Hello!"), [user("hi")], trace="t1")
    other = chat(
        "b", 1, say("Fine."), [user("good morning"), say("Hello!"), user("how are you?")], trace="t2"
    )
    assert len(sessions([one, other])) == 2


def test_examples_in_the_prompt_link_nothing() -> None:
    shots = [user("2+2?"), say("4"), user("3+3?")]
    spans = [chat("a", 0, say("6"), shots, trace="t1"), chat("b", 1, say("six"), shots, trace="t2")]
    assert len(sessions(spans)) == 2


def test_a_request_joins_the_latest_of_equal_forerunners() -> None:
    twins = [chat(f"x{i}", i, say("Hello!"), [user("hi")], trace=f"t{i}") for i in (0, 1, 5)]
    reply = chat("y", 2, say("Fine."), [user("hi"), say("Hello!"), user("how?")], trace="reply")
    assert sessions([*twins, reply]) == [("t0", "trace", 1), ("t1", "stitched", 2), ("t5", "trace", 1)]


def test_a_trace_without_id_joins_the_session_that_its_forerunner_names() -> None:
    spans = conversation()
    spans[0].attributes["session.id"] = "s-1"
    assert sessions(spans) == [("s-1", "session.id", 3)]


def test_a_trace_that_names_its_session_is_not_joined_to_another() -> None:
    spans = conversation()
    spans[0].attributes["session.id"] = "s-1"
    spans[2].attributes["session.id"] = "s-2"
    assert sessions(spans) == [("s-1", "session.id", 2), ("s-2", "session.id", 1)]


def test_stitching_is_a_function_of_the_identities_alone() -> None:
    found = (FoundSession("s", "session.id"),)
    plain = UnitIdentity("t", "svc", 5, (), (), holds_agent=False)
    named = UnitIdentity("u", "svc", 1, found, ())
    assert stitch([plain, named]) == {"t": (), "u": (SessionKey("svc", "s", "session.id"),)}
    assert stitch([]) == {}


@pytest.mark.parametrize(
    ("attributes", "session", "source"),
    [
        ({"session.id": "s"}, "s", "session.id"),
        ({"gen_ai.conversation.id": '"quoted"'}, "quoted", "gen_ai.conversation.id"),
        ({"gen_ai.conversation.id": '"\\"twice\\""'}, "twice", "gen_ai.conversation.id"),
        ({"thread_id": 42}, "42", "thread_id"),
        ({"session.id": "s", "gen_ai.conversation.id": "c"}, "s", "session.id"),
        ({"session.id": "[Scrubbed due to 'session']", "thread_id": "t"}, "t", "thread_id"),
        ({"session.id": "unknown", "task_id": "x"}, "x", "task_id"),
        ({"session.id": "", "session_id": "x"}, "x", "session_id"),
        ({"session.id": ["list"], "session_id": "x"}, "x", "session_id"),
        ({METADATA: '{"thread_id": "t", "session_id": "s"}'}, "s", "metadata.session_id"),
        ({METADATA: '{"thread_id": 7}'}, "7", "metadata.thread_id"),
        ({METADATA: {"session_id": "s"}}, "s", "metadata.session_id"),
        ({"thread.id": "1", "mcp.session.id": "2", "langsmith.trace.session_name": "3"}, "t1", "trace"),
    ],
)
def test_session_keys(attributes: dict[str, Any], session: str, source: str) -> None:
    assert sessions([chat("a", 0, say("x"), trace="t1", **attributes)]) == [(session, source, 1)]


def test_the_id_of_one_span_is_the_whole_traces() -> None:
    spans = [
        span("root", 0, lasts=9),
        chat("a", 1, ask_for(("c", "t", {})), parent="root"),
        tool("b", 2, "t", "c", parent="root", **{"session.id": "late"}),
    ]
    rows = derive_one(spans)
    assert (rows.sessions[0].session_id, rows.sessions[0].tool_calls) == ("late", 1)


def test_several_sessions_in_one_trace() -> None:
    spans = [
        span("batch", 0, lasts=9),
        span("r1", 0, parent="batch", session__id="s1"),
        chat("a", 1, say("one"), parent="r1"),
        span("r2", 2, parent="batch", session__id="s2"),
        chat("b", 3, say("two"), parent="r2"),
        chat("c", 4, say("three"), parent="b", **{"session.id": "inner"}),
    ]
    assert sessions(spans[:5]) == [("s1", "session.id", 1), ("s2", "session.id", 1)]
    assert {head[0] for head in sessions(spans)} == {"s1", "s2"}, "a sub-agent stays with its caller"


def test_the_resource_names_the_session_where_nothing_else_does() -> None:
    resource = {"service.name": "svc", "session.id": "process-7"}
    assert sessions([chat("a", 0, say("x"), resource=resource)]) == [("process-7", "session.id", 1)]


def test_sessions_of_one_id_in_two_services_are_two() -> None:
    spans = [chat(x, 0, say("x"), trace=x, service=x, **{"session.id": "sess-1"}) for x in ("a", "b")]
    assert [rows.sessions[0].service_name for rows in derive_all(spans)] == ["a", "b"]


def test_log_records_without_a_trace_join_their_session() -> None:
    rescue = log(1, trace="", name="tool_name_recovered", **{"session.id": "s"})
    rows = derive_one([chat("a", 0, say("x"), **{"session.id": "s"})], [rescue])
    assert [row.name for row in rows.rescues] == ["tool_name_recovered"]
