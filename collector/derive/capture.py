"""What a session's telemetry leaves out, and the switch that would let it in.

Many instrumentations export no message texts, arguments or results until they are told to. A session
without them looks clean because nothing of it can be judged: it has to say so.

Source of the switches: each instrumentation's public documentation, at the versions named in
`docs/dialects.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from collector.derive.rows import RoundRow, ToolCallRow

PARTS = ("messages", "arguments", "results")
"""What can be left out, in the order of `sessions.not_captured`."""

_GENAI = (
    "OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental and "
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_AND_EVENT"
)
_SWITCHES = (
    ("opentelemetry.instrumentation.openai_v2", "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true"),
    ("opentelemetry.instrumentation.genai", _GENAI),
    ("gcp.vertex.agent", _GENAI),
    ("strands", _GENAI),
    ("openinference", "OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS to false"),
    ("langsmith", "LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS to false"),
    ("opentelemetry.instrumentation", "TRACELOOP_TRACE_CONTENT=true"),
    ("traceloop", "TRACELOOP_TRACE_CONTENT=true"),
    ("agent_framework", "ENABLE_SENSITIVE_DATA=true"),
    ("semantic_kernel", "SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true"),
    ("autogen-core", "the logger autogen_core.events to INFO, with OpenTelemetry's LoggingHandler"),
    ("pydantic-ai", "InstrumentationSettings(include_content=True)"),
    ("haystack", "HAYSTACK_CONTENT_TRACING_ENABLED=true"),
    (
        "com.anthropic.claude_code",
        "OTEL_LOG_USER_PROMPTS=1, OTEL_LOG_ASSISTANT_RESPONSES=1, OTEL_LOG_TOOL_DETAILS=1 and "
        "OTEL_LOG_TOOL_CONTENT=1",
    ),
    (
        "codex",
        "log_user_prompt = true, log_agent_responses = true (Codex after 0.171) and exporter, not only "
        "trace_exporter, under [otel] in Codex's config.toml",
    ),
    ("gemini-cli", "telemetry.logPrompts and telemetry.traces to true in Gemini CLI's settings"),
    (
        "qwen-code",
        "telemetry.logPrompts and telemetry.includeSensitiveSpanAttributes to true in Qwen Code's settings",
    ),
    ("opencode", "experimental.openTelemetry to true in opencode's settings"),
    ("ai", "experimental_telemetry.recordInputs and recordOutputs to true"),
)
"""First words of an instrumentation scope's name, and what to set; the first that fits counts."""


def not_captured(rounds: Sequence[RoundRow], calls: Sequence[ToolCallRow]) -> list[str]:
    """Which of `PARTS` no record of the session holds, though it has rounds or calls to hold them.

    One text, argument or result that is there shows that this part is exported: a model may well say
    nothing, and a call may have had no time to return. The user's words show nothing of the model's where
    it answered without a call, at the cost of tokens, and no word of it is there.
    """
    answered = [row for row in rounds if not row.error and (row.span_id or row.output_tokens is not None)]
    said = any(row.text or row.reasoning for row in rounds)
    unheard = any(not row.tool_calls and row.output_tokens for row in answered)
    asked = any(row.user_text for row in rounds)
    ran = [row for row in calls if not row.is_error]
    missing = {
        "messages": bool(answered) and not said and (unheard or not asked),
        "arguments": bool(calls) and all(row.arguments is None for row in calls),
        "results": len(ran) == len(calls) and len(ran) > 1 and all(row.result is None for row in ran),
    }
    return [part for part in PARTS if missing[part]]


def capture_switch(scopes: Iterable[str]) -> str:
    """What to set so that content is exported, for the instrumentation scopes of a session; "" unknown."""
    names = sorted(scopes)
    found = (
        switch
        for start, switch in _SWITCHES
        for name in names
        if re.match(rf"{re.escape(start)}(?![a-z0-9])", name)
    )
    return next(found, "")
