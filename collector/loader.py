"""The loader: journal to store in large batches, each batch and the journal's mark in one transaction."""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb
import pyarrow as pa
from google.protobuf.message import DecodeError

from collector.journal import Entry, Journal, Position
from collector.otlp.columns import Delivery, to_table
from collector.otlp.signals import METRICS, SIGNALS
from collector.store import DATA_ERRORS, Store, query
from collector.store.database import registered

log = logging.getLogger("tightrope.loader")

BATCH_BYTES = 32 * 2**20
# A commit costs some milliseconds whatever its size: small requests are gathered for this long.
GATHER_SECONDS = 0.1
RETRY_SECONDS = (0.1, 0.5, 2.0, 5.0)


@dataclass(slots=True)
class _Batch:
    """Entries of one transaction, by signal, and the place behind the last of them."""

    end: Position
    deliveries: dict[str, list[Delivery]] = field(default_factory=lambda: defaultdict(list))
    entries: list[Entry] = field(default_factory=list)


class Loader:
    """Runs in its own thread; `loaded` is the place up to which the store has everything."""

    def __init__(
        self,
        store: Store,
        journal: Journal,
        *,
        batch_rows: int,
        quarantine: Path,
        on_loaded: Callable[[], None],
        session_keys: tuple[str, ...] = (),
    ) -> None:
        """`on_loaded` is called after each commit, from the loader's thread; `session_keys` are the
        user's own names of the attribute that names a session."""
        self.store = store
        self.journal = journal
        self.batch_rows = batch_rows
        self.quarantine = quarantine
        self.on_loaded = on_loaded
        self.session_keys = session_keys
        self.loaded = mark(store)
        self.failure = ""
        self._one_by_one_until = Position(0, 0)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="loader", daemon=True)

    def start(self) -> None:
        """Begin loading."""
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def stop(self, timeout: float) -> None:
        """Load what is in the journal, at most `timeout` seconds, and end."""
        deadline = time.monotonic() + timeout
        while self._thread.is_alive() and self.loaded < self.journal.end and time.monotonic() < deadline:
            time.sleep(0.02)
        self._stop.set()
        self._thread.join(timeout=30)

    def _run(self) -> None:
        attempt = 0
        while not self._stop.is_set():
            if not self.journal.wait(self.loaded, timeout=0.2):
                continue
            try:
                rows = self.load_once()
            except Exception as error:
                # The store may heal (disk full, out of memory); what is in the journal is safe meanwhile.
                self.failure = f"{type(error).__name__}: {str(error).splitlines()[0]}"
                log.exception("loading failed, trying again")
                self._stop.wait(RETRY_SECONDS[min(attempt, len(RETRY_SECONDS) - 1)])
                attempt += 1
                continue
            self.failure = ""
            attempt = 0
            if rows < self.batch_rows:
                self._stop.wait(GATHER_SECONDS)

    def load_once(self) -> int:
        """Load one batch; returns how many records it held."""
        batch = self._gather()
        if not batch.entries and batch.end == self.loaded:
            self._skip_damage()
            return 0
        alone = batch.entries[0] if len(batch.entries) == 1 else None
        try:
            return self._load(batch)
        except DATA_ERRORS as error:
            # Trying again is of no use: find the request at fault, so that the others go on.
            if alone is None:
                log.error("a batch cannot be stored, loading its requests one by one: %s", error)
                self._one_by_one_until = batch.end
                return self.batch_rows
            self._refuse(alone, batch.end, error)
            return 1

    def _load(self, batch: _Batch) -> int:
        tables = {
            signal: to_table(SIGNALS[signal], deliveries, self.session_keys)
            for signal, deliveries in batch.deliveries.items()
        }
        counts = Counts(batch.entries)
        batch.deliveries.clear()  # the bodies, decoded and not, are no longer needed
        batch.entries.clear()
        with self.store.write() as connection:
            for signal, table in tables.items():
                fresh = _insert(connection, signal, table)
                counts.add(signal, table, fresh)
            counts.save(connection)
            connection.execute(query("move_mark"), [batch.end.segment, batch.end.offset])
        self.loaded = batch.end
        self.journal.discard(batch.end)
        self.on_loaded()
        return sum(table.num_rows for table in tables.values())

    def _gather(self) -> _Batch:
        batch = _Batch(self.loaded)
        rows = 0
        for entry, position in self.journal.read(self.loaded, BATCH_BYTES):
            batch.entries.append(self._deliver(batch, entry, position))
            batch.end = position
            rows += entry.accepted
            if rows >= self.batch_rows or position <= self._one_by_one_until:
                break
        return batch

    def _deliver(self, batch: _Batch, entry: Entry, position: Position) -> Entry:
        """Add what an entry holds to the batch; one that cannot be decoded comes back as refused."""
        if entry.accepted:
            try:
                request = SIGNALS[entry.signal].request.FromString(entry.body)
            except (DecodeError, KeyError):
                self._set_aside(entry, position)
                return _refused(entry)
            batch.deliveries[entry.signal].append(Delivery(request, entry.received_ns, entry.user_agent))
        return entry

    def _skip_damage(self) -> None:
        """Nothing readable up to the journal's end: go on behind a segment that is over."""
        if self.journal.end.segment > self.loaded.segment:
            self.loaded = Position(self.loaded.segment + 1, 0)
        else:
            self._stop.wait(1.0)

    def _refuse(self, entry: Entry, position: Position, error: Exception) -> None:
        """Go on without a request that the store does not take: it is put aside, and its records counted."""
        self._set_aside(entry, position)
        log.error("a journalled request cannot be stored: %s", error)
        counts = Counts([_refused(entry)])
        with self.store.write() as connection:
            counts.save(connection)
            connection.execute(query("move_mark"), [position.segment, position.offset])
        self.loaded = position
        self.journal.discard(position)

    def _set_aside(self, entry: Entry, position: Position) -> None:
        """Keep a body that passed intake and cannot be read now, for a person to look at."""
        self.quarantine.mkdir(parents=True, exist_ok=True)
        path = self.quarantine / f"{position.segment}-{position.offset}.{entry.signal}.pb"
        path.write_bytes(entry.body)
        log.error("a journalled request was put aside as %s", path)


