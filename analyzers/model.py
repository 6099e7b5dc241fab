"""What an analyzer reads (`Session`) and what it yields (`Finding`).

Everything here is frozen and plain: no clock, no I/O, no telemetry library, so that the same
analyzer runs on stored sessions, on an imported file, in a test and inside an agent's process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeVar, dataclass_transform

Severity = Literal["info", "warning", "critical"]
SEVERITIES: tuple[Severity, ...] = ("info", "warning", "critical")

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True)
def _record(cls: type[_T]) -> type[_T]:
    """A dataclass that a type checker holds frozen: one is made for every stored call and round, and making
    one that is also frozen at run time takes seven times as long."""
    return dataclass(slots=True)(cls)


@_record
class ToolCall:
    """One call of one tool.

    `tool` is what ran, `requested_tool` what the model named (they differ after a rescue).
    `arguments` is the decoded JSON (normally a dict); text that is not JSON stays the text as it
    came. `result` is the text the model was given back; None means that the telemetry holds none.
    `changed` is None where nothing says whether the call changed anything.
    """

    tool: str
    arguments: Any = None
    requested_tool: str = ""
    result: str | None = None
    is_error: bool = False
    error: str | None = None
    changed: bool | None = None
    hash_before: str | None = None
    hash_after: str | None = None
    fields_modified: tuple[str, ...] | None = None
    round: int = 0
    position: int = 0
    agent_name: str = ""
    call_id: str = ""
    fingerprint: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    trace_id: str = ""
    span_id: str = ""
    source: Literal["span", "message", "log"] = "span"

    @property
    def named(self) -> str:
        """The name the model used: `requested_tool`, or `tool` where both are the same."""
        return self.requested_tool or self.tool


@_record
class Round:
    """One model turn: what the user said before it, what the model said, the calls it asked for.

    `user_text` is what the user wrote since the previous round ("" when nothing new). Tokens are
    counts as the telemetry reports them, None where it does not.
    """

    round: int
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    user_text: str = ""
    agent_name: str = ""
    model: str = ""
    provider: str = ""
    server_address: str = ""
    finish_reason: str = ""
    error: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    trace_id: str = ""
    span_id: str = ""


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool the model was offered. `input_schema` is a JSON schema, None where it is unknown."""

    name: str
    description: str = ""
    input_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Rescue:
    """An event by which a backend safety net saved the model (`name`, e.g. `tool_name_recovered`)."""

    name: str
    family: str = "other"
    round: int | None = None
    original: str = ""
    recovered: str = ""
    note: str = ""
    agent_name: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """One agent conversation, in the order in which it happened.

    `rounds` are ordered by time; within one `agent_name` their `round` counts up from 0.
    `tools` is empty where the telemetry does not say what the model was offered.
    """

    session_id: str
    rounds: tuple[Round, ...] = ()
    tools: tuple[OfferedTool, ...] = ()
    rescues: tuple[Rescue, ...] = ()
    service_name: str = ""
    agent_name: str = ""
    model: str = ""
    final_text: str = ""

    def calls(self) -> Iterator[ToolCall]:
        """Every tool call of the session, in order."""
        for turn in self.rounds:
            yield from turn.calls

    def agents(self) -> dict[str, tuple[Round, ...]]:
        """The rounds of each agent, in order: agents of one session are judged apart."""
        rounds: dict[str, list[Round]] = {}
        for turn in self.rounds:
            rounds.setdefault(turn.agent_name, []).append(turn)
        return {name: tuple(own) for name, own in rounds.items()}


@dataclass(frozen=True, slots=True)
class Finding:
    """One failure in a session.

    `title` is one line a person reads in a list, `detail` says what was seen with its numbers,
    `advice` what to do. `evidence` is JSON-serialisable and holds what one needs to check the
    finding: the rule that fired, its numbers, the calls (round, position) and texts it rests on.
    `confidence` is 0..1. `wasted_*` count what a run would have saved, None where that has no
    meaning.
    """

    kind: str
    title: str
    detail: str
    advice: str
    severity: Severity = "warning"
    subkind: str = ""
    confidence: float = 1.0
    round: int | None = None
    last_round: int | None = None
    agent_name: str = ""
    model: str = ""
    trace_id: str = ""
    span_id: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    wasted_calls: int | None = None
    wasted_tokens: int | None = None
