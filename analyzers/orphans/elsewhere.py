"""Calls whose result does not come back as a tool's result, and so is no orphan."""

from __future__ import annotations

from tightrope_sdk.names import words

from analyzers.model import ToolCall

# Tools that model providers run themselves, within the model's own answer.
_PROVIDERS = frozenset(
    {
        "bash_code_execution", "code_execution", "code_interpreter", "computer", "computer_use",
        "file_search", "google_maps", "google_search", "image_generation", "mcp", "mcp_list_tools",
        "text_editor_code_execution", "tool_search", "url_context", "web_fetch", "web_search",
        "web_search_preview", "x_search",
    }
)  # fmt: skip
_PROVIDER_IDS = ("ci_", "cu_", "fs_", "ig_", "mcp_", "srvtoolu_", "ts_", "ws_")

_ENDINGS = {
    # what ends a run or a turn, or is the answer itself
    "answer", "complete", "completion", "done", "exit", "final", "finish", "respond", "submit", "terminate",
    # what goes to another agent or runs on by itself
    "agent", "async", "background", "delegate", "dispatch", "escalate", "handoff", "handover", "spawn",
    "subagent", "transfer",
    # what a person answers
    "approval", "approve", "ask", "clarify", "confirm", "elicit", "human", "interrupt", "question",
}  # fmt: skip


def is_answered_elsewhere(call: ToolCall) -> bool:
    """Whether the provider runs the call, it ends the turn, or another agent or a person takes it up."""
    if call.call_id.startswith(_PROVIDER_IDS) or call.named.lower() in _PROVIDERS:
        return True
    named = words(call.named)
    return named == ("task",) or not _ENDINGS.isdisjoint(named)
