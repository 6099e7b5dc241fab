"""Start: seconds from `tightrope up` to the first 200 of `/readyz`, and resident memory at idle.

`make bench-start`. Dependencies are installed and have been imported once.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.service import RunningService


def main() -> None:
    seconds, memory = [], []
    for _ in range(5):
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            service = RunningService(Path(folder) / "data")
            seconds.append(time.perf_counter() - started)
            time.sleep(3)
            memory.append(psutil.Process(service.process.pid).memory_info().rss / 2**20)
            service.close()
    print(f"ready after {statistics.median(seconds):.2f} s (of {len(seconds)}: max {max(seconds):.2f} s)")
    print(f"idle: {statistics.median(memory):.0f} MB resident")


if __name__ == "__main__":
    main()
