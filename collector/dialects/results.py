"""The result of a tool: the text the model was given, out of the wrappers telemetry puts around it."""

from __future__ import annotations

import re
from typing import Any

from collector.derive.canonical import ToolExecution
from collector.dialects.decode import decode, decode_once, text_of

_MAX_ERROR_TEXT = 4_000
"""A longer text is payload (a log file, say) even where it begins like an error."""

_ERROR_TEXT = re.compile(
    r"""\s{0,8}(?:
        (?:tool[ ])?(?:error|exception)s?[ ]{0,2}:
      | error[ ](?:executing|running|calling|invoking|validating|while|during|in|from|occurred)\b
      | (?:an|unexpected|internal)[ ](?:[a-z]{1,20}[ ])?error[ ](?:has[ ])?occurred\b
      | [A-Za-z_.]{0,60}(?:Error|Exception):[ ]
      | traceback[ ]\(most[ ]recent[ ]call[ ]last\)
      | <(?:tool_use_)?error>
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_WRAPPER_HINTS = ('"raw_output"', '"text"', '"content"', '"output"', '"result"', '"value"')
_ERROR_HINTS = ("rror", '"success"')


def read_result(value: Any) -> tuple[str | None, bool]:
    """The text of a result and whether it says of itself that the call failed; (None, False) for None."""
    if value is None:
        return None, False
    if isinstance(value, str) and value[:1] == '"':  # JSON text of JSON text
        value = decode_once(value)
    if isinstance(value, str) and not any(hint in value for hint in _WRAPPER_HINTS):
        return value, says_error(value)
    decoded = decode(value)
    if isinstance(decoded, str):
        return decoded, says_error(decoded)
    inner, failed = _unwrap(decoded)
    text = text_of(value if inner is decoded else inner)
    return text, failed or says_error(text)


def set_result(execution: ToolExecution, value: Any, error: str | None = None) -> None:
    """Give `execution` its result; it failed where `error` says why, or where the result's words do."""
    execution.result, failed = read_result(value)
    execution.is_error = execution.is_error or failed or error is not None
    execution.error = execution.error if error is None else error


def says_error(text: str) -> bool:
    """Whether a result's text reports a failure: by its first words, or by the fields of its JSON."""
    if len(text) > _MAX_ERROR_TEXT:
        return False
    if text[:1] != "{":
        return _ERROR_TEXT.match(text) is not None
    return any(hint in text for hint in _ERROR_HINTS) and _object_says_error(decode(text))


def reason(text: str) -> str:
    """What a failed call's result says of the failure: the `error` of its JSON, else all of it."""
    said = decode(text) if text[:1] == "{" else None
    error = said.get("error") if isinstance(said, dict) else None
    return error if error and isinstance(error, str) else text


def call_id_in(value: Any) -> str:
    """The call id inside a LangChain tool message, "" where `value` is none."""
    message = _tool_message(decode(value))
    call_id = message.get("tool_call_id") if message else None
    return call_id if isinstance(call_id, str) else ""


def _object_says_error(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    success = value.get("success")
    if isinstance(success, bool):
        return not success
    if value.get("is_error") is True or value.get("isError") is True:
        return True
    return bool(value.get("error")) and isinstance(value["error"], str | dict)


def _unwrap(value: Any, depth: int = 0) -> tuple[Any, bool]:
    """What lies in the known wrappers around a result, and whether a wrapper says that it failed."""
    if depth > 4:
        return value, False
    if isinstance(value, list):
        texts = [_text_part(part) for part in value]
        joined = [text for text in texts if text is not None]
        return ("\n".join(joined), False) if texts and len(joined) == len(texts) else (value, False)
    if not isinstance(value, dict):
        return value, False
    message = _tool_message(value)
    if message is not None:
        inner, failed = _unwrap(message["content"], depth + 1)
        return inner, failed or message.get("status") == "error"
    if "output" in value and value.keys() <= {"output", "kwargs"}:
        inner, failed = _unwrap(value["output"], depth + 1)
        return (inner, failed) if isinstance(inner, str) else (value, failed)
    if value.keys() == {"result"} and isinstance(value["result"], str):
        return value["result"], False
    if isinstance(value.get("content"), list) and value.keys() & {"isError", "is_error"}:
        inner, _ = _unwrap(value["content"], depth + 1)
        return inner, bool(value.get("isError") or value.get("is_error"))
    if "raw_output" in value and value.keys() & {"blocks", "content", "tool_name"}:  # LlamaIndex
        shown = value.get("blocks") or value.get("content") or value["raw_output"]
        inner, failed = _unwrap(shown, depth + 1)
        return inner, failed or value.get("is_error") is True
    if value.keys() == {"type", "value"} and isinstance(value["type"], str):
        return value["value"], value["type"].startswith("error")
    return value, False


def _tool_message(value: Any) -> dict[str, Any] | None:
    """The fields of a LangChain tool message, serialised in any of its three ways."""
    if not isinstance(value, dict):
        return None
    for candidate in (value, value.get("kwargs"), value.get("data"), value.get("output")):
        if isinstance(candidate, dict) and "content" in candidate and "tool_call_id" in candidate:
            return candidate
    output = value.get("output")
    return _tool_message(output) if isinstance(output, dict) and "kwargs" in output else None


def _text_part(part: Any) -> str | None:
    if isinstance(part, dict) and isinstance(part.get("text"), str) and part.get("type", "text") == "text":
        return str(part["text"])
    return None
