"""Vercel AI SDK: the spans of `experimental_telemetry` (v4 to v6) and of v7's `LegacyOpenTelemetry`.

Source of the names: the AI SDK's documentation, AI SDK Core, Telemetry. Checked against payloads of
v4, v6 (generate, stream and parallel calls) and v7 with `LegacyOpenTelemetry`. v7's own
`OpenTelemetry` writes the GenAI conventions and is read by `genai`.

| provides | from |
| --- | --- |
| model calls | `….doGenerate`, `….doStream`: `ai.response.{text,reasoning,toolCalls}`, `ai.prompt.messages` |
| tool executions | `ai.toolCall`: `ai.toolCall.{name,id,args,result}`, span status and exception |
| agents | `ai.telemetry.functionId` |
| offered tools | `ai.prompt.tools` |
| tokens | `ai.usage.*`, `gen_ai.usage.*` of the model spans (the spans around them hold their sum) |

A call's arguments are JSON text in v4 and where v5 and later generate, an object where these stream.
Before v4 the answer was under `ai.result.*`.

Not provided: a session, unless the application puts its id into the telemetry's `metadata`; the
server's address; tools that the provider itself ran, as executions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import messages
from collector.dialects.decode import count, first, first_text, identifier, ordinal
from collector.dialects.dialect import Dialect
from collector.dialects.results import set_result
from collector.dialects.spans import error_of
from collector.records import SpanRecord

NAME = "aisdk"

_OPERATION = "ai.operationId"
_PREFIX = "ai."
_RUNS = frozenset(["ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"])
_MODEL_SUFFIXES = (".doGenerate", ".doStream")
_TOOL_CALL = "ai.toolCall"
_FUNCTION = "ai.telemetry.functionId"
_MODEL = (c.GEN_AI_RESPONSE_MODEL, "ai.response.model", c.GEN_AI_REQUEST_MODEL, "ai.model.id")
_PROVIDER = (c.GEN_AI_SYSTEM, "ai.model.provider")
_PROMPT = "ai.prompt.messages"
_TOOLS = "ai.prompt.tools"
_TEXT = ("ai.response.text", "ai.response.object", "ai.result.text", "ai.result.object")
_REASONING = ("ai.response.reasoning",)
_CALLS = ("ai.response.toolCalls", "ai.result.toolCalls")
_FINISH_REASON = ("ai.response.finishReason", "ai.finishReason")
_INPUT_TOKENS = (*c.GEN_AI_INPUT_TOKENS, "ai.usage.inputTokens", "ai.usage.promptTokens")
_OUTPUT_TOKENS = (*c.GEN_AI_OUTPUT_TOKENS, "ai.usage.outputTokens", "ai.usage.completionTokens")
_TOOL_NAME = "ai.toolCall.name"
_TOOL_ID = "ai.toolCall.id"
_TOOL_ARGUMENTS = "ai.toolCall.args"
_TOOL_RESULT = "ai.toolCall.result"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """An AI SDK span by its `ai.operationId`; embeddings and the like say nothing of an agent."""
    operation = span.attributes.get(_OPERATION)
    if not isinstance(operation, str) or not operation.startswith(_PREFIX):
        return None
    if operation == _TOOL_CALL:
        return _execution(span)
    if operation.endswith(_MODEL_SUFFIXES):
        return _model_call(span)
    if operation in _RUNS:
        return (AgentSpan(*span.place, _agent(span)),)
    return ()


def answer_calls(calls: Any) -> list[dict[str, Any]]:
    """The entries of a list of tool calls as content parts that `messages` reads."""
    return [{**call, "type": "tool-call"} for call in messages.as_list(calls) if isinstance(call, dict)]


def _model_call(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    answer = messages.parse({"role": "assistant", "content": answer_calls(first(attributes, _CALLS))})
    call = ModelCall(
        *span.place,
        agent_name=_agent(span),
        model=first_text(attributes, _MODEL),
        provider=first_text(attributes, _PROVIDER),
        finish_reason=first_text(attributes, _FINISH_REASON),
        text=first_text(attributes, _TEXT),
        reasoning=first_text(attributes, _REASONING),
        error=error_of(span) or "",
        calls=answer.calls,
        definitions=attributes.get(_TOOLS),
        input_tokens=count(first(attributes, _INPUT_TOKENS)),
        output_tokens=count(first(attributes, _OUTPUT_TOKENS)),
        emitter_step=ordinal(first(attributes, c.ROUND_INDEX[:2])),
    )
    messages.read_history(call, attributes.get(_PROMPT))
    return (call,)


def _execution(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    execution = ToolExecution(
        *span.place,
        tool=first_text(attributes, (_TOOL_NAME,)),
        call_id=identifier(attributes.get(_TOOL_ID)),
        arguments=messages.arguments_of(attributes.get(_TOOL_ARGUMENTS)),
        agent_name=_agent(span),
    )
    set_result(execution, attributes.get(_TOOL_RESULT), error_of(span))
    return (execution,)


def _agent(span: SpanRecord) -> str:
    return first_text(span.attributes, (_FUNCTION,))


AISDK = Dialect(NAME, read_span, keys=frozenset([_OPERATION]))
