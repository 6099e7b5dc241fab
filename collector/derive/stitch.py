"""Which session each unit belongs to, from the identities of all units that share keys with it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from collector.derive.canonical import FoundSession
from collector.derive.identity import UnitIdentity

STITCHED = "stitched"
TRACE = "trace"


@dataclass(frozen=True, slots=True)
class SessionKey:
    """A session: unique by service and id. `session_source` says how the id was found.

    It is the attribute that held it, `trace` (a trace id), or `stitched` (the trace id of the first of
    several traces linked by history).
    """

    service_name: str
    session_id: str
    session_source: str = field(compare=False)


def stitch(identities: Iterable[UnitIdentity]) -> dict[str, tuple[SessionKey, ...]]:
    """The sessions of each unit by `unit_id`, whatever the order of `identities`.

    A unit that names sessions has those. Any other joins the unit that emitted latest, before it, a
    key that it refers to; one that joins none is a session of its own, named by its trace. Units in
    which no agent ran have none.
    """
    units = sorted(
        {identity.unit_id: identity for identity in identities}.values(),
        key=lambda identity: (identity.start_ns, identity.unit_id),
    )
    position = {unit.unit_id: index for index, unit in enumerate(units)}
    emitters: dict[str, list[tuple[int, int]]] = {}
    for index, unit in enumerate(units):
        for key in unit.keys:
            if key.role == "emitted":
                emitters.setdefault(key.key, []).append((key.time_ns, index))
    for emitted in emitters.values():
        emitted.sort()
    roots = list(range(len(units)))
    for index, unit in enumerate(units):
        parent = _parent(unit, index, emitters)
        if parent is not None:
            roots[index] = roots[parent]  # the parent is earlier in the list, so its root is known
    joined = {root for index, root in enumerate(roots) if root != index}
    return {
        unit.unit_id: _keys(
            unit, units[roots[position[unit.unit_id]]], roots[position[unit.unit_id]] in joined
        )
        for unit in units
    }


def _parent(unit: UnitIdentity, index: int, emitters: dict[str, list[tuple[int, int]]]) -> int | None:
    """The position of the unit that this one continues: an earlier one, so that there are no circles."""
    if unit.sessions:
        return None
    for key in sorted(unit.keys, key=lambda key: (key.time_ns, key.key)):
        if key.role == "referred":
            emitted = emitters.get(key.key, [])
            latest = bisect_right(emitted, (key.time_ns, index - 1)) - 1
            while latest >= 0 and emitted[latest][1] >= index:
                latest -= 1
            if latest >= 0:
                return emitted[latest][1]
    return None


def _keys(unit: UnitIdentity, root: UnitIdentity, joined: bool) -> tuple[SessionKey, ...]:
    if not unit.holds_agent:
        return ()
    found = root.sessions or (FoundSession(root.unit_id, STITCHED if joined else TRACE),)
    if unit is not root:
        found = found[:1]
    return tuple(SessionKey(root.service_name, session.session_id, session.source) for session in found)
