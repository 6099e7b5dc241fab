"""The whole derivation, as the collector puts it together, and hand-made records to put into it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from collector.derive.canonical import Unit
from collector.derive.identity import identify
from collector.derive.rows import SessionRows
from collector.derive.sessions import derive_session
from collector.derive.stitch import SessionKey, stitch
from collector.derive.units import log_group, read_unit
from collector.dialects import DIALECTS, Chain
from collector.dialects.mapped import UNMAPPED, Mapped
from collector.records import LogRecord, SpanEvent, SpanRecord

SECOND = 1_000_000_000
START = 1_700_000_000 * SECOND
TRACE = "0af7651916cd43dd8448eb211c80319c"


def read_units(
    spans: Iterable[SpanRecord], logs: Iterable[LogRecord] = (), mapped: Mapped = UNMAPPED
) -> list[Unit]:
    groups: dict[str, tuple[list[SpanRecord], list[LogRecord]]] = {}
    for span in spans:
        groups.setdefault(span.trace_id, ([], []))[0].append(span)
    for log in logs:
        groups.setdefault(log.trace_id or log_group(log), ([], []))[1].append(log)
    chain = Chain(DIALECTS, mapped)
    return [read_unit(unit_id, *records, chain=chain) for unit_id, records in groups.items()]


def derive_all(
    spans: Iterable[SpanRecord], logs: Iterable[LogRecord] = (), *, mapped: Mapped = UNMAPPED
) -> list[SessionRows]:
    """The rows of every session in the records, by start."""
    units = {unit.unit_id: unit for unit in read_units(spans, logs, mapped)}
    members: dict[SessionKey, list[Unit]] = {}
    for unit_id, keys in stitch(identify(unit) for unit in units.values()).items():
        for key in keys:
            members.setdefault(key, []).append(units[unit_id])
    rows = [derive_session(key, own) for key, own in members.items()]
    kept = [row for row in rows if row.sessions]
    return sorted(kept, key=lambda row: (row.sessions[0].started_at or 0, row.sessions[0].session_id))


def derive_one(
    spans: Iterable[SpanRecord], logs: Iterable[LogRecord] = (), *, mapped: Mapped = UNMAPPED
) -> SessionRows:
    """The rows of the only session in the records."""
    (rows,) = derive_all(spans, logs, mapped=mapped)
    return rows


def span(
    span_id: str,
    at: float = 0,
    *,
    name: str = "",
    parent: str = "",
    trace: str = TRACE,
    lasts: float = 0.5,
    status: int = 0,
    message: str = "",
    events: Iterable[SpanEvent] = (),
    service: str = "svc",
    resource: dict[str, Any] | None = None,
    **attributes: Any,
) -> SpanRecord:
    """A span `at` seconds after the start of time; "__" in an attribute's name stands for "."."""
    start = START + int(at * SECOND)
    return SpanRecord(
        trace_id=trace,
        span_id=span_id,
        parent_span_id=parent,
        name=name,
        kind=1,
        start_ns=start,
        end_ns=start + int(lasts * SECOND),
        status_code=status,
        status_message=message,
        service_name=service,
        resource=resource or {"service.name": service},
        scope_name="",
        scope_version="",
        attributes={key.replace("__", "."): value for key, value in attributes.items()},
        events=list(events),
    )


def log(
    at: float = 0,
    *,
    name: str = "",
    body: Any = None,
    span_id: str = "",
    trace: str = TRACE,
    service: str = "svc",
    **attributes: Any,
) -> LogRecord:
    """A log record `at` seconds after the start of time."""
    return LogRecord(
        trace_id=trace,
        span_id=span_id,
        time_ns=START + int(at * SECOND),
        event_name=name,
        body=body,
        severity_number=9,
        service_name=service,
        resource={"service.name": service},
        scope_name="",
        scope_version="",
        attributes={key.replace("__", "."): value for key, value in attributes.items()},
    )


def event(name: str, at: float = 0, **attributes: Any) -> SpanEvent:
    """An event `at` seconds after the start of time."""
    return SpanEvent(
        name, START + int(at * SECOND), {key.replace("__", "."): value for key, value in attributes.items()}
    )


def say(text: str) -> dict[str, Any]:
    """An answer of the model in words."""
    return {"role": "assistant", "parts": [{"type": "text", "content": text}]}


def ask_for(*calls: tuple[str, str, Any]) -> dict[str, Any]:
    """An answer of the model that asks for calls, each (id, tool, arguments)."""
    return {
        "role": "assistant",
        "parts": [
            {"type": "tool_call", "id": call_id, "name": tool, "arguments": arguments}
            for call_id, tool, arguments in calls
        ],
    }


def user(text: str) -> dict[str, Any]:
    """What the user says."""
    return {"role": "user", "parts": [{"type": "text", "content": text}]}


def given_back(call_id: str, result: Any) -> dict[str, Any]:
    """The result of a call as the model is given it."""
    return {"role": "tool", "parts": [{"type": "tool_call_response", "id": call_id, "response": result}]}


def chat(
    span_id: str, at: float, answer: dict[str, Any], history: Iterable[dict[str, Any]] = (), **more: Any
) -> SpanRecord:
    """A model span of today's GenAI conventions."""
    return span(
        span_id,
        at,
        **{
            "name": "chat m",
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "m",
            "gen_ai.input.messages": list(history),
            "gen_ai.output.messages": [answer],
            **more,
        },
    )


def tool(span_id: str, at: float, name: str, call_id: str = "", **more: Any) -> SpanRecord:
    """A tool span of the GenAI conventions."""
    attributes: dict[str, Any] = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    if call_id:
        attributes["gen_ai.tool.call.id"] = call_id
    return span(span_id, at, **{"name": f"execute_tool {name}", **attributes, **more})
