"""Stalled run (`stalled_run`)

## What it finds
A run that ended without a result. The subkind says how:

- `round_cap`: a cap on rounds, steps or calls ended it, and it had neither written nor answered anything.
- `repeated_error`: its last calls, or its last requests to the model, failed the same way again and again,
  and nothing came after them.
- `endless_loop`: its last calls were the same without progress five times or more, and nothing came after.
- `context_overflow`: the model server refused the last request as longer than the model's context, or the
  context filled and was cut ten times in a row and no answer came of it.
- `announced_not_executed`: the last text announces a step ("Let me run the tests:"), and no call follows.
- `silence`: the model's last answer to the user holds no text and no call.

## Why it matters
The run has cost its tokens and nobody has a result, yet nothing has crashed: no error reaches whoever
waits. Premature stops are 40 % of the corrections that people make in one published count, and running on
to a cap 12.4 % of the failures in another (MAST).

## Quiet on
A run that may still be going: a call in flight, a result that no request has followed yet. A question to
the user, a step that waits for the user's word, a polite end, a hand-over to another agent or a person;
an announcement in a quotation or in code. A cap or a full context after which the run went on, or before
which it had written something; an answer that lies in the log which a call of the run returned. Agents
whose texts the telemetry does not hold; agents after which another agent went on.

## Fix
`round_cap`, `endless_loop`, `repeated_error`: have the harness answer the third equal failure with what
would work, and ask for an answer from what is known one round before the cap.
`context_overflow`: compact the history before it is full, cut long tool results, raise the server's
context (`num_ctx`, `--max-model-len`).
`announced_not_executed`: send the model back to work ("Go on: call the tool.") where a text ends on an
announcement; check that the server's chat template lets text and call stand in one answer. `silence`: ask
again, and check the limit of output tokens.

## Settings
`repeats`, `model_errors`, `trims` and `announcements`; see the fields of `StalledRunSettings`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from typing import Any

from analyzers import call_classes
from analyzers.model import Finding, Round, Session, ToolCall
from analyzers.registry import analyzer
from analyzers.repetition.rules import Loop, find_loops
from analyzers.repetition.settings import RepetitionLoopSettings
from analyzers.repetition.steps import Segment, segments
from analyzers.stalled import notices
from analyzers.stalled.announcements import announced
from analyzers.stalled.deliverables import delivered

_EXCERPT = 300
_STOPPED = frozenset({"", "stop", "end_turn", "stop_sequence", "completed"})
_SAID_NOTHING = 5  # output tokens of an empty answer: end-of-turn tokens are counted by some servers
_FALL = 0.6  # input tokens of a request after a trim, as a share of those before it
_CEILING = 0.8  # how near to the highest count the requests are that are trimmed
_ERRORS = frozenset({"error_loop", "unknown_tool"})
_LOOPS = RepetitionLoopSettings()
_LAST_ROUNDS = 500  # rounds at the end of a run in which a loop is looked for

_ADVICE = {
    "round_cap": "Ask for an answer from what is known one round before the cap, and see before it "
    "what the model was missing.",
    "repeated_error": "Let the error say what would work, and end the run with a message to whoever waits "
    "when it comes back a third time.",
    "endless_loop": "Say in the result that nothing changed and what to do; refuse the third equal call.",
    "context_overflow": "Compact the history before the context is full, cut long tool results, or raise the "
    "server's context (num_ctx, --max-model-len, --ctx-size).",
    "announced_not_executed": "Send the model on (“Call the tool.”) where an answer ends on an announcement, "
    "and check that the server's chat template lets text and a call stand in one answer.",
    "silence": "Ask the model again for its answer, and check the limit of output tokens and the server's "
    "reasoning parser.",
}


@dataclass(frozen=True, slots=True)
class StalledRunSettings:
    """From when on a run counts as stalled."""

    repeats: int = field(
        default=5,
        metadata={"help": "equal calls without progress at the end of a run that make it an endless loop"},
    )
    model_errors: int = field(
        default=3, metadata={"help": "failed requests to the model in a row at the end of a run"}
    )
    trims: int = field(
        default=10,
        metadata={"help": "times in a row that the context was full and was cut, without an answer"},
    )
    announcements: bool = field(
        default=True, metadata={"help": "whether a last text that announces a step counts"}
    )


@dataclass(frozen=True, slots=True)
class _Stall:
    subkind: str
    rule: str
    title: str
    seen: str
    turn: Round
    numbers: dict[str, Any] = field(default_factory=dict)
    first: Round | None = None
    confidence: float = 0.9


@analyzer("stalled_run", StalledRunSettings())
def stalled_runs(session: Session, settings: StalledRunSettings) -> Iterator[Finding]:
    """How `session` stalled: at its end, and on announcements before each message of the user."""
    if not session.rounds:
        return
    stalls = list(_announcements(session)) if settings.announcements else []
    last = session.rounds[-1]
    if all(stall.turn is not last for stall in stalls):
        end = None if _is_awaited(session, last.agent_name) else _end(session, settings)
        stalls += [end] if end else []
    for stall in stalls:
        yield _finding(stall, session)


def _announcements(session: Session) -> Iterator[_Stall]:
    """Before each message of the user, and at the end."""
    has_tools = bool(session.tools) or any(turn.calls for turn in session.rounds)
    told_when_done = any(call.source == "log" for call in session.calls())
    for turn, following in zip_longest(session.rounds, session.rounds[1:]):
        if following is None or following.user_text.strip():
            stall = _announcement(turn, following, has_tools=has_tools, told_when_done=told_when_done)
            if stall:
                yield stall


def _is_awaited(session: Session, agent: str) -> bool:
    """Whether another agent's call has not come back: that agent will go on when this one is done."""
    lasts = {turn.agent_name: turn for turn in session.rounds}
    others = [turn for name, turn in lasts.items() if name != agent]
    return any(
        call.result is None and not call_classes.failed(call) for turn in others for call in turn.calls
    )


