"""What a sample run is made of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Form = Literal["genai", "openinference", "plain"]


@dataclass(frozen=True, slots=True)
class Model:
    """A model as its server names it, and that server: `provider` in the sense of the conventions."""

    name: str
    provider: str
    port: int


QWEN = Model("qwen3-coder:30b", "vllm", 8000)
GPT_OSS = Model("gpt-oss:20b", "vllm", 8000)
MISTRAL = Model("mistral-small", "ollama", 11434)
LLAMA = Model("llama3.1:8b", "ollama", 11434)


@dataclass(frozen=True, slots=True)
class Tool:
    """An offered tool; `required` and `optional` are JSON schema types by parameter name."""

    name: str
    description: str
    required: Mapping[str, str]
    optional: Mapping[str, str] | None = None

    def definition(self) -> dict[str, Any]:
        """The tool as an entry of `gen_ai.tool.definitions`."""
        types = {**self.required, **(self.optional or {})}
        return {
            "type": "function",
            "name": self.name,
            "description": self.description,
            "parameters": {
                "type": "object",
                "properties": {name: {"type": kind} for name, kind in types.items()},
                "required": list(self.required),
            },
        }


@dataclass(frozen=True, slots=True)
class Rescue:
    """A safety net at work. `as_log`: reported by a log record `agent.rescue`, not by a span event."""

    name: str
    family: str
    original: str = ""
    recovered: str = ""
    note: str = ""
    as_log: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call. `requested`: what the model named, where another tool ran.

    `lost`: the harness dropped it, so that it never ran and was never answered.
    `arguments` are text where the model's are no JSON.
    `result` is what the tool returned (text, or an object that is sent as JSON), or with `error` None.
    """

    tool: str
    arguments: Mapping[str, Any] | str
    result: Any = None
    error: str = ""
    requested: str = ""
    rescue: Rescue | None = None
    lost: bool = False

    @property
    def arguments_json(self) -> str:
        """The arguments as the model wrote them."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(dict(self.arguments))

    @property
    def named(self) -> str:
        """The tool's name as the model gave it."""
        return self.requested or self.tool


@dataclass(frozen=True, slots=True)
class Turn:
    """One model turn: what it said, the calls it asked for, a rescue; `user`: what a person said before."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    user: str = ""
    rescue: Rescue | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """Where runs play: a service with its agent, what that is told and offered, and how it is traced."""

    service: str
    agent: str
    system: str
    tools: tuple[Tool, ...]
    form: Form = "genai"


@dataclass(frozen=True, slots=True)
class Run:
    """One sample run. `findings` are the kinds it must show, `rescues` the names; empty for a control."""

    name: str
    stage: Stage
    model: Model
    turns: tuple[Turn, ...]
    findings: tuple[str, ...] = ()
    rescues: tuple[str, ...] = ()


def diff(before: str, after: str, *fields: str) -> dict[str, Any]:
    """The diff summary that a tool returns: what it changed, told by content hashes."""
    return {
        "changed": before != after,
        "hash_before": before,
        "hash_after": after,
        "fields_modified": list(fields),
    }
