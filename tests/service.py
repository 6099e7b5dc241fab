"""A real Tightrope in its own process, for tests: started as a user starts it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

START_SECONDS = 30.0
SETTLED_SECONDS = 60.0


def free_port() -> int:
    """A port of 127.0.0.1 that nothing uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class RunningService:
    """`tightrope up --no-dashboard` on free ports; settings by name, as environment variables."""

    def __init__(self, data: Path, **settings: Any) -> None:
        self.data = data
        self.http_port, self.grpc_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.http_port}"
        self.grpc_address = f"127.0.0.1:{self.grpc_port}"
        self.settings = settings
        self.log_path = data.with_suffix(".log")
        headers = {"Authorization": f"Bearer {settings['token']}"} if "token" in settings else {}
        self.http = httpx.Client(base_url=self.url, timeout=60, headers=headers)
        self.start()

    def start(self) -> None:
        """Start the process and wait until it is ready."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("TIGHTROPE_", "OTEL_"))}
        environment |= {
            f"TIGHTROPE_{name.upper()}": str(value)
            for name, value in ({"data": self.data, "settle_seconds": 0.1} | self.settings).items()
        }
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "collector", "up", "--no-dashboard"),
                    *("--http-port", str(self.http_port), "--grpc-port", str(self.grpc_port)),
                ],
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                if self.http.get("/readyz").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            assert self.process.poll() is None, f"the service ended: {self.log()}"
            assert time.monotonic() < deadline, f"the service did not get ready: {self.log()}"
            time.sleep(0.02)

    def stop(self) -> int:
        """SIGTERM, and the exit code; the data folder stays."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def kill(self) -> None:
        """SIGKILL to the process and to what it started."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        """End it, whatever its state."""
        if self.process.poll() is None:
            self.kill()
        self.http.close()

    def log(self) -> str:
        """What the process printed."""
        return self.log_path.read_text("utf-8", "replace")

    def post(
        self, signal_name: str, body: bytes, content_type: str = "application/x-protobuf", **headers: str
    ) -> httpx.Response:
        """POST a body to an OTLP path."""
        return self.http.post(
            f"/v1/{signal_name}", content=body, headers={"Content-Type": content_type, **headers}
        )

    def sql(self, statement: str) -> list[list[Any]]:
        """The rows of a statement."""
        answer = self.http.post("/api/sql", json={"sql": statement, "max_rows": 100_000})
        assert answer.status_code == 200, answer.text
        rows: list[list[Any]] = answer.json()["rows"]
        return rows

    def status(self) -> dict[str, Any]:
        """`/api/status`."""
        answer = self.http.get("/api/status")
        assert answer.status_code == 200, answer.text
        status: dict[str, Any] = answer.json()
        return status

    def wait_loaded(self) -> dict[str, Any]:
        """Wait until all that was acknowledged is in the tables; returns the status."""
        return self._wait(lambda status: not status["journal"]["unloaded"])

    def wait_analysed(self) -> dict[str, Any]:
        """Wait until all that was acknowledged is loaded, derived and analysed; returns the status."""
        return self._wait(
            lambda status: not status["journal"]["unloaded"] and status["analysis"]["pending_units"] == 0
        )

    def _wait(self, done: Any) -> dict[str, Any]:
        deadline = time.monotonic() + SETTLED_SECONDS
        while not done(status := self.status()):
            assert time.monotonic() < deadline, f"not settled: {status}\n{self.log()}"
            time.sleep(0.05)
        return status
