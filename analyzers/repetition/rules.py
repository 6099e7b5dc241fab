"""Loops among the calls of one segment, most specific rule first.

The result decides: a known different result is progress, an unknown one may be the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import TypeVar

from tightrope_sdk.fingerprint import canonical_name

from analyzers import call_classes
from analyzers.model import Severity
from analyzers.repetition import errors
from analyzers.repetition.settings import Levels, RepetitionLoopSettings, severity_of
from analyzers.repetition.steps import Step


@dataclass(frozen=True, slots=True)
class Loop:
    """Steps that one rule found to go nowhere. `at` are their places in the segment.

    `count` is what was measured against `levels`: calls, or repetitions of a cycle of `period` calls.
    """

    rule: str
    severity: Severity
    levels: Levels
    count: int
    at: tuple[int, ...]
    period: int = 1


_LEAST = 3  # calls that make a repetition

_Item = TypeVar("_Item")
Steps = Sequence[Step]
Rule = Callable[[Steps, RepetitionLoopSettings], Iterator[Loop]]


def find_loops(steps: Steps, settings: RepetitionLoopSettings) -> list[Loop]:
    """The loops of a segment, in order. A call belongs to one loop at most."""
    found: list[Loop] = []
    taken: set[int] = set()
    counts = Counter(step.key for step in steps if step.key is not None)
    repeats = max(counts.values(), default=0) >= _LEAST
    acts = [at for at, step in enumerate(steps) if not call_classes.is_thought(step.call)]
    acting = [steps[at] for at in acts]  # a thought between two calls changes nothing
    has_thoughts = 0 < len(acts) < len(steps)
    rules = _RULES if repeats else _RULES_FOR_DIFFERENT_CALLS
    if sum(step.failed for step in steps) < _LEAST:
        rules = tuple(rule for rule in rules if rule not in _RULES_FOR_FAILURES)
    for rule in rules:
        loops = list(rule(steps, settings))
        if has_thoughts:
            loops += [replace(loop, at=tuple(acts[i] for i in loop.at)) for loop in rule(acting, settings)]
        for loop in loops:
            if taken.isdisjoint(loop.at):
                taken.update(loop.at)
                found.append(loop)
    return sorted(found, key=lambda loop: loop.at[0])


def _runs(items: Sequence[_Item], continues: Callable[[_Item, _Item], bool]) -> Iterator[range]:
    """Maximal stretches in which `continues(previous, next)` holds."""
    start = 0
    for end in range(1, len(items) + 1):
        if end == len(items) or not continues(items[end - 1], items[end]):
            yield range(start, end)
            start = end


def _loop(
    rule: str, at: Sequence[int], levels: Levels, count: int | None = None, period: int = 1
) -> Iterator[Loop]:
    count = len(at) if count is None else count
    severity = severity_of(count, levels)
    if severity:
        yield Loop(rule, severity, levels, count, tuple(at), period)


def _unknown_tools(steps: Steps, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    def continues(one: Step, two: Step) -> bool:
        return one.failed and two.failed and call_classes.is_unknown_tool(two.call)

    for run in _runs(steps, continues):
        names = {steps[at].call.named for at in run}
        # Two names or three may each be a slip.
        least = settings.unknown_tool[0] + (len(names) > 1)
        if len(run) >= least and call_classes.is_unknown_tool(steps[run[0]].call):
            same = all(
                steps[run[0]].key == steps[at].key and steps[run[0]].same_outcome(steps[at]) for at in run
            )
            yield from _loop("unknown_tool", run, settings.exact_repeat if same else settings.unknown_tool)


def _streaks(steps: Steps, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    """The same call in a row; streaks of one call with other calls between them are one loop."""
    found: dict[tuple[str, str | None], list[Loop]] = {}
    for same in _runs(steps, lambda one, two: one.key is not None and one.key == two.key):
        if len(same) < 3:
            continue
        for run in _same_outcomes(steps, same):
            if _is_overcome(steps, run, settings):
                continue
            for loop in _streak(steps, run, settings):
                found.setdefault((loop.rule, steps[run[0]].key), []).append(loop)
    for loops in found.values():
        worst = max(loops, key=lambda loop: loop.count)
        yield from _loop(worst.rule, [at for loop in loops for at in loop.at], worst.levels, worst.count)


def _is_overcome(steps: Steps, run: range, settings: RepetitionLoopSettings) -> bool:
    """Whether a few retries of a call that met a transient fault led to its success."""
    return (
        run.stop < len(steps)
        and len(run) < settings.error_loop[1]
        and call_classes.is_transient(steps[run.start].call)
        and steps[run.stop].key == steps[run.start].key
        and not steps[run.stop].failed
    )


def _same_outcomes(steps: Steps, run: range) -> Iterator[range]:
    """Cut a run of one call where its known outcome changed. Failures go on, whatever they say."""
    start, known = run.start, steps[run.start]
    for at in range(run.start + 1, run.stop):
        step = steps[at]
        if step.failed != known.failed or not (step.failed or step.same_outcome(known)):
            yield range(start, at)
            start = at
        if step.known or start == at:
            known = step
    yield range(start, run.stop)


def _streak(steps: Steps, run: range, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    first = steps[run.start]
    if len(run) < 3:
        return
    if any(steps[at].patient for at in run):
        if all(first.same_outcome(steps[at]) for at in run):
            yield from _loop("poll_no_progress", run, settings.poll_no_progress)
    elif not first.failed:
        yield from _loop("exact_repeat", run, settings.exact_repeat)
    else:
        same = all(first.same_outcome(steps[at]) for at in run) and not call_classes.is_transient(first.call)
        yield from _loop("error_loop", run, settings.exact_repeat if same else settings.error_loop)


def _cycles(steps: Steps, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    for period in range(2, settings.max_period + 1):
        matches = [
            one.key is not None and one.key == two.key and one.failed == two.failed and one.same_outcome(two)
            for one, two in zip(steps, steps[period:], strict=False)
        ]
        at = 0
        for goes_on, stretch in groupby(matches):
            length = sum(1 for _ in stretch)
            members = range(at, at + length + period)
            at += length
            repetitions = len(members) // period
            if not goes_on or repetitions < 3 or len({steps[i].key for i in members[:period]}) == 1:
                continue
            if _is_patient([steps[i] for i in members[:period]]):
                yield from _loop("poll_no_progress", members, settings.poll_no_progress, repetitions, period)
            else:
                yield from _loop("cycle", members, settings.cycle, repetitions, period)


def _is_patient(turn: Steps) -> bool:
    """Whether a cycle waits or steps on: one key press among other acts is just a part of them."""
    if any(step.waits for step in turn):
        return True
    return any(step.patient for step in turn) and not any(
        call_classes.writes(step.call) and not step.patient for step in turn
    )


def _same_errors(steps: Steps, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    """One error, whatever the arguments: of one tool, or somewhat longer of several."""

    def continues(one: Step, two: Step) -> bool:
        return (
            one.failed
            and two.failed
            and (
                one.same_outcome(two)
                or (one.key is not None and two.key is not None and _same_fault(one, two))
            )
        )

    for run in _runs(steps, continues):
        first = steps[run[0]].call
        several = len({canonical_name(steps[at].call.tool) for at in run}) > 1
        if (
            len(run) >= settings.same_error[several]
            and call_classes.failure(first).strip()
            and not call_classes.is_transient(first)
            and not call_classes.is_bare_exit_code(first)
            and not _is_list_of_missing(steps, run, settings)
        ):
            yield from _loop("error_loop", run, settings.same_error)


def _is_list_of_missing(steps: Steps, at: Sequence[int], settings: RepetitionLoopSettings) -> bool:
    """Whether look-ups went through a list of things, which are not there, rather than guessed at one."""
    calls = [steps[i].call for i in at]
    return (
        len(calls) < settings.guesses[1]
        and all(isinstance(call.arguments, dict) and call_classes.is_missing(call) for call in calls)
        and not errors.are_guesses([call.arguments for call in calls])
    )


def _errors_with_looks_between(steps: Steps, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    """One tool failing with the same error, other arguments, and nothing but looks between its calls."""
    by_tool: defaultdict[str, list[int]] = defaultdict(list)
    for place, step in enumerate(steps):
        by_tool[canonical_name(step.call.tool)].append(place)
    moved: list[int] = []
    for places in by_tool.values():
        if sum(steps[place].failed for place in places) < settings.interleaved_repeat[0]:
            continue
        moved = moved or _progress(steps)

        def continues(one: int, two: int) -> bool:
            return (
                steps[one].failed
                and steps[two].failed
                and steps[one].same_outcome(steps[two])
                and moved[two] == moved[one + 1]  # noqa: B023  # used up within the turn of the loop
            )

        for run in _runs(places, continues):
            at = [places[i] for i in run]
            first = steps[at[0]].call
            if (
                len(at) >= settings.interleaved_repeat[0]
                and len({steps[i].key for i in at}) > 1
                and call_classes.failure(first).strip()
                and not call_classes.is_transient(first)
                and not call_classes.is_bare_exit_code(first)
                and not _is_list_of_missing(steps, at, settings)
            ):
                yield from _loop("error_loop", at, settings.interleaved_repeat)


def _same_fault(one: Step, two: Step) -> bool:
    """Whether both calls' arguments are no JSON and were refused in the same words, wherever the fault is."""
    calls = one.call, two.call
    return all(isinstance(call.arguments, str) for call in calls) and errors.without_position(
        call_classes.failure(calls[0])
    ) == errors.without_position(call_classes.failure(calls[1]))


