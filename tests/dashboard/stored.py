"""Sessions that only the dashboard's tests need: a hostile one, and one with a leak whose place is known."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from collector.store import Store

SERVICE = "dashboard-tests"
HOSTILE = (
    "<img src=http://evil.example/a.png onerror='window.pwned=1'><script>window.pwned=1</script> **bold** "
    "`code` $x^2$ [link](http://evil.example/b) ![i](http://evil.example/c.png) :material/warning: :smile: "
    ":red[colour] :red-badge[b] www.evil.example me@evil.example http://evil.example/d -> <- -- ~~gone~~ "
    "# head | a | \\* &lt; &copy; \x1b[31mred\x1b[0m \x07 \u202egnp.exe\u202c \u200bzero"
)
LEAK_BEFORE, LEAK_AFTER = "Let me look.\n", "\nThat should do."
LEAK = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
MEGABYTE = "0123456789abcdef" * 65_536


def add_sessions(store: Store) -> None:
    """Add the sessions `HOSTILE` and `leak-in-place` of SERVICE."""
    now = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
    leak = {"round": 0, "place": "text", "format": "hermes", "start": len(LEAK_BEFORE)}
    leak |= {
        "end": len(LEAK_BEFORE + LEAK),
        "calls": [{"name": "get_weather", "arguments": {"city": "Oslo"}}],
    }
    _insert(store, HOSTILE, now, text=HOSTILE, tool=HOSTILE, value=HOSTILE, result=MEGABYTE, evidence={})
    _insert(
        store,
        "leak-in-place",
        now - timedelta(minutes=5),
        text=LEAK_BEFORE + LEAK + LEAK_AFTER,
        tool="get_time",
        value="Oslo",
        result="12:00",
        evidence={"leaks": [leak]},
    )


def _insert(
    store: Store,
    name: str,
    at: datetime,
    *,
    text: str,
    tool: str,
    value: str,
    result: str,
    evidence: dict[str, Any],
) -> None:
    key = {"service_name": SERVICE, "session_id": name}
    own = {**key, "agent_name": tool, "trace_id": "ab" * 16, "span_id": "cd" * 8}
    last = {"started_at": at, "ended_at": at + timedelta(seconds=2)}
    _row(
        store,
        "sessions",
        {**key, **last, "session_source": "test", "agent_name": tool, "model": value, "rounds": 1}
        | {"tool_calls": 1, "distinct_calls": 1, "tool_errors": 0, "rescues": 1, "findings": 1}
        | {"max_severity": "critical", "flagged": True, "kinds": ["leaked_tool_call"], "outcome": value}
        | {"last_tool": tool, "final_text": text},
    )
    _row(
        store,
        "rounds",
        {**own, **last, "round": 0, "model": value, "text": text, "reasoning": value, "tool_calls": 1}
        | {"user_text": value, "error": ""},
    )
    _row(
        store,
        "tool_calls",
        {**own, **last, "round": 0, "position": 0, "tool": tool, "requested_tool": value, "call_id": "c"}
        | {"arguments": json.dumps({value: value}), "fingerprint": name[:8], "result": result}
        | {"is_error": True, "error": value, "changed": False, "hash_before": value, "hash_after": value}
        | {"fields_modified": [value], "source": "span"},
    )
    _row(
        store,
        "rescues",
        {
            **own,
            "round": 0,
            "at": at,
            "name": value,
            "family": "other",
            "original": value,
            "recovered": value,
        },
    )
    _row(
        store,
        "derived_findings",
        {**own, "finding_id": f"{at:%H%M%S}{len(name)}", "kind": "leaked_tool_call", "subkind": value}
        | {"severity": "critical", "confidence": 1.0, "round": 0, "last_round": 0, "model": value}
        | {"title": value, "detail": f"Seen: {value}", "advice": value, "evidence": json.dumps(evidence)}
        | {"detected_at": at},
    )


def _row(store: Store, table: str, row: dict[str, Any]) -> None:
    columns, values = ", ".join(f'"{name}"' for name in row), ", ".join("?" for _ in row)
    with store.write() as connection:
        connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({values})", list(row.values()))
