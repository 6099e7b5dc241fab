"""What is missing or of the wrong type in objects and lists below a call's arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_MAX_DEPTH = 8
_MAX_ITEMS = 100  # of a list; what is wrong is mostly wrong in the first
_CONTAINERS: Mapping[str, type] = {"object": dict, "array": list}


def faults(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """Faults below the first level in words, such as `missing address.zip`.

    Only what JSON Schema leaves no doubt about: absent required keys, and objects and lists in each other's
    place. References within the schema are followed; alternatives (`anyOf`, `oneOf`) are not judged.
    """
    for key, value in arguments.items():
        inner = _property(schema, key, schema)
        if inner is not None:
            yield from _faults(value, inner, schema, key, 1)


def _faults(
    value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], path: str, depth: int
) -> Iterator[str]:
    if depth > _MAX_DEPTH:
        return
    wanted = _CONTAINERS.get(str(schema.get("type")))
    if depth > 1 and wanted and isinstance(value, (dict, list)) and not isinstance(value, wanted):
        yield f"mistyped {path}"
    elif isinstance(value, dict):
        required = schema.get("required")
        for key in required if isinstance(required, list) else ():
            if key not in value:
                yield f"missing {path}.{key}"
        for key, item in value.items():
            inner = _property(schema, key, root)
            if inner is not None:
                yield from _faults(item, inner, root, f"{path}.{key}", depth + 1)
    elif isinstance(value, list):
        inner = _resolved(schema.get("items"), root)
        for number, item in enumerate(value[:_MAX_ITEMS] if inner is not None else ()):
            yield from _faults(item, inner or {}, root, f"{path}[{number}]", depth + 1)


def _property(schema: Mapping[str, Any], key: str, root: Mapping[str, Any]) -> Mapping[str, Any] | None:
    properties = schema.get("properties")
    return _resolved(properties.get(key), root) if isinstance(properties, Mapping) else None


def _resolved(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A schema, or the one that it refers to (`#/$defs/Name`); None where there is none."""
    for _ in range(_MAX_DEPTH):
        if not isinstance(schema, Mapping):
            return None
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        schema = root
        for part in reference.removeprefix("#/").split("/"):
            schema = schema.get(part) if isinstance(schema, Mapping) else None
    return None
