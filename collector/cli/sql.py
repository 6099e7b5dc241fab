"""`tightrope sql`: a SELECT on the service, or on the data folder where no service answers."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from collector.cli.text import table, terminal_width
from collector.client import Client, NoAnswerError, SqlFrame, frame_of
from collector.encoding import to_json
from collector.errors import UnreachableError, UsageError
from collector.settings import Settings

if TYPE_CHECKING:
    import polars as pl

TABLE_ROWS = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The statement and the form of its answer."""
    parser.add_argument(
        "sql", metavar="SQL", help='a SELECT, e.g. "SELECT * FROM sessions"; - reads it from stdin'
    )
    formats = ("table", "csv", "json", "parquet")
    parser.add_argument("--format", choices=formats, default="table", help="default: table")
    parser.add_argument("--output", metavar="FILE", type=Path, help="write there instead of to stdout")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the rows."""
    if args.format == "parquet" and args.output is None and sys.stdout.isatty():
        raise UsageError("parquet is not for a terminal: give --output FILE, or redirect stdout")
    statement = sys.stdin.read() if args.sql == "-" else args.sql
    answer = _ask(statement, settings)
    content = FORMATS[args.format](answer.frame)
    if args.output is not None:
        try:
            args.output.write_bytes(content)
        except OSError as error:
            raise UsageError(f"--output {args.output} cannot be written: {error.strerror}") from error
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
    if args.format == "table" and answer.frame.height > TABLE_ROWS:
        print(
            f"{TABLE_ROWS:,} of {answer.frame.height:,} rows shown: --format csv or json has all",
            file=sys.stderr,
        )
    if answer.truncated:
        print(
            f"cut after {answer.frame.height:,} rows, there are more: narrow the statement", file=sys.stderr
        )
    return 0


def _ask(statement: str, settings: Settings) -> SqlFrame:
    try:
        with Client(settings.url, settings.token) as client:
            return client.run_sql(statement, max_rows=settings.sql_max_rows)
    except NoAnswerError as error:
        from collector.store import Store, run_sql
        from collector.store.database import FILE_NAME

        if not (settings.data / FILE_NAME).is_file():
            raise UnreachableError(f"{error}; nor is there any data in {settings.data} (--data)") from error
        print(f"no service answers at {settings.url}: reading {settings.data}", file=sys.stderr)
        store = Store(
            settings.data, memory_limit=settings.memory_limit, threads=settings.threads, read_only=True
        )
        try:
            found = run_sql(store, statement, timeout_s=settings.sql_timeout, max_rows=settings.sql_max_rows)
        finally:
            store.close()
        return SqlFrame(frame_of(found.table), found.truncated)


def _table(frame: pl.DataFrame) -> bytes:
    shown = frame.head(TABLE_ROWS)
    lines = table(shown.columns, shown.iter_rows(), width=terminal_width())
    return "".join(f"{line}\n" for line in lines).encode(errors="backslashreplace")


def _csv(frame: pl.DataFrame) -> bytes:
    return _flat(frame).write_csv().encode()


def _json(frame: pl.DataFrame) -> bytes:
    return to_json(frame.to_dicts()) + b"\n"


def _parquet(frame: pl.DataFrame) -> bytes:
    target = io.BytesIO()
    frame.write_parquet(target)
    return target.getvalue()


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """What CSV has no form for as text: lists and structs as JSON, intervals as ISO 8601, bytes as hex."""
    import polars as pl

    columns = []
    for column in frame:
        if column.dtype in (pl.Binary, pl.Duration) or column.dtype.is_nested():
            texts = [
                None if value is None else to_json(value).decode().strip('"') for value in column.to_list()
            ]
            columns.append(pl.Series(column.name, texts, dtype=pl.String))
        else:
            columns.append(column)
    return pl.DataFrame(columns)


FORMATS = {"table": _table, "csv": _csv, "json": _json, "parquet": _parquet}
