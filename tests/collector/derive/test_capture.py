"""A session whose telemetry lacks content says so, and what to set."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.collector.derive.pipeline import derive_all
from tests.otlp_records import read_folder

DATA = Path(__file__).parents[2] / "data" / "otlp"
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
LACKING = {
    "otel_genai_openai_default": (["messages"], "SPAN_AND_EVENT"),
    "otel_genai_openai_content": (["messages"], "gen_ai_latest_experimental"),
    "otel_openai_v2_23_default": (["messages", "arguments", "results"], f"{CAPTURE}=true"),
}


@pytest.mark.parametrize("folder", sorted(path.name for path in DATA.iterdir()))
def test_what_a_recording_lacks_is_named_with_the_switch(folder: str) -> None:
    heads = [rows.sessions[0] for rows in derive_all(*read_folder(DATA / folder))]
    missing, switch = LACKING.get(folder, ([], ""))
    assert {tuple(head.not_captured) for head in heads} == {tuple(missing)}
    assert all(switch in head.capture_switch for head in heads)
    assert all(bool(head.capture_switch) == bool(missing) for head in heads)
