"""MLflow Tracing: its own attributes, each of them JSON, the role of a span in `mlflow.spanType`.

Source of the names: MLflow's public source (mlflow/tracing/constant.py, mlflow/entities/span.py) and
its documentation, MLflow Tracing. Checked against payloads of MLflow 3.17.2 with the OpenAI autolog.
With `MLFLOW_ENABLE_OTEL_GENAI_SEMCONV=true` it writes the GenAI conventions instead (see `genai`), without
call ids and names of tools.

| provides | from |
| --- | --- |
| model calls | types `CHAT_MODEL` and `LLM`: `mlflow.spanInputs`, `mlflow.spanOutputs` |
| tool executions | type `TOOL`: `mlflow.spanFunctionName`, `mlflow.spanInputs`, `mlflow.spanOutputs` |
| agents | type `AGENT`: the span's name |
| offered tools | `mlflow.chat.tools`, or `tools` of the inputs |
| tokens | `mlflow.chat.tokenUsage` of the model spans |

A tool's inputs are its bound parameters: what the model left out is there with its default. A call is
joined with its proposal by name, arguments and time.

Not provided: call ids on tool spans; the server's address; a session in 3.17, where it stays in MLflow's own
metadata (later versions write `session.id` on the root span).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector import conventions as c
from collector.derive.canonical import AgentSpan, ModelCall, Record, ToolExecution
from collector.dialects import answers, messages
from collector.dialects.decode import count, decode, first, ordinal
from collector.dialects.dialect import Dialect
from collector.dialects.results import call_id_in, set_result
from collector.dialects.spans import error_of
from collector.records import SpanRecord

NAME = "mlflow"

_TYPE = "mlflow.spanType"
_INPUTS = "mlflow.spanInputs"
_OUTPUTS = "mlflow.spanOutputs"
_FUNCTION = "mlflow.spanFunctionName"
_MODEL = "mlflow.llm.model"
_PROVIDER = "mlflow.llm.provider"
_TOOLS = "mlflow.chat.tools"
_USAGE = "mlflow.chat.tokenUsage"


def read_span(span: SpanRecord) -> Sequence[Record] | None:
    """An MLflow span by its type."""
    if _TYPE not in span.attributes:
        return None
    match _text(span, _TYPE):
        case "CHAT_MODEL" | "LLM":
            return _model_call(span)
        case "TOOL":
            return _execution(span)
        case "AGENT":
            return (AgentSpan(*span.place, span.name),)
        case _:
            return ()


def _model_call(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    answer = answers.read_answer(attributes.get(_OUTPUTS))
    usage = decode(attributes.get(_USAGE))
    if not isinstance(usage, dict):
        usage = {}
    call = ModelCall(
        *span.place,
        model=_text(span, _MODEL),
        provider=_text(span, _PROVIDER),
        finish_reason=answer.finish_reason,
        text=answer.text,
        reasoning=answer.reasoning,
        error=error_of(span) or "",
        calls=answer.calls,
        definitions=attributes.get(_TOOLS),
        input_tokens=count(usage.get("input_tokens")),
        output_tokens=count(usage.get("output_tokens")),
        emitter_step=ordinal(first(attributes, c.ROUND_INDEX[:2])),
    )
    answers.read_request(call, attributes.get(_INPUTS))
    return (call,)


def _execution(span: SpanRecord) -> Sequence[Record]:
    attributes = span.attributes
    value = _value(attributes.get(_OUTPUTS))
    execution = ToolExecution(
        *span.place,
        tool=_text(span, _FUNCTION) or span.name,
        call_id=call_id_in(value),
        arguments=messages.executed_arguments(attributes.get(_INPUTS)),
    )
    set_result(execution, value, error_of(span))
    return (execution,)


def _value(value: Any) -> Any:
    """An attribute's value; a function that returned nothing has the text `null`."""
    return None if value == "null" else value


def _text(span: SpanRecord, key: str) -> str:
    value = decode(span.attributes.get(key))
    return value if isinstance(value, str) else ""


MLFLOW = Dialect(NAME, read_span, keys=frozenset([_TYPE]))
