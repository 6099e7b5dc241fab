"""Recorded request bodies of real libraries, posted to a real service byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from collector.otlp.parse import parse_json, parse_protobuf
from collector.otlp.signals import SIGNALS
from tests.service import RunningService

DATA = Path(__file__).parent.parent / "data" / "otlp"
# Beside the project, where that is there: more recordings, some of which may not be copied into it.
BESIDE = Path(__file__).parents[3] / "shared" / "otlp"
FOLDERS = sorted({path.parent for root in (DATA, BESIDE) for path in root.glob("*/*.pb")})
JSON_FOLDERS = sorted({path.parent for path in BESIDE.glob("*/*.json")})

# One for each way in which the three dialects write: what a person must see after sending it.
SHOWN = {
    "openinference_openai": ["session.id"],
    "otel_genai_langchain": ["gen_ai.conversation.id"],
    "otel_openai_v2_23_content": ["trace"],
    "otel_genai_openai_latest": ["stitched"],
    "traceloop_openai_old": ["trace"],
}


def signal_of(path: Path) -> str:
    return path.name.split(".")[0].split("_", 1)[1]


@pytest.mark.parametrize("folder", SHOWN)
def test_a_recorded_run_shows_its_four_failures(
    start_service: Callable[..., RunningService], folder: str
) -> None:
    service = start_service()
    paths = sorted((DATA / folder).glob("*.pb"))
    for path in paths:
        answer = service.post(signal_of(path), path.read_bytes())
        assert (answer.status_code, answer.content) == (200, b"")
    status = service.wait_analysed()
    assert status["analysis"]["failures"] == []
    rows = service.http.get("/api/sessions").json()
    [session] = rows["sessions"]
    assert [session["session_source"]] == SHOWN[folder]
    assert session["kinds"] == ["contradicted_claim", "leaked_tool_call", "misnamed_tool", "repetition_loop"]
    assert (session["rounds"], session["tool_calls"], session["distinct_calls"]) == (6, 4, 2)
    assert session["model"] == "qwen3-coder:30b"
    assert session["flagged"]
    calls = service.sql(
        "SELECT round, requested_tool, result IS NOT NULL, changed FROM tool_calls ORDER BY 1"
    )
    assert calls == [
        [0, "update_requirement", True, False],
        [1, "update_requirement", True, False],
        [2, "update_requirement", True, False],
        [3, "shell_exec", True, None],
    ]


def test_sent_again_in_any_form_nothing_changes(start_service: Callable[..., RunningService]) -> None:
    service = start_service()
    paths = sorted((DATA / "otel_genai_langchain").glob("*.pb"))
    for path in reversed(paths):
        service.post(signal_of(path), path.read_bytes())
    service.wait_analysed()
    tables = ("sessions", "rounds", "tool_calls", "tools", "rescues", "findings", "spans", "log_records")
    before = {table: sorted(map(str, service.sql(f"SELECT * FROM {table}"))) for table in tables}
    for path in paths:
        for _ in range(2):
            service.post(signal_of(path), path.read_bytes())
    assert service.http.post("/api/analyze", json={"all": True}).json()["queued"] > 0
    service.wait_analysed()
    assert {table: sorted(map(str, service.sql(f"SELECT * FROM {table}"))) for table in tables} == before
    for client in service.status()["intake"]:
        assert client["duplicates"] == 2 * client["stored"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parents[1].name}-{path.name}")
def test_every_recorded_body_is_taken_whole(service: RunningService, folder: Path) -> None:
    for path in sorted(folder.glob("*.pb")):
        accepted = parse_protobuf(SIGNALS[signal_of(path)], path.read_bytes())
        assert (accepted.rejected, accepted.salvaged, accepted.reason) == (0, 0, "")
        assert accepted.accepted > 0
        answer = service.post(signal_of(path), path.read_bytes())
        assert (answer.status_code, answer.content) == (200, b"")
    assert service.wait_analysed()["analysis"]["failures"] == []


@pytest.mark.skipif(not JSON_FOLDERS, reason="the recorded JSON bodies lie beside the project, not in it")
def test_json_bodies_read_like_their_protobuf_twins() -> None:
    compared = 0
    for folder in JSON_FOLDERS:
        for path in sorted(folder.glob("*.json")):
            signal = SIGNALS[signal_of(path)]
            read = parse_json(signal, path.read_bytes())
            assert (read.rejected, read.salvaged) == (0, 0), path
            twin = path.with_suffix(".pb")
            if twin.exists():
                assert read.request == parse_protobuf(signal, twin.read_bytes()).request, path
                compared += 1
    assert compared > 50
