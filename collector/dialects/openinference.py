"""OpenInference (Arize): flattened attributes, the role of a span in `openinference.span.kind`.

Source of the names: the OpenInference specification (semantic_conventions.md, tool_calling.md).
Checked against payloads of the instrumentations for openai 0.1.66, langchain 0.1.80 and openai-agents
2.6.0, and against the public source of those for smolagents, llama-index and crewai.

| provides | from |
| --- | --- |
| model calls | LLM spans: `llm.output_messages.N.*`, `llm.input_messages.N.*`, `llm.tools.N.*` |
| tool executions | TOOL spans: `tool.name`, `input.value`, `output.value`; a call id only from LangChain |
| agents | AGENT spans, `agent.name`, `graph.node.id`, LangGraph's `lc_agent_name` in `metadata` |
| tokens | `llm.token_count.*` on LLM spans |

A tool's `input.value` holds its arguments, or what its framework binds them to: `{"kwargs": …}`
(LlamaIndex, smolagents), `{"calling": {"arguments": …}}` (CrewAI).

Not provided: call ids on most tool spans (they are joined by name, arguments and time); names of
agents in smolagents, whose classes stand for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import messages
from collector.dialects.decode import count, decode, first, first_text, identifier, ordinal
from collector.dialects.dialect import Dialect
from collector.dialects.indexed import IndexedMessages
from collector.dialects.results import call_id_in, set_result
from collector.dialects.spans import error_of, step_number
from collector.records import SpanRecord

NAME = "openinference"
_MESSAGES = IndexedMessages(c.OI_OUTPUT_MESSAGES_PREFIX, c.OI_INPUT_MESSAGES_PREFIX, c.OI_TOOLS_PREFIX)
_SCHEMA = "json_schema"
_MIME_TYPE = "output.mime_type"
_MIME_JSON = "application/json"
_SANITIZE = "sanitize_inputs_outputs"
"""A parameter of smolagents' tools, beside those of the tool itself."""
_METHODS = (".run", "._use", ".acall", ".call")
"""What instrumentations add to the name of a tool or an agent: the method that was called."""


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """An OpenInference span by its kind, or by the shape of its keys where the kind was dropped."""
    kind = span.attributes.get(c.OI_KIND)
    if not isinstance(kind, str):
        return _model_call(span) if c.OI_FIRST_ANSWER in span.attributes else None
    match kind.upper():
        case "LLM":
            return _model_call(span)
        case "TOOL":
            return _execution(span)
        case "AGENT":
            name = first_text(span.attributes, c.OI_AGENT_NAME) or _without_method(span.name)
            return (AgentSpan(*span.place, name),)
        case _:
            step = step_number(span.name)
            if step is None:
                return ()
            return (AgentSpan(*span.place, step=step),)


def _model_call(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    (answers, _), (history, headless), (tools, _) = _MESSAGES.read(attributes)
    error = error_of(span)
    input_tokens = count(attributes.get(c.OI_INPUT_TOKENS))
    output_tokens = count(attributes.get(c.OI_OUTPUT_TOKENS))
    text = "" if answers else _plain_output(attributes)
    if not (answers or text) and error is None and input_tokens is None and output_tokens is None:
        return ()  # prepared, never sent
    answer = messages.output(answers)
    call = ModelCall(
        *span.place,
        agent_name=_agent(attributes),
        model=first_text(attributes, (c.OI_MODEL,)),
        provider=first_text(attributes, c.OI_PROVIDER),
        server_address=first_text(attributes, (c.SERVER_ADDRESS,)),
        finish_reason=first_text(attributes, (c.OI_FINISH_REASON,)) or answer.finish_reason,
        text=answer.text or text,
        reasoning=answer.reasoning,
        error=error or "",
        calls=answer.calls,
        headless=headless,
        definitions=[tool.get(_SCHEMA) for tool in tools] or None,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        emitter_step=ordinal(first(attributes, c.ROUND_INDEX[:2])),
    )
    messages.read_history(call, history)
    return (call,)


def _execution(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    name = first_text(attributes, (c.OI_TOOL_NAME,))
    value = attributes.get(c.OI_OUTPUT_VALUE)
    if not name and value is None and c.OI_INPUT_VALUE not in attributes:
        return ()  # a handoff, which the model asked for by a call of another name
    execution = ToolExecution(
        *span.place,
        tool=name or _without_method(span.name),
        call_id=identifier(first(attributes, c.OI_TOOL_CALL_ID)) or call_id_in(value),
        arguments=_arguments(attributes.get(c.OI_INPUT_VALUE)),
        agent_name=_agent(attributes),
    )
    set_result(execution, value, error_of(span))
    return (execution,)


def _arguments(value: Any) -> Any:
    """A tool's arguments, out of what the wrapped method was bound to."""
    arguments = messages.executed_arguments(value)
    if not isinstance(arguments, dict):
        return arguments
    calling = arguments.get("calling")
    if "tool_string" in arguments and isinstance(calling, dict) and "arguments" in calling:
        return messages.arguments_of(calling["arguments"])
    if isinstance(arguments.get("kwargs"), dict) and arguments.keys() <= {"args", "kwargs", _SANITIZE}:
        return messages.executed_arguments(
            {"args": arguments.get("args") or [], "kwargs": arguments["kwargs"]}
        )
    return arguments


def _plain_output(attributes: dict[str, Any]) -> str:
    """The text of a completion, which has no messages."""
    value = attributes.get(c.OI_OUTPUT_VALUE)
    return value if isinstance(value, str) and attributes.get(_MIME_TYPE) != _MIME_JSON else ""


def _without_method(name: str) -> str:
    for method in _METHODS:
        name = name.removesuffix(method)
    return name


def _agent(attributes: dict[str, Any]) -> str:
    name = first_text(attributes, c.OI_AGENT_NAME)
    metadata = attributes.get(c.OI_METADATA)
    if not name and isinstance(metadata, str | dict) and "lc_agent_name" in metadata:
        decoded = decode(metadata)
        found = decoded.get("lc_agent_name") if isinstance(decoded, dict) else None
        name = found if isinstance(found, str) else ""
    return name


OPENINFERENCE = Dialect(NAME, read_span, keys=frozenset([c.OI_KIND, c.OI_FIRST_ANSWER]))
