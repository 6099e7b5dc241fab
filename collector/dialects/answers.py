"""What went to a model and what came back, where an attribute holds the request or the response whole.

Instrumentations that know no provider write what they were given: the arguments of the client's call
and its answer. Read are the responses of OpenAI (chat, completions, responses), Anthropic, Gemini,
Bedrock and Ollama, LangChain's `LLMResult`, Haystack's `replies`, and plain messages and texts.
Nothing here raises.
"""

from __future__ import annotations

from typing import Any

from collector.derive.canonical import Message, ModelCall
from collector.dialects import messages
from collector.dialects.cut import read_cut
from collector.dialects.decode import decode, text_of

_MAX_DEPTH = 4
_FINISH_KEYS = ("finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason")
_WRAPPERS = ("message", "output", "response", "content")
_MESSAGE_KEYS = frozenset(["role", "parts", "tool_calls", "function_call", "kwargs", "data"])
_HISTORY_KEYS = ("messages", "contents", "input", "prompts", "prompt")
_TOOLS_KEYS = ("tools", "functions", "toolConfig")


def read_answer(value: Any) -> Message:
    """What the model answered, from its response in any known shape.

    A value of no known shape is what the model said: its text, or its JSON.
    """
    return _answer(_decoded(value), 0)


def read_request(call: ModelCall, value: Any) -> None:
    """Give `call` the messages and the offered tools of its request."""
    request = _decoded(value)
    history = value if isinstance(request, list) else request
    if isinstance(request, dict):
        key = next((key for key in _HISTORY_KEYS if request.get(key)), "")
        history = value if key in {"", "messages"} else request[key]
        tools = next((request[key] for key in _TOOLS_KEYS if request.get(key)), None)
        call.definitions = call.definitions or tools
    elif isinstance(request, str) and request:
        history = [{"role": "user", "content": request}]
    if isinstance(history, str) and history is not value:
        history = [{"role": "user", "content": history}]
    messages.read_history(call, history)


def _decoded(value: Any) -> Any:
    """`value` decoded, also where it was cut."""
    value = decode(value)
    if isinstance(value, str) and value[:1] in {"{", "["}:
        return read_cut(value) or value
    return value


def _answer(value: Any, depth: int) -> Message:
    if isinstance(value, list):
        return messages.output(value)
    if not isinstance(value, dict) or depth > _MAX_DEPTH:
        return Message("assistant", text_of(value))
    for key in ("choices", "candidates", "replies"):
        if isinstance(value.get(key), list):
            return _first_of(value[key], depth)
    if isinstance(value.get("generations"), list):
        batch = value["generations"]
        return _first_of(batch[0] if batch and isinstance(batch[0], list) else batch, depth)
    return _message(value, depth)


def _first_of(alternatives: list[Any], depth: int) -> Message:
    """The first of several answers to one request: the one that agents go on with."""
    return _answer(alternatives[0], depth + 1) if alternatives else Message("assistant")


def _message(value: dict[str, Any], depth: int) -> Message:
    """One message, or what is wrapped around one together with the reason why it ended."""
    if value.keys() & _MESSAGE_KEYS or isinstance(value.get("content"), str | list):
        answer = messages.parse({"role": "assistant", **value})
    else:
        inner = next((value[key] for key in _WRAPPERS if isinstance(value.get(key), dict | list)), None)
        if inner is not None:
            answer = _answer(inner, depth + 1)
        elif isinstance(value.get("text"), str):
            answer = Message("assistant", value["text"])
        elif isinstance(value.get("output"), str):
            answer = Message("assistant", value["output"])
        else:
            answer = Message("assistant", text_of(value) if value else "")
    answer.finish_reason = answer.finish_reason or _finish_reason(value)
    return answer


def _finish_reason(value: dict[str, Any]) -> str:
    for holder in (value, value.get("generation_info"), value.get("response_metadata"), value.get("meta")):
        if isinstance(holder, dict):
            found = next((holder[key] for key in _FINISH_KEYS if isinstance(holder.get(key), str)), "")
            if found:
                return found
    return ""
