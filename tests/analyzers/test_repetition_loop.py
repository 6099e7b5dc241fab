"""`repetition_loop` on readable cases and on the situations that other loop detectors met."""

import json
from pathlib import Path

import pytest

from analyzers import Round, Session, ToolCall
from analyzers.repetition_loop import repetition_loops

CASES = Path(__file__).parent / "cases"
COLLECTED = [json.loads(line) for line in (CASES / "loops.jsonl").read_text("utf-8").splitlines()]

# Expected answers that are not followed, and why.
DISSENT = {}

SEVERITIES = {"low": "info", "medium": "warning", "high": "critical"}


def session_of(case):
    """A collected case as a session: one round per call or text, unless calls name a common round."""
    rounds: list[Round] = []
    shared: dict[int, int] = {}
    for item in case["calls"]:
        index = len(rounds)
        event = item.get("event")
        if event == "assistant_text":
            rounds.append(Round(index, text=item["text"]))
        elif event == "thought":
            rounds.append(Round(index, reasoning=item["text"]))
        elif event in ("user_message", "new_run"):
            rounds.append(Round(index, user_text=event))
        elif event == "retry":
            rounds.append(Round(index, error="overloaded"))
        else:
            result, error = item.get("result"), item.get("error")
            call = ToolCall(
                tool=item["name"],
                arguments=item["args"],
                result=result if result is None or isinstance(result, str) else json.dumps(result),
                error=error,
                is_error=error is not None,
                round=index,
            )
            if item.get("round") in shared:
                at = shared[item["round"]]
                rounds[at] = Round(at, calls=(*rounds[at].calls, call))
                continue
            if "round" in item:
                shared[item["round"]] = index
            rounds.append(Round(index, calls=(call,)))
    return Session(case["id"], rounds=tuple(rounds))


@pytest.mark.parametrize("case", COLLECTED, ids=lambda case: case["id"])
def test_collected(case):
    if case["id"] in DISSENT:
        pytest.skip(DISSENT[case["id"]])
    findings = repetition_loops.run(session_of(case))
    if not case["expect_loop"]:
        assert findings == []
        return
    assert [finding.subkind for finding in findings] == [case["expect_kind"]]
    expected = SEVERITIES[case["expect_severity"]]
    if expected == "info" and case["expect_kind"] in ("exact_repeat", "error_loop"):
        expected = "warning"  # three equal calls in a row with equal results are one already
    assert findings[0].severity == expected
