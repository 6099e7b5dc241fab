"""Tool executions of one unit: several reports of the same execution become one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from collector.derive.arguments import same_arguments
from collector.derive.canonical import ModelCall, RescueSignal, ToolExecution
from collector.derive.tree import Tree
from collector.dialects.decode import to_json


def by_time(record: ModelCall | ToolExecution) -> tuple[int, int, str, str]:
    """The order of records: by start, then end, then ids, so that it never depends on arrival."""
    return (record.start_ns, record.end_ns, record.trace_id, record.span_id)


def without_starts(executions: list[ToolExecution]) -> list[ToolExecution]:
    """The executions without those that only announce a later one of the same call."""
    started: dict[tuple[str, str], list[ToolExecution]] = {}
    announced: set[int] = set()
    for execution in executions if any(execution.unfinished for execution in executions) else ():
        same = (execution.tool, execution.call_id or to_json(execution.arguments))
        if execution.unfinished:
            started.setdefault(same, []).append(execution)
        elif started.get(same):
            start = started[same].pop(0)
            fill_execution(execution, start)
            execution.start_ns = start.start_ns
            announced.add(id(start))
    return [execution for execution in executions if id(execution) not in announced]


def without_doubles(
    executions: list[ToolExecution], tree: Tree, around: Mapping[str, object]
) -> list[ToolExecution]:
    """The executions (by time), each once.

    A span inside a span of the same call is the same execution, and so are two at the same time with
    the same call id. One after the other they are not: some emitters use an id again in every round.
    """
    kept: list[ToolExecution] = []
    running: dict[str, ToolExecution] = {}
    for execution in executions:
        outer = around.get(tree.parent(execution.span_id))
        twin = running.get(execution.call_id) if execution.call_id else None
        if isinstance(outer, ToolExecution) and outer is not execution and _same_call(outer, execution):
            fill_execution(outer, execution)
        elif twin is not None and execution.start_ns <= twin.end_ns:
            fill_execution(twin, execution)
        else:
            kept.append(execution)
            if execution.call_id:
                running[execution.call_id] = execution
    return kept


def _same_call(outer: ToolExecution, inner: ToolExecution) -> bool:
    if outer.call_id and inner.call_id:
        return outer.call_id == inner.call_id
    if outer.tool != inner.tool:
        return False
    if isinstance(outer.arguments, str) and isinstance(inner.arguments, str):
        return outer.arguments == inner.arguments  # a tool may run itself on another text
    return same_arguments(outer.arguments, inner.arguments) is not False


def fill_execution(execution: ToolExecution, other: ToolExecution) -> None:
    """Fill what `execution` lacks from `other`, another report of the same execution."""
    for name in ("requested", "call_id", "agent_name"):
        if not getattr(execution, name):
            setattr(execution, name, getattr(other, name))
    for name in (
        "arguments",
        "result",
        "error",
        "changed",
        "hash_before",
        "hash_after",
        "fields_modified",
        "round_hint",
    ):
        if getattr(execution, name) is None:
            setattr(execution, name, getattr(other, name))
    execution.is_error = execution.is_error or other.is_error


def read_recovered_names(executions: Sequence[ToolExecution], signals: Iterable[RescueSignal]) -> None:
    """Fill in the name the model used, where a rescue on the tool's own span tells it."""
    by_span = {execution.span_id: execution for execution in executions if execution.span_id}
    for signal in signals:
        execution = by_span.get(signal.span_id)
        if execution is not None and signal.family == "name_recovery" and signal.original:
            execution.requested = execution.requested or signal.original
            if signal.recovered and execution.tool == signal.original:
                execution.tool = signal.recovered
