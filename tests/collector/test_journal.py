"""The journal: what an append returned for is there, whatever happens to the process or the disk."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector import journal as module
from collector.errors import JournalFull
from collector.journal import Entry, Journal, Position

BEGIN = Position(1, 0)


def open_journal(folder: Path, loaded: Position = BEGIN, **options: int) -> Journal:
    limits = {"max_bytes": 2**30, "min_free_bytes": 0} | options
    return Journal(folder, loaded, fsync="group", **limits)


def entry(number: int, size: int = 10) -> Entry:
    return Entry("traces", bytes([number % 256]) * size, number, f"agent/{number}", 1, 0, 0, "svc")


def append(journal: Journal, *entries: Entry) -> None:
    async def run() -> None:
        await asyncio.gather(*(journal.append(one) for one in entries))

    asyncio.run(run())


def read(journal: Journal, position: Position = BEGIN, max_bytes: int = 2**30) -> list[Entry]:
    return [one for one, _ in journal.read(position, max_bytes)]


def test_entries_come_back_as_they_went_in_and_in_order(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    entries = [entry(number, number * 100) for number in range(50)]
    append(journal, *entries)
    assert read(journal) == entries
    journal.close()
    assert read(open_journal(tmp_path)) == entries


def test_segments_are_rolled_and_deleted_once_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SEGMENT_BYTES", 1000)
    journal = open_journal(tmp_path)
    for number in range(20):
        append(journal, entry(number, 400))
    assert len(list(tmp_path.iterdir())) > 4
    places = [place for _, place in journal.read(BEGIN, 2**30)]
    journal.discard(places[-1])
    assert len(list(tmp_path.iterdir())) == 1
    journal.close()
    again = open_journal(tmp_path, places[-1])
    assert read(again, places[-1]) == []
    append(again, entry(99))
    assert read(again, places[-1]) == [entry(99)]


@settings(max_examples=60, deadline=None)
@given(cut=st.integers(0, 2000))
def test_a_torn_tail_costs_only_the_torn_entry(cut: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("journal")
    journal = open_journal(folder)
    entries = [entry(number, 150) for number in range(10)]
    append(journal, *entries)
    places = [place for _, place in journal.read(BEGIN, 2**30)]
    journal.close()
    [segment] = folder.iterdir()
    size = segment.stat().st_size
    kept = min(cut, size)
    with segment.open("r+b") as file:
        file.truncate(kept)
    intact = [e for e, place in zip(entries, places, strict=True) if place.offset <= kept]
    again = open_journal(folder)
    assert read(again) == intact
    append(again, entry(200))
    assert read(again) == [*intact, entry(200)]


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 2000), byte=st.integers(1, 255))
def test_damage_in_the_middle_costs_only_the_entry_it_is_in(
    at: int, byte: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    journal = open_journal(folder)
    entries = [entry(number, 150) for number in range(10)]
    append(journal, *entries)
    places = [place.offset for _, place in journal.read(BEGIN, 2**30)]
    journal.close()
    [segment] = folder.iterdir()
    data = bytearray(segment.read_bytes())
    at %= len(data)
    data[at] ^= byte
    segment.write_bytes(data)
    hit = next(number for number, place in enumerate(places) if at < place)
    again = open_journal(folder)
    append(again, entry(200))
    assert read(again) == [*entries[:hit], *entries[hit + 1 :], entry(200)]
    if hit < 9:
        assert again.corrupt_bytes == places[hit] - (places[hit - 1] if hit else 0)


def test_places_are_never_used_twice(tmp_path: Path) -> None:
    loaded = Position(7, 5000)  # the store has more than the folder: it was emptied, or a tail was lost
    journal = open_journal(tmp_path, loaded)
    append(journal, entry(1))
    assert journal.end > loaded
    assert read(journal, loaded) == [entry(1)]


def test_a_full_journal_says_so_and_takes_again_when_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SEGMENT_BYTES", 500)
    monkeypatch.setattr(module, "_FREE_SPACE_EVERY", 0.0)
    journal = open_journal(tmp_path, max_bytes=3000)
    append(journal, entry(1, 1000))
    append(journal, entry(2, 1000))
    with pytest.raises(JournalFull, match="TIGHTROPE_JOURNAL_MAX_BYTES"):
        append(journal, entry(3, 1500))
    journal.discard([place for _, place in journal.read(BEGIN, 2**30)][-1])
    append(journal, entry(4, 1000))
    assert read(journal)[-1] == entry(4, 1000)


def test_too_little_free_space_says_so(tmp_path: Path) -> None:
    journal = open_journal(tmp_path, min_free_bytes=2**60)
    with pytest.raises(JournalFull, match="TIGHTROPE_MIN_FREE_BYTES"):
        append(journal, entry(1))