def _announcement(
    turn: Round, following: Round | None, *, has_tools: bool, told_when_done: bool
) -> _Stall | None:
    """`told_when_done`: calls reach the telemetry only when they are over, so one may be under way."""
    if turn.calls or turn.error or not has_tools or turn.finish_reason not in _STOPPED:
        return None
    if not turn.finish_reason and told_when_done:
        return None
    if following is not None and following.agent_name != turn.agent_name:
        return None
    sentence = announced(turn.text)
    if not sentence:
        return None
    return _Stall(
        "announced_not_executed",
        "announcement",
        "The run ended on an announcement, and no call followed",
        f"Round {turn.round} ends with {sentence[:_EXCERPT]!r} and holds no call; "
        + ("the user had to speak next." if following else "nothing came after it."),
        turn,
        {"sentence": sentence[:_EXCERPT]},
    )


def _end(session: Session, settings: StalledRunSettings) -> _Stall | None:
    """How the agent that came last ended since the user spoke to it, where it ended without a result.

    What other agents wrote in that time counts for it: it may have asked them to.
    """
    agent = session.rounds[-1].agent_name
    spoken_to = (
        index
        for index in range(len(session.rounds) - 1, -1, -1)
        if session.rounds[index].agent_name == agent and session.rounds[index].user_text.strip()
    )
    since = session.rounds[next(spoken_to, 0) :]
    rounds = [turn for turn in since if turn.agent_name == agent]
    stall = (
        _overflow(rounds, settings)
        or _cap(rounds)
        or _model_errors(rounds, settings)
        or _loop(rounds, settings)
        or _silence(rounds, session)
    )
    return None if stall is None or delivered(since) else stall


