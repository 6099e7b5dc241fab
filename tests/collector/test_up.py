"""`tightrope up` as a user starts it: what stands in its way is said in one line, and it leaves nothing."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.service import free_port


def _environment(**variables: object) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("TIGHTROPE_", "OTEL_", "STREAMLIT_"))}
    return kept | {f"TIGHTROPE_{name}": str(value) for name, value in variables.items()}


def _up(*words: str, **variables: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "collector", "up", *words]
    return subprocess.run(
        command, env=_environment(**variables), capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("taken", ["http", "grpc", "dashboard"])
def test_a_port_that_is_taken_is_named_before_anything_starts(tmp_path: Path, taken: str) -> None:
    ports = {name: free_port() for name in ("http", "grpc", "dashboard")}
    with socket.create_server(("127.0.0.1", 0)) as other:
        ports[taken] = other.getsockname()[1]
        ended = _up(DATA=tmp_path / "data", **{f"{name.upper()}_PORT": port for name, port in ports.items()})
    assert ended.returncode == 3
    [line] = ended.stderr.splitlines()
    assert line.startswith(f"tightrope: port 127.0.0.1:{ports[taken]} cannot be opened")
    assert line.endswith(f"choose another with --{taken}-port")
    assert ended.stdout == ""
    assert not (tmp_path / "data").exists()


def test_a_settings_file_can_be_named(tmp_path: Path) -> None:
    config = tmp_path / "my.toml"
    config.write_text("htp_port = 1\n")
    ended = _up("--config", str(config))
    assert ended.returncode == 2
    assert ended.stderr.splitlines() == [
        "tightrope: the settings file has an unknown key 'htp_port': is http_port meant? "
        "docs/settings.md has all names"
    ]


def test_it_says_where_to_send_telemetry_and_how_to_see_the_demo(tmp_path: Path) -> None:
    http_port = free_port()
    config = tmp_path / "my.toml"
    config.write_text(f'http_port = {http_port}\ngrpc_port = {free_port()}\ndata = "{tmp_path / "data"}"\n')
    log = tmp_path / "up.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "collector", "--config", str(config), "up", "--no-dashboard"],
            env=_environment(),
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + 30
        while "Ctrl-C stops it." not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        assert httpx.get(f"http://127.0.0.1:{http_port}/readyz").status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
    told = log.read_text()
    assert f"export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:{http_port}\n" in told
    assert f"demo --url http://127.0.0.1:{http_port}\n" in told
    assert told.endswith("stopped\n")
