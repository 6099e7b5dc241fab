"""A bound on what a user's statement may allocate beyond DuckDB's own limit.

DuckDB counts its buffers, not the values of single expressions: `repeat('x', 3000000000)` takes 6 GB
and `range(1000000000)` 20 GB whatever `memory_limit` says, and neither can be interrupted. With a
limit of the operating system the allocation fails instead, and DuckDB reports the statement as out of
memory. It holds while statements run; the room left is enough for what else the process does.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

STATUS = Path("/proc/self/status")


class Headroom:
    """Lets the process grow by at most `growth_bytes` while any block is inside `limited`. Linux only."""

    def __init__(self, growth_bytes: int) -> None:
        self.growth_bytes = growth_bytes
        self._lock = threading.Lock()
        self._inside = 0
        self._before = (0, 0)

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Hold the limit inside the block; blocks may overlap in several threads."""
        size = _data_bytes()
        if size is None:
            yield
            return
        with self._lock:
            if self._inside == 0:
                self._before = soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
                wanted = size + self.growth_bytes
                bounds = [bound for bound in (soft, hard) if bound != resource.RLIM_INFINITY]
                resource.setrlimit(resource.RLIMIT_DATA, (min([wanted, *bounds]), hard))
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    resource.setrlimit(resource.RLIMIT_DATA, self._before)


def _data_bytes() -> int | None:
    """What RLIMIT_DATA counts of this process; None where the system does not tell."""
    if resource is None:
        return None
    try:
        found = re.search(r"VmData:\s+(\d+) kB", STATUS.read_text("ascii"))
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None
