"""Ingest: bursts of 10 s at 50,000 spans/s, a steady 15,000 spans/s for 60 s, and one span at idle.

`make bench-ingest`. One collector process; the load generator runs beside it on the same cores.
Bodies are 512 spans of 2 KB, protobuf over HTTP, 8 connections. Prints a table; needs no network.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.load import body
from tests.service import RunningService

HERE = Path(__file__).parent


class MemoryWatch(threading.Thread):
    """The largest resident memory of a process, in MB, looked at four times a second."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.process = psutil.Process(pid)
        self.peak = 0.0
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.wait(0.25):
            self.peak = max(self.peak, self.process.memory_info().rss / 2**20)


def load(service: RunningService, rate: float, seconds: float) -> dict:
    run = subprocess.run(
        [
            *(sys.executable, str(HERE / "load.py"), "--url", service.url),
            *("--rate", str(rate), "--seconds", str(seconds)),
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(run.stdout)


def stored_after(service: RunningService, spans: int) -> float:
    """Seconds until so many spans can be counted with SQL."""
    started = time.monotonic()
    while True:
        [[count]] = service.sql("SELECT count(*) FROM spans WHERE service_name = 'bench-agent'")
        if count >= spans:
            assert count == spans, f"{count} spans stored, {spans} sent"
            return time.monotonic() - started
        assert time.monotonic() - started < 300, f"only {count} of {spans} spans after 300 s"
        time.sleep(0.2)


def main() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        service = RunningService(Path(folder) / "data", settle_seconds=0.3)
        try:
            idle = psutil.Process(service.process.pid).memory_info().rss / 2**20
            print(f"idle: {idle:.0f} MB resident", flush=True)
            single(service)
            watch = MemoryWatch(service.process.pid)
            watch.start()
            sent = 0
            for name, rate, seconds in (("steady", 15_000, 60), ("burst", 50_000, 10), ("burst", 50_000, 10)):
                result = load(service, rate, seconds)
                sent += result["spans_sent"]
                queryable = stored_after(service, sent)
                print(
                    f"{name:7} {result['spans_per_second']:6} spans/s for {result['seconds']} s: "
                    f"p50 {result['p50_ms']} ms, p99 {result['p99_ms']} ms, max {result['max_ms']} ms, "
                    f"failures {result['failures']}, behind schedule {result['behind_schedule_s']} s; "
                    f"all queryable {queryable:.1f} s after the end",
                    flush=True,
                )
            print(f"peak: {watch.peak:.0f} MB resident", flush=True)
            watch.done.set()
            started = time.monotonic()
            while service.status()["analysis"]["pending_units"]:
                time.sleep(0.5)
            print(f"all analysed {time.monotonic() - started:.1f} s later")
        finally:
            service.close()


def single(service: RunningService) -> None:
    """One span at a time, at idle."""
    times = []
    for number in range(200):
        data = body(1, 1, 5 * 10**9 + number).replace(b"bench-agent", b"bench-alone")
        started = time.perf_counter()
        assert service.post("traces", data).status_code == 200
        times.append((time.perf_counter() - started) * 1000)
        time.sleep(0.02)
    times.sort()
    print(f"one span at idle: p50 {statistics.median(times):.2f} ms, p99 {times[197]:.2f} ms", flush=True)


if __name__ == "__main__":
    main()
