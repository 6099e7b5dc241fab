"""Tool calls: what the model proposed, what ran, and what it was given back, each call once.

A proposal, its span and its result in the next request are joined by call id, and where there is none
by name, arguments and time. Some emitters use the same id again in every round, so an id means the
latest proposal that is not later than its execution or result.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from collector.derive.arguments import arguments_match
from collector.derive.canonical import ProposedCall, ToolExecution, ToolResult
from collector.derive.executions import fill_execution
from collector.derive.rounds import Timeline, Turn, by_agent, turns_of_tools
from collector.dialects import messages

_MAX_CANDIDATES = 64
"""How many earlier proposals of a name, or of a turn, are looked at for an execution without a call id."""

_MAX_SEARCHES = 50
"""How many results without a call are looked for in the history that brings them: each reads it whole."""


@dataclass(slots=True)
class Call:
    """A tool call in the making. One that is a result and nothing else was never asked for."""

    turn: Turn
    position: int
    proposed: ProposedCall | None = None
    execution: ToolExecution | None = None
    result: ToolResult | None = None

    @property
    def call_id(self) -> str:
        """The id under which the call is known, "" where nothing gives one."""
        if self.result and not (self.proposed or self.execution):
            return self.result.call_id
        own = self.proposed.call_id if self.proposed else ""
        return own or (self.execution.call_id if self.execution else "")


def build_calls(
    turns: Sequence[Turn], executions: Iterable[ToolExecution], agent: str
) -> tuple[list[Turn], list[Call]]:
    """All turns by time (also those known by their tools only), and their calls in order.

    `turns` are ordered by time. `agent` names the agent of executions that do not say whose they are.
    """
    board = _Board(turns)
    left = board.match_executions(
        sorted(executions, key=lambda e: (e.start_ns, e.end_ns, e.trace_id, e.span_id))
    )
    everyone = Timeline(list(turns))
    new_turns: list[Turn] = []
    for name, own in by_agent(left, agent).items():
        timeline = Timeline([turn for turn in turns if turn.agent_name == name]) if turns else everyone
        if not timeline.turns:
            timeline = everyone
        if timeline.turns:
            for execution in own:
                turn = timeline.at(execution.start_ns)
                if turn is not None:
                    board.add_execution(turn, execution)
        else:
            for turn, group in turns_of_tools(own, agent):
                new_turns.append(turn)
                for execution in group:
                    board.add_execution(turn, execution)
    board.match_results()
    ordered = sorted([*turns, *new_turns], key=lambda turn: (turn.start_ns, turn.agent_name, turn.number))
    return ordered, [call for turn in ordered for call in board.calls_of(turn)]


class _Board:
    """The calls of a session, found by turn, by id and by name."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = turns
        self._timeline = Timeline(list(turns))
        self._order = {id(turn): index for index, turn in enumerate(turns)}
        self._executed_ids: set[str] = set()
        self._searches = 0
        self._by_turn: dict[int, list[Call]] = {}
        self._by_id: dict[str, list[Call]] = {}
        self._by_name: dict[str, list[Call]] = {}
        self._unasked: dict[tuple[int, str], Call] = {}
        self._before: dict[int, Turn] = {}
        last: dict[str, Turn] = {}
        for turn in turns:
            if turn.agent_name in last:
                self._before[id(turn)] = last[turn.agent_name]
            last[turn.agent_name] = turn
            for proposed in turn.call.calls if turn.call else ():
                self._add(Call(turn, len(self.calls_of(turn)), proposed))

    def calls_of(self, turn: Turn) -> list[Call]:
        return self._by_turn.setdefault(id(turn), [])

    def add_execution(self, turn: Turn, execution: ToolExecution) -> None:
        """Add a call that no proposal is known of; two reports under one id are one call."""
        key = (id(turn), execution.call_id)
        if execution.call_id and key in self._unasked:
            self._execute(self._unasked[key], execution)
            return
        call = self._unasked[key] = Call(turn, len(self.calls_of(turn)), execution=execution)
        self._add(call)

    def _add(self, call: Call) -> None:
        self.calls_of(call.turn).append(call)
        if call.call_id:
            self._by_id.setdefault(call.call_id, []).append(call)
        if call.proposed:
            self._by_name.setdefault(call.proposed.name, []).append(call)

    def match_executions(self, executions: Sequence[ToolExecution]) -> list[ToolExecution]:
        """Join executions with proposals; those that match none are returned."""
        self._executed_ids = {execution.call_id for execution in executions}
        unmatched = []
        for execution in executions:
            call = self._by_call_id(execution) or self._by_arguments(execution)
            if call is None:
                unmatched.append(execution)
            else:
                self._execute(call, execution)
        left = []
        for execution in unmatched:
            call = None if execution.call_id else self._renamed(execution)
            if call is None:
                left.append(execution)
            else:
                self._execute(call, execution)
        return left

    def _execute(self, call: Call, execution: ToolExecution) -> None:
        if call.execution is None:
            call.execution = execution
        else:  # a copy: the unit's own record stays as it was read
            call.execution = replace(call.execution)
            fill_execution(call.execution, execution)

    def _by_call_id(self, execution: ToolExecution) -> Call | None:
        candidates = self._by_id.get(execution.call_id) if execution.call_id else None
        if not candidates:
            return None
        index = bisect_right(candidates, execution.start_ns, key=lambda call: call.turn.start_ns)
        return candidates[max(index - 1, 0)]

    def _by_arguments(self, execution: ToolExecution) -> Call | None:
        """The latest open proposal of the same name: with the same arguments, else with unknown ones."""
        if execution.call_id and not execution.tool:
            return None
        loose: Call | None = None
        exact: Call | None = None
        for call in self._open(execution.requested or execution.tool, execution):
            chosen = exact or loose
            if chosen is not None and call.turn is not chosen.turn and exact is not None:
                break
            if call.proposed is not None and not self._told_apart(execution, call.proposed):
                match = arguments_match(call.proposed.arguments, execution.arguments)
                if match:
                    exact = call
                elif match is None and (loose is None or loose.turn is call.turn):
                    loose = call
        return exact or loose

    def _told_apart(self, execution: ToolExecution, proposed: ProposedCall) -> bool:
        """Whether their ids show that these are two calls: some emitters give messages and spans
        ids of their own, so an id that no execution has tells nothing."""
        return bool(execution.call_id and proposed.call_id) and proposed.call_id in self._executed_ids

    def _open(self, name: str, execution: ToolExecution) -> list[Call]:
        """Proposals of `name` that nothing has executed yet, the latest first."""
        named = self._by_name.get(name, [])
        end = bisect_right(named, execution.start_ns, key=lambda call: call.turn.start_ns)
        recent = named[max(end - _MAX_CANDIDATES, 0) : end]
        return [call for call in reversed(recent) if call.execution is None]

    def _renamed(self, execution: ToolExecution) -> Call | None:
        """The proposal of the turn under way with these very arguments, by whatever name it went."""
        if not execution.arguments or not isinstance(execution.arguments, dict):
            return None
        turn = self._timeline.at(execution.start_ns)
        for call in self.calls_of(turn)[:_MAX_CANDIDATES] if turn else ():
            proposed = call.proposed if call.execution is None else None
            if proposed and arguments_match(proposed.arguments, execution.arguments):
                return call
        return None

    def match_results(self) -> None:
        """Give each call the result that a later request tells the model."""
        for calls in self._by_id.values():
            calls.sort(key=self._place)
        for turn in self._turns:
            results = [result for message in turn.news for result in message.results]
            if self._match_by_place(turn, results):
                continue
            before = self._before.get(id(turn))
            unnamed = [call for call in self.calls_of(before) if call.result is None] if before else []
            for result in results:
                call = self._by_result_id(turn, result) if result.call_id else _next_of_name(unnamed, result)
                if call is not None:
                    call.result = result
                elif before and self._is_unasked(turn, before, result):
                    self._add(Call(before, len(self.calls_of(before)), result=result))
        self._results_in_last_histories()

    def _place(self, call: Call) -> tuple[int, int]:
        return self._order.get(id(call.turn), -1), call.position

    def _is_unasked(self, turn: Turn, before: Turn, result: ToolResult) -> bool:
        """Whether a result answers no call: none of the session, and none in the request that brings it.

        Only of a history that goes on from the request before; in one that was cut or compacted calls are
        missing for good reasons. A call that still waits may be the one, under another id.
        """
        if not result.call_id or result.call_id in self._by_id or not _follows(turn, before):
            return False
        if any(call.result is None and _has_no_result(call) for call in self.calls_of(before)):
            return False
        self._searches += 1
        if self._searches > _MAX_SEARCHES:
            return False
        history = messages.as_list(turn.call.input) if turn.call else []
        return not any(
            proposed.call_id == result.call_id for raw in history for proposed in messages.parse(raw).calls
        )

    def _match_by_place(self, turn: Turn, results: Sequence[ToolResult]) -> bool:
        """Whether the results are, one by one, those of the calls before, under ids that no call has."""
        if not results or any(not result.call_id or result.call_id in self._by_id for result in results):
            return False
        before = self._before.get(id(turn))
        calls = self.calls_of(before) if before and _follows(turn, before) else []
        if len(calls) != len(results):
            return False
        pairs = list(zip(calls, results, strict=True))
        named = [(call.proposed.name, result.name) for call, result in pairs if call.proposed and result.name]
        if any(asked != given for asked, given in named):
            return False
        for call, result in pairs:
            call.result = result
        return True

    def _by_result_id(self, turn: Turn, result: ToolResult) -> Call | None:
        """The latest call of that id before `turn`, if it still lacks its result."""
        candidates = self._by_id.get(result.call_id, [])
        index = bisect_left(candidates, (self._order[id(turn)], 0), key=self._place)
        call = candidates[index - 1] if index else None
        return call if call is not None and call.result is None else None

    def _results_in_last_histories(self) -> None:
        """Where the request after a call was lost, a later one still holds the result."""
        open_calls = {
            call_id: calls[0]
            for call_id, calls in self._by_id.items()
            if len(calls) == 1 and calls[0].result is None and _has_no_result(calls[0])
        }
        if not open_calls:
            return
        last = {turn.agent_name: turn for turn in self._turns if turn.call is not None}
        waiting = {
            call.turn.agent_name
            for call in open_calls.values()
            if last.get(call.turn.agent_name) is not call.turn
        }
        for agent_name in waiting:
            turn = last.get(agent_name)
            for raw in messages.as_list(turn.call.input) if turn and turn.call else ():
                if messages.role_of(raw) != "assistant":
                    for result in messages.parse(raw).results:
                        call = open_calls.get(result.call_id)
                        if call is not None and call.turn is not turn:
                            call.result = result


def _follows(turn: Turn, before: Turn) -> bool:
    """Whether a turn's request is the one of the turn before, its answer, and what is new."""
    if before.call is None or turn.call is None:
        return False
    return before.call.input_length + 1 + len(turn.news) == turn.call.input_length


def _next_of_name(waiting: list[Call], result: ToolResult) -> Call | None:
    """Takes the first call out of `waiting` that a result without an id can be of."""
    for index, call in enumerate(waiting):
        named = call.proposed.name if call.proposed else ""
        if call.result is None and (not result.name or result.name == named):
            return waiting.pop(index)
    return None


def _has_no_result(call: Call) -> bool:
    return call.execution is None or call.execution.result is None
