"""AutoGen: its tool and agent spans, and the events of its Python logger `autogen_core.events`.

Source of the names: AutoGen's public source (autogen-core: logging, telemetry; autogen-ext: models)
and its documentation. Read from version 0.7; there is no recording of it among the tests.

| provides | from |
| --- | --- |
| model calls | events `LLMCall`; `LLMStreamStart` and `LLMStreamEnd`: messages, response, tokens |
| tool executions | `execute_tool` spans: name, call id, error; events `ToolCall`: arguments, result |
| agents | `invoke_agent` spans: `gen_ai.agent.name`; an event's `agent_id`, without its team's id |
| offered tools | `tools` of an `LLMCall` |

An event's body is JSON text. The spans alone hold no model call, no arguments and no result: the
logger's events have to be exported as log records.

Not provided: a session; the provider; when a model call began, unless it was streamed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import ModelCall, Record, ToolExecution
from collector.dialects import genai, messages
from collector.dialects.answers import read_answer, read_request
from collector.dialects.decode import count, decode, identifier, text_of
from collector.dialects.dialect import Dialect
from collector.dialects.results import set_result
from collector.records import LogRecord, SpanRecord

NAME = "autogen"

_SYSTEM = "autogen"
_EVENTS = "autogen_core.events"
_STREAM = "LLMStream"
_TEAM_ID = re.compile(r"_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A GenAI span that AutoGen wrote; None for any other."""
    if span.attributes.get(c.GEN_AI_SYSTEM) != _SYSTEM:
        return None
    return genai.read_span(span)


def read_log(log: LogRecord) -> Sequence[Record] | None:
    """An event of AutoGen's logger; those of messages between agents say nothing of a model or a tool."""
    if log.scope_name != _EVENTS:
        return None
    fields = decode(log.body)
    if not isinstance(fields, dict):
        return ()
    match fields.get("type"):
        case "LLMCall":
            return (_model_call(log, fields, "LLMCall", 1),)
        case "LLMStreamStart" | "LLMStreamEnd":
            return (_model_call(log, fields, _STREAM, 2),)
        case "ToolCall":
            return (_execution(log, fields),)
    return ()


def _model_call(log: LogRecord, fields: dict[str, Any], record: str, rank: int) -> ModelCall:
    response = decode(fields.get("response"))
    answer = read_answer(_openai_shape(response)) if response else messages.output(())
    model = response.get("model") if isinstance(response, dict) else None
    call = ModelCall(
        log.trace_id,
        "",
        log.time_ns,
        log.time_ns,
        rank,
        record,
        agent_name=_agent(fields.get("agent_id")),
        model=model if isinstance(model, str) else "",
        finish_reason=answer.finish_reason,
        text=answer.text,
        reasoning=answer.reasoning,
        calls=answer.calls,
        input_tokens=count(fields.get("prompt_tokens")),
        output_tokens=count(fields.get("completion_tokens")),
    )
    read_request(call, {"messages": fields.get("messages"), "tools": fields.get("tools")})
    return call


def _openai_shape(response: Any) -> Any:
    """AutoGen's own result of a stream, its calls the content, as a message of OpenAI's."""
    content = response.get("content") if isinstance(response, dict) else None
    if not isinstance(content, list) or "finish_reason" not in response:
        return response
    thought = text_of(response.get("thought"))
    return {**response, "role": "assistant", "content": "", "tool_calls": content, "reasoning": thought}


def _execution(log: LogRecord, fields: dict[str, Any]) -> ToolExecution:
    execution = ToolExecution(
        log.trace_id,
        "",
        log.time_ns,
        log.time_ns,
        source="log",
        tool=text_of(fields.get("tool_name")),
        call_id=identifier(fields.get("call_id")),
        arguments=messages.arguments_of(fields.get("arguments")),
        agent_name=_agent(fields.get("agent_id")),
    )
    set_result(execution, fields.get("result"))
    return execution


def _agent(agent_id: Any) -> str:
    """The agent's name: the type of its id, which in a team ends in the team's id."""
    name = identifier(agent_id).partition("/")[0]
    return _TEAM_ID.sub("", name)


AUTOGEN = Dialect(NAME, read_span, read_log, keys=frozenset([c.GEN_AI_SYSTEM]))
