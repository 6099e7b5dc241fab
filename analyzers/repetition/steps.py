"""A session as the rules read it: segments of calls that one agent made without being spoken to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tightrope_sdk.fingerprint import fingerprint, outcome, without_commentary

from analyzers import call_classes
from analyzers.model import Round, ToolCall
from analyzers.repetition import noise
from analyzers.repetition.settings import RepetitionLoopSettings

_UNREAD = "\0"
_LEAST = 3  # calls that make a repetition


class Step:
    """One call in a segment. `key` is its identity, None where the telemetry does not hold its arguments."""

    __slots__ = ("_outcome", "_patient", "_waits", "call", "failed", "key", "turn")

    def __init__(self, call: ToolCall, turn: int, is_poll: bool) -> None:
        self.call = call
        self.turn = turn
        self.failed = call_classes.failed(call)
        self.key = _identity(call, self.failed)
        self._patient = self._waits = True if is_poll else None
        self._outcome: str | None = _UNREAD

    @property
    def patient(self) -> bool:
        """Whether the call is made to be made again: a wait, a poll, one more step."""
        if self._patient is None:
            self._patient = self.waits or call_classes.is_step(self.call)
        return self._patient

    @property
    def waits(self) -> bool:
        """Whether the call waits for something that goes on elsewhere."""
        if self._waits is None:
            self._waits = call_classes.is_wait(self.call)
        return self._waits

    @property
    def known(self) -> bool:
        """Whether anything tells what the call led to."""
        if self.failed or self.call.hash_after is not None:
            return True
        return self.call.result is not None and not call_classes.is_placeholder(self.call.result)

    def same_outcome(self, other: Step) -> bool:
        """Whether both calls led to the same; what is unknown may be the same.

        A change of state is progress, unless both left the same state behind. Of waits every
        difference counts, be it a clock: time that passes is what they are for.
        """
        one, two = self.call, other.call
        if one.hash_after is not None and two.hash_after is not None:
            if one.hash_after != two.hash_after:
                return False
        elif one.changed or two.changed:
            return False
        if (one.result, one.error) == (two.result, two.error) or not (self.known and other.known):
            return True
        if self.patient:
            return False
        mine, others = self._normal(), other._normal()
        return mine == others or (None in (mine, others) and self.failed == other.failed)

    def _normal(self) -> str | None:
        if self._outcome == _UNREAD:
            call = self.call
            error = (call.error or call.result or "") if self.failed else None
            self._outcome = outcome(call.result, error)
        return self._outcome


@dataclass(frozen=True, slots=True)
class Segment:
    """The calls of one agent between two messages of the user, and how they ended.

    `ended` is `user_message`, `model_error`, `answer` (the last round is text alone) or `session`.
    """

    steps: tuple[Step, ...]
    rounds: tuple[Round, ...]
    ended: str


def segments(rounds: Sequence[Round], settings: RepetitionLoopSettings) -> Iterator[Segment]:
    """Cut one agent's rounds where the user spoke or a model request failed and was made again."""
    start = 0
    for index, turn in enumerate(rounds):
        spoken_to = bool(turn.user_text.strip())
        if (spoken_to or _is_failed_request(turn)) and index > start:
            yield _segment(rounds[start:index], "user_message" if spoken_to else "model_error", settings)
            start = index
    if start < len(rounds):
        answered = not rounds[-1].calls and bool(rounds[-1].text.strip())
        yield _segment(rounds[start:], "answer" if answered else "session", settings)


def _is_failed_request(turn: Round) -> bool:
    return bool(turn.error) and not turn.calls


def _segment(rounds: Sequence[Round], ended: str, settings: RepetitionLoopSettings) -> Segment:
    ignored, polls = set(settings.ignore_tools), set(settings.poll_tools)
    steps: list[Step] = []
    for index, turn in enumerate(rounds):
        in_round: set[str] = set()
        for call in turn.calls:
            step = Step(call, index, call.tool in polls)
            if call.tool in ignored or (step.failed and call_classes.was_called_off(call)):
                continue
            # Calls of one round were asked for before any result was seen: a fan-out, not a loop.
            if step.key is None or step.key not in in_round:
                steps.append(step)
            if step.key is not None:
                in_round.add(step.key)
    _merge_near(steps, settings.near_similarity)
    return Segment(tuple(steps), tuple(rounds), ended)


def _merge_near(steps: Sequence[Step], least: float) -> None:
    """Give calls that differ only in noise the key of the first of them.

    Only where their results are known: of an unknown one nobody can say that nothing came of it.
    """
    by_result: defaultdict[tuple[str, str | None, str | None], list[Step]] = defaultdict(list)
    for step in steps:
        if step.key is not None and step.known and not call_classes.is_thought(step.call):
            call = step.call
            # A result often repeats the id of the request; any other is mostly the same to the letter.
            named = noise.is_named(call.arguments)
            by_result[call.tool, None if named else call.result, None if named else call.error].append(step)
    for own in by_result.values():
        if len(own) < _LEAST or len({step.key for step in own}) == 1:
            continue
        if not any(noise.may_hold(step.call) for step in own):
            continue
        alike: defaultdict[str, list[tuple[Step, tuple[float, ...]]]] = defaultdict(list)
        for step in own:
            bare = noise.bare(step.call)
            if bare:
                alike[bare.text].append((step, bare.moments))
        for group in alike.values():
            first = group[0][0]
            if len(group) < _LEAST or len({step.key for step, _ in group}) == 1:
                continue
            if noise.is_sweep([moments for _, moments in group]):
                continue
            for step, _ in group[1:]:
                if noise.similarity(first.call.arguments, step.call.arguments) >= least:
                    step.key = first.key


def _identity(call: ToolCall, failed: bool) -> str | None:
    arguments = call.arguments
    if arguments is None:
        return None
    if isinstance(arguments, str) and not failed:
        return None  # a text that was cut on its way here: the calls may differ behind the cut
    bare = arguments if call_classes.is_thought(call) else without_commentary(arguments)
    if bare is arguments and call.fingerprint:
        return call.fingerprint
    return fingerprint(call.tool, bare)
