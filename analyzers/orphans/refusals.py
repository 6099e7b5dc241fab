"""How model servers and frameworks refuse a history in which calls and results do not pair.

The wordings are those of their own messages: OpenAI (Chat Completions and Responses), Anthropic, Bedrock,
Gemini, Mistral, LangGraph, and the chat templates that vLLM and llama.cpp run.
"""

from __future__ import annotations

import re

_LOOKED_AT = 2_000

_NO_RESULT = re.compile(
    r"tool_call_ids did not have response messages"
    r"|must be followed by tool messages responding to each"
    r"|no tool output found for (?:function|custom tool|tool) call"
    r"|`?tool_use`? ids were found without `?tool_result`? blocks"
    r"|expected toolresult blocks at messages"
    r"|not the same number of function calls and responses"
    r"|number of function response parts is equal to the number of function call parts"
    r"|tool_calls that do not have a corresponding toolmessage",
    re.IGNORECASE,
)
_NO_CALL = re.compile(
    r"role '?\"?tool'?\"? must be a response to a prec"
    r"|no tool call found for (?:function|custom tool|tool) call output"
    r"|unexpected `?tool_use_id`? found in `?tool_result`? blocks"
    r"|toolresult blocks at .{0,40} exceeds the number of tooluse blocks"
    r"|function response turn comes immediately after a function call turn"
    r"|tool role, but there was no previous assistant message with a tool call",
    re.IGNORECASE,
)


def refused(error: str) -> str:
    """`call_without_result` or `result_without_call` where the error of a model request says so, else ""."""
    text = error[:_LOOKED_AT]
    if _NO_RESULT.search(text):
        return "call_without_result"
    return "result_without_call" if _NO_CALL.search(text) else ""
