"""The process that derives and analyses: fed with stored rows, answers with derived ones.

It opens no file and no port. It is its own process so that its work never holds up a request, and so
that one that does not end can be killed.
"""

from __future__ import annotations

import gc
import os
import signal
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import polars as pl

from analyzers.installed import installed_analyzers
from analyzers.registry import Choice
from collector.analysis.records import logs_by_unit, spans_by_unit
from collector.derive.analysis import analyze
from collector.derive.canonical import Unit
from collector.derive.identity import UnitIdentity, identify
from collector.derive.rescues import RescuePattern
from collector.derive.rows import SessionRows, frames
from collector.derive.sessions import derive_session
from collector.derive.stitch import SessionKey
from collector.derive.units import read_unit
from collector.dialects import DIALECTS, Chain
from collector.dialects.mapped import UNMAPPED, Mapped

NICE = 5


class WorkerLost(Exception):
    """The worker ended, or did not answer in time and was killed."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """What the worker needs of the settings: rescue patterns, each analyzer's settings by kind, and the
    attributes mapped by hand."""

    patterns: tuple[RescuePattern, ...]
    analyzers: Mapping[str, Choice]
    mapped: Mapped = UNMAPPED


@dataclass(frozen=True, slots=True)
class Derived:
    """New rows by table, as Arrow IPC streams, and the sessions that failed with their reasons."""

    tables: dict[str, bytes]
    failures: dict[SessionKey, str] = field(default_factory=dict)


class Worker:
    """The parent's handle: starts the process when first used, and again after it was lost."""

    def __init__(self, configuration: Configuration, timeout: float) -> None:
        """`timeout`: seconds after which an answer is given up and the process killed."""
        self.configuration = configuration
        self.timeout = timeout
        self._context = get_context("spawn")
        self._process: Any = None
        self._connection: Connection | None = None

    def identify(self, spans: pl.DataFrame, logs: pl.DataFrame) -> list[UnitIdentity]:
        """Read the units of these rows, keep them for `derive`, and say which sessions they name."""
        answer: list[UnitIdentity] = self._ask("identify", (_to_ipc(spans), _to_ipc(logs)))
        return answer

    def derive(
        self, sessions: Mapping[SessionKey, Sequence[str]], spans: pl.DataFrame, logs: pl.DataFrame
    ) -> Derived:
        """Derive and analyse sessions from their units: those identified last, and those of these rows."""
        answer: Derived = self._ask("derive", (dict(sessions), _to_ipc(spans), _to_ipc(logs)))
        return answer

    def start(self) -> None:
        """Start the process."""
        parent, child = self._context.Pipe()
        self._process = self._context.Process(
            target=_serve, args=(child, self.configuration), name="tightrope-analysis", daemon=True
        )
        self._process.start()
        child.close()
        self._connection = parent

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None

    def _ask(self, task: str, arguments: Any) -> Any:
        if self._process is None or not self._process.is_alive():
            self.start()
        assert self._connection is not None
        try:
            self._connection.send((task, arguments))
            if not self._connection.poll(self.timeout):
                raise WorkerLost(f"no answer within {self.timeout:g} s")
            ok, answer = self._connection.recv()
        except (OSError, EOFError) as error:
            self.stop()
            raise WorkerLost(f"the analysis process ended: {error or type(error).__name__}") from error
        except WorkerLost:
            self.stop()
            raise
        if not ok:
            raise RuntimeError(answer)
        return answer


def _serve(connection: Connection, configuration: Configuration) -> None:
    """The process: answers one task after the other until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent ends us
    os.nice(NICE)
    # A batch makes many objects, hardly any of them in cycles: looking for those meanwhile costs a fifth.
    gc.freeze()
    gc.disable()
    units: dict[str, Unit] = {}
    chain = Chain(DIALECTS, configuration.mapped)
    while True:
        try:
            task, arguments = connection.recv()
        except (EOFError, OSError):
            return
        try:
            if task == "identify":
                spans, logs = arguments
                units = _read(spans, logs, chain, configuration)
                answer: Any = [identify(unit) for unit in units.values()]
            else:
                sessions, spans, logs = arguments
                units |= _read(spans, logs, chain, configuration)
                answer = _derive(sessions, units, configuration)
                units = {}
            outcome = (True, answer)
        except Exception:
            outcome = (False, traceback.format_exc())
        try:
            connection.send(outcome)
        except OSError:
            return
        if not units:
            gc.collect()


def _read(spans: bytes, logs: bytes, chain: Chain, configuration: Configuration) -> dict[str, Unit]:
    by_trace = spans_by_unit(pl.read_ipc_stream(spans))
    by_unit = logs_by_unit(pl.read_ipc_stream(logs))
    return {
        unit: read_unit(
            unit,
            by_trace.get(unit, ()),
            by_unit.get(unit, ()),
            chain=chain,
            patterns=configuration.patterns,
        )
        for unit in by_trace.keys() | by_unit.keys()
    }


def _derive(
    sessions: Mapping[SessionKey, Sequence[str]], units: Mapping[str, Unit], configuration: Configuration
) -> Derived:
    analyzers = installed_analyzers()
    done: list[SessionRows] = []
    failures: dict[SessionKey, str] = {}
    for key, names in sessions.items():
        try:
            rows = derive_session(key, [units[name] for name in names if name in units])
        except Exception:
            failures[key] = traceback.format_exc()
            continue
        wrong: list[str] = []
        done.append(analyze(rows, analyzers, configuration.analyzers, wrong))
        if wrong:  # an analyzer at fault leaves the session to be seen, with the findings of the others
            failures[key] = "\n".join(wrong)
    return Derived({table: _to_ipc(frame) for table, frame in frames(done).items()}, failures)


def _to_ipc(frame: pl.DataFrame) -> bytes:
    return frame.write_ipc_stream(None).getvalue()
