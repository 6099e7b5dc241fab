"""Sends what was played to an OTLP/HTTP endpoint, with the exporters that an agent would use."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass

import httpx
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs.export import LogRecordExportResult
from opentelemetry.sdk.trace.export import SpanExportResult

from collector.demo.play import Played
from collector.errors import UnreachableError, UsageError

TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class Sent:
    """How much was accepted."""

    sessions: int
    spans: int
    log_records: int


def send(played: Iterable[Played], url: str, token: str) -> Sent:
    """Send every session to the service at `url`.

    Raises UnreachableError where nothing answers there, UsageError where something answers that takes
    no telemetry, or not with this token.
    """
    headers = {"authorization": f"Bearer {token}"} if token else {}
    _knock(url, headers)
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # a failure is reported here, in one line
    spans = OTLPSpanExporter(f"{url}/v1/traces", headers=headers, timeout=TIMEOUT)
    logs = OTLPLogExporter(f"{url}/v1/logs", headers=headers, timeout=TIMEOUT)
    sessions = span_count = log_count = 0
    for session in played:
        accepted = spans.export(session.spans) is SpanExportResult.SUCCESS
        if accepted and session.logs:
            accepted = logs.export(session.logs) is LogRecordExportResult.SUCCESS
        if not accepted:
            raise UnreachableError(
                f"{url} stopped taking telemetry after {sessions} sessions: see the service's own log"
            )
        sessions += 1
        span_count += len(session.spans)
        log_count += len(session.logs)
    return Sent(sessions, span_count, log_count)


def _knock(url: str, headers: dict[str, str]) -> None:
    """Post an empty request, which is valid OTLP and stores nothing."""
    try:
        answer = httpx.post(
            f"{url}/v1/traces",
            content=b"",
            headers={**headers, "content-type": "application/x-protobuf"},
            timeout=TIMEOUT,
        )
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        raise UsageError(f"{url} is no http(s) URL: give --url as http://HOST:PORT") from error
    except httpx.TransportError as error:
        raise UnreachableError(
            f"nothing answers at {url}: start it with `tightrope up`, or give --url or --endpoint"
        ) from error
    if answer.status_code in {401, 403}:
        raise UsageError(f"{url} asks for its token: set TIGHTROPE_TOKEN to the one it was started with")
    if answer.status_code >= 500:
        raise UnreachableError(f"{url} is not ready (HTTP {answer.status_code}): see the service's own log")
    if answer.is_error:
        raise UsageError(
            f"{url} takes no OTLP over HTTP (POST /v1/traces answers {answer.status_code}): check --url"
        )
