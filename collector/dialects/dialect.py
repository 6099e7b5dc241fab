"""What a dialect is: how one instrumentation's spans and log records become canonical records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from collector.derive.canonical import Record
from collector.records import LogRecord, SpanRecord

SpanReader = Callable[[SpanRecord], Sequence[Record] | None]
LogReader = Callable[[LogRecord], Sequence[Record] | None]


def no_logs(_log: LogRecord) -> None:
    """The log reader of a dialect that writes spans only."""
    return


@dataclass(frozen=True, slots=True)
class Dialect:
    """One instrumentation's way of writing.

    `read_span` and `read_log` return None for a record that is not the dialect's own, and an empty
    sequence for one that is but says nothing of a model, a tool or an agent. They never raise on
    wrong or missing values.

    A dialect with `scopes` is asked only for records whose instrumentation scope begins with one of
    them, one with `keys` only for spans that have one of these attributes.
    """

    name: str
    read_span: SpanReader
    read_log: LogReader = no_logs
    scopes: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()
