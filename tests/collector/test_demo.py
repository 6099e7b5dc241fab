"""The sample runs show exactly the findings and rescues that they say they show."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

from analyzers import ANALYZERS
from collector.cli import main
from collector.demo.play import SPREAD, Played, play
from collector.demo.runs import RUNS
from collector.derive.analysis import analyze
from tests.collector.derive.pipeline import derive_one
from tests.otlp_records import logs_of, spans_of
from tests.service import RunningService

NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)
PLAYED = tuple(play(RUNS, "0a1b2c", NOW))


@pytest.mark.parametrize("played", PLAYED, ids=lambda played: played.session_id)
def test_run_shows_what_it_is_for(played: Played) -> None:
    spans = spans_of(encode_spans(played.spans).SerializeToString())
    logs = logs_of(encode_logs(played.logs).SerializeToString()) if played.logs else []
    rows = analyze(derive_one(spans, logs), ANALYZERS)
    [session] = rows.sessions
    run = played.run
    titles = [f"{finding.kind}: {finding.title}" for finding in rows.findings]

    assert session.session_id == played.session_id
    assert tuple(session.kinds) == tuple(sorted(run.findings)), titles
    assert tuple(sorted(rescue.name for rescue in rows.rescues)) == tuple(sorted(run.rescues))
    assert session.dialect == {"plain": "toolspan"}.get(run.stage.form, run.stage.form)
    assert session.agent_name == run.stage.agent
    assert session.service_name == run.stage.service
    assert [(call.tool, call.requested_tool or call.tool) for call in rows.tool_calls] == [
        (call.tool, call.named) for turn in run.turns for call in turn.calls
    ]
    assert [call.result is not None or bool(call.error) for call in rows.tool_calls] == [
        not call.lost for turn in run.turns for call in turn.calls
    ]
    if run.stage.form != "plain":
        assert session.model == run.model.name
        assert [turn.text for turn in rows.rounds] == [turn.text for turn in run.turns]
        assert [turn.user_text for turn in rows.rounds] == [turn.user for turn in run.turns]
        assert {tool.tool for tool in rows.tools} == {tool.name for tool in run.stage.tools}


def test_recovered_names_are_joined_to_their_calls() -> None:
    played = next(played for played in PLAYED if played.run.name == "recovered-name")
    spans = spans_of(encode_spans(played.spans).SerializeToString())
    rows = derive_one(spans)
    [rescue] = rows.rescues
    assert (rescue.original, rescue.recovered, rescue.round) == ("shell_exec", "file_write", 0)
    assert [(call.requested_tool, call.tool) for call in rows.tool_calls] == [("shell_exec", "file_write")]


def test_the_runs_cover_what_there_is() -> None:
    assert {kind for run in RUNS for kind in run.findings} == {analyzer.kind for analyzer in ANALYZERS}
    assert {name for run in RUNS for name in run.rescues} == {
        "phase_auto_bootstrapped",
        "tool_name_recovered",
        "verification_derived",
    }
    assert {run.stage.form for run in RUNS} == {"genai", "openinference", "plain"}
    assert any(played.logs for played in PLAYED)
    assert sum(not run.findings and not run.rescues for run in RUNS) >= 4


def test_runs_lie_in_the_past_week() -> None:
    times = [span.start_time for played in PLAYED for span in played.spans]
    ends = [span.end_time for played in PLAYED for span in played.spans]
    now = NOW.timestamp() * 1e9
    assert min(times) > now - SPREAD.total_seconds() * 1e9
    assert max(ends) < now


def test_the_same_suffix_gives_the_same_telemetry_and_another_gives_other_ids() -> None:
    again, other = tuple(play(RUNS, "0a1b2c", NOW)), tuple(play(RUNS, "ffffff", NOW))
    assert [_ids(one) for one in again] == [_ids(one) for one in PLAYED]
    assert not {id_ for one in other for id_ in _ids(one)} & {id_ for one in PLAYED for id_ in _ids(one)}


def _ids(played: Played) -> list[tuple[str, int, int]]:
    return [(played.session_id, span.context.trace_id, span.context.span_id) for span in played.spans]


def test_the_demo_on_a_running_service(
    start_service: Callable[..., RunningService],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Sent twice, by the exporter, to a service with a token: each run is there twice, as it should be."""
    service = start_service(token="let-me-in")
    monkeypatch.setenv("TIGHTROPE_TOKEN", "let-me-in")
    assert main(["demo", "--endpoint", service.url]) == 0
    assert main(["demo", "--url", f"{service.url}/"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.count(f"Sent {len(RUNS)} sample sessions") == 2
    service.wait_analysed()

    rows = service.sql("SELECT session_id, service_name, kinds, rounds, tool_calls FROM sessions")
    rescues = service.sql("SELECT session_id, name FROM rescues")
    assert len(rows) == 2 * len(RUNS)
    suffixes = {row[0].rpartition("-")[2] for row in rows}
    assert len(suffixes) == 2
    found = {row[0]: row[1:] for row in rows}
    for suffix in suffixes:
        for played in play(RUNS, suffix, NOW):
            run = played.run
            service_name, kinds, rounds, tool_calls = found[played.session_id]
            named = sorted(name for session_id, name in rescues if session_id == played.session_id)
            assert (played.session_id, kinds, named) == (
                played.session_id,
                sorted(run.findings),
                sorted(run.rescues),
            )
            assert service_name == run.stage.service
            assert rounds == len(run.turns)
            assert tool_calls == sum(len(turn.calls) for turn in run.turns)


def test_nothing_answers(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        assert main(["demo", "--endpoint", url]) == 3
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert url in output.err
    assert "tightrope up" in output.err


@pytest.mark.parametrize(
    ("status", "exit_code", "remedy"),
    [(401, 2, "TIGHTROPE_TOKEN"), (404, 2, "--url"), (503, 3, "the service's own log")],
)
def test_what_answers_takes_no_telemetry(
    status: int, exit_code: int, remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    class Refusing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_error(status)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        code = main(["demo", "--endpoint", f"http://127.0.0.1:{server.server_port}"])
        server.shutdown()
    assert code == exit_code
    assert remedy in capsys.readouterr().err


def test_an_endpoint_that_is_no_url(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--endpoint", "localhost:4318"]) == 2
    assert "http://HOST:PORT" in capsys.readouterr().err
