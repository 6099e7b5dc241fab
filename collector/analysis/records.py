"""Stored rows as the records that derivation reads."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import Any

import orjson
import polars as pl

from collector.records import LogRecord, SpanEvent, SpanRecord


def spans_by_unit(rows: pl.DataFrame) -> dict[str, list[SpanRecord]]:
    """Rows of `queries/unit_spans.sql`, by trace."""
    units: dict[str, list[SpanRecord]] = defaultdict(list)
    for (
        trace_id,
        span_id,
        parent,
        name,
        kind,
        start_ns,
        end_ns,
        status_code,
        status_message,
        service,
        resource,
        scope,
        version,
        attributes,
        events,
    ) in rows.iter_rows():
        units[trace_id].append(
            SpanRecord(
                trace_id,
                span_id,
                parent,
                name,
                kind,
                start_ns,
                end_ns,
                status_code,
                status_message,
                service,
                _resource(resource),
                scope,
                version,
                orjson.loads(attributes),
                [SpanEvent(e["name"], e["time_ns"], e["attributes"]) for e in orjson.loads(events)]
                if events != "[]"
                else [],
            )
        )
    return units


def logs_by_unit(rows: pl.DataFrame) -> dict[str, list[LogRecord]]:
    """Rows of `queries/unit_logs.sql`, by unit."""
    units: dict[str, list[LogRecord]] = defaultdict(list)
    for (
        unit,
        trace_id,
        span_id,
        time_ns,
        event_name,
        body,
        severity,
        service,
        resource,
        scope,
        version,
        attributes,
    ) in rows.iter_rows():
        units[unit].append(
            LogRecord(
                trace_id,
                span_id,
                time_ns,
                event_name,
                orjson.loads(body),
                severity,
                service,
                _resource(resource),
                scope,
                version,
                orjson.loads(attributes),
            )
        )
    return units


@lru_cache(maxsize=1024)
def _resource(text: str) -> dict[str, Any]:
    """Resources repeat in every row of a process; derivation only reads them."""
    resource: dict[str, Any] = orjson.loads(text)
    return resource
