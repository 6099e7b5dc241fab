"""Hand-made telemetry: plain spans named `tool_call`, one for each call.

A span named `tool_call_start` is a call too, unless a `tool_call` of the same tool and arguments follows.

| provides | from |
| --- | --- |
| tool, arguments, result, call id, agent | `tool.name`/`name`, `tool.args`/`args`, `tool.result`, … |
| round | `agent.round.index`, `round_idx`, `round` |
| error | span status and exception, or the result's own words |

Not provided: what the model said, tokens, offered tools.
"""

from __future__ import annotations

from collections.abc import Sequence

from collector import conventions as c
from collector.derive.canonical import Record, ToolExecution
from collector.dialects.decode import first, first_text, identifier, ordinal
from collector.dialects.dialect import Dialect
from collector.dialects.messages import arguments_of
from collector.dialects.results import set_result
from collector.dialects.spans import error_of
from collector.records import SpanRecord

NAME = "toolspan"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A plain tool span as an execution; None for a span of any other name."""
    if span.name not in c.PLAIN_TOOL_SPANS:
        return None
    attributes = span.attributes
    tool = first_text(attributes, c.PLAIN_TOOL_NAME)
    if not tool:
        return ()
    execution = ToolExecution(
        *span.place,
        tool=tool,
        call_id=identifier(first(attributes, c.PLAIN_TOOL_CALL_ID)),
        arguments=arguments_of(first(attributes, c.PLAIN_TOOL_ARGUMENTS)),
        agent_name=first_text(attributes, c.PLAIN_AGENT_NAME),
        round_hint=ordinal(first(attributes, c.ROUND_INDEX)),
        unfinished=span.name == c.PLAIN_TOOL_START,
    )
    set_result(execution, first(attributes, c.PLAIN_TOOL_RESULT), error_of(span))
    return (execution,)


TOOLSPAN = Dialect(NAME, read_span)
