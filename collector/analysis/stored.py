"""The stored records of units, which are given as a frame (unit, first_ns, last_ns, …)."""

from __future__ import annotations

from typing import Any

import polars as pl

from collector.store import Store, query


def stored_rows(
    store: Store, units: pl.DataFrame, most: int | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The spans and the log records of the units, as `records` reads them; at most `most` of each."""
    wanted = {"wanted": units.select("unit")}
    limit = "" if most is None else f" LIMIT {most}"
    return (
        store.read_with(wanted, f"FROM ({query('unit_spans')}){limit}", between(units)),
        store.read_with(wanted, f"FROM ({query('unit_logs')}){limit}"),
    )


def record_counts(store: Store, units: pl.DataFrame) -> pl.DataFrame:
    """How many records each of the units has: (unit, records)."""
    return store.read_with({"wanted": units.select("unit")}, query("unit_counts"), between(units))


def between(units: pl.DataFrame) -> dict[str, Any]:
    """Between which times the units' records lie, as the queries name them: so row groups are passed over."""
    return {"first_ns": units["first_ns"].min() or 0, "last_ns": units["last_ns"].max() or 0}
