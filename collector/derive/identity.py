"""What tells which session a unit belongs to: the ids it names, and keys by which history links it.

A model that is stateless is sent its own earlier answers again. So a request whose history holds
exactly the answers that an earlier unit's model gave belongs to that unit's session. Each unit *emits*
keys (what a next request would hold) and *refers* to keys (what its first request holds).

Limits: histories that were rewritten (summaries, edited or dropped answers) do not link; a request
whose first messages are lost links only by the last two answers; two conversations of one process,
user and first message with word for word the same answers cannot be told apart, and the later
request goes to the latest of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

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
    scope = f"{unit.service_name}\0{unit.service_instance}\0{unit.user_id}"
    for agent_calls in _by_agent(unit.model_calls).values():
        if not unit.sessions:
            first = agent_calls[0]
            for key in _referred(scope, first):
                keys[StitchKey(key, "referred", first.start_ns)] = None
        last = agent_calls[-1]
        for key in _emitted(scope, last):
            keys[StitchKey(key, "emitted", last.start_ns)] = None
    return UnitIdentity(
        unit.unit_id, unit.service_name, unit.start_ns, unit.sessions, tuple(keys), unit.holds_agent
    )


def _by_agent(calls: Iterable[ModelCall]) -> dict[str, list[ModelCall]]:
    groups: dict[str, list[ModelCall]] = {}
    for call in calls:
        groups.setdefault(call.agent_name, []).append(call)
    return groups


def _referred(scope: str, call: ModelCall) -> Iterator[str]:
    answers = [digest for digest in map(_answer, _parsed(call, "assistant")) if digest]
    if not answers:
        return
    if _headless(call):
        yield _key(scope, "tail", answers[-2:])
    else:
        yield _key(scope, "all", [_opening(call), *answers])


def _emitted(scope: str, call: ModelCall) -> Iterator[str]:
    own = _answer(Message("assistant", call.text, calls=call.calls))
    if not own:
        return
    answers = [digest for digest in map(_answer, _parsed(call, "assistant")) if digest]
    answers.append(own)
    yield _key(scope, "tail", answers[-2:])
    if not _headless(call):
        yield _key(scope, "all", [_opening(call), *answers])


def _headless(call: ModelCall) -> bool:
    """Whether the first messages of the request are missing: dropped attributes, a sliding window."""
    if call.headless:
        return True
    return next((messages.role_of(raw) for raw in call.input), "") in {"assistant", "tool"}


def _parsed(call: ModelCall, role: str) -> Iterator[Message]:
    for raw in call.input:
        if messages.role_of(raw) == role:
            yield messages.parse(raw)


def _opening(call: ModelCall) -> str:
    return next((message.text for message in _parsed(call, "user") if message.text), "")


def _answer(message: Message) -> str:
    """An answer in a form that is the same in the response and in the next request; "" for none."""
    text = " ".join(message.text.split())
    if not text and not message.calls:
        return ""
    return to_json([text, [[call.call_id, call.name, call.arguments] for call in message.calls]])


def _key(scope: str, kind: str, texts: Sequence[str]) -> str:
    digest = blake2b(f"{scope}\0{kind}".encode(), digest_size=16)
    for text in texts:
        digest.update(b"\0")
        digest.update(text.encode(errors="surrogatepass"))
    return digest.hexdigest()
