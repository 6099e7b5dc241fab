"""Plays runs through the OpenTelemetry SDK: spans and log records with times of their own."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.sdk._logs import LoggerProvider, ReadableLogRecord
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import Span, SpanKind, StatusCode, set_span_in_context

from collector import conventions as c
from collector.demo.forms import WRITERS, Exchange, Writer, tokens
from collector.demo.model import Call, Rescue, Run

SPREAD = timedelta(days=7)
_SCOPE = "tightrope.demo"
_MS = 1_000_000
_EVERYTHING = SpanLimits(
    max_span_attributes=SpanLimits.UNSET,
    max_event_attributes=SpanLimits.UNSET,
    max_span_attribute_length=SpanLimits.UNSET,
)


@dataclass(frozen=True, slots=True)
class Played:
    """One run as telemetry of the session `session_id`."""

    run: Run
    session_id: str
    spans: Sequence[ReadableSpan]
    logs: Sequence[ReadableLogRecord]


def play(runs: Sequence[Run], suffix: str, now: datetime) -> Iterator[Played]:
    """Each run as a session of its own, spread over the seven days before `now`.

    All ids and times follow from `suffix` and `now`; another suffix gives other sessions.
    """
    order = list(range(len(runs)))
    random.Random(len(runs)).shuffle(order)
    for number, (run, place) in enumerate(zip(runs, order, strict=True)):
        start = now - SPREAD * ((place + 0.5) / len(runs))
        session = f"demo-{run.name}-{number:02}-{suffix}"
        yield _Player(run, session, int(start.timestamp() * 1e9)).play()


class _SeededIds(IdGenerator):
    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def generate_span_id(self) -> int:
        return self._dice.getrandbits(64) or 1

    def generate_trace_id(self) -> int:
        return self._dice.getrandbits(128) or 1


class _Player:
    """The state of playing one run: the clock, and what the model has seen."""

    def __init__(self, run: Run, session: str, start_ns: int) -> None:
        self.run, self.session, self.now = run, session, start_ns
        self.dice = random.Random(session)
        self.writer: Writer = WRITERS[run.stage.form]
        self.span_store = InMemorySpanExporter()
        self.log_store = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
        resource = Resource({"service.name": run.stage.service, "service.version": "1.0"})
        spans = TracerProvider(
            ALWAYS_ON,
            resource,
            shutdown_on_exit=False,
            id_generator=_SeededIds(self.dice),
            span_limits=_EVERYTHING,
        )
        spans.add_span_processor(SimpleSpanProcessor(self.span_store))
        self.tracer = spans.get_tracer(_SCOPE)
        logs = LoggerProvider(resource, shutdown_on_exit=False)
        logs.add_log_record_processor(SimpleLogRecordProcessor(self.log_store))
        self.logger = logs.get_logger(_SCOPE)

    def play(self) -> Played:
        root = self._start(self.writer.agent(self.run, self.session), None, SpanKind.INTERNAL)
        history: list[Exchange] = []
        for number, turn in enumerate(self.run.turns):
            self._pass(40, 200)
            ids = [f"call_{self.dice.getrandbits(48):012x}" for _ in turn.calls]
            history.append((turn, ids))
            self._model(root, history, ids, turn.rescue)
            for call, call_id in zip(turn.calls, ids, strict=True):
                if not call.lost:
                    self._tool(root, number, call, call_id)
        root.end(self.now)
        spans = self.span_store.get_finished_spans()
        return Played(self.run, self.session, spans, self.log_store.get_finished_logs())

    def _model(
        self, root: Span, history: Sequence[Exchange], ids: Sequence[str], rescue: Rescue | None
    ) -> None:
        described = self.writer.model(self.run, self.session, history, ids)
        if described is None:
            self._pass(800, 2_000)
            return
        span = self._start(described, root, SpanKind.CLIENT)
        said = tokens(history, self.run)[1]
        self._pass(400 + 20 * said, 900 + 30 * said)
        if rescue:
            self._report(rescue, span)
        span.end(self.now)

    def _tool(self, root: Span, number: int, call: Call, call_id: str) -> None:
        self._pass(5, 20)
        described = self.writer.tool(self.run, self.session, number, call, call_id)
        span = self._start(described, root, SpanKind.INTERNAL)
        self._pass(20, 900)
        if call.rescue:
            self._report(call.rescue, span)
        if call.error:
            span.set_status(StatusCode.ERROR, call.error)
        span.end(self.now)

    def _report(self, rescue: Rescue, span: Span) -> None:
        fields = {"original": rescue.original, "recovered": rescue.recovered, "note": rescue.note}
        told = {name: value for name, value in fields.items() if value}
        if not rescue.as_log:
            span.add_event(rescue.name, told, self.now)
            return
        attributes = {f"{c.RESCUE_EVENT}.{name}": value for name, value in told.items()}
        attributes |= {f"{c.RESCUE_EVENT}.name": rescue.name, f"{c.RESCUE_EVENT}.family": rescue.family}
        self.logger.emit(
            LogRecord(
                timestamp=self.now,
                observed_timestamp=self.now,
                context=set_span_in_context(span),
                severity_number=SeverityNumber.INFO,
                event_name=c.RESCUE_EVENT,
                attributes=attributes,
            )
        )

    def _start(self, described: tuple[str, dict[str, object]], parent: Span | None, kind: SpanKind) -> Span:
        name, attributes = described
        context = set_span_in_context(parent) if parent else None
        return self.tracer.start_span(name, context, kind, attributes, start_time=self.now)  # type: ignore[arg-type]

    def _pass(self, least_ms: int, most_ms: int) -> None:
        self.now += self.dice.randint(least_ms, most_ms) * _MS
