"""Brings the schema up to date: `migrations/NNNN_name.sql`, each applied once, in a transaction."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

import duckdb

from collector.errors import StoreError


def migrations() -> list[tuple[int, str, str]]:
    """All migrations as (number, name, SQL), in order."""
    found = []
    for file in resources.files("collector.store").joinpath("migrations").iterdir():
        if file.name.endswith(".sql"):
            number, _, name = file.name.removesuffix(".sql").partition("_")
            found.append((int(number), name, file.read_text("utf-8")))
    return sorted(found)


def migrate(connection: duckdb.DuckDBPyConnection, path: Path, *, read_only: bool) -> None:
    """Apply the migrations that `path` has not had, after copying the file beside itself.

    Raises StoreError where the file comes from a newer Tightrope, or is opened read-only and needs
    a migration first.
    """
    exists = connection.execute(
        "SELECT count(*) > 0 FROM duckdb_tables() WHERE table_name = 'schema_migrations'"
    ).fetchall()[0][0]
    applied = (
        connection.execute("SELECT coalesce(max(version), 0) FROM schema_migrations").fetchall()[0][0]
        if exists
        else 0
    )
    known = migrations()
    newest = known[-1][0]
    if applied > newest:
        raise StoreError(
            f"{path} was written by a newer Tightrope (schema {applied}, this one knows {newest}): "
            "upgrade Tightrope or choose another --data"
        )
    pending = [entry for entry in known if entry[0] > applied]
    if not pending:
        return
    if read_only:
        raise StoreError(f"{path} has schema {applied} and needs {newest}: run `tightrope up` on it once")
    if applied:
        connection.execute("CHECKPOINT")
        shutil.copy2(path, path.with_suffix(f".v{applied}.bak"))
    for number, name, sql in pending:
        connection.begin()
        try:
            connection.execute(sql)
            connection.execute(
                "INSERT INTO schema_migrations VALUES (?, ?, now()::TIMESTAMP)", [number, name]
            )
        except BaseException:
            connection.rollback()
            raise
        connection.commit()