def _guesses(steps: Steps, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    """One tool, one error but for the arguments that it repeats, and arguments guessed around one word."""

    def continues(one: Step, two: Step) -> bool:
        return (
            one.failed
            and two.failed
            and one.key != two.key
            and canonical_name(one.call.tool) == canonical_name(two.call.tool)
            and errors.without_arguments(one.call) == errors.without_arguments(two.call)
        )

    for run in _runs(steps, continues):
        calls = [steps[at].call for at in run]
        if (
            len(run) >= settings.guesses[0]
            and not call_classes.is_transient(calls[0])
            and not call_classes.is_bare_exit_code(calls[0])
            and errors.are_guesses([call.arguments for call in calls])
        ):
            yield from _loop("error_loop", run, settings.guesses)


def _stagnation(steps: Steps, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    def continues(one: Step, two: Step) -> bool:
        return (
            one.call.result is not None
            and one.call.result == two.call.result
            and one.key != two.key
            and not (one.failed or two.failed)
        )

    for run in _runs(steps, continues):
        if len(run) < settings.stagnation[0] or not all(call_classes.is_search(steps[at].call) for at in run):
            continue
        different = {steps[at].key for at in run}
        if len(different) >= settings.stagnation[0] and not _is_list_of_items(steps, run):
            yield from _loop("stagnation", run, settings.stagnation)


def _is_list_of_items(steps: Steps, run: Sequence[int]) -> bool:
    """Whether searches went through pages, days or a list of things, rather than reworded one question."""
    given = [steps[at].call.arguments for at in run]
    return errors.is_sweep(given) or not (
        call_classes.runs_command(steps[run[0]].call) or errors.are_guesses(given)
    )


def _plan_churn(steps: Steps, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    """Plans in a row that only reword the items: none of them changes its status."""

    if sum(call_classes.is_thought(step.call) for step in steps) < settings.plan_churn:
        return

    def continues(one: Step, two: Step) -> bool:
        statuses = _statuses(one)
        return bool(statuses) and statuses == _statuses(two)

    never = len(steps) + 1
    for run in _runs(steps, continues):
        yield from _loop("plan_churn", run, (settings.plan_churn, never, never))


def _statuses(step: Step) -> list[str]:
    if not (isinstance(step.call.arguments, dict) and call_classes.is_thought(step.call)):
        return []
    lists = [value for value in step.call.arguments.values() if isinstance(value, list)]
    items = lists[0] if len(lists) == 1 else []
    return [str(item["status"]) for item in items if isinstance(item, dict) and "status" in item]


def _interleaved(steps: Steps, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    """The same call with the same known outcome, again and again among calls that change nothing."""
    least, window = settings.interleaved_repeat[0], settings.interleaved_window
    moved: list[int] = []
    for places in _places(steps, least):
        first = steps[places[0]]
        if first.patient or call_classes.is_thought(first.call):
            continue
        moved = moved or _progress(steps)
        densest = max(
            ([at for at in places[i : i + window] if at < start + window] for i, start in enumerate(places)),
            key=len,
        )
        if all(steps[at].known for at in densest) and _stood_still(steps, densest, moved):
            yield from _loop("interleaved_repeat", densest, settings.interleaved_repeat)


def _scattered_errors(steps: Steps, settings: RepetitionLoopSettings) -> Iterator[Loop]:
    """The same call with the same error, and nothing in between that could have mended it."""
    moved: list[int] = []
    never = len(steps) + 1
    for places in _places(steps, settings.scattered_error):
        failures = [at for at in places if steps[at].failed]
        if len(failures) < settings.scattered_error:
            continue
        if call_classes.is_transient(steps[failures[0]].call) and not steps[places[-1]].failed:
            continue
        moved = moved or _progress(steps)
        if _stood_still(steps, failures, moved):
            yield from _loop("scattered_error", failures, (settings.scattered_error, never, never))


def _places(steps: Steps, least: int) -> Iterator[list[int]]:
    """Where each call stands that was made at least `least` times."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, step in enumerate(steps):
        if step.key is not None:
            places[step.key].append(at)
    return (found for found in places.values() if len(found) >= least)


def _progress(steps: Steps) -> list[int]:
    """How many steps up to each moved something: changed state anew, or led where they did not before."""
    last: dict[str | None, Step] = {}
    moved = []
    for step in steps:
        before = last.get(step.key)
        last[step.key] = step
        if call_classes.is_sleep(step.call):
            moved.append(True)  # time has passed, and others have had their turn
        elif before is None or step.key is None:
            moved.append(call_classes.may_change_state(step.call))
        else:
            on = call_classes.is_step(step.call) and not step.failed
            moved.append(on or not before.same_outcome(step))
    return list(accumulate(moved, initial=0))


def _stood_still(steps: Steps, places: Sequence[int], moved: Sequence[int]) -> bool:
    """Whether the calls at `places` all ended alike and nothing moved between the first and the last."""
    first, last = places[0], places[-1]
    return moved[last + 1] == moved[first + 1] and all(
        steps[at].failed == steps[first].failed and steps[first].same_outcome(steps[at]) for at in places
    )


_RULES: tuple[Rule, ...] = (
    _unknown_tools,
    _streaks,
    _cycles,
    _same_errors,
    _guesses,
    _errors_with_looks_between,
    _stagnation,
    _plan_churn,
    _interleaved,
    _scattered_errors,
)
_RULES_FOR_DIFFERENT_CALLS: tuple[Rule, ...] = (
    _unknown_tools,
    _same_errors,
    _guesses,
    _errors_with_looks_between,
    _stagnation,
    _plan_churn,
)
_RULES_FOR_FAILURES: tuple[Rule, ...] = (_unknown_tools, _same_errors, _guesses, _errors_with_looks_between)
