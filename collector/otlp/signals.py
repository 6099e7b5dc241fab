"""The three OTLP signals: their messages, their paths, and what one record of each is called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from opentelemetry.proto.collector.logs.v1 import logs_service_pb2 as logs
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as trace


@dataclass(frozen=True, slots=True)
class Signal:
    """One of traces, logs, metrics.

    `groups`, `scopes` and `records` are the names of the nested repeated fields; `rejected` is the
    field of `partial_success` that counts refused records.
    """

    name: str
    request: Any
    response: Any
    groups: str
    scopes: str
    records: str
    rejected: str

    @property
    def path(self) -> str:
        """The path of OTLP/HTTP."""
        return f"/v1/{self.name}"

    def containers(self, request: Any) -> Iterator[Any]:
        """The scope containers of a request, each with its list of records."""
        for group in getattr(request, self.groups):
            yield from getattr(group, self.scopes)

    def count(self, request: Any) -> int:
        """How many records a request holds; data points in the case of metrics."""
        if self.name == "metrics":
            return sum(len(points(m)) for scope in self.containers(request) for m in scope.metrics)
        return sum(len(getattr(scope, self.records)) for scope in self.containers(request))

    def answer(self, rejected: int = 0, reason: str = "") -> Any:
        """The response message; `partial_success` is set only when something was refused or said."""
        response = self.response()
        if rejected or reason:
            setattr(response.partial_success, self.rejected, rejected)
            response.partial_success.error_message = reason[:4000]
        return response


def points(metric: Any) -> Any:
    """The data points of a metric, whatever its type; empty for a metric without data."""
    kind = metric.WhichOneof("data")
    return getattr(metric, kind).data_points if kind else ()


TRACES = Signal(
    "traces",
    trace.ExportTraceServiceRequest,
    trace.ExportTraceServiceResponse,
    "resource_spans",
    "scope_spans",
    "spans",
    "rejected_spans",
)
LOGS = Signal(
    "logs",
    logs.ExportLogsServiceRequest,
    logs.ExportLogsServiceResponse,
    "resource_logs",
    "scope_logs",
    "log_records",
    "rejected_log_records",
)
METRICS = Signal(
    "metrics",
    metrics.ExportMetricsServiceRequest,
    metrics.ExportMetricsServiceResponse,
    "resource_metrics",
    "scope_metrics",
    "metrics",
    "rejected_data_points",
)
SIGNALS: dict[str, Signal] = {signal.name: signal for signal in (TRACES, LOGS, METRICS)}
