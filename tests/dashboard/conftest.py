"""The query API on a filled store and the dashboard on it, each as it really runs, and a browser."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from collector.store import Store
from tests.collector.filled_store import application, fill
from tests.dashboard.browser import launch
from tests.dashboard.stored import add_sessions
from tests.service import free_port

expect.set_options(timeout=15_000)
APP = Path(__file__).parents[2] / "dashboard" / "app.py"
START_SECONDS = 30.0


class Api:
    """The query API on a store, in a thread."""

    def __init__(self, store: Store) -> None:
        self.url = f"http://127.0.0.1:{(port := free_port())}"
        self._server = uvicorn.Server(
            uvicorn.Config(application(store), host="127.0.0.1", port=port, log_level="warning")
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        _wait_for(f"{self.url}/api/facets")

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=20)


class Dashboard:
    """`streamlit run dashboard/app.py`, in a process of its own."""

    def __init__(self, api_url: str, log: Path, token: str = "") -> None:
        self.url = f"http://127.0.0.1:{(port := free_port())}"
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("TIGHTROPE_", "STREAMLIT_"))}
        environment |= {"TIGHTROPE_URL": api_url, "TIGHTROPE_TOKEN": token}
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "streamlit", "run", str(APP), "--server.headless=true"),
                    *(f"--server.port={port}", "--server.address=127.0.0.1"),
                ],
                env=environment,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        _wait_for(f"{self.url}/_stcore/health")

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            if httpx.get(url, timeout=5).is_success:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, f"{url} did not answer"
        time.sleep(0.05)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = launch(playwright)
        yield running
        running.close()


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard over a filled store."""
    folder = tmp_path_factory.mktemp("dashboard")
    store = Store(folder / "data")
    fill(store)
    add_sessions(store)
    api = Api(store)
    running = Dashboard(api.url, folder / "dashboard.log")
    yield running.url
    running.stop()
    api.stop()
    store.close()


@pytest.fixture
def start_dashboard(tmp_path: Path) -> Iterator[Callable[[str], tuple[Api, Dashboard]]]:
    """Starts a dashboard over an empty store, guarded by a token."""
    store = Store(tmp_path / "data")
    running: list[Api | Dashboard] = []

    def start(token: str) -> tuple[Api, Dashboard]:
        api = Api(store)
        dashboard = Dashboard(api.url, tmp_path / "dashboard.log", token)
        running.extend((api, dashboard))
        return api, dashboard

    yield start
    for one in running:
        one.stop()
    store.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One for all tests: Streamlit's scripts are loaded once."""
    shared = browser.new_context(viewport={"width": 1280, "height": 1000}, color_scheme="light")
    shared.set_default_timeout(15_000)
    yield shared
    shared.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    opened = context.new_page()
    yield opened
    opened.close()
