"""`unverified_completion` on readable cases."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from analyzers import ANALYZERS, OfferedTool, Round, Session, ToolCall
from analyzers.unverified_completion import UnverifiedCompletionSettings, unverified_completion
from tests.analyzers.casefile import check_case, load_cases, parse_session

CASES = load_cases(Path(__file__).parent / "cases" / "unverified_completion.yml")
PAGE = Path(__file__).parents[2] / "docs" / "findings" / "unverified_completion.md"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    check_case(unverified_completion, case)


def test_most_cases_are_honest_work():
    assert sum(not case.hit for case in CASES) >= 2 * sum(case.hit for case in CASES)


def case_named(name):
    return next(case.session for case in CASES if case.name == name)


def test_it_is_registered_with_its_page():
    assert unverified_completion in ANALYZERS
    page = PAGE.read_text("utf-8")
    for setting in fields(UnverifiedCompletionSettings):
        assert f"| `{setting.name}` |" in page
        assert setting.metadata["help"]
    for rule in {case.expect["rule"] for case in CASES if case.hit and "rule" in case.expect}:
        assert f"`{rule}`" in page


def test_settings_choose_what_is_reported():
    weak, strong = case_named("fixed-and-never-run"), case_named("tests-written-and-never-run")
    only_strong = UnverifiedCompletionSettings(only_strong=True)
    assert unverified_completion.run(weak, only_strong) == []
    assert unverified_completion.run(strong, only_strong)
    assert unverified_completion.run(weak, UnverifiedCompletionSettings(ignore_paths=("src/",))) == []
    assert unverified_completion.run(strong, UnverifiedCompletionSettings(ignore_paths=("tests/",)))


def test_the_answer_may_be_in_the_final_text_alone():
    session = case_named("fixed-and-never-run")
    *rounds, last = session.rounds
    moved = replace(session, rounds=(*rounds, replace(last, text="")), final_text=last.text)
    assert unverified_completion.run(moved)


def test_tests_of_what_was_edited_are_derived_from_what_was_listed():
    spec = {
        "tools": {"bash": "command", "edit_file": "path text"},
        "rounds": [
            'bash {"command": "ls tests"} -> tests/test_parse.py tests/test_other.py',
            "edit_file path=src/parse.py text=x -> ok",
            {"say": "I fixed the parser."},
        ],
    }
    [finding] = unverified_completion.run(parse_session("s", spec))
    assert finding.evidence["derived"] == "pytest tests/test_parse.py"
    assert "pytest tests/test_parse.py" in finding.advice


@pytest.mark.parametrize("result", [None, "", "\x00\ud800", "{" * 50_000, "[1]", "\u202eabc\u0301"])
@pytest.mark.parametrize(
    "arguments",
    [None, 3, "text", ["a"], {"": ""}, {"path": 3}, {"command": ["git"]}, {"file": "a.py", "old_str": 3}],
)
def test_odd_calls_are_read(arguments, result):
    tools = tuple(
        OfferedTool(name, input_schema={"required": required})
        for name, required in (("bash", None), ("verify_x", [3, None]), ("", "x"))
    )
    for name in ("", "edit", "update_x", "bash", "apply_patch"):
        call = ToolCall(name, arguments, result=result)
        rounds = (Round(0, user_text="Fix it.", calls=(call,)), Round(1, "I fixed it. Done."))
        assert len(unverified_completion.run(Session("s", rounds, tools))) <= 1


@pytest.mark.parametrize(
    "piece", ["I fixed a. ", "not ", "please ", "to now then ", "(", "我已经修复了。", '"', "done "]
)
@pytest.mark.timeout(20)
def test_megabytes_of_text_are_read(piece):
    text = piece * (2_000_000 // len(piece))
    edit = ToolCall("edit_file", {"path": "a.py", "text": text}, result=text)
    rounds = (Round(0, user_text="Fix it. " + text, calls=(edit,)), Round(1, text))
    tools = (OfferedTool("bash"),)
    assert len(unverified_completion.run(Session("s", rounds, tools))) <= 1


@pytest.mark.timeout(30)
def test_a_hundred_thousand_calls_are_read():
    edit = ToolCall("bash", {"command": "sed -i s/a/b/ a.py; " * 20}, result="ok")
    rounds = (Round(0, user_text="Fix it.", calls=(edit,) * 100_000), Round(1, "I fixed it."))
    assert len(unverified_completion.run(Session("s", rounds))) <= 1
