"""Fixtures shared by all tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service import RunningService


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """One service for the whole run: tests name their own services and sessions in it."""
    running = RunningService(tmp_path_factory.mktemp("service") / "data")
    yield running
    running.close()


@pytest.fixture
def start_service(tmp_path: Path) -> Iterator[Callable[..., RunningService]]:
    """Starts services of a test's own, with settings; they are ended with the test."""
    running: list[RunningService] = []

    def start(folder: Path = tmp_path, **settings: Any) -> RunningService:
        running.append(RunningService(folder / f"data{len(running)}", **settings))
        return running[-1]

    yield start
    for one in running:
        one.close()
