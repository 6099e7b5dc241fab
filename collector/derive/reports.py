"""Several reports of one model call or execution that nothing but their time and content links.

Emitters write log records about a call without naming its span, or without any trace id, so that they
come in another unit. They write them when the call ends, give or take `NEAR_NS`. Of one name (see
`ModelCall.record`) a call has at most one record: two are two calls.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from collector.derive.arguments import same_arguments
from collector.derive.canonical import ModelCall, ToolExecution
from collector.derive.executions import by_time, fill_execution
from collector.derive.model_parts import fill, has_answer

_T = TypeVar("_T")

NEAR_NS = 1_000_000_000
"""How far apart the end of a call and the time of its log record may be."""

_MAX_CANDIDATES = 16
"""How many of the calls that end before a record's time, and of those after, it is compared with."""


def join_calls(calls: Iterable[ModelCall]) -> list[ModelCall]:
    """The calls, each once: those known by log records (`record`) joined with what they report.

    Records of one name are matched together, the nearest pairs first; what matches nothing is a call
    by itself. The given records stay as they are.
    """
    hosts: list[_Host] = []
    kinds: dict[str, list[ModelCall]] = {}
    for call in sorted(calls, key=by_time):
        if call.record:
            kinds.setdefault(call.record, []).append(call)
        else:
            hosts.append(_Host(call.end_ns, len(hosts), call))
    hosts.sort()
    for name in sorted(kinds, key=lambda name: (-len(kinds[name]), name)):
        _match(hosts, kinds[name])
    return [host.call for host in hosts]


class _Host:
    """A call and the names of the records already joined to it; ordered by its end."""

    def __init__(self, end_ns: int, number: int, call: ModelCall) -> None:
        self.end_ns, self.number, self.call, self.copied = end_ns, number, call, False

    def __lt__(self, other: _Host) -> bool:
        return (self.end_ns, self.number) < (other.end_ns, other.number)

    def take(self, report: ModelCall) -> None:
        if report.error and not has_answer(replace(report, error="")) and has_answer(self.call):
            return  # an attempt that failed before the one that was answered
        if not self.copied:  # the unit's own record stays as it was read
            self.call = replace(self.call, calls=[replace(proposed) for proposed in self.call.calls])
            self.copied = True
        fill(self.call, report)


def _match(hosts: list[_Host], reports: Sequence[ModelCall]) -> None:
    """Join the records of one name with the calls they report, or add them to `hosts`."""
    pairs = [
        (distance, index, host.number, host)
        for index, report in enumerate(reports)
        for distance, host in _candidates(hosts, report)
    ]
    matched: set[int] = set()
    taken: set[int] = set()
    for _, index, number, host in sorted(pairs, key=lambda pair: pair[:3]):
        if index not in matched and number not in taken:
            matched.add(index)
            taken.add(number)
            host.take(reports[index])
    for index, report in enumerate(reports):
        if index not in matched:
            insort(hosts, _Host(report.end_ns, len(hosts), report))


def _candidates(hosts: Sequence[_Host], report: ModelCall) -> Iterator[tuple[tuple[bool, int], _Host]]:
    """The calls that `report` may be about, each with how little it fits."""
    at = report.end_ns
    for host in hosts[_around(hosts, at, lambda host: host.end_ns)]:
        call = host.call
        if call.start_ns <= at + NEAR_NS and not _contradict(call, report):
            odd = _differ(call.agent_name, report.agent_name) or _differ(
                call.output_tokens, report.output_tokens
            )
            yield (odd, abs(call.end_ns - at)), host


def _around(ordered: Sequence[_T], at: int, end_of: Callable[[_T], int]) -> slice:
    """The nearest of those that end not long before `at`, or after it, of a list ordered by `end_of`."""
    middle = bisect_right(ordered, at, key=end_of)
    first = bisect_left(ordered, at - NEAR_NS, hi=middle, key=end_of)
    return slice(max(first, middle - _MAX_CANDIDATES), middle + _MAX_CANDIDATES)


def _contradict(call: ModelCall, report: ModelCall) -> bool:
    """Whether both say what the model answered, and not the same."""
    ids = {proposed.call_id for proposed in call.calls}
    reported = {proposed.call_id for proposed in report.calls}
    if ids and reported and ids != reported:
        return True
    one, other = sorted((call.text, report.text), key=len)
    return bool(one) and not other.startswith(one)


def _differ(one: object, other: object) -> bool:
    return bool(one and other and one != other)


def join_executions(executions: Iterable[ToolExecution]) -> list[ToolExecution]:
    """The executions, each once: what a log record reports of one that another record holds is added to it.

    They are the same where they end at about the same time, have the same id or, where one has none,
    the same tool and arguments.
    """
    ordered = sorted(executions, key=by_time)
    kept = [execution for execution in ordered if execution.source == "span"]
    logs = [execution for execution in ordered if execution.source == "log"]
    if not kept or not logs:
        return ordered
    kept.sort(key=lambda execution: execution.end_ns)
    taken: set[int] = set()
    alone: list[ToolExecution] = []
    for log in logs:
        around = _around(kept, log.end_ns, lambda execution: execution.end_ns)
        near = [
            (abs(kept[index].end_ns - log.end_ns), index)
            for index in range(*around.indices(len(kept)))
            if index not in taken and kept[index].start_ns <= log.end_ns + NEAR_NS and _same(kept[index], log)
        ]
        if not near:
            alone.append(log)
            continue
        index = min(near)[1]
        taken.add(index)
        kept[index] = replace(kept[index])
        fill_execution(kept[index], log)
    return sorted([*kept, *alone], key=by_time)


def _same(execution: ToolExecution, log: ToolExecution) -> bool:
    if execution.call_id and log.call_id:
        return execution.call_id == log.call_id
    return execution.tool == log.tool and same_arguments(execution.arguments, log.arguments) is not False
