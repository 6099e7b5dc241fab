"""Drives the analysis: takes units that are due, has the worker derive their sessions, stores the rows."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import polars as pl

from analyzers import AnalyzerError
from analyzers.installed import installed_analyzers
from collector.analysis.links import Resolution, resolve, wanted
from collector.analysis.replace import failure_name, replace
from collector.analysis.stored import record_counts, stored_rows
from collector.analysis.worker import Configuration, Derived, Worker, WorkerLost
from collector.derive.identity import UnitIdentity
from collector.derive.rescues import FAMILIES, RESCUE_PATTERNS, RescuePattern
from collector.derive.rows import SessionRows, frames
from collector.dialects.mapped import mapping_of
from collector.errors import UsageError
from collector.settings import Settings
from collector.store import DATA_ERRORS, Store, query

log = logging.getLogger("tightrope.analysis")

TICK_SECONDS = 0.1
# A unit that never falls quiet is derived after this long all the same.
OVERDUE_SECONDS = 2.0
MOST_UNITS = 500
BATCH_RECORDS = 10_000
# More records than this in one trace are not derived: at 2 KB each they would not fit in memory.
MOST_RECORDS_OF_UNIT = 200_000
# A session is derived again no sooner than this many times the seconds that it took last.
REST_FACTOR = 10.0
LONGEST_REST_SECONDS = 60.0
STOP_SECONDS = 3.0

Range = tuple[int, int]


class Analysis:
    """Runs in its own thread, beside one worker process."""

    def __init__(self, store: Store, settings: Settings) -> None:
        """Raises UsageError for analyzer settings or rescue patterns that are wrong."""
        self.store = store
        self.settle_seconds = settings.settle_seconds
        self.worker = Worker(configuration(settings), settings.analysis_timeout)
        self._resting: dict[str, float] = {}
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="analysis", daemon=True)

    def start(self) -> None:
        """Begin; what an earlier process left pending is taken up."""
        self.worker.start()
        self._thread.start()

    def stop(self) -> None:
        """End; what is pending stays so. A batch at hand has a moment to finish."""
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=STOP_SECONDS)
        self.worker.stop()
        if self._thread.is_alive():
            self._thread.join(timeout=30)

    def wake(self) -> None:
        """Something was loaded."""
        self._wake.set()

    def requeue(self, *, everything: bool) -> int:
        """Make all units pending, or those whose analysis failed; returns how many."""
        with self.store.write() as connection:
            connection.execute(query("requeue_all" if everything else "requeue_failed"))
        self.wake()
        return int(self.store.read("SELECT count(DISTINCT unit) FROM pending_units").item())

    def status(self) -> dict[str, Any]:
        """How much waits, how long the oldest has waited (seconds), and what failed."""
        pending, oldest = self.store.read(
            "SELECT count(DISTINCT unit), min(touched_at) FROM pending_units"
        ).row(0)
        failures = self.store.read("SELECT * FROM analysis_failures ORDER BY failed_at DESC LIMIT 20")
        lag = (datetime.now(UTC).replace(tzinfo=None) - oldest).total_seconds() if oldest else 0.0
        return {
            "pending_units": pending,
            "lag_seconds": round(max(lag, 0.0), 3),
            "failures": failures.to_dicts(),
        }

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.wait(TICK_SECONDS)
            self._wake.clear()
            try:
                while not self._stop.is_set() and self.run_once():
                    pass
            except Exception:
                log.exception("an analysis batch failed, trying again")
                self._stop.wait(1.0)

    def run_once(self) -> bool:
        """Analyse one batch of what is due; False when nothing was."""
        due, failures = self._due()
        if not due.height and not failures:
            return False
        try:
            self._process(due, failures)
        except (WorkerLost, RuntimeError, *DATA_ERRORS) as error:
            if self._stop.is_set():
                return False
            if due.height == 1:
                unit = due["unit"][0]
                log.error("analysis of %s failed: %s", unit, error)
                self._set_aside(due, {unit: str(error)})
            else:
                self._one_by_one(due)
        return True

    def _one_by_one(self, due: pl.DataFrame) -> None:
        """The batch failed as a whole: find the unit at fault, so that the others go on."""
        for at in range(due.height):
            if self._stop.is_set():
                return
            single = due.slice(at, 1)
            try:
                self._process(single, {})
            except (WorkerLost, RuntimeError, *DATA_ERRORS) as error:
                if self._stop.is_set():
                    return
                log.error("analysis of %s failed: %s", single["unit"][0], error)
                self._set_aside(single, {single["unit"][0]: str(error)})

    def _due(self) -> tuple[pl.DataFrame, dict[str, str]]:
        """A batch of due units (unit, first_ns, last_ns, touched_at), and those too large to derive."""
        now = time.time()
        due = self.store.read(
            query("due_units"),
            {
                "settled_us": int((now - self.settle_seconds) * 1e6),
                "overdue_us": int((now - OVERDUE_SECONDS) * 1e6),
                "most": MOST_UNITS,
            },
        )
        self._resting = {unit: until for unit, until in self._resting.items() if until > now}
        due = due.filter(~pl.col("unit").is_in(list(self._resting)))
        if not due.height:
            return due, {}
        due = self._with_stored_range(due)
        counts = dict(record_counts(self.store, due).iter_rows())
        too_large = {u: n for u, n in counts.items() if n > MOST_RECORDS_OF_UNIT}
        failures = {
            unit: f"{n} records in one trace, {MOST_RECORDS_OF_UNIT} at most are derived"
            for unit, n in too_large.items()
        }
        due = due.with_columns(
            pl.col("unit").replace_strict(counts, default=0, return_dtype=pl.Int64).alias("records")
        )
        fits = pl.col("records").cum_sum().shift(1, fill_value=0) < BATCH_RECORDS
        return due.filter(fits | pl.col("unit").is_in(list(failures))), failures

    def _with_stored_range(self, due: pl.DataFrame) -> pl.DataFrame:
        stored = self.store.read_with(
            {"wanted": due.select("unit")},
            "SELECT unit, first_ns AS f, last_ns AS l FROM units SEMI JOIN wanted USING (unit)",
        )
        return due.join(stored, on="unit", how="left", maintain_order="left").select(
            "unit",
            pl.min_horizontal("first_ns", "f").alias("first_ns"),
            pl.max_horizontal("last_ns", "l").alias("last_ns"),
            "touched_at",
        )

    def _process(self, due: pl.DataFrame, failures: Mapping[str, str]) -> None:
        started = time.monotonic()
        sound = due.filter(~pl.col("unit").is_in(list(failures)))
        identities = self.worker.identify(*stored_rows(self.store, sound))
        ranges: dict[str, Range] = {row[0]: (row[1], row[2]) for row in due.iter_rows()}
        resolution = resolve(self.store, identities)
        others = {unit for units in resolution.sessions.values() for unit in units} - ranges.keys()
        derived = self._derive(resolution, others)
        tables = {name: pl.read_ipc_stream(data) for name, data in derived.tables.items()}
        failed = dict(failures) | {failure_name(key): reason for key, reason in derived.failures.items()}
        self._store(due, identities, ranges, resolution, tables, failed)
        self._rest(due, time.monotonic() - started)

    def _derive(self, resolution: Resolution, others: set[str]) -> Derived:
        stored = self.store.read_with(
            {"wanted": wanted(others)},
            "SELECT unit, first_ns, last_ns FROM units SEMI JOIN wanted USING (unit)",
        )
        return self.worker.derive(
            {key: units for key, units in resolution.sessions.items() if units},
            *stored_rows(self.store, stored),
        )

    def _set_aside(self, due: pl.DataFrame, failures: Mapping[str, str]) -> None:
        self._store(due, [], {}, Resolution({}, {}), frames(SessionRows()), failures)

    def _store(
        self,
        due: pl.DataFrame,
        identities: list[UnitIdentity],
        ranges: Mapping[str, Range],
        resolution: Resolution,
        tables: Mapping[str, pl.DataFrame],
        failures: Mapping[str, str],
    ) -> None:
        taken = due.select("unit", "touched_at")
        replace(self.store, taken, identities, ranges, resolution, tables, failures)

    def _rest(self, due: pl.DataFrame, seconds: float) -> None:
        """Let the units rest in proportion to what they cost."""
        now = time.time()
        total = max(int(due["records"].sum()), 1) if "records" in due.columns else 1
        for row in due.iter_rows(named=True):
            share = seconds * row.get("records", 1) / total
            if share * REST_FACTOR > TICK_SECONDS:
                self._resting[row["unit"]] = now + min(share * REST_FACTOR, LONGEST_REST_SECONDS)


def configuration(settings: Settings) -> Configuration:
    """What the worker needs of the settings. Raises UsageError where they are wrong."""
    try:
        known = {analyzer.kind: analyzer for analyzer in installed_analyzers()}
    except AnalyzerError as error:
        raise UsageError(str(error)) from error
    chosen = {}
    for kind, values in settings.analyzers.items():
        if kind not in known:
            raise UsageError(f"[analyzers.{kind}]: there is no such analyzer; there are: {', '.join(known)}")
        try:
            chosen[kind] = known[kind].choose(values)
        except AnalyzerError as error:
            raise UsageError(str(error)) from error
    patterns = tuple(_pattern(text) for text in settings.rescue_patterns)
    return Configuration(patterns + RESCUE_PATTERNS, chosen, mapping_of(settings.attributes))


def _pattern(text: str) -> RescuePattern:
    family, _, pattern = text.partition("=")
    if family.strip() not in FAMILIES or not pattern.strip():
        raise UsageError(
            f"rescue pattern {text!r} must read family=pattern, the family one of {', '.join(FAMILIES)}"
        )
    return RescuePattern(pattern.strip(), family.strip())
