"""opencode's own spans and log records, where its recorded payload does not reach."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from collector.dialects.opencode import OPENCODE
from collector.records import LogRecord, SpanRecord
from tests.collector.derive.pipeline import derive_one, log, span

SESSION = "ses_1"


def own(span_id: str, at: float, name: str, **more: Any) -> SpanRecord:
    return replace(span(span_id, at, name=name, **more), scope_name="opencode")


def streamed(span_id: str, at: float, body: Any) -> LogRecord:
    return replace(log(at, span_id=span_id, body=body), scope_name="opencode")


def test_without_the_ai_sdk_s_spans_the_calls_are_there_and_their_content_is_said_to_be_missing() -> None:
    spans = [
        own(
            f"t{number}",
            number,
            "Tool.execute",
            session__id=SESSION,
            tool__name="read",
            tool__call_id=f"c{number}",
        )
        for number in range(2)
    ]
    (head,) = derive_one(spans).sessions
    assert (head.session_id, head.tool_calls, head.not_captured) == (SESSION, 2, ["arguments", "results"])
    assert "experimental.openTelemetry" in head.capture_switch


def test_a_sub_agent_has_its_own_name_and_rounds() -> None:
    """Its session's id is another, but it runs within a tool call of the first."""

    def answer(span_id: str, at: float, parent: str, session: str, text: str) -> list[SpanRecord]:
        model = {"ai.operationId": "ai.streamText.doStream", "ai.response.text": text, "session.id": session}
        return [
            own(f"l{span_id}", at, "LLM.run", parent=parent),
            own(span_id, at, "ai.streamText.doStream", parent=f"l{span_id}", **model),
        ]

    rows = derive_one(
        [
            own("r", 0, "SessionPrompt.loop", lasts=60, session__id=SESSION),
            *answer("1", 1, "r", SESSION, "I will ask."),
            own(
                "t",
                2,
                "Tool.execute",
                parent="r",
                lasts=20,
                tool__name="task",
                tool__call_id="c1",
                session__id=SESSION,
            ),
            *answer("2", 3, "t", "ses_2", "Found."),
            *answer("3", 30, "r", SESSION, "Done."),
        ],
        [
            streamed("l1", 1, ["stream", '{"agent":"build"}']),
            streamed("l2", 3, ["stream", '{"agent":"explore"}']),
            streamed("l3", 30, ["stream", '{"agent":"build"}']),
        ],
    )
    assert [(row.agent_name, row.round, row.text) for row in rows.rounds] == [
        ("build", 0, "I will ask."),
        ("explore", 0, "Found."),
        ("build", 1, "Done."),
    ]


@pytest.mark.parametrize(
    "value", [None, 7, "", "{", [1], {"output": None, "metadata": 1}, {"output": [1], "metadata": {}}]
)
def test_values_of_any_type_are_read_as_far_as_they_go(value: Any) -> None:
    call = {
        "ai.operationId": "ai.toolCall",
        "ai.toolCall.result": value,
        "tool.name": value,
        "tool.call_id": value,
    }
    for name in ("Tool.execute", "ai.toolCall", "SessionPrompt.ensureTitle"):
        for given in (call, {**call, "ai.toolCall.result": json.dumps(value)}):
            assert len(OPENCODE.read_span(own("1", 0, name, **given)) or ()) == 1


@pytest.mark.parametrize(
    "body", [["stream"], ["stream", 3], ["stream", "{"], ["stream", '{"agent": 3}'], ["stream", None]]
)
def test_log_records_without_an_agent_say_nothing(body: Any) -> None:
    assert OPENCODE.read_log(streamed("l", 0, body)) == ()


@pytest.mark.parametrize("body", [None, 3, "stream", [], [["stream"]], {"stream": 1}])
def test_other_log_records_are_left_to_others(body: Any) -> None:
    assert OPENCODE.read_log(streamed("l", 0, body)) is None
