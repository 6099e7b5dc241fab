"""`edit_as_replace` on readable cases."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from analyzers import ANALYZERS, Round, Session, ToolCall
from analyzers.edit_as_replace import edit_as_replace
from analyzers.replacement.settings import EditAsReplaceSettings
from tests.analyzers.casefile import check_case, load_cases, parse_session

CASES = load_cases(Path(__file__).parent / "cases" / "edit_as_replace.yml")
PAGE = Path(__file__).parents[2] / "docs" / "findings" / "edit_as_replace.md"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    check_case(edit_as_replace, case)


def test_most_cases_are_honest_work():
    assert sum(not case.hit for case in CASES) >= sum(case.hit for case in CASES)


def test_it_is_registered_with_its_page():
    assert edit_as_replace in ANALYZERS
    page = PAGE.read_text("utf-8")
    for setting in fields(EditAsReplaceSettings):
        assert f"| `{setting.name}` |" in page
        assert setting.metadata["help"]
    for rule in {case.expect["rule"] for case in CASES if case.hit}:
        assert f"| `{rule}` |" in page


def test_each_thing_that_lost_is_a_finding_with_its_call():
    session = parse_session("s", {"rounds": ["read path=a.md -> x", "read path=b.md -> x"]})
    old = "# One\n\nIts text.\n\n# Two\n\nIts text.\n\n# Three\n\nIts text.\n"
    rounds = [
        Round(
            number,
            calls=(
                replace(turn.calls[0], result=old),
                ToolCall(
                    "write", {**turn.calls[0].arguments, "content": "# Four\n"}, result="ok", round=number
                ),
            ),
            user_text="Add a section Four.",
        )
        for number, turn in enumerate(session.rounds)
    ]
    findings = edit_as_replace.run(replace(session, rounds=tuple(rounds)))
    assert [(f.evidence["target"], f.round) for f in findings] == [("a.md", 0), ("b.md", 1)]


def test_tools_can_be_ignored():
    case = next(case for case in CASES if case.hit)
    settings = EditAsReplaceSettings(ignore_tools=("file_write",))
    assert edit_as_replace.run(case.session, settings) == []


RESULTS = [None, "", "\x00\ud800", '{"before": "a", "after": {"x": 1}}', "{" * 50_000, "[1]"]
RESULTS += [
    '{"fields_removed": [1, null, {}]}',
    '{"lines_before": 900, "lines_after": {}}',
    "\u202eabc\u0301",
]
ARGUMENTS = [None, 3, "text", ["a"], {"": ""}, {"path": None}, {"path": 3, "content": 4}, {"id": True}]
ARGUMENTS += [
    {"command": ["git", "push"]},
    {"command": "cat > a <<EOF\n"},
    {"path": "x", "content": "\ud800"},
]


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_odd_calls_are_read(arguments, result):
    for name in ("", "read", "write", "update_x", "append", "bash"):
        calls = [ToolCall(name, arguments, result=result, fields_modified=("a",)) for _ in range(2)]
        calls.append(ToolCall("read", arguments, result=result))
        session = Session("s", (Round(0, user_text="Add a section.", calls=tuple(calls)),))
        assert len(edit_as_replace.run(session)) <= 1


HOSTILE = ["[", "# ", "a ", "export ", "\n", "1\t", '"', "replace ", "// unchanged\n", "# existing ", " "]


@pytest.mark.parametrize("text", [piece * (1_000_000 // len(piece)) for piece in HOSTILE])
@pytest.mark.timeout(20)
def test_a_megabyte_is_read(text):
    for path in ("guide.md", "guide.py", "guide.json"):
        calls = (
            ToolCall("read", {"path": path}, result=text),
            ToolCall("write", {"path": path, "content": text[5:]}, result="ok"),
            ToolCall("bash", {"command": text}, result=text),
            ToolCall("write", {"path": path, "content": text[:-5]}, result="ok"),
        )
        session = Session("s", (Round(0, text, calls, user_text="Add a section." + text),))
        assert len(edit_as_replace.run(session)) <= 1


@pytest.mark.timeout(30)
def test_a_long_session_is_read_within_its_budget():
    content = "".join(f"## Heading {n}\n\nIts line {n}.\n" for n in range(1_000))
    read = ToolCall("read", {"path": "guide.md"}, result=content)
    write = ToolCall("write", {"path": "guide.md", "content": content[: len(content) // 2]}, result="ok")
    rounds = tuple(Round(n, calls=(read, write), user_text="Add a part.") for n in range(10_000))
    assert len(edit_as_replace.run(Session("s", rounds))) <= 1
