"""OTLP/HTTP: `POST /v1/traces`, `/v1/logs`, `/v1/metrics`, answered as the OTLP specification says."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from fastapi import FastAPI
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from collector.errors import JournalFull
from collector.intake import RETRY_AFTER_SECONDS, Intake
from collector.otlp.parse import parse_json, parse_protobuf
from collector.otlp.repair import Malformed
from collector.otlp.signals import SIGNALS, Signal
from collector.receivers.encoding import EncodingError, TooLarge, UnknownEncoding, inflate

log = logging.getLogger("tightrope.http")

PROTOBUF = "application/x-protobuf"
JSON = "application/json"
BODY_TIMEOUT_SECONDS = 60.0
# Decoding a body up to this size takes about a millisecond; larger ones leave the event loop free.
INLINE_BYTES = {PROTOBUF: 2 * 2**20, JSON: 64 * 2**10}


class _Failure(Exception):
    """A request that is not taken: HTTP status, google.rpc code, and what to do about it."""

    def __init__(self, status: int, code: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers


def install(app: FastAPI, intake: Intake, max_body_bytes: int) -> None:
    """Add the three OTLP paths to an app, each also below any prefix (`/api/public/otel/v1/traces`)."""
    for signal in SIGNALS.values():
        endpoint = _endpoint(signal, intake, max_body_bytes)
        app.add_route(signal.path, endpoint, methods=["POST"], include_in_schema=False)
        app.add_route("/{prefix:path}" + signal.path, endpoint, methods=["POST"], include_in_schema=False)


def status_response(status: int, code: int, message: str, media_type: str = JSON) -> Response:
    """An error as the specification wants it: a google.rpc.Status in the request's content type."""
    body = status_pb2.Status(code=code, message=message[:4000])
    if code == code_pb2.INVALID_ARGUMENT:
        violation = error_details_pb2.BadRequest.FieldViolation(field="body", description=message[:1000])
        body.details.add().Pack(error_details_pb2.BadRequest(field_violations=[violation]))
    return _respond(body, media_type, status)


def is_otlp_path(path: str) -> bool:
    """Whether a path is one of the receivers'."""
    return path.endswith(tuple(signal.path for signal in SIGNALS.values()))


def _endpoint(
    signal: Signal, intake: Intake, max_body_bytes: int
) -> Callable[[Request], Awaitable[Response]]:
    async def export(request: Request) -> Response:
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        answer_type = media_type if media_type in INLINE_BYTES else JSON
        try:
            if media_type not in INLINE_BYTES:
                raise _Failure(
                    415,
                    code_pb2.INVALID_ARGUMENT,
                    f"content type {media_type or '(none)'} is not supported: send {PROTOBUF} or {JSON}",
                )
            body = await _body(request, max_body_bytes)
            parse = parse_protobuf if media_type == PROTOBUF else parse_json
            if len(body) > INLINE_BYTES[media_type]:
                accepted = await asyncio.to_thread(parse, signal, body)
            else:
                accepted = parse(signal, body)
            del body
            message = await intake.take(signal, accepted, request.headers.get("user-agent", ""))
            return _respond(message, media_type, 200)
        except Malformed as error:
            failure = _Failure(
                400, code_pb2.INVALID_ARGUMENT, f"not a valid OTLP {signal.name} request: {error}"
            )
        except (JournalFull, MemoryError) as error:
            failure = _Failure(
                503,
                code_pb2.UNAVAILABLE,
                str(error) or "out of memory: send it again",
                **{"Retry-After": str(RETRY_AFTER_SECONDS)},
            )
        except _Failure as error:
            failure = error
        except ClientDisconnect:
            failure = _Failure(400, code_pb2.CANCELLED, "the client went away before its body was complete")
        except Exception:
            log.exception("an OTLP request failed")
            failure = _Failure(500, code_pb2.INTERNAL, "internal error: the service's log has the details")
        intake.refused[f"HTTP {failure.status}"] += 1
        response = status_response(failure.status, failure.code, failure.message, answer_type)
        response.headers.update(failure.headers)
        return response

    return export


async def _body(request: Request, limit: int) -> bytes:
    encoding = request.headers.get("content-encoding", "")
    declared = request.headers.get("content-length", "")
    too_large = _Failure(
        413,
        code_pb2.INVALID_ARGUMENT,
        f"the body is larger than {limit} bytes: send smaller batches, or raise TIGHTROPE_MAX_BODY_BYTES",
        Connection="close",
    )
    if declared.isdigit() and int(declared) > limit:
        raise too_large
    try:
        async with asyncio.timeout(BODY_TIMEOUT_SECONDS):
            return await inflate(request.stream(), encoding, limit)
    except TooLarge:
        raise too_large from None
    except UnknownEncoding:
        raise _Failure(
            415,
            code_pb2.INVALID_ARGUMENT,
            f"content encoding {encoding!r} is not supported: send gzip, deflate, zstd or none",
        ) from None
    except EncodingError as error:
        raise _Failure(
            400, code_pb2.INVALID_ARGUMENT, f"the body is not valid {encoding or 'data'}: {error}"
        ) from error
    except TimeoutError:
        raise _Failure(
            408,
            code_pb2.DEADLINE_EXCEEDED,
            f"the body did not arrive within {BODY_TIMEOUT_SECONDS:g} s: send smaller batches",
            Connection="close",
        ) from None


def _respond(message: Message, media_type: str, status: int) -> Response:
    if media_type == PROTOBUF:
        return Response(message.SerializeToString(), status, media_type=PROTOBUF)
    return Response(MessageToJson(message, indent=None), status, media_type=JSON)
