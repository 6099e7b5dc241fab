"""The canonical records: what every dialect's spans and log records are turned into.

Times are nanoseconds since the Unix epoch. Text fields are "" where the telemetry says nothing,
so that a later source can fill them; None is kept for values whose absence matters.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Source = Literal["span", "log"]


@dataclass(slots=True)
class ProposedCall:
    """A tool call as the model asked for it. `arguments`: decoded JSON, else the text as it came."""

    call_id: str
    name: str
    arguments: Any = None


@dataclass(slots=True)
class ToolResult:
    """What a message gives the model back for one call. `text` is None where it was not captured."""

    call_id: str
    name: str
    text: str | None
    is_error: bool = False


@dataclass(slots=True)
class Message:
    """One message of a conversation; `role` is system, user, assistant or tool."""

    role: str
    text: str = ""
    reasoning: str = ""
    calls: list[ProposedCall] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    finish_reason: str = ""


@dataclass(slots=True)
class OfferedTool:
    """A tool the model could call. `input_schema` is None where the telemetry does not hold it."""

    name: str
    description: str = ""
    input_schema: dict[str, Any] | None = None


@dataclass(slots=True)
class ModelCall:
    """One response of a model, or a part of it: a log record may hold what the span lacks.

    `input` holds the request's messages as they came, JSON text or a list, in any shape that
    `dialects.messages` reads; `input_length` is their number, and `news` are those after the last
    answer. Only these are kept decoded: each request repeats the whole history, and all of them
    decoded would take many times the memory of the text. `headless` says that the first messages are
    known to be lost. `definitions` are the offered tools as they came. `rank` orders the sources of
    one call: 0 span, 1 a record of the whole call, 2 a record of one message of it. `record` names the
    log record that holds it, where that does not stand on the call's own span: a call has at most one
    of each name (see `reports`). `scope` is the instrumentation scope of its span or record.
    """

    trace_id: str
    span_id: str
    start_ns: int
    end_ns: int
    rank: int = 0
    record: str = ""
    agent_name: str = ""
    model: str = ""
    provider: str = ""
    server_address: str = ""
    finish_reason: str = ""
    text: str = ""
    reasoning: str = ""
    error: str = ""
    calls: list[ProposedCall] = field(default_factory=list)
    input: Any = None
    input_length: int = 0
    news: list[Message] = field(default_factory=list)
    headless: bool = False
    definitions: Any = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    emitter_step: int | None = None
    session_id: str = ""
    scope: str = ""


@dataclass(slots=True)
class ToolExecution:
    """One execution of a tool, as its span or log record tells it.

    `result` and `error` are None where the record does not hold them; `requested` is the name the
    model used, where the record says so itself. `unfinished`: the record only says that it began.
    """

    trace_id: str
    span_id: str
    start_ns: int
    end_ns: int
    source: Source = "span"
    tool: str = ""
    requested: str = ""
    call_id: str = ""
    arguments: Any = None
    result: str | None = None
    is_error: bool = False
    error: str | None = None
    changed: bool | None = None
    hash_before: str | None = None
    hash_after: str | None = None
    fields_modified: tuple[str, ...] | None = None
    agent_name: str = ""
    round_hint: int | None = None
    unfinished: bool = False
    session_id: str = ""
    scope: str = ""


@dataclass(slots=True)
class AgentSpan:
    """A span around the work of an agent (`name`) or around one of its steps (`step`)."""

    trace_id: str
    span_id: str
    start_ns: int
    end_ns: int
    name: str = ""
    step: int | None = None
    definitions: Any = None
    session_id: str = ""
    scope: str = ""


@dataclass(slots=True)
class UserPrompt:
    """What the user wrote, where a record of its own tells it and not the request of a model call."""

    trace_id: str
    span_id: str
    time_ns: int
    text: str
    session_id: str = ""


@dataclass(slots=True)
class RescueSignal:
    """One report of a rescue; several signals may report the same one. `source` is how it came."""

    trace_id: str
    span_id: str
    time_ns: int
    name: str
    family: str
    source: Literal["event", "log", "attribute"]
    original: str = ""
    recovered: str = ""
    note: str = ""
    agent_name: str = ""
    model: str = ""
    session_id: str = ""


Record = ModelCall | ToolExecution | AgentSpan | UserPrompt | RescueSignal


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A session that a unit names: its id as the agent gave it, and the attribute that held it."""

    session_id: str
    source: str


@dataclass(slots=True)
class Unit:
    """What one trace, or one group of trace-less log records, holds. Lists are ordered by time.

    `sessions` are the sessions it names itself; each record then carries its own `session_id`.
    Empty `sessions`: the unit is to be placed as a whole (see `stitch`). `scopes` are the
    instrumentation scopes of the records that a dialect read.
    """

    unit_id: str
    service_name: str
    service_instance: str
    user_id: str
    start_ns: int
    end_ns: int
    dialects: tuple[str, ...]
    sessions: tuple[FoundSession, ...]
    model_calls: list[ModelCall]
    executions: list[ToolExecution]
    agents: list[AgentSpan]
    rescues: list[RescueSignal]
    scopes: tuple[str, ...] = ()
    prompts: list[UserPrompt] = field(default_factory=list)

    @property
    def holds_agent(self) -> bool:
        """Whether any of it belongs to an agent's run; a unit without is just a trace."""
        return bool(self.model_calls or self.executions or self.agents or self.rescues or self.prompts)
