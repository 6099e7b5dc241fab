"""Codex CLI: its log events; of its spans, which are internal ones in thousands, the few that tell of a run.

Source of the names: Codex's documentation (Configuration, OpenTelemetry) and public source
(codex-rs/otel). Checked against payloads of `codex exec` 0.171, a session and its continuation.

| provides | from |
| --- | --- |
| model calls, tokens | events `codex.sse_event` of kinds `response.created` and `response.completed` |
| | spans with `codex.turn.phase` = sampling; their tokens stand on a span `handle_responses` |
| tool executions, results | event `codex.tool_result`, spans with `codex.tool.phase`: one by `call_id` |
| what the user says | event `codex.user_prompt` |
| what the model says | event `codex.agent_response` of newer versions: its final answers, where logged |

The events' time is unset (the observed one counts), and the field for their name holds a place in the
source code: the attribute `event.name` counts. Those of a response have no trace id.

Not provided: what the model says, up to 0.171; what it asks for (calls are known by their
execution); offered tools; provider; arguments and results where only spans are sent.
"""

from __future__ import annotations

from collections.abc import Sequence

from collector import conventions as c
from collector.derive.canonical import ModelCall, Record, ToolExecution, UserPrompt
from collector.dialects import messages
from collector.dialects.decode import boolean, count, first, first_text, identifier
from collector.dialects.dialect import Dialect
from collector.dialects.logs import event_of, start_of
from collector.dialects.results import read_result
from collector.dialects.spans import error_of
from collector.records import LogRecord, SpanRecord

NAME = "codex"

_EVENT_PREFIX = "codex."
_TURN_PHASE = "codex.turn.phase"
_SAMPLING = "sampling"
_TOOL_PHASE = "codex.tool.phase"
_USAGE_SPAN = "handle_responses"
_USAGE = "codex.usage.total_tokens"
_EVENT_KIND = "event.kind"
_CREATED = "response.created"
_COMPLETED = "response.completed"
_FINISHED = "completed"
_INPUT_TOKENS = "input_token_count"
_OUTPUT_TOKENS = "output_token_count"
_ERROR = "error.message"
_REDACTED = "[REDACTED]"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """The spans in which Codex waits for the model, reads what that cost, and runs a tool."""
    attributes = span.attributes
    if attributes.get(_TURN_PHASE) == _SAMPLING:
        error = error_of(span) or ""
        return (ModelCall(*span.place, error=error),)
    if span.name == _USAGE_SPAN and _USAGE in attributes:
        usage = ModelCall(span.trace_id, "", span.start_ns, span.end_ns, 1, _USAGE_SPAN)
        usage.input_tokens = count(first(attributes, c.GEN_AI_INPUT_TOKENS))
        usage.output_tokens = count(first(attributes, c.GEN_AI_OUTPUT_TOKENS))
        return (usage,)
    if _TOOL_PHASE in attributes:
        return _execution(span)
    return None


def read_log(log: LogRecord) -> Sequence[Record] | None:
    """An event of Codex; those of its start, requests and permissions say nothing of the run."""
    event = event_of(log)
    if not event.startswith(_EVENT_PREFIX):
        return None
    attributes = log.attributes
    match event.removeprefix(_EVENT_PREFIX):
        case "user_prompt":
            prompt = first_text(attributes, ("prompt",))
            if prompt and prompt != _REDACTED:
                return (UserPrompt(log.trace_id, "", log.time_ns, prompt),)
        case "sse_event":
            return _stream_event(log, event)
        case "agent_response":
            said = ModelCall(log.trace_id, "", log.time_ns, log.time_ns, 1, event)
            said.text = first_text(attributes, ("response",))
            return (said,)
        case "tool_result":
            return (_tool_result(log),)
    return ()


def _execution(span: SpanRecord) -> Sequence[Record]:
    tool = first_text(span.attributes, ("tool_name",))
    call_id = identifier(span.attributes.get("call_id"))
    if not (tool and call_id):
        return ()
    error = error_of(span)
    return (
        ToolExecution(
            *span.place,
            tool=tool,
            call_id=call_id,
            is_error=error is not None,
            error=error,
        ),
    )


def _stream_event(log: LogRecord, event: str) -> Sequence[Record]:
    """The begin, the end or the failure of a response. A `completed` is written once more without tokens."""
    attributes = log.attributes
    part = ModelCall(log.trace_id, "", log.time_ns, log.time_ns, 2, event)
    part.model = first_text(attributes, ("model",))
    part.error = first_text(attributes, (_ERROR,))
    kind = attributes.get(_EVENT_KIND)
    if part.error or kind == _CREATED:
        return (part,)
    part.output_tokens = count(attributes.get(_OUTPUT_TOKENS))
    if kind != _COMPLETED or part.output_tokens is None:
        return ()
    part.input_tokens = count(attributes.get(_INPUT_TOKENS))
    part.finish_reason = _FINISHED
    return (part,)


def _tool_result(log: LogRecord) -> ToolExecution:
    attributes = log.attributes
    failed = boolean(attributes.get("success")) is False
    result, _ = read_result(attributes.get("output"))
    return ToolExecution(
        log.trace_id,
        "",
        start_of(log, attributes.get("duration_ms")),
        log.time_ns,
        source="log",
        tool=first_text(attributes, ("tool_name",)),
        call_id=identifier(attributes.get("call_id")),
        arguments=messages.arguments_of(attributes.get("arguments")),
        result=result,
        is_error=failed,
        error=(result or "error") if failed else None,
    )


CODEX = Dialect(NAME, read_span, read_log, keys=frozenset([_TURN_PHASE, _TOOL_PHASE, _USAGE]))
