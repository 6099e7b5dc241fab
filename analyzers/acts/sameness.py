"""Whether two equal acts happened both, or the second was known for what it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tightrope_sdk.fingerprint import canonical_json
from tightrope_sdk.names import words

from analyzers import call_classes
from analyzers.model import ToolCall

_LOOKED_AT = 600  # characters of a result that say how it went
_MAX_RESULT = 100_000  # characters of a result that is read as JSON

# A service that knew the act for one it had done.
_KNOWN = (
    "already", "bereits", "duplicate", "déjà", "existing", "exists", "idempoten", "já ", "no change",
    "not charged", "not created", "not sent", "skipped", "unchanged", "ya existe", "ya fue", "すでに",
    "已经", "이미",
)  # fmt: skip
# One that leaves open whether it is done: then a second call is a retry.
_UNSURE = (
    "bounced", "could not", "couldn't", "error", "failed", "in progress", "incomplete", "not confirmed",
    "partial", "pending", "processing", "queued", "retry", "time out", "time-out", "timed out", "timeout",
    "try again", "undeliver", "unknown", "warning",
)  # fmt: skip
_ONE_KEY = {"dedup", "idempotency", "idempotent"}
_IDS = {"code", "confirmation", "id", "key", "number", "reference", "url", "uuid"}
_TOKEN = re.compile(r"[\w#-]+")
_DIGIT = re.compile(r"\d")
_MAX_NAME = 80  # characters: what is longer names nothing


def succeeded(call: ToolCall) -> bool:
    """Whether the act is known to have happened: a result that neither fails nor leaves it open."""
    if call.result is None or call.changed is False or call_classes.failed(call):
        return False
    said = call.result[:_LOOKED_AT].lower()
    return not any(sign in said for sign in _KNOWN + _UNSURE)


def is_keyed(call: ToolCall) -> bool:
    """Whether the call carries a key by which the service knows it again."""
    return any(not _ONE_KEY.isdisjoint(words(str(key))) for key in call.arguments or ())


def same_object(one: ToolCall, two: ToolCall) -> bool | None:
    """Whether both results name the same new object: True, False where two, None where they name none."""
    mine = set(_named_objects(one))
    other = mine if one.result == two.result else set(_named_objects(two))
    if not mine or not other:
        return None
    return not mine.isdisjoint(other)


def _named_objects(call: ToolCall) -> Iterator[str]:
    """What a result calls that which it made, and the arguments did not."""
    result = (call.result or "")[:_MAX_RESULT]
    if not _DIGIT.search(result) and result[:1] != "{":
        return
    given = canonical_json(call.arguments)
    decoded = _decoded(result)
    if isinstance(decoded, dict):
        for key, value in decoded.items():
            is_id = not _IDS.isdisjoint(words(str(key))) and isinstance(value, (str, int))
            if is_id and str(value) not in given:
                yield str(value)
        return
    for token in _TOKEN.findall(result[:_LOOKED_AT]):
        if len(token) <= _MAX_NAME and _DIGIT.search(token) and token not in given:
            yield token


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
