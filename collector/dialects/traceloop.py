"""OpenLLMetry (Traceloop): the spans of its decorators and of instrumentations that write like them.

Source of the names: OpenLLMetry's public source (opentelemetry-semantic-conventions-ai, traceloop-sdk
decorators, instrumentation-mcp). Checked against payloads of traceloop-sdk 0.62 and
opentelemetry-instrumentation-langchain 0.62; MCP's spans from the source alone. Its model spans, and
all spans that name a GenAI operation, follow the GenAI conventions and are read by `genai`.

| provides | from |
| --- | --- |
| tool executions | kind `tool`: `traceloop.entity.{name,input,output}`, `gen_ai.tool.*` first |
| agents | kinds `agent` and `workflow`: `traceloop.entity.name` |

Arguments come as `{"args": […], "kwargs": {…}}` (decorators), beside `input_str` (LangChain) or beside
`tool_name` (MCP); the result as JSON text, or `{"result": …}` (MCP).

Not provided: call ids of decorated tools (they are joined by name, arguments and time); the names of
arguments that were passed by position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, Record, ToolExecution
from collector.dialects import genai, messages
from collector.dialects.decode import decode, first, first_text, identifier
from collector.dialects.dialect import Dialect
from collector.dialects.results import call_id_in, set_result
from collector.dialects.spans import error_of
from collector.records import SpanRecord

NAME = "traceloop"

_KIND = "traceloop.span.kind"
_ENTITY = "traceloop.entity.name"
_INPUT = "traceloop.entity.input"
_OUTPUT = "traceloop.entity.output"
_AROUND = frozenset(["agent", "workflow"])


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """An entity span by its kind, or by the end of its name where an attribute limit took the kind."""
    attributes = span.attributes
    if isinstance(attributes.get(c.GEN_AI_OPERATION), str):
        return None
    kind = attributes.get(_KIND)
    if not isinstance(kind, str):
        if _ENTITY not in attributes:
            return None
        kind = span.name.rpartition(".")[2]
    if kind == "tool":
        return _execution(span)
    if kind in _AROUND:
        name = first_text(attributes, (c.GEN_AI_AGENT_NAME, _ENTITY))
        return (AgentSpan(*span.place, name),)
    return genai.read_span(span) or () if kind == "task" else None


def _execution(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    name = first_text(attributes, (c.GEN_AI_TOOL_NAME, _ENTITY)) or span.name.removesuffix(".tool")
    value = first(attributes, (*c.GEN_AI_TOOL_RESULT, _OUTPUT))
    execution = ToolExecution(
        *span.place,
        tool=name,
        call_id=identifier(first(attributes, c.GEN_AI_TOOL_CALL_ID)) or call_id_in(value),
        arguments=_arguments(first(attributes, (*c.GEN_AI_TOOL_ARGUMENTS, _INPUT))),
        agent_name=first_text(attributes, (c.GEN_AI_AGENT_NAME,)),
    )
    fields = decode(value)
    if isinstance(fields, dict) and "result" in fields and fields.keys() <= {"result", "is_error"}:
        execution.is_error = fields.get("is_error") is True
        value = fields["result"]
    set_result(execution, value, error_of(span))
    return (execution,)


def _arguments(value: Any) -> Any:
    arguments = messages.executed_arguments(value)
    if isinstance(arguments, dict) and arguments.keys() == {"tool_name", "arguments"}:
        return arguments["arguments"]
    return arguments


TRACELOOP = Dialect(NAME, read_span, keys=frozenset([_KIND, _ENTITY]))
