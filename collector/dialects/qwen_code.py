"""Qwen Code: its log events, and the GenAI conventions of its spans.

Source of the names: Qwen Code's documentation (Observability with OpenTelemetry). Checked against
payloads of 0.15.10, which sends log records only. The spans of newer versions are read by `genai`.

| provides | from |
| --- | --- |
| model calls, tokens | events `qwen-code.api_request` (`request_text`) and `.api_response`, `.api_error` |
| what the model says | `response_text` of `api_response`; what it asks for: the next request's history |
| tool executions | event `qwen-code.tool_call`; ids and results from the next request's history |
| what the user says | the history; event `qwen-code.user_prompt` |
| agents | `subagent_name` |

Its records have no trace id: the session joins them.

Not provided: offered tools, provider, finish reason; the result of the last call of a run.
"""

from __future__ import annotations

from collections.abc import Sequence

from collector.derive.canonical import ModelCall, Record, UserPrompt
from collector.dialects import messages
from collector.dialects.answers import read_answer
from collector.dialects.decode import count, first, first_text, text_of
from collector.dialects.dialect import Dialect
from collector.dialects.gemini_cli import read_tool_event
from collector.dialects.logs import event_of
from collector.records import LogRecord, SpanRecord

NAME = "qwen_code"

_EVENT_PREFIX = "qwen-code."
_CALL = "api"


def read_span(_span: SpanRecord) -> None:
    """Its spans keep to the GenAI conventions."""
    return


def read_log(log: LogRecord) -> Sequence[Record] | None:
    """An event of Qwen Code; those of its start, files and memory say nothing of the run."""
    event = event_of(log)
    if not event.startswith(_EVENT_PREFIX):
        return None
    match event.removeprefix(_EVENT_PREFIX):
        case "user_prompt":
            prompt = first_text(log.attributes, ("prompt",))
            return (UserPrompt(log.trace_id, "", log.time_ns, prompt),) if prompt else ()
        case "api_request":
            part = _part(log)
            messages.read_history(part, log.attributes.get("request_text"))
            return (part,)
        case "api_response" | "api_error" as kind:
            return (_response(log, failed=kind == "api_error"),)
        case "tool_call":
            return (read_tool_event(log),)
    return ()


def _part(log: LogRecord) -> ModelCall:
    """A part of a model call: its request, or its response."""
    part = ModelCall(log.trace_id, "", log.time_ns, log.time_ns, 2, _CALL)
    part.agent_name = first_text(log.attributes, ("subagent_name",))
    part.model = first_text(log.attributes, ("model",))
    return part


def _response(log: LogRecord, failed: bool) -> ModelCall:
    attributes = log.attributes
    part = _part(log)
    said = attributes.get("response_text")
    if said is not None:
        messages.set_answer(part, read_answer(said))
    part.input_tokens = count(attributes.get("input_token_count"))
    part.output_tokens = count(attributes.get("output_token_count"))
    error = text_of(first(attributes, ("error", "error_message", "error_type")))
    part.error = error or ("error" if failed else "")
    return part


QWEN_CODE = Dialect(NAME, read_span, read_log)
