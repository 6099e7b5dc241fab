"""All rows of one session from the units that belong to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from tightrope_sdk.diff import diff_summary
from tightrope_sdk.fingerprint import fingerprint

from collector import conventions as c
from collector.derive.calls import Call, build_calls
from collector.derive.canonical import AgentSpan, ModelCall, RescueSignal, ToolExecution, Unit
from collector.derive.rescues import join_signals
from collector.derive.rounds import Timeline, Turn, build_turns
from collector.derive.rows import RescueRow, RoundRow, SessionRow, SessionRows, ToolCallRow, ToolRow
from collector.derive.stitch import SessionKey
from collector.dialects import messages
from collector.dialects.decode import to_json

OUTCOMES = ("answered", "tool_error", "length", "error", "no_answer", "unknown")
"""How a session ended, by its last round:

answered    the model's last word is a text and no call
tool_error  the last tool call failed, and the model said nothing after it
length      the model was cut off by its token limit
error       the last model call failed
no_answer   it stops without any of these: calls without a following round, or nothing said
unknown     the telemetry holds no model call
"""

_R = TypeVar("_R", ModelCall, ToolExecution, AgentSpan, RescueSignal)
_STOP_REASONS = frozenset(["stop", "end_turn", "stop_sequence", "completed"])
_LENGTH_REASONS = frozenset(["length", "max_tokens", "max_output_tokens", "model_length"])
_UNNAMED_SERVICE = "unknown_service"
_MAX_ERROR_CHARS = 2_000


def derive_session(key: SessionKey, units: Sequence[Unit]) -> SessionRows:
    """The rows of the session `key` from `units`, whatever their order. Never raises.

    Of a unit that names several sessions only this one's records count; a unit that names none
    belongs to it as a whole. Findings are not derived here (see `analysis.analyze`).
    """
    units = sorted({unit.unit_id: unit for unit in units}.values(), key=lambda u: (u.start_ns, u.unit_id))
    model_calls = [call for unit in units for call in _own(unit, unit.model_calls, key)]
    executions = [execution for unit in units for execution in _own(unit, unit.executions, key)]
    agents = [agent for unit in units for agent in _own(unit, unit.agents, key)]
    signals = [signal for unit in units for signal in _own(unit, unit.rescues, key)]
    if not (model_calls or executions or agents or signals):
        return SessionRows()
    agent = "" if key.service_name.startswith(_UNNAMED_SERVICE) else key.service_name
    turns, calls = build_calls(build_turns(model_calls, agent), executions, agent)
    rescues = join_signals(
        sorted(signals, key=lambda s: (s.time_ns, s.source, s.trace_id, s.span_id, s.name))
    )
    rescue_rows = _rescue_rows(key, rescues, turns, calls, agent)
    names = _recovered_names(rescue_rows)
    call_rows = [_call_row(key, call, names) for call in calls]
    counts = Counter(id(call.turn) for call in calls)
    round_rows = [_round_row(key, turn, counts[id(turn)]) for turn in turns]
    times = [signal.time_ns for signal in signals]
    timed: list[ModelCall | ToolExecution | AgentSpan] = [*model_calls, *executions, *agents]
    times.extend(time for record in timed for time in (record.start_ns, record.end_ns))
    session = _session_row(key, units, round_rows, call_rows, rescue_rows, agents, times)
    return SessionRows([session], round_rows, call_rows, _tool_rows(key, model_calls, agents), rescue_rows)


def _own(unit: Unit, records: Sequence[_R], key: SessionKey) -> Sequence[_R]:
    if not unit.sessions:
        return records
    return [record for record in records if record.session_id == key.session_id]


def _round_row(key: SessionKey, turn: Turn, tool_calls: int) -> RoundRow:
    call = turn.call or ModelCall("", "", turn.start_ns, 0, "")
    return RoundRow(
        service_name=key.service_name,
        session_id=key.session_id,
        round=turn.number,
        emitter_step=turn.step,
        agent_name=turn.agent_name,
        trace_id=call.trace_id,
        span_id=call.span_id,
        started_at=_us(call.start_ns),
        ended_at=_us(call.end_ns),
        model=call.model,
        provider=call.provider,
        server_address=call.server_address,
        finish_reason=_finish_reason(call.finish_reason),
        text=call.text,
        reasoning=call.reasoning,
        tool_calls=tool_calls,
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
        user_text=turn.user_text,
        error=call.error[:_MAX_ERROR_CHARS],
    )


def _call_row(key: SessionKey, call: Call, names: dict[tuple[str, int | None, str], str]) -> ToolCallRow:
    turn, proposed, result = call.turn, call.proposed, call.result
    ran = call.execution or ToolExecution("", "", 0, 0, "")
    requested = (proposed.name if proposed else "") or ran.requested or ran.tool
    arguments = proposed.arguments if proposed and proposed.arguments is not None else ran.arguments
    text = ran.result if ran.result is not None or result is None else result.text
    is_error = ran.is_error or (result is not None and result.is_error)
    diff = diff_summary(text)
    fields_modified = ran.fields_modified if ran.fields_modified is not None else diff.fields_modified
    model_call = turn.call
    return ToolCallRow(
        service_name=key.service_name,
        session_id=key.session_id,
        round=turn.number,
        position=call.position,
        agent_name=turn.agent_name,
        trace_id=ran.trace_id or (model_call.trace_id if model_call else ""),
        span_id=ran.span_id or (model_call.span_id if model_call else ""),
        call_id=call.call_id,
        started_at=_us(ran.start_ns),
        ended_at=_us(ran.end_ns),
        tool=ran.tool or names.get((turn.agent_name, turn.number, requested)) or requested,
        requested_tool=requested,
        arguments=None if arguments is None else to_json(arguments),
        fingerprint="" if arguments is None else fingerprint(requested, arguments),
        result=text,
        is_error=is_error,
        error=(ran.error or text or "")[:_MAX_ERROR_CHARS] if is_error else None,
        changed=ran.changed if ran.changed is not None else diff.changed,
        hash_before=ran.hash_before if ran.hash_before is not None else diff.hash_before,
        hash_after=ran.hash_after if ran.hash_after is not None else diff.hash_after,
        fields_modified=None if fields_modified is None else list(fields_modified),
        source=call.execution.source if call.execution else "message",
    )


def _rescue_rows(
    key: SessionKey, rescues: Sequence[RescueSignal], turns: list[Turn], calls: Sequence[Call], agent: str
) -> list[RescueRow]:
    by_span = {turn.call.span_id: turn for turn in turns if turn.call and turn.call.span_id}
    by_span.update({call.execution.span_id: call.turn for call in calls if call.execution})
    everyone = Timeline(turns)
    timelines: dict[str, Timeline] = {}
    rows = []
    for rescue in rescues:
        turn = by_span.get(rescue.span_id) if rescue.span_id else None
        if turn is None and rescue.agent_name:
            name = rescue.agent_name
            if name not in timelines:
                timelines[name] = Timeline([turn for turn in turns if turn.agent_name == name])
            turn = timelines[name].at(rescue.time_ns)
        turn = turn or everyone.at(rescue.time_ns)
        rows.append(
            RescueRow(
                session_id=key.session_id,
                round=turn.number if turn else None,
                at=rescue.time_ns // 1000,
                name=rescue.name,
                family=rescue.family,
                original=rescue.original,
                recovered=rescue.recovered,
                note=rescue.note,
                agent_name=rescue.agent_name or (turn.agent_name if turn else agent),
                model=rescue.model or (turn.call.model if turn and turn.call else ""),
                service_name=key.service_name,
                trace_id=rescue.trace_id,
                span_id=rescue.span_id,
            )
        )
    return rows


def _recovered_names(rescues: Iterable[RescueRow]) -> dict[tuple[str, int | None, str], str]:
    """What a requested name was recovered to, by agent, round and name."""
    return {
        (rescue.agent_name, rescue.round, rescue.original): rescue.recovered
        for rescue in rescues
        if rescue.family == "name_recovery" and rescue.original and rescue.recovered
    }


def _tool_rows(key: SessionKey, calls: Iterable[ModelCall], agents: Iterable[AgentSpan]) -> list[ToolRow]:
    rows: dict[str, ToolRow] = {}
    read: set[str] = set()
    offered = [call.definitions for call in calls] + [agent.definitions for agent in agents]
    for definitions in offered:
        if not definitions:
            continue
        text = definitions if isinstance(definitions, str) else to_json(definitions)
        if text in read:
            continue
        read.add(text)
        for tool in messages.definitions(definitions):
            known = rows.get(tool.name)
            if known is None or (known.input_schema is None and tool.input_schema is not None):
                schema = None if tool.input_schema is None else to_json(tool.input_schema)
                rows[tool.name] = ToolRow(
                    key.service_name, key.session_id, tool.name, tool.description, schema
                )
    return list(rows.values())


def _session_row(
    key: SessionKey,
    units: Sequence[Unit],
    rounds: Sequence[RoundRow],
    calls: Sequence[ToolCallRow],
    rescues: Sequence[RescueRow],
    agents: Sequence[AgentSpan],
    times: Iterable[int],
) -> SessionRow:
    known_times = [time for time in times if time > 0]
    agent = rounds[0].agent_name if rounds else next((span.name for span in agents if span.name), "")
    agent = agent or (key.service_name if not rounds else "")
    own = [row for row in rounds if row.agent_name == agent]
    models = Counter(row.model for row in rounds if row.model)
    final_text = next((row.text for row in reversed(own) if row.text), "")
    return SessionRow(
        session_id=key.session_id,
        session_source=_source(key, units),
        started_at=_us(min(known_times, default=0)),
        ended_at=_us(max(known_times, default=0)),
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
    )


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


def _finish_reason(reason: str) -> str:
    """`STOP`, `tool-calls` and `FinishReason.TOOL_CALLS` in one spelling."""
    return reason.rpartition(".")[2].lower().replace("-", "_")


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _us(time_ns: int) -> int | None:
    return time_ns // 1000 if time_ns > 0 else None
