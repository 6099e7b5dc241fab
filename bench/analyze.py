"""Analyzers: 1,000,000 tool calls in 20,000 sessions on one core, and sessions made to be slow.

`make bench-analyze`. Rows as they are stored, fifty calls a session, one in ten sessions with a failure;
timed are the making of `Session` objects and all analyzers. Then the pathological ones, one by one: 100,000
calls in one session, a text of 5 MB, a result of 10 MB, 10,000 offered tools. Prints calls per second for
each analyzer, and seconds and memory.
"""

from __future__ import annotations

import gc
import json
import os
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tightrope_sdk.fingerprint import fingerprint

from analyzers import ANALYZERS, OfferedTool, Round, Session, ToolCall
from collector.derive.analysis import to_session
from collector.derive.rows import RoundRow, SessionRow, SessionRows, ToolCallRow, ToolRow

SESSIONS, CALLS, BATCH = 20_000, 50, 500
TOOLS = ("read_file", "search", "edit_file", "run_tests", "list_dir")
WORDS = [
    "the",
    "file",
    "reads",
    "config",
    "server",
    "after",
    "request",
    "because",
    "handler",
    "value",
    "list",
]


def stored(number: int, random_: random.Random) -> SessionRows:
    """One session's rows: a coding run, one in ten with a loop at its end."""
    key = ("bench", f"s{number}")
    rounds, calls = [], []
    for at in range(CALLS):
        looping = number % 10 == 0 and at > CALLS - 6
        tool = "run_tests" if looping else TOOLS[at % len(TOOLS)]
        arguments = {
            "path": f"src/m{at if not looping else 0}.py",
            "note": " ".join(random_.choices(WORDS, k=6)),
        }
        if looping:
            arguments = {"path": "src/m0.py"}
        text = " ".join(random_.choices(WORDS, k=25)).capitalize() + "."
        result = "FAILED 3 tests" if looping else f"ok {at}: " + " ".join(random_.choices(WORDS, k=40))
        time_us = 1_700_000_000_000_000 + at * 1_000_000
        rounds.append(
            RoundRow(
                *(
                    *key,
                    at,
                    None,
                    "coder",
                    "t",
                    f"r{at}",
                    time_us,
                    time_us + 500_000,
                    "m",
                    "p",
                    "",
                    "tool_calls",
                ),
                *(text, "", 1, 900, 60, "go on" if at == 0 else "", ""),
            )
        )
        calls.append(
            ToolCallRow(
                *(
                    *key,
                    at,
                    0,
                    "coder",
                    "t",
                    f"c{at}",
                    f"id{at}",
                    time_us + 500_000,
                    time_us + 900_000,
                    tool,
                    tool,
                ),
                *(
                    json.dumps(arguments),
                    fingerprint(tool, arguments),
                    result,
                    False,
                    None,
                    None,
                    None,
                    None,
                    None,
                ),
                "span",
            )
        )
    final = "I fixed the handler and all tests pass."
    rounds.append(
        RoundRow(
            *(
                *key,
                CALLS,
                None,
                "coder",
                "t",
                "end",
                1,
                2,
                "m",
                "p",
                "",
                "stop",
                final,
                "",
                0,
                900,
                60,
                "",
                "",
            )
        )
    )
    tools = [
        ToolRow(*key, name, "", json.dumps({"type": "object", "properties": {"path": {}}})) for name in TOOLS
    ]
    head = SessionRow(
        *(
            key[1],
            "trace",
            1,
            2,
            key[0],
            "coder",
            "m",
            "genai",
            CALLS + 1,
            CALLS,
            CALLS,
            0,
            0,
            0,
            "",
            False,
            [],
        ),
        *("answered", 1, 1, "list_dir", final, [], ""),
    )
    return SessionRows([head], rounds, calls, tools)


def pathological() -> Iterator[tuple[str, Session]]:
    """Sessions made to be slow."""

    def calls(number: int) -> Iterator[Round]:
        for at in range(number):
            call = ToolCall(
                f"tool{at % 7}", {"n": at % 11, "text": "x" * (at % 50)}, result=str(at % 13), round=at
            )
            yield Round(at, text=f"Step {at % 17}.", calls=(call,))

    yield "100,000 calls", Session("a", tuple(calls(100_000)))
    same = tuple(
        Round(at, calls=(ToolCall("poll", {"id": 1}, result="same", round=at),)) for at in range(100_000)
    )
    yield "100,000 equal calls", Session("b", same)
    for name, part in (
        ("prose", "I updated the description of R-1 and ran the tests. "),
        ("open tags", "<tool_call>"),
        ("braces", '{"name": "a", '),
        ("quotes", '"\\"'),
        ("fences", "```json\n"),
        ("words", "and "),
    ):
        text = part * (5_000_000 // len(part))
        yield f"5 MB of {name}", Session("c", (Round(0, text=text),), final_text=text)
    call = ToolCall("read", {"path": "x"}, result="line of a log\n" * 700_000)
    yield "a result of 10 MB", Session("d", (Round(0, calls=(call,)), Round(1, text="I read it.")))
    tools = tuple(
        OfferedTool(f"tool_number_{n}", "", {"properties": {f"k{n % 40}": {}}}) for n in range(10_000)
    )
    wrong = tuple(Round(n, calls=(ToolCall(f"tool_numbr_{n}", {"k1": 1}, round=n),)) for n in range(300))
    yield "10,000 tools, 300 typos", Session("e", wrong, tools)


def main() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    gc.freeze()
    gc.disable()
    random_ = random.Random(1)
    seconds: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for first in range(0, SESSIONS, BATCH):
        batch = [stored(first + n, random_) for n in range(BATCH)]
        started = time.perf_counter()
        sessions = [to_session(rows) for rows in batch]
        seconds["sessions from rows"] += time.perf_counter() - started
        for analyzer in ANALYZERS:
            started = time.perf_counter()
            for session in sessions:
                kinds.update(finding.kind for finding in analyzer.run(session))
            seconds[analyzer.kind] += time.perf_counter() - started
        del batch, sessions
        gc.collect()
    for name, spent in seconds.most_common():
        print(f"{name:24} {SESSIONS * CALLS / spent:>12,.0f} calls/s")
    print(f"{'all':24} {SESSIONS * CALLS / seconds.total():>12,.0f} calls/s; findings: {dict(kinds)}")
    gc.enable()
    for name, session in pathological():
        started = time.perf_counter()
        slowest = Counter[str]()
        for analyzer in ANALYZERS:
            begun = time.perf_counter()
            analyzer.run(session)
            slowest[analyzer.kind] += time.perf_counter() - begun
        spent = time.perf_counter() - started
        print(f"{name:24} {spent:6.2f} s, most of it {slowest.most_common(1)[0][0]}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
