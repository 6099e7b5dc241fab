"""Repetition loop (`repetition_loop`)

## What it finds
A model that repeats itself and gets nowhere. The subkind names the rule:

- `exact_repeat`: the same call three times in a row, with the same result.
- `error_loop`: the same call failing again and again, or one tool failing with the same error whatever
  the arguments, or with one that only repeats them while the model guesses names around one word.
  Looks between the calls mend nothing.
- `unknown_tool`: calls, in a row, of a tool that does not exist.
- `poll_no_progress`: a wait, poll or step that led to the same thing ten times in a row.
- `cycle`: two to six calls in the same order, three times over, with the same results.
- `interleaved_repeat`: the same call with the same result five times within twenty calls, while nothing
  else moved either.
- `scattered_error`: the same call failing the same way three times, with nothing in between that could
  have mended it. Never more than `info`.
- `stagnation`: one search reworded, or different commands that only read, in a row with the same answer.
- `plan_churn`: plans in a row that only reword their items. Never more than `info`.
- `monologue`: the same text (or reasoning) in a row, or the same two or three in turn, without a call.
- `text_repetition`: one passage, or one mark, over and over in one text.

## Why it matters
Each repetition costs a round of tokens and time, and a loop seldom ends by itself: it ends at the round
cap, with nothing delivered. Step repetition is the most frequent single failure of agent runs (15.7 % in
the MAST study of multi-agent failures).

## Quiet on
Calls whose result changed; a call that changed state, unless it left the same state behind; pages,
offsets and any other argument that moves; tests after edits; waits and polls until the tenth; scrolling,
key presses and other steps; one retry; calls asked for together in one round; calls that the user or a
failing neighbour stopped; the same call by different agents, or again after the user spoke; calls whose
arguments the telemetry does not hold.

Arguments are compared in canonical form: key order, blanks around texts and nulls do not matter, nor do
arguments that only comment on the call (`explanation`, `reason`, the `description` of a command). With
known and equal results noise does not matter either: what is named as an id, a time or a number of the
request, white space, comments, the spelling of values (`analyzers.repetition.noise`). Thoughts and plans
between two calls change nothing.
Results are compared without times, durations, UUIDs, pointers and ids of processes, requests and
chunks.

## Fix
Give the model the news that it lacks: say in the result that nothing changed and what to do next, refuse
the third equal call with an error that says so, or end the run. A low temperature and a long context
full of equal turns make loops more likely.

## Settings
Each rule has three counts, for `info`, `warning` and `critical`; see the fields of
`RepetitionLoopSettings`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from tightrope_sdk.fingerprint import canonical_json

from analyzers.model import Finding, Round, Session
from analyzers.registry import analyzer
from analyzers.repetition import noise, texts
from analyzers.repetition.rules import Loop, find_loops
from analyzers.repetition.settings import RepetitionLoopSettings, severity_of
from analyzers.repetition.steps import Segment, Step, segments
from analyzers.repetition.wording import WORDING

_EXCERPT = 300
_LISTED = 100  # calls that the evidence lists; `count` has them all
# Rules whose calls are the same call; those of the others differ by what the rule says.
_ABOUT_ONE_CALL = frozenset(
    {"exact_repeat", "cycle", "poll_no_progress", "interleaved_repeat", "scattered_error"}
)


@analyzer("repetition_loop", RepetitionLoopSettings())
def repetition_loops(session: Session, settings: RepetitionLoopSettings) -> Iterator[Finding]:
    """The loops of each agent of `session`, apart."""
    for rounds in session.agents().values():
        for segment in segments(rounds, settings):
            for loop in find_loops(segment.steps, settings):
                yield _call_finding(loop, segment, session)
            for monologue in texts.monologues(segment.rounds, settings.monologue[0]):
                yield _monologue_finding(monologue, settings, session)
        asked = ""
        for turn in rounds:
            asked = turn.user_text or asked
            for place, text in (("text", turn.text), ("reasoning", turn.reasoning)):
                chant = texts.chant(text, settings.text_repetition, asked)
                if chant:
                    yield _chant_finding(turn, place, chant, settings, session)


def _call_finding(loop: Loop, segment: Segment, session: Session) -> Finding:
    steps = [segment.steps[at] for at in loop.at]
    first, last = steps[0], steps[-1]
    wasted = steps[loop.period :]
    ended = "other_call" if loop.at[-1] + 1 < len(segment.steps) else segment.ended
    unknown = sum(not step.known for step in steps)
    alike = _similarity(steps, loop.period) if loop.rule in _ABOUT_ONE_CALL else 1.0
    return _finding(
        loop.rule,
        [segment.rounds[first.turn], segment.rounds[last.turn]],
        session,
        severity=loop.severity,
        confidence=0.7 if unknown == len(steps) else 0.9 if alike < 1 else 1.0,
        title=WORDING[loop.rule].title.format(
            tool=first.call.named,
            tools=" → ".join(step.call.named for step in steps[: loop.period]),
            count=loop.count,
            arguments="the same arguments" if alike == 1 else "arguments that differ only in noise",
        ),
        detail=_detail(steps, loop, ended),
        trace_id=first.call.trace_id,
        span_id=first.call.span_id,
        evidence={
            "rule": loop.rule,
            "thresholds": list(loop.levels),
            "count": loop.count,
            "period": loop.period,
            "fingerprint": first.key,
            "similarity": alike,
            "calls": [_place(step) for step in steps[:_LISTED]],
            "calls_in_all": len(steps),
            "results_unknown": unknown,
            "arguments": _excerpt(first.call.arguments),
            "result": _said(last)[:_EXCERPT],
            "ended_by": ended,
            "got_out_by_itself": ended in ("other_call", "answer"),
            "wasted_seconds": _seconds(wasted, segment),
        },
        wasted_calls=len(wasted),
        wasted_tokens=_tokens(_rounds_of(wasted, segment)),
    )


def _monologue_finding(said: texts.Monologue, settings: RepetitionLoopSettings, session: Session) -> Finding:
    run = said.rounds
    wasted = run[said.period :]
    text = (run[0].text.strip() or run[0].reasoning.strip())[:_EXCERPT]
    return _finding(
        "monologue",
        run,
        session,
        severity=severity_of(said.count, settings.monologue) or "info",
        title=WORDING["monologue"].title.format(
            count=said.count, texts="text" if said.period == 1 else f"{said.period} texts in turn"
        ),
        detail=f"Rounds {run[0].round} to {run[-1].round} say {text!r} and call nothing.",
        evidence={
            "rule": "monologue",
            "thresholds": list(settings.monologue),
            "count": said.count,
            "period": said.period,
            "rounds": [turn.round for turn in run[:_LISTED]],
            "text": text,
            "wasted_seconds": _sum(map(_round_seconds, wasted)),
        },
        wasted_tokens=_tokens(wasted),
    )


def _chant_finding(
    turn: Round, place: str, chant: texts.Chant, settings: RepetitionLoopSettings, session: Session
) -> Finding:
    return _finding(
        "text_repetition",
        [turn],
        session,
        title=WORDING["text_repetition"].title.format(count=chant.times, place=place),
        detail=f"{chant.passage!r} stands {chant.times} times at the end of round {turn.round}'s {place}.",
        evidence={
            "rule": "text_repetition",
            "thresholds": [settings.text_repetition],
            "count": chant.times,
            "place": place,
            "text": chant.passage,
        },
    )


def _finding(rule: str, rounds: Sequence[Round], session: Session, **fields: Any) -> Finding:
    """A finding in `rounds`, with what all findings of this kind have in common."""
    first = rounds[0]
    return Finding(
        kind="repetition_loop",
        subkind=rule,
        advice=WORDING[rule].advice,
        round=first.round,
        last_round=rounds[-1].round,
        agent_name=first.agent_name,
        model=first.model or session.model,
        trace_id=fields.pop("trace_id", "") or first.trace_id,
        span_id=fields.pop("span_id", "") or first.span_id,
        **fields,
    )


def _detail(steps: Sequence[Step], loop: Loop, ended: str) -> str:
    first, last = steps[0].call, steps[-1]
    rounds = (
        f"round {first.round}"
        if first.round == last.call.round
        else f"rounds {first.round} to {last.call.round}"
    )
    came = "nothing that the telemetry holds" if not last.known else repr(_said(last)[:_EXCERPT])
    how_it_ended = {
        "other_call": "The model then went on to another call.",
        "answer": "The model then answered.",
        "user_message": "It ended when the user spoke.",
        "model_error": "It ended with a failed model request.",
        "session": "Nothing came after it.",
    }[ended]
    return (
        f"{len(steps)} calls in {rounds}; rule {loop.rule}: {loop.count}, from {loop.levels[0]} on. "
        f"The first was {first.named}({_excerpt(first.arguments)}); "
        f"the last {'failed with' if last.failed else 'returned'} {came}. {how_it_ended}"
    )


def _said(step: Step) -> str:
    return (step.call.error or step.call.result or "").strip()


def _place(step: Step) -> dict[str, Any]:
    return {"round": step.call.round, "position": step.call.position, "tool": step.call.named}


def _excerpt(arguments: Any) -> str:
    return (arguments if isinstance(arguments, str) else canonical_json(arguments))[:_EXCERPT]


def _rounds_of(steps: Sequence[Step], segment: Segment) -> list[Round]:
    """The rounds that held nothing but these calls."""
    others = {step.turn for step in set(segment.steps).difference(steps)}
    return [segment.rounds[turn] for turn in sorted({step.turn for step in steps} - others)]


def _similarity(steps: Sequence[Step], period: int) -> float:
    """How alike the arguments of the calls that count as equal are, at the least: 1.0 is equal."""
    pairs = zip(steps[:_LISTED], steps[period:_LISTED], strict=False)
    return min(
        (
            noise.similarity(one.call.arguments, two.call.arguments)
            for one, two in pairs
            if one.call.arguments != two.call.arguments
        ),
        default=1.0,
    )


def _seconds(wasted: Sequence[Step], segment: Segment) -> float | None:
    """The time of the rounds that held nothing but these calls, and of the calls in other rounds."""
    rounds = _rounds_of(wasted, segment)
    whole = {turn.round for turn in rounds}
    calls = [step.call for step in wasted if segment.rounds[step.turn].round not in whole]
    return _sum([*map(_round_seconds, rounds), *(_between(call.started_at, call.ended_at) for call in calls)])


def _round_seconds(turn: Round) -> float | None:
    """From a round's start to its end, or to the end of the last of its calls."""
    times = [turn.started_at, turn.ended_at]
    for call in turn.calls:
        times += [call.started_at, call.ended_at]
    known = [time for time in times if time is not None]
    return (max(known) - min(known)).total_seconds() if len(known) > 1 else None


def _between(start: datetime | None, end: datetime | None) -> float | None:
    return (end - start).total_seconds() if start and end else None


def _sum(seconds: Iterable[float | None]) -> float | None:
    known = [value for value in seconds if value is not None]
    return round(sum(known), 3) if known else None


def _tokens(rounds: Sequence[Round]) -> int | None:
    """Input and output tokens of `rounds`; None where the telemetry counts none."""
    counts = [n for turn in rounds for n in (turn.input_tokens, turn.output_tokens) if n is not None]
    return sum(counts) if counts else None
