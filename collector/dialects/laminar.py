"""Laminar, as the OpenHands SDK uses it: the role of a span in `lmnr.span.type`.

Source of the names: Laminar's documentation and public source (lmnr-python, sdk/laminar and
opentelemetry_lib/tracing/attributes.py), and OpenHands' public source (openhands-sdk,
observability/laminar.py). Checked against payloads of the OpenHands SDK 1.58 with lmnr 0.7.66.

| provides | from |
| --- | --- |
| model calls | type `LLM`: the GenAI attributes, see `genai`; or `lmnr.span.input`, `lmnr.span.output` |
| tool executions | type `TOOL`: `lmnr.span.input`, `lmnr.span.output`, `….metadata.tool_call_id` |
| agents | OpenHands' spans `conversation`, `conversation.run`, `agent.step`, without a name |
| offered tools | `gen_ai.tool.definitions` |
| tokens | `gen_ai.usage.*` of the innermost model span |

OpenHands names a tool's span after the class of its action (`TerminalAction`): the name that the model
used is that of its proposal; only where that is lost, it is made from the class (`terminal`). An action
holds its defaults and its class (`kind`) beside the arguments. A call that did not validate has the
model's words under `tool_input`, and its error as text.

Model calls of OpenHands' own housekeeping (a conversation's title, a condensed history) name their
`openhands.operation`: each is an agent of its own, so that it is no round of the conversation's.

Not provided: agents' names, finish reasons, the server's address.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import answers, messages
from collector.dialects.decode import decode, first, first_text, identifier, ordinal
from collector.dialects.dialect import Dialect
from collector.dialects.genai_call import read_call
from collector.dialects.results import call_id_in, set_result
from collector.dialects.spans import error_of
from collector.records import SpanRecord

NAME = "laminar"

_TYPE = "lmnr.span.type"
_INPUT = "lmnr.span.input"
_OUTPUT = "lmnr.span.output"
_CALL_ID = (*c.GEN_AI_TOOL_CALL_ID, "lmnr.association.properties.metadata.tool_call_id")
_OPERATION = ("lmnr.association.properties.metadata.openhands.operation",)
_AGENT_SPANS = frozenset(["conversation", "conversation.run", "agent.step"])
_ACTION = "Action"
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """A Laminar span by its type."""
    match span.attributes.get(_TYPE):
        case "LLM":
            return _model_call(span)
        case "TOOL":
            return _execution(span)
        case str():
            if span.name not in _AGENT_SPANS:
                return ()
            return (AgentSpan(*span.place),)
        case _:
            return None


def _model_call(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    call = ModelCall(
        *span.place,
        agent_name=first_text(attributes, _OPERATION),
        error=error_of(span) or "",
        emitter_step=ordinal(first(attributes, c.ROUND_INDEX[:2])),
    )
    read_call(call, attributes)
    if not (call.text or call.calls or call.reasoning) and _OUTPUT in attributes:
        answer = answers.read_answer(attributes[_OUTPUT])
        messages.set_answer(call, answer)
    if not call.input_length and _INPUT in attributes:
        answers.read_request(call, attributes[_INPUT])
    known = call.model or call.text or call.calls or call.error or call.input_length
    return (call,) if known else ()  # a span around the client's own, which says it all


def _execution(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    value = attributes.get(_OUTPUT)
    name, arguments = _requested(span.name, messages.executed_arguments(attributes.get(_INPUT)))
    call_id = identifier(first(attributes, _CALL_ID)) or call_id_in(value)
    execution = ToolExecution(
        *span.place,
        tool="" if call_id else name,
        requested=name,
        call_id=call_id,
        arguments=arguments,
    )
    set_result(execution, value, error_of(span))
    return (execution,)


def _requested(span_name: str, value: Any) -> tuple[str, Any]:
    """The name and the arguments of a call, as near to the model's own words as its span has them."""
    name = span_name
    if span_name.endswith(_ACTION) and span_name != _ACTION:
        name = _WORD.sub("_", span_name.removesuffix(_ACTION)).lower()
    if not isinstance(value, dict):
        return name, value
    action, given = decode(value.get("action")), decode(value.get("tool_input"))
    if isinstance(action, dict) and len(value) == 1:
        return name, {key: item for key, item in action.items() if key != "kind"}
    if isinstance(given, dict) and isinstance(given.get("name"), str):
        return given["name"], messages.arguments_of(given.get("arguments"))
    return name, value


LAMINAR = Dialect(NAME, read_span, keys=frozenset([_TYPE]))
