"""OTLP/JSON to protobuf messages, leniently: what can be read is read, one bad record costs only itself.

Beyond the specification (hex ids, integers as numbers or strings, enums as numbers, unknown fields
ignored) it takes what senders really write: snake_case keys, enum names, null for "not set",
numbers as text. A value of a type that OTLP does not know is kept as JSON text.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

import orjson
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from collector.encoding import from_json
from collector.otlp.repair import RECORDS, TOO_DEEP, Malformed
from collector.otlp.signals import SIGNALS

_INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
_MAX_VALUE_DEPTH = 24
_VALUE_KEYS = {
    "stringValue": "string_value",
    "boolValue": "bool_value",
    "intValue": "int_value",
    "doubleValue": "double_value",
    "arrayValue": "array_value",
    "kvlistValue": "kvlist_value",
    "bytesValue": "bytes_value",
}
_VALUE_KEYS |= {name: name for name in _VALUE_KEYS.values()}


class Refused(Exception):
    """One record cannot be read; the text says which field and why."""


class Reader:
    """Reads one JSON body; counts refused records, and salvaged ones (a field of it was dropped)."""

    def __init__(self) -> None:
        self.rejected = 0
        self.salvaged = 0
        self.reason = ""
        self._noted = False

    def read(self, body: bytes, message: Any) -> Any:
        """Fill `message` (an Export…ServiceRequest) from `body` and return it.

        Raises Malformed where the body is no JSON object or a container has the wrong form.
        """
        try:
            data = orjson.loads(body)
        except orjson.JSONDecodeError:
            try:
                data = from_json(body.decode("utf-8", "replace"))
            except ValueError as error:
                raise Malformed(f"the body is not JSON: {error}") from error
        if not isinstance(data, dict):
            raise Malformed(f"the body must be a JSON object, not {type(data).__name__}")
        _refuse_other_signal(data, message)
        try:
            self._fill(message, data)
        except Refused as error:
            raise Malformed(str(error)) from error
        return message

    def _fill(self, message: Any, data: dict[str, Any]) -> None:
        fields = _fields_of(message.DESCRIPTOR)
        for key, value in data.items():
            field = fields.get(key)
            if field is None or value is None:
                continue
            if field.is_repeated:
                self._fill_list(getattr(message, field.name), field, value)
            elif field.message_type is not None:
                self._fill_one(getattr(message, field.name), field, value)
            else:
                setattr(message, field.name, _scalar(field, value))

    def _fill_list(self, target: Any, field: FieldDescriptor, values: Any) -> None:
        if not isinstance(values, list):
            raise Refused(f"{field.camelcase_name} must be a list, not {type(values).__name__}")
        if field.message_type is None:
            target.extend(_scalar(field, value) for value in values)
        elif field.message_type.full_name in RECORDS:
            for value in values:
                self._fill_record(target, field, value)
        else:
            for value in values:
                self._fill_one(target.add(), field, value)

    def _fill_record(self, target: Any, field: FieldDescriptor, value: Any) -> None:
        """Add one span, log record or metric; on a fault take it out again and count it."""
        self._noted = False
        record = target.add()
        try:
            self._fill_one(record, field, value)
        except (Refused, RecursionError) as error:
            del target[-1]
            self.rejected += 1
            self.reason = self.reason or f"{field.camelcase_name}: {error}"
        else:
            self.salvaged += self._noted

    def _fill_one(self, message: Any, field: FieldDescriptor, value: Any) -> None:
        if not isinstance(value, dict):
            if field.message_type.name == "AnyValue":
                self._noted = True
                _plain_value(message, value)
                return
            raise Refused(f"{field.camelcase_name} must be an object, not {type(value).__name__}")
        if field.message_type.name == "AnyValue":
            self._any_value(message, value, 0)
        else:
            message.SetInParent()
            self._fill(message, value)

    def _any_value(self, message: Any, data: dict[str, Any], depth: int) -> None:
        known = [
            (name, item) for key, item in data.items() if (name := _VALUE_KEYS.get(key)) and item is not None
        ]
        if not known:
            message.SetInParent()
            return
        name, item = known[0]
        if len(known) > 1:
            self._noted = True
        if name in {"array_value", "kvlist_value"}:
            items = item.get("values") if isinstance(item, dict) else None
            if depth >= _MAX_VALUE_DEPTH or not isinstance(items, list | None):
                self._noted = True
                message.string_value = _text(item)
                return
            target = getattr(message, name)
            target.SetInParent()
            for entry in items or ():
                self._entry(target.values.add(), entry, name, depth)
            return
        try:
            setattr(message, name, _VALUE_READERS[name](item))
        except (TypeError, ValueError, binascii.Error):
            self._noted = True
            message.string_value = _text(item)

    def _entry(self, target: Any, entry: Any, name: str, depth: int) -> None:
        if not isinstance(entry, dict):
            self._noted = True
            if name == "array_value":
                _plain_value(target, entry)
        elif name == "array_value":
            self._any_value(target, entry, depth + 1)
        else:
            target.key = _text(entry.get("key", ""))
            if isinstance(entry.get("value"), dict):
                self._any_value(target.value, entry["value"], depth + 1)


def _refuse_other_signal(data: dict[str, Any], message: Any) -> None:
    """Raise Malformed where the object is another signal's request."""
    own = _fields_of(message.DESCRIPTOR)
    for signal in SIGNALS.values():
        field = signal.request.DESCRIPTOR.fields_by_name[signal.groups]
        if field.camelcase_name in data and field.camelcase_name not in own:
            raise Malformed(f"the body holds {field.camelcase_name}: send it to {signal.path}")


