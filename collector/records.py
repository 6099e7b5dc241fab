"""Raw telemetry as the dialects read it: one dataclass for each stored row, JSON already decoded.

Times are nanoseconds since the Unix epoch, UTC. Ids are lower-case hex text, "" where absent.
Attribute values are what OTLP's AnyValue holds: str, bool, int, float, list, dict, None; bytes
arrive as base64 text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class SpanEvent:
    """An event on a span."""

    name: str
    time_ns: int
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class SpanRecord:
    """One stored span. `status_code`: 0 unset, 1 ok, 2 error (OTLP's numbers)."""

    trace_id: str
    span_id: str
    parent_span_id: str
    name: str
    kind: int
    start_ns: int
    end_ns: int
    status_code: int
    status_message: str
    service_name: str
    resource: dict[str, Any]
    scope_name: str
    scope_version: str
    attributes: dict[str, Any]
    events: list[SpanEvent]

    @property
    def place(self) -> tuple[str, str, int, int]:
        """Its trace, id, start and end: how each canonical record of a span begins."""
        return self.trace_id, self.span_id, self.start_ns, self.end_ns


@dataclass(slots=True)
class LogRecord:
    """One stored log record. `time_ns` is the record's time, or its observed time where that is 0."""

    trace_id: str
    span_id: str
    time_ns: int
    event_name: str
    body: Any
    severity_number: int
    service_name: str
    resource: dict[str, Any]
    scope_name: str
    scope_version: str
    attributes: dict[str, Any]
