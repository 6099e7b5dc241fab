"""What frameworks and model servers say when they end a run: a cap on its rounds, a context that is full.

The wordings are those of the frameworks' and servers' own messages. Every pattern is bounded in length.
"""

from __future__ import annotations

import re

_LOOKED_AT = 2_000
_MAX_NOTICE = 200  # characters: a longer text tells about a limit, it is not the notice of one
_LEAD = re.compile(
    r"\W{0,3}(?:(?:(?:api )?error\b.{0,20}|sorry, (?:but )?|i(?:'ve| have)? |(?:the )?agent )\W{0,3}){0,2}",
    re.IGNORECASE,
)
_REST = re.compile(r"[^,;\n]{0,60}", re.IGNORECASE)

CAP_REASONS = frozenset(
    {
        "error_max_turns", "exit_cost", "exit_time", "iteration_limit", "max_iterations", "max_rounds",
        "max_steps", "max_tool_calls", "max_turns", "recursion_limit", "step_limit", "turn_limit",
    }
)  # fmt: skip
CONTEXT_REASONS = frozenset(
    {"context_length_exceeded", "context_window_exceeded", "exit_context", "model_context_window_exceeded"}
)

_COUNTED = (
    r"(?:(?:agent |session |conversation )?(?:turn|iteration|step|round)s?"
    r"|(?:tool|llm|api|function|auto invoke) (?:call|attempt)s?)"
)
_LIMITED = r"(?:recursion|iteration|step|turn|round|tool call)[ _]limit"
_MET = r"(?<!not )(?:reached|exceeded|hit)"
_CAP = re.compile(
    # LangGraph, OpenAI Agents, Claude Code, LlamaIndex, ADK, Haystack, OpenHands, AutoGen, smolagents
    rf"\b{_LIMITED}\b.{{0,40}}\b{_MET}\b"
    rf"|\b{_MET} (?:the |its |my )?{_LIMITED}\b"
    rf"|\bmax(?:imum)?\.? (?:number of )?{_COUNTED}\b(?: limit)?.{{0,40}}\b{_MET}\b"
    rf"|\b{_MET} (?:the |its |my )?max(?:imum)?\.? (?:number of )?{_COUNTED}\b"
    # LangChain; LangGraph's prebuilt agent; Pydantic AI; class names of exceptions
    r"|\bstopped due to (?:iteration limit|max iterations|step limit|a time limit)"
    r"|\bneed more steps to process this request"
    r"|\bwould exceed the (?:request|tool_calls)_limit of \d"
    r"|\b(?:GRAPH_RECURSION_LIMIT|GraphRecursionError|MaxTurnsExceeded|MaxIterationsReached)\b",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    # OpenAI and vLLM; Anthropic; Gemini; llama.cpp; Ollama; LM Studio; SGLang; TGI; Bedrock; Cohere; xAI
    r"context_length_exceeded|exceed_context_size_error|model_context_window_exceeded|ContextWindowExceeded"
    r"|maximum context length is|(?:with|than the) maximum (?:context|model) length"
    r"|exceeds? (?:the |this |your )?(?:model'?s? )?(?:available |maximum )?context "
    r"(?:window|size|length|limit)"
    r"|(?:larger|longer) than (?:the )?(?:model'?s? )?(?:maximum )?context (?:window|size|length)"
    r"|prompt is too long|input is too long for (?:the )?requested model"
    r"|input token count.{0,40}exceeds the maximum number of (?:input )?tokens"
    r"|`?inputs`? tokens \+ `?max_new_tokens`? must be <="
    r"|when context the overflows|reached context length of \d"
    r"|number of tokens in the prompt cannot exceed|maximum prompt length is \d"
    r"|too large for model with \d+ maximum context|reduce the length of the messages"
    r"|context window exceeded",
    re.IGNORECASE,
)


def says_cap(text: str) -> bool:
    """Whether an error says that a run has used up its rounds, steps or calls."""
    return bool(_CAP.search(text[:_LOOKED_AT]))


def says_context(text: str) -> bool:
    """Whether an error says that the request is longer than the model's context."""
    return bool(_CONTEXT.search(text[:_LOOKED_AT]))


def is_notice(text: str) -> bool:
    """Whether an answer is nothing but a framework's notice of a cap or a server's of a full context.

    An answer that tells about such a limit goes on after it, or leads up to it.
    """
    text = text.strip()
    found = (_CAP.search(text) or _CONTEXT.search(text)) if len(text) <= _MAX_NOTICE else None
    return bool(found and _LEAD.fullmatch(text, 0, found.start()) and _REST.fullmatch(text, found.end()))
