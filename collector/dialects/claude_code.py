"""Claude Code: its spans (beta) and its log events, each a whole account of a run by itself.

Source of the names: Claude Code's documentation, Monitoring (events, and Traces (beta)). Checked
against payloads of 2.1.197 over protobuf and JSON.

| provides | from |
| --- | --- |
| model calls, tokens | spans `llm_request`; events `api_request`, `api_error` |
| what the model says | event `assistant_response`; with raw bodies on, event `api_response_body` |
| tool executions | spans `tool` and `tool.execution`, event `tool_result`: one call, by `tool_use_id` |
| arguments | event `tool_result`: `tool_input`. A span has only the path or the command of them |
| results | span event `tool.output`; errors also from `tool.execution` and `tool_result` |
| what the user says | span `interaction`, event `user_prompt` |
| agents | `agent_id` of sub-agents; `query_source` of helpers (a session's title, say) |
| offered tools | with raw bodies on, event `api_request_body`, unless it was cut (at 60 KiB) |

The events hang on the interaction's span, not on the request's, and have no trace id where traces are
off. `event.sequence` starts again when a session is resumed, so time orders the records.

Not provided: a tool's result where it says that nothing changed since it was last given; calls that
failed validation, which have neither span nor event; without raw bodies, offered tools and what the
model says beside its calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution, UserPrompt
from collector.dialects import messages
from collector.dialects.decode import boolean, count, decode, first, first_text, identifier, text_of
from collector.dialects.dialect import Dialect
from collector.dialects.logs import event_of, start_of
from collector.dialects.results import set_result
from collector.dialects.spans import error_of
from collector.records import LogRecord, SpanRecord

NAME = "claude_code"

_SCOPE = "com.anthropic.claude_code"
_EVENT_PREFIX = "claude_code."
_SPAN_TYPE = "span.type"
_MODEL = (c.GEN_AI_RESPONSE_MODEL, "model", c.GEN_AI_REQUEST_MODEL)
_INPUT_TOKENS = "input_tokens"
_OUTPUT_TOKENS = "output_tokens"
_STOP_REASON = "stop_reason"
_DURATION = "duration_ms"
_ERROR = ("error", "error_message")
_TOOL_NAME = "tool_name"
_TOOL_ID = ("tool_use_id", *c.GEN_AI_TOOL_CALL_ID)
_TOOL_OUTPUT_EVENT = "tool.output"
_TOOL_OUTPUT = ("content", "output", "diff")
_TOOL_INPUT = "tool_input"
_BODY = "body"
_AGENT_ID = "agent_id"
_SOURCE = "query_source"
_MAIN_SOURCES = ("repl_main_thread", "sdk")
_REDACTED = "<REDACTED>"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A span of Claude Code by its `span.type`; waiting for the user and hooks say nothing of the run."""
    if not span.scope_name.startswith(_SCOPE):
        return None
    match span.attributes.get(_SPAN_TYPE):
        case "interaction":
            agent = AgentSpan(*span.place)
            prompt = _words(span.attributes.get("user_prompt"))
            if not prompt:
                return (agent,)
            return (agent, UserPrompt(span.trace_id, span.span_id, span.start_ns, prompt))
        case "llm_request":
            return _model_call(span)
        case "tool" | "tool.execution":
            return _execution(span)
    return ()


def read_log(log: LogRecord) -> Sequence[Record] | None:
    """An event of Claude Code; those of permissions, plugins and the like say nothing of the run."""
    if not log.scope_name.startswith(_SCOPE):
        return None
    match event_of(log).removeprefix(_EVENT_PREFIX):
        case "user_prompt":
            prompt = _words(log.attributes.get("prompt"))
            return (UserPrompt(log.trace_id, "", log.time_ns, prompt),) if prompt else ()
        case "api_request" | "api_error" as event:
            return (_request(log, event),)
        case "assistant_response" as event:
            part = _part(log, event)
            part.text = _words(log.attributes.get("response"))
            return (part,)
        case "api_request_body" | "api_response_body" as event:
            return _raw_body(log, event)
        case "tool_result":
            return (_tool_result(log),)
    return ()


