"""Chat messages, told apart by their shape: whatever attribute or event held them.

Read are GenAI parts, OpenAI chat and responses items, Anthropic and Bedrock content blocks, Gemini
parts, LangChain serialisations, AI SDK content parts and Haystack messages. Nothing here raises.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from collector.derive.canonical import Message, ModelCall, OfferedTool, ProposedCall, ToolResult
from collector.dialects.cut import read_cut
from collector.dialects.decode import decode, decode_object, text_of
from collector.dialects.results import read_result

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "developer": "system",
    "function": "tool",
    "HumanMessage": "user",
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "function_call": "assistant",
    "reasoning": "assistant",
    "function_call_output": "tool",
    "tool-call": "assistant",  # smolagents
    "tool-response": "tool",
}
_RESPONSE_ITEMS = frozenset(["function_call", "function_call_output"])
_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "parameters_json_schema", "parametersJsonSchema")
_TEXT_TYPES = frozenset(["text", "output_text", "input_text"])
_MAX_NAME = 200
_MAX_LITERAL = 100_000
"""Characters: parsing Python takes some hundred times the memory of its text."""
_REASONING_TYPES = frozenset(["reasoning", "thinking"])


def as_list(value: Any) -> list[Any]:
    """The messages in `value`: a list, one message, or JSON text of either, also text that was cut;
    [] for anything else."""
    return _listed(value)[0]


def _listed(value: Any) -> tuple[list[Any], bool]:
    """The messages in `value`, and whether later ones may have been cut off."""
    value = decode(value)
    cut = isinstance(value, str) and value.lstrip()[:1] in {"[", "{"}
    if cut:
        value = read_cut(value)
    if isinstance(value, dict):
        inner = value.get("messages")
        value = inner if isinstance(inner, list) else [value]
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]  # LangChain's batch of one conversation
    return (value, cut) if isinstance(value, list) else ([], False)


def role_of(raw: Any) -> str:
    """The role of one message, without reading the rest of it."""
    if not isinstance(raw, dict):
        return "user"
    role = raw.get("role")
    if not role or not isinstance(role, str):
        role = raw.get("type")
        if role == "constructor" and isinstance(raw.get("id"), list) and raw["id"]:
            role = raw["id"][-1]
        if not isinstance(role, str):
            return ""
    return _ROLES.get(role, role)


def parse(raw: Any) -> Message:
    """One message of any known shape."""
    if not isinstance(raw, dict):
        return Message("user", text_of(raw))
    message = Message(role_of(raw))
    if "content" not in raw and "parts" not in raw:
        raw = _unwrapped(raw)
    parts = raw.get("parts")
    if isinstance(parts, list):
        _add_content(message, parts)
    elif text_of(raw.get("type")) in _RESPONSE_ITEMS:
        _add_part(message, raw)
    else:
        _add_content(message, raw.get("content"))
    if reasoning := raw.get("reasoning_content") or raw.get("reasoning"):
        message.reasoning = "\n".join(filter(None, (message.reasoning, text_of(reasoning))))
    if "tool_calls" in raw or "function_call" in raw:
        _add_tool_calls(message, raw)
    if finish_reason := raw.get("finish_reason"):
        message.finish_reason = text_of(finish_reason)
    if message.role == "tool" and not message.results:
        _take_result(message, raw)
    return message


def output(raws: Sequence[Any]) -> Message:
    """The model's answer: all messages of an output list as one."""
    whole = Message("assistant")
    texts, thoughts = [], []
    for raw in raws:
        part = parse(raw)
        if part.role in {"tool", "user"} and not part.calls:
            continue
        if part.text:
            texts.append(part.text)
        if part.reasoning:
            thoughts.append(part.reasoning)
        whole.calls.extend(part.calls)
        whole.finish_reason = whole.finish_reason or part.finish_reason
    whole.text, whole.reasoning = "\n".join(texts), "\n".join(thoughts)
    return whole


def set_answer(call: ModelCall, answer: Message) -> None:
    """Give `call` what the model answered; a finish reason that it has already stands."""
    call.text, call.reasoning, call.calls = answer.text, answer.reasoning, answer.calls
    call.finish_reason = call.finish_reason or answer.finish_reason


def tail(raws: Sequence[Any]) -> list[Message]:
    """The messages after the last one of the assistant: what is new in a request."""
    start = len(raws)
    while start and role_of(raws[start - 1]) != "assistant":
        start -= 1
    return [parse(raw) for raw in raws[start:]]


