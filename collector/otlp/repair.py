"""Salvages a protobuf body that the parser refuses: bad UTF-8, too deep nesting, one broken record.

Walks the wire format along the message descriptors. Strings get their bad bytes replaced, values
nested deeper than the parser's limit become a note, and a span, log record or metric whose own
bytes do not hold together is left out and counted. Whatever is wrong outside of a record makes the
whole body malformed.
"""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.descriptor import Descriptor, FieldDescriptor

# The parser stops at 100 nested messages; an AnyValue in a span starts at about the sixth, and each
# level of a list or map takes two or three.
MAX_DEPTH = 80
RECORDS = {
    "opentelemetry.proto.trace.v1.Span",
    "opentelemetry.proto.logs.v1.LogRecord",
    "opentelemetry.proto.metrics.v1.Metric",
}
TOO_DEEP = "[nested too deeply]"


class Malformed(Exception):
    """The bytes are no protobuf message of the expected type."""


@dataclass(slots=True)
class Repaired:
    """A body that the parser takes, and how many records were changed or left out."""

    body: bytes
    salvaged: int = 0
    rejected: int = 0


def repair(body: bytes, descriptor: Descriptor) -> Repaired:
    """Rewrite `body`, a serialised message of `descriptor`, so that the parser takes it.

    Raises Malformed where the body's frame itself is broken (cut off, no protobuf).
    """
    result = Repaired(b"")
    result.body = _message(memoryview(body), descriptor, result, 0)[0]
    return result


def _message(data: memoryview, descriptor: Descriptor, result: Repaired, depth: int) -> tuple[bytes, bool]:
    """The rewritten message, and whether anything in it changed."""
    fields = descriptor.fields_by_number
    out = bytearray()
    changed = False
    at = 0
    while at < len(data):
        start = at
        tag, at = _varint(data, at)
        field = fields.get(tag >> 3)
        kind = tag & 7
        if kind == 2:
            size, at = _varint(data, at)
            value = data[at : at + size]
            at += size
            if at > len(data):
                raise Malformed("cut off inside a field")
            fixed = _field(value, field, result, depth) if field is not None else None
            if fixed is None:
                out += data[start:at]
                continue
            changed = True
            if fixed is not _LEFT_OUT:
                out += _to_varint(tag) + _to_varint(len(fixed)) + fixed
            continue
        if kind == 0:
            _, at = _varint(data, at)
        elif kind in {1, 5}:
            at += 8 if kind == 1 else 4
            if at > len(data):
                raise Malformed("cut off inside a number")
        else:
            raise Malformed(f"unknown wire type {kind}")
        if tag >> 3 == 0:
            raise Malformed("field number 0")
        out += data[start:at]
    return bytes(out), changed


_LEFT_OUT = b"left out"


def _field(value: memoryview, field: FieldDescriptor, result: Repaired, depth: int) -> bytes | None:
    """The new bytes of a length-delimited field; None: as it was; `_LEFT_OUT`: a refused record."""
    if field.type == FieldDescriptor.TYPE_STRING:
        try:
            str(value, "utf-8")
        except UnicodeDecodeError:
            return str(value, "utf-8", "replace").encode()
        return None
    if field.message_type is None:
        return None
    if depth >= MAX_DEPTH:
        # Only an AnyValue nests this deep: its field 1 is the string value.
        return (
            b"\x0a" + _to_varint(len(TOO_DEEP)) + TOO_DEEP.encode()
            if field.message_type.name == "AnyValue"
            else b""
        )
    if field.message_type.full_name not in RECORDS:
        fixed, changed = _message(value, field.message_type, result, depth + 1)
        return fixed if changed else None
    try:
        fixed, changed = _message(value, field.message_type, result, depth + 1)
    except Malformed:
        result.rejected += 1
        return _LEFT_OUT
    result.salvaged += changed
    return fixed if changed else None


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Malformed("cut off inside a number")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _to_varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
