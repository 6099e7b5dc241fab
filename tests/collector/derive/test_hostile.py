"""Broken and hostile records are derived as far as they go, and never raise."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector.derive.analysis import to_session
from collector.derive.rows import frames
from collector.records import LogRecord, SpanRecord
from tests.collector.derive.pipeline import (
    ask_for,
    chat,
    derive_all,
    derive_one,
    event,
    given_back,
    log,
    span,
    tool,
)
from tests.otlp_records import read_folder

DATA = Path(__file__).parents[2] / "data" / "otlp"
FOLDERS = sorted(path.name for path in DATA.iterdir())

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
shapes = st.sampled_from(
    [
        "[]",
        "{}",
        "[null]",
        "[[]]",
        '[{"role": 1}]',
        '[{"role": "assistant", "parts": [null, 1, {"type": []}]}]',
        '[{"role": "tool", "content": {"a": 1}}]',
        '{"messages": 3}',
        '[{"tool_calls": [1, null, {"function": 2}, {"function": {"name": "x"}}]}]',
        '"\\"\\\\\\"nested\\\\\\"\\""',
        "[" * 5000,
        "[" * 900 + "]" * 900,
        '{"a":' * 400 + "1" + "}" * 400,
        "\ud800",
        "9" * 5000,
        10**30,
        float("nan"),
        [[[]]],
        {"parts": {"type": "text"}},
        ["assistant"],
    ]
)
hostile = json_values | shapes


@cache
def recorded(folder: str) -> tuple[list[SpanRecord], list[LogRecord]]:
    return read_folder(DATA / folder)


def mutate(data: st.DataObject, record: SpanRecord | LogRecord) -> None:
    kind = data.draw(st.integers(0, 7))
    keys = sorted(record.attributes)
    if kind == 0 and keys:
        record.attributes[data.draw(st.sampled_from(keys))] = data.draw(hostile)
    elif kind == 1 and keys:
        del record.attributes[data.draw(st.sampled_from(keys))]
    elif kind == 2 and keys:
        key = data.draw(st.sampled_from(keys))
        value = record.attributes[key]
        if isinstance(value, str):
            record.attributes[key] = value[: data.draw(st.integers(0, len(value)))]
    elif isinstance(record, LogRecord):
        record.body = data.draw(hostile)
        record.span_id = data.draw(st.sampled_from(["", record.span_id]))
        record.time_ns = data.draw(st.sampled_from([0, record.time_ns]))
    elif kind == 3:
        record.start_ns, record.end_ns = record.end_ns, record.start_ns
    elif kind == 4:
        record.parent_span_id = record.span_id
    elif kind == 5:
        record.events = [
            event.__class__(event.name, 0, {key: data.draw(hostile) for key in event.attributes})
            for event in record.events
        ]
    elif kind == 6:
        record.start_ns = record.end_ns = data.draw(st.sampled_from([0, 2**63, 2**64 - 1]))
    else:
        record.span_id = data.draw(st.sampled_from(["", "0" * 16, record.parent_span_id]))


@pytest.mark.parametrize("folder", FOLDERS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_mutated_recordings_derive_the_same_in_any_order(folder: str, data: st.DataObject) -> None:
    spans, logs = deepcopy(recorded(folder))
    for record in data.draw(st.lists(st.sampled_from([*spans, *logs]), min_size=1, max_size=6)):
        mutate(data, record)
    sessions = derive_all(spans, logs)
    frames(sessions)
    for rows in sessions:
        to_session(rows)
    backwards = derive_all(reversed(deepcopy(spans)), reversed(deepcopy(logs)))
    assert repr(backwards) == repr(sessions)


def test_cycles_of_parents() -> None:
    answer = ask_for(("c1", "search", {"q": "x"}))
    spans = [
        chat("a", 0, answer, parent="b"),
        tool("b", 1, "search", "c1", parent="c"),
        span("c", 0, parent="a", gen_ai__operation__name="invoke_agent", gen_ai__agent__name="finder"),
    ]
    rows = derive_one(spans)
    assert [call.tool for call in rows.tool_calls] == ["search"]
    assert rows.rounds[0].agent_name == "finder"


def test_a_span_that_is_its_own_parent() -> None:
    rows = derive_one([chat("a", 0, ask_for(("c", "t", {})), parent="a")])
    assert len(rows.rounds) == 1


def test_huge_indexes_allocate_nothing() -> None:
    prefix = "llm.output_messages"
    rows = derive_one(
        [
            span(
                "a",
                **{
                    "openinference.span.kind": "LLM",
                    f"{prefix}.999999999.message.role": "assistant",
                    f"{prefix}.999999999.message.content": "far away",
                    f"{prefix}.99999999999999999999999999.message.content": "no index",
                    f"{prefix}.-1.message.content": "no index",
                    f"{prefix}.².message.content": "no index",
                    f"{prefix}.0.message.tool_calls.888888888.tool_call.function.name": "search",
                    "llm.input_messages.999999999.message.content": "hello",
                },
            )
        ]
    )
    assert rows.rounds[0].text == "far away"
    assert [call.tool for call in rows.tool_calls] == ["search"]


def test_end_before_start_keeps_the_call() -> None:
    rows = derive_one([chat("a", 5, ask_for(("c", "t", {})), lasts=-3), tool("b", 4.99, "t", "c", lasts=-1)])
    assert [(call.call_id, call.source) for call in rows.tool_calls] == [("c", "span")]


def test_duplicate_span_ids_keep_the_span_that_says_more() -> None:
    full = chat("a", 0, ask_for(("c", "t", {"x": 1})))
    empty = span("a", 0, gen_ai__operation__name="chat")
    assert derive_all([full, empty]) == derive_all([empty, full]) == derive_all([full])


def test_spans_without_ids() -> None:
    spans = [chat("", 0, ask_for(("c", "t", {}))), tool("", 1, "t", "c")]
    derive_all(spans)  # both claim to be one span: whichever stays, nothing breaks


def test_integers_beyond_64_bits_and_nan_survive_as_json() -> None:
    answer = ask_for(("c", "t", {"n": 10**40, "x": float("nan")}))
    (call,) = derive_one([chat("a", 0, answer)]).tool_calls
    assert call.arguments is not None
    assert str(10**40) in call.arguments


def test_deep_arguments() -> None:
    text = '{"a":' * 900 + "1" + "}" * 900
    (call,) = derive_one([chat("a", 0, ask_for(("c", "t", text)))]).tool_calls
    assert call.arguments
    assert call.fingerprint


@pytest.mark.parametrize(
    "result",
    ["[" * 1000 + "]" * 1000, '{"kwargs":1,"output":' * 1000 + "1" + "}" * 1000],
)
def test_depths_beyond_any_stack_stay_text(result: str) -> None:
    arguments = '{"a":' * 1000 + "1" + "}" * 1000
    spans = [
        chat("a", 0, ask_for(("", "t", arguments))),
        tool("b", 1, "t", gen_ai__tool__call__arguments=arguments, gen_ai__tool__call__result=result),
    ]
    rows = derive_one(spans)
    to_session(rows)
    assert [call.result for call in rows.tool_calls] == [result]


@pytest.mark.parametrize(
    "text",
    [
        "<error" * 150_000,
        " " * 1_000_000,
        "Error " * 160_000,
        '{"error' * 140_000,
        "a." * 500_000,
        '"' * 1_000_000,
    ],
)
def test_a_megabyte_of_anything_is_read_quickly(text: str) -> None:
    history = [given_back("c", text), {"role": "user", "content": text}]
    derive_all(
        [
            chat("a", 0, {"role": "assistant", "content": text}),
            tool("b", 1, "t", "c", **{"gen_ai.tool.call.result": text, "gen_ai.tool.call.arguments": text}),
            chat("d", 2, ask_for(("c", "t", text)), history),
        ],
        [log(body=text), log(name=text)],
    )


@pytest.mark.timeout(30)  # comparing each with each would take minutes
def test_many_records_at_one_moment_stay_cheap() -> None:
    logs = [log(0, name="gen_ai.user.message", body={"content": str(i)}, span_id="a") for i in range(5000)]
    spans = [tool(f"{i:016x}", 0, "t", "same", lasts=0) for i in range(5000)]
    assert len(derive_one(spans, logs).tool_calls) == 1


def _many_renamed(count: int) -> list[SpanRecord]:
    asked = ask_for(*[("", f"t{number}", {"q": number}) for number in range(count)])
    ran = [
        tool(f"{number:016x}", 1, "other", gen_ai__tool__call__arguments={"q": -number})
        for number in range(count)
    ]
    return [chat("a", 0, asked), *ran]


def _many_agents(count: int) -> list[SpanRecord]:
    news = [given_back("", "result")]
    return [
        chat(f"{number:016x}", number, ask_for(("", "t", {})), news, gen_ai__agent__name=f"agent {number}")
        for number in range(count)
    ]


def _many_results(count: int) -> list[SpanRecord]:
    asked = ask_for(*[("", "t", {"q": number}) for number in range(count)])
    results = [given_back("", f"result {number}") for number in range(count)]
    return [chat("a", 0, asked), chat("b", 1, {}, [asked, *results])]


def _many_rescues(count: int) -> list[SpanRecord]:
    events = [event("tool_name_recovered", 0, original=f"name {number}") for number in range(count)]
    return [chat("a", 0, {}, events=events)]


def _many_parts(count: int) -> list[SpanRecord]:
    return [chat("a", 0, {"role": "assistant", "parts": [{"type": "text", "content": "x" * 100}] * count})]


@pytest.mark.timeout(30)  # comparing each with each would take minutes
@pytest.mark.parametrize(
    ("make", "count"),
    [
        (_many_renamed, 10_000),
        (_many_agents, 40_000),
        (_many_results, 50_000),
        (_many_rescues, 50_000),
        (_many_parts, 80_000),
    ],
)
def test_many_of_one_kind_stay_cheap(make: Callable[[int], list[SpanRecord]], count: int) -> None:
    assert derive_one(make(count)).rounds
