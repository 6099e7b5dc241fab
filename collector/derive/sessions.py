"""All rows of one session from the units that belong to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from tightrope_sdk.diff import diff_summary
from tightrope_sdk.fingerprint import fingerprint

from collector.derive.answers import with_repeated_answers
from collector.derive.calls import Call, build_calls
from collector.derive.canonical import (
    AgentSpan,
    ModelCall,
    RescueSignal,
    ToolExecution,
    Unit,
    UserPrompt,
)
from collector.derive.reports import join_calls, join_executions
from collector.derive.rescues import join_signals
from collector.derive.rounds import Timeline, Turn, build_turns
from collector.derive.rows import (
    RescueRow,
    RoundRow,
    SessionRows,
    ToolCallRow,
    ToolRow,
    microseconds,
)
from collector.derive.session_row import session_row
from collector.derive.stitch import SessionKey
from collector.dialects import messages
from collector.dialects.decode import to_json
from collector.dialects.results import reason, says_error

_R = TypeVar("_R", ModelCall, ToolExecution, AgentSpan, RescueSignal, UserPrompt)
_UNNAMED_SERVICE = "unknown_service"
_MAX_ERROR_CHARS = 2_000


def derive_session(key: SessionKey, units: Sequence[Unit]) -> SessionRows:
    """The rows of the session `key` from `units`, whatever their order. Never raises.

    Of a unit that names several sessions only this one's records count; a unit that names none
    belongs to it as a whole. Findings are not derived here (see `analysis.analyze`).
    """
    units = sorted({unit.unit_id: unit for unit in units}.values(), key=lambda u: (u.start_ns, u.unit_id))
    model_calls = join_calls(call for unit in units for call in _own(unit, unit.model_calls, key))
    model_calls = with_repeated_answers(model_calls)
    executions = join_executions(
        execution for unit in units for execution in _own(unit, unit.executions, key)
    )
    prompts = [prompt for unit in units for prompt in _own(unit, unit.prompts, key)]
    agents = [agent for unit in units for agent in _own(unit, unit.agents, key)]
    signals = [signal for unit in units for signal in _own(unit, unit.rescues, key)]
    if not (model_calls or executions or agents or signals):
        return SessionRows()
    agent = _default_agent(key, agents)
    turns, calls = build_calls(build_turns(model_calls, agent, prompts), executions, agent)
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
    session = session_row(key, units, round_rows, call_rows, rescue_rows, agents, times)
    return SessionRows([session], round_rows, call_rows, _tool_rows(key, model_calls, agents), rescue_rows)


def _default_agent(key: SessionKey, agents: Iterable[AgentSpan]) -> str:
    """Whose the calls are that do not say it: the session's only agent's, else the service's."""
    names = {agent.name for agent in agents if agent.name}
    if len(names) == 1:
        return names.pop()
    return "" if key.service_name.startswith(_UNNAMED_SERVICE) else key.service_name


def _own(unit: Unit, records: Sequence[_R], key: SessionKey) -> Sequence[_R]:
    if not unit.sessions:
        return records
    return [record for record in records if record.session_id == key.session_id]


def _round_row(key: SessionKey, turn: Turn, tool_calls: int) -> RoundRow:
    call = turn.call or ModelCall("", "", turn.start_ns, 0)
    return RoundRow(
        service_name=key.service_name,
        session_id=key.session_id,
        round=turn.number,
        emitter_step=turn.step,
        agent_name=turn.agent_name,
        trace_id=call.trace_id,
        span_id=call.span_id,
        started_at=microseconds(call.start_ns),
        ended_at=microseconds(call.end_ns),
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
    ran = call.execution or ToolExecution("", "", 0, 0)
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
        started_at=microseconds(ran.start_ns),
        ended_at=microseconds(ran.end_ns),
        tool=ran.tool or names.get((turn.agent_name, turn.number, requested)) or requested,
        requested_tool=requested,
        arguments=None if arguments is None else to_json(arguments),
        fingerprint="" if arguments is None else fingerprint(requested, arguments),
        result=text,
        is_error=is_error,
        error=_why(ran.error, text)[:_MAX_ERROR_CHARS] if is_error else None,
        changed=ran.changed if ran.changed is not None else diff.changed,
        hash_before=ran.hash_before if ran.hash_before is not None else diff.hash_before,
        hash_after=ran.hash_after if ran.hash_after is not None else diff.hash_after,
        fields_modified=None if fields_modified is None else list(fields_modified),
        source=call.execution.source if call.execution else "message",
    )


def _why(error: str | None, result: str | None) -> str:
    """Why a call failed: its error; where that is a bare type or code, what the result says of it."""
    if error and (" " in error or not (result and says_error(result))):
        return error
    return reason(result or "")


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


def _finish_reason(reason: str) -> str:
    """`STOP`, `tool-calls` and `FinishReason.TOOL_CALLS` in one spelling."""
    return reason.rpartition(".")[2].lower().replace("-", "_")