def _model_call(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    error = error_of(span)
    return (
        ModelCall(
            *span.place,
            agent_name=_agent(attributes),
            model=first_text(attributes, _MODEL),
            provider=first_text(attributes, (c.GEN_AI_PROVIDER, c.GEN_AI_SYSTEM)),
            finish_reason=first_text(attributes, (_STOP_REASON,)),
            error="" if error is None else first_text(attributes, _ERROR) or error,
            input_tokens=count(attributes.get(_INPUT_TOKENS)),
            output_tokens=count(attributes.get(_OUTPUT_TOKENS)),
        ),
    )


def _execution(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    tool = first_text(attributes, (_TOOL_NAME,))
    call_id = identifier(first(attributes, _TOOL_ID))
    if not (tool or call_id):
        return ()
    outputs = [event.attributes for event in span.events if event.name == _TOOL_OUTPUT_EVENT]
    error = error_of(span)
    execution = ToolExecution(
        *span.place,
        tool=tool,
        call_id=call_id,
        is_error=boolean(attributes.get("success")) is False,
        agent_name=identifier(attributes.get(_AGENT_ID)),
    )
    set_result(
        execution,
        first(outputs[0], _TOOL_OUTPUT) if outputs else None,
        None if error is None else first_text(attributes, _ERROR) or error,
    )
    return (execution,)


def _part(log: LogRecord, event: str, rank: int = 1) -> ModelCall:
    attributes = log.attributes
    part = ModelCall(log.trace_id, "", log.time_ns, log.time_ns, rank, event)
    part.agent_name = _agent(attributes)
    part.model = first_text(attributes, _MODEL)
    return part


def _request(log: LogRecord, event: str) -> ModelCall:
    attributes = log.attributes
    call = _part(log, event)
    call.start_ns = start_of(log, attributes.get(_DURATION))
    call.input_tokens = count(attributes.get(_INPUT_TOKENS))
    call.output_tokens = count(attributes.get(_OUTPUT_TOKENS))
    if event == "api_error":
        call.error = text_of(first(attributes, _ERROR)) or "error"
    return call


def _raw_body(log: LogRecord, event: str) -> Sequence[Record]:
    body = decode(log.attributes.get(_BODY))
    if not isinstance(body, dict):
        return ()  # in a file, or cut
    call = _part(log, "api_body", rank=2)
    if event == "api_request_body":
        call.definitions = body.get("tools")
        messages.read_history(call, body.get("messages"))
    else:
        answer = messages.output([{"role": "assistant", "content": body.get("content")}])
        messages.set_answer(call, answer)
        call.finish_reason = first_text(body, (_STOP_REASON,))
    return (call,)


def _tool_result(log: LogRecord) -> ToolExecution:
    attributes = log.attributes
    failed = boolean(attributes.get("success")) is False
    return ToolExecution(
        log.trace_id,
        "",
        start_of(log, attributes.get(_DURATION)),
        log.time_ns,
        source="log",
        tool=first_text(attributes, (_TOOL_NAME,)),
        call_id=identifier(first(attributes, _TOOL_ID)),
        arguments=messages.arguments_of(attributes.get(_TOOL_INPUT)),
        is_error=failed,
        error=(text_of(first(attributes, _ERROR)) or "error") if failed else None,
        agent_name=identifier(attributes.get(_AGENT_ID)),
    )


def _agent(attributes: dict[str, Any]) -> str:
    """A sub-agent by its id, so that two of one kind stay apart; "" for the main one."""
    source = first_text(attributes, (_SOURCE,))
    return identifier(attributes.get(_AGENT_ID)) or ("" if source.startswith(_MAIN_SOURCES) else source)


def _words(value: Any) -> str:
    return value if isinstance(value, str) and value != _REDACTED else ""


CLAUDE_CODE = Dialect(NAME, read_span, read_log, scopes=(_SCOPE,))
