"""OpenTelemetry GenAI conventions: the attributes of one model call, on its span or on an event.

Three generations: message JSON (`gen_ai.output.messages`), indexed attributes
(`gen_ai.completion.N.*`, written by OpenLLMetry), and neither, where content is not captured.
"""

from __future__ import annotations

from typing import Any

from collector import conventions as c
from collector.derive.canonical import ModelCall
from collector.dialects import messages
from collector.dialects.decode import count, decode, first, first_text
from collector.dialects.indexed import IndexedMessages

_INDEXED = IndexedMessages(c.GEN_AI_COMPLETION_PREFIX, c.GEN_AI_PROMPT_PREFIX, c.LLM_FUNCTIONS_PREFIX)


def read_call(call: ModelCall, attributes: dict[str, Any]) -> None:
    """Fill `call` from the attributes of its span, or of an event that describes all of it."""
    call.model = first_text(attributes, (c.GEN_AI_RESPONSE_MODEL, c.GEN_AI_REQUEST_MODEL))
    call.provider = first_text(attributes, (c.GEN_AI_PROVIDER, c.GEN_AI_SYSTEM))
    call.server_address = first_text(attributes, (c.SERVER_ADDRESS,))
    call.input_tokens = count(first(attributes, c.GEN_AI_INPUT_TOKENS))
    call.output_tokens = count(first(attributes, c.GEN_AI_OUTPUT_TOKENS))
    call.definitions = attributes.get(c.GEN_AI_TOOL_DEFINITIONS)
    if c.GEN_AI_OUTPUT_MESSAGES in attributes or c.GEN_AI_INPUT_MESSAGES in attributes:
        answer = messages.output(messages.as_list(attributes.get(c.GEN_AI_OUTPUT_MESSAGES)))
        messages.read_history(call, attributes.get(c.GEN_AI_INPUT_MESSAGES))
    else:
        (answers, _), (history, call.headless), (tools, _) = _INDEXED.read(attributes)
        messages.read_history(call, history)
        answer = messages.output(answers)
        call.definitions = call.definitions or tools
    call.finish_reason = _finish_reason(attributes.get(c.GEN_AI_FINISH_REASONS))
    messages.set_answer(call, answer)


def _finish_reason(value: Any) -> str:
    """The first of the finish reasons: a list, JSON text of one, or a bare word."""
    value = decode(value)
    if isinstance(value, list):
        value = value[0] if value else ""
    return value if isinstance(value, str) else ""
