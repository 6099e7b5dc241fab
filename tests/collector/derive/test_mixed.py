"""Two instrumentations at once: no call and no token is counted twice.

The spans are those of recordings of the same scripted run. A guest's model and tool spans are put
beside, or inside, those of the host that report the same call.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from collector.derive.canonical import ModelCall, ToolExecution
from collector.derive.rows import SessionRows
from collector.records import SpanRecord
from tests.collector.derive.pipeline import (
    ask_for,
    chat,
    derive_all,
    derive_one,
    read_units,
    say,
    span,
    tool,
    user,
)
from tests.otlp_records import read_folder

DATA = Path(__file__).parents[2] / "data" / "otlp"
MIXTURES = [
    ("openinference_langchain", "otel_genai_langchain"),
    ("openinference_langchain", "otel_openai_v2_23_default"),
    ("openinference_langchain", "traceloop_langchain"),
    ("openinference_langchain", "traceloop_openai_old"),
    ("openinference_langchain", "openinference_openai"),
    ("otel_genai_langchain", "openinference_langchain"),
    ("otel_genai_langchain", "traceloop_openai"),
    ("traceloop_langchain", "otel_genai_openai_latest"),
    ("openinference_openai_agents", "otel_genai_openai_default"),
    ("langfuse_langchain", "openinference_langchain"),
]


@pytest.mark.parametrize("inside", [False, True], ids=["beside", "inside"])
@pytest.mark.parametrize(("host", "guest"), MIXTURES, ids=[f"{host}+{guest}" for host, guest in MIXTURES])
def test_a_second_instrumentation_adds_no_call_and_no_token(host: str, guest: str, inside: bool) -> None:
    spans, logs = read_folder(DATA / host)
    alone = derive_all(spans, logs)
    mixed = derive_all([*spans, *_guests(spans, read_folder(DATA / guest)[0], inside)], logs)
    assert [_counted(rows) for rows in mixed] == [_counted(rows) for rows in alone]


def _counted(rows: SessionRows) -> dict[str, Any]:
    (head,) = rows.sessions
    return {
        "tokens": (head.input_tokens, head.output_tokens),
        "rounds": [(row.round, row.agent_name, row.text, row.user_text) for row in rows.rounds],
        "calls": [
            (
                call.round,
                call.requested_tool,
                json.loads(call.arguments or "null"),
                call.is_error,
                call.changed,
            )
            for call in rows.tool_calls
        ],
    }


def _guests(host: list[SpanRecord], guest: list[SpanRecord], inside: bool) -> list[SpanRecord]:
    """The guest's spans as they would be in the host's traces: their times, traces and call ids."""
    host_ids, guest_ids = _call_ids(host), _call_ids(guest)
    records: list[SpanRecord] = []
    for of_host, of_guest in zip(_reporting(host), _reporting(guest), strict=False):
        for theirs, ours in zip(of_host, of_guest, strict=False):
            attributes = json.loads(json.dumps(ours.attributes).replace(guest_ids, host_ids))
            for key in ("session.id", "metadata"):
                attributes.pop(key, None)
            records.append(
                replace(
                    ours,
                    trace_id=theirs.trace_id,
                    span_id=f"{len(records):016x}",
                    parent_span_id=theirs.span_id if inside else theirs.parent_span_id,
                    start_ns=theirs.start_ns + 1000,
                    end_ns=theirs.end_ns - 1000,
                    service_name=theirs.service_name,
                    resource=theirs.resource,
                    attributes=attributes,
                )
            )
    return records


def _reporting(spans: list[SpanRecord]) -> tuple[list[SpanRecord], list[SpanRecord]]:
    """The spans of model calls and those of executions, by time."""
    units = read_units(spans)
    found: dict[type, set[str]] = {
        ModelCall: {call.span_id for unit in units for call in unit.model_calls},
        ToolExecution: {execution.span_id for unit in units for execution in unit.executions},
    }
    ordered = sorted(spans, key=lambda record: record.start_ns)
    return (
        [record for record in ordered if record.span_id in found[ModelCall]],
        [record for record in ordered if record.span_id in found[ToolExecution]],
    )


def _call_ids(spans: list[SpanRecord]) -> str:
    """What all call ids of a recording begin with; it may capture none."""
    found = re.search(
        r"call_[a-z0-9_]{4,14}_(?=[1-6]\W)", json.dumps([record.attributes for record in spans])
    )
    return found[0] if found else "no call id"


def test_parallel_calls_alike_stay_apart_and_are_paired_one_to_one() -> None:
    answer = ask_for(("c1", "read", {"a": 1}), ("c2", "read", {"a": 1}))
    executions = [
        scoped(tool(f"{scope}{number}", 1, "read", **{"gen_ai.tool.call.arguments": '{"a":1}'}), scope)
        for scope in ("one", "two")
        for number in range(2)
    ]
    rows = derive_one([chat("m", 0, answer), *executions])
    assert [call.call_id for call in rows.tool_calls] == ["c1", "c2"]


@pytest.mark.parametrize("parent", ["", "1"], ids=["beside", "inside"])
@pytest.mark.parametrize("swapped", [False, True])
def test_defaults_that_one_of_two_reports_adds_make_no_second_call(parent: str, swapped: bool) -> None:
    asked, bound = {"path": "a"}, {"path": "a", "limit": None}
    one, other = (bound, asked) if swapped else (asked, bound)
    spans = [
        scoped(chat("0", 0, ask_for(("c", "read", asked))), "one"),
        scoped(tool("1", 1, "read", **{"gen_ai.tool.call.arguments": one}), "one"),
        scoped(tool("2", 1.1, "read", parent=parent, **{"gen_ai.tool.call.arguments": other}), "two"),
    ]
    assert len(derive_one(spans).tool_calls) == 1


def test_answers_alike_at_one_time_of_one_instrumentation_are_several() -> None:
    rows = derive_one([scoped(chat(str(number), 0, say("yes")), "one") for number in range(3)])
    assert len(rows.rounds) == 3


@pytest.mark.parametrize(
    ("tokens", "rounds"), [((10, 5), 1), ((10, 6), 2), ((10, None), 2)], ids=["equal", "other", "unknown"]
)
def test_a_report_without_content_is_known_by_its_tokens(tokens: tuple[int, Any], rounds: int) -> None:
    silent: dict[str, Any] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.usage.input_tokens": tokens[0],
        "gen_ai.usage.output_tokens": tokens[1],
    }
    told: dict[str, Any] = {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 5}
    rows = derive_one(
        [scoped(chat("1", 0, say("Hello."), **told), "one"), scoped(span("2", 0, **silent), "two")]
    )
    assert len(rows.rounds) == rounds


def test_the_agent_of_the_instrumentation_that_says_most_names_all_rounds() -> None:
    """Whichever of two spans for one call began first: else rounds would alternate between two agents."""

    def told(scope: str, span_id: str, at: float, text: str) -> SpanRecord:
        named: dict[str, Any] = {"gen_ai.agent.name": scope}
        return scoped(chat(span_id, at, say(text), **named), scope)

    spans = [told("one", "a9", 9, "more")]
    for number in range(4):
        spans.append(told("one", f"a{number}", number, f"answer {number}"))
        spans.append(told("two", f"b{number}", number + 0.1 * (-1) ** number, f"answer {number}"))
    rows = derive_one(spans)
    assert [(row.agent_name, row.round) for row in rows.rounds] == [("one", number) for number in range(5)]


def scoped(record: SpanRecord, scope: str) -> SpanRecord:
    return replace(record, scope_name=scope)


def test_the_official_openai_agents_spans_get_their_model_calls_from_the_client_s() -> None:
    """One instrumentation tells agents and tools without ids, the other the model calls."""
    agents, client = (
        "opentelemetry.instrumentation.genai.openai_agents",
        "opentelemetry.instrumentation.openai_v2",
    )
    named: dict[str, Any] = {"gen_ai.agent.name": "spec", "gen_ai.conversation.id": "group-1"}
    shape: dict[str, Any] = {"gen_ai.operation.name": "invoke_agent"}
    spans = [scoped(span("a", 0, name="invoke_agent spec", lasts=60, **named, **shape), agents)]
    for number in range(3):
        asked = ask_for((f"c{number}", "read", {"path": "a"}))
        ran: dict[str, Any] = {
            "gen_ai.tool.call.arguments": '{"path":"a"}',
            "gen_ai.tool.call.result": "text",
        }
        spans += [
            scoped(chat(f"m{number}", number * 10 + 1, asked, parent="a"), client),
            scoped(tool(f"t{number}", number * 10 + 5, "read", parent="a", **ran), agents),
        ]
    spans.append(scoped(chat("m9", 40, say("Done."), parent="a"), client))
    rows = derive_one(spans)
    assert rows.sessions[0].session_id == "group-1"
    assert [(row.agent_name, row.round, row.tool_calls) for row in rows.rounds] == [
        ("spec", number, int(number < 3)) for number in range(4)
    ]
    assert [(call.call_id, call.result) for call in rows.tool_calls] == [(f"c{n}", "text") for n in range(3)]


def test_what_was_answered_after_a_retry_is_said_by_the_span_around_the_tries() -> None:
    """The outer instrumentation exports content, the inner one only tokens, for each try."""
    tried: dict[str, Any] = {"name": "chat m", "gen_ai.operation.name": "chat", "parent": "o"}
    told: dict[str, Any] = {"lasts": 9}
    spans = [
        scoped(chat("o", 0, ask_for(("c1", "read", {})), [user("go")], **told), "framework"),
        scoped(span("1", 1, **{**tried, "error.type": "429", "status": 2}), "client"),
        scoped(span("2", 5, **{**tried, "gen_ai.usage.output_tokens": 7}), "client"),
        scoped(tool("t", 10, "read", "c1"), "framework"),
    ]
    rows = derive_one(spans)
    assert [(row.error, row.output_tokens, row.tool_calls) for row in rows.rounds] == [
        ("429", None, 0),
        ("", 7, 1),
    ]
    assert [call.call_id for call in rows.tool_calls] == ["c1"]
