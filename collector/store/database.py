"""Opens the DuckDB file, hands out connections, serialises writers."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa

from collector.errors import StoreError
from collector.store.migrate import migrate

Parameters = Sequence[Any] | Mapping[str, Any]

FILE_NAME = "tightrope.duckdb"


@cache
def query(name: str) -> str:
    """The text of `queries/<name>.sql`."""
    return resources.files("collector.store").joinpath(f"queries/{name}.sql").read_text("utf-8")


class Store:
    """One DuckDB file and its connections.

    Reading is concurrent (one cursor for each call); writing goes through `write`, one transaction
    at a time. `memory_limit` bounds what DuckDB itself may hold, in DuckDB's notation ("200MB");
    beyond it queries spill to `<data>/spill`.
    """

    def __init__(
        self, data: Path, *, memory_limit: str = "200MB", threads: int = 2, read_only: bool = False
    ) -> None:
        """Open the store in folder `data`, creating and migrating it unless `read_only`.

        Raises StoreError where the folder is in use by another process, not writable, corrupt, or
        written by a newer Tightrope.
        """
        self.path = data / FILE_NAME
        self._write_lock = threading.Lock()
        try:
            if not read_only:
                data.mkdir(parents=True, exist_ok=True)
            self._root = duckdb.connect(
                str(self.path),
                read_only=read_only,
                config={
                    "memory_limit": memory_limit,
                    "threads": threads,
                    # 256 MB: fewer, larger checkpoints load three times the rows/s of the 16 MB default
                    "checkpoint_threshold": "256MB",
                    "temp_directory": str(data / "spill"),
                    "max_temp_directory_size": "4GB",
                    "preserve_insertion_order": False,
                    "autoinstall_known_extensions": False,
                    "autoload_known_extensions": False,
                    "allow_community_extensions": False,
                    "python_enable_replacements": False,
                },
            )
        except (duckdb.Error, OSError) as error:
            raise _open_error(self.path, error) from error
        try:
            migrate(self._root, self.path, read_only=read_only)
            self._root.execute("SET GLOBAL TimeZone = 'UTC'")
            # From here on no statement, a user's least of all, reaches files, network or settings.
            self._root.execute("SET enable_external_access = false")
            self._root.execute("SET lock_configuration = true")
        except BaseException:
            self._root.close()
            raise

    def close(self) -> None:
        """Checkpoint and close; further use raises."""
        with self._write_lock:
            self._root.close()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A new connection to the same file; the caller closes it."""
        return self._root.cursor()

    def read(self, sql: str, parameters: Parameters = ()) -> pl.DataFrame:
        """The rows of a query of ours, as a frame."""
        with self.cursor() as connection:
            return pl.DataFrame(connection.sql(sql, params=parameters or None).to_arrow_table())

    def read_with(
        self, tables: Mapping[str, pl.DataFrame], sql: str, parameters: Parameters = ()
    ) -> pl.DataFrame:
        """As `read`, with frames that the query can name as tables."""
        with ExitStack() as stack:
            connection = stack.enter_context(self.cursor())
            for name, frame in tables.items():
                stack.enter_context(registered(connection, name, frame))
            return pl.DataFrame(connection.sql(sql, params=parameters or None).to_arrow_table())

    @contextmanager
    def write(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """One write transaction: committed at the end of the block, rolled back if it raises."""
        with self._write_lock, self.cursor() as connection:
            connection.begin()
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()


DATA_ERRORS = (duckdb.DataError, duckdb.IntegrityError, duckdb.ProgrammingError, ValueError, OverflowError)
"""What is raised where a value cannot be stored: trying again is of no use, unlike with a full disk."""


@contextmanager
def registered(
    connection: duckdb.DuckDBPyConnection, name: str, table: pl.DataFrame | pa.Table
) -> Iterator[None]:
    """Let statements of the connection name a frame or Arrow table, inside the block."""
    connection.register(name, table.to_arrow() if isinstance(table, pl.DataFrame) else table)
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # the transaction is over; what failed in it must be told
            connection.unregister(name)
        raise
    connection.unregister(name)


def _open_error(path: Path, error: Exception) -> StoreError:
    text = str(error)
    if "lock" in text.lower():
        return StoreError(
            f"{path} is in use by another process: stop that one, ask it through its URL, "
            "or choose another folder with --data"
        )
    if isinstance(error, PermissionError) or "permission" in text.lower():
        return StoreError(f"{path} cannot be written: give this user the right to, or choose another --data")
    return StoreError(
        f"{path} cannot be opened ({text.splitlines()[0]}): restore a backup or choose another --data"
    )
