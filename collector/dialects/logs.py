"""What every dialect that reads log records reads from them in the same way."""

from __future__ import annotations

from typing import Any

from collector import conventions as c
from collector.dialects.decode import integer
from collector.records import LogRecord

_NS_PER_MS = 1_000_000
_MAX_MS = 10**9


def event_of(log: LogRecord) -> str:
    """The name of the event: the attribute before the field, which may hold a place in the source code."""
    named = log.attributes.get(c.EVENT_NAME)
    return named if isinstance(named, str) and named else log.event_name


def start_of(log: LogRecord, duration_ms: Any) -> int:
    """When what the record reports began: it is written at the end. ns since the epoch."""
    duration = integer(
        round(duration_ms) if isinstance(duration_ms, float) and _finite(duration_ms) else duration_ms
    )
    if duration is None or not 0 <= duration <= _MAX_MS:
        return log.time_ns
    return max(log.time_ns - duration * _NS_PER_MS, 0)


def _finite(value: float) -> bool:
    return -_MAX_MS < value < _MAX_MS
