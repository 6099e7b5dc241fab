"""The running collector: store, journal, loader, analysis and receivers, in one process."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import grpc
import uvicorn

from collector import __version__
from collector.analysis import Analysis
from collector.analysis.judge import Judge
from collector.app import build_app
from collector.errors import UsageError
from collector.intake import Intake
from collector.journal import Journal
from collector.loader import Loader, mark
from collector.receivers import grpc as grpc_receiver
from collector.settings import Settings
from collector.store import Store, query

log = logging.getLogger("tightrope")

DRAIN_SECONDS = 20.0
M_ARENA_MAX = -8  # malloc.h
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


class _Server(uvicorn.Server):
    """uvicorn raises a signal again when it is done; ours is handled by the service, which drains first."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Service:
    """Opens everything; `run` serves until it is told to stop, `close` drains and closes."""

    def __init__(self, settings: Settings) -> None:
        """Raises UsageError for an open address without a token, StoreError for an unusable folder."""
        if settings.host not in LOOPBACK and not settings.token and not settings.insecure:
            raise UsageError(
                f"listening on {settings.host} needs TIGHTROPE_TOKEN, so that not everyone on the network "
                "can read and write: set one, or say --insecure"
            )
        _tune_interpreter()
        self.settings = settings
        self.started = time.time()
        self.store = Store(settings.data, memory_limit=settings.memory_limit, threads=settings.threads)
        self.journal = Journal(
            settings.data / "journal",
            mark(self.store),
            fsync=settings.fsync,
            max_bytes=settings.journal_max_bytes,
            min_free_bytes=settings.min_free_bytes,
        )
        self.intake = Intake(self.journal)
        self.analysis = Analysis(self.store, settings)
        self.judge = Judge(self.store, settings)
        self.loader = Loader(
            self.store,
            self.journal,
            batch_rows=settings.load_batch_rows,
            quarantine=settings.data / "quarantine",
            on_loaded=self.analysis.wake,
            session_keys=self.analysis.worker.configuration.mapped.session_keys,
        )
        self.app = build_app(self)
        self._server = _Server(
            uvicorn.Config(
                self.app,
                host=settings.host,
                port=settings.http_port,
                log_level="warning",
                access_log=False,
                timeout_graceful_shutdown=5,
                server_header=False,
            )
        )
        self._grpc: grpc.aio.Server | None = None

    async def run(self) -> None:
        """Serve until `stop` or a signal; then drain. Raises StoreError where a port is taken."""
        settings = self.settings
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self.stop)
        self.loader.start()
        self.analysis.start()
        self.judge.start()
        self._grpc = await grpc_receiver.serve(
            self.intake,
            f"{settings.host}:{settings.grpc_port}",
            max_body_bytes=settings.max_body_bytes,
            token=settings.token,
        )
        try:
            await self._server.serve()
        finally:
            await self._grpc.stop(grace=5)
            await asyncio.to_thread(self.close)

    def stop(self) -> None:
        """Ask `run` to end."""
        self._server.should_exit = True

    @property
    def ready(self) -> bool:
        """Whether the HTTP port is open."""
        return self._server.started

    def close(self) -> None:
        """Load what is in the journal, end the threads, close the files."""
        self.journal.close()
        self.loader.stop(timeout=DRAIN_SECONDS)
        self.judge.stop()
        self.analysis.stop()
        self.store.close()

    def problems(self) -> list[str]:
        """Why the service is not ready; empty when it is."""
        problems = []
        if self.loader.failure:
            problems.append(f"loading fails: {self.loader.failure}")
        if not self.loader.alive:
            problems.append("the loader has ended: restart the service")
        return problems

    def status(self) -> dict[str, Any]:
        """What `/api/status` answers. Bytes and counts; times in seconds."""
        tables = self.store.read(query("table_sizes")).to_dicts()
        return {
            "version": __version__,
            "uptime_seconds": round(time.time() - self.started, 1),
            "data": str(self.settings.data),
            "file_bytes": self.store.path.stat().st_size,
            "rss_bytes": _rss_bytes(),
            "tables": tables,
            "intake": self.store.read("SELECT * FROM intake ORDER BY received DESC").to_dicts(),
            "refused_requests": dict(self.intake.refused),
            "journal": {
                "waiting_bytes": self.journal.waiting_bytes,
                "max_bytes": self.settings.journal_max_bytes,
                "damaged_bytes": self.journal.corrupt_bytes,
                "unloaded": self.loader.loaded < self.journal.end,
                "failure": self.loader.failure,
            },
            "analysis": self.analysis.status(),
            "judge": self.judge.status(),
        }


def _tune_interpreter() -> None:
    """Keep the loader's threads from holding up requests, and from keeping memory each for itself.

    Measured at 15,000 spans/s: without the first three one request in a hundred took five times as
    long; with more than two malloc arenas the process grew by 50 MB more.
    """
    sys.setswitchinterval(0.001)
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # no glibc
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)


def _rss_bytes() -> int:
    """Resident memory now; where /proc is missing, its peak."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
