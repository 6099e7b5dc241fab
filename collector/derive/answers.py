"""Answers of the model that were not recorded, out of the next request, which repeats them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile

from collector.derive.canonical import ModelCall
from collector.derive.executions import by_time
from collector.dialects import messages


def with_repeated_answers(calls: Iterable[ModelCall]) -> list[ModelCall]:
    """The calls by time; one that says nothing of its answer is given what the next request holds of it.

    The messages of the assistant that stand where the request of the silent call ended are its answer.
    """
    ordered = sorted(calls, key=by_time)
    before: dict[str, int] = {}
    for index, call in enumerate(ordered):
        earlier = before.get(call.agent_name)
        if earlier is not None and _is_silent(ordered[earlier]):
            ordered[earlier] = _answered(ordered[earlier], call)
        if call.input_length:
            before[call.agent_name] = index
    return ordered


def _is_silent(call: ModelCall) -> bool:
    return not (call.text or call.calls or call.reasoning or call.error)


def _answered(call: ModelCall, following: ModelCall) -> ModelCall:
    end = call.input_length
    if following.input_length <= end:
        return call
    history = messages.as_list(following.input)
    if messages.as_list(call.input)[-1:] != history[end - 1 : end]:
        return call  # another conversation, or a history that was rewritten
    own = takewhile(lambda raw: messages.role_of(raw) == "assistant", history[end:])
    answer = messages.output(list(own))
    return replace(call, text=answer.text, reasoning=answer.reasoning, calls=answer.calls)
