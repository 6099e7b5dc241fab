"""Langfuse SDK: observations, the role of a span in `langfuse.observation.type`.

Source of the names: Langfuse's documentation, OpenTelemetry (property mapping), and the public source
of the Python SDK (langfuse/_client/attributes.py). Checked against payloads of the Python SDK 5.0.4
with its LangChain callback.

| provides | from |
| --- | --- |
| model calls | `generation` observations: `langfuse.observation.{input,output,model.name}` |
| tool executions | `tool` observations: `.input`, `.output`, `.level`, `.metadata.tool_call_id` |
| agents | `agent` observations; LangGraph's `lc_agent_name` in `.metadata` |
| offered tools | `tools` of the input, or the messages that the LangChain callback makes of them |
| tokens | `langfuse.observation.usage_details` of generations |

Metadata values are JSON: a name comes in quotes. The SDK takes cached and reasoning tokens out of
`input` and `output` and counts them beside: all kinds of a side are added up.

Not provided: finish reasons (only LangGraph's copies of the state hold them), the server's address,
call ids where a tool was observed by decorator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import answers, messages
from collector.dialects.decode import count, decode, first, first_text, identifier, ordinal, to_json
from collector.dialects.dialect import Dialect
from collector.dialects.results import call_id_in, set_result
from collector.dialects.spans import error_of
from collector.records import SpanRecord

NAME = "langfuse"

_TYPE = "langfuse.observation.type"
_INPUT = "langfuse.observation.input"
_OUTPUT = "langfuse.observation.output"
_MODEL = "langfuse.observation.model.name"
_USAGE = "langfuse.observation.usage_details"
_LEVEL = "langfuse.observation.level"
_STATUS_MESSAGE = "langfuse.observation.status_message"
_METADATA = "langfuse.observation.metadata."
_AGENT = (_METADATA + "lc_agent_name",)
_PROVIDER = (_METADATA + "ls_provider",)
_CALL_ID = _METADATA + "tool_call_id"
_OPENAI_USAGE = ("prompt_tokens", "completion_tokens")


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """An observation by its type; a span that names a GenAI operation as well is left to `genai`."""
    kind = span.attributes.get(_TYPE)
    if not isinstance(kind, str) or c.GEN_AI_OPERATION in span.attributes:
        return None
    match kind.lower():
        case "generation":
            return _model_call(span)
        case "tool":
            return _execution(span)
        case "agent":
            name = _metadata(span, _AGENT) or span.name
            return (AgentSpan(*span.place, name),)
        case _:
            return ()


def _model_call(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    answer = answers.read_answer(attributes.get(_OUTPUT))
    usage = decode(attributes.get(_USAGE))
    call = ModelCall(
        *span.place,
        agent_name=_metadata(span, _AGENT),
        model=first_text(attributes, (_MODEL,)),
        provider=_metadata(span, _PROVIDER),
        finish_reason=answer.finish_reason,
        text=answer.text,
        reasoning=answer.reasoning,
        error=_error(span) or "",
        calls=answer.calls,
        input_tokens=_tokens(usage, "input"),
        output_tokens=_tokens(usage, "output"),
        emitter_step=ordinal(first(attributes, c.ROUND_INDEX[:2])),
    )
    _read_request(call, attributes.get(_INPUT))
    return (call,)


def _read_request(call: ModelCall, value: Any) -> None:
    """The request; of a list of messages the last may be the offered tools, as messages of a tool."""
    request = decode(value)
    if isinstance(request, list):
        tools = [raw["content"] for raw in request if _offers_tool(raw)]
        if tools:
            call.definitions = tools
            value = to_json([raw for raw in request if not _offers_tool(raw)])
    answers.read_request(call, value)


def _offers_tool(raw: Any) -> bool:
    if not isinstance(raw, dict) or raw.get("role") != "tool" or "tool_call_id" in raw:
        return False
    content = raw.get("content")
    return isinstance(content, dict) and bool(messages.definitions([content]))


def _execution(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    value = attributes.get(_OUTPUT)
    execution = ToolExecution(
        *span.place,
        tool=span.name,
        call_id=identifier(attributes.get(_CALL_ID)) or call_id_in(value),
        arguments=messages.executed_arguments(attributes.get(_INPUT)),
        agent_name=_metadata(span, _AGENT),
    )
    set_result(execution, value, _error(span))
    return (execution,)


def _error(span: SpanRecord) -> str | None:
    if span.attributes.get(_LEVEL) == "ERROR":
        return first_text(span.attributes, (_STATUS_MESSAGE,)) or error_of(span) or "error"
    return error_of(span)


def _metadata(span: SpanRecord, keys: tuple[str, ...]) -> str:
    value = decode(first_text(span.attributes, keys))
    return value if isinstance(value, str) else ""


def _tokens(usage: Any, side: str) -> int | None:
    """The tokens of one side, over all kinds whose name says so (`input`, `input_cache_read`, …)."""
    if not isinstance(usage, dict):
        return None
    openai = count(usage.get(_OPENAI_USAGE[side == "output"]))
    if openai is not None:
        return openai
    counts = [found for key, value in usage.items() if side in key and (found := count(value)) is not None]
    return count(sum(counts)) if counts else None


LANGFUSE = Dialect(NAME, read_span, keys=frozenset([_TYPE]))