def read_history(call: ModelCall, value: Any) -> None:
    """Give `call` its request's messages: `value` as it came, and of it what is new.

    The newest messages are the last: of a list that was cut, nobody knows what was new.
    """
    history, cut = _listed(value)
    call.input, call.input_length, call.news = value, len(history), [] if cut else tail(history)


def definitions(value: Any) -> list[OfferedTool]:
    """The tools in a list of definitions (GenAI, OpenAI, Anthropic, MCP, Gemini or AI SDK shape), or of
    their names alone."""
    value = decode(value)
    if isinstance(value, list) and all(_is_name(item) for item in value):
        return [OfferedTool(name) for name in value]
    if isinstance(value, dict):
        value = list(value.values())
    items = [decode(item) for item in value] if isinstance(value, list) else []
    tools = [_definition(item) for group in items for item in _declarations(group)]
    return [tool for tool in tools if tool is not None]


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _MAX_NAME and value[0] not in "{["


def _declarations(raw: Any) -> list[Any]:
    """What Gemini groups under one key; anything else is a definition by itself."""
    if isinstance(raw, dict):
        for key in ("functionDeclarations", "function_declarations"):
            if isinstance(grouped := raw.get(key), list):
                return grouped
    return [raw]


def _definition(raw: Any) -> OfferedTool | None:
    if not isinstance(raw, dict):
        return None
    function = raw.get("function")
    body = function if isinstance(function, dict) else raw
    name = body.get("name")
    if not name or not isinstance(name, str):
        return None
    schema = next(
        (decoded for key in _SCHEMA_KEYS if isinstance(decoded := decode(body.get(key)), dict)),
        None,
    )
    description = body.get("description")
    return OfferedTool(name, description if isinstance(description, str) else "", schema)


def arguments_of(value: Any) -> Any:
    """The arguments of a call: decoded where they are JSON, else the text; blank text is no argument."""
    if isinstance(value, str):
        return decode_object(value) if value.strip() else {}
    return value


def executed_arguments(value: Any) -> Any:
    """The arguments on a tool's span, out of what a framework wraps around them."""
    value = arguments_of(value)
    if isinstance(value, dict):
        if "input_str" in value:  # LangChain callbacks
            if isinstance(value.get("inputs"), dict):
                return value["inputs"]
            if "tags" in value and "metadata" in value:
                return _literal(value["input_str"])
        if value.keys() == {"args", "kwargs"} and isinstance(value["kwargs"], dict):  # decorated functions
            args, named = value["args"], value["kwargs"]
            if args == []:
                return named
            if not named and isinstance(args, list) and len(args) == 1 and isinstance(args[0], dict):
                return args[0]
    return value


def _literal(text: Any) -> Any:
    """The object in JSON text or in a Python literal, else the text as it came."""
    value = arguments_of(text)
    if isinstance(value, str) and value.startswith("{") and len(value) <= _MAX_LITERAL:
        try:
            literal = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return value
        return literal if isinstance(literal, dict) else value
    return value


def _unwrapped(raw: dict[str, Any]) -> dict[str, Any]:
    """A LangChain serialisation's own fields."""
    for key in ("kwargs", "data"):
        inner = raw.get(key)
        if isinstance(inner, dict) and "content" in inner:
            return inner
    return raw


def _add_content(message: Message, content: Any) -> None:
    if isinstance(content, str):
        message.text = content
    elif isinstance(content, list):
        texts, thoughts = [], []
        for part in content:
            _add_part(message, part)
            if message.text:
                texts.append(message.text)
                message.text = ""
            if message.reasoning:
                thoughts.append(message.reasoning)
                message.reasoning = ""
        message.text, message.reasoning = "\n".join(texts), "\n".join(thoughts)
    elif isinstance(content, dict):
        _add_part(message, content)


