"""What the documentation says is so: links resolve, code runs, SQL is answered, commands exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace

from analyzers import ANALYZERS
from collector.cli import COMMANDS, main
from collector.derive.analysis import analyze
from collector.dialects import DIALECTS
from collector.store import Store
from tests.collector.derive.pipeline import derive_one
from tests.otlp_records import spans_of

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def _blocks(page: Path, *languages: str) -> list[str]:
    return [text for language, text in _BLOCK.findall(page.read_text("utf-8")) if language in languages]


def _anchor(heading: str) -> str:
    """The anchor that a heading gets: letters, digits, hyphens and underscores stay."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pages
def test_links_resolve(page: Path) -> None:
    missing = []
    for target in _LINK.findall(_BLOCK.sub("", page.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        if not file.exists():
            missing.append(target)
        elif anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
            if anchor not in map(_anchor, headings):
                missing.append(target)
    assert missing == []


@pages
def test_pages_name_no_place_on_a_machine(page: Path) -> None:
    assert not re.search(r"(?<![\w.])/(?:home|root|work|tmp|Users)/", page.read_text("utf-8"))


def _sql() -> list[Any]:
    """Every statement of the documentation: SQL blocks, and what `tightrope sql` is given in shell blocks."""
    found = []
    for page in PAGES:
        statements = _blocks(page, "sql")
        for words in _commands(page):
            if words[:1] == ["sql"]:
                statements.append(words[1])
        found += [
            pytest.param(statement, id=f"{page.stem}-{number}") for number, statement in enumerate(statements)
        ]
    return found


def _commands(page: Path) -> list[list[str]]:
    """The arguments of every `tightrope …` in the shell blocks of a page."""
    lines = [line for block in _blocks(page, "sh", "bash") for line in block.splitlines()]
    words = [shlex.split(line, comments=True) for line in lines]
    return [line[1:] for line in words if line and Path(line[0]).name == "tightrope"]


def test_every_dialect_is_documented() -> None:
    text = (ROOT / "docs" / "dialects.md").read_text("utf-8")
    rows = "".join(line for line in text.splitlines() if line.startswith("| ["))
    assert [dialect.name for dialect in DIALECTS if f"`{dialect.name}`" not in rows] == []


@pytest.fixture(scope="module")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("data"), memory_limit="200MB", threads=1)


@pytest.mark.parametrize("statement", _sql())
def test_documented_sql_is_answered(statement: str, empty_store: Store) -> None:
    assert empty_store.read(statement.strip().rstrip(";")).width > 0


@pages
def test_documented_commands_exist(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in _commands(page):
        assert words[0] in {command.name for command in COMMANDS}
        assert main([words[0], "--help"]) == 0
        help_text = capsys.readouterr().out
        options = [word.partition("=")[0] for word in words[1:] if word.startswith("--")]
        assert [option for option in options if option not in help_text] == []


def test_every_kind_of_finding_is_in_the_index() -> None:
    index = (ROOT / "docs" / "findings" / "README.md").read_text("utf-8")
    for analyzer in ANALYZERS:
        assert f"({analyzer.kind}.md)" in index


def test_the_agent_of_the_readme_is_seen_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    bodies: list[bytes] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    def look_up(order: str) -> str:
        exec(compile(rescue, "README.md", "exec"), {"step": trace.get_current_span()})
        return json.dumps({"order": order, "sent": "Monday"})

    call = {"id": "call_1", "function": {"name": "look_up", "arguments": '{"order": "4711"}'}}
    answers = [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "assistant", "content": "It was sent on Monday."},
    ]

    def run_agent(ask: Any, use_tool: Any) -> None:
        messages: list[Any] = [{"role": "user", "content": "Where is order 4711?"}]
        messages.append(ask("llama3.1:8b", list(messages)))
        result = use_tool(call["id"], "look_up", '{"order": "4711"}')
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        ask("llama3.1:8b", messages)

    given = {
        "call_model": lambda _model, _messages: answers.pop(0),
        "tools": {"look_up": look_up},
        "run_agent": run_agent,
    }
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)
    block, rescue = _blocks(ROOT / "README.md", "python")
    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("OTEL_SERVICE_NAME", "my-agent")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        exec(compile(block, "README.md", "exec"), given)
        given["provider"].shutdown()  # type: ignore[attr-defined]
        server.shutdown()

    spans = [span for body in bodies for span in spans_of(body)]
    rows = analyze(derive_one(spans), ANALYZERS)
    [session] = rows.sessions
    [tool_call] = rows.tool_calls
    [seen] = rows.rescues
    assert (seen.name, seen.family, seen.round) == ("tool_name_recovered", "name_recovery", 0)
    assert (seen.original, seen.recovered) == ("shell_exec", "file_write")
    assert (session.session_id, session.agent_name, session.model) == (
        "ticket-4711",
        "my-agent",
        "llama3.1:8b",
    )
    assert [(turn.user_text, turn.text) for turn in rows.rounds] == [
        ("Where is order 4711?", ""),
        ("", "It was sent on Monday."),
    ]
    assert (tool_call.tool, json.loads(tool_call.arguments or ""), tool_call.round) == (
        "look_up",
        {"order": "4711"},
        0,
    )
    assert tool_call.result == '{"order": "4711", "sent": "Monday"}'
    assert session.service_name == "my-agent"
