"""The published accuracy is that of the rules, and does not fall below what users are told to expect."""

from __future__ import annotations

import json

import pytest

from bench.accuracy import END, PAGE, START, measured
from tests.labelled import FOLDER, KINDS, SPLITS, answers, load, session

PRECISION = 0.95
RECALL = {"loops": 0.90, "misnaming": 0.95, "leaks": 0.95, "claims": 0.55}


def test_the_published_table_is_that_of_the_rules() -> None:
    lines, _ = measured(KINDS)
    shown = PAGE.read_text("utf-8").partition(START)[2].partition(END)[0]
    assert shown.splitlines() == lines, "run bench/accuracy.py --write, and say in the text what changed"


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kind", KINDS)
def test_accuracy_does_not_fall(kind: str, split: str) -> None:
    said = list(answers(kind, split))
    found, wanted = [a for a in said if a.found], [a for a in said if a.wanted]
    assert sum(a.wanted for a in found) >= PRECISION * len(found)
    assert sum(a.found for a in wanted) >= RECALL[kind] * len(wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_cases_are_whole_and_their_halves_apart(kind: str) -> None:
    halves = [load(kind, split) for split in SPLITS]
    ids = [case["id"] for half in halves for case in half]
    assert len(ids) == len(set(ids)) > 100
    contents = [json.dumps({**case, "id": ""}, sort_keys=True) for half in halves for case in half]
    assert len(contents) == len(set(contents))
    for half in halves:
        assert all(case["note"] for case in half)
        assert all(session(kind, case).session_id for case in half)


def test_there_are_no_other_files() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {
        f"{kind}.{split}.jsonl" for kind in KINDS for split in SPLITS
    }
