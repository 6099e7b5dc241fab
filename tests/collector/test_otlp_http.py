"""OTLP/HTTP as the specification has it, over a real socket."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import socket
import time
import zlib
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from google.protobuf.json_format import MessageToJson
from google.rpc.status_pb2 import Status
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
    ExportLogsServiceResponse,
)
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from collector.receivers.encoding import zstd
from tests.service import RunningService

PROTOBUF = "application/x-protobuf"
JSON = "application/json"


def trace_request(service_name: str, spans: int = 1, **fields: Any) -> ExportTraceServiceRequest:
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    attribute = group.resource.attributes.add(key="service.name")
    attribute.value.string_value = service_name
    scope = group.scope_spans.add()
    for number in range(spans):
        now = time.time_ns()
        values = {
            "trace_id": os.urandom(16),
            "span_id": os.urandom(8),
            "name": f"work {number}",
            "start_time_unix_nano": now,
            "end_time_unix_nano": now + 1000,
        }
        scope.spans.append(Span(**(values | fields)))
    return request


def logs_request(service_name: str) -> ExportLogsServiceRequest:
    request = ExportLogsServiceRequest()
    group = request.resource_logs.add()
    group.resource.attributes.add(key="service.name").value.string_value = service_name
    record = group.scope_logs.add().log_records.add(time_unix_nano=time.time_ns(), severity_number=9)
    record.body.string_value = "hello"
    return request


def metrics_request(service_name: str) -> ExportMetricsServiceRequest:
    request = ExportMetricsServiceRequest()
    group = request.resource_metrics.add()
    group.resource.attributes.add(key="service.name").value.string_value = service_name
    metric = group.scope_metrics.add().metrics.add(name="tokens")
    metric.sum.aggregation_temporality = 2
    metric.sum.is_monotonic = True
    metric.sum.data_points.add(time_unix_nano=time.time_ns(), as_int=7)
    return request


def stored(service: RunningService, service_name: str, table: str = "spans") -> int:
    service.wait_loaded()
    [[count]] = service.sql(f"SELECT count(*) FROM {table} WHERE service_name = '{service_name}'")
    return int(count)


@pytest.mark.parametrize(
    ("signal", "request_of", "response", "table"),
    [
        ("traces", trace_request, ExportTraceServiceResponse, "spans"),
        ("logs", logs_request, ExportLogsServiceResponse, "log_records"),
        ("metrics", metrics_request, ExportMetricsServiceResponse, "metric_points"),
    ],
)
def test_success_is_an_empty_response_in_the_content_type_of_the_request(
    service: RunningService, signal: str, request_of: Callable[[str], Any], response: Any, table: str
) -> None:
    name = f"success-{signal}"
    answer = service.post(signal, request_of(name).SerializeToString())
    assert (answer.status_code, answer.headers["content-type"]) == (200, PROTOBUF)
    assert response.FromString(answer.content) == response()
    assert stored(service, name, table) == 1


@pytest.mark.parametrize("signal", ["traces", "logs", "metrics"])
def test_empty_requests_succeed(service: RunningService, signal: str) -> None:
    assert service.post(signal, b"").status_code == 200
    answer = service.post(signal, b"{}", "Application/JSON; charset=utf-8")
    assert (answer.status_code, answer.json()) == (200, {})


@pytest.mark.parametrize(
    ("encoding", "compress"),
    [
        ("gzip", gzip.compress),
        ("GZIP", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data)[2:-4]),
        ("zstd", zstd.compress),
        ("identity", bytes),
        ("gzip", lambda data: gzip.compress(data[:10]) + gzip.compress(data[10:])),
    ],
    ids=["gzip", "upper case", "deflate", "bare deflate", "zstd", "identity", "two members"],
)
def test_content_encodings(
    service: RunningService, encoding: str, compress: Callable[[bytes], bytes], request: Any
) -> None:
    name = f"encoding-{request.node.callspec.id}"
    body = compress(trace_request(name, 3).SerializeToString())
    assert service.post("traces", body, **{"Content-Encoding": encoding}).status_code == 200
    assert stored(service, name) == 3


@pytest.mark.parametrize("compression", list(Compression))
def test_the_sdk_exporter_stores_every_span(service: RunningService, compression: Compression) -> None:
    name = f"sdk-{compression.value}"
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    exporter = OTLPSpanExporter(f"{service.url}/v1/traces", compression=compression)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    tracer = provider.get_tracer("test")
    for number in range(700):
        with tracer.start_as_current_span(f"span {number}"):
            pass
    provider.shutdown()
    assert stored(service, name) == 700


def test_chunked_bodies_and_path_prefixes(service: RunningService) -> None:
    body = trace_request("chunked").SerializeToString()
    answer = service.http.post(
        "/api/public/otel/v1/traces",
        content=iter([body[:7], body[7:]]),
        headers={"Content-Type": PROTOBUF},
    )
    assert answer.status_code == 200
    assert answer.request.headers["transfer-encoding"] == "chunked"
    assert stored(service, "chunked") == 1


def test_json_is_stored_like_protobuf(service: RunningService) -> None:
    trace_id, span_id = os.urandom(16).hex(), os.urandom(8).hex()
    span = {
        "traceId": trace_id.upper(),
        "spanId": span_id,
        "name": "json",
        "kind": "SPAN_KIND_CLIENT",
        "startTimeUnixNano": "1796000000000000001",
        "endTimeUnixNano": 1796000000000000002,
        "unknownField": {"ignored": True},
        "status": {"code": 2, "message": "no"},
        "attributes": [
            {"key": "int", "value": {"intValue": "9223372036854775807"}},
            {"key": "nan", "value": {"doubleValue": "NaN"}},
            {"key": "empty", "value": {}},
            {"key": "null", "value": None},
            {"key": "list", "value": {"arrayValue": {"values": [{"stringValue": "a"}, {"boolValue": True}]}}},
            {"key": "odd", "value": {"boolValue": "maybe"}},
        ],
    }
    body = {
        "resourceSpans": [
            {
                "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "json"}}]},
                "scopeSpans": [{"spans": [span]}],
            }
        ]
    }
    answer = service.post("traces", json.dumps(body).encode(), JSON)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == JSON
    assert answer.json()["partialSuccess"]["errorMessage"] == "values of unknown type were kept as text"
    service.wait_loaded()
    [[kind, status, start, attributes]] = service.sql(
        "SELECT kind, status_code, epoch_ns(start_time), attributes FROM spans "
        f"WHERE trace_id = '{trace_id}' AND span_id = '{span_id}'"
    )
    assert (kind, status) == ("CLIENT", "ERROR")
    assert start == 1796000000000000000  # microseconds are what the column holds
    assert json.loads(attributes) == {
        "int": 9223372036854775807,
        "nan": "NaN",
        "empty": None,
        "null": None,
        "list": ["a", True],
        "odd": "maybe",
    }


def test_resent_spans_are_stored_once_and_counted(service: RunningService) -> None:
    request = trace_request("resent", 5)
    body = request.SerializeToString()
    request.resource_spans.append(request.resource_spans[0])
    for data in (body, body, request.SerializeToString(), gzip.compress(body)):
        encoding = {"Content-Encoding": "gzip"} if data[:2] == b"\x1f\x8b" else {}
        assert service.post("traces", data, **encoding).status_code == 200
    assert stored(service, "resent") == 5
    [client] = [row for row in service.status()["intake"] if row["service_name"] == "resent"]
    assert (client["received"], client["stored"], client["duplicates"], client["rejected"]) == (25, 5, 20, 0)


def test_spans_with_wrong_ids_are_refused_and_the_others_kept(service: RunningService) -> None:
    request = trace_request("ids", 4)
    spans = request.resource_spans[0].scope_spans[0].spans
    spans[0].trace_id = b"short"
    spans[1].span_id = bytes(8)
    answer = service.post("traces", request.SerializeToString())
    assert answer.status_code == 200
    partial = ExportTraceServiceResponse.FromString(answer.content).partial_success
    assert partial.rejected_spans == 2
    assert "trace_id must be 16 bytes" in partial.error_message
    assert stored(service, "ids") == 2
    [client] = [row for row in service.status()["intake"] if row["service_name"] == "ids"]
    assert (client["received"], client["stored"], client["rejected"]) == (4, 2, 2)


def test_json_spans_that_cannot_be_read_are_refused_and_the_others_kept(service: RunningService) -> None:
    def span(**fields: Any) -> dict[str, Any]:
        return {"traceId": os.urandom(16).hex(), "spanId": os.urandom(8).hex(), "name": "x"} | fields

    spans = [span(), span(traceId="xyz"), span(startTimeUnixNano="soon"), "no object", span(name=None)]
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "json-salvage"}}]}
    body = {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]}
    answer = service.post("traces", json.dumps(body).encode(), JSON)
    assert answer.status_code == 200
    assert answer.json()["partialSuccess"]["rejectedSpans"] == "3"
    assert stored(service, "json-salvage") == 2


def test_invalid_utf8_is_replaced(service: RunningService) -> None:
    body = trace_request("utf8", name="NAME").SerializeToString()
    answer = service.post("traces", body.replace(b"NAME", b"N\xff\xfeE"))
    partial = ExportTraceServiceResponse.FromString(answer.content).partial_success
    assert (answer.status_code, partial.rejected_spans) == (200, 0)
    assert "UTF-8" in partial.error_message
    service.wait_loaded()
    assert service.sql("SELECT name FROM spans WHERE service_name = 'utf8'") == [["N\ufffd\ufffdE"]]


def test_half_an_emoji_in_json_is_replaced(service: RunningService) -> None:
    span = {"traceId": os.urandom(16).hex(), "spanId": os.urandom(8).hex(), "name": "half \ud83d"}
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "half"}}]}
    body = json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [span]}]}]})
    assert service.post("traces", body.encode(), JSON).status_code == 200
    service.wait_loaded()
    assert service.sql("SELECT name FROM spans WHERE service_name = 'half'") == [["half \ufffd"]]


def test_a_span_whose_bytes_are_broken_costs_only_itself(service: RunningService) -> None:
    request = trace_request("broken-span", 3)
    broken = request.resource_spans[0].scope_spans[0].spans[1]
    broken.ClearField("links")
    marker = b"\x62\x04ABCD"  # field 12 is no string: a length that ends inside, a group that never ends
    broken.name = "MARK"
    body = request.SerializeToString().replace(b"\x2a\x04MARK", b"\x2b" + marker[:5])
    answer = service.post("traces", body)
    partial = ExportTraceServiceResponse.FromString(answer.content).partial_success
    assert (answer.status_code, partial.rejected_spans) == (200, 1)
    assert stored(service, "broken-span") == 2


def test_nan_large_and_deeply_nested_values_are_kept(service: RunningService) -> None:
    request = trace_request("values")
    span = request.resource_spans[0].scope_spans[0].spans[0]
    span.attributes.add(key="nan").value.double_value = float("nan")
    span.attributes.add(key="big").value.string_value = "x" * 2**20
    span.attributes.add(key="bytes").value.bytes_value = b"\x00\xff"
    inner = span.attributes.add(key="deep").value
    for _ in range(10):
        inner = inner.array_value.values.add()
    inner.string_value = "bottom"
    assert service.post("traces", request.SerializeToString()).status_code == 200
    service.wait_loaded()
    [[nan, big, raw, deep]] = service.sql(
        "SELECT attributes->>'nan', length(attributes->>'big'), attributes->>'bytes', attributes->>'deep' "
        "FROM spans WHERE service_name = 'values'"
    )
    assert (nan, big, raw) == ("NaN", 2**20, "AP8=")
    assert deep == "[" * 10 + '"bottom"' + "]" * 10


@pytest.mark.parametrize("form", ["protobuf", "json"])
def test_nesting_beyond_what_the_parser_takes_is_cut_and_the_span_kept(
    service: RunningService, form: str
) -> None:
    levels = 200
    name = f"nesting-{form}"
    if form == "json":
        value: Any = {"stringValue": "bottom"}
        for _ in range(levels):
            value = {"arrayValue": {"values": [value]}}
        span = {
            "traceId": os.urandom(16).hex(),
            "spanId": os.urandom(8).hex(),
            "name": "deep",
            "attributes": [{"key": "deep", "value": value}],
        }
        resource = {"attributes": [{"key": "service.name", "value": {"stringValue": name}}]}
        data = {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [span]}]}]}
        answer = service.post("traces", json.dumps(data).encode(), JSON)
    else:
        value_bytes = b"\x0a\x06bottom"
        for _ in range(levels):
            array = _field(1, value_bytes)
            value_bytes = _field(5, array)
        attribute = _field(1, b"deep") + _field(2, value_bytes)
        request = trace_request(name)
        span_bytes = request.resource_spans[0].scope_spans[0].spans[0].SerializeToString()
        span_bytes += _field(9, attribute)
        resource_bytes = request.resource_spans[0].resource.SerializeToString()
        body = _field(1, _field(1, resource_bytes) + _field(2, _field(2, span_bytes)))
        answer = service.post("traces", body)
    assert answer.status_code == 200, answer.text
    assert stored(service, name) == 1


def _field(number: int, data: bytes) -> bytes:
    head = bytearray([number << 3 | 2])
    size = len(data)
    while size > 0x7F:
        head.append(size & 0x7F | 0x80)
        size >>= 7
    head.append(size)
    return bytes(head) + data


BAD_BODIES: dict[str, tuple[str, bytes, dict[str, str]]] = {
    "not protobuf": (PROTOBUF, b"hello world, this is no protobuf", {}),
    "truncated protobuf": (PROTOBUF, trace_request("truncated", 3).SerializeToString()[:-20], {}),
    "JSON as protobuf": (PROTOBUF, b'{"resourceSpans": []}', {}),
    "not JSON": (JSON, b"{resourceSpans", {}),
    "JSON list": (JSON, b"[]", {}),
    "JSON of wrong shape": (JSON, b'{"resourceSpans": {"a": 1}}', {}),
    "deeply nested JSON": (JSON, b'{"resourceSpans":' + b"[" * 100_000, {}),
    "empty JSON body": (JSON, b"", {}),
    "no gzip": (PROTOBUF, b"hello", {"Content-Encoding": "gzip"}),
    "gzip cut off": (PROTOBUF, gzip.compress(b"hello" * 100)[:-9], {"Content-Encoding": "gzip"}),
    "no zstd": (PROTOBUF, b"hello", {"Content-Encoding": "zstd"}),
    "no deflate": (PROTOBUF, b"\xff\xff\xff", {"Content-Encoding": "deflate"}),
}


@pytest.mark.parametrize("name", BAD_BODIES)
def test_bodies_that_cannot_be_read_get_400_with_a_status(service: RunningService, name: str) -> None:
    content_type, body, headers = BAD_BODIES[name]
    answer = service.post("traces", body, content_type, **headers)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == content_type
    if content_type == PROTOBUF:
        status = Status.FromString(answer.content)
        code, message = status.code, status.message
    else:
        code, message = answer.json()["code"], answer.json()["message"]
    assert code == 3
    assert len(message) > 20


@pytest.mark.parametrize(("sent", "path"), [*permutations(["traces", "logs", "metrics"], 2)])
@pytest.mark.parametrize("content_type", [PROTOBUF, JSON])
def test_a_signal_on_another_path_is_told_where_to_go(
    service: RunningService, sent: str, path: str, content_type: str
) -> None:
    request = {"traces": trace_request, "logs": logs_request, "metrics": metrics_request}[sent]("lost")
    body = request.SerializeToString() if content_type == PROTOBUF else MessageToJson(request).encode()
    answer = service.post(path, body, content_type)
    assert answer.status_code == 400
    assert f"/v1/{sent}".encode() in answer.content


@pytest.mark.parametrize(
    ("content_type", "headers", "status", "hint"),
    [
        ("text/plain", {}, 415, PROTOBUF),
        ("", {}, 415, PROTOBUF),
        (PROTOBUF, {"Content-Encoding": "br"}, 415, "gzip"),
    ],
)
def test_unsupported_types_and_encodings(
    service: RunningService, content_type: str, headers: dict[str, str], status: int, hint: str
) -> None:
    answer = service.post("traces", b"abc", content_type, **headers)
    assert answer.status_code == status
    assert hint.encode() in answer.content


def test_method_and_path(service: RunningService) -> None:
    answer = service.http.get("/v1/traces")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert answer.json()["message"]
    answer = service.http.post("/v1/profiles", content=b"")
    assert answer.status_code == 404
    assert "/v1/traces" in answer.json()["message"]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "zstd"])
def test_decompression_bombs_are_stopped(start_service: Callable[..., RunningService], encoding: str) -> None:
    service = start_service(max_body_bytes=2**20)
    compress = {"gzip": gzip.compress, "deflate": zlib.compress, "zstd": zstd.compress}[encoding]
    before = service.status()["rss_bytes"]
    answer = service.post("traces", compress(bytes(2**28)), **{"Content-Encoding": encoding})
    assert answer.status_code == 413
    assert "TIGHTROPE_MAX_BODY_BYTES" in Status.FromString(answer.content).message
    assert service.status()["rss_bytes"] - before < 64 * 2**20


def test_a_body_over_the_limit_gets_413(service: RunningService) -> None:
    answer = service.post("traces", bytes(100 * 2**20))
    assert answer.status_code == 413
    chunks = (bytes(2**20) for _ in range(100))
    connection = http.client.HTTPConnection("127.0.0.1", service.http_port, timeout=30)
    try:
        connection.request("POST", "/v1/traces", chunks, {"Content-Type": PROTOBUF}, encode_chunked=True)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the service need not read on once it has answered
    else:
        assert connection.getresponse().status == 413
    finally:
        connection.close()
    assert service.http.get("/readyz").status_code == 200


def test_a_client_that_goes_away_mid_body_harms_nobody(service: RunningService) -> None:
    with socket.create_connection(("127.0.0.1", service.http_port)) as connection:
        connection.sendall(
            b"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\n"
            b"Content-Length: 1000\r\n\r\nabc"
        )
    assert service.post("traces", trace_request("after-abort").SerializeToString()).status_code == 200
    assert stored(service, "after-abort") == 1


def test_a_token_is_asked_for_before_the_body_is_read(start_service: Callable[..., RunningService]) -> None:
    service = start_service(token="s3cret")
    body = trace_request("token").SerializeToString()
    for authorization in ("", "Bearer wrong", "s3cret", "Bearer s3cre"):
        answer = service.post("traces", body, Authorization=authorization)
        assert (answer.status_code, answer.headers["content-type"]) == (401, PROTOBUF)
        assert Status.FromString(answer.content).code == 16
    assert service.http.get("/api/status", headers={"Authorization": "Bearer no"}).status_code == 401
    assert service.post("traces", body).status_code == 200
    assert service.http.get("/healthz", headers={"Authorization": ""}).status_code == 200
    assert stored(service, "token") == 1


def test_browsers_may_send_from_configured_origins(start_service: Callable[..., RunningService]) -> None:
    service = start_service(cors_origins="https://app.example")
    preflight = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    allowed = service.http.options("/v1/traces", headers={"Origin": "https://app.example", **preflight})
    assert allowed.status_code == 200
    assert allowed.headers["access-control-allow-origin"] == "https://app.example"
    refused = service.http.options("/v1/traces", headers={"Origin": "https://evil.example", **preflight})
    assert "access-control-allow-origin" not in refused.headers
