"""From the last span's 200 to its finding being visible, with and without ingest at 5,000 spans/s.

`make bench-visible`. Each probe is a session of 100 spans (50 rounds) that ends in a loop of four
equal calls; the clock stops when `/api/findings` shows the finding.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from bench.load import body
from tests.service import RunningService

PROBES = 15
RATE = 5_000


def probe(service: RunningService, number: int) -> float:
    """Seconds from the answer to the last request until the finding is there."""
    request = ExportTraceServiceRequest.FromString(body(100, 100, 7 * 10**9 + number))
    for attribute in request.resource_spans[0].resource.attributes:
        if attribute.key == "service.name":
            attribute.value.string_value = f"probe-{number}"
    for span in request.resource_spans[0].scope_spans[0].spans[92:]:
        for attribute in span.attributes:
            value = attribute.value.string_value
            if attribute.key == "gen_ai.tool.call.arguments":
                attribute.value.string_value = '{"path": "same.py"}'
            elif attribute.key == "gen_ai.tool.call.result":
                attribute.value.string_value = "the same"
            elif attribute.key == "gen_ai.output.messages":
                messages = json.loads(value)
                messages[0]["parts"][1]["arguments"] = '{"path": "same.py"}'
                attribute.value.string_value = json.dumps(messages)
    assert service.post("traces", request.SerializeToString()).status_code == 200
    started = time.perf_counter()
    while True:
        answer = service.http.get("/api/findings", params={"service": f"probe-{number}"}).json()
        if any(finding["kind"] == "repetition_loop" for finding in answer["findings"]):
            return time.perf_counter() - started
        assert time.perf_counter() - started < 120, "no finding within two minutes"
        time.sleep(0.05)


def report(name: str, seconds: list[float]) -> None:
    seconds.sort()
    print(f"{name}: p50 {seconds[len(seconds) // 2]:.2f} s, max {seconds[-1]:.2f} s", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        service = RunningService(Path(folder) / "data", settle_seconds=0.3)
        try:
            report("at idle", [probe(service, number) for number in range(PROBES)])
            load = subprocess.Popen(
                [
                    *(sys.executable, str(Path(__file__).parent / "load.py"), "--url", service.url),
                    *("--rate", str(RATE), "--seconds", "60", "--spans", "64"),
                ]
            )
            time.sleep(5)
            times = []
            while load.poll() is None and len(times) < PROBES:
                times.append(probe(service, 100 + len(times)))
            report(f"while ingest runs at {RATE} spans/s", times)
            load.wait()
        finally:
            service.close()


if __name__ == "__main__":
    main()