def _overflow(rounds: Sequence[Round], settings: StalledRunSettings) -> _Stall | None:
    turn = rounds[-1]
    if turn.calls:
        trims = _trims(rounds)
    else:
        said, place = (turn.error, "error") if turn.error else (turn.text, "text")
        if notices.says_context(turn.error) or (
            notices.is_notice(turn.text) and notices.says_context(turn.text)
        ):
            return _context("context_error", turn, said, place)
        if turn.finish_reason in notices.CONTEXT_REASONS:
            return _context("context_reason", turn, turn.finish_reason, "finish_reason")
        trims = 0 if turn.text.strip() else _trims(rounds)
    if trims < settings.trims:
        return None
    return _Stall(
        "context_overflow",
        "trims",
        f"The context filled and was cut {trims} times, and no answer came of it",
        f"The tokens of the requests rose to the limit and fell again {trims} times in a row, "
        f"from {settings.trims} on; the last round is {turn.round}, without an answer.",
        turn,
        {"count": trims, "thresholds": [settings.trims]},
        confidence=0.7,
    )


def _context(rule: str, turn: Round, said: str, place: str) -> _Stall:
    return _Stall(
        "context_overflow",
        rule,
        "The run ended because the model's context was full",
        f"The {place} of round {turn.round} says {said.strip()[:_EXCERPT]!r}, and nothing came after it.",
        turn,
        {"place": place, "text": said.strip()[:_EXCERPT]},
        confidence=0.95,
    )


def _trims(rounds: Sequence[Round]) -> int:
    """How many times in a row, at the end, the requests grew to their ceiling and then fell.

    Two conversations that take turns look alike; that is why this counts only where no answer came.
    """
    counts = [turn.input_tokens for turn in rounds if turn.input_tokens is not None]
    ceiling = max(counts, default=0) * _CEILING
    falls = [
        index for index, (one, two) in enumerate(pairwise(counts)) if one >= ceiling and two < one * _FALL
    ]
    in_a_row = 0
    for one, two in pairwise(falls):
        in_a_row = in_a_row + 1 if two - one <= 3 else 0  # a trim lets the run go on for longer than that
    recent = bool(falls) and len(counts) - falls[-1] <= 4
    return in_a_row + 1 if recent else 0


def _cap(rounds: Sequence[Round]) -> _Stall | None:
    turn = rounds[-1]
    if notices.says_cap(turn.error):
        place, said = "error", turn.error
    elif turn.finish_reason in notices.CAP_REASONS and not turn.text.strip():
        place, said = "finish_reason", turn.finish_reason
    elif not turn.calls and notices.is_notice(turn.text) and any(earlier.calls for earlier in rounds):
        place, said = "text", turn.text
    elif turn.calls and call_classes.failed(turn.calls[-1]) and _refused_at_cap(turn.calls[-1]):
        place, said = "tool", call_classes.failure(turn.calls[-1])
    else:
        return None
    calls = sum(len(earlier.calls) for earlier in rounds)
    return _Stall(
        "round_cap",
        "cap",
        f"A cap ended the run after {len(rounds)} rounds without a result",
        f"The {place} of round {turn.round} says {said.strip()[:_EXCERPT]!r}; {calls} calls were made, "
        "and none of them wrote anything.",
        turn,
        {"place": place, "text": said.strip()[:_EXCERPT], "rounds": len(rounds), "calls_in_all": calls},
    )


def _refused_at_cap(call: ToolCall) -> bool:
    said = call_classes.failure(call)
    return call_classes.failed(call) and notices.is_notice(said) and notices.says_cap(said)


def _model_errors(rounds: Sequence[Round], settings: StalledRunSettings) -> _Stall | None:
    failed = 0
    for turn in reversed(rounds):
        if not turn.error or turn.calls or turn.text.strip():
            break
        failed += 1
    if failed < settings.model_errors:
        return None
    turn = rounds[-1]
    return _Stall(
        "repeated_error",
        "model_error",
        f"The last {failed} requests to the model failed, and the run ended there",
        f"{failed} requests in a row failed, from {settings.model_errors} on; the last said "
        f"{turn.error.strip()[:_EXCERPT]!r}.",
        turn,
        {"count": failed, "thresholds": [settings.model_errors], "text": turn.error.strip()[:_EXCERPT]},
        first=rounds[-failed],
    )


