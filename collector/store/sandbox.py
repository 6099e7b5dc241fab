"""Runs a user's SQL: one read-only statement, no files, no network, bounded in time and rows."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from collector.errors import SqlError
from collector.store.database import Store
from collector.store.memory import Headroom

# What a statement may take beyond DuckDB's own limit.
_HEADROOM = Headroom(2**30)
ALLOWED = {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN}


@dataclass(frozen=True, slots=True)
class SqlResult:
    """The rows of one statement; `truncated` says that there were more than the limit."""

    table: pa.Table
    truncated: bool
    elapsed_ms: float


def run_sql(store: Store, sql: str, *, timeout_s: float = 30.0, max_rows: int = 100_000) -> SqlResult:
    """Run one SELECT (or EXPLAIN, SHOW, DESCRIBE, SUMMARIZE, WITH …) and return at most `max_rows` rows.

    The statement runs in a read-only transaction that is rolled back afterwards, on an instance
    whose access to files and network is switched off and whose settings are locked; memory is
    bounded by the store's own limit. Raises SqlError with the reason where it is refused, wrong,
    or takes longer than `timeout_s` seconds.
    """
    with store.cursor() as connection:
        _check(connection, sql)
        timed_out = threading.Event()

        def interrupt() -> None:
            timed_out.set()
            connection.interrupt()

        timer = threading.Timer(timeout_s, interrupt)
        started = time.perf_counter()
        connection.execute("BEGIN TRANSACTION READ ONLY")
        timer.start()
        try:
            with _HEADROOM.limited():
                table = _rows(connection, sql, max_rows)
        except (duckdb.Error, pa.ArrowException, OSError, MemoryError) as error:
            if timed_out.is_set():
                raise SqlError(
                    f"the statement ran longer than {timeout_s:g} s and was stopped: "
                    "narrow it, for instance with WHERE started_at > now() - INTERVAL 1 DAY"
                ) from error
            raise SqlError(_reason(error)) from error
        finally:
            timer.cancel()
            connection.rollback()
    elapsed_ms = (time.perf_counter() - started) * 1000
    return SqlResult(table.slice(0, max_rows), table.num_rows > max_rows, elapsed_ms)


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, max_rows: int) -> pa.Table:
    """The rows of a statement, up to the batch in which there are more than `max_rows`."""
    with connection.sql(sql).to_arrow_reader(10_000) as reader:
        batches: list[pa.RecordBatch] = []
        rows = 0
        for batch in reader:
            batches.append(batch)
            rows += batch.num_rows
            if rows > max_rows:
                connection.interrupt()  # or closing the reader would wait for a statement without end
                break
        return pa.Table.from_batches(batches, schema=reader.schema)


def _check(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    try:
        types = [statement.type for statement in connection.extract_statements(sql)]
    except duckdb.Error as error:
        raise SqlError(_reason(error)) from error
    except ValueError as error:  # a type of statement that DuckDB's Python package has no name for
        raise SqlError("such statements are refused, the store is read-only here: use SELECT") from error
    if len(types) != 1:
        raise SqlError(f"one statement at a time, not {len(types)}: send each in its own request")
    if types[0] not in ALLOWED:
        raise SqlError(f"{types[0].name} statements are refused, the store is read-only here: use SELECT")


def _reason(error: Exception) -> str:
    text = str(error).strip()
    if isinstance(error, duckdb.PermissionException):
        return f"{text.splitlines()[0]}: files and network are out of reach here"
    if isinstance(error, duckdb.OutOfMemoryException | OSError | MemoryError):  # OSError: Arrow's reader
        return "the statement needs more memory than it may have: select fewer columns or rows"
    if "read-only mode" in text:
        return "the statement writes, and the store is read-only here: use SELECT"
    return text
