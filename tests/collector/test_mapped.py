"""A dialect of the user's own making: read by what the settings file says, and shown like any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from collector.dialects.mapped import FIELDS, Mapped, mapping_of
from collector.errors import UsageError
from tests.collector.derive.pipeline import chat, derive_all, derive_one, log, say, span
from tests.service import RunningService

DOC = Path(__file__).parents[2] / "docs" / "settings.md"
SETTINGS = """
[attributes]
session_id = "acme.chat"
agent_name = "acme.bot"
round = "acme.turn"
model = "acme.llm.name"
text = "acme.llm.said"
input_messages = "acme.llm.heard"
output_tokens = ["acme.llm.cost", "acme.llm.tokens"]
offered_tools = "acme.fns"
tool = "acme.fn"
arguments = ["acme.fn.in", "acme.fn.in_json"]
result = "acme.fn.out"
error = "acme.fn.bad"
"""
OFFERED = json.dumps(
    [
        {"name": "update_requirement", "parameters": {"properties": {"id": {}}, "required": ["id"]}},
        {"name": "file_write", "parameters": {"properties": {"path": {}, "content": {}}}},
    ]
)


@pytest.fixture
def acme(start_service: Callable[..., RunningService], tmp_path: Path) -> RunningService:
    config = tmp_path / "acme.toml"
    config.write_text(SETTINGS)
    return start_service(config=config)


def test_a_made_up_dialect_becomes_a_session_with_its_findings(acme: RunningService) -> None:
    provider = TracerProvider(resource=Resource({"service.name": "acme-app"}))
    exporter = OTLPSpanExporter(endpoint=f"{acme.url}/v1/traces")
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("acme")
    with tracer.start_as_current_span("job", attributes={"acme.chat": "chat-9", "acme.bot": "clerk"}):
        for turn in range(3):
            with tracer.start_as_current_span("think") as thinking:
                thinking.set_attributes(
                    {
                        "acme.llm.name": "small-7b",
                        "acme.llm.said": "I update it." if turn < 2 else "I updated the requirement.",
                        "acme.llm.heard": json.dumps([{"role": "user", "content": "please update"}]),
                        "acme.llm.tokens": 12,
                        "acme.fns": OFFERED,
                        "acme.bot": "clerk",
                    }
                )
            with tracer.start_as_current_span("do") as doing:
                doing.set_attributes(
                    {
                        "acme.fn": "update_requirement",
                        "acme.fn.in_json": '{"id": "REQ-1"}',
                        "acme.fn.out": '{"changed": false}',
                        "acme.bot": "clerk",
                    }
                )
    provider.shutdown()
    acme.wait_analysed()
    [session] = acme.http.get("/api/sessions").json()["sessions"]
    assert (session["session_id"], session["session_source"]) == ("chat-9", "acme.chat")
    assert (session["agent_name"], session["model"], session["dialect"]) == ("clerk", "small-7b", "mapped")
    assert (session["rounds"], session["tool_calls"], session["output_tokens"]) == (3, 3, 36)
    assert "repetition_loop" in session["kinds"]
    assert acme.sql("SELECT tool FROM tools ORDER BY tool") == [["file_write"], ["update_requirement"]]
    assert acme.sql("SELECT user_text FROM rounds WHERE round = 0") == [["please update"]]


def test_log_records_without_a_trace_are_grouped_by_the_mapped_session(acme: RunningService) -> None:
    records = [
        {"timeUnixNano": str(at), "attributes": [_text("acme.chat", chat), _text("acme.llm.said", said)]}
        for at, chat, said in [(10**18, "a", "one"), (10**18 + 10**9, "a", "two"), (10**18, "b", "three")]
    ]
    body = {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}
    assert acme.http.post("/v1/logs", json=body).status_code == 200
    acme.wait_analysed()
    rows = acme.sql("SELECT session_id, list(text ORDER BY round) FROM rounds GROUP BY 1 ORDER BY 1")
    assert rows == [["a", ["one", "two"]], ["b", ["three"]]]


def _text(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": value}}


def test_what_is_mapped_counts_before_what_the_dialect_reads() -> None:
    mapped = mapping_of({"model": "acme.llm.name", "round": "acme.turn", "session_id": ["no", "acme.chat"]})
    more = {"acme.llm.name": "own", "acme.turn": 7, "acme.chat": "c1", "session.id": "other"}
    rows = derive_one([chat("a", 0, say("hi"), **more)], mapped=mapped)
    assert (rows.rounds[0].model, rows.rounds[0].emitter_step, rows.rounds[0].text) == ("own", 7, "hi")
    assert (rows.sessions[0].session_id, rows.sessions[0].session_source) == ("c1", "acme.chat")


def test_the_name_of_an_agent_or_a_model_makes_no_call_of_a_span() -> None:
    mapped = mapping_of({"agent_name": "acme.bot", "model": "acme.llm.name"})
    spans = [span("db", name="SELECT", **{"acme.bot": "clerk", "acme.llm.name": "m"})]
    assert derive_all(spans, mapped=mapped) == []


@pytest.mark.parametrize("value", [None, "", 0, -1, [], {}, [{"a": 1}], "x" * 100_000, True, "[{", 10**30])
@pytest.mark.parametrize("field", [name for name in FIELDS if name != "session_id"])
def test_any_value_of_any_mapped_field_is_read_as_far_as_it_goes(field: str, value: Any) -> None:
    mapped = Mapped({field: ("acme.x",), "tool": ("acme.fn",), "text": ("acme.llm.said",)})
    names = {field: "acme.x", "tool": "acme.fn", "text": "acme.llm.said"}
    derive_all(
        [
            span("a", **{names["tool"]: "t", names[field]: value}),
            span("b", **{names["text"]: "t", names[field]: value}),
        ],
        [log(**{names["text"]: "t", names[field]: value})],
        mapped=mapped,
    )


@pytest.mark.parametrize(
    ("value", "is_error"),
    [(True, True), ("no such file", True), (False, False), ("false", False), ("", False)],
)
def test_an_error_is_a_flag_or_says_what_went_wrong(value: Any, is_error: bool) -> None:
    mapped = mapping_of({"tool": "fn", "error": "bad"})
    [call] = derive_one([span("a", fn="t", bad=value)], mapped=mapped).tool_calls
    assert call.is_error is is_error


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"modle": "x"}, "'modle', which is no field: is model meant?"),
        ({"zzz": "x"}, "there are: session_id"),
        ({"model": 3}, "model must be an attribute's name or a list of names"),
        ({"model": ["a", ""]}, "model must be"),
    ],
)
def test_a_wrong_mapping_is_refused(table: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        mapping_of(table)


def test_every_field_is_documented() -> None:
    text = DOC.read_text("utf-8").partition("## Your own attribute names")[2]
    assert [name for name in FIELDS if f"`{name}`" not in text] == []
