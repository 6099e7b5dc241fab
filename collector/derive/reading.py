"""How the records of a unit were read: by which dialect, as what, and what nobody looked at.

For people: `tightrope doctor` shows it, so that telemetry that is not understood says so itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from collector import conventions as c
from collector.derive.canonical import (
    AgentSpan,
    ModelCall,
    Record,
    RescueSignal,
    ToolExecution,
    UserPrompt,
)
from collector.derive.rescues import RESCUE_PATTERNS, RescuePattern, families, log_signal, span_signals
from collector.derive.session_ids import find_session_ids
from collector.dialects import CHAIN, Chain
from collector.dialects.spans import read_own_names
from collector.records import LogRecord, SpanRecord

_INDEXED = (
    c.OI_INPUT_MESSAGES_PREFIX,
    c.OI_OUTPUT_MESSAGES_PREFIX,
    c.OI_TOOLS_PREFIX,
    c.GEN_AI_PROMPT_PREFIX,
    c.GEN_AI_COMPLETION_PREFIX,
    c.LLM_FUNCTIONS_PREFIX,
)
"""Message attributes, which are read in one pass over all keys."""

_NOTHING, _MODEL, _TOOL, _AGENT, _RESCUE = "nothing", "model call", "tool execution", "agent", "rescue"
_PROMPT = "user prompt"


@dataclass(slots=True)
class Reading:
    """Records of one name that were read alike.

    `dialect` is "" where none knows them. `became` says what they are taken for: `model call`,
    `tool execution`, `agent`, `user prompt`, `rescue` or `nothing`. `missing` are the fields that none
    of them holds, `unread` their attributes that nothing looked at. `trace_id`, `span_id` name the
    first of them.
    """

    signal: Literal["span", "log"]
    scope: str
    name: str
    dialect: str
    became: str
    count: int = 0
    missing: set[str] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)
    trace_id: str = ""
    span_id: str = ""


class _Watched(dict[str, Any]):
    """Attributes that remember which of them were looked at."""

    def __init__(self, attributes: dict[str, Any]) -> None:
        super().__init__(attributes)
        self.seen: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.seen.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self.seen.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.seen.add(str(key))
        return super().__contains__(key)

    def items(self) -> Any:
        self.seen.update(key for key in self if key.startswith(_INDEXED))
        return super().items()


def read_reading(
    spans: Iterable[SpanRecord],
    logs: Iterable[LogRecord],
    *,
    chain: Chain = CHAIN,
    patterns: tuple[RescuePattern, ...] = RESCUE_PATTERNS,
) -> list[Reading]:
    """How the records of one unit are read, alike ones together, the first of them first."""
    watched_spans = [replace(span, attributes=_Watched(span.attributes)) for span in spans]
    watched_logs = [replace(log, attributes=_Watched(log.attributes)) for log in logs]
    find_session_ids(watched_spans, watched_logs, chain.mapped.session_keys)
    names = families(patterns)
    groups: dict[tuple[str, ...], Reading] = {}
    for span in sorted(watched_spans, key=lambda span: (span.start_ns, span.span_id)):
        signals = span_signals(span, names)
        named, records = chain.read_span(span)
        for record in records:
            if isinstance(record, ToolExecution):
                read_own_names(record, span.attributes)
        became = _RESCUE if signals and not records else _became(records)
        _add(groups, Reading("span", span.scope_name, span.name, named, became), span, records)
    for log in sorted(watched_logs, key=lambda log: (log.time_ns, log.span_id)):
        event = log.attributes.get(c.EVENT_NAME)
        name = event if isinstance(event, str) and event else log.event_name or "(no event name)"
        if log_signal(log, names) is not None:
            _add(groups, Reading("log", log.scope_name, name, "", _RESCUE), log, ())
            continue
        named, records = chain.read_log(log)
        _add(groups, Reading("log", log.scope_name, name, named, _became(records)), log, records)
    return list(groups.values())


def merge(readings: Iterable[Reading]) -> list[Reading]:
    """The readings of several units as one list, alike ones together."""
    groups: dict[tuple[str, ...], Reading] = {}
    for reading in readings:
        known = groups.setdefault(_key(reading), reading)
        if known is not reading:
            known.count += reading.count
            known.missing &= reading.missing
            known.unread |= reading.unread
    return list(groups.values())


def _became(records: Sequence[Record]) -> str:
    if not records:
        return _NOTHING
    kinds = {
        ModelCall: _MODEL,
        ToolExecution: _TOOL,
        AgentSpan: _AGENT,
        UserPrompt: _PROMPT,
        RescueSignal: _RESCUE,
    }
    return kinds[type(records[0])]


def _add(
    groups: dict[tuple[str, ...], Reading],
    reading: Reading,
    source: SpanRecord | LogRecord,
    records: Sequence[Record],
) -> None:
    missing = _missing(records[0]) if records else set()
    known = groups.get(_key(reading))
    if known is None:
        known = groups[_key(reading)] = reading
        known.missing, known.trace_id, known.span_id = missing, source.trace_id, source.span_id
    known.count += 1
    known.missing &= missing
    if isinstance(source.attributes, _Watched):
        known.unread |= source.attributes.keys() - source.attributes.seen


def _key(reading: Reading) -> tuple[str, ...]:
    return reading.signal, reading.scope, reading.name, reading.dialect, reading.became


def _missing(record: Record) -> set[str]:
    """The fields of a whole record that it does not hold; a record of one message holds little else."""
    if isinstance(record, ModelCall) and record.rank < 2:
        held = {
            "agent": record.agent_name,
            "model": record.model,
            "provider": record.provider,
            "answer": record.text or record.calls or record.reasoning,
            "request": record.input_length,
            "offered tools": record.definitions,
            "finish reason": record.finish_reason,
            "input tokens": record.input_tokens is not None,
            "output tokens": record.output_tokens is not None,
        }
    elif isinstance(record, ToolExecution):
        held = {
            "call id": record.call_id,
            "arguments": record.arguments is not None,
            "result": record.result is not None or record.is_error,
        }
    else:
        held = {}
    return {name for name, value in held.items() if not value}
