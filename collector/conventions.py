"""Attribute, event and span names that dialects read, each written once.

Sources: the OpenTelemetry semantic conventions for generative AI (v1.27 to v1.42 and the
`semantic-conventions-genai` repository), the OpenInference specification, and Tightrope's own names
(`agent.*`).
"""

from __future__ import annotations

# --- OpenTelemetry: resource and general ---------------------------------------------------------
SERVICE_INSTANCE_ID = "service.instance.id"
SESSION_ID = "session.id"
USER_ID = "user.id"
ERROR_TYPE = "error.type"
SERVER_ADDRESS = "server.address"
EVENT_NAME = "event.name"
EXCEPTION_EVENT = "exception"
EXCEPTION_MESSAGE = "exception.message"
EXCEPTION_TYPE = "exception.type"

# --- OpenTelemetry GenAI: spans ------------------------------------------------------------------
GEN_AI_OPERATION = "gen_ai.operation.name"
GEN_AI_PROVIDER = "gen_ai.provider.name"
GEN_AI_SYSTEM = "gen_ai.system"
GEN_AI_REQUEST_MODEL = "gen_ai.request.model"
GEN_AI_RESPONSE_MODEL = "gen_ai.response.model"
GEN_AI_FINISH_REASONS = "gen_ai.response.finish_reasons"
GEN_AI_AGENT_NAME = "gen_ai.agent.name"
GEN_AI_AGENT_TOOLS = "gen_ai.agent.tools"
GEN_AI_CONVERSATION_ID = "gen_ai.conversation.id"
GEN_AI_INPUT_MESSAGES = "gen_ai.input.messages"
GEN_AI_OUTPUT_MESSAGES = "gen_ai.output.messages"
GEN_AI_TOOL_DEFINITIONS = "gen_ai.tool.definitions"
GEN_AI_INPUT_TOKENS = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
GEN_AI_OUTPUT_TOKENS = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
GEN_AI_TOOL_NAME = "gen_ai.tool.name"
GEN_AI_TOOL_CALL_ID = ("gen_ai.tool.call.id", "gen_ai.tool.call_id")
GEN_AI_TOOL_ARGUMENTS = ("gen_ai.tool.call.arguments", "tool_arguments")
GEN_AI_TOOL_RESULT = ("gen_ai.tool.call.result", "tool_response")
GEN_AI_TOOL_STATUS = "gen_ai.tool.status"

MODEL_OPERATIONS = frozenset(
    ["chat", "generate_content", "text_completion", "completion", "generate", "llm_call"]
)
TOOL_OPERATIONS = frozenset(["execute_tool", "tool_call"])
AGENT_OPERATIONS = frozenset(["invoke_agent", "invoke_workflow"])
STEP_OPERATIONS = frozenset(["agent_step", "run_step", "execute_event_loop_cycle"])
EXECUTE_TOOL_PREFIX = "execute_tool "

# --- OpenTelemetry GenAI: events, as log records or span events ----------------------------------
GEN_AI_DETAILS_EVENT = "gen_ai.client.inference.operation.details"
GEN_AI_CHOICE_EVENT = "gen_ai.choice"
GEN_AI_TOOL_MESSAGE_EVENT = "gen_ai.tool.message"
GEN_AI_MESSAGE_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    GEN_AI_TOOL_MESSAGE_EVENT: "tool",
}
GEN_AI_PROMPT_EVENT = "gen_ai.content.prompt"
GEN_AI_COMPLETION_EVENT = "gen_ai.content.completion"

# --- OpenTelemetry GenAI: indexed attributes -----------------------------------------------------
GEN_AI_PROMPT = "gen_ai.prompt"
GEN_AI_COMPLETION = "gen_ai.completion"
GEN_AI_PROMPT_PREFIX = "gen_ai.prompt."
GEN_AI_COMPLETION_PREFIX = "gen_ai.completion."
GEN_AI_FIRST_ANSWER = (
    "gen_ai.completion.0.role",
    "gen_ai.completion.0.content",
    "gen_ai.completion.0.finish_reason",
)
LLM_FUNCTIONS_PREFIX = "llm.request.functions."
LLM_REQUEST_TYPE = "llm.request.type"

# --- OpenInference -------------------------------------------------------------------------------
OI_KIND = "openinference.span.kind"
OI_INPUT_MESSAGES_PREFIX = "llm.input_messages."
OI_OUTPUT_MESSAGES_PREFIX = "llm.output_messages."
OI_FIRST_ANSWER = "llm.output_messages.0.message.role"
OI_TOOLS_PREFIX = "llm.tools."
OI_MODEL = "llm.model_name"
OI_PROVIDER = ("llm.provider", "llm.system")
OI_FINISH_REASON = "llm.finish_reason"
OI_INPUT_TOKENS = "llm.token_count.prompt"
OI_OUTPUT_TOKENS = "llm.token_count.completion"
OI_INPUT_VALUE = "input.value"
OI_OUTPUT_VALUE = "output.value"
OI_TOOL_NAME = "tool.name"
OI_TOOL_CALL_ID = ("tool.id", "tool_call.id", "tool.call_id")
OI_AGENT_NAME = ("agent.name", "graph.node.id")
OI_METADATA = "metadata"

# --- Tightrope's own names -----------------------------------------------------------------------
ROUND_INDEX = ("agent.round.index", "agent.round", "round_idx", "round")
PLAIN_TOOL_START = "tool_call_start"
PLAIN_TOOL_SPANS = frozenset(["tool_call", PLAIN_TOOL_START])
PLAIN_TOOL_NAME = ("tool.name", "name", "tool")
PLAIN_TOOL_ARGUMENTS = ("tool.args", "args", "tool.arguments", "arguments")
PLAIN_TOOL_RESULT = ("tool.result", "result", "tool.output", "output")
PLAIN_TOOL_CALL_ID = ("tool.call_id", "call_id", "tool.id", "tool_call_id")
PLAIN_AGENT_NAME = ("agent.name", "agent_name", "agent")
RESCUE_EVENT = "agent.rescue"
DIFF_CHANGED = "agent.tool.diff.changed"
DIFF_HASH_BEFORE = "agent.tool.diff.hash_before"
DIFF_HASH_AFTER = "agent.tool.diff.hash_after"
DIFF_FIELDS_MODIFIED = "agent.tool.diff.fields_modified"

# --- Sessions ------------------------------------------------------------------------------------
SESSION_KEYS = (
    "langfuse.session.id",
    SESSION_ID,
    GEN_AI_CONVERSATION_ID,
    "conversation.id",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.thread_id",
    "lmnr.association.properties.session_id",
    "langsmith.metadata.thread_id",
    "langsmith.metadata.session_id",
    "langsmith.metadata.conversation_id",
    "langsmith.trace.session_id",
    "gcp.vertex.agent.session_id",
    "langfuse.trace.metadata.session_id",
    "langfuse.trace.metadata.thread_id",
    "mastra.metadata.threadId",
    "ai.telemetry.metadata.sessionId",
    "ai.telemetry.metadata.session_id",
    "ai.telemetry.metadata.threadId",
    "ai.telemetry.metadata.thread_id",
    "ai.telemetry.metadata.conversationId",
    "ai.telemetry.metadata.conversation_id",
    "ai.telemetry.metadata.chatId",
    "ai.telemetry.metadata.chat_id",
    "session_id",
    "thread_id",
    "task_id",
)
"""Attributes that name a session, the most telling first."""

METADATA_SESSION_KEYS = ("session_id", "thread_id")
"""Keys inside OpenInference's `metadata` that name a session."""
