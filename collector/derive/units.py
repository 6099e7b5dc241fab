"""Raw records of one trace (or of one group of trace-less log records) to a `Unit` of canonical records.

The order in which the records are given does not matter, nor does it that some come twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

from collector import conventions as c
from collector.derive.canonical import (
    AgentSpan,
    FoundSession,
    ModelCall,
    Record,
    RescueSignal,
    ToolExecution,
    Unit,
    UserPrompt,
)
from collector.derive.distinct import distinct_logs, distinct_spans
from collector.derive.executions import by_time, read_recovered_names, without_doubles, without_starts
from collector.derive.model_parts import join_nested, join_parts
from collector.derive.rescues import (
    RESCUE_PATTERNS,
    Families,
    RescuePattern,
    attribute_signals,
    families,
    log_signal,
    span_signals,
)
from collector.derive.runs import numbered_runs
from collector.derive.session_ids import SessionIds, find_session_ids
from collector.derive.tree import Tree
from collector.derive.twins import join_twin_calls, join_twin_executions
from collector.dialects import CHAIN, Chain
from collector.dialects.decode import first_text, identifier
from collector.dialects.spans import read_own_names
from collector.records import LogRecord, SpanRecord


def read_unit(
    unit_id: str,
    spans: Iterable[SpanRecord],
    logs: Iterable[LogRecord] = (),
    *,
    chain: Chain = CHAIN,
    patterns: tuple[RescuePattern, ...] = RESCUE_PATTERNS,
) -> Unit:
    """What the records of one trace hold, read by the dialects of `chain`. Never raises.

    `unit_id` is the trace id, or `log_group` of log records that have none. `patterns` are the
    names that count as rescues.
    """
    spans, logs = distinct_spans(spans), distinct_logs(logs)
    found = find_session_ids(spans, logs, chain.mapped.session_keys)
    reading = _Reading(spans, logs, found)
    names = families(patterns)
    for span in spans:
        reading.read_span(span, chain, names)
    for position, log in enumerate(logs):
        reading.read_log(position, log, chain, names)
    return reading.unit(unit_id)


def log_group(log: LogRecord, session_keys: tuple[str, ...] = ()) -> str:
    """The unit of a log record without a trace id: its session where it names one, else its process."""
    found = find_session_ids((), (log,), session_keys).by_log.get(0, "")
    instance = found or identifier(log.resource.get(c.SERVICE_INSTANCE_ID))
    group = f"{log.service_name}\0{found != ''}\0{instance}".encode(errors="surrogatepass")
    digest = blake2b(group, digest_size=12).hexdigest()
    return f"logs-{digest}"


class _Reading:
    """The state of reading one unit."""

    def __init__(self, spans: Sequence[SpanRecord], logs: Sequence[LogRecord], found: SessionIds) -> None:
        self.spans, self.logs, self.found = spans, logs, found
        self.tree = Tree(spans)
        several = len(set(found.by_span.values())) > 1
        self.session_of_span = self.tree.outermost(found.by_span) if several else found.by_span
        self.parts: list[ModelCall] = []
        self.executions: list[ToolExecution] = []
        self.agents: list[AgentSpan] = []
        self.prompts: list[UserPrompt] = []
        self.signals: list[RescueSignal] = []
        self.dialects: set[str] = set()
        self.scopes: set[str] = set()

    def read_span(self, span: SpanRecord, chain: Chain, names: Families) -> None:
        session = self.session_of_span.get(span.span_id, "")
        signals = span_signals(span, names) if span.events else []
        dialect, records = chain.read_span(span)
        if records:
            self._keep(dialect, records, session, span.scope_name)
            if isinstance(records[0], ToolExecution):
                read_own_names(records[0], span.attributes)
                signals.extend(attribute_signals(span, names))
        for signal in signals:
            signal.session_id = session
        self.signals.extend(signals)

    def read_log(self, position: int, log: LogRecord, chain: Chain, names: Families) -> None:
        session = self.session_of_span.get(log.span_id) or self.found.by_log.get(position, "")
        signal = log_signal(log, names)
        if signal is not None:
            signal.session_id = session
            self.signals.append(signal)
            return
        self._keep(*chain.read_log(log), session, log.scope_name)

    def _keep(self, dialect: str, records: Sequence[Record], session: str, scope: str) -> None:
        for record in records:
            record.session_id = session
            if isinstance(record, UserPrompt):
                self.prompts.append(record)
            elif isinstance(record, RescueSignal):
                self.signals.append(record)
            else:
                record.scope = scope
                if isinstance(record, ModelCall):
                    self.parts.append(record)
                elif isinstance(record, ToolExecution):
                    self.executions.append(record)
                else:
                    self.agents.append(record)
            self.dialects.add(dialect)
            self.scopes.add(scope)

    def unit(self, unit_id: str) -> Unit:
        self.executions = without_starts(sorted(self.executions, key=by_time))
        calls = self._joined_parts()
        around = self._around(calls)
        calls = join_nested(calls, self.tree, around)
        calls.sort(key=by_time)
        executions = without_doubles(self.executions, self.tree, around)
        self._inherit_agents(calls, executions)
        calls, executions = join_twin_calls(calls), join_twin_executions(executions)
        records: list[ModelCall | ToolExecution | AgentSpan] = [*calls, *executions, *self.agents]
        read_recovered_names(executions, self.signals)
        self._place_signals(records)
        self.prompts.sort(key=lambda prompt: (prompt.time_ns, prompt.text))
        sessions = self._sessions([*records, *self.signals, *self.prompts])
        times = [record.start_ns for record in self.spans] + [log.time_ns for log in self.logs]
        ends = [record.end_ns for record in self.spans] + [log.time_ns for log in self.logs]
        origin = self._origin(calls, executions)
        return Unit(
            unit_id,
            origin.service_name if origin else "",
            identifier(origin.resource.get(c.SERVICE_INSTANCE_ID)) if origin else "",
            self._user(),
            min(times, default=0),
            max(ends, default=0),
            tuple(sorted(self.dialects)),
            sessions,
            calls,
            executions,
            self.agents,
            self.signals,
            tuple(sorted(self.scopes)),
            self.prompts,
        )

    def _joined_parts(self) -> list[ModelCall]:
        others = {record.span_id for record in self.executions} | {record.span_id for record in self.agents}
        # Events on an agent's or a tool's span repeat what its model spans say.
        parts = [part for part in self.parts if not part.span_id or part.span_id not in others]
        parts.sort(key=lambda part: part.start_ns)
        return join_parts(parts)

    def _around(self, calls: Sequence[ModelCall]) -> dict[str, ModelCall | ToolExecution | AgentSpan]:
        """For each span the nearest record at or above it."""
        own: dict[str, ModelCall | ToolExecution | AgentSpan] = {}
        for records in (self.agents, self.executions, calls):
            own.update((record.span_id, record) for record in records)
        return self.tree.nearest(own)

    def _inherit_agents(self, calls: list[ModelCall], executions: list[ToolExecution]) -> None:
        own = {agent.span_id: agent.name for agent in self.agents if agent.name}
        names = self.tree.nearest(own)
        numbered = numbered_runs(self.agents, calls, executions, self.tree)
        runs = self.tree.nearest(own | numbered) if numbered else names
        steps = self.tree.nearest(
            {agent.span_id: agent.step for agent in self.agents if agent.step is not None}
        )
        records: list[ModelCall | ToolExecution | RescueSignal] = [*calls, *executions, *self.signals]
        for record in records:
            if record.agent_name in {"", names.get(record.span_id)}:
                record.agent_name = runs.get(record.span_id, "")
        for call in calls:
            if call.emitter_step is None:
                call.emitter_step = steps.get(call.span_id)

    def _place_signals(self, records: Sequence[ModelCall | ToolExecution | AgentSpan]) -> None:
        agents = {
            record.span_id: record.agent_name for record in records if not isinstance(record, AgentSpan)
        }
        for signal in self.signals:
            signal.agent_name = signal.agent_name or agents.get(signal.span_id, "")
        self.signals.sort(key=lambda s: (s.time_ns, s.source, s.span_id, s.name, s.original, s.recovered))

    def _sessions(
        self, records: Sequence[ModelCall | ToolExecution | AgentSpan | RescueSignal | UserPrompt]
    ) -> tuple[FoundSession, ...]:
        """The sessions of the unit, each record given its own; those that name none follow the first."""
        named = [*self.session_of_span.items(), *self.found.by_log.items()]
        if not named:
            return ()
        firsts = [
            (span.start_ns, span.span_id, self.session_of_span[span.span_id])
            for span in self.spans
            if span.span_id in self.session_of_span
        ]
        firsts += [
            (self.logs[position].time_ns, self.logs[position].span_id, value)
            for position, value in self.found.by_log.items()
        ]
        main = min(firsts)[2]
        for record in records:
            record.session_id = record.session_id or main
        ids = {record.session_id for record in records} or {main}
        ordered = sorted(ids, key=lambda value: (value != main, value))
        return tuple(FoundSession(value, self.found.source) for value in ordered)

    def _origin(
        self, calls: Sequence[ModelCall], executions: Sequence[ToolExecution]
    ) -> SpanRecord | LogRecord | None:
        """The record that says whose run this is: that of the first model call, else of the first tool."""
        leading = calls or executions
        if leading:
            first = leading[0]
            for record in self._raw():
                if record.span_id == first.span_id and record.trace_id == first.trace_id:
                    return record
        roots = (span for span in self.spans if span.parent_span_id not in self.tree)
        return next(roots, None) or next(self._raw(), None)

    def _user(self) -> str:
        found = (first_text(record.attributes, (c.USER_ID,)) for record in self._raw())
        return next((user for user in found if user), "")

    def _raw(self) -> Iterator[SpanRecord | LogRecord]:
        yield from self.spans
        yield from self.logs
