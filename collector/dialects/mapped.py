"""Attributes that the user maps by hand: `[attributes]` of the settings file, canonical field to names.

For telemetry of one's own making. What the mapping says counts before what a dialect reads; a span or a
log record that no dialect knows becomes a model call or a tool execution by the fields that it holds. The
name of an agent or a model alone makes neither: applications put them on all their spans.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.derive.canonical import ModelCall, Record, ToolExecution
from collector.dialects import messages
from collector.dialects.decode import count, first, identifier, ordinal, text_of
from collector.dialects.dialect import Dialect
from collector.dialects.results import set_result
from collector.dialects.spans import error_of
from collector.errors import UsageError
from collector.records import LogRecord, SpanRecord

NAME = "mapped"
SESSION = "session_id"

_Setter = Callable[[Any, Any], None]


def _text(name: str) -> _Setter:
    return lambda record, value: setattr(record, name, text_of(value))


def _set_answer(call: ModelCall, value: Any) -> None:
    messages.set_answer(call, messages.output(messages.as_list(value)))


def _set_error(execution: ToolExecution, value: Any) -> None:
    """A flag, or what went wrong."""
    if value not in (False, "false", 0):
        execution.is_error, execution.error = True, text_of(value)


_OF_BOTH: dict[str, _Setter] = {"agent_name": _text("agent_name")}
_OF_ANSWER: dict[str, _Setter] = {
    "finish_reason": _text("finish_reason"),
    "input_messages": messages.read_history,
    "output_messages": _set_answer,
    "text": _text("text"),
    "reasoning": _text("reasoning"),
    "offered_tools": lambda call, value: setattr(call, "definitions", value),
    "input_tokens": lambda call, value: setattr(call, "input_tokens", count(value)),
    "output_tokens": lambda call, value: setattr(call, "output_tokens", count(value)),
}
_OF_MODEL = _OF_BOTH | {"model": _text("model"), "provider": _text("provider")} | _OF_ANSWER
_OF_EXECUTION: dict[str, _Setter] = {
    "tool": _text("tool"),
    "call_id": lambda call, value: setattr(call, "call_id", identifier(value)),
    "arguments": lambda call, value: setattr(call, "arguments", messages.executed_arguments(value)),
    "result": set_result,
    "error": _set_error,
}
_OF_TOOL = _OF_BOTH | _OF_EXECUTION
_ROUND = "round"
FIELDS = (SESSION, _ROUND, *_OF_MODEL, *_OF_EXECUTION)
"""The canonical fields that can be mapped."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """A mapping: attribute names by canonical field, the first that has a value counts."""

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def session_keys(self) -> tuple[str, ...]:
        """The attributes that name a session, before all others."""
        return self.names.get(SESSION, ())

    def dialect(self) -> Dialect:
        """What reads the records that no other dialect knows."""
        return Dialect(NAME, self._read_span, self._read_log)

    def _read_span(self, span: SpanRecord) -> Sequence[Record] | None:
        """The record, still empty, of a span that no dialect knows; None where it holds no field."""
        record = self._empty(span.attributes, span.trace_id, span.span_id, span.start_ns, span.end_ns)
        if isinstance(record, ToolExecution):
            record.tool = span.name
            record.error = error_of(span)
            record.is_error = record.error is not None
        elif record is not None:
            record.error = error_of(span) or ""
        return None if record is None else (record,)

    def _read_log(self, log: LogRecord) -> Sequence[Record] | None:
        """The record, still empty, of a log record that no dialect knows; None likewise."""
        record = self._empty(log.attributes, log.trace_id, log.span_id, log.time_ns, log.time_ns)
        if isinstance(record, ToolExecution):
            record.source = "log"
        elif record is not None:
            record.rank = 1
        return None if record is None else (record,)

    def apply(self, records: Sequence[Record], attributes: Mapping[str, Any]) -> Sequence[Record]:
        """The `records` of a span or a log record, with what the mapping finds in its attributes."""
        if not self.names:
            return records
        for record in records:
            if isinstance(record, ModelCall):
                self._set(record, attributes, _OF_MODEL)
                record.emitter_step = self._round(attributes, record.emitter_step)
            elif isinstance(record, ToolExecution):
                self._set(record, attributes, _OF_TOOL)
                record.round_hint = self._round(attributes, record.round_hint)
        return records

    def _set(self, record: Record, attributes: Mapping[str, Any], setters: Mapping[str, _Setter]) -> None:
        for name, setter in setters.items():
            value = first(attributes, self.names.get(name, ()))
            if value is not None:
                setter(record, value)

    def _round(self, attributes: Mapping[str, Any], known: int | None) -> int | None:
        number = ordinal(first(attributes, self.names.get(_ROUND, ())))
        return known if number is None else number

    def _empty(
        self, attributes: Mapping[str, Any], trace_id: str, span_id: str, start_ns: int, end_ns: int
    ) -> ModelCall | ToolExecution | None:
        if self._has(attributes, _OF_EXECUTION):
            return ToolExecution(trace_id, span_id, start_ns, end_ns)
        if self._has(attributes, _OF_ANSWER):
            return ModelCall(trace_id, span_id, start_ns, end_ns)
        return None

    def _has(self, attributes: Mapping[str, Any], fields: Iterable[str]) -> bool:
        return any(first(attributes, self.names.get(name, ())) is not None for name in fields)


UNMAPPED = Mapped()


def mapping_of(table: Mapping[str, Any]) -> Mapped:
    """The mapping of a settings table. Raises UsageError for an unknown field or a value of another type."""
    names: dict[str, tuple[str, ...]] = {}
    for name, value in table.items():
        if name not in FIELDS:
            near = difflib.get_close_matches(name, FIELDS, n=1)
            hint = f"is {near[0]} meant?" if near else f"there are: {', '.join(FIELDS)}"
            raise UsageError(f"[attributes] maps {name!r}, which is no field: {hint}")
        given = [value] if isinstance(value, str) else value
        if not isinstance(given, list) or not all(isinstance(entry, str) and entry for entry in given):
            raise UsageError(f"[attributes] {name} must be an attribute's name or a list of names")
        names[name] = tuple(given)
    return Mapped(names)
