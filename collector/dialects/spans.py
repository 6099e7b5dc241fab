"""What every dialect reads from a span in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector import conventions as c
from collector.derive.canonical import ToolExecution
from collector.dialects.decode import boolean, decode, identifier, ordinal, text_of
from collector.records import SpanRecord

STATUS_ERROR = 2
_OWN_NAMES = (
    c.DIFF_CHANGED,
    c.DIFF_HASH_BEFORE,
    c.DIFF_HASH_AFTER,
    c.DIFF_FIELDS_MODIFIED,
    c.ROUND_INDEX[0],
)


def error_of(span: SpanRecord) -> str | None:
    """Why the span failed, in the words of its exception, its status or its error type; None if it did not.

    The status often repeats the exception with its stack trace. "error" where nothing says why.
    """
    error_type = span.attributes.get(c.ERROR_TYPE)
    if span.status_code != STATUS_ERROR and not error_type:
        return None
    for event in span.events:
        if event.name == c.EXCEPTION_EVENT:
            message = event.attributes.get(c.EXCEPTION_MESSAGE) or event.attributes.get(c.EXCEPTION_TYPE)
            if message and isinstance(message, str):
                return message
    return span.status_message or text_of(error_type) or "error"


def read_own_names(execution: ToolExecution, attributes: Mapping[str, Any]) -> None:
    """Fill `execution` from Tightrope's own attributes, which may stand on any dialect's tool span."""
    if attributes.keys().isdisjoint(_OWN_NAMES):
        return
    execution.changed = boolean(attributes.get(c.DIFF_CHANGED))
    execution.hash_before = identifier(attributes.get(c.DIFF_HASH_BEFORE)) or None
    execution.hash_after = identifier(attributes.get(c.DIFF_HASH_AFTER)) or None
    fields = decode(attributes.get(c.DIFF_FIELDS_MODIFIED))
    if isinstance(fields, list):
        execution.fields_modified = tuple(text_of(field) for field in fields)
    if execution.round_hint is None:
        execution.round_hint = ordinal(attributes.get(c.ROUND_INDEX[0]))


def step_number(name: str) -> int | None:
    """The number in a span named `Step 3` or `step 3`; None for any other name."""
    return ordinal(name[5:]) if name[:5] in {"Step ", "step "} else None
