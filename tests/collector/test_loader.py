"""The loader: what cannot be stored is put aside and counted, and holds up nothing behind it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector.journal import Entry, Journal
from collector.loader import Loader, mark
from collector.store import Store


def _request(number: int, *names: str) -> Entry:
    request = ExportTraceServiceRequest()
    scope = request.resource_spans.add().scope_spans.add()
    for place, name in enumerate(names):
        ids = {"trace_id": number.to_bytes(16, "big"), "span_id": (place + 1).to_bytes(8, "big")}
        scope.spans.add(name=name, start_time_unix_nano=1, end_time_unix_nano=2, **ids)
    return Entry("traces", request.SerializeToString(), number, "agent/1", len(names), 0, 0, "svc")


def _load(folder: Path, store: Store, *entries: Entry) -> Loader:
    journal = Journal(folder / "journal", mark(store), fsync="off", max_bytes=2**30, min_free_bytes=0)

    async def append() -> None:
        for entry in entries:
            await journal.append(entry)

    asyncio.run(append())
    aside = folder / "aside"
    loader = Loader(store, journal, batch_rows=1000, quarantine=aside, on_loaded=lambda: None)
    for _ in range(3 * len(entries)):
        if loader.loaded < journal.end:
            loader.load_once()
    assert loader.loaded == journal.end
    journal.close()
    return loader


def _refuse(store: Store, name: str) -> None:
    """Make the store refuse spans of this name, as it would a value that it cannot hold."""
    with store.write() as connection:
        [made] = connection.sql("SELECT sql FROM duckdb_tables() WHERE table_name = 'raw_spans'").fetchall()
        connection.execute("DROP TABLE raw_spans")
        connection.execute(made[0].rstrip("; \n").removesuffix(")") + f", CHECK (name <> '{name}'))")


def test_a_request_that_cannot_be_stored_is_put_aside_and_the_others_are_loaded(tmp_path: Path) -> None:
    store = Store(tmp_path)
    _refuse(store, "poison")
    poison = _request(3, "fine", "poison")
    _load(tmp_path, store, _request(1, "a"), _request(2, "b", "c"), poison, _request(4, "d"))
    assert store.read("SELECT name FROM spans ORDER BY name")["name"].to_list() == ["a", "b", "c", "d"]
    [file] = (tmp_path / "aside").iterdir()
    assert file.read_bytes() == poison.body
    counts = "SELECT sum(received), sum(stored), sum(rejected) FROM intake"
    assert store.read(counts).row(0) == (6, 4, 2)
    later = _load(tmp_path, store, _request(5, "e"), _request(6, "f"))
    assert later.loaded == mark(store)
    assert store.read(counts).row(0) == (8, 6, 2)
    store.close()


def test_a_body_that_cannot_be_decoded_is_put_aside_and_counted(tmp_path: Path) -> None:
    store = Store(tmp_path)
    broken = Entry("traces", b"\xff\xff\xff", 1, "agent/1", 3, 0, 0, "svc")
    _load(tmp_path, store, _request(1, "a"), broken, _request(2, "b"))
    assert store.read("SELECT count(*) FROM spans").item() == 2
    assert store.read("SELECT sum(received), sum(rejected) FROM intake").row(0) == (5, 3)
    assert [path.read_bytes() for path in (tmp_path / "aside").iterdir()] == [broken.body]
    store.close()
