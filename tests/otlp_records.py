"""OTLP request bodies to the raw records that derivation reads."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector.otlp.parse import parse_json
from collector.otlp.signals import SIGNALS
from collector.records import LogRecord, SpanEvent, SpanRecord


def read_folder(folder: Path) -> tuple[list[SpanRecord], list[LogRecord]]:
    """All spans and log records of a folder of recorded bodies, in order of arrival.

    A body is `NNN_<signal>.pb`, or `NNN_<signal>.json` in a folder that has only those.
    """
    spans: list[SpanRecord] = []
    logs: list[LogRecord] = []
    for path in sorted(folder.glob("*_*.pb")) or sorted(folder.glob("*_*.json")):
        signal = path.stem.partition("_")[2]
        body = path.read_bytes()
        if path.suffix == ".json" and signal in SIGNALS:
            body = parse_json(SIGNALS[signal], body).body
        if signal == "traces":
            spans.extend(spans_of(body))
        elif signal == "logs":
            logs.extend(logs_of(body))
    return spans, logs


def spans_of(body: bytes) -> list[SpanRecord]:
    request = ExportTraceServiceRequest.FromString(body)
    records = []
    for resource_spans in request.resource_spans:
        resource = _attributes(resource_spans.resource.attributes)
        for scope_spans in resource_spans.scope_spans:
            for span in scope_spans.spans:
                records.append(
                    SpanRecord(
                        trace_id=span.trace_id.hex(),
                        span_id=span.span_id.hex(),
                        parent_span_id=span.parent_span_id.hex(),
                        name=span.name,
                        kind=span.kind,
                        start_ns=span.start_time_unix_nano,
                        end_ns=span.end_time_unix_nano,
                        status_code=span.status.code,
                        status_message=span.status.message,
                        service_name=str(resource.get("service.name", "")),
                        resource=resource,
                        scope_name=scope_spans.scope.name,
                        scope_version=scope_spans.scope.version,
                        attributes=_attributes(span.attributes),
                        events=[
                            SpanEvent(event.name, event.time_unix_nano, _attributes(event.attributes))
                            for event in span.events
                        ],
                    )
                )
    return records


def logs_of(body: bytes) -> list[LogRecord]:
    request = ExportLogsServiceRequest.FromString(body)
    records = []
    for resource_logs in request.resource_logs:
        resource = _attributes(resource_logs.resource.attributes)
        for scope_logs in resource_logs.scope_logs:
            for log in scope_logs.log_records:
                records.append(
                    LogRecord(
                        trace_id=log.trace_id.hex(),
                        span_id=log.span_id.hex(),
                        time_ns=log.time_unix_nano or log.observed_time_unix_nano,
                        event_name=log.event_name,
                        body=_value(log.body),
                        severity_number=log.severity_number,
                        service_name=str(resource.get("service.name", "")),
                        resource=resource,
                        scope_name=scope_logs.scope.name,
                        scope_version=scope_logs.scope.version,
                        attributes=_attributes(log.attributes),
                    )
                )
    return records


def _attributes(pairs: Iterable[Any]) -> dict[str, Any]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    inner = getattr(value, kind)
    if kind == "array_value":
        return [_value(item) for item in inner.values]
    if kind == "kvlist_value":
        return _attributes(inner.values)
    if kind == "bytes_value":
        return base64.b64encode(inner).decode()
    return inner
