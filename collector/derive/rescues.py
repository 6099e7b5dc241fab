"""Rescues: how signals report them, and how several signals of the same rescue become one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import islice
from typing import Any, Literal

from collector import conventions as c
from collector.derive.canonical import RescueSignal
from collector.dialects.decode import text_of
from collector.records import LogRecord, SpanRecord

FAMILIES = ("bootstrap", "name_recovery", "verification", "loop_break", "other")
_MAX_NAME = 100
_MAX_KNOWN_NAMES = 50_000
_SAME_RESCUE_NS = 2_000_000_000
_MAX_CANDIDATES = 64
"""How many of a span's, and how many of the latest rescues a signal is compared with."""


@dataclass(frozen=True, slots=True)
class RescuePattern:
    """Names that are rescues: a shell pattern over the event's name, and the family they belong to."""

    pattern: str
    family: str


RESCUE_PATTERNS = (
    RescuePattern("*_auto_bootstrapped", "bootstrap"),
    RescuePattern("tool_name_recovered", "name_recovery"),
    RescuePattern("*_derived", "verification"),
    RescuePattern("loop_broken", "loop_break"),
)


class Families(dict[str, str | None]):
    """The family of each name, None for a name that is no rescue's. Names repeat, so it remembers."""

    def __init__(self, patterns: Iterable[RescuePattern]) -> None:
        super().__init__()
        self._patterns = tuple(patterns)

    def __missing__(self, name: str) -> str | None:
        family = self._match(name)
        if len(self) < _MAX_KNOWN_NAMES and len(name) <= _MAX_NAME:
            self[name] = family
        return family

    def _match(self, name: str) -> str | None:
        if len(name) > _MAX_NAME:
            return None
        short = name.rpartition(".")[2]
        for pattern in self._patterns:
            if fnmatchcase(name, pattern.pattern) or fnmatchcase(short, pattern.pattern):
                return pattern.family
        return None


@lru_cache(maxsize=8)
def families(patterns: tuple[RescuePattern, ...]) -> Families:
    """The families that `patterns` tell."""
    return Families(patterns)


def span_signals(span: SpanRecord, names: Families) -> list[RescueSignal]:
    """The rescues that the events on a span report."""
    signals = []
    for event in span.events:
        found = _named(event.name, event.attributes, names)
        if found:
            signals.append(
                _signal(span.trace_id, span.span_id, event.time_ns, found, "event", event.attributes)
            )
    return signals


def attribute_signals(span: SpanRecord, names: Families) -> list[RescueSignal]:
    """The rescues that the attributes of a tool's span report: `agent.rescue.name`, or a flag of its name."""
    attributes = span.attributes
    time_ns = span.start_ns
    named = attributes.get(f"{c.RESCUE_EVENT}.name")
    if isinstance(named, str) and named:
        found = (named, _family(attributes, named, names))
        return [_signal(span.trace_id, span.span_id, time_ns, found, "attribute", attributes)]
    signals = []
    for key, value in attributes.items():
        if (value is True or type(value) is str) and value and (family := names[key]):
            found = (key.rpartition(".")[2], family)
            signal = _signal(span.trace_id, span.span_id, time_ns, found, "attribute", attributes)
            if type(value) is str and value.lower() != "true":
                signal.note = signal.note or value
            signals.append(signal)
    return signals


def log_signal(log: LogRecord, names: Families) -> RescueSignal | None:
    """The rescue that a log record reports: by its event name, or by the first word of its body."""
    attributes = log.attributes
    named = attributes.get(c.EVENT_NAME)
    found = _named(named, attributes, names) or _named(log.event_name, attributes, names)
    note = ""
    if not found and isinstance(log.body, str):
        word = log.body[: _MAX_NAME + 1].split(maxsplit=1)
        found = _named(word[0].rstrip(":,;"), attributes, names) if word else None
        note = log.body.strip()
    if not found and isinstance(log.body, Mapping):
        found = _named(log.body.get("event") or log.body.get("name"), log.body, names)
        attributes = dict(log.body)
    if not found:
        return None
    signal = _signal(log.trace_id, log.span_id, log.time_ns, found, "log", attributes)
    signal.note = signal.note or note
    return signal


def _named(name: Any, attributes: Mapping[str, Any], names: Families) -> tuple[str, str] | None:
    if not isinstance(name, str) or not name:
        return None
    if name == c.RESCUE_EVENT:
        inner = attributes.get(f"{c.RESCUE_EVENT}.name") or attributes.get("name")
        name = inner if isinstance(inner, str) and inner else "unnamed"
        return name, _family(attributes, name, names)
    family = names[name]
    return (name, family) if family else None


def _family(attributes: Mapping[str, Any], name: str, names: Families) -> str:
    given = attributes.get(f"{c.RESCUE_EVENT}.family")
    return given if given in FAMILIES else names[name] or "other"


def _signal(
    trace_id: str,
    span_id: str,
    time_ns: int,
    found: tuple[str, str],
    source: Literal["event", "log", "attribute"],
    attributes: Mapping[str, Any],
) -> RescueSignal:
    def get(field: str) -> str:
        for key in (f"{c.RESCUE_EVENT}.{field}", f"rescue.{field}", field):
            value = attributes.get(key)
            if value is not None:
                return text_of(value)
        return ""

    name, family = found
    return RescueSignal(
        trace_id,
        span_id,
        time_ns,
        name,
        family,
        source,
        original=get("original"),
        recovered=get("recovered"),
        note=get("note"),
        agent_name=text_of(attributes.get(c.GEN_AI_AGENT_NAME)),
        model=text_of(attributes.get(c.GEN_AI_REQUEST_MODEL)),
    )


def join_signals(signals: Iterable[RescueSignal]) -> list[RescueSignal]:
    """The rescues that `signals` (ordered by time) report, each once.

    Two signals are one rescue when they came in different ways, have the same name, do not
    contradict each other, and belong to the same span or, where one has none, to the same moment.
    """
    rescues: list[tuple[RescueSignal, set[str]]] = []
    on_span: dict[str, list[tuple[RescueSignal, set[str]]]] = {}
    recent: deque[tuple[RescueSignal, set[str]]] = deque()
    for signal in signals:
        while recent and signal.time_ns - recent[0][0].time_ns > _SAME_RESCUE_NS:
            recent.popleft()
        candidates = [
            *on_span.get(signal.span_id, [])[-_MAX_CANDIDATES:],
            *islice(reversed(recent), _MAX_CANDIDATES),
        ]
        for rescue, sources in candidates:
            if signal.source not in sources and _same(rescue, signal):
                sources.add(signal.source)
                for name in ("trace_id", "span_id", "original", "recovered", "note", "agent_name", "model"):
                    if not getattr(rescue, name):
                        setattr(rescue, name, getattr(signal, name))
                break
        else:
            entry: tuple[RescueSignal, set[str]] = (replace(signal), {signal.source})
            rescues.append(entry)
            recent.append(entry)
            if signal.span_id:
                on_span.setdefault(signal.span_id, []).append(entry)
    return [rescue for rescue, _ in rescues]


def _same(one: RescueSignal, other: RescueSignal) -> bool:
    if one.name.rpartition(".")[2] != other.name.rpartition(".")[2]:
        return False
    if one.trace_id and other.trace_id and one.trace_id != other.trace_id:
        return False
    if one.span_id and other.span_id:
        if one.span_id != other.span_id:
            return False
    elif abs(one.time_ns - other.time_ns) > _SAME_RESCUE_NS:
        return False
    pairs = ((one.original, other.original), (one.recovered, other.recovered))
    return all(not a or not b or a == b for a, b in pairs)
