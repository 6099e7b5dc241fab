"""Semantic Kernel: the GenAI conventions as it writes them, with a plugin's name before each tool's.

Source of the names: Semantic Kernel's public source (utils/telemetry, functions/kernel_function) and
its documentation of observability. Checked against payloads of Semantic Kernel for Python 1.45;
`chat.completions` and its events on spans, as older versions wrote them, from the source alone.

| provides | from |
| --- | --- |
| model calls, messages | `chat` spans; log records `gen_ai.*.message`, `gen_ai.choice`, bodies JSON text |
| tool executions | `execute_tool` spans with a call id: `gen_ai.tool.call.{arguments,result}` |
| agents, offered tools | `invoke_agent` spans: `gen_ai.agent.name`, `gen_ai.tool.definitions` |

What the model asks for is recorded without its plugin's name, spans and definitions have it
(`tools-shell_exec`): it is taken off everywhere, so two plugins' functions of one name look alike.

Not provided: a session; messages and arguments without the `…_SENSITIVE` switch. Functions that the
application invokes itself (prompt functions, template calls) have no call id and are no tool calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import genai, genai_events
from collector.dialects.decode import decode, first_text
from collector.dialects.dialect import Dialect
from collector.records import LogRecord, SpanRecord

NAME = "semantic_kernel"

_SCOPES = ("semantic_kernel.", "Microsoft.SemanticKernel")
_OLD_OPERATIONS = {"chat.completions": "chat", "text.completions": "text_completion"}
_FINISH_REASON = "gen_ai.response.finish_reason"
_SEPARATOR = "-"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A GenAI span of Semantic Kernel's own scopes; None for any other."""
    if not span.scope_name.startswith(_SCOPES):
        return None
    operation = span.attributes.get(c.GEN_AI_OPERATION)
    if isinstance(operation, str) and operation in _OLD_OPERATIONS:
        span = replace(span, attributes={**span.attributes, c.GEN_AI_OPERATION: _OLD_OPERATIONS[operation]})
    records = genai.read_span(span)
    for record in records or ():
        if isinstance(record, ModelCall):
            record.finish_reason = record.finish_reason or first_text(span.attributes, (_FINISH_REASON,))
        elif isinstance(record, ToolExecution):
            if not record.call_id:
                return ()
            record.tool = _bare(record.tool)
        elif isinstance(record, AgentSpan):
            record.definitions = _bare_definitions(record.definitions)
    return records


def read_log(log: LogRecord) -> Sequence[Record] | None:
    """An event of a model call by Semantic Kernel; None for any other log record."""
    if not log.scope_name.startswith(_SCOPES):
        return None
    return genai_events.read_log(log)


def _bare(name: str) -> str:
    """A function's name without its plugin's; neither can hold the separator."""
    return name.rpartition(_SEPARATOR)[2]


def _bare_definitions(value: Any) -> Any:
    decoded = decode(value)
    if not isinstance(decoded, list):
        return value
    return [_bare_definition(decode(item)) for item in decoded]


def _bare_definition(item: Any) -> Any:
    function = item.get("function") if isinstance(item, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return item
    return {**item, "function": {**function, "name": _bare(function["name"])}}


SEMANTIC_KERNEL = Dialect(NAME, read_span, read_log, scopes=_SCOPES)