def _plain_value(message: Any, value: Any) -> None:
    """A JSON value where an AnyValue object should be: kept as its text."""
    if value is not None:
        message.string_value = _text(value)


def _text(value: Any) -> str:
    try:
        text = value if isinstance(value, str) else orjson.dumps(value).decode()
    except TypeError:  # deeper than the writer goes
        text = TOO_DEEP
    return text.encode("utf-8", "replace").decode()


def _to_bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in {"true", "false"}:
        return bool(value == "true")
    raise ValueError(value)


def _to_int64(value: Any) -> int:
    number = int(value) if isinstance(value, str | int) and not isinstance(value, bool) else None
    if number is None or not -(2**63) <= number < 2**63:
        raise ValueError(value)
    return number


def _to_double(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError(value)
    return float(value)


def _to_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value.encode("utf-8", "replace").decode()


def _to_bytes(value: Any) -> bytes:
    return base64.b64decode(value, validate=False)


_VALUE_READERS = {
    "string_value": _to_text,
    "bool_value": _to_bool,
    "int_value": _to_int64,
    "double_value": _to_double,
    "bytes_value": _to_bytes,
}


def _scalar(field: FieldDescriptor, value: Any) -> Any:
    """A JSON value as the field's type. Raises Refused where it has none."""
    try:
        if field.type == FieldDescriptor.TYPE_BYTES:
            return bytes.fromhex(value)  # ids are the only bytes outside of AnyValue, and they are hex
        if field.type == FieldDescriptor.TYPE_STRING:
            return _to_text(value)
        if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
            return _to_bool(value)
        if field.cpp_type in {FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT}:
            return _to_double(value)
        if field.cpp_type == FieldDescriptor.CPPTYPE_ENUM:
            return _enum(field, value)
        number = int(value)
        low, high = _INTEGERS[field.cpp_type]
        if isinstance(value, bool) or not low <= number <= high:
            raise ValueError(value)
        return number
    except (TypeError, ValueError, OverflowError) as error:
        raise Refused(f"{field.camelcase_name} cannot be {str(value)[:60]!r}") from error


def _enum(field: FieldDescriptor, value: Any) -> int:
    if isinstance(value, str) and value in field.enum_type.values_by_name:
        return int(field.enum_type.values_by_name[value].number)
    number = int(value)
    if isinstance(value, bool) or not -(2**31) <= number < 2**31:
        raise ValueError(value)
    return number


_FIELDS: dict[str, dict[str, FieldDescriptor]] = {}


def _fields_of(descriptor: Descriptor) -> dict[str, FieldDescriptor]:
    """The fields by their JSON name and by their snake_case name."""
    fields = _FIELDS.get(descriptor.full_name)
    if fields is None:
        fields = {name: f for f in descriptor.fields for name in (f.camelcase_name, f.json_name, f.name)}
        _FIELDS[descriptor.full_name] = fields
    return fields
