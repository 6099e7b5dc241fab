"""`malformed_arguments` on readable cases."""

import json
from pathlib import Path

import pytest

from analyzers import OfferedTool, Round, Session, ToolCall
from analyzers.malformed_arguments import malformed_arguments
from analyzers.misnamed_tool import misnamed_tools
from tests.analyzers.casefile import check_case, load_cases, parse_session

CASES = load_cases(Path(__file__).parent / "cases" / "malformed_arguments.yml")
PAGE = Path(__file__).parents[2] / "docs" / "findings" / "malformed_arguments.md"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    check_case(malformed_arguments, case)


def test_a_cut_in_the_telemetry_names_the_variable_to_set():
    [finding] = malformed_arguments.run(parse_session("case", {"rounds": ['write {"path": "a -> wrote a']}))
    assert "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT" in finding.advice
    assert json.loads(json.dumps(finding.evidence)) == finding.evidence


@pytest.mark.parametrize("cut", range(1, 60))
def test_every_cut_of_an_object_is_seen(cut):
    whole = json.dumps({"id": "R-7", "text": 'an "odd" \u00e4 \\ text', "n": [1, 2.5, None, {"a": True}]})
    call = ToolCall("update", whole[:cut], error="bad arguments", is_error=True)
    [finding] = malformed_arguments.run(Session("s", (Round(0, calls=(call,)),)))
    assert finding.subkind == "cut"


@pytest.mark.parametrize("text", ["{" * 10**6, '{"a":' * 10**5, '{"a": "' + "x" * 10**6])
def test_hostile_arguments_are_read_in_bounds(text):
    findings = malformed_arguments.run(Session("s", (Round(0, calls=(ToolCall("t", text, result="ok"),)),)))
    assert len(findings) <= 1


def test_settings():
    session = parse_session("case", {"tools": {"f": "a"}, "rounds": ["f !! missing a", 'g {"a": !! bad']})
    assert len(malformed_arguments.run(session)) == 2
    settings = malformed_arguments.configure({"ignore_tools": ["f", "g"]})
    assert malformed_arguments.run(session, settings) == []


def test_no_call_is_reported_as_misnamed_too():
    for case in CASES:
        if case.hit and "missing" in case.expect:
            assert misnamed_tools.run(case.session) == []


@pytest.mark.parametrize(
    "schema",
    [{}, {"properties": 7}, {"properties": {"a": 7}, "required": 7}, {"properties": {"a": {"enum": [[]]}}}],
)
@pytest.mark.parametrize("arguments", [{}, [], 7, "x", {"a": [1]}, {"a": {"b": {}}}, {"a": "x" * 10**7}])
def test_odd_schemas_and_arguments(schema, arguments):
    call = ToolCall("f", arguments, error="invalid argument " * 10**5, is_error=True)
    session = Session("s", (Round(0, calls=(call,)),), tools=(OfferedTool("f", input_schema=schema),))
    for finding in malformed_arguments.run(session):
        json.dumps(finding.evidence)


def test_the_page_names_every_subkind():
    page = PAGE.read_text("utf-8")
    assert all(f"`{case.expect['subkind']}`" in page for case in CASES if case.hit)
