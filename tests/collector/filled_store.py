"""A store filled with made-up sessions: one of each failure, of each rescue, and quiet ones.

    python -m tests.collector.filled_store DIR PORT

fills the folder DIR (unless it is filled) and serves the query API on it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import uvicorn
from fastapi import FastAPI
from tightrope_sdk.fingerprint import fingerprint

from collector.api import install_error_handlers, router
from collector.settings import Settings
from collector.store import Store

SERVICES = ("support-desk", "code-assistant")
MODELS = ("qwen3-30b-a3b", "gpt-oss-120b", "mistral-small-24b")
HOSTILE = "\x1b[31mred\x1b[0m <script>alert(1)</script> [bold]**x**[/bold] $HOME `rm -rf` \x07\u202eRTL"


@dataclass(frozen=True)
class Call:
    tool: str
    arguments: Any
    result: str | None = "ok"
    requested: str = ""
    error: str | None = None
    changed: bool | None = None
    hashes: tuple[str, str] = ("", "")
    fields: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Turn:
    text: str
    calls: tuple[Call, ...] = ()
    user: str = ""
    reasoning: str = ""
    agent: str = ""


@dataclass(frozen=True)
class Scenario:
    """`findings`: (kind, subkind, severity, round, last round, title, calls). `rescues`: see `_rescue`."""

    name: str
    turns: tuple[Turn, ...]
    tools: tuple[str, ...] = ()
    findings: tuple[tuple[str, str, str, int, int, str, list[dict[str, int]]], ...] = ()
    rescues: tuple[tuple[str, str, int, str, str], ...] = ()
    own: dict[str, Any] = field(default_factory=dict)


def _places(*pairs: tuple[int, int]) -> list[dict[str, int]]:
    return [{"round": r, "position": p} for r, p in pairs]


SEARCH = Call("search_tickets", {"query": "refund 4711", "limit": 10}, "0 tickets found")
LOOP = Scenario(
    "loop",
    (
        Turn("I will look for the ticket.", (SEARCH,), user="What became of refund 4711?"),
        *(Turn("Let me search once more.", (SEARCH,)) for _ in range(5)),
        Turn("I could not find it."),
    ),
    tools=("search_tickets", "update_ticket"),
    findings=(
        (
            "repetition_loop",
            "identical",
            "warning",
            0,
            5,
            "search_tickets called 6 times with the same arguments",
            _places(*((n, 0) for n in range(6))),
        ),
    ),
)
WRITE = {"path": "notes/todo.md", "content": "- call Ann\n- send the bill\n"}
MISNAMED = Scenario(
    "misnamed",
    (
        Turn(
            "Writing the file.",
            (Call("file_write", WRITE, "written", requested="shell_exec"),),
            user="Note my todos.",
        ),
        Turn(
            "And reading it back.",
            (Call("file_read", {"path": "notes/todo.md"}, "- call Ann\n- send the bill"),),
        ),
        Turn("Your todos are in notes/todo.md."),
    ),
    tools=("shell_exec", "file_write", "file_read"),
    findings=(
        (
            "misnamed_tool",
            "shape",
            "warning",
            0,
            0,
            "shell_exec was called with the arguments of file_write",
            _places((0, 0)),
        ),
    ),
    rescues=(("tool_name_recovered", "name_recovery", 0, "shell_exec", "file_write"),),
)
LEAK_TEXT = 'I will check.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
LEAK = Scenario(
    "leak",
    (Turn(LEAK_TEXT, user="Weather in Oslo?"),),
    tools=("get_weather",),
    findings=(("leaked_tool_call", "text", "critical", 0, 0, "a Hermes tool call was left in the text", []),),
)
UNCHANGED = Call(
    "update_ticket",
    {"id": "T-17", "description": "Printer is on fire"},
    '{"changed": false, "hash_before": "9f2c", "hash_after": "9f2c", "fields_modified": []}',
    changed=False,
    hashes=("9f2c", "9f2c"),
    fields=(),
)
CLAIM = Scenario(
    "claim",
    (
        Turn("Updating the description.", (UNCHANGED,), user="Set the description of T-17."),
        Turn("I updated the description of T-17."),
    ),
    tools=("update_ticket",),
    findings=(
        (
            "contradicted_claim",
            "unchanged",
            "critical",
            1,
            1,
            "“I updated the description of T-17.”, but update_ticket changed nothing",
            _places((0, 0)),
        ),
    ),
)
BOOTSTRAP = Scenario(
    "bootstrap",
    (
        Turn("Starting with the plan.", (Call("create_task", {"title": "Plan"}, "task 1", changed=True),)),
        Turn(
            "Done.",
            (
                Call(
                    "update_task",
                    {"id": 1, "state": "done"},
                    '{"changed": true}',
                    changed=True,
                    hashes=("aa01", "bb02"),
                    fields=("state",),
                ),
            ),
        ),
        Turn("The plan stands."),
    ),
    rescues=(("phase_auto_bootstrapped", "bootstrap", 0, "", "planning"),),
)
VERIFY = Scenario(
    "verify",
    (
        Turn(
            "Editing.", (Call("edit_file", {"path": "a.py", "old": "1", "new": "2"}, "edited", changed=True),)
        ),
        Turn("Running the tests.", (Call("run_tests", {}, "12 passed"),)),
        Turn("All tests pass."),
    ),
    rescues=(("verification_derived", "verification", 1, "", "tests_passed"),),
)
POLL = Scenario(
    "poll",
    (
        *(
            Turn("Still building.", (Call("build_status", {"id": 9}, f"{10 * n} %"),), reasoning="wait")
            for n in range(8)
        ),
        Turn("The build is finished."),
    ),
)
PAGES = Scenario(
    "pages",
    (
        Turn(
            "Reading the log in pages.",
            tuple(
                Call("file_read", {"path": "app.log", "offset": 100 * n}, f"lines {100 * n} and on")
                for n in range(4)
            ),
        ),
        Turn("Nothing in the log."),
    ),
)
HONEST = Scenario(
    "honest",
    (
        Turn("Trying.", (Call("update_ticket", {"id": "T-18"}, None, error="403 forbidden"),)),
        Turn("I could not update T-18: I am not allowed to."),
    ),
)
TEAM = Scenario(
    "team",
    (
        Turn(
            "Plan: one edit.", (Call("delegate", {"to": "coder"}, "ok"),), user="Rename it.", agent="planner"
        ),
        Turn("Renaming.", (Call("edit_file", {"path": "b.py"}, "edited", changed=True),), agent="coder"),
        Turn("Renamed.", agent="coder"),
        Turn("The coder renamed it.", agent="planner"),
    ),
)
STRANGE = Scenario(
    "strange",
    (
        Turn(HOSTILE, (Call("bash", {"command": HOSTILE}, HOSTILE),), user=HOSTILE),
        Turn("", (Call("bash", "{not json", None),)),
        Turn("long", (Call("cat", {"path": "x" * 3000}, "y" * 50_000),)),
    ),
    findings=(("leaked_tool_call", "residue", "info", 0, 0, HOSTILE, []),),
)
EMPTY = Scenario("empty", (), own={"agent_name": None, "model": None, "final_text": None, "started_at": None})
LONG = Scenario(
    "long",
    tuple(
        Turn(f"Step {n}.", (Call("read_row", {"row": n}, f"value {n * n}" * 20),), user="" if n else "Go.")
        for n in range(300)
    ),
)
SCENARIOS = (LOOP, MISNAMED, LEAK, CLAIM, BOOTSTRAP, VERIFY, POLL, PAGES, HONEST, TEAM)
ONCE = (STRANGE, EMPTY, LONG)


def _hex(text: str, digits: int) -> str:
    return hashlib.md5(text.encode()).hexdigest()[:digits]


class _Rows:
    """The rows of each table, session by session."""

    def __init__(self) -> None:
        self.tables: dict[str, list[dict[str, Any]]] = {}

    def add(self, table: str, **row: Any) -> None:
        self.tables.setdefault(table, []).append(row)

    def session(self, session_id: str, scenario: Scenario, at: datetime, service: str, model: str) -> None:
        own = {"agent_name": f"{service}-agent", "model": model, "final_text": "", "started_at": at}
        own |= scenario.own
        trace, key = _hex(service + session_id, 32), {"service_name": service, "session_id": session_id}
        counts: dict[str, int] = {}
        moment, seen, errors, last_tool = at, set(), 0, None
        for turn in scenario.turns:
            agent = turn.agent or own["agent_name"]
            number = counts[agent] = counts.get(agent, -1) + 1
            span = _hex(f"{trace}{agent}{number}", 16)
            begun, moment = moment, moment + timedelta(seconds=2)
            place = {**key, "round": number, "agent_name": agent, "trace_id": trace}
            self.add(
                "rounds",
                **place,
                span_id=span,
                started_at=begun,
                ended_at=moment,
                model=model,
                provider="vllm",
                server_address="llm.internal:8000",
                finish_reason="tool_calls" if turn.calls else "stop",
                text=turn.text,
                reasoning=turn.reasoning,
                tool_calls=len(turn.calls),
                input_tokens=900 + 120 * number,
                output_tokens=60,
                user_text=turn.user,
                error="",
            )
            self.span(
                trace,
                span,
                "",
                f"chat {model}",
                begun,
                moment,
                service,
                {"gen_ai.conversation.id": session_id},
            )
            for position, call in enumerate(turn.calls):
                begun, moment = moment, moment + timedelta(milliseconds=350)
                print_ = fingerprint(call.tool, call.arguments)
                seen.add(print_)
                errors += call.error is not None
                last_tool = call.tool
                call_span = _hex(f"{span}{position}", 16)
                self.add(
                    "tool_calls",
                    **place,
                    position=position,
                    span_id=call_span,
                    call_id=f"call_{number}_{position}",
                    started_at=begun,
                    ended_at=moment,
                    tool=call.tool,
                    requested_tool=call.requested or call.tool,
                    arguments=json.dumps(call.arguments),
                    fingerprint=print_,
                    result=call.result,
                    is_error=call.error is not None,
                    error=call.error,
                    changed=call.changed,
                    hash_before=call.hashes[0] or None,
                    hash_after=call.hashes[1] or None,
                    fields_modified=None if call.fields is None else list(call.fields),
                    source="span",
                )
                self.span(trace, call_span, span, f"execute_tool {call.tool}", begun, moment, service, {})
            if turn.text:
                own["final_text"] = turn.text
        for tool in scenario.tools:
            schema = {"type": "object", "properties": {"path": {"type": "string"}}}
            self.add(
                "tools", **key, tool=tool, description=f"The tool {tool}.", input_schema=json.dumps(schema)
            )
        for name, family, number, original, recovered in scenario.rescues:
            place = {**key, "round": number, "agent_name": own["agent_name"], "trace_id": trace}
            self.add(
                "rescues",
                **place,
                at=at + timedelta(seconds=3 * number),
                name=name,
                family=family,
                original=original,
                recovered=recovered,
                note="",
                model=model,
                span_id=_hex(f"{trace}{own['agent_name']}{number}", 16),
            )
        for kind, subkind, severity, number, last, title, calls in scenario.findings:
            self.add(
                "derived_findings",
                **key,
                finding_id=_hex(f"{service}{session_id}{kind}{number}", 16),
                kind=kind,
                subkind=subkind,
                severity=severity,
                confidence=0.95,
                round=number,
                last_round=last,
                agent_name=own["agent_name"],
                model=model,
                trace_id=trace,
                span_id=_hex(f"{trace}{own['agent_name']}{number}", 16),
                title=title,
                detail=f"{title}, in rounds {number} to {last}.",
                evidence=json.dumps({"rule": subkind, "calls": calls}),
                advice="Read the round and set the server's tool-call parser.",
                wasted_calls=max(0, last - number - 1),
                wasted_tokens=960 * max(0, last - number - 1),
                detected_at=moment,
            )
        self.add("unit_sessions", **key, unit=trace, session_source="gen_ai.conversation.id")
        self.add(
            "units",
            unit=trace,
            service_name=service,
            start_ns=int(at.replace(tzinfo=UTC).timestamp() * 1e9),
            named=json.dumps([[session_id, "gen_ai.conversation.id"]]),
            holds_agent=True,
            first_ns=int(at.replace(tzinfo=UTC).timestamp() * 1e9),
            last_ns=int(moment.replace(tzinfo=UTC).timestamp() * 1e9),
        )
        severities = [finding[2] for finding in scenario.findings]
        self.add(
            "sessions",
            **key,
            **own,
            session_source="gen_ai.conversation.id",
            ended_at=moment if own["started_at"] else None,
            dialect="genai",
            rounds=len(scenario.turns),
            tool_calls=sum(len(turn.calls) for turn in scenario.turns),
            distinct_calls=len(seen),
            tool_errors=errors,
            rescues=len(scenario.rescues),
            findings=len(severities),
            max_severity=max(severities, key=("info", "warning", "critical").index) if severities else None,
            flagged=any(severity != "info" for severity in severities),
            kinds=sorted({finding[0] for finding in scenario.findings}),
            outcome="completed" if scenario.turns else None,
            input_tokens=sum(900 + 120 * n for n in range(len(scenario.turns))),
            output_tokens=60 * len(scenario.turns),
            last_tool=last_tool,
        )

    def span(
        self,
        trace: str,
        span: str,
        parent: str,
        name: str,
        begun: datetime,
        ended: datetime,
        service: str,
        attributes: dict[str, Any],
    ) -> None:
        self.add(
            "raw_spans",
            span_key=str(int(_hex(trace + span, 30), 16)),
            trace_id=trace,
            span_id=span,
            parent_span_id=parent,
            name=name,
            kind=3,
            start_time=begun,
            end_time=ended,
            start_ns=int(begun.replace(tzinfo=UTC).timestamp() * 1e9),
            end_ns=int(ended.replace(tzinfo=UTC).timestamp() * 1e9),
            status_code=1,
            status_message="",
            service_name=service,
            resource=json.dumps({"service.name": service}),
            scope_name="made-up",
            scope_version="1",
            attributes=json.dumps(attributes),
            events="[]",
            links="[]",
            dropped_attributes=0,
            received_at=ended,
        )

    def plain_trace(self, at: datetime, service: str) -> None:
        """A trace in which no agent ran."""
        trace, ended = _hex(f"plain{service}", 32), at + timedelta(seconds=2)
        root = _hex(trace, 16)
        self.span(trace, root, "", "GET /checkout", at, ended, service, {"http.request.method": "GET"})
        self.span(trace, _hex(root, 16), root, "SELECT orders", at, ended, service, {"db.system": "sqlite"})
        start_ns = int(at.replace(tzinfo=UTC).timestamp() * 1e9)
        self.add(
            "units",
            unit=trace,
            service_name=service,
            start_ns=start_ns,
            named="[]",
            holds_agent=False,
            first_ns=start_ns,
            last_ns=start_ns,
        )


def fill(store: Store, *, now: datetime | None = None) -> None:
    """Fill an empty store with 34 sessions of the four days before `now` (UTC; default: this moment)."""
    now = (now or datetime.now(UTC)).astimezone(UTC).replace(tzinfo=None)
    rows = _Rows()
    for n in range(30):
        scenario, service, model = SCENARIOS[n % 10], SERVICES[n % 2], MODELS[n // 10]
        rows.session(f"{scenario.name}-{n:02}", scenario, now - timedelta(hours=3 * n + 1), service, model)
    for n, scenario in enumerate(ONCE):
        rows.session(scenario.name, scenario, now - timedelta(hours=5 + n), SERVICES[0], MODELS[0])
    # One id in two services: a session is named by both.
    rows.session("loop-00", HONEST, now - timedelta(hours=2), SERVICES[1], MODELS[1])
    rows.plain_trace(now - timedelta(hours=1), SERVICES[0])
    rows.add(
        "alerts",
        rule="loops",
        state="firing",
        value=3.0,
        baseline=1.0,
        threshold=2.0,
        window="1h",
        started_at=now - timedelta(hours=1),
    )
    for service in SERVICES:
        rows.add(
            "intake",
            service_name=service,
            user_agent="OTel-OTLP-Exporter-Python/1.45.2",
            signal="traces",
            received=500,
            stored=490,
            duplicates=8,
            salvaged=1,
            rejected=2,
            last_at=now,
        )
    with store.write() as connection:
        for table, entries in rows.tables.items():
            frame = pl.DataFrame(entries, infer_schema_length=None, strict=False)
            connection.register("frame", frame.to_arrow())
            connection.execute(f"INSERT INTO {table} BY NAME SELECT * FROM frame")
            connection.unregister("frame")


def application(store: Store, settings: Settings | None = None) -> FastAPI:
    """The query API alone on a store."""
    app = FastAPI(title="Tightrope")
    app.include_router(router(store, settings or Settings()))
    install_error_handlers(app)
    return app


def main(data: Path, port: int) -> None:
    store = Store(data)
    if not store.read("SELECT 1 FROM sessions LIMIT 1").height:
        fill(store)
    uvicorn.run(application(store), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
