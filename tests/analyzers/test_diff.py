"""The diff summary of a tool result."""

import json

import pytest
from tightrope_sdk.diff import NOTHING, DiffSummary, diff_summary


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"changed": False}, DiffSummary(changed=False)),
        ({"changed": True, "fields_modified": ["title"]}, DiffSummary(True, None, None, ("title",))),
        ({"changed": True, "hash_before": "a", "hash_after": "a"}, DiffSummary(False, "a", "a")),
        ({"hash_before": "a", "hash_after": "b"}, DiffSummary(True, "a", "b")),
        ({"hash_after": "b"}, DiffSummary(None, None, "b")),
        ({"fields_modified": []}, DiffSummary(False, None, None, ())),
        ({"changed": "false"}, DiffSummary(changed=False)),
        ({"replacements": 0}, DiffSummary(changed=False)),
        ({"replacements": 2}, DiffSummary(changed=True)),
        ({"acknowledged": True, "modifiedCount": 0}, DiffSummary(changed=False)),
        ({"result": {"changed": False}}, DiffSummary(changed=False)),
        ({"content": [{"type": "text", "text": '{"changed": false}'}]}, DiffSummary(changed=False)),
        ({"exit_code": 1, "stdout": "nothing to commit, working tree clean"}, DiffSummary(changed=False)),
        ({"type": "create", "structuredPatch": []}, NOTHING),
        ({"success": True}, NOTHING),
        ({"changed": 3}, NOTHING),
        ([1, 2, 3], NOTHING),
        (None, NOTHING),
        (7, NOTHING),
    ],
)
def test_decoded_and_text_say_the_same(result, expected):
    assert diff_summary(result) == expected
    assert diff_summary(json.dumps(result)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "No changes made: old_str and new_str are identical.",
        "No changes made",
        "UPDATE 0",
        "DELETE 0;",
        "INSERT 0 0",
        "0 rows affected",
        "Query OK, 0 rows affected (0.01 sec)",
        "Rows matched: 1  Changed: 0  Warnings: 0",
        "Made 0 replacements",
        "Replaced 0 occurrences.",
        "On branch main\nnothing to commit, working tree clean",
        "Everything up-to-date",
        "Already up to date.",
        "The file is unchanged.",
        "identical",
        "Warning: nothing was changed",
    ],
)
def test_texts_that_say_unchanged(text):
    assert diff_summary(text).changed is False


@pytest.mark.parametrize(
    "text",
    [
        "",
        "UPDATE 12",
        "10 rows affected",
        "10 replacements made",
        "The twins are identical in the photo, said the page.",
        "In this release no changes were made to the parser.",
        "identical twins were described in 1875",
        "src/a.py:3: # nothing to commit here",
        "x" * 3000 + "\nUPDATE 0",
        "{not json",
        '{"changed": ' + "[" * 100_000,
        "\x00\ud800 binary",
    ],
)
def test_texts_that_say_nothing(text):
    assert diff_summary(text) == NOTHING


def test_a_result_beyond_the_limit_is_payload():
    assert diff_summary(json.dumps({"changed": False, "data": "x" * 1_000_001})) == NOTHING
