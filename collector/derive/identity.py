"""What tells which session a unit belongs to: the ids it names, and keys by which history links it.

A model that is stateless is sent its own earlier answers again. So a request whose history holds
exactly the answers that an earlier unit's model gave belongs to that unit's session. Each unit *emits*
keys (what a next request would hold) and *refers* to keys (what its first request holds).

A history may come whole, without its tool calls (chat front ends keep the texts only), or cut in front
(a sliding window, dropped attributes): each has its own kind of key.

Limits: histories that were rewritten (summaries, edited answers) do not link; one that was cut in
front links by its last two answers alone; two conversations of one process and user with the same
opening and word for word the same answers cannot be told apart, and the later request goes to the
latest of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

from collector.derive.canonical import FoundSession, Message, ModelCall, Unit
from collector.dialects import messages
from collector.dialects.decode import to_json

Role = Literal["emitted", "referred"]


@dataclass(frozen=True, slots=True)
class StitchKey:
    """One key of a unit. `time_ns` is the start of the model call that it comes from."""

    key: str
    role: Role
    time_ns: int


@dataclass(frozen=True, slots=True)
class UnitIdentity:
    """What `stitch` needs to know of a unit. `sessions` is empty where it names none itself.

    `holds_agent` is False for a trace in which no agent ran: it has no session.
    """

    unit_id: str
    service_name: str
    start_ns: int
    sessions: tuple[FoundSession, ...]
    keys: tuple[StitchKey, ...]
    holds_agent: bool = True


def identify(unit: Unit) -> UnitIdentity:
    """The identity of `unit`.

    Every unit emits, so that later ones can join it; only one that names no session refers. Of one
    agent's calls in a unit the first refers and the last emits: those between link to each other.
    """
    keys: dict[StitchKey, None] = {}
    scope = f"{unit.service_name}\0{unit.service_instance}\0"
    user_scope = scope + unit.user_id
    for agent_calls in _by_agent(unit.model_calls).values():
        if not unit.sessions:
            first = agent_calls[0]
            for key in _referred(_History(first)):
                keys[StitchKey(_hashed(user_scope, key), "referred", first.start_ns)] = None
        last = agent_calls[-1]
        for key in _emitted(last):
            # A later request may have lost its user's name, so it must be found without it too.
            for emitting in {scope, user_scope}:
                keys[StitchKey(_hashed(emitting, key), "emitted", last.start_ns)] = None
    ordered = sorted(keys, key=lambda key: (key.time_ns, key.role, key.key))
    return UnitIdentity(
        unit.unit_id, unit.service_name, unit.start_ns, unit.sessions, tuple(ordered), unit.holds_agent
    )


def _by_agent(calls: Iterable[ModelCall]) -> dict[str, list[ModelCall]]:
    groups: dict[str, list[ModelCall]] = {}
    for call in calls:
        groups.setdefault(call.agent_name, []).append(call)
    return groups


class _History:
    """What a request's history says of the conversation so far."""

    def __init__(self, call: ModelCall) -> None:
        self.answers: list[str] = []
        self.spoken: list[str] = []
        self.opening = ""
        history = messages.as_list(call.input)
        self.headless = call.headless or _starts_late(history)
        for raw in history:
            role = messages.role_of(raw)
            if role == "assistant":
                self.add(messages.parse(raw))
            elif role == "user" and not self.opening:
                self.opening = messages.parse(raw).text

    def add(self, message: Message) -> None:
        """Take one answer, in a form that is the same in the response and in later requests."""
        text = " ".join(message.text.split())
        if message.calls:
            calls = [[call.call_id, call.name, call.arguments] for call in message.calls]
            self.answers.append(to_json([text, calls]))
        elif text:
            self.answers.append(text)
            self.spoken.append(text)


def _starts_late(history: Sequence[Any]) -> bool:
    """Whether the first messages are missing: a sliding window starts with an answer or a result."""
    return bool(history) and messages.role_of(history[0]) in {"assistant", "tool"}


def _referred(history: _History) -> Iterator[list[str]]:
    if not history.answers:
        return
    if history.headless:
        yield ["tail", *history.answers[-2:]]
    elif len(history.spoken) == len(history.answers):
        yield ["spoken", history.opening, *history.spoken]
    else:
        yield ["all", history.opening, *history.answers]


def _emitted(call: ModelCall) -> Iterator[list[str]]:
    """The keys of a call's answer, for histories kept whole, without their tool calls, or cut in front."""
    if not (call.calls or call.text.strip()):
        return
    history = _History(call)
    history.add(Message("assistant", call.text, calls=call.calls))
    yield ["tail", *history.answers[-2:]]
    if history.headless:
        return
    if len(history.spoken) < len(history.answers):
        yield ["all", history.opening, *history.answers]
    if not call.calls:
        yield ["spoken", history.opening, *history.spoken]


def _hashed(scope: str, texts: Sequence[str]) -> str:
    digest = blake2b(scope.encode(errors="surrogatepass"), digest_size=16)
    for text in texts:
        digest.update(b"\0")
        digest.update(text.encode(errors="surrogatepass"))
    return digest.hexdigest()
