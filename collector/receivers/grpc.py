"""OTLP/gRPC: the Export methods of the trace, logs and metrics services."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc import code_pb2, error_details_pb2, status_pb2

from collector.errors import JournalFull, StoreError
from collector.intake import RETRY_AFTER_SECONDS, Intake
from collector.otlp.parse import parse_protobuf
from collector.otlp.repair import Malformed
from collector.otlp.signals import LOGS, METRICS, TRACES, Signal

log = logging.getLogger("tightrope.grpc")

SERVICES = {
    "opentelemetry.proto.collector.trace.v1.TraceService": TRACES,
    "opentelemetry.proto.collector.logs.v1.LogsService": LOGS,
    "opentelemetry.proto.collector.metrics.v1.MetricsService": METRICS,
}
_CODES = {code.value[0]: code for code in grpc.StatusCode}


async def serve(intake: Intake, address: str, *, max_body_bytes: int, token: str) -> grpc.aio.Server:
    """Start the server on `address` ("host:port"). Raises StoreError where the port is taken."""
    server = grpc.aio.server(
        options=[("grpc.max_receive_message_length", max_body_bytes), ("grpc.so_reuseport", 0)]
    )
    # The messages stay bytes here, so that the salvage of bad records is the same as over HTTP.
    server.add_generic_rpc_handlers(
        [
            grpc.method_handlers_generic_handler(
                service, {"Export": grpc.unary_unary_rpc_method_handler(_export(signal, intake, token))}
            )
            for service, signal in SERVICES.items()
        ]
    )
    try:
        server.add_insecure_port(address)
    except RuntimeError as error:
        raise StoreError(
            f"port {address} cannot be opened: stop what uses it, or choose another with --grpc-port"
        ) from error
    await server.start()
    return server


def _export(
    signal: Signal, intake: Intake, token: str
) -> Callable[[bytes, grpc.aio.ServicerContext[Any, Any]], Awaitable[bytes]]:
    expected = f"Bearer {token}".encode()

    async def export(body: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
        metadata = {key.lower(): value for key, value in context.invocation_metadata() or ()}
        if token and not hmac.compare_digest(str(metadata.get("authorization", "")).encode(), expected):
            await _fail(
                context, intake, code_pb2.UNAUTHENTICATED, "send the token: authorization=Bearer <token>"
            )
        try:
            accepted = parse_protobuf(signal, body)
            response = await intake.take(signal, accepted, str(metadata.get("user-agent", "")))
        except Malformed as error:
            await _fail(
                context, intake, code_pb2.INVALID_ARGUMENT, f"not a valid OTLP {signal.name} request: {error}"
            )
        except (JournalFull, MemoryError) as error:
            await _fail(context, intake, code_pb2.UNAVAILABLE, str(error) or "out of memory", retry=True)
        return bytes(response.SerializeToString())

    return export


async def _fail(
    context: grpc.aio.ServicerContext[Any, Any],
    intake: Intake,
    code: int,
    message: str,
    *,
    retry: bool = False,
) -> None:
    """End the call with a status; `retry` tells the client when to come back."""
    status_code = _CODES[code]
    intake.refused[f"gRPC {status_code.name}"] += 1
    if retry:
        status = status_pb2.Status(code=code, message=message)
        delay = Duration(seconds=RETRY_AFTER_SECONDS)
        status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=delay))
        context.set_trailing_metadata([("grpc-status-details-bin", status.SerializeToString())])
    await context.abort(status_code, message[:1000])
