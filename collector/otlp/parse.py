"""Reads a request body: decodes it, refuses records that cannot be stored, says what was refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from collector.otlp.from_json import Reader
from collector.otlp.repair import Malformed, repair
from collector.otlp.signals import SIGNALS, TRACES, Signal

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
        _refuse_other_signal(signal, body)
        repaired = repair(body, signal.request.DESCRIPTOR)
        body, salvaged, rejected = repaired.body, repaired.salvaged, repaired.rejected
        try:
            request = signal.request.FromString(body)
        except DecodeError as error:
            raise Malformed(str(error)) from error
        reason = (
            "records whose bytes are no protobuf message were left out"
            if rejected
            else "invalid UTF-8 was replaced or nesting cut"
        )
    if not _fits(signal, request):
        _refuse_other_signal(signal, body)
    return _accept(signal, request, body, rejected, salvaged, reason)


def parse_json(signal: Signal, body: bytes) -> Accepted:
    """Read a JSON body. Raises Malformed where it is none of this signal's requests."""
    reader = Reader()
    request = reader.read(body, signal.request())
    reason = reader.reason or ("values of unknown type were kept as text" if reader.salvaged else "")
    return _accept(signal, request, None, reader.rejected, reader.salvaged, reason)


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


def _fits(signal: Signal, request: Any) -> bool:
    """Whether the first record has no field that this signal does not know.

    The three requests are alike on the wire down to their records, so that one posted to another's
    path parses, to records full of unknown fields.
    """
    for scope in signal.containers(request):
        for record in getattr(scope, signal.records):
            return len(UnknownFieldSet(record)) == 0
    return True


def _refuse_other_signal(signal: Signal, body: bytes) -> None:
    """Raise Malformed where a body is, to the byte, another signal's request."""
    for other in SIGNALS.values():
        if other is signal:
            continue
        try:
            request = other.request.FromString(body)
        except DecodeError:
            continue
        if other.count(request) and _fits(other, request):
            raise Malformed(f"the body holds {other.name}, not {signal.name}: send it to {other.path}")
