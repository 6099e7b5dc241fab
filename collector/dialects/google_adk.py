"""Google's Agent Development Kit (ADK): the GenAI conventions, and its own `gcp.vertex.agent.*`.

Source of the names: ADK's documentation (Observability) and the telemetry package of google/adk-python,
1.0 to 2.13. Checked against payloads of 2.13 with Gemini, and with LiteLLM with and without content on
spans.

| provides | from |
| --- | --- |
| model calls | `generate_content …`: as `genai` reads it, texts on the span or in log records of it |
| | `call_llm` (1.x; later around `generate_content`): `gcp.vertex.agent.{llm_request,llm_response}` |
| tool executions | `execute_tool …`: `gen_ai.tool.call.*`; `gcp.vertex.agent.tool_{call_args,response}` |
| agents | `invoke_agent …`, in 1.x `agent_run [name]`; around them `invoke_workflow …`, `invocation` |
| offered tools | `gen_ai.tool.definitions` (with schemas only where content is captured), `llm_request` |
| session | `gen_ai.conversation.id`, in 1.x `gcp.vertex.agent.session_id` |
| tokens | `gen_ai.usage.*`, in 1.x the response's `usage_metadata`: the attribute held the total |

Call ids: where the model gives none (Gemini) the messages have made-up ones that return in every round
(`search_0`), and the tool's span another (`adk-…`); these calls are joined by name, arguments and time.
Parallel calls have a span more, around the sum of their results: it is no call.

Not provided: the server's address; in 1.x the arguments of a tool that raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import genai, genai_events, messages
from collector.dialects.decode import count, decode, to_json
from collector.dialects.dialect import Dialect
from collector.dialects.results import read_result
from collector.records import LogRecord, SpanRecord

NAME = "google_adk"

_SCOPE = "gcp.vertex.agent"
_MODEL_SPAN = "call_llm"
_RUNS = ("invocation", "agent_run ")
_SUM_OF_TOOLS = "(merged"
_REQUEST = "gcp.vertex.agent.llm_request"
_RESPONSE = "gcp.vertex.agent.llm_response"
_ARGUMENTS = "gcp.vertex.agent.tool_call_args"
_RESULT = "gcp.vertex.agent.tool_response"
_NOT_CAPTURED = "{}"
_UNSPECIFIED = "<not specified>"
_ELIDED = "<elided>"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A span of ADK by its scope; live audio and the like say nothing of a round."""
    if span.scope_name != _SCOPE:
        return None
    records = genai.read_span(span)
    if records is None:
        records = _by_name(span)
    for record in records:
        if isinstance(record, ToolExecution):
            if record.tool.startswith(_SUM_OF_TOOLS):
                return ()
            _complete(record, span.attributes)
    return records


def read_log(log: LogRecord) -> Sequence[Record] | None:
    """A model call, or one message of it, as a log record."""
    if log.scope_name != _SCOPE:
        return None
    return genai_events.read_log(replace(log, body=_message(log.body))) or ()


def _by_name(span: SpanRecord) -> Sequence[Record]:
    if span.name == _MODEL_SPAN:
        return _model_call(span)
    if span.name.startswith(_RUNS):
        name = span.name.partition("[")[2].removesuffix("]")
        return (AgentSpan(*span.place, name),)
    return ()


def _model_call(span: SpanRecord) -> Sequence[Record]:
    records = genai.read_model_call(span)
    call = records[0]
    if isinstance(call, ModelCall):
        _read_request(call, _object(span.attributes.get(_REQUEST)))
        _read_response(call, _object(span.attributes.get(_RESPONSE)))
    return records


def _read_request(call: ModelCall, request: dict[str, Any]) -> None:
    if "contents" in request:
        messages.read_history(call, to_json(request["contents"]))
    tools = _object(request.get("config")).get("tools")
    declared = [_either(_object(tool), "function_declarations") for tool in _list(tools)]
    call.definitions = [tool for group in declared for tool in _list(group)]


def _read_response(call: ModelCall, response: dict[str, Any]) -> None:
    answer = messages.output([response["content"]] if isinstance(response.get("content"), dict) else [])
    messages.set_answer(call, answer)
    reason = _either(response, "finish_reason")
    call.finish_reason = call.finish_reason or (reason if isinstance(reason, str) else "")
    error = _either(response, "error_message") or _either(response, "error_code")
    call.error = call.error or (error if isinstance(error, str) else "")
    usage = _object(_either(response, "usage_metadata"))
    tokens = count(_either(usage, "prompt_token_count"))
    call.input_tokens = call.input_tokens if tokens is None else tokens
    parts = [count(_either(usage, key)) for key in ("candidates_token_count", "thoughts_token_count")]
    if any(part is not None for part in parts):
        call.output_tokens = sum(part or 0 for part in parts)


def _complete(execution: ToolExecution, attributes: dict[str, Any]) -> None:
    """Fill `execution` from ADK's own attributes. Where content is off both are empty objects."""
    if execution.call_id == _UNSPECIFIED:
        execution.call_id = ""
    arguments, response = attributes.get(_ARGUMENTS), attributes.get(_RESULT)
    if arguments == response == _NOT_CAPTURED:
        return
    if execution.arguments is None:
        execution.arguments = messages.arguments_of(arguments)
    if execution.result is None:
        text, says_error = read_result(response)
        if text != _UNSPECIFIED:  # a tool that returns later
            execution.result, execution.is_error = text, execution.is_error or says_error


def _message(body: Any) -> Any:
    """The body of a message's record: its `content` is a whole message of Gemini's."""
    content = body.get("content") if isinstance(body, dict) else None
    if isinstance(content, dict) and "parts" in content:
        return {**body, **content, "content": None}
    return {**body, "content": None} if content == _ELIDED else body


def _object(value: Any) -> dict[str, Any]:
    value = decode(value)
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _either(mapping: dict[str, Any], key: str) -> Any:
    """The value of `key` as Python writes it, or as Java and TypeScript do (`finishReason`)."""
    if key in mapping:
        return mapping[key]
    first, *rest = key.split("_")
    return mapping.get(first + "".join(word.capitalize() for word in rest))


GOOGLE_ADK = Dialect(NAME, read_span, read_log, scopes=(_SCOPE,))