def _add_part(message: Message, part: Any) -> None:
    """Give `message`, of one part, what that is: a text, a thought, a call or a result."""
    if isinstance(part, str):
        message.text = part
        return
    if not isinstance(part, dict):
        return
    kind = part.get("type", part.get("kind"))  # Pydantic AI 1.x says `kind`
    if not isinstance(kind, str):
        _add_untyped(message, part)
    elif kind in _TEXT_TYPES:
        text = part.get("content") if "content" in part else part.get("text")
        message.text = text_of(text)
    elif kind == "tool_call":
        _add_call(message, part.get("id"), part.get("name"), _either(part, "arguments", "args"))
    elif kind == "tool_call_response":
        _add_result(message, part.get("id"), part.get("name"), _either(part, "response", "result"))
    elif kind in _REASONING_TYPES:
        text = part.get("content") or part.get("thinking") or part.get("text") or ""
        message.reasoning = text_of(text)
    elif kind == "tool_use":
        _add_call(message, part.get("id"), part.get("name"), part.get("input"))
    elif kind == "tool_result":
        _add_result(message, part.get("tool_use_id"), None, part.get("content"), part.get("is_error") is True)
    elif kind == "tool-call":
        _add_call(message, part.get("toolCallId"), part.get("toolName"), _either(part, "input", "args"))
    elif kind == "tool-result":
        _add_result(message, part.get("toolCallId"), part.get("toolName"), _either(part, "output", "result"))
    elif kind == "function_call":
        _add_call(message, part.get("call_id"), part.get("name"), part.get("arguments"))
    elif kind == "function_call_output":
        _add_result(message, part.get("call_id"), None, part.get("output"))
    else:
        _add_untyped(message, part)


def _add_untyped(message: Message, part: dict[str, Any]) -> None:
    """Bedrock, Gemini and Haystack name a part by its only key."""
    if isinstance(use := part.get("toolUse"), dict):
        _add_call(message, use.get("toolUseId"), use.get("name"), use.get("input"))
    elif isinstance(result := part.get("toolResult"), dict):
        failed = result.get("status") == "error"
        _add_result(message, result.get("toolUseId"), None, result.get("content"), failed)
    elif isinstance(call := _either(part, "functionCall", "function_call"), dict):
        _add_call(message, call.get("id"), call.get("name"), call.get("args"))
    elif isinstance(answer := _either(part, "functionResponse", "function_response"), dict):
        _add_result(message, answer.get("id"), answer.get("name"), answer.get("response"))
    elif isinstance(call := part.get("tool_call"), dict):  # Haystack
        _add_call(message, call.get("id"), call.get("tool_name"), call.get("arguments"))
    elif isinstance(answer := part.get("tool_call_result"), dict):
        origin = answer.get("origin")
        call = origin if isinstance(origin, dict) else {}
        failed = answer.get("error") is True
        _add_result(message, call.get("id"), call.get("tool_name"), answer.get("result"), failed)
    elif isinstance(thought := part.get("reasoning"), dict):
        message.reasoning = text_of(thought.get("reasoning_text"))
    elif isinstance(reasoning := part.get("reasoningContent"), dict):
        inner = reasoning.get("reasoningText")
        text = inner.get("text") if isinstance(inner, dict) else None
        message.reasoning = text_of(text)
    elif isinstance(text := part.get("text"), str):
        if part.get("thought") is True:
            message.reasoning = text
        else:
            message.text = text


def _add_tool_calls(message: Message, raw: dict[str, Any]) -> None:
    """OpenAI's `tool_calls` and its older `function_call`, LangChain's `tool_calls`."""
    calls = decode(raw.get("tool_calls"))
    if isinstance(calls, list) and not message.calls:
        for call in calls:
            if isinstance(call, dict):
                inner = call.get("function")
                function = inner if isinstance(inner, dict) else call
                _add_call(
                    message, call.get("id"), function.get("name"), _either(function, "arguments", "args")
                )
    legacy = raw.get("function_call")
    if isinstance(legacy, dict):
        _add_call(message, None, legacy.get("name"), legacy.get("arguments"))


def _take_result(message: Message, raw: dict[str, Any]) -> None:
    """The content of a tool's message is its result, not something said."""
    call_id = raw.get("tool_call_id") or raw.get("id")
    content = raw.get("content")
    if content is not None or "parts" in raw:
        content = content if isinstance(content, dict) else message.text
    _add_result(message, call_id, raw.get("name"), content, raw.get("status") == "error")
    message.text = ""


def _add_call(message: Message, call_id: Any, name: Any, arguments: Any) -> None:
    if isinstance(name, str) and name:
        message.calls.append(ProposedCall(_id(call_id), name, arguments_of(arguments)))


def _add_result(message: Message, call_id: Any, name: Any, value: Any, failed: bool = False) -> None:
    text, is_error = read_result(value)
    message.results.append(
        ToolResult(_id(call_id), name if isinstance(name, str) else "", text, failed or is_error)
    )


def _id(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else text_of(value)


def _either(mapping: dict[str, Any], one: str, other: str) -> Any:
    return mapping[one] if one in mapping else mapping.get(other)
