"""Load generator: sends prepared OTLP/HTTP bodies at a given rate over a number of connections.

Runs in its own process. Bodies are agent traces: 2 KB spans, 512 to a body, each body its own traces
of 64 spans (rounds of one chat span, whose request makes most of it, and one tool span). One sentence
in fifty claims something. Prints one JSON line with what it saw.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import struct
import time
from urllib.parse import urlsplit

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

VOCABULARY = """
the file module reads config server after request because handler returns value list when client
sends token before cache expires so function parses header line by line and writes result into
buffer while thread waits for lock we look at test next to see which branch calls it first path
of error message comes from parser not network maybe index should start with zero here
"""
WORDS = VOCABULARY.split()


def body(spans: int, trace_spans: int, seed: int) -> bytes:
    """A request of `spans` spans of about 2 KB in traces of `trace_spans`."""
    rng = random.Random(seed)
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    _set(group.resource.attributes, {"service.name": "bench-agent", "telemetry.sdk.language": "python"})
    scope = group.scope_spans.add()
    scope.scope.name = "bench"
    now = time.time_ns()
    for at in range(spans):
        span = scope.spans.add()
        trace, place = divmod(at, trace_spans)
        span.trace_id = struct.pack(">QQ", seed, trace + 1)
        span.span_id = rng.randbytes(8)
        span.start_time_unix_nano = now + place * 1_000_000
        span.end_time_unix_nano = now + place * 1_000_000 + 900_000
        words = _prose(rng, 1800)
        if place == 0:
            system, question = words[:900], words[900:1200]
        call_id = f"call_{seed}_{trace}_{place // 2}"
        arguments = json.dumps({"path": f"src/file_{rng.randrange(10**6)}.py", "limit": rng.randrange(500)})
        if place % 2 == 0:
            span.name = "chat qwen3-coder:30b"
            span.kind = 3
            parts = [
                {"type": "text", "content": words[:300]},
                {"type": "tool_call", "id": call_id, "name": "file_read", "arguments": arguments},
            ]
            _set(
                span.attributes,
                {
                    "gen_ai.operation.name": "chat",
                    "gen_ai.provider.name": "ollama",
                    "gen_ai.request.model": "qwen3-coder:30b",
                    "gen_ai.conversation.id": f"bench-{seed}-{trace}",
                    "gen_ai.usage.input_tokens": 1200,
                    "gen_ai.usage.output_tokens": 80,
                    "gen_ai.input.messages": json.dumps(
                        [
                            {"role": "system", "parts": [{"type": "text", "content": system}]},
                            {"role": "user", "parts": [{"type": "text", "content": question}]},
                        ]
                    ),
                    "gen_ai.output.messages": json.dumps(
                        [{"role": "assistant", "parts": parts, "finish_reason": "tool_call"}]
                    ),
                },
            )
        else:
            span.name = "execute_tool file_read"
            span.kind = 1
            _set(
                span.attributes,
                {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": "file_read",
                    "gen_ai.tool.call.id": call_id,
                    "gen_ai.tool.call.arguments": arguments,
                    "gen_ai.tool.call.result": words[:1650],
                },
            )
    return request.SerializeToString()


def _prose(rng: random.Random, size: int) -> str:
    """Sentences of everyday words, about `size` characters."""
    sentences = []
    while sum(map(len, sentences)) < size:
        words = [rng.choice(WORDS) for _ in range(rng.randrange(6, 16))]
        claims = "I updated the " if rng.random() < 0.02 else ""
        sentences.append(claims + " ".join(words).capitalize() + ". ")
    return "".join(sentences)


def _set(target, values) -> None:
    for key, value in values.items():
        attribute = target.add()
        attribute.key = key
        if isinstance(value, int):
            attribute.value.int_value = value
        else:
            attribute.value.string_value = value


def bodies(count: int, spans: int, trace_spans: int, first: int) -> list[bytes]:
    """`count` distinct bodies; trace and span ids never repeat between seeds."""
    return [body(spans, trace_spans, first + at) for at in range(count)]


class Renewed:
    """A prepared body whose ids are replaced in place before each sending, so that none is a duplicate."""

    def __init__(self, data: bytes, seed: int) -> None:
        self.data = bytearray(data)
        self.old = struct.pack(">Q", seed)
        self.places = []
        at = self.data.find(b"\x0a\x10" + self.old)
        while at >= 0:
            self.places.append(at + 2)
            at = self.data.find(b"\x0a\x10" + self.old, at + 18)
        self.conversations = []
        mark = f"bench-{seed}-".encode()
        at = self.data.find(mark)
        while at >= 0:
            self.conversations.append((at + 6, len(str(seed))))
            at = self.data.find(mark, at + 1)

    def renew(self, number: int) -> bytes:
        new = struct.pack(">Q", number)
        for place in self.places:
            self.data[place : place + 8] = new
        for place, width in self.conversations:
            self.data[place : place + width] = str(number)[-width:].zfill(width).encode()
        return bytes(self.data)


async def run(args) -> dict:
    url = urlsplit(args.url)
    prepared = [
        Renewed(data, 10**9 + at) for at, data in enumerate(bodies(16, args.spans, args.trace_spans, 10**9))
    ]
    requests = int(args.rate * args.seconds / args.spans)
    numbers = iter(range(requests))
    base = 2 * 10**9 + int(time.time() * 10) % 10**9
    latencies: list[float] = []
    failures: dict[str, int] = {}
    late = 0.0
    started = time.perf_counter() + 0.1

    async def connection() -> None:
        nonlocal late
        reader, writer = await asyncio.open_connection(url.hostname, url.port)
        for number in numbers:
            due = started + number * args.spans / args.rate
            delay = due - time.perf_counter()
            if delay > 0:
                await asyncio.sleep(delay)
            else:
                late = max(late, -delay)
            data = prepared[number % len(prepared)].renew(base + number)
            head = (
                f"POST /v1/traces HTTP/1.1\r\nHost: {url.hostname}\r\nUser-Agent: bench\r\n"
                f"Content-Type: application/x-protobuf\r\nContent-Length: {len(data)}\r\n\r\n"
            )
            sent = time.perf_counter()
            writer.write(head.encode() + data)
            status = await _answer(reader)
            latencies.append(time.perf_counter() - sent)
            if status != 200:
                failures[str(status)] = failures.get(str(status), 0) + 1
        writer.close()

    await asyncio.gather(*(connection() for _ in range(args.connections)))
    seconds = time.perf_counter() - started
    latencies.sort()
    return {
        "spans_sent": len(latencies) * args.spans,
        "spans_per_second": round(len(latencies) * args.spans / seconds),
        "seconds": round(seconds, 2),
        "body_bytes": len(prepared[0].data),
        "failures": failures,
        "p50_ms": round(latencies[len(latencies) // 2] * 1e3, 2),
        "p99_ms": round(latencies[int(len(latencies) * 0.99)] * 1e3, 2),
        "max_ms": round(latencies[-1] * 1e3, 2),
        "behind_schedule_s": round(late, 3),
    }


async def _answer(reader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    if length:
        await reader.readexactly(length)
    return int(head.split(b" ", 2)[1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:4318")
    parser.add_argument("--rate", type=float, default=15_000, help="spans per second")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--spans", type=int, default=512, help="spans in a body")
    parser.add_argument("--trace-spans", type=int, default=64, help="spans in a trace")
    parser.add_argument("--connections", type=int, default=8)

    print(json.dumps(asyncio.run(run(parser.parse_args()))))
