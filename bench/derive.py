"""Derivation: 100,000 stored spans in traces of 200, of all recorded dialects, on one core.

`make bench-derive`. The traces are recorded runs of real libraries, repeated to 200 spans with new ids
and times. Timed are reading from DuckDB, the dialects, the joins and the frames of rows, in batches as
the service takes them, without the analyzers; then the service's own analysis of everything, with
analyzers, its worker process and storing, on the same one core. Prints spans per second and memory.
"""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import polars as pl
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

sys.path.insert(0, str(Path(__file__).parent.parent))

from collector.analysis.records import logs_by_unit, spans_by_unit
from collector.analysis.schedule import BATCH_RECORDS, Analysis
from collector.analysis.stored import stored_rows
from collector.derive.identity import identify
from collector.derive.rows import frames
from collector.derive.sessions import derive_session
from collector.derive.stitch import stitch
from collector.derive.units import read_unit
from collector.journal import Entry, Journal
from collector.loader import Loader, mark
from collector.settings import Settings
from collector.store import Store

RECORDINGS = Path(__file__).parent.parent / "tests" / "data" / "otlp"
TRACES, SPANS = 500, 200
GAP_NS, APART_NS = 10**9, 600 * 10**9


def recordings() -> dict[str, ExportTraceServiceRequest]:
    """Each recorded folder's spans as one request."""
    found = {}
    for folder in sorted(RECORDINGS.iterdir()):
        request = ExportTraceServiceRequest()
        for path in sorted(folder.glob("*_traces.pb")):
            request.MergeFromString(path.read_bytes())
        if any(scope.spans for group in request.resource_spans for scope in group.scope_spans):
            found[folder.name] = request
    return found


def trace(number: int, name: str, recorded: ExportTraceServiceRequest) -> bytes:
    """A request that is one trace of `SPANS` spans, of a service of its own."""
    trace_id = number.to_bytes(16, "big")
    spans = [s for group in recorded.resource_spans for scope in group.scope_spans for s in scope.spans]
    first = min(span.start_time_unix_nano for span in spans)
    length = max(span.end_time_unix_nano for span in spans) - first + GAP_NS
    base = number * APART_NS - first
    request, held, repeat = ExportTraceServiceRequest(), 0, 0
    while held < SPANS:
        copy = ExportTraceServiceRequest()
        copy.CopyFrom(recorded)
        for group in copy.resource_spans:
            for attribute in group.resource.attributes:
                if attribute.key == "service.name":
                    attribute.value.string_value = f"{name}-{number}"
            for scope in group.scope_spans:
                del scope.spans[max(SPANS - held, 0) :]
                held += len(scope.spans)
                for span in scope.spans:
                    span.trace_id = trace_id
                    span.span_id = _id(repeat, span.span_id)
                    span.parent_span_id = span.parent_span_id and _id(repeat, span.parent_span_id)
                    span.start_time_unix_nano += base + repeat * length
                    span.end_time_unix_nano += base + repeat * length
        request.MergeFrom(copy)
        repeat += 1
    return request.SerializeToString()


def _id(repeat: int, span_id: bytes) -> bytes:
    return blake2b(bytes([repeat % 256]) + span_id, digest_size=8).digest()


def fill(store: Store, folder: Path) -> None:
    """Load the traces as the service does."""
    journal = Journal(folder / "journal", mark(store), fsync="off", max_bytes=2**34, min_free_bytes=0)
    names = recordings()

    async def append() -> None:
        for number in range(1, TRACES + 1):
            name = sorted(names)[number % len(names)]
            await journal.append(
                Entry("traces", trace(number, name, names[name]), number, "bench", SPANS, 0, 0, name)
            )

    asyncio.run(append())
    loader = Loader(store, journal, batch_rows=10_000, quarantine=folder / "aside", on_loaded=lambda: None)
    while loader.loaded < journal.end:
        loader.load_once()
    journal.close()


def batches(store: Store) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    """The stored records, as many whole traces at a time as the service takes."""
    units = store.read(
        "SELECT trace_id AS unit, min(start_ns) AS first_ns, max(start_ns) AS last_ns "
        "FROM raw_spans GROUP BY 1 ORDER BY 2"
    )
    for part in units.iter_slices(BATCH_RECORDS // SPANS):
        yield stored_rows(store, part)


def derive(store: Store) -> Counter[str]:
    """Derive everything in this process; how many rows of each table that gave."""
    rows: Counter[str] = Counter()
    for spans, logs in batches(store):
        by_trace, by_unit = spans_by_unit(spans), logs_by_unit(logs)
        units = {
            name: read_unit(name, by_trace.get(name, ()), by_unit.get(name, ()))
            for name in by_trace.keys() | by_unit.keys()
        }
        members: dict[object, list[str]] = {}
        for unit, keys in stitch(identify(unit) for unit in units.values()).items():
            for key in keys:
                members.setdefault(key, []).append(unit)
        done = [derive_session(key, [units[u] for u in own]) for key, own in members.items()]  # type: ignore[arg-type]
        rows.update({table: frame.height for table, frame in frames(done).items()})
        del by_trace, by_unit, units, done
        gc.collect()  # as the service's worker does, between batches
    return rows


def analyse(store: Store) -> None:
    """The service's own analysis of everything, until nothing is due."""
    analysis = Analysis(store, Settings(settle_seconds=0))
    analysis.worker.start()
    analysis.requeue(everything=True)
    while analysis.run_once() or analysis.status()["pending_units"]:
        pass
    analysis.stop()


def main() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    gc.freeze()
    gc.disable()
    with tempfile.TemporaryDirectory() as name:
        store = Store(Path(name), memory_limit="200MB", threads=1)
        fill(store, Path(name))
        stored = store.read("SELECT count(*), avg(length(attributes)) FROM raw_spans").row(0)
        print(f"{stored[0]:,} spans, {stored[1]:,.0f} characters of attributes each, 1 core")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        started, used = time.perf_counter(), time.process_time()
        rows = derive(store)
        seconds, used = time.perf_counter() - started, time.process_time() - used
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        told = ", ".join(f"{count:,} {table}" for table, count in rows.items() if count)
        print(f"derived: {told}")
        print(f"derivation: {stored[0] / seconds:,.0f} spans/s ({stored[0] / used:,.0f} of processor time)")
        print(f"peak memory grew by {grown:.0f} MB")
        started = time.perf_counter()
        analyse(store)
        seconds = time.perf_counter() - started
        print(f"derivation, analyzers and storing: {stored[0] / seconds:,.0f} spans/s")


if __name__ == "__main__":
    main()
