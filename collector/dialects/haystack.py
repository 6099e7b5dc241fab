"""Haystack: its own tracing spans, as its OpenTelemetry integration exports them.

Source of the names: Haystack's documentation, Tracing and the 3.0 migration guide, and its public
source (components/agents/agent.py, components/agents/tool_calling.py, dataclasses/chat_message.py).
Written for Haystack 3.4 and opentelemetry-haystack 2.0 from these; the agents of 2.x run their model
and their tools as components of a pipeline and are read as far as these spans say.

| provides | from |
| --- | --- |
| model calls | `haystack.agent.step.llm`; `haystack.component.run` of a `…Generator` |
| tool executions | `haystack.agent.step.tool`: `haystack.tool.name`, `.error`, `….input`, `….output` |
| agents, steps | the pipeline's component around `haystack.agent.run`; `haystack.agent.step` |
| offered tools | `haystack.agent.tools`, `tools` of the model's input |
| model, tokens, finish reason | `meta` of the replies |

A tool's failure is told by `haystack.tool.error`, while the span's status stays unset. Messages,
arguments, results and all that stands in `meta` are there only with content tracing.

Not provided: a session; call ids on tool spans (they are joined by name, arguments and time); the
provider.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import answers, messages
from collector.dialects.decode import boolean, count, decode, first, first_text, ordinal
from collector.dialects.dialect import Dialect
from collector.dialects.results import set_result
from collector.dialects.spans import error_of
from collector.records import SpanRecord

NAME = "haystack"

_PREFIX = "haystack."
_STEP = "haystack.agent.step"
_COMPONENT_NAME = ("haystack.component.name",)
_COMPONENT_TYPE = ("haystack.component.type",)
_GENERATOR = "Generator"
_AGENT = "Agent"
_REQUEST = ("haystack.agent.step.llm.input", "haystack.component.input")
_RESPONSE = ("haystack.agent.step.llm.output", "haystack.component.output")
_AGENT_TOOLS = "haystack.agent.tools"
_TOOL_NAME = ("haystack.tool.name",)
_TOOL_ERROR = "haystack.tool.error"
_TOOL_INPUT = "haystack.agent.step.tool.input"
_TOOL_OUTPUT = "haystack.agent.step.tool.output"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A Haystack span by its name; one that names a GenAI operation as well is left to `genai`."""
    if not span.name.startswith(_PREFIX) or c.GEN_AI_OPERATION in span.attributes:
        return None
    match span.name:
        case "haystack.agent.step.llm":
            return _model_call(span)
        case "haystack.agent.step.tool":
            return _execution(span)
        case "haystack.component.run":
            return _component(span)
        case "haystack.agent.run":
            return (_agent_span(span, definitions=_tools(span.attributes.get(_AGENT_TOOLS))),)
        case "haystack.agent.step":
            return (_agent_span(span, step=ordinal(span.attributes.get(_STEP))),)
        case _:
            return ()


def _agent_span(
    span: SpanRecord, name: str = "", step: int | None = None, definitions: Any = None
) -> AgentSpan:
    return AgentSpan(*span.place, name, step, definitions or None)


def _component(span: SpanRecord) -> Sequence[Record]:
    kind = first_text(span.attributes, _COMPONENT_TYPE)
    if kind.endswith(_GENERATOR):
        return _model_call(span)
    if kind == _AGENT:
        return (_agent_span(span, first_text(span.attributes, _COMPONENT_NAME)),)
    return ()


def _model_call(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    response = decode(first(attributes, _RESPONSE))
    answer = answers.read_answer(response)
    meta = _meta(response)
    usage = meta.get("usage")
    if not isinstance(usage, dict):
        usage = {}
    call = ModelCall(
        *span.place,
        model=first_text(meta, ("model",)),
        finish_reason=answer.finish_reason,
        text=answer.text,
        reasoning=answer.reasoning,
        error=error_of(span) or "",
        calls=answer.calls,
        input_tokens=count(first(usage, ("prompt_tokens", "input_tokens"))),
        output_tokens=count(first(usage, ("completion_tokens", "output_tokens"))),
    )
    answers.read_request(call, first(attributes, _REQUEST))
    call.definitions = _tools(call.definitions) or None
    return (call,)


def _execution(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    tool = first_text(attributes, _TOOL_NAME)
    if not tool:
        return ()  # all calls of a step in one span, before 3.0: the messages tell them apart
    execution = ToolExecution(
        *span.place,
        tool=tool,
        arguments=messages.arguments_of(attributes.get(_TOOL_INPUT)),
        is_error=boolean(attributes.get(_TOOL_ERROR)) is True,
    )
    set_result(execution, attributes.get(_TOOL_OUTPUT), error_of(span))
    return (execution,)


def _meta(response: Any) -> dict[str, Any]:
    """What the provider said of the first reply: on the reply itself, or beside it where that is text."""
    replies = response.get("replies") if isinstance(response, dict) else None
    reply = replies[0] if isinstance(replies, list) and replies else None
    beside = response.get("meta") if isinstance(response, dict) else None
    meta = reply.get("meta") if isinstance(reply, dict) else beside
    if isinstance(meta, list):
        meta = meta[0] if meta else None
    return meta if isinstance(meta, dict) else {}


def _tools(value: Any) -> list[Any]:
    """The definitions in serialised tools and toolsets: each is a class (`type`) and its `data`."""
    value = decode(value)
    found: list[Any] = []
    for item in value if isinstance(value, list) else [value]:
        data = item.get("data") if isinstance(item, dict) else None
        if isinstance(data, dict):
            inner = data.get("tools")
            found.extend(_tools(inner) if isinstance(inner, list) else [data])
    return found


HAYSTACK = Dialect(NAME, read_span)
