"""The order in which records arrive, and that some arrive twice, changes nothing."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.derive.rows import SessionRows
from collector.records import LogRecord, SpanRecord
from tests.collector.derive.pipeline import derive_all
from tests.otlp_records import read_folder

DATA = Path(__file__).parents[2] / "data" / "otlp"
FOLDERS = (
    "agent_framework",
    "openinference_openai_agents",
    "openinference_openai_parallel",
    "otel_genai_langchain",
    "otel_openai_v2_23_content",
    "pydantic_ai_v5_parallel",
    "strands_default",
    "vercel_ai_v7",
)


@cache
def recorded(folder: str) -> tuple[list[SpanRecord], list[LogRecord], list[SessionRows]]:
    spans, logs = read_folder(DATA / folder)
    return spans, logs, derive_all(spans, logs)


@pytest.mark.parametrize("folder", FOLDERS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_any_order_and_repetition_gives_the_same_rows(folder: str, data: st.DataObject) -> None:
    spans, logs, expected = recorded(folder)
    order = data.draw(st.permutations(range(len(spans))))
    again = data.draw(st.lists(st.sampled_from(range(len(spans))), max_size=5))
    log_order = data.draw(st.permutations(range(len(logs))))
    log_again = data.draw(st.lists(st.sampled_from(range(len(logs))), max_size=5)) if logs else []
    shuffled = [deepcopy(spans[index]) for index in (*order, *again)]
    shuffled_logs = [deepcopy(logs[index]) for index in (*log_order, *log_again)]
    assert derive_all(shuffled, shuffled_logs) == expected


@pytest.mark.parametrize("folder", FOLDERS)
def test_deriving_leaves_the_records_as_they_were(folder: str) -> None:
    spans, logs, expected = recorded(folder)
    before = deepcopy((spans, logs))
    assert derive_all(spans, logs) == expected
    assert (spans, logs) == before
