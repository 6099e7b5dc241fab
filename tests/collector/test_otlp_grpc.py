"""OTLP/gRPC as the specification has it, with the real exporters."""

from __future__ import annotations

import logging
from collections.abc import Callable

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import TraceServiceStub
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from tests.collector.test_otlp_http import stored, trace_request
from tests.service import RunningService


@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_the_sdk_exporters_store_all_three_signals(
    service: RunningService, compression: grpc.Compression
) -> None:
    name = f"grpc-{compression.name}"
    resource = Resource.create({"service.name": name})
    options = {"endpoint": service.grpc_address, "insecure": True, "compression": compression}

    tracers = TracerProvider(resource=resource)
    tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(**options)))
    loggers = LoggerProvider(resource=resource)
    loggers.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter(**options)))
    reader = PeriodicExportingMetricReader(OTLPMetricExporter(**options))
    meters = MeterProvider(metric_readers=[reader], resource=resource)

    logger = logging.Logger(name)
    logger.addHandler(LoggingHandler(logger_provider=loggers))
    with tracers.get_tracer("test").start_as_current_span("work"):
        logger.warning("tool_name_recovered: shell_exec")
        meters.get_meter("test").create_counter("rescues").add(3, {"name": "tool_name_recovered"})
    for provider in (tracers, loggers, meters):
        provider.shutdown()

    assert stored(service, name) == 1
    assert service.sql(
        f"SELECT body->>'$', l.trace_id = s.trace_id FROM log_records l JOIN spans s USING (service_name) "
        f"WHERE service_name = '{name}'"
    ) == [["tool_name_recovered: shell_exec", True]]
    assert service.sql(
        "SELECT name, type, temporality, is_monotonic, value, attributes->>'name' FROM metric_points "
        f"WHERE service_name = '{name}'"
    ) == [["rescues", "sum", "cumulative", True, 3.0, "tool_name_recovered"]]


def test_partial_success_and_salvage_are_the_same_as_over_http(service: RunningService) -> None:
    request = trace_request("grpc-partial", 3, name="NAME")
    request.resource_spans[0].scope_spans[0].spans[0].span_id = b"1"
    body = request.SerializeToString().replace(b"NAME", b"NA\xffE", 2)
    with grpc.insecure_channel(service.grpc_address) as channel:
        export = channel.unary_unary("/opentelemetry.proto.collector.trace.v1.TraceService/Export")
        response = ExportTraceServiceResponse.FromString(export(body, timeout=20))
    assert response.partial_success.rejected_spans == 1
    assert stored(service, "grpc-partial") == 2


@pytest.mark.parametrize("body", [b"hello world", trace_request("x").SerializeToString()[:-9]])
def test_malformed_requests_are_invalid_arguments(service: RunningService, body: bytes) -> None:
    with grpc.insecure_channel(service.grpc_address) as channel:
        export = channel.unary_unary("/opentelemetry.proto.collector.trace.v1.TraceService/Export")
        with pytest.raises(grpc.RpcError) as caught:
            export(body, timeout=20)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "OTLP traces" in caught.value.details()


def test_a_message_over_the_limit_exhausts_resources(start_service: Callable[..., RunningService]) -> None:
    service = start_service(max_body_bytes=100_000)
    with grpc.insecure_channel(service.grpc_address) as channel:
        with pytest.raises(grpc.RpcError) as caught:
            TraceServiceStub(channel).Export(trace_request("large", name="x" * 200_000), timeout=20)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        TraceServiceStub(channel).Export(trace_request("small"), timeout=20)
    assert stored(service, "small") == 1


def test_a_full_journal_is_unavailable_and_says_when_to_come_back(
    start_service: Callable[..., RunningService],
) -> None:
    service = start_service(journal_max_bytes=1000)
    with grpc.insecure_channel(service.grpc_address) as channel, pytest.raises(grpc.RpcError) as caught:
        TraceServiceStub(channel).Export(trace_request("full", name="x" * 2000), timeout=20)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    [details] = [value for key, value in caught.value.trailing_metadata() if key == "grpc-status-details-bin"]
    retry = error_details_pb2.RetryInfo()
    assert status_pb2.Status.FromString(details).details[0].Unpack(retry)
    assert retry.retry_delay.seconds > 0


def test_a_token_is_asked_for(start_service: Callable[..., RunningService]) -> None:
    service = start_service(token="s3cret")
    with grpc.insecure_channel(service.grpc_address) as channel:
        stub = TraceServiceStub(channel)
        for metadata in ((), (("authorization", "Bearer nope"),)):
            with pytest.raises(grpc.RpcError) as caught:
                stub.Export(trace_request("grpc-token"), metadata=metadata, timeout=20)
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        stub.Export(trace_request("grpc-token"), metadata=(("authorization", "Bearer s3cret"),), timeout=20)
    assert stored(service, "grpc-token") == 1
