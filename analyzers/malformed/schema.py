"""Arguments that are an object and yet break the schema of the tool that they are meant for.

Schemas are stricter than tools: many frameworks turn "5" into 5 and fill in what is missing. So a breach
counts where the tool refused the call because of it, or where nothing tells what became of a call that
lacks a required key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tightrope_sdk.shapes import Shape, Toolbox

from analyzers import call_classes
from analyzers.model import Session, Severity, ToolCall

_LOOKED_AT = 1_000
_MAX_REFUSAL = 500  # characters of a refusal that no error flag accompanies
_NAMED = 64  # keys that are named

# What validators say: of the arguments themselves, and not of what they point to.
_VALIDATION = re.compile(
    r"validation|schema|\bargument|\bparameter|\brequired\b|\bmissing\b|TypeError|ZodError"
    r"|\b(?:must|should) (?:be|have)\b|\bexpected\b|\bnot (?:of type|one of|a valid|permitted|allowed)\b"
    r"|\binvalid (?:input|type|value|option|enum|format)|\bpermitted values\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Breach:
    """What the arguments of a call break: `missing` required keys, `mistyped` ones, values not in an enum."""

    missing: tuple[str, ...]
    mistyped: tuple[str, ...]
    not_listed: tuple[str, ...]
    severity: Severity

    @property
    def subkind(self) -> str:
        """The gravest of its faults."""
        return "missing_required" if self.missing else "wrong_type" if self.mistyped else "not_in_enum"

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key that is wrong."""
        return self.missing + self.mistyped + self.not_listed

    def __str__(self) -> str:
        parts = (
            ("lacks the required", self.missing),
            ("has the wrong type in", self.mistyped),
            ("has a value that the schema does not list in", self.not_listed),
        )
        return "; ".join(f"{what} {', '.join(keys[:8])}" for what, keys in parts if keys)


class SchemaCheck:
    """The schemas of one session's tools, and what its calls say of how strictly they are taken."""

    def __init__(self, session: Session) -> None:
        self._schemas = {tool.name: tool.input_schema for tool in session.tools}
        self._toolbox = Toolbox(self._schemas)
        self._shapes: dict[str, Shape | None] = {}
        self._results_are_told = any(call.result is not None or call.error for call in session.calls())

    def breach(self, call: ToolCall, *, is_last: bool) -> Breach | None:
        """How `call` breaks its schema, None where it does not or the tool took it all the same.

        A call that means another tool is a misnaming, and no breach. `is_last`: the call may be under way.
        """
        name, arguments = call.named, call.arguments
        if name not in self._schemas or call.tool != name or not isinstance(arguments, dict):
            return None
        shape = self._shape(name)
        if shape is None or self._toolbox.judge(name, arguments).verdict != "invalid_args":
            return None
        missing, wrong = sorted(shape.missing(arguments)), shape.mistyped(arguments)
        listed = [key for key in wrong if _has_its_type(shape, key, arguments[key])]
        mistyped = [key for key in wrong if key not in listed]
        severity = self._severity(call, [*missing, *wrong], is_last)
        if severity == "info":  # nobody refused it: only what is surely absent counts
            missing, mistyped, listed = [key for key in missing if key not in arguments], [], []
        if severity is None or not (missing or mistyped or listed):
            return None
        return Breach(tuple(missing), tuple(mistyped), tuple(listed), severity)

    def _shape(self, name: str) -> Shape | None:
        if name not in self._shapes:
            self._shapes[name] = Shape.of(self._schemas[name])
        return self._shapes[name]

    def _severity(self, call: ToolCall, keys: list[str], is_last: bool) -> Severity | None:
        if call_classes.failed(call):
            return "warning" if _refuses(call_classes.failure(call)[:_LOOKED_AT], keys) else None
        if call.result is not None:
            short = len(call.result) <= _MAX_REFUSAL
            return "warning" if short and _refuses_by_key(call.result, keys) else None
        return "info" if self._results_are_told and not is_last and call.changed is None else None


def _has_its_type(shape: Shape, key: str, value: Any) -> bool:
    """Whether a wrong value is of the right type: then it is one that the schema does not list."""
    free = Shape(shape.required, shape.properties, {}, shape.is_open)
    return not free.mistyped({key: value})


def _refuses(text: str, keys: list[str]) -> bool:
    """Whether an error is about the arguments."""
    return bool(_VALIDATION.search(text)) or _names(text, keys)


def _refuses_by_key(text: str, keys: list[str]) -> bool:
    """Whether a result, not marked as an error, is about one of the arguments that are wrong."""
    return bool(_VALIDATION.search(text)) and _names(text, keys)


def _names(text: str, keys: list[str]) -> bool:
    return any(
        re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", text)
        for key in keys[:_NAMED]
        if len(key) <= _NAMED
    )
