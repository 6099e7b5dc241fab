"""The row of a session: what its rounds, calls and rescues come to, and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from collector import conventions as c
from collector.derive.canonical import AgentSpan, Unit
from collector.derive.capture import capture_switch, not_captured
from collector.derive.rows import RescueRow, RoundRow, SessionRow, ToolCallRow, microseconds
from collector.derive.stitch import SessionKey

OUTCOMES = ("answered", "tool_error", "length", "error", "no_answer", "unknown")
"""How a session ended, by its last round:

answered    the model's last word is a text and no call
tool_error  the last tool call failed, and the model said nothing after it
length      the model was cut off by its token limit
error       the last model call failed
no_answer   it stops without any of these: calls without a following round, or nothing said
unknown     the telemetry holds no model call
"""

_STOP_REASONS = frozenset(["stop", "end_turn", "stop_sequence", "completed"])
_LENGTH_REASONS = frozenset(["length", "max_tokens", "max_output_tokens", "model_length"])


def session_row(
    key: SessionKey,
    units: Sequence[Unit],
    rounds: Sequence[RoundRow],
    calls: Sequence[ToolCallRow],
    rescues: Sequence[RescueRow],
    agents: Sequence[AgentSpan],
    times: Iterable[int],
) -> SessionRow:
    """The session's row, without its findings. `agents` and `times` (ns) are of all its records."""
    known_times = [time for time in times if time > 0]
    agent = _main_agent(rounds) if rounds else next((span.name for span in agents if span.name), "")
    agent = agent or (key.service_name if not rounds else "")
    own = [row for row in rounds if row.agent_name == agent]
    models = Counter(row.model for row in rounds if row.model)
    missing = not_captured(rounds, calls)
    final_text = next((row.text for row in reversed(own) if row.text), "")
    return SessionRow(
        session_id=key.session_id,
        session_source=_source(key, units),
        started_at=microseconds(min(known_times, default=0)),
        ended_at=microseconds(max(known_times, default=0)),
        service_name=key.service_name,
        agent_name=agent,
        model=models.most_common(1)[0][0] if models else "",
        dialect=", ".join(sorted({name for unit in units for name in unit.dialects})),
        rounds=len(rounds),
        tool_calls=len(calls),
        distinct_calls=len({(row.requested_tool, row.fingerprint) for row in calls}),
        tool_errors=sum(row.is_error for row in calls),
        rescues=len(rescues),
        findings=0,
        max_severity="",
        flagged=False,
        kinds=[],
        outcome=_outcome(own, [row for row in calls if row.agent_name == agent]),
        input_tokens=_sum(row.input_tokens for row in rounds),
        output_tokens=_sum(row.output_tokens for row in rounds),
        last_tool=calls[-1].tool if calls else "",
        final_text=final_text,
        not_captured=missing,
        capture_switch=capture_switch(name for unit in units for name in unit.scopes) if missing else "",
    )


def _main_agent(rounds: Sequence[RoundRow]) -> str:
    """The first agent that calls a tool or speaks twice, else the first.

    Helpers (one that finds the session's title, say) often come before it and answer once.
    """
    at_work = {row.agent_name for row in rounds if row.round or row.tool_calls}
    return next((row.agent_name for row in rounds if row.agent_name in at_work), rounds[0].agent_name)


def _source(key: SessionKey, units: Sequence[Unit]) -> str:
    """The most telling key under which any of the units found the id; else how the units were joined."""
    found = {
        session.source for unit in units for session in unit.sessions if session.session_id == key.session_id
    }
    return min(found, key=_telling, default=key.session_source)


def _telling(source: str) -> tuple[int, str]:
    known = c.SESSION_KEYS
    return (known.index(source) if source in known else len(known), source)


def _outcome(rounds: Sequence[RoundRow], calls: Sequence[ToolCallRow]) -> str:
    spoken = [row for row in rounds if row.span_id or row.text or row.finish_reason]
    if not spoken:
        return "tool_error" if calls and calls[-1].is_error else "unknown"
    last = rounds[-1]
    if last.error:
        return "error"
    if last.finish_reason in _LENGTH_REASONS:
        return "length"
    if last.tool_calls:
        return "tool_error" if calls and calls[-1].is_error else "no_answer"
    content_is_off = not any(row.text for row in rounds)
    return (
        "answered" if last.text or (content_is_off and last.finish_reason in _STOP_REASONS) else "no_answer"
    )


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
