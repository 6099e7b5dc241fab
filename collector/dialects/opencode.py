"""opencode: the AI SDK's spans, its own `Tool.execute` spans, and the log records that name its agents.

Source of the names: opencode's public source (packages/opencode/src: session, tool) and the AI SDK's
documentation. Checked against payloads of opencode 1.18.

| provides | from |
| --- | --- |
| model calls, tokens, offered tools | the AI SDK's spans, see `aisdk` |
| tool executions | `ai.toolCall`, and `Tool.execute` (`tool.name`, `tool.call_id`): one call |
| results | the `output` of a tool's `{title, output, metadata}`, which is what the model is given |
| agents | log records `["stream", {"agent": …}]` on the span `LLM.run`; `SessionPrompt.ensureTitle` |

All other spans are internal. Without `experimental.openTelemetry` in its settings only `Tool.execute`
is written: no arguments, no results, no model calls.

Not provided: the agent of model calls whose log record is lost (what it does at the end of a
non-interactive run is not exported); they belong to the agent whose calls' results they are given.
"""

from __future__ import annotations

from collections.abc import Sequence

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import aisdk
from collector.dialects.decode import decode, first, first_text, identifier, to_json
from collector.dialects.dialect import Dialect
from collector.dialects.spans import error_of
from collector.records import LogRecord, SpanRecord

NAME = "opencode"

_SCOPE = "opencode"
_TOOL_SPAN = "Tool.execute"
_TITLE_SPAN = "SessionPrompt.ensureTitle"
_TITLE_AGENT = "title"
_STREAM_LOG = "stream"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """opencode's own tool and title spans, and the AI SDK's as opencode writes them."""
    if span.scope_name != _SCOPE:
        return None
    if span.name == _TOOL_SPAN:
        return _execution(span)
    if span.name == _TITLE_SPAN:
        return (_agent(*span.place, _TITLE_AGENT),)
    records = aisdk.read_span(span)
    for record in records or ():
        if isinstance(record, AgentSpan):
            record.name = ""  # the function id is the same for every agent
        elif isinstance(record, ModelCall | ToolExecution):
            record.agent_name = ""
        if isinstance(record, ToolExecution):
            record.result = _output(record.result)
    return records


def read_log(log: LogRecord) -> Sequence[Record] | None:
    """The record that begins a model's answer says which agent asked."""
    if log.scope_name != _SCOPE or not isinstance(log.body, list) or log.body[:1] != [_STREAM_LOG]:
        return None
    fields = decode(log.body[1]) if len(log.body) > 1 else None
    name = fields.get("agent") if isinstance(fields, dict) else None
    if not (name and isinstance(name, str) and log.span_id):
        return ()
    return (_agent(log.trace_id, log.span_id, log.time_ns, log.time_ns, name),)


def _agent(trace_id: str, span_id: str, start_ns: int, end_ns: int, name: str) -> AgentSpan:
    return AgentSpan(trace_id, span_id, start_ns, end_ns, name)


def _execution(span: SpanRecord) -> Sequence[Record]:
    error = error_of(span)
    return (
        ToolExecution(
            *span.place,
            tool=first_text(span.attributes, (c.OI_TOOL_NAME,)),
            call_id=identifier(first(span.attributes, c.OI_TOOL_CALL_ID)),
            is_error=error is not None,
            error=error,
        ),
    )


def _output(result: str | None) -> str | None:
    """What the model is given of a tool's `{title, output, metadata}`."""
    fields = decode(result) if result and result[:1] == "{" else None
    if not isinstance(fields, dict) or "output" not in fields or "metadata" not in fields:
        return result
    output = fields["output"]
    return output if isinstance(output, str) else to_json(output)


OPENCODE = Dialect(NAME, read_span, read_log, scopes=(_SCOPE,))
