"""OpenTelemetry GenAI conventions, all generations: the spans.

Source of the names: semantic-conventions v1.27 to v1.41 (docs/gen-ai) and the
semantic-conventions-genai repository. Checked against opentelemetry-instrumentation-openai-v2 2.3b0,
-genai-openai and -genai-langchain 1.3b0, and against others that write these names: Agent Framework
1.23, Strands 1.62, Pydantic AI 2.68, AI SDK 7, OpenLLMetry 0.62 and (indexed attributes) 0.40.

| provides | from |
| --- | --- |
| model calls | operation `chat`, …: `gen_ai.output.messages`; or `gen_ai.completion.N.*`; or events |
| tool executions | operation `execute_tool`: `gen_ai.tool.name`, `.call.{id,arguments,result}` |
| agents, steps | operations `invoke_agent`, `invoke_workflow`, `agent_step`, … |
| offered tools | `gen_ai.tool.definitions`, `llm.request.functions.N.*`, `gen_ai.agent.tools` (names) |
| tokens | `gen_ai.usage.*` on model spans (agent spans repeat their sum) |

Messages, arguments and results are there only where the instrumentation was told to capture content.
"""

from __future__ import annotations

from collections.abc import Sequence

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import genai_events, messages
from collector.dialects.decode import first, first_text, identifier, ordinal
from collector.dialects.dialect import Dialect
from collector.dialects.genai_call import read_call
from collector.dialects.results import call_id_in, set_result
from collector.dialects.spans import error_of, step_number
from collector.records import SpanRecord

NAME = "genai"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A GenAI span by its operation, or by the shape of its keys where it names none."""
    attributes = span.attributes
    operation = attributes.get(c.GEN_AI_OPERATION)
    if not isinstance(operation, str):
        return _by_shape(span)
    if operation in c.MODEL_OPERATIONS:
        return read_model_call(span)
    if operation in c.TOOL_OPERATIONS:
        return read_execution(span)
    if operation in c.AGENT_OPERATIONS:
        return read_agent(span)
    if operation in c.STEP_OPERATIONS:
        step = step_number(span.name)
        return (AgentSpan(*span.place, step=step),)
    return ()


def _by_shape(span: SpanRecord) -> Sequence[Record] | None:
    attributes = span.attributes
    if span.name.startswith(c.EXECUTE_TOOL_PREFIX):
        return read_execution(span)
    if c.GEN_AI_OUTPUT_MESSAGES in attributes or any(key in attributes for key in c.GEN_AI_FIRST_ANSWER):
        return read_model_call(span)
    if c.LLM_REQUEST_TYPE in attributes and first_text(attributes, (c.GEN_AI_SYSTEM, c.GEN_AI_PROVIDER)):
        return read_model_call(span)
    return None


def read_agent(span: SpanRecord) -> Sequence[Record]:
    """A span around an agent's run."""
    attributes = span.attributes
    return (
        AgentSpan(
            *span.place,
            first_text(attributes, (c.GEN_AI_AGENT_NAME,)),
            definitions=first(attributes, (c.GEN_AI_TOOL_DEFINITIONS, c.GEN_AI_AGENT_TOOLS)),
        ),
    )


def read_model_call(span: SpanRecord) -> Sequence[Record]:
    """A span around one call of a model, and the parts of the call that its events hold."""
    attributes = span.attributes
    call = ModelCall(
        *span.place,
        agent_name=first_text(attributes, (c.GEN_AI_AGENT_NAME,)),
        error=error_of(span) or "",
        emitter_step=ordinal(first(attributes, c.ROUND_INDEX[:2])),
    )
    read_call(call, attributes)
    records: list[Record] = [call]
    for event in span.events:
        records.extend(genai_events.read_span_event(span, event))
    return records


def read_execution(span: SpanRecord) -> Sequence[Record]:
    """A span around one execution of a tool, with the events on it."""
    attributes = span.attributes
    tool = first_text(attributes, (c.GEN_AI_TOOL_NAME,)) or span.name.removeprefix(c.EXECUTE_TOOL_PREFIX)
    unnamed = tool == attributes.get(c.GEN_AI_OPERATION)  # MLflow: the proposal knows the name
    execution = ToolExecution(
        *span.place,
        tool="" if unnamed else tool,
        requested=tool if unnamed else "",
        call_id=identifier(first(attributes, c.GEN_AI_TOOL_CALL_ID)),
        arguments=messages.executed_arguments(first(attributes, c.GEN_AI_TOOL_ARGUMENTS)),
        is_error=attributes.get(c.GEN_AI_TOOL_STATUS) == "error",
        agent_name=first_text(attributes, (c.GEN_AI_AGENT_NAME,)),
    )
    value = first(attributes, c.GEN_AI_TOOL_RESULT)
    execution.call_id = execution.call_id or call_id_in(value)
    if value is None:
        value = genai_events.read_tool_events(execution, span.events)
    set_result(execution, value, error_of(span))
    return (execution,)


GENAI = Dialect(NAME, read_span, genai_events.read_log)
