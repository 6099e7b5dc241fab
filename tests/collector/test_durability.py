"""What was acknowledged is there: after SIGKILL, after SIGTERM, after a full disk."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.collector.test_otlp_http import stored, trace_request
from tests.service import RunningService

KILLS = 4


class Client(threading.Thread):
    """Sends batches and retries each until it is acknowledged, as an exporter does."""

    def __init__(self, service: RunningService, stop: threading.Event) -> None:
        super().__init__()
        self.service, self.stopping = service, stop
        self.acknowledged: list[str] = []

    def run(self) -> None:
        with httpx.Client(timeout=5) as http:
            while not self.stopping.is_set():
                request = trace_request("crash", 20)
                body = request.SerializeToString()
                while not self.stopping.is_set():
                    try:
                        answer = http.post(
                            f"{self.service.url}/v1/traces",
                            content=body,
                            headers={"Content-Type": "application/x-protobuf"},
                        )
                    except httpx.TransportError:
                        time.sleep(0.05)
                        continue
                    assert answer.status_code == 200
                    spans = request.resource_spans[0].scope_spans[0].spans
                    self.acknowledged += [span.span_id.hex() for span in spans]
                    break


def test_sigkill_loses_nothing_that_was_acknowledged(start_service: Callable[..., RunningService]) -> None:
    service = start_service()
    stop = threading.Event()
    clients = [Client(service, stop) for _ in range(3)]
    for client in clients:
        client.start()
    rng = random.Random(7)
    for _ in range(KILLS):
        time.sleep(rng.uniform(0.3, 1.2))
        service.kill()
        service.start()
    time.sleep(0.5)
    stop.set()
    for client in clients:
        client.join()
    service.wait_analysed()
    acknowledged = [span for client in clients for span in client.acknowledged]
    rows = service.sql("SELECT span_id, count(*) FROM spans WHERE service_name = 'crash' GROUP BY 1")
    kept = dict(rows)
    assert len(acknowledged) > 500
    assert set(acknowledged) <= kept.keys()
    assert set(kept.values()) == {1}
    [client_row] = service.status()["intake"]
    assert client_row["received"] == client_row["stored"] + client_row["duplicates"] + client_row["rejected"]
    assert client_row["stored"] == len(kept)


def test_sigterm_drains_and_ends_with_0(start_service: Callable[..., RunningService]) -> None:
    service = start_service()
    for _ in range(20):
        service.post("traces", trace_request("drain", 100).SerializeToString())
    assert service.stop() == 0
    assert service.log().rstrip().endswith("stopped")
    assert [path.stat().st_size for path in (service.data / "journal").iterdir()]
    service.start()
    assert stored(service, "drain") == 2000


def test_a_copy_of_the_files_taken_while_running_opens_with_all_acknowledged(
    start_service: Callable[..., RunningService], tmp_path: Path
) -> None:
    service = start_service()
    for _ in range(10):
        assert service.post("traces", trace_request("copy", 50).SerializeToString()).status_code == 200
    # The journal first: what the store has taken from it meanwhile is then in the copy of the store.
    copied = tmp_path / "copied"
    service.kill()
    subprocess.run(["cp", "-r", service.data, copied], check=True)
    service.data = copied
    service.start()
    assert stored(service, "copy") == 500


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 MB; where one cannot be mounted, None."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = os.geteuid() == 0 and (
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], check=False, capture_output=True
        ).returncode
        == 0
    )
    if not mounted:
        pytest.skip("mounting a small file system needs root and the right to mount")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.parametrize("min_free_bytes", [8 * 2**20, 0], ids=["free space watched", "not watched"])
def test_a_full_disk_answers_503_and_recovers(
    start_service: Callable[..., RunningService], small_disk: Path, min_free_bytes: int
) -> None:
    service = start_service(small_disk, min_free_bytes=min_free_bytes)
    filler = small_disk / "filler"
    with filler.open("wb") as file:
        for _ in range(64):
            try:
                file.write(bytes(2**20))
                file.flush()
            except OSError:
                break
    time.sleep(0.6)  # free space is looked at twice a second
    sent = kept = 0
    statuses = set()
    deadline = time.monotonic() + 10
    while 503 not in statuses and time.monotonic() < deadline:
        answer = service.post("traces", trace_request("disk", 10, name="x" * 10_000).SerializeToString())
        statuses.add(answer.status_code)
        sent += 10
        kept += 10 * (answer.status_code == 200)
    assert statuses <= {200, 503}
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    filler.unlink()
    deadline = time.monotonic() + 20
    while (
        answer := service.post("traces", trace_request("disk", 10).SerializeToString())
    ).status_code != 200:
        assert answer.status_code == 503
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert sent > kept
    assert stored(service, "disk") == kept + 10


def test_a_write_that_fails_answers_503_and_nothing_is_half_kept(
    start_service: Callable[..., RunningService],
) -> None:
    """The journal cannot grow beyond the process's file-size limit: every larger write fails."""
    service = start_service()
    assert service.post("traces", trace_request("limit", 1).SerializeToString()).status_code == 200
    service.wait_loaded()
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (50_000, resource.RLIM_INFINITY))
    answer = service.post("traces", trace_request("limit", 1, name="x" * 100_000).SerializeToString())
    assert answer.status_code == 503
    assert b"journal cannot be written" in answer.content
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    assert service.post("traces", trace_request("limit", 1).SerializeToString()).status_code == 200
    assert stored(service, "limit") == 2
