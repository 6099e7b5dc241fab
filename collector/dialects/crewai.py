"""CrewAI's own telemetry: its spans of tool usage, where they reach the application's tracer.

Source of the names: CrewAI's public source (telemetry/telemetry.py). Read from version 1.15; there is
no recording of it. It is meant for the vendor and holds no arguments, results or model calls:
OpenInference's or OpenLLMetry's instrumentation tells of those, and this adds one thing to them.

| provides | from |
| --- | --- |
| rescues | `Tool Repeated Usage`: CrewAI refused a call like the one before it |

`Tool Usage` and `Tool Usage Error` report a call that the instrumentation's span reports whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from collector.derive.canonical import Record, RescueSignal
from collector.dialects.decode import count, first_text
from collector.dialects.dialect import Dialect
from collector.records import SpanRecord

NAME = "crewai"

_SCOPE = "crewai.telemetry"
_REPEATED = "Tool Repeated Usage"
_RESCUE = "tool_repeated_usage"
_TOOL = "tool_name"
_ATTEMPTS = "attempts"
_MODEL = "llm"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A refused repetition as a rescue; all else of CrewAI's own says nothing new."""
    if span.scope_name != _SCOPE:
        return None
    if span.name != _REPEATED:
        return ()
    attempts = count(span.attributes.get(_ATTEMPTS))
    return (
        RescueSignal(
            span.trace_id,
            span.span_id,
            span.start_ns,
            _RESCUE,
            "loop_break",
            "event",
            original=first_text(span.attributes, (_TOOL,)),
            note="" if attempts is None else f"attempt {attempts}",
            model=first_text(span.attributes, (_MODEL,)),
        ),
    )


CREWAI = Dialect(NAME, read_span, scopes=(_SCOPE,))
