"""Model calls to rounds: their order, their numbers within an agent, and what the user said before each."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from collector.derive.canonical import Message, ModelCall, ToolExecution, UserPrompt


@dataclass(slots=True)
class Turn:
    """A round in the making. `call` is None for a round known by its tool spans only.

    `news` are the messages of its request since the last answer: the results of the calls before it,
    and what the user said.
    """

    number: int
    agent_name: str
    start_ns: int
    call: ModelCall | None = None
    step: int | None = None
    news: Sequence[Message] = ()
    user_text: str = ""


@dataclass(slots=True)
class Timeline:
    """Turns by time, for looking up which one was under way at a given moment."""

    turns: list[Turn]
    starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.starts = [turn.start_ns for turn in self.turns]

    def at(self, time_ns: int) -> Turn | None:
        """The last turn that started by then, else the first one; None without turns."""
        if not self.turns:
            return None
        return self.turns[max(bisect_right(self.starts, time_ns) - 1, 0)]


def build_turns(calls: Iterable[ModelCall], agent: str, prompts: Iterable[UserPrompt] = ()) -> list[Turn]:
    """One turn for each model call, by time, numbered from 0 within its agent.

    `prompts` tell what the user wrote where the requests do not.
    A call that does not say whose it is belongs to the agent whose tool results it is given, else to `agent`.
    """
    ordered = sorted(calls, key=lambda c: (c.start_ns, c.end_ns, c.emitter_step or 0, c.trace_id, c.span_id))
    turns: list[Turn] = []
    last: dict[str, Turn] = {}
    askers: dict[str, str] = {}
    for call in ordered:
        name = call.agent_name or _asker(call, askers) or agent
        askers.update((proposed.call_id, name) for proposed in call.calls if proposed.call_id)
        before = last.get(name)
        turn = Turn(
            before.number + 1 if before else 0,
            name,
            call.start_ns,
            call,
            call.emitter_step,
            call.news,
            "\n".join(message.text for message in call.news if message.role == "user" and message.text),
        )
        if before and before.call and turn.user_text and _repeats(before.call, call):
            turn.user_text = ""
        last[name] = turn
        turns.append(turn)
    _place_prompts([turn for turn in turns if turn.agent_name == agent] or turns, prompts)
    return turns


def _place_prompts(turns: Sequence[Turn], prompts: Iterable[UserPrompt]) -> None:
    """Each prompt to the first turn after it. Several records may hold the same one."""
    starts = [turn.start_ns for turn in turns]
    asked: dict[int, dict[str, None]] = {}
    for prompt in sorted(prompts, key=lambda prompt: prompt.time_ns):
        asked.setdefault(bisect_left(starts, prompt.time_ns), {})[prompt.text] = None
    for index, texts in asked.items():
        if index < len(turns) and not turns[index].user_text:
            turns[index].user_text = "\n".join(texts)


def _asker(call: ModelCall, askers: Mapping[str, str]) -> str:
    """The agent that asked for the calls whose results `call` is given, by call id; "" unknown."""
    results = (result for message in call.news for result in message.results)
    return next((askers[result.call_id] for result in results if result.call_id in askers), "")


def _repeats(before: ModelCall, call: ModelCall) -> bool:
    """Whether a request is the previous one sent again: as long, and ending alike."""
    return call.input_length == before.input_length and call.news == before.news


def turns_of_tools(executions: Iterable[ToolExecution], agent: str) -> list[tuple[Turn, list[ToolExecution]]]:
    """Rounds of an agent of which only the tools are known, each with its executions.

    The emitter's own round number tells them apart within a trace; without one each call is a round,
    unless it overlaps the one before it.
    """
    ordered = sorted(executions, key=lambda e: (e.start_ns, e.end_ns, e.trace_id, e.span_id))
    groups: dict[tuple[str, int], list[ToolExecution]] = {}
    loose, busy_until = 0, -1
    for execution in ordered:
        if execution.round_hint is not None:
            groups.setdefault((execution.trace_id, execution.round_hint), []).append(execution)
            continue
        loose += execution.start_ns >= busy_until
        busy_until = max(busy_until, execution.end_ns)
        groups.setdefault(("", loose), []).append(execution)
    turns = []
    for number, group in enumerate(sorted(groups.values(), key=lambda group: group[0].start_ns)):
        first = group[0]
        turns.append((Turn(number, first.agent_name or agent, first.start_ns, step=first.round_hint), group))
    return turns


def by_agent(executions: Iterable[ToolExecution], agent: str) -> dict[str, list[ToolExecution]]:
    """The executions of each agent."""

    def name(execution: ToolExecution) -> str:
        return execution.agent_name or agent

    return {key: list(group) for key, group in groupby(sorted(executions, key=name), key=name)}
