"""Each raw record once, in a fixed order, however often and in whatever order it came."""

from __future__ import annotations

from collections.abc import Iterable

from collector.dialects.decode import to_json
from collector.records import LogRecord, SpanRecord


def distinct_spans(spans: Iterable[SpanRecord]) -> list[SpanRecord]:
    """The spans by start time, one for each id: of several the one that says most."""
    by_id: dict[tuple[str, str], SpanRecord] = {}
    for span in spans:
        known = by_id.setdefault((span.trace_id, span.span_id), span)
        if known is not span and known != span and _weight(span) > _weight(known):
            by_id[span.trace_id, span.span_id] = span
    return sorted(by_id.values(), key=lambda span: (span.start_ns, span.trace_id, span.span_id))


def _weight(span: SpanRecord) -> tuple[int, int, int, str]:
    return (len(span.attributes), span.end_ns, span.start_ns, to_json([span.name, span.attributes]))


def distinct_logs(logs: Iterable[LogRecord]) -> list[LogRecord]:
    """The log records by time, each once."""
    groups: dict[tuple[int, str, str, str], list[LogRecord]] = {}
    for log in logs:
        groups.setdefault((log.time_ns, log.trace_id, log.span_id, log.event_name), []).append(log)
    ordered = []
    for key in sorted(groups):
        group = groups[key]
        if len(group) > 1:
            distinct = {to_json([log.body, log.attributes, log.service_name]): log for log in group}
            group = [distinct[text] for text in sorted(distinct)]
        ordered.extend(group)
    return ordered
