"""Which tool a call means, judged from its name, its arguments and the tools that were offered."""

import json
from pathlib import Path

import pytest
from tightrope_sdk.shapes import judge_call

COLLECTED = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "misnaming.jsonl").read_text("utf-8").splitlines()
]


def judge(name, arguments, tools):
    return judge_call(name, arguments, tools)


@pytest.mark.parametrize("case", COLLECTED, ids=lambda case: case["id"])
def test_collected(case):
    tools = {tool["name"]: tool["input_schema"] for tool in case["tools"]}
    verdict = judge_call(case["call"]["name"], case["call"]["args"], tools)
    assert (verdict.verdict, verdict.recovered) == (case["expect"]["verdict"], case["expect"]["recovered"])
