"""The forms in which a run is told: the attributes of its spans in each dialect.

`Writer` is what a form provides. History entries are (turn, call ids): what the model has seen so far.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from collector import conventions as c
from collector.demo.model import Call, Form, Model, Run, Turn

Attributes = dict[str, Any]
Exchange = tuple[Turn, Sequence[str]]


class Writer(Protocol):
    """Span names and attributes of one form; None for a span that the form does not have."""

    def agent(self, run: Run, session: str) -> tuple[str, Attributes]:
        """The span around the whole run."""

    def model(
        self, run: Run, session: str, history: Sequence[Exchange], ids: Sequence[str]
    ) -> tuple[str, Attributes] | None:
        """The model call that gave the last turn of `history`, whose calls have the ids `ids`."""

    def tool(self, run: Run, session: str, number: int, call: Call, call_id: str) -> tuple[str, Attributes]:
        """The run of one tool in the turn of that number."""


def result_text(call: Call) -> str:
    """What the model is given back for the call."""
    if call.lost:
        return ""
    if call.error:
        return f"Error: {call.error}"
    return call.result if isinstance(call.result, str) else json.dumps(call.result)


def tokens(history: Sequence[Exchange], run: Run) -> tuple[int, int]:
    """Input and output tokens of the last turn, at four characters a token."""
    said = [len(turn.text) + sum(len(x.arguments_json) for x in turn.calls) for turn, _ in history]
    read = [len(turn.user) + sum(len(result_text(x)) for x in turn.calls) for turn, _ in history]
    fixed = len(run.stage.system) + sum(len(json.dumps(tool.definition())) for tool in run.stage.tools)
    last = sum(len(result_text(x)) for x in history[-1][0].calls)
    return (fixed + sum(said[:-1]) + sum(read) - last) // 4, max(said[-1] // 4, 1)


@dataclass(frozen=True, slots=True)
class GenAi:
    """OpenTelemetry GenAI semantic conventions, messages as JSON."""

    def agent(self, run: Run, session: str) -> tuple[str, Attributes]:
        """`invoke_agent`."""
        return f"invoke_agent {run.stage.agent}", {
            c.GEN_AI_OPERATION: "invoke_agent",
            c.GEN_AI_PROVIDER: run.model.provider,
            c.GEN_AI_AGENT_NAME: run.stage.agent,
            c.GEN_AI_REQUEST_MODEL: run.model.name,
            c.GEN_AI_CONVERSATION_ID: session,
        }

    def model(
        self, run: Run, session: str, history: Sequence[Exchange], ids: Sequence[str]
    ) -> tuple[str, Attributes] | None:
        """`chat`."""
        turn = history[-1][0]
        input_tokens, output_tokens = tokens(history, run)
        return f"chat {run.model.name}", {
            c.GEN_AI_OPERATION: "chat",
            **_server(run.model),
            c.GEN_AI_REQUEST_MODEL: run.model.name,
            c.GEN_AI_RESPONSE_MODEL: run.model.name,
            c.GEN_AI_CONVERSATION_ID: session,
            "gen_ai.system_instructions": json.dumps([{"type": "text", "content": run.stage.system}]),
            c.GEN_AI_TOOL_DEFINITIONS: json.dumps([tool.definition() for tool in run.stage.tools]),
            c.GEN_AI_INPUT_MESSAGES: json.dumps(_input(history)),
            c.GEN_AI_OUTPUT_MESSAGES: json.dumps(
                [{**_assistant(turn, ids), "finish_reason": "tool_call" if turn.calls else "stop"}]
            ),
            c.GEN_AI_FINISH_REASONS: ["tool_calls" if turn.calls else "stop"],
            c.GEN_AI_INPUT_TOKENS[0]: input_tokens,
            c.GEN_AI_OUTPUT_TOKENS[0]: output_tokens,
        }

    def tool(self, run: Run, session: str, number: int, call: Call, call_id: str) -> tuple[str, Attributes]:
        """`execute_tool`."""
        return f"execute_tool {call.tool}", {
            c.GEN_AI_OPERATION: "execute_tool",
            c.GEN_AI_TOOL_NAME: call.tool,
            "gen_ai.tool.type": "function",
            c.GEN_AI_TOOL_CALL_ID[0]: call_id,
            c.GEN_AI_TOOL_ARGUMENTS[0]: call.arguments_json,
            c.GEN_AI_CONVERSATION_ID: session,
            **({c.ERROR_TYPE: "tool_error"} if call.error else {c.GEN_AI_TOOL_RESULT[0]: result_text(call)}),
        }


def _server(model: Model) -> Attributes:
    return {c.GEN_AI_PROVIDER: model.provider, c.SERVER_ADDRESS: "localhost", "server.port": model.port}


def _arguments(call: Call) -> Any:
    return call.arguments if isinstance(call.arguments, str) else dict(call.arguments)


def _assistant(turn: Turn, ids: Sequence[str]) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"type": "text", "content": turn.text}] if turn.text else []
    for call, call_id in zip(turn.calls, ids, strict=True):
        parts.append({"type": "tool_call", "id": call_id, "name": call.named, "arguments": _arguments(call)})
    return {"role": "assistant", "parts": parts}


def _input(history: Sequence[Exchange]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for at, (turn, ids) in enumerate(history):
        if turn.user:
            messages.append({"role": "user", "parts": [{"type": "text", "content": turn.user}]})
        if at == len(history) - 1:
            break
        messages.append(_assistant(turn, ids))
        for call, call_id in zip(turn.calls, ids, strict=True):
            if call.lost:
                continue
            response = {"type": "tool_call_response", "id": call_id, "response": result_text(call)}
            messages.append({"role": "tool", "parts": [response]})
    return messages


@dataclass(frozen=True, slots=True)
class OpenInference:
    """OpenInference: one attribute for each field of each message."""

    def agent(self, run: Run, session: str) -> tuple[str, Attributes]:
        """An AGENT span."""
        return run.stage.agent, {
            c.OI_KIND: "AGENT",
            c.SESSION_ID: session,
            c.OI_AGENT_NAME[0]: run.stage.agent,
        }

    def model(
        self, run: Run, session: str, history: Sequence[Exchange], ids: Sequence[str]
    ) -> tuple[str, Attributes] | None:
        """An LLM span."""
        input_tokens, output_tokens = tokens(history, run)
        attributes: Attributes = {
            c.OI_KIND: "LLM",
            c.SESSION_ID: session,
            c.OI_MODEL: run.model.name,
            c.OI_PROVIDER[0]: run.model.provider,
            c.OI_FINISH_REASON: "tool_calls" if history[-1][0].calls else "stop",
            c.OI_INPUT_TOKENS: input_tokens,
            c.OI_OUTPUT_TOKENS: output_tokens,
        }
        for at, tool in enumerate(run.stage.tools):
            definition = tool.definition()
            kind = definition.pop("type")
            schema = json.dumps({"type": kind, kind: definition})
            attributes[f"{c.OI_TOOLS_PREFIX}{at}.tool.json_schema"] = schema
        system = {"role": "system", "parts": [{"type": "text", "content": run.stage.system}]}
        for at, message in enumerate([system, *_input(history)]):
            attributes.update(_flat(f"{c.OI_INPUT_MESSAGES_PREFIX}{at}.message.", message))
        attributes.update(_flat(f"{c.OI_OUTPUT_MESSAGES_PREFIX}0.message.", _assistant(history[-1][0], ids)))
        return "ChatCompletion", attributes

    def tool(self, run: Run, session: str, number: int, call: Call, call_id: str) -> tuple[str, Attributes]:
        """A TOOL span."""
        return call.tool, {
            c.OI_KIND: "TOOL",
            c.SESSION_ID: session,
            c.OI_TOOL_NAME: call.tool,
            c.OI_TOOL_CALL_ID[0]: call_id,
            c.OI_INPUT_VALUE: call.arguments_json,
            **({} if call.error else {c.OI_OUTPUT_VALUE: result_text(call)}),
        }


def _flat(prefix: str, message: dict[str, Any]) -> Attributes:
    """A GenAI message, flattened."""
    flat: Attributes = {f"{prefix}role": message["role"]}
    calls = 0
    for part in message["parts"]:
        match part["type"]:
            case "text":
                flat[f"{prefix}content"] = part["content"]
            case "tool_call_response":
                flat[f"{prefix}tool_call_id"] = part["id"]
                flat[f"{prefix}content"] = part["response"]
            case "tool_call":
                base = f"{prefix}tool_calls.{calls}.tool_call."
                flat[f"{base}id"] = part["id"]
                flat[f"{base}function.name"] = part["name"]
                flat[f"{base}function.arguments"] = (
                    part["arguments"] if isinstance(part["arguments"], str) else json.dumps(part["arguments"])
                )
                calls += 1
    return flat


@dataclass(frozen=True, slots=True)
class Plain:
    """Hand-made telemetry: nothing of the model, one span `tool_call` for each call."""

    def agent(self, run: Run, session: str) -> tuple[str, Attributes]:
        """A span that only holds the run together."""
        return "run", {c.SESSION_ID: session}

    def model(
        self, run: Run, session: str, history: Sequence[Exchange], ids: Sequence[str]
    ) -> tuple[str, Attributes] | None:
        """Nothing: hand-made telemetry tells of tools only."""
        return None

    def tool(self, run: Run, session: str, number: int, call: Call, call_id: str) -> tuple[str, Attributes]:
        """A span `tool_call`."""
        return "tool_call", {
            c.SESSION_ID: session,
            c.PLAIN_AGENT_NAME[0]: run.stage.agent,
            c.ROUND_INDEX[2]: number,
            c.PLAIN_TOOL_NAME[0]: call.tool,
            c.PLAIN_TOOL_ARGUMENTS[0]: call.arguments_json,
            c.PLAIN_TOOL_RESULT[0]: result_text(call),
        }


WRITERS: Mapping[Form, Writer] = {"genai": GenAi(), "openinference": OpenInference(), "plain": Plain()}