def _refused(entry: Entry) -> Entry:
    return replace(entry, accepted=0, rejected=entry.rejected + entry.accepted)


def mark(store: Store) -> Position:
    """Up to where the store has the journal."""
    row = store.read('SELECT segment, "offset" FROM journal_mark').row(0)
    return Position(row[0], row[1])


def _insert(connection: duckdb.DuckDBPyConnection, signal: str, table: pa.Table) -> pa.Table:
    """Store the records of a table that the store does not have yet, and return those."""
    table = table.append_column("row", pa.array(range(table.num_rows), pa.int32()))
    with registered(connection, "batch", table):
        rows = connection.sql(query(f"fresh_{signal}")).to_arrow_table().column("row")
    fresh = table if len(rows) == table.num_rows else table.take(rows)
    if fresh.num_rows:
        with registered(connection, "batch", fresh):
            connection.execute(query(f"load_{signal}"))
            if signal != METRICS.name:
                connection.execute(query(f"touch_{signal}"), {"now_us": time.time_ns() // 1000})
    return fresh


class Counts:
    """What one batch adds to `intake`, by service, user agent and signal."""

    def __init__(self, entries: list[Entry]) -> None:
        """Counts what was refused and salvaged at intake; `add` counts what was loaded."""
        self._rows: dict[tuple[str, str, str], dict[str, int]] = {}
        for entry in entries:
            if entry.rejected or entry.salvaged:
                row = self._row(entry.service_name, entry.user_agent, entry.signal)
                row["received"] += entry.rejected
                row["rejected"] += entry.rejected
                row["salvaged"] += entry.salvaged

    def add(self, signal: str, received: pa.Table, stored: pa.Table) -> None:
        """Count the records of a loaded table, of which `stored` were new."""
        for table, names in ((received, ("received", "duplicates")), (stored, ("stored",))):
            groups = table.group_by(["service_name", "user_agent"]).aggregate([([], "count_all")])
            for group in groups.to_pylist():
                row = self._row(group["service_name"], group["user_agent"], signal)
                for name in names:
                    row[name] += group["count_all"]
                if names == ("stored",):
                    row["duplicates"] -= group["count_all"]

    def save(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Add the counts to the table, in the caller's transaction."""
        if not self._rows:
            return
        rows = [
            {"service_name": service, "user_agent": agent, "signal": signal, **row}
            for (service, agent, signal), row in self._rows.items()
        ]
        with registered(connection, "counts", pa.Table.from_pylist(rows)):
            connection.execute(query("count_intake"), {"now_us": time.time_ns() // 1000})

    def _row(self, service: str, agent: str, signal: str) -> dict[str, int]:
        return self._rows.setdefault(
            (service, agent, signal),
            {"received": 0, "stored": 0, "duplicates": 0, "salvaged": 0, "rejected": 0},
        )
