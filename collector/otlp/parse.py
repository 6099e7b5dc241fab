"""Reads a request body: decodes it, refuses records that cannot be stored, says what was refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError

from collector.otlp.from_json import Reader
from collector.otlp.repair import Malformed, repair
from collector.otlp.signals import TRACES, Signal

NO_TRACE = bytes(16)
NO_SPAN = bytes(8)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A decoded request without its refused records.

    `body` is its protobuf serialisation, `accepted` and `rejected` count records (data points for
    metrics), `salvaged` those among the accepted that lost or changed something, `reason` says in
    words what was refused or changed ("" when nothing).
    """

    request: Any
    body: bytes
    accepted: int
    rejected: int
    salvaged: int
    reason: str


def parse_protobuf(signal: Signal, body: bytes) -> Accepted:
    """Read a protobuf body. Raises Malformed where it is none of this signal's requests."""
    salvaged = rejected = 0
    reason = ""
    try:
        request = signal.request.FromString(body)
    except DecodeError:
        repaired = repair(body, signal.request.DESCRIPTOR)
        body, salvaged, rejected = repaired.body, repaired.salvaged, repaired.rejected
        try:
            request = signal.request.FromString(body)
        except DecodeError as error:
            raise Malformed(str(error)) from error
        if rejected:
            reason = "records whose bytes are no protobuf message were left out"
        else:
            reason = "invalid UTF-8 was replaced or nesting cut"
    return _accept(signal, request, body, rejected, salvaged, reason)


def parse_json(signal: Signal, body: bytes) -> Accepted:
    """Read a JSON body. Raises Malformed where it is none of this signal's requests."""
    reader = Reader()
    request = reader.read(body, signal.request())
    reason = reader.reason or ("values of unknown type were kept as text" if reader.salvaged else "")
    return _accept(signal, request, None, reader.rejected, reader.salvaged, reason)


def from_message(signal: Signal, request: Any) -> Accepted:
    """Check a request that gRPC has decoded already."""
    return _accept(signal, request, None, 0, 0, "")


def _accept(
    signal: Signal, request: Any, body: bytes | None, rejected: int, salvaged: int, reason: str
) -> Accepted:
    if signal is TRACES:
        refused, why = _refuse_unidentified(request)
        if refused:
            rejected += refused
            reason = reason or why
            body = None
    return Accepted(
        request,
        request.SerializeToString() if body is None else body,
        signal.count(request),
        rejected,
        salvaged,
        reason,
    )


def _refuse_unidentified(request: Any) -> tuple[int, str]:
    """Take out spans whose ids are not 16 and 8 bytes, or all zero (the specification's rule)."""
    refused = 0
    why = ""
    for group in request.resource_spans:
        for scope in group.scope_spans:
            bad = [
                i
                for i, s in enumerate(scope.spans)
                if len(s.trace_id) != 16
                or len(s.span_id) != 8
                or s.trace_id == NO_TRACE
                or s.span_id == NO_SPAN
            ]
            if bad:
                span = scope.spans[bad[0]]
                why = why or (
                    f"span {span.name[:80]!r}: trace_id must be 16 bytes and span_id 8, neither all zero; "
                    f"got {len(span.trace_id)} and {len(span.span_id)} bytes"
                )
                refused += len(bad)
                for i in reversed(bad):
                    del scope.spans[i]
    return refused, why
