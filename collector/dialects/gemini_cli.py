"""Gemini CLI: the GenAI conventions, its own tool spans, and its log events.

Source of the names: Gemini CLI's documentation (Observability with OpenTelemetry). Checked against
payloads of 0.61 with `telemetry.traces` and `telemetry.logPrompts` on.

| provides | from |
| --- | --- |
| model calls, tokens | spans `llm_call`, event `gen_ai.client.inference.operation.details`: as `genai` |
| finish reason, provider, server | the details event, which has no trace id where it tells of a response |
| tool executions | spans `tool_call`: the arguments and the result inside `gen_ai.{input,output}.messages` |
| | spans `schedule_tool_calls`: the calls that were refused; event `gemini_cli.tool_call` |
| offered tools | `gen_ai.tool.definitions` of `llm_call` |
| agent | `gen_ai.agent.name` |

Each span of these is a trace by itself. The event `gemini_cli.api_response` repeats the details event
and is not read. The history that a request sends back has other call ids than its calls had.

Not provided: without `telemetry.traces`, anything on spans but operation, agent and session, so that
offered tools are unknown and results come from the history; without `telemetry.logPrompts`, contents in
events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import ModelCall, Record, ToolExecution
from collector.dialects import genai, genai_events, messages
from collector.dialects.decode import boolean, decode, first, first_text, identifier, text_of
from collector.dialects.dialect import Dialect
from collector.dialects.logs import event_of, start_of
from collector.dialects.results import reason
from collector.dialects.spans import error_of
from collector.records import LogRecord, SpanRecord

NAME = "gemini_cli"

_SCOPE = "gemini-cli"
_TOOL_SPAN = "tool_call"
_SCHEDULE_SPAN = "schedule_tool_calls"
_TOOL_EVENT = "gemini_cli.tool_call"
_SUCCESS = "success"
_MODELS_ROLE = '"role":"system"'
"""How the details event writes the model's messages; those of the system are an attribute by themselves."""
_CONTEXT_END = "</session_context>"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A span of Gemini CLI by its operation."""
    if span.scope_name != _SCOPE:
        return None
    operation = span.attributes.get(c.GEN_AI_OPERATION)
    if operation == _TOOL_SPAN:
        execution = _execution(span)
        return (execution,) if execution.tool or execution.call_id else ()
    if operation == _SCHEDULE_SPAN:
        return _refused(span)
    return _own(genai.read_span(span))


def read_log(log: LogRecord) -> Sequence[Record] | None:
    """The details of a model call, and the end of a tool's; what else it logs says nothing of the run."""
    if log.scope_name != _SCOPE:
        return None
    if event_of(log) == _TOOL_EVENT:
        return (read_tool_event(log),)
    return _own(genai_events.read_log(log))


def read_tool_event(log: LogRecord) -> ToolExecution:
    """A `….tool_call` event, as Gemini CLI and what was made of it write it."""
    attributes = log.attributes
    failed = boolean(attributes.get("success")) is False
    return ToolExecution(
        log.trace_id,
        "",
        start_of(log, attributes.get("duration_ms")),
        log.time_ns,
        source="log",
        tool=first_text(attributes, ("function_name",)),
        call_id=identifier(first(attributes, ("call_id", *c.GEN_AI_TOOL_CALL_ID))),
        arguments=messages.arguments_of(attributes.get("function_args")),
        is_error=failed,
        error=(text_of(first(attributes, ("error", "error.message", "error_type"))) or "error")
        if failed
        else None,
    )


def _own(records: Sequence[Record] | None) -> Sequence[Record]:
    for record in records or ():
        if isinstance(record, ModelCall):
            if isinstance(record.input, str) and _MODELS_ROLE in record.input:
                messages.read_history(record, record.input.replace(_MODELS_ROLE, '"role":"model"'))
            for message in record.news:
                if message.role == "user" and _CONTEXT_END in message.text:  # the CLI's own words
                    message.text = message.text.partition(_CONTEXT_END)[2].strip()
    return records or ()


def _execution(span: SpanRecord) -> ToolExecution:
    attributes = span.attributes
    request, completed = (
        _fields(attributes, c.GEN_AI_INPUT_MESSAGES),
        _fields(attributes, c.GEN_AI_OUTPUT_MESSAGES),
    )
    execution = _called(span, request)
    execution.tool = first_text(attributes, (c.GEN_AI_TOOL_NAME,)) or execution.tool
    execution.call_id = identifier(first(attributes, c.GEN_AI_TOOL_CALL_ID)) or execution.call_id
    _complete(execution, completed)
    error = error_of(span)
    execution.is_error = execution.is_error or error is not None
    execution.error = execution.error or error
    return execution


def _refused(span: SpanRecord) -> Sequence[Record]:
    """The scheduled calls that did not succeed: those that failed validation have no span of their own."""
    executions = []
    for completed in messages.as_list(span.attributes.get(c.GEN_AI_OUTPUT_MESSAGES)):
        if isinstance(completed, dict) and completed.get("status") not in (_SUCCESS, None):
            request = completed.get("request")
            execution = _called(span, request if isinstance(request, dict) else {})
            _complete(execution, completed)
            if execution.tool:
                executions.append(execution)
    return executions


def _called(span: SpanRecord, request: dict[str, Any]) -> ToolExecution:
    return ToolExecution(
        *span.place,
        tool=first_text(request, ("name",)),
        call_id=identifier(request.get("callId")),
        arguments=messages.arguments_of(request.get("args")),
        agent_name=first_text(span.attributes, (c.GEN_AI_AGENT_NAME,)),
    )


def _complete(execution: ToolExecution, completed: dict[str, Any]) -> None:
    """Fill in how the call ended: what the model is given, and whether it succeeded."""
    response = completed.get("response")
    parts = response.get("responseParts") if isinstance(response, dict) else None
    given = messages.parse({"role": "user", "parts": parts}) if isinstance(parts, list) else None
    if given is not None and given.results:
        execution.result = given.results[0].text
        execution.is_error = given.results[0].is_error
    execution.is_error = execution.is_error or completed.get("status") not in (_SUCCESS, None)
    if execution.is_error:
        execution.error = reason(execution.result or "") or text_of(completed.get("status"))


def _fields(attributes: dict[str, Any], key: str) -> dict[str, Any]:
    value = decode(attributes.get(key))
    return value if isinstance(value, dict) else {}


GEMINI_CLI = Dialect(NAME, read_span, read_log, scopes=(_SCOPE,))
