"""Which sessions the units of a batch belong to, and which other units those sessions need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import orjson
import polars as pl

from collector.derive.canonical import FoundSession
from collector.derive.identity import StitchKey, UnitIdentity
from collector.derive.stitch import SessionKey, stitch
from collector.store import Store, query

MAX_LINK_STEPS = 50


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a batch changes.

    `sessions`: every session whose rows must be made anew, with all its units (none: it is gone).
    `moved`: the units whose sessions are to be stored, with them.
    """

    sessions: dict[SessionKey, list[str]]
    moved: dict[str, tuple[SessionKey, ...]]


def resolve(store: Store, identities: Sequence[UnitIdentity]) -> Resolution:
    """Tell the sessions of the units just read, and whatever else that changes.

    A unit without an id of its own may join a session, and one that arrives late may be the one that
    stored units were waiting for: so all units linked to these by history are looked at again.
    """
    known = {identity.unit_id: identity for identity in identities}
    frontier: Iterable[UnitIdentity] = identities
    for _ in range(MAX_LINK_STEPS):
        linked = _linked(store, frontier) - known.keys()
        if not linked:
            break
        together = set(_session_units(store, linked)["unit"]) | linked
        frontier = _load(store, together - known.keys())
        known |= {identity.unit_id: identity for identity in frontier}
    new = stitch(known.values())
    stored = _session_units(store, known)
    old = _by_unit(stored)
    fresh = {identity.unit_id for identity in identities}
    moved = {unit: keys for unit, keys in new.items() if unit in fresh or set(keys) != set(old.get(unit, ()))}
    touched = {key for unit in moved for key in (*new[unit], *old.get(unit, ()))}
    sessions: dict[SessionKey, set[str]] = {key: set() for key in touched}
    joined = {key for keys in new.values() for key in keys}
    members = pl.concat([stored, _members(store, joined & touched)])
    for unit, keys in (_by_unit(members) | new).items():
        for key in keys:
            if key in sessions:
                sessions[key].add(unit)
    return Resolution({key: sorted(units) for key, units in sessions.items()}, moved)


def _linked(store: Store, identities: Iterable[UnitIdentity]) -> set[str]:
    keys = [(key.key, key.role) for identity in identities for key in identity.keys]
    if not keys:
        return set()
    frame = pl.DataFrame(keys, schema={"key": pl.String, "role": pl.String}, orient="row").unique()
    return set(store.read_with({"keys": frame}, query("linked_units"))["unit"])


def _session_units(store: Store, units: Iterable[str]) -> pl.DataFrame:
    return store.read_with({"wanted": wanted(units)}, query("session_units"))


def _members(store: Store, sessions: Iterable[SessionKey]) -> pl.DataFrame:
    rows = [(key.service_name, key.session_id) for key in sessions]
    frame = pl.DataFrame(rows, schema={"service_name": pl.String, "session_id": pl.String}, orient="row")
    return store.read_with(
        {"wanted": frame},
        "SELECT unit, service_name, session_id, session_source "
        "FROM unit_sessions SEMI JOIN wanted USING (service_name, session_id)",
    )


def _by_unit(rows: pl.DataFrame) -> dict[str, tuple[SessionKey, ...]]:
    units: dict[str, list[SessionKey]] = defaultdict(list)
    for unit, service, session_id, source in rows.unique().iter_rows():
        units[unit].append(SessionKey(service, session_id, source))
    return {unit: tuple(keys) for unit, keys in units.items()}


def _load(store: Store, units: Iterable[str]) -> list[UnitIdentity]:
    """The stored identities of units."""
    frame = wanted(units)
    rows = store.read_with(
        {"wanted": frame},
        "SELECT unit, service_name, start_ns, named, holds_agent FROM units SEMI JOIN wanted USING (unit)",
    )
    keys: dict[str, list[StitchKey]] = defaultdict(list)
    for unit, key, role, time_ns in store.read_with(
        {"wanted": frame}, "SELECT unit, key, role, time_ns FROM stitch_keys SEMI JOIN wanted USING (unit)"
    ).iter_rows():
        keys[unit].append(StitchKey(key, role, time_ns))
    return [
        UnitIdentity(
            unit,
            service,
            start_ns,
            tuple(FoundSession(*entry) for entry in orjson.loads(named)),
            tuple(keys.get(unit, ())),
            holds_agent,
        )
        for unit, service, start_ns, named, holds_agent in rows.iter_rows()
    ]


def wanted(units: Iterable[str]) -> pl.DataFrame:
    """Units as a frame to join with: (unit)."""
    return pl.DataFrame({"unit": list(units)}, schema={"unit": pl.String})


def identity_frames(
    identities: Sequence[UnitIdentity], ranges: Mapping[str, tuple[int, int]]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of `units` and of `stitch_keys` for identities; `ranges`: first and last ns of each unit."""
    units = [
        (
            identity.unit_id,
            identity.service_name,
            identity.start_ns,
            orjson.dumps([[found.session_id, found.source] for found in identity.sessions]).decode(),
            identity.holds_agent,
            *ranges[identity.unit_id],
        )
        for identity in identities
    ]
    keys = [(i.unit_id, key.key, key.role, key.time_ns) for i in identities for key in i.keys]
    return (
        pl.DataFrame(
            units,
            schema={
                "unit": pl.String,
                "service_name": pl.String,
                "start_ns": pl.Int64,
                "named": pl.String,
                "holds_agent": pl.Boolean,
                "first_ns": pl.Int64,
                "last_ns": pl.Int64,
            },
            orient="row",
        ),
        pl.DataFrame(
            keys,
            schema={"unit": pl.String, "key": pl.String, "role": pl.String, "time_ns": pl.Int64},
            orient="row",
        ),
    )
