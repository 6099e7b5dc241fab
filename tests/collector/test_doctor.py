"""`tightrope doctor`: what was read as what, and what was not understood."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from collector.cli import main
from tests.service import RunningService

DATA = Path(__file__).parent.parent / "data" / "otlp"


@pytest.fixture
def filled(start_service: Callable[..., RunningService]) -> RunningService:
    """A session of today's GenAI conventions beside HTTP spans, and a trace without any agent."""
    service = start_service()
    provider = TracerProvider(
        resource=Resource({"service.name": "shop"}), span_limits=SpanLimits(max_span_attributes=4)
    )
    exporter = OTLPSpanExporter(endpoint=f"{service.url}/v1/traces")
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    agent = provider.get_tracer("shop.agent")
    chat = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "small-7b",
        "gen_ai.conversation.id": "conv-1",
        "shop.temperature": 3,
    }
    for _ in range(2):
        with (
            agent.start_as_current_span("chat small-7b", attributes=chat),
            provider.get_tracer("http").start_as_current_span("POST", attributes={"http.route": "/x"}),
        ):
            pass
    cut = {f"key{i}": i for i in range(9)}
    with agent.start_as_current_span("chat small-7b", attributes={**cut, **chat}):
        pass
    with provider.get_tracer("db").start_as_current_span("checkout") as span:
        span.set_attribute("db.system", "sqlite")
    provider.shutdown()
    service.wait_analysed()
    return service


def tell(capsys: pytest.CaptureFixture[str], service: RunningService, *words: str) -> str:
    assert main(["doctor", *words, "--url", service.url]) == 0
    return capsys.readouterr().out


def test_each_record_is_told_as_what_it_was_read(
    filled: RunningService, capsys: pytest.CaptureFixture[str]
) -> None:
    told = tell(capsys, filled, "--session", "conv-1")
    assert "the session is named by gen_ai.conversation.id" in told
    assert "5 records in 3 traces" in told
    assert "9 attributes dropped" in told
    assert "not captured: messages" in told
    understood, _, unknown = told.partition("not understood: stored as they came")
    assert "3 × span chat small-7b (scope shop.agent): model call, read by genai" in understood
    assert "attributes not looked at: shop.temperature" in understood
    assert "not in it: agent, answer" in understood
    assert "2 × span POST (scope http)" in unknown
    assert "attributes not looked at: http.route" in unknown


def test_a_trace_without_an_agent_is_listed_and_told(
    filled: RunningService, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tell(capsys, filled, "--plain")
    assert "1 of 1 plain traces" in listed
    assert "shop: checkout (scopes db)" in listed
    trace_id = listed.split()[0]
    told = tell(capsys, filled, "--trace", trace_id.upper())
    assert "1 record in 1 trace" in told
    assert "attributes not looked at: db.system" in told
    assert filled.sql("SELECT spans, root_name, scopes FROM plain_traces") == [[1, "checkout", ["db"]]]
    [session] = filled.http.get("/api/sessions").json()["sessions"]
    assert session["session_id"] == "conv-1"


def test_an_unknown_trace_or_session_is_refused_in_one_line(
    filled: RunningService, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["--trace", "0" * 32], ["--session", "no such"]):
        assert main(["doctor", *words, "--url", filled.url]) == 2
        told = capsys.readouterr().err
        assert "no such" in told or "no trace" in told
        assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("folder", "wanted"),
    [
        ("openinference_openai", {("ChatCompletion", "openinference", "model call")}),
        ("traceloop_openai_old", {("openai.chat", "genai", "model call")}),
        (
            "otel_genai_langchain",
            {
                ("chat qwen3-coder:30b", "genai", "model call"),
                ("execute_tool shell_exec", "genai", "tool execution"),
            },
        ),
    ],
)
def test_recorded_runs_are_told(
    start_service: Callable[..., RunningService],
    capsys: pytest.CaptureFixture[str],
    folder: str,
    wanted: set[Any],
) -> None:
    service = start_service()
    for path in sorted((DATA / folder).glob("*.pb")):
        service.post(path.name.split(".")[0].split("_", 1)[1], path.read_bytes())
    service.wait_analysed()
    [session] = service.http.get("/api/sessions").json()["sessions"]
    answer = json.loads(tell(capsys, service, "--session", session["session_id"], "--format", "json"))
    assert answer["read_records"] == answer["total_records"] > 5
    assert {(entry["name"], entry["dialect"], entry["became"]) for entry in answer["readings"]} >= wanted
    models = [entry for entry in answer["readings"] if entry["became"] == "model call"]
    assert all("model" not in entry["missing"] for entry in models)
    looked_at = {"gen_ai.completion.0.content", "llm.output_messages.0.message.content", "session.id"}
    assert not any(looked_at & set(entry["unread"]) for entry in models)
