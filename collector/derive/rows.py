"""The stored rows of a session: one dataclass for each table, its fields the table's columns.

Times are microseconds since the Unix epoch, UTC, None where unknown. `arguments`, `input_schema` and
`evidence` hold JSON text. Rounds and calls are made by the hundred thousand, so they are not frozen: that
would double what making them costs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import polars as pl


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session. The fields from `findings` to `kinds` are filled by the analysis.

    `outcome`: see `session_row.OUTCOMES`. `dialect`: the dialects read, joined by ", ".
    `not_captured`: see `capture.PARTS`; `capture_switch`: what to set to have them, "" where unknown.
    """

    session_id: str
    session_source: str
    started_at: int | None
    ended_at: int | None
    service_name: str
    agent_name: str
    model: str
    dialect: str
    rounds: int
    tool_calls: int
    distinct_calls: int
    tool_errors: int
    rescues: int
    findings: int
    max_severity: str
    flagged: bool
    kinds: list[str]
    outcome: str
    input_tokens: int | None
    output_tokens: int | None
    last_tool: str
    final_text: str
    not_captured: list[str]
    capture_switch: str


@dataclass(slots=True)
class RoundRow:
    """One model turn. `user_text`: what the user wrote since the agent's previous round."""

    service_name: str
    session_id: str
    round: int
    emitter_step: int | None
    agent_name: str
    trace_id: str
    span_id: str
    started_at: int | None
    ended_at: int | None
    model: str
    provider: str
    server_address: str
    finish_reason: str
    text: str
    reasoning: str
    tool_calls: int
    input_tokens: int | None
    output_tokens: int | None
    user_text: str
    error: str


@dataclass(slots=True)
class ToolCallRow:
    """One tool call. `fingerprint` is "" where the arguments were not captured."""

    service_name: str
    session_id: str
    round: int
    position: int
    agent_name: str
    trace_id: str
    span_id: str
    call_id: str
    started_at: int | None
    ended_at: int | None
    tool: str
    requested_tool: str
    arguments: str | None
    fingerprint: str
    result: str | None
    is_error: bool
    error: str | None
    changed: bool | None
    hash_before: str | None
    hash_after: str | None
    fields_modified: list[str] | None
    source: str


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool that the model was offered."""

    service_name: str
    session_id: str
    tool: str
    description: str
    input_schema: str | None


@dataclass(frozen=True, slots=True)
class RescueRow:
    """One rescue. `round` is None where the session has no round to put it in."""

    session_id: str
    round: int | None
    at: int
    name: str
    family: str
    original: str
    recovered: str
    note: str
    agent_name: str
    model: str
    service_name: str
    trace_id: str
    span_id: str


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding. `detected_at` and `verdict` are the store's to fill: they survive recomputation."""

    finding_id: str
    session_id: str
    kind: str
    subkind: str
    severity: str
    confidence: float
    round: int | None
    last_round: int | None
    agent_name: str
    model: str
    service_name: str
    trace_id: str
    span_id: str
    title: str
    detail: str
    evidence: str
    advice: str
    wasted_calls: int | None
    wasted_tokens: int | None
    detected_at: int | None = None
    verdict: str | None = None


@dataclass(frozen=True, slots=True)
class SessionRows:
    """All rows of one session; all empty where no agent ran. `sessions` holds one row or none."""

    sessions: list[SessionRow] = field(default_factory=list)
    rounds: list[RoundRow] = field(default_factory=list)
    tool_calls: list[ToolCallRow] = field(default_factory=list)
    tools: list[ToolRow] = field(default_factory=list)
    rescues: list[RescueRow] = field(default_factory=list)
    findings: list[FindingRow] = field(default_factory=list)


TABLES: dict[str, type[Any]] = {
    "sessions": SessionRow,
    "rounds": RoundRow,
    "tool_calls": ToolCallRow,
    "tools": ToolRow,
    "rescues": RescueRow,
    "findings": FindingRow,
}


def microseconds(time_ns: int) -> int | None:
    """A time of the raw records as the rows hold it; None for 0, which OTLP means as unknown."""
    return time_ns // 1000 if time_ns > 0 else None


_TIMES = frozenset(["started_at", "ended_at", "at", "detected_at"])
_TYPES: dict[Any, pl.DataType] = {
    str: pl.String(),
    int: pl.Int64(),
    float: pl.Float64(),
    bool: pl.Boolean(),
}


def _column_type(name: str, hint: Any) -> pl.DataType:
    if name in _TIMES:
        return pl.Datetime("us")
    if isinstance(hint, UnionType):
        hint = next(arg for arg in get_args(hint) if arg is not NoneType)
    return pl.List(pl.String()) if get_origin(hint) is list else _TYPES[hint]


SCHEMAS: dict[str, dict[str, pl.DataType]] = {
    table: {name: _column_type(name, hint) for name, hint in get_type_hints(row).items()}
    for table, row in TABLES.items()
}
"""The Polars schema of each table, its columns in order."""


def frames(rows: SessionRows | list[SessionRows]) -> dict[str, pl.DataFrame]:
    """The rows of one or many sessions as one frame for each table, empty ones too."""
    many = [rows] if isinstance(rows, SessionRows) else rows
    return {table: _frame(table, [row for one in many for row in getattr(one, table)]) for table in TABLES}


def _frame(table: str, rows: list[Any]) -> pl.DataFrame:
    schema = SCHEMAS[table]
    return pl.DataFrame(
        [_series(name, list(map(attrgetter(name), rows)), dtype) for name, dtype in schema.items()]
    )


def _series(name: str, values: list[Any], dtype: pl.DataType) -> pl.Series:
    try:
        return pl.Series(name, values, dtype=dtype, strict=False)
    except UnicodeEncodeError:  # half a surrogate pair is no text to Arrow
        return pl.Series(name, [_encodable(value) for value in values], dtype=dtype, strict=False)


def _encodable(value: Any) -> Any:
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    return value.encode(errors="replace").decode() if isinstance(value, str) else value
