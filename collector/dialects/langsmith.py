"""LangSmith: the spans of its OpenTelemetry exporter, the role of a span in `langsmith.span.kind`.

Source of the names: LangSmith's documentation, Trace with OpenTelemetry (attribute mapping), and the
public source of its Python SDK (_internal/otel/_otel_exporter.py). Checked against payloads of
LangChain 1.5 with `LANGSMITH_OTEL_ENABLED`.

| provides | from |
| --- | --- |
| model calls | kind `llm`: `gen_ai.prompt`, `gen_ai.completion`: request and response as JSON |
| tool executions | kind `tool`: `gen_ai.tool.{name,call.id}`, arguments and result in the same two |
| agents | LangChain's `langsmith.metadata.lc_agent_name` |
| offered tools | `gen_ai.tool.definitions`, or `tools` of the request |
| tokens | `gen_ai.usage.*` of `llm` spans |

Hand-made spans may hold the indexed attributes or message lists of `genai` instead; they are read too.

`LANGSMITH_HIDE_INPUTS` and `LANGSMITH_HIDE_OUTPUTS` leave `{}`: a call without arguments looks the same
on its span, and is told by its proposal.

Not provided: the server's address; a session, unless the application puts `thread_id` or `session_id`
into the run's metadata (`langsmith.trace.session_name` is a project, not a session).
`gen_ai.system` is guessed from the model's name: LangChain's own `ls_provider` counts before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import answers, messages
from collector.dialects.decode import first, first_text, identifier, ordinal
from collector.dialects.dialect import Dialect
from collector.dialects.genai_call import read_call
from collector.dialects.results import call_id_in, set_result
from collector.dialects.spans import error_of
from collector.records import SpanRecord

NAME = "langsmith"

_KIND = "langsmith.span.kind"
_AGENT = ("langsmith.metadata.lc_agent_name",)
_PROVIDER = ("langsmith.metadata.ls_provider",)
_TRACEBACK = "Traceback (most recent call last):"
_NOTHING = "{}"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A LangSmith run by its kind."""
    kind = span.attributes.get(_KIND)
    if not isinstance(kind, str):
        return None
    match kind.lower():
        case "llm":
            return _model_call(span)
        case "tool":
            return _execution(span)
        case "chain" if span.name == first_text(span.attributes, _AGENT):
            return (AgentSpan(*span.place, span.name),)
        case _:
            return ()


def _model_call(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    call = ModelCall(
        *span.place,
        agent_name=first_text(attributes, _AGENT),
        error=_error(span) or "",
        emitter_step=ordinal(first(attributes, c.ROUND_INDEX[:2])),
    )
    read_call(call, attributes)
    call.provider = first_text(attributes, _PROVIDER) or call.provider
    if c.GEN_AI_COMPLETION in attributes:
        answer = answers.read_answer(attributes[c.GEN_AI_COMPLETION])
        messages.set_answer(call, answer)
    if c.GEN_AI_PROMPT in attributes:
        answers.read_request(call, attributes[c.GEN_AI_PROMPT])
    return (call,)


def _execution(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    value = _told(first(attributes, (*c.GEN_AI_TOOL_RESULT, c.GEN_AI_COMPLETION)))
    execution = ToolExecution(
        *span.place,
        tool=first_text(attributes, (c.GEN_AI_TOOL_NAME,)) or span.name,
        call_id=identifier(first(attributes, c.GEN_AI_TOOL_CALL_ID)) or call_id_in(value),
        arguments=messages.executed_arguments(
            _told(first(attributes, (*c.GEN_AI_TOOL_ARGUMENTS, c.GEN_AI_PROMPT)))
        ),
        agent_name=first_text(attributes, _AGENT),
    )
    set_result(execution, value, _error(span))
    return (execution,)


def _told(value: Any) -> Any:
    """The inputs or outputs of a run; hidden ones are `{}`, and so are those of a run that failed."""
    return None if value == _NOTHING else value


def _error(span: SpanRecord) -> str | None:
    """Why the run failed: the exception, without the stack trace that LangSmith writes behind it."""
    error = error_of(span)
    return (error.partition(_TRACEBACK)[0].strip() or error) if error else error


LANGSMITH = Dialect(NAME, read_span, keys=frozenset([_KIND]))
