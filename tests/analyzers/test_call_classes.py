"""What a call's result alone says of how it ended."""

import pytest

from analyzers import ToolCall
from analyzers.call_classes import failed


@pytest.mark.parametrize("lead", ["", " ", "\n\t", "\u00a0", "\u2003", "\x1c", "\x85"])
@pytest.mark.parametrize(
    "said",
    ["Error: no such file", "TRACEBACK (most recent call last)", '{"error": "denied"}', '{"ok": false}'],
)
def test_a_result_that_begins_with_a_failure_after_any_white_space_is_one(lead: str, said: str) -> None:
    assert failed(ToolCall("read", {}, result=lead + said))


@pytest.mark.parametrize(
    "result", [None, "", " ", "errors: 0", "exit code 0, error log is empty", '{"ok": true}']
)
def test_other_results_are_none(result: str | None) -> None:
    assert not failed(ToolCall("read", {}, result=result))
