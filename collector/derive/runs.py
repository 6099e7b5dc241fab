"""Runs of agents: those of one name that are under way at the same time are told apart.

An orchestrator may start several workers of one name at once. Their rounds are no one's sequence: the
same first call in each of them is no loop.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from collector.derive.canonical import AgentSpan, ModelCall, ToolExecution
from collector.derive.tree import Tree


def numbered_runs(
    agents: Sequence[AgentSpan],
    calls: Sequence[ModelCall],
    executions: Sequence[ToolExecution],
    tree: Tree,
) -> dict[str, str]:
    """New names of agents by the ids of their spans: `worker (2)` for a `worker` beside another at work.

    A span directly inside another of the same agent is the same run; one inside a tool of that agent is
    another. A run is at work from its first call or execution to the end of its last.
    """
    named = {agent.span_id: agent for agent in agents if agent.name}
    if len({agent.name for agent in named.values()}) == len(named):
        return {}
    around: dict[str, AgentSpan | ToolExecution] = tree.nearest(
        {**{execution.span_id: execution for execution in executions}, **named}
    )
    first = {
        span_id: span_id
        for span_id, agent in named.items()
        if not _is_of(agent, around.get(tree.parent(span_id)))
    }
    run_of = tree.nearest(first)
    lanes = _lanes(named, _at_work(run_of, [*calls, *executions]))
    return {
        span_id: f"{agent.name} ({lane})"
        for span_id, agent in named.items()
        if (lane := lanes.get(run_of.get(span_id, ""), 1)) > 1
    }


def _is_of(agent: AgentSpan, outer: AgentSpan | ToolExecution | None) -> bool:
    return isinstance(outer, AgentSpan) and outer.name == agent.name


def _at_work(
    run_of: dict[str, str], records: Iterable[ModelCall | ToolExecution]
) -> dict[str, tuple[int, int]]:
    """From when to when each run was at work."""
    times: dict[str, tuple[int, int]] = {}
    for record in records:
        run = run_of.get(record.span_id)
        if run is not None:
            start, end = times.get(run, (record.start_ns, record.end_ns))
            times[run] = min(start, record.start_ns), max(end, record.end_ns)
    return times


def _lanes(named: dict[str, AgentSpan], times: dict[str, tuple[int, int]]) -> dict[str, int]:
    """A number for each run, from 1: two of one name that overlap never have the same."""
    busy: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    lanes: dict[str, int] = {}
    for run, (start, end) in sorted(times.items(), key=lambda item: (item[1], item[0])):
        agent = named[run]
        # Of two instrumentations each reports every run: only runs of one of them are several.
        ends = busy.setdefault((agent.session_id, agent.scope, agent.name), [])
        lanes[run] = heapq.heappop(ends)[1] if ends and ends[0][0] <= start else len(ends) + 1
        heapq.heappush(ends, (end, lanes[run]))
    return lanes
