"""Accepted requests to Arrow tables, column for column as in `raw_spans`, `raw_logs`, `raw_metrics`.

The keys that tell duplicates apart are computed at load, in SQL. JSON columns are text.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite, isnan
from typing import Any

import orjson
import pyarrow as pa

from collector.derive.session_ids import find_session_ids
from collector.derive.units import log_group
from collector.otlp.signals import LOGS, METRICS, TRACES, Signal, points
from collector.records import LogRecord

MAX_NS = 2**63 - 1
_BIG = 2**53
Row = tuple[Any, ...]

SPAN_SCHEMA = pa.schema(
    [
        ("trace_id", pa.string()),
        ("span_id", pa.string()),
        ("parent_span_id", pa.string()),
        ("name", pa.string()),
        ("kind", pa.uint8()),
        ("start_ns", pa.int64()),
        ("end_ns", pa.int64()),
        ("status_code", pa.uint8()),
        ("status_message", pa.string()),
        ("service_name", pa.string()),
        ("resource", pa.string()),
        ("scope_name", pa.string()),
        ("scope_version", pa.string()),
        ("attributes", pa.string()),
        ("events", pa.string()),
        ("links", pa.string()),
        ("dropped_attributes", pa.uint32()),
        ("received_ns", pa.int64()),
        ("user_agent", pa.string()),
    ]
)
LOG_SCHEMA = pa.schema(
    [
        ("unit", pa.string()),
        ("trace_id", pa.string()),
        ("span_id", pa.string()),
        ("time_ns", pa.int64()),
        ("observed_ns", pa.int64()),
        ("event_name", pa.string()),
        ("severity_number", pa.uint8()),
        ("severity", pa.string()),
        ("body", pa.string()),
        ("service_name", pa.string()),
        ("resource", pa.string()),
        ("scope_name", pa.string()),
        ("scope_version", pa.string()),
        ("attributes", pa.string()),
        ("dropped_attributes", pa.uint32()),
        ("received_ns", pa.int64()),
        ("user_agent", pa.string()),
    ]
)
METRIC_SCHEMA = pa.schema(
    [
        ("name", pa.string()),
        ("type", pa.string()),
        ("unit", pa.string()),
        ("description", pa.string()),
        ("temporality", pa.string()),
        ("is_monotonic", pa.bool_()),
        ("start_ns", pa.int64()),
        ("time_ns", pa.int64()),
        ("value", pa.float64()),
        ("count", pa.uint64()),
        ("data", pa.string()),
        ("service_name", pa.string()),
        ("resource", pa.string()),
        ("scope_name", pa.string()),
        ("scope_version", pa.string()),
        ("attributes", pa.string()),
        ("received_ns", pa.int64()),
        ("user_agent", pa.string()),
    ]
)

_TEMPORALITY = ("", "delta", "cumulative")
_METRIC_TYPES = {
    "gauge": "gauge",
    "sum": "sum",
    "histogram": "histogram",
    "exponential_histogram": "exponential_histogram",
    "summary": "summary",
}


@dataclass(frozen=True, slots=True)
class Delivery:
    """One accepted request: its message, when it arrived (ns since the epoch) and who sent it."""

    request: Any
    received_ns: int
    user_agent: str


def to_table(signal: Signal, deliveries: Iterable[Delivery], session_keys: tuple[str, ...] = ()) -> pa.Table:
    """All records of the deliveries, all of one signal, as one table.

    `session_keys` are the user's own names of the attribute that names a session.
    """
    builders: dict[str, tuple[Callable[[Delivery, list[Row]], None], pa.Schema]] = {
        TRACES.name: (_spans, SPAN_SCHEMA),
        LOGS.name: (partial(_logs, session_keys), LOG_SCHEMA),
        METRICS.name: (_metrics, METRIC_SCHEMA),
    }
    build, schema = builders[signal.name]
    rows: list[Row] = []
    for delivery in deliveries:
        build(delivery, rows)
    columns: Sequence[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [[] for _ in schema]
    return pa.Table.from_arrays(
        [pa.array(column, type=field.type) for column, field in zip(columns, schema, strict=True)],
        schema=schema,
    )


def _spans(delivery: Delivery, rows: list[Row]) -> None:
    received, agent = delivery.received_ns, delivery.user_agent
    for group in delivery.request.resource_spans:
        service, resource, _ = _resource(group.resource)
        for scoped in group.scope_spans:
            scope, version = scoped.scope.name, scoped.scope.version
            for span in scoped.spans:
                events, links, status = span.events, span.links, span.status
                rows.append(
                    (
                        span.trace_id.hex(),
                        span.span_id.hex(),
                        span.parent_span_id.hex(),
                        span.name,
                        span.kind if 0 <= span.kind <= 5 else 0,
                        min(span.start_time_unix_nano, MAX_NS),
                        min(span.end_time_unix_nano, MAX_NS),
                        status.code if 0 <= status.code <= 2 else 0,
                        status.message,
                        service,
                        resource,
                        scope,
                        version,
                        _json(attributes(span.attributes)),
                        _json([_event(e) for e in events]) if events else "[]",
                        _json([_link(e) for e in links]) if links else "[]",
                        span.dropped_attributes_count,
                        received,
                        agent,
                    )
                )


def _logs(session_keys: tuple[str, ...], delivery: Delivery, rows: list[Row]) -> None:
    received, agent = delivery.received_ns, delivery.user_agent
    for group in delivery.request.resource_logs:
        service, resource, resource_values = _resource(group.resource)
        for scoped in group.scope_logs:
            scope, version = scoped.scope.name, scoped.scope.version
            for log in scoped.log_records:
                trace_id = log.trace_id.hex() if len(log.trace_id) == 16 and any(log.trace_id) else ""
                values = attributes(log.attributes)
                observed = min(log.observed_time_unix_nano, MAX_NS)
                rows.append(
                    (
                        trace_id or _trace_less_unit(log, service, values, resource_values, session_keys),
                        trace_id,
                        log.span_id.hex() if len(log.span_id) == 8 and any(log.span_id) else "",
                        min(log.time_unix_nano, MAX_NS) or observed or received,
                        observed or None,
                        log.event_name,
                        log.severity_number if 0 <= log.severity_number <= 24 else 0,
                        log.severity_text,
                        _json(any_value(log.body)),
                        service,
                        resource,
                        scope,
                        version,
                        _json(values),
                        log.dropped_attributes_count,
                        received,
                        agent,
                    )
                )


def _metrics(delivery: Delivery, rows: list[Row]) -> None:
    received, agent = delivery.received_ns, delivery.user_agent
    for group in delivery.request.resource_metrics:
        service, resource, _ = _resource(group.resource)
        for scoped in group.scope_metrics:
            scope, version = scoped.scope.name, scoped.scope.version
            for metric in scoped.metrics:
                kind = metric.WhichOneof("data")
                if kind is None:
                    continue
                data = getattr(metric, kind)
                temporality = getattr(data, "aggregation_temporality", 0)
                for point in points(metric):
                    value, count, detail = _point(kind, point)
                    rows.append(
                        (
                            metric.name,
                            _METRIC_TYPES[kind],
                            metric.unit,
                            metric.description,
                            _TEMPORALITY[temporality] if 0 <= temporality <= 2 else "",
                            data.is_monotonic if kind == "sum" else None,
                            min(point.start_time_unix_nano, MAX_NS) or None,
                            min(point.time_unix_nano, MAX_NS) or received,
                            value,
                            count,
                            _json(detail),
                            service,
                            resource,
                            scope,
                            version,
                            _json(attributes(point.attributes)),
                            received,
                            agent,
                        )
                    )


def _resource(resource: Any) -> tuple[str, str, dict[str, Any]]:
    """The service's name, the resource's attributes as JSON text, and as values."""
    values = attributes(resource.attributes)
    return str(values.get("service.name") or "unknown_service"), _json(values), values


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def attributes(pairs: Any) -> dict[str, Any]:
    """A repeated KeyValue as a dict; of a key that is there twice, the last value."""
    values: dict[str, Any] = {}
    for pair in pairs:
        value = pair.value
        kind = value.WhichOneof("value")
        if kind == "string_value":
            values[pair.key] = value.string_value
        elif kind in {"int_value", "bool_value"}:
            values[pair.key] = getattr(value, kind)
        else:
            values[pair.key] = any_value(value)
    return values


def any_value(value: Any) -> Any:
    """An AnyValue as JSON-ready Python: bytes as base64 text, NaN and infinities as text."""
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if kind == "array_value":
        return [any_value(item) for item in value.array_value.values]
    if kind == "kvlist_value":
        return attributes(value.kvlist_value.values)
    if kind == "bytes_value":
        return b64encode(value.bytes_value).decode()
    if kind == "double_value":
        return _number(value.double_value)
    return getattr(value, kind)


def _number(value: float) -> float | str:
    if isfinite(value):
        return value
    return "NaN" if isnan(value) else ("Infinity" if value > 0 else "-Infinity")


def _event(event: Any) -> dict[str, Any]:
    return {
        "name": event.name,
        "time_ns": min(event.time_unix_nano, MAX_NS),
        "attributes": attributes(event.attributes),
    }


def _link(link: Any) -> dict[str, Any]:
    return {
        "trace_id": link.trace_id.hex(),
        "span_id": link.span_id.hex(),
        "attributes": attributes(link.attributes),
    }


def _point(kind: str, point: Any) -> tuple[float | None, int | None, dict[str, Any]]:
    """Value, count and the rest of a data point."""
    if kind in {"gauge", "sum"}:
        which = point.WhichOneof("value")
        value = float(getattr(point, which)) if which else None
        exact = {"as_int": point.as_int} if which == "as_int" and abs(point.as_int) > _BIG else {}
        return value, None, exact
    detail: dict[str, Any] = {}
    if kind == "histogram":
        detail = {
            "bounds": list(point.explicit_bounds),
            "counts": list(point.bucket_counts),
            "min": _number(point.min) if point.HasField("min") else None,
            "max": _number(point.max) if point.HasField("max") else None,
        }
    elif kind == "exponential_histogram":
        detail = {
            "scale": point.scale,
            "zero_count": point.zero_count,
            "positive": {"offset": point.positive.offset, "counts": list(point.positive.bucket_counts)},
            "negative": {"offset": point.negative.offset, "counts": list(point.negative.bucket_counts)},
        }
    elif kind == "summary":
        detail = {"quantiles": [[q.quantile, _number(q.value)] for q in point.quantile_values]}
    return point.sum, point.count, detail


def _trace_less_unit(
    log: Any,
    service: str,
    values: dict[str, Any],
    resource: dict[str, Any],
    session_keys: tuple[str, ...],
) -> str:
    """Logs without a trace are derived with their session, where they name one."""
    record = LogRecord("", "", 0, log.event_name, None, 0, service, resource, "", "", values)
    named = find_session_ids((), (record,), session_keys).source
    return log_group(record, session_keys) if named else ""