def _loop(rounds: Sequence[Round], settings: StalledRunSettings) -> _Stall | None:
    """A loop that goes to the end of a run whose model turns the telemetry holds."""
    if not rounds[-1].calls or not any(map(_is_heard, rounds)):
        return None
    segment = list(segments(rounds[-_LAST_ROUNDS:], _LOOPS))[-1]
    last = len(segment.steps) - 1
    loop = next((loop for loop in find_loops(segment.steps, _LOOPS) if loop.at[-1] == last), None)
    if loop is None or loop.severity == "info" or segment.ended != "session":
        return None
    if not segment.steps[last].known or any(
        turn.text.strip() for turn in segment.rounds[segment.steps[last].turn + 1 :]
    ):
        return None
    return _looped(loop, segment, settings)


def _looped(loop: Loop, segment: Segment, settings: StalledRunSettings) -> _Stall | None:
    first, last = segment.steps[loop.at[0]], segment.steps[loop.at[-1]]
    failing = loop.rule in _ERRORS
    if loop.rule == "poll_no_progress" or not (failing or loop.count >= settings.repeats):
        return None
    what = f"{first.call.named} {'failed' if failing else 'was repeated'} {loop.count} times"
    said = call_classes.failure(last.call).strip()[:_EXCERPT]
    return _Stall(
        "repeated_error" if failing else "endless_loop",
        loop.rule,
        f"{what}, and the run ended there",
        f"{what} up to the last call of the run, in round {last.call.round}; it came back with {said!r}. "
        "No answer followed, and no call before it wrote anything.",
        segment.rounds[last.turn],
        {"count": loop.count, "thresholds": list(loop.levels), "text": said},
        first=segment.rounds[first.turn],
    )


def _silence(rounds: Sequence[Round], session: Session) -> _Stall | None:
    """An empty answer, where it is known to be empty and the run said nothing else."""
    turn = rounds[-1]
    if turn.calls or turn.error or turn.text.strip() or turn.finish_reason not in _STOPPED - {""}:
        return None
    if not any(earlier.calls for earlier in rounds) or any(turn.text.strip() for turn in rounds[1:]):
        return None
    is_empty = turn.output_tokens is not None and turn.output_tokens <= _SAID_NOTHING
    texts_are_told = any(earlier.text or earlier.reasoning for earlier in session.rounds)
    if not (texts_are_told and (turn.reasoning.strip() or is_empty)):
        return None
    return _Stall(
        "silence",
        "empty_answer",
        "The model's last answer is empty",
        f"Round {turn.round} ends the run (finish reason {turn.finish_reason!r}, {turn.output_tokens} output "
        "tokens) with neither text nor call; nothing was written before it.",
        turn,
        {"finish_reason": turn.finish_reason, "output_tokens": turn.output_tokens},
        confidence=0.8,
    )


def _is_heard(turn: Round) -> bool:
    """Whether the telemetry tells of the model's turn, and not only of its tools."""
    return bool(turn.text or turn.reasoning or turn.user_text or turn.finish_reason or turn.model)


def _finding(stall: _Stall, session: Session) -> Finding:
    turn = stall.turn
    first = stall.first or turn
    return Finding(
        kind="stalled_run",
        subkind=stall.subkind,
        severity="warning",
        confidence=stall.confidence,
        title=stall.title,
        detail=stall.seen,
        advice=_ADVICE[stall.subkind],
        round=first.round,
        last_round=turn.round,
        agent_name=turn.agent_name,
        model=turn.model or session.model,
        trace_id=turn.trace_id,
        span_id=turn.span_id,
        evidence={"rule": stall.rule, **stall.numbers},
    )
