"""OpenTelemetry GenAI conventions: the events, as log records or on spans.

Two generations: one event for each message (`gen_ai.user.message`, …, `gen_ai.choice`), and one for
the whole call (`gen_ai.client.inference.operation.details`). Each becomes a part of the model call of
its span; `derive.units` puts the parts together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import ModelCall, Record, ToolExecution
from collector.dialects import messages
from collector.dialects.decode import decode, first_text, identifier
from collector.dialects.genai_call import read_call
from collector.dialects.logs import event_of
from collector.records import LogRecord, SpanEvent, SpanRecord

_NAMES = frozenset(
    [*c.GEN_AI_MESSAGE_ROLES, c.GEN_AI_CHOICE_EVENT, c.GEN_AI_PROMPT_EVENT, c.GEN_AI_COMPLETION_EVENT]
)
_BODY_ATTRIBUTE = "gen_ai.event.content"
_MESSAGE_KEYS = frozenset(["role", "content", "tool_calls", "parts"])


def read_log(log: LogRecord) -> Sequence[Record] | None:
    """A GenAI event as a part of a model call; None for any other log record."""
    attributes = log.attributes
    name = event_of(log)
    if name == c.GEN_AI_DETAILS_EVENT:
        return _details(log.trace_id, log.span_id, log.time_ns, attributes)
    if name in _NAMES:
        body = log.body if log.body is not None else attributes.get(_BODY_ATTRIBUTE)
        part = _message_part(log.trace_id, log.span_id, log.time_ns, name, body)
        part.provider = first_text(attributes, (c.GEN_AI_PROVIDER, c.GEN_AI_SYSTEM))
        return (part,)
    return None


def read_span_event(span: SpanRecord, event: SpanEvent) -> Sequence[Record]:
    """An event on a model span as a part of its call; nothing for any other event."""
    if event.name == c.GEN_AI_DETAILS_EVENT:
        return _details(span.trace_id, span.span_id, event.time_ns, event.attributes)
    if event.name in _NAMES:
        body = event.attributes.get(_BODY_ATTRIBUTE, event.attributes)
        return (_message_part(span.trace_id, span.span_id, event.time_ns, event.name, body),)
    return ()


def read_tool_events(execution: ToolExecution, events: Sequence[SpanEvent]) -> Any:
    """Fill `execution` from the events on its span (Strands); the result as it came, None without."""
    result = None
    for event in events:
        if event.name == c.GEN_AI_TOOL_MESSAGE_EVENT:
            if execution.arguments is None:
                execution.arguments = messages.arguments_of(event.attributes.get("content"))
            execution.call_id = execution.call_id or identifier(event.attributes.get("id"))
        elif event.name == c.GEN_AI_CHOICE_EVENT:
            result = event.attributes.get("message")
    return result


def _details(trace_id: str, span_id: str, time_ns: int, attributes: dict[str, Any]) -> Sequence[Record]:
    operation = attributes.get(c.GEN_AI_OPERATION)
    if isinstance(operation, str) and operation not in c.MODEL_OPERATIONS:
        return ()  # an agent's or a workflow's, which repeats the messages of its model calls
    part = ModelCall(trace_id, span_id, time_ns, time_ns, rank=1)
    read_call(part, attributes)
    part.error = first_text(attributes, (c.ERROR_TYPE,))
    part.record = "" if span_id else c.GEN_AI_DETAILS_EVENT
    return (part,)


def _message_part(trace_id: str, span_id: str, time_ns: int, name: str, body: Any) -> ModelCall:
    part = ModelCall(trace_id, span_id, time_ns, time_ns, rank=2)
    body = decode(body)
    fields: dict[str, Any] = body if isinstance(body, dict) else {"content": body}
    if name == c.GEN_AI_CHOICE_EVENT:
        answer = messages.output([_choice(fields)])
    elif name == c.GEN_AI_COMPLETION_EVENT:
        answer = messages.output(messages.as_list(fields.get(c.GEN_AI_COMPLETION)))
    elif name == c.GEN_AI_PROMPT_EVENT:
        messages.read_history(part, messages.as_list(fields.get(c.GEN_AI_PROMPT)))
        return part
    else:
        role = fields.get("role") or c.GEN_AI_MESSAGE_ROLES[name]
        messages.read_history(part, [{**fields, "role": role, "content": _content(fields.get("content"))}])
        return part
    messages.set_answer(part, answer)
    return part


def _choice(fields: dict[str, Any]) -> dict[str, Any]:
    """The message of a choice: an object, JSON text of one, or its content alone."""
    message = decode(fields.get("message"))
    if not (isinstance(message, dict) and message.keys() & _MESSAGE_KEYS):
        message = {"content": _content(fields.get("message"))} if "message" in fields else fields
    return {"finish_reason": fields.get("finish_reason"), **message, "role": "assistant"}


def _content(content: Any) -> Any:
    """The content: text, or the content blocks that some write as JSON text."""
    decoded = decode(content)
    return decoded if isinstance(decoded, list) and all(isinstance(x, dict) for x in decoded) else content
