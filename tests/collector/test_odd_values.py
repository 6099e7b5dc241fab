"""Values at and beyond every edge, over the wire: each record is stored, and what is sound is derived."""

from __future__ import annotations

import json
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.service import RunningService

MOST, LEAST, LATEST = 2**63 - 1, -(2**63), 2**64 - 1


def _span(number: int, attributes: dict[str, Any] | None = None, **fields: Any) -> Span:
    ids = {"trace_id": number.to_bytes(16, "big"), "span_id": number.to_bytes(8, "big")}
    span = Span(
        **{"name": "x", "start_time_unix_nano": 10**18, "end_time_unix_nano": 10**18 + 5} | ids | fields
    )
    names = {str: "string_value", int: "int_value", float: "double_value", bytes: "bytes_value"}
    for key, value in (attributes or {}).items():
        setattr(span.attributes.add(key=key).value, names[type(value)], value)
    return span


def _chat(number: int, **fields: Any) -> Span:
    named = {"gen_ai.operation.name": "chat", "gen_ai.conversation.id": f"odd-{number}"}
    return _span(number, named | fields.pop("attributes", {}), **fields)


def _deep(number: int) -> Span:
    span = _span(number)
    value = span.attributes.add(key="deep").value
    for _ in range(40):
        value = value.array_value.values.add()
    value.string_value = "x"
    return span


SPANS = (
    _span(1, name="a\0b"),
    _span(2, {"k\0": "v\0w"}, trace_state="a\0"),
    _span(3, start_time_unix_nano=0, end_time_unix_nano=0),
    _span(4, start_time_unix_nano=2**63, end_time_unix_nano=LATEST),
    _span(5, start_time_unix_nano=2 * 10**18, end_time_unix_nano=10**18),
    _span(6, kind=99, dropped_attributes_count=2**32 - 1),
    _span(7, {"a": float("nan"), "b": float("inf"), "c": -0.0, "d": 1e308, "e": MOST, "f": LEAST}),
    _span(8, {"a": b"\xff\0"}),
    _span(9, {f"key-{number}": "v" for number in range(10_000)}),
    _span(10, {"k": "v" * 10**6}, name="n" * 10**6),
    _span(11, events=[Span.Event(name="e\0", time_unix_nano=LATEST)], links=[Span.Link(trace_id=b"x")]),
    _deep(12),
    _chat(20, start_time_unix_nano=2**63, end_time_unix_nano=LATEST),
    _chat(21, attributes={"gen_ai.usage.input_tokens": LEAST, "gen_ai.usage.output_tokens": MOST}),
    _chat(22, attributes={"gen_ai.usage.input_tokens": -1, "gen_ai.usage.output_tokens": 2.0}),
    _chat(23, attributes={"gen_ai.request.model": "m\0", "gen_ai.agent.name": "a\0"}),
    _chat(24, attributes={"agent.round.index": MOST, "gen_ai.response.finish_reasons": "\0"}),
    _chat(
        25,
        attributes={
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "t\0",
            "gen_ai.tool.call.arguments": '{"a": "\\ud800", "b": "\\u0000", "n": 1e999}',
            "gen_ai.tool.call.result": '{"changed": false, "hash_before": "\\u0000"}',
        },
    ),
    _chat(
        26,
        attributes={
            "gen_ai.output.messages": json.dumps(
                [{"role": "assistant", "parts": [{"type": "text", "content": "a\0b \ud800"}]}]
            )
        },
    ),
)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    running = RunningService(tmp_path_factory.mktemp("odd") / "data")
    for span in SPANS:
        request = ExportTraceServiceRequest()
        request.resource_spans.add().scope_spans.add().spans.append(span)
        assert running.post("traces", request.SerializeToString()).status_code == 200
    assert running.post("logs", _logs()).status_code == 200
    assert running.post("metrics", _metrics()).status_code == 200
    yield running
    running.close()


def _logs() -> bytes:
    request = ExportLogsServiceRequest()
    scope = request.resource_logs.add().scope_logs.add()
    for severity, time in ((0, 0), (99, LATEST), (24, 2**63)):
        record = scope.log_records.add(severity_number=severity, time_unix_nano=time, severity_text="\0")
        record.body.string_value = f"b\0{severity}"
        record.event_name = "gen_ai.choice"
    return request.SerializeToString()


def _metrics() -> bytes:
    request = ExportMetricsServiceRequest()
    metrics = request.resource_metrics.add().scope_metrics.add().metrics
    metrics.add(name="g\0").gauge.data_points.add(as_double=float("nan"), time_unix_nano=LATEST)
    metrics.add(name="sum").sum.data_points.add(as_int=LEAST)
    point = metrics.add(name="h").histogram.data_points.add(count=LATEST, sum=float("inf"))
    point.bucket_counts.extend([LATEST, 0])
    point.explicit_bounds.append(float("nan"))
    point.exemplars.add(as_double=float("-inf"), time_unix_nano=LATEST)
    metrics.add(name="eh").exponential_histogram.data_points.add(
        count=LATEST, scale=-(2**31), zero_count=LATEST
    )
    metrics.add(name="s").summary.data_points.add(count=LATEST).quantile_values.add(value=float("nan"))
    return request.SerializeToString()


def _rows(service: RunningService, sql: str) -> list[list[Any]]:
    answer = service.http.post("/api/sql", json={"sql": sql})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["rows"])


def test_every_record_is_stored_and_nothing_waits(filled: RunningService) -> None:
    status = filled.wait_analysed()
    assert status["analysis"]["failures"] == []
    assert status["journal"]["failure"] == ""
    assert _rows(filled, "SELECT count(*) FROM spans") == [[len(SPANS)]]
    assert _rows(filled, "SELECT count(*) FROM log_records") == [[3]]
    assert _rows(filled, "SELECT count(*) FROM metric_points") == [[5]]
    for row in status["intake"]:
        assert row["received"] == row["stored"] + row["duplicates"] + row["rejected"]


def test_each_odd_session_is_there_and_can_be_read(filled: RunningService) -> None:
    filled.wait_analysed()
    ids = [row[0] for row in _rows(filled, "SELECT session_id FROM sessions ORDER BY ALL")]
    assert ids == [f"odd-{number}" for number in range(20, 27)]
    for session in ids:
        assert filled.http.get(f"/api/sessions/{session}").status_code == 200
    tokens = (
        "SELECT session_id, input_tokens, output_tokens FROM rounds WHERE session_id IN ('odd-21', 'odd-22')"
    )
    assert sorted(_rows(filled, tokens)) == [["odd-21", None, None], ["odd-22", None, 2]]
