"""The journal: accepted telemetry on disk before it is acknowledged, until it is in the store.

A folder of segments, each a sequence of records: a header (magic, length, CRC-32) and a payload.
Appends are gathered: whatever waits is written and synced together, so that one sync serves many
requests. One process writes and reads; what a crash tore at the end is cut off when it opens.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import struct
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from collector.errors import JournalFull, StoreError

log = logging.getLogger("tightrope.journal")

MAGIC = b"TRJ1"
_HEADER = struct.Struct("<4sIII")  # magic, meta length, body length, CRC-32 of both
SEGMENT_BYTES = 64 * 2**20
_FREE_SPACE_EVERY = 0.5


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in the journal: segment number and byte offset in it."""

    segment: int
    offset: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted request, or the note that one was refused whole (empty body).

    `body` is the protobuf serialisation; the counts are of records (data points for metrics).
    """

    signal: str
    body: bytes
    received_ns: int
    user_agent: str = ""
    accepted: int = 0
    rejected: int = 0
    salvaged: int = 0
    service_name: str = ""


@dataclass(slots=True)
class _Waiting:
    data: bytes
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


class Journal:
    """Appends from the event loop, reads from the loader's thread.

    `fsync` "group" syncs before an append returns; "off" leaves that to the operating system.
    `max_bytes` bounds what waits to be loaded, `min_free_bytes` is the disk space left untouched.
    """

    def __init__(
        self, folder: Path, loaded: Position, *, fsync: str, max_bytes: int, min_free_bytes: int
    ) -> None:
        """Open or create the journal in `folder`, of which everything before `loaded` is stored.

        Raises StoreError where that cannot be done.
        """
        self.folder = folder
        self.fsync = fsync == "group"
        self.max_bytes = max_bytes
        self.min_free_bytes = min_free_bytes
        self._damage: dict[Position, int] = {}
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._changed = threading.Condition()
        # Each counter has one writing thread: the event loop's, and the journal's own.
        self._taken_bytes = 0
        self._settled_bytes = 0
        self._free_checked = 0.0
        self._free = 0
        self._pending_bytes = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            segments = self._segments()
            self._end = self._recover(segments[-1]) if segments else Position(1, 0)
            if self._end < loaded:  # an unsynced tail was lost, or the folder removed: never reuse its places
                self._end = Position(loaded.segment + 1, 0)
            self._file = self._open_segment(self._end.segment)
        except OSError as error:
            raise StoreError(
                f"the journal in {folder} cannot be opened ({error.strerror}): choose another --data"
            ) from error
        self._start = loaded
        self._writer = threading.Thread(target=self._write_loop, name="journal", daemon=True)
        self._writer.start()

    @property
    def end(self) -> Position:
        """The place behind the last durable record."""
        return self._end

    @property
    def corrupt_bytes(self) -> int:
        """Bytes passed over because they are no intact record."""
        return sum(self._damage.values())

    @property
    def waiting_bytes(self) -> int:
        """Bytes on disk that are not discarded yet, and bytes about to be written."""
        total = self._taken_bytes - self._settled_bytes
        for segment in self._segments():
            try:
                total += self._path(segment).stat().st_size
            except FileNotFoundError:
                continue
        return total - (self._start.offset if self._start.segment in self._segments() else 0)

    async def append(self, entry: Entry) -> None:
        """Write an entry; returns when it is durable.

        Raises JournalFull where its bound or the disk's is reached, or the disk refuses the write.
        """
        meta = orjson.dumps(
            [
                entry.signal,
                entry.received_ns,
                entry.user_agent,
                entry.accepted,
                entry.rejected,
                entry.salvaged,
                entry.service_name,
            ]
        )
        self._check_room(len(meta) + len(entry.body))
        crc = zlib.crc32(entry.body, zlib.crc32(meta))
        data = b"".join((_HEADER.pack(MAGIC, len(meta), len(entry.body), crc), meta, entry.body))
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._taken_bytes += len(data)
        self._waiting.put(_Waiting(data, done, loop))
        await done

    def read(self, position: Position, max_bytes: int) -> Iterator[tuple[Entry, Position]]:
        """The durable entries from `position` on, each with the place behind it.

        Stops after about `max_bytes` of bodies. Bytes that are no intact record are passed over,
        logged and counted in `corrupt_bytes`.
        """
        taken = 0
        end = self._end
        while position < end and taken < max_bytes:
            path = self._path(position.segment)
            limit = end.offset if position.segment == end.segment else None
            try:
                with path.open("rb") as file:
                    for entry, offset in self._records(file.fileno(), position, limit):
                        position = Position(position.segment, offset)
                        taken += len(entry.body)
                        yield entry, position
                        if taken >= max_bytes:
                            return
            except FileNotFoundError:
                log.error("journal segment %s is missing: the telemetry in it is lost", path)
            if position.segment == end.segment:
                return
            position = Position(position.segment + 1, 0)

    def wait(self, position: Position, timeout: float) -> bool:
        """Wait until there is something behind `position`, at most `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._end > position, timeout)

    def discard(self, before: Position) -> None:
        """Forget what lies before a place: segments wholly before it are deleted."""
        for segment in self._segments():
            if segment < before.segment:
                self._path(segment).unlink(missing_ok=True)
        self._start = before

    def close(self) -> None:
        """Write what waits, sync and close."""
        self._waiting.put(None)
        self._writer.join()
        os.close(self._file)

    # --- writing -------------------------------------------------------------------------------

    def _check_room(self, size: int) -> None:
        now = time.monotonic()
        if now - self._free_checked > _FREE_SPACE_EVERY:
            self._free_checked = now
            stat = os.statvfs(self.folder)
            self._free = stat.f_bavail * stat.f_frsize
            self._pending_bytes = self.waiting_bytes
        if self._free - size < self.min_free_bytes:
            raise JournalFull(
                f"the disk of {self.folder} has {self._free / 2**20:.0f} MB left: free some, "
                "or lower TIGHTROPE_MIN_FREE_BYTES"
            )
        if self._pending_bytes + size > self.max_bytes:
            raise JournalFull(
                f"{self._pending_bytes / 2**20:.0f} MB of telemetry wait to be loaded: send slower, "
                "or raise TIGHTROPE_JOURNAL_MAX_BYTES"
            )
        self._pending_bytes += size
        self._free -= size

    def _write_loop(self) -> None:
        while True:
            batch = [self._waiting.get()]
            while True:
                try:
                    batch.append(self._waiting.get_nowait())
                except queue.Empty:
                    break
            items = [item for item in batch if item is not None]
            if items:
                self._settle(items, self._write(items))
            if len(items) < len(batch):
                return

    def _write(self, items: list[_Waiting]) -> Exception | None:
        """Write and sync the items; on failure leave the file as it was and say why."""
        try:
            if self._end.offset >= SEGMENT_BYTES:
                file = self._open_segment(self._end.segment + 1)
                os.close(self._file)
                self._file = file
                self._end = Position(self._end.segment + 1, 0)
            offset = self._end.offset
            for item in items:
                view = memoryview(item.data)
                while view:
                    written = os.pwrite(self._file, view, offset)
                    offset += written
                    view = view[written:]
            if self.fsync:
                os.fdatasync(self._file)
        except OSError as error:
            log.error("journal write failed: %s", error)
            try:
                os.ftruncate(self._file, self._end.offset)
            except OSError:
                log.exception("journal could not be cut back after a failed write")
            return JournalFull(
                f"the journal cannot be written ({error.strerror}): check the disk of {self.folder}"
            )
        with self._changed:
            self._end = Position(self._end.segment, offset)
            self._changed.notify_all()
        return None

    def _settle(self, items: list[_Waiting], error: Exception | None) -> None:
        self._settled_bytes += sum(len(item.data) for item in items)

        def settle() -> None:
            for item in items:
                if item.done.cancelled():
                    continue
                if error is None:
                    item.done.set_result(None)
                else:
                    item.done.set_exception(error)

        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            items[0].loop.call_soon_threadsafe(settle)

    def _open_segment(self, segment: int) -> int:
        file = os.open(self._path(segment), os.O_RDWR | os.O_CREAT, 0o600)
        if self.fsync:
            folder = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return file

    # --- reading -------------------------------------------------------------------------------

    def _recover(self, segment: int) -> Position:
        """The place behind the last intact record of the last segment; what follows is cut off."""
        path = self._path(segment)
        end = 0
        with path.open("r+b") as file:
            for _, behind in self._records(file.fileno(), Position(segment, 0), None):
                end = behind
            size = path.stat().st_size
            if size > end:
                log.warning("journal %s: %d bytes torn by a crash were cut off", path, size - end)
                file.truncate(end)
        return Position(segment, end)

    def _records(self, file: int, position: Position, limit: int | None) -> Iterator[tuple[Entry, int]]:
        """The intact records of a segment from `position` on, each with the offset behind it."""
        size = os.fstat(file).st_size if limit is None else limit
        offset = position.offset
        while offset + _HEADER.size <= size:
            entry, following = _record_at(file, offset, size)
            if entry is not None:
                offset = following
                yield entry, offset
                continue
            found = _next_record(file, offset + 1, size)
            if found is None:
                return
            place = Position(position.segment, offset)
            if place not in self._damage:
                self._damage[place] = found - offset
                log.error("journal %s: %d bytes are damaged and were passed over", place, found - offset)
            offset = found

    def _path(self, segment: int) -> Path:
        return self.folder / f"{segment:012d}.journal"

    def _segments(self) -> list[int]:
        return sorted(int(path.stem) for path in self.folder.glob("*.journal") if path.stem.isdigit())


def _record_at(file: int, offset: int, size: int) -> tuple[Entry | None, int]:
    """The record at `offset` and the place behind it; (None, offset) where there is no intact one."""
    header = os.pread(file, _HEADER.size, offset)
    magic, meta_size, body_size, crc = _HEADER.unpack(header)
    end = offset + _HEADER.size + meta_size + body_size
    if magic != MAGIC or end > size:
        return None, offset
    data = os.pread(file, meta_size + body_size, offset + _HEADER.size)
    if len(data) < meta_size + body_size or zlib.crc32(data) != crc:
        return None, offset
    signal, received, agent, accepted, rejected, salvaged, service = orjson.loads(data[:meta_size])
    return Entry(signal, data[meta_size:], received, agent, accepted, rejected, salvaged, service), end


def _next_record(file: int, offset: int, size: int) -> int | None:
    """Where the next intact record begins, if there is one."""
    while offset < size:
        chunk = os.pread(file, 2**20, offset)
        at = chunk.find(MAGIC)
        if at < 0:
            if len(chunk) < 2**20:
                return None
            offset += len(chunk) - len(MAGIC) + 1
            continue
        if offset + at + _HEADER.size <= size and _record_at(file, offset + at, size)[0] is not None:
            return offset + at
        offset += at + 1
    return None
