"""Mastra: the spans of its OpenTelemetry exporter, GenAI conventions with a span for each model step.

Source of the names: Mastra's public source and change log (observability/otel-exporter) and its
documentation. Read from exporter 1.2 to 1.4; there is no recording of it among the tests.

| provides | from |
| --- | --- |
| model calls | `mastra.span.type` `model_step`: `mastra.model_step.{output,input,step_index}` |
| tokens, model, provider, finish reason | the `chat` span in the step (1.4), else the one around it |
| tool executions | `execute_tool` spans: `gen_ai.tool.{name,call.id,call.arguments,call.result}` |
| agents, offered tools' names | `invoke_agent` spans: `gen_ai.agent.name`, `gen_ai.tool.definitions` |
| session | `gen_ai.conversation.id` (the thread), `mastra.metadata.threadId` |

Not provided: tokens of each call before 1.4 (only their sum over a generation's steps); the tools'
schemas; results in the requests' histories, where they read `[tool: …]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector.derive.canonical import ModelCall, Record
from collector.dialects import genai, messages
from collector.dialects.aisdk import answer_calls
from collector.dialects.decode import decode, ordinal, text_of
from collector.dialects.dialect import Dialect
from collector.dialects.spans import error_of
from collector.records import SpanRecord

NAME = "mastra"

_TYPE = "mastra.span.type"
_MODEL_STEP = "model_step"
_STEP_INDEX = "mastra.model_step.step_index"
_STEP_INPUT = "mastra.model_step.input"
_STEP_OUTPUT = "mastra.model_step.output"
_REDACTED = "[tool:"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A span of Mastra's exporter by its type; None for any other."""
    kind = span.attributes.get(_TYPE)
    if not isinstance(kind, str):
        return None
    if kind.lower() == _MODEL_STEP:
        return _model_step(span)
    return genai.read_span(span) or ()


def _model_step(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    output = decode(attributes.get(_STEP_OUTPUT))
    fields: dict[str, Any] = output if isinstance(output, dict) else {"text": output}
    calls = [_payload(call) for call in messages.as_list(fields.get("toolCalls"))]
    answer = messages.parse({"role": "assistant", "content": answer_calls(calls)})
    call = ModelCall(
        *span.place,
        text=text_of(fields.get("text")),
        error=error_of(span) or "",
        calls=answer.calls,
        emitter_step=ordinal(attributes.get(_STEP_INDEX)),
    )
    messages.read_history(call, _history(attributes.get(_STEP_INPUT)))
    return (call,)


def _payload(call: Any) -> Any:
    """A call out of the chunk of the stream that brought it."""
    inner = call.get("payload") if isinstance(call, dict) else None
    return inner if isinstance(inner, dict) else call


def _history(value: Any) -> list[Any]:
    """The request's messages, without the results that were taken out of them."""
    body = decode(value)
    if isinstance(body, dict) and isinstance(body.get("body"), dict):
        body = body["body"]
    return [raw for raw in messages.as_list(body) if not _is_redacted(raw)]


def _is_redacted(raw: Any) -> bool:
    content = raw.get("content") if isinstance(raw, dict) else None
    return messages.role_of(raw) == "tool" and isinstance(content, str) and content.startswith(_REDACTED)


MASTRA = Dialect(NAME, read_span, keys=frozenset([_TYPE]))
