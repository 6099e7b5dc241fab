"""Puts the new rows of sessions in the place of the old, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb
import polars as pl

from collector.analysis.links import Resolution, identity_frames, wanted
from collector.derive.identity import UnitIdentity
from collector.derive.rows import SCHEMAS
from collector.derive.stitch import SessionKey
from collector.store import Store
from collector.store.database import registered

TABLE_NAMES = {name: name for name in SCHEMAS} | {"findings": "derived_findings"}


def replace(
    store: Store,
    taken: pl.DataFrame,
    identities: Sequence[UnitIdentity],
    ranges: Mapping[str, tuple[int, int]],
    resolution: Resolution,
    tables: Mapping[str, pl.DataFrame],
    failures: Mapping[str, str],
) -> None:
    """Store what a batch came to.

    `taken`: the units that were due, (unit, touched_at): they stay pending where touched again since.
    `failures`: units set aside, with the reason.
    """
    units, keys = identity_frames(identities, ranges)
    moved = pl.DataFrame(
        [
            (unit, key.service_name, key.session_id, key.session_source)
            for unit, sessions in resolution.moved.items()
            for key in sessions
        ],
        schema={
            "unit": pl.String,
            "service_name": pl.String,
            "session_id": pl.String,
            "session_source": pl.String,
        },
        orient="row",
    )
    sessions = pl.DataFrame(
        [(key.service_name, key.session_id) for key in resolution.sessions],
        schema={"service_name": pl.String, "session_id": pl.String},
        orient="row",
    )
    with store.write() as connection:
        _swap(connection, "units", "unit", units.select("unit"), units)
        _swap(connection, "stitch_keys", "unit", units.select("unit"), keys)
        _swap(connection, "unit_sessions", "unit", wanted(resolution.moved), moved)
        for name, table in TABLE_NAMES.items():
            rows = tables[name]
            if name == "findings":
                rows = _with_first_sight(connection, sessions, rows.drop("verdict"))
            _swap(connection, table, "service_name, session_id", sessions, rows)
        _settle(connection, taken, [failure_name(key) for key in resolution.sessions], failures)


def failure_name(key: SessionKey) -> str:
    """The name under which a session that failed is told."""
    return f"{key.service_name}/{key.session_id}"


def _swap(
    connection: duckdb.DuckDBPyConnection, table: str, key: str, gone: pl.DataFrame, rows: pl.DataFrame
) -> None:
    """Delete the rows whose key is in `gone`, insert `rows`."""
    with registered(connection, "gone", gone):
        connection.execute(f"DELETE FROM {table} WHERE ({key}) IN (SELECT ({key}) FROM gone)")
    if rows.height:
        with registered(connection, "fresh", rows):
            connection.execute(f"INSERT INTO {table} BY NAME SELECT * FROM fresh")


def _with_first_sight(
    connection: duckdb.DuckDBPyConnection, sessions: pl.DataFrame, rows: pl.DataFrame
) -> pl.DataFrame:
    """Findings with `detected_at`: when the same finding was first stored, else now."""
    with registered(connection, "gone", sessions), registered(connection, "fresh", rows):
        return pl.DataFrame(
            connection.sql(
                """
                SELECT fresh.* REPLACE (coalesce(old.detected_at, now()::TIMESTAMP) AS detected_at)
                FROM fresh LEFT JOIN (
                    SELECT finding_id, min(detected_at) AS detected_at
                    FROM derived_findings SEMI JOIN gone USING (service_name, session_id) GROUP BY 1
                ) old USING (finding_id)
                """
            ).to_arrow_table()
        )


def _settle(
    connection: duckdb.DuckDBPyConnection,
    taken: pl.DataFrame,
    sessions: Sequence[str],
    failures: Mapping[str, str],
) -> None:
    """What was due is done; of it and of the `sessions` made anew only what failed now has failed."""
    tried = wanted([*taken["unit"], *sessions])
    with registered(connection, "taken", taken), registered(connection, "tried", tried):
        connection.execute(
            "DELETE FROM pending_units USING taken "
            "WHERE pending_units.unit = taken.unit AND pending_units.touched_at <= taken.touched_at"
        )
        connection.execute("DELETE FROM analysis_failures WHERE unit IN (SELECT unit FROM tried)")
    if failures:
        frame = pl.DataFrame({"unit": list(failures), "reason": list(failures.values())})
        with registered(connection, "failed", frame):
            connection.execute(
                "INSERT INTO analysis_failures SELECT unit, reason, now()::TIMESTAMP FROM failed"
            )
