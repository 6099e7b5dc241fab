"""Two instrumentations at once: what both report, side by side in one trace, is one call.

Instrumentations that listen to the same framework (OpenInference and OpenLLMetry on LangChain, say)
write a span each for the same model call or tool execution. Nested ones are joined where they are
nested (`model_parts`, `executions`); these are siblings, or nested in a third. They are of different
instrumentation scopes, at the same time, and say the same. Within one scope nothing is joined here:
parallel calls may well be alike. Log records are joined with what they report in `reports`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from collector.derive.arguments import same_arguments
from collector.derive.canonical import ModelCall, ToolExecution
from collector.derive.executions import by_time, fill_execution
from collector.derive.model_parts import fill, has_content, merge_inner

R = TypeVar("R", ModelCall, ToolExecution)

_MAX_CANDIDATES = 64
"""How many records that began before the end of another are looked at for its twin."""


def join_twin_calls(calls: Sequence[ModelCall]) -> list[ModelCall]:
    """The model calls, each once, by time."""
    spans = [call for call in calls if not call.record]
    logs = [call for call in calls if call.record]
    return sorted([*_joined(spans, _same_answer, _merge_calls), *logs], key=by_time)


def join_twin_executions(executions: Sequence[ToolExecution]) -> list[ToolExecution]:
    """The executions, each once, by time."""
    spans = [execution for execution in executions if execution.source == "span"]
    logs = [execution for execution in executions if execution.source == "log"]
    return sorted([*_joined(spans, _same_execution, fill_execution), *logs], key=by_time)


def _joined(
    records: Sequence[R], same: Callable[[R, R], bool | None], merge: Callable[[R, R], None]
) -> list[R]:
    """The records of the scope that has most of them, each merged with its twins of the other scopes.

    `same` tells whether two are one: for certain, as far as can be known (None), or not.
    """
    scopes = Counter(record.scope for record in records)
    if len(scopes) < 2:
        return list(records)
    kept: list[R] = []
    for scope, _ in sorted(scopes.items(), key=lambda item: (-item[1], item[0])):
        taken: set[int] = set()
        alone: list[R] = []
        for record in (record for record in records if record.scope == scope):
            twins = [(same(one, record), one) for one in _around(kept, record) if id(one) not in taken]
            certain = [one for verdict, one in twins if verdict]
            possible = [one for verdict, one in twins if verdict is None]
            if certain or possible:
                one = (certain or possible)[0]
                taken.add(id(one))
                merge(one, record)
            else:
                alone.append(record)
        kept = sorted(kept + alone, key=by_time)
    return kept


def _around(kept: Sequence[R], record: R) -> list[R]:
    """Those of `kept` (by time) that were under way while `record` was, the earliest first."""
    end = bisect_right(kept, record.end_ns, key=lambda one: one.start_ns)
    recent = kept[max(end - _MAX_CANDIDATES, 0) : end]
    return [one for one in recent if one.end_ns >= record.start_ns]


def _same_answer(one: ModelCall, other: ModelCall) -> bool | None:
    if one.calls and other.calls:
        return _asked(one) == _asked(other)
    if one.text and other.text:
        return " ".join(one.text.split()) == " ".join(other.text.split())
    if has_content(one) and has_content(other):
        return False
    counts = (one.input_tokens, one.output_tokens)
    return None if None not in counts and counts == (other.input_tokens, other.output_tokens) else False


def _asked(call: ModelCall) -> list[object]:
    """What tells the calls of an answer: their ids, else their names."""
    return [proposed.call_id or [proposed.name] for proposed in call.calls]


def _merge_calls(one: ModelCall, other: ModelCall) -> None:
    """The shorter of two spans is nearer to the model."""
    if other.end_ns - other.start_ns < one.end_ns - one.start_ns:
        merge_inner(one, other)
    else:
        fill(one, other)


def _same_execution(one: ToolExecution, other: ToolExecution) -> bool | None:
    if one.call_id and other.call_id:
        return one.call_id == other.call_id
    return one.tool == other.tool and same_arguments(one.arguments, other.arguments)
