"""Pydantic AI: the GenAI conventions in the six formats of its `InstrumentationSettings(version=…)`.

Source of the names: Pydantic AI's documentation (Debugging & Monitoring; API reference of
`InstrumentationSettings`). Checked against payloads of 1.107 (formats 1, 2, 4 and format 1 with
`event_mode="logs"`) and of 2.68 (formats 2 and 5, parallel calls). Logfire's SDK sends the same spans.

| provides | from |
| --- | --- |
| model calls | `chat …`: as `genai` reads it; in format 1 the JSON list `events`, or log records |
| tool executions | `execute_tool …`; in formats 1 and 2 `running tool`: `tool_arguments`, `tool_response` |
| agents | `invoke_agent …`; in formats 1 and 2 `agent run`: `gen_ai.agent.name`, earlier `agent_name` |
| offered tools | `gen_ai.tool.definitions`, earlier `model_request_parameters` |
| session | `gen_ai.conversation.id`: runs that share a message history have the same |
| tokens | `gen_ai.usage.*` of the model spans (in 1.x the agents' spans hold their sum under the same name) |
| a tool that asks to be retried | status and exception of its span |

Not provided: results of tools that the model's provider ran itself. In earlier versions the spans of
tools and agents name no operation, and no session.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record
from collector.dialects import genai, genai_events, messages
from collector.dialects.decode import decode, first_text, to_json
from collector.dialects.dialect import Dialect
from collector.records import LogRecord, SpanRecord

NAME = "pydantic_ai"

_SCOPE = "pydantic-ai"
_RUN = "agent run"
_AGENT_NAME = (c.GEN_AI_AGENT_NAME, "agent_name")
_EVENTS = "events"
_PARAMETERS = "model_request_parameters"
_TOOL_LISTS = ("function_tools", "output_tools")


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A span of Pydantic AI by its scope; those around several tools say nothing themselves."""
    if span.scope_name != _SCOPE:
        return None
    records = genai.read_span(span)
    if records is None:
        records = _by_shape(span)
    for record in records:
        if isinstance(record, ModelCall):
            _complete(record, span.attributes)
        elif isinstance(record, AgentSpan):
            record.name = first_text(span.attributes, _AGENT_NAME)
    return records


def read_log(log: LogRecord) -> Sequence[Record] | None:
    """A message of a model call as a log record (format 1 with `event_mode="logs"`)."""
    if log.scope_name != _SCOPE:
        return None
    return genai_events.read_log(log) or ()


def _by_shape(span: SpanRecord) -> Sequence[Record]:
    if c.GEN_AI_TOOL_NAME in span.attributes:
        return genai.read_execution(span)
    return genai.read_agent(span) if span.name == _RUN else ()


def _complete(call: ModelCall, attributes: dict[str, Any]) -> None:
    """Fill `call` from what Pydantic AI wrote before there were GenAI attributes for it."""
    if not call.definitions:
        call.definitions = _offered(attributes.get(_PARAMETERS))
    events = messages.as_list(attributes.get(_EVENTS))
    choices = [event["message"] for event in events if _is_choice(event)]
    if choices:
        answer = messages.output(choices)
        messages.set_answer(call, answer)
        messages.read_history(call, to_json([event for event in events if not _is_choice(event)]))
    elif events:  # an exporter's length limit cut the end, where the answer stood
        messages.read_history(call, attributes[_EVENTS])


def _is_choice(event: Any) -> bool:
    # Not by its name, which stands last: a length limit may have cut it.
    return isinstance(event, dict) and "message" in event


def _offered(parameters: Any) -> list[Any]:
    decoded = decode(parameters)
    lists = [decoded.get(key) for key in _TOOL_LISTS] if isinstance(decoded, dict) else []
    return [tool for tools in lists if isinstance(tools, list) for tool in tools]


PYDANTIC_AI = Dialect(NAME, read_span, read_log, scopes=(_SCOPE,))
