"""Leaked tool calls: the scan of one text, and the analyzer on whole sessions."""

import json
from dataclasses import fields
from pathlib import Path

import pytest
from tightrope_sdk.leaks import FORMATS, MARKER, advice, find_leaks, format_table, may_leak
from tightrope_sdk.leaks.scan import _openers, _scan
from tightrope_sdk.leaks.source import STEPS_PER_CHARACTER, Source

from analyzers import AnalyzerError, Session
from analyzers.leaked_tool_call import LeakedToolCallSettings, leaked_tool_call
from tests.analyzers.casefile import load_cases, parse_session

FOLDER = Path(__file__).parent / "cases"
PAGE = Path(__file__).parents[2] / "docs" / "findings" / "leaked_tool_call.md"
TEXTS = [
    json.loads(line)
    for name in ("leaks.jsonl", "leak_formats.jsonl")
    for line in (FOLDER / name).read_text("utf-8").splitlines()
]
SESSIONS = load_cases(FOLDER / "leaked_tool_call.yml")
CALL = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>'


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case["id"])
def test_text(case):
    expect = case["expect"]
    leaks = find_leaks(case["text"], case.get("tools", ()))
    assert bool(leaks) == expect["leak"], leaks
    if not leaks:
        return
    assert may_leak(case["text"])
    assert {leak.format for leak in leaks} == {expect["format"]}
    calls = [{"name": name, "arguments": arguments} for leak in leaks for name, arguments in leak.calls]
    assert calls == expect["calls"]
    assert any(leak.truncated for leak in leaks) == expect["truncated"]
    assert {leak.tier for leak in leaks} == {expect.get("tier", "strict")}


@pytest.mark.parametrize("case", SESSIONS, ids=lambda case: case.name)
def test_session(case):
    findings = leaked_tool_call.run(case.session)
    if not case.hit:
        assert findings == []
        return
    [finding] = findings
    seen = {
        **finding.evidence,
        "subkind": finding.subkind,
        "severity": finding.severity,
        "title": finding.title,
    }
    assert {key: seen[key] for key in case.expect} == case.expect
    json.dumps(finding.evidence, allow_nan=False)


def test_every_format_has_a_hit_and_a_near_miss():
    hits = {case["expect"]["format"] for case in TEXTS if case["expect"]["leak"]}
    assert {f.label for f in FORMATS} - hits == set()
    near = [case["text"] for case in TEXTS if not case["expect"]["leak"]]
    assert [f.label for f in FORMATS if not any(o in text for text in near for o in f.openers)] == []


@pytest.mark.parametrize(
    ("text", "leaked"),
    [
        (f"Let me look. {CALL}\n\nOne moment.", CALL),
        (f"{CALL}\n{CALL}\nDone.", f"{CALL}\n{CALL}"),
        (f"a &amp; b\n{CALL.replace('<', '&lt;')} &lt;b&gt;", CALL.replace("<", "&lt;")),
        (f"<think>{CALL}</think>", CALL),
        (f"<think>x</think>\n```\n{CALL}\n```", CALL),
        (
            'Sure.assistantcommentary to=functions.read_file json{"path": "a"} ok',
            'assistantcommentary to=functions.read_file json{"path": "a"}',
        ),
        (
            'First.\n[{"name": "read_file", "arguments": {"path": "a"}}]',
            '[{"name": "read_file", "arguments": {"path": "a"}}]',
        ),
        (
            '天気 🌦\n<｜DSML｜invoke name="read_file"></｜DSML｜invoke>',
            '<｜DSML｜invoke name="read_file"></｜DSML｜invoke>',
        ),
    ],
)
def test_offsets_cut_out_the_leaked_part(text, leaked):
    [leak] = find_leaks(text, ["read_file"])
    assert text[leak.start : leak.end] == leaked


def test_two_formats_in_one_text_are_two_leaks():
    text = f'{CALL}\nand\n[TOOL_CALLS]read_file[ARGS]{{"path": "b"}}'
    assert [leak.format for leak in find_leaks(text)] == ["hermes", "mistral"]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("Let me see! {{PYTHON: compute sha256}} Done.", [("PYTHON", {"text": "compute sha256"})]),
        ('[CREATE_TASK title="x" due="y"]', [("CREATE_TASK", {"text": 'title="x" due="y"'})]),
        ("{{PYTHON: cut off", [("PYTHON", {"text": "cut off"})]),
        ("Write `{{PYTHON: …}}` for code.", []),
        ("{{ other }} [TASK x]", []),
    ],
)
def test_configured_markers(text, calls):
    leaks = find_leaks(text, ["run_python"], ["{{PYTHON: …}}", "[CREATE_TASK …]"])
    assert [call for leak in leaks for call in leak.calls] == calls
    assert {leak.format for leak in leaks} <= {MARKER}
    assert find_leaks(text, ["run_python"]) == []


UNITS = [
    *sorted({opener for f in FORMATS for opener in f.openers}),
    '<tool_call>{"', "<tool_call>{", '<tool_call>[1,"', '<tool_call>{"name":"read_file","arguments":{}',
    "<tool_call><function=a><parameter=b>", "<tool_call>read_file<arg_key>b</arg_key><arg_value>",
    f"{CALL}\n", "<tool_call>" + " " * 500, "&lt;tool_call&gt;", "[{", '{"a":', '{"a": 1}\n', '"name"',
    "`", "`` ` ", '"""', "~~~\n", "<pre>", "<!--", "</think>", "\n[f(x=[", "\n[read_file(a='",
    "\n<read_file><path>", 'to=functions.read_file json{"', 'Action: read_file\nAction Input: {"',
    "<|channel|>commentary to=functions.a<|message|>", "<|tool_call>call:a{b:", "[TOOL_CALLS]a{",
    '<｜DSML｜invoke name="a">', '<|python_tag|>a.call(b="',
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_the_work_is_bounded_by_the_length_of_the_text(unit):
    text = unit * (200_000 // len(unit))
    source = Source(text, frozenset({"read_file"}))
    _scan(source, _openers(()))
    # One step beyond the bound may be a whole look ahead, never more than the text itself.
    assert source.steps <= source.limit + len(text)
    assert source.limit <= 20_000 + STEPS_PER_CHARACTER * len(text)


def test_a_hundred_thousand_unclosed_openers_hide_nothing_before_them():
    leaks = find_leaks(CALL + "\nThen:" + "\n<tool_call>" * 100_000, ["read_file"])
    assert leaks[0].calls == (("read_file", {"path": "a"}),)


@pytest.mark.parametrize(
    "text",
    [
        "", "\x00", "\ud800<tool_call>", "&lt;", "</think>", "```", "```\n", '{"name"', "<tool_call>\u202e{",
        "<tool_call>" + "{" * 100_000, "<tool_call>" + '{"a":' * 50_000 + "1",
        '<tool_call>{"name": "f", "arguments": {"x": 1' + "0" * 10_000 + "}}</tool_call>",
        "[f(x=" + "(" * 5000 + ")" * 5000 + ")]",
    ],
)  # fmt: skip
def test_odd_texts_break_nothing(text):
    for leak in find_leaks(text, ["f"], ["", "…", "{{X: …}}"]):
        assert 0 <= leak.start <= leak.end <= len(text)


def test_agents_are_judged_apart():
    session = parse_session(
        "case",
        {"rounds": [{"agent": "a", "say": CALL}, {"agent": "b", "say": CALL}, {"agent": "b", "say": "ok"}]},
    )
    found = leaked_tool_call.run(session)
    assert [(f.agent_name, f.severity) for f in found] == [("a", "critical"), ("b", "warning")]


def test_evidence_points_into_the_raw_text_and_stays_small():
    body = '{"name": "write", "arguments": {"n": 1e999, "text": "' + "x" * 10_000 + '"}}'
    text = f"Writing.\n<tool_call>\n{body}\n</tool_call>"
    [finding] = leaked_tool_call.run(parse_session("case", {"rounds": [{"say": text}]}))
    [leak] = finding.evidence["leaks"]
    assert text[leak["start"] : leak["end"]] == text.removeprefix("Writing.\n")
    assert len(json.dumps(finding.evidence, allow_nan=False)) < 2000


def test_settings():
    likely = parse_session(
        "case", {"tools": {"f": None}, "rounds": [{"say": 'I call {"name": "f", "arguments": {}} now.'}]}
    )
    assert len(leaked_tool_call.run(likely)) == 1
    assert leaked_tool_call.run(likely, leaked_tool_call.configure({"min_tier": "strict"})) == []
    assert leaked_tool_call.run(likely, leaked_tool_call.configure({"ignore_formats": ["bare_json"]})) == []
    marked = parse_session("case", {"rounds": [{"say": "{{PYTHON: 1 + 1}}"}, {"say": "2"}]})
    settings = leaked_tool_call.configure({"markers": ["{{PYTHON: …}}"]})
    [finding] = leaked_tool_call.run(marked, settings)
    assert (finding.title, finding.severity) == ("PYTHON leaked as text (marker)", "warning")
    executed = parse_session("case", {"rounds": [{"say": "{{PYTHON: 1 + 1}}", "calls": ["run_python -> 2"]}]})
    assert leaked_tool_call.run(executed, settings) == []
    with pytest.raises(AnalyzerError, match="min_tier"):
        leaked_tool_call.configure({"min_tier": "hard"})


@pytest.mark.parametrize("found", FORMATS, ids=lambda f: f.label)
def test_advice_names_the_flags(found):
    text = advice(found.label)
    assert [flag for flag in found.vllm if flag not in text] == []
    assert all(f"SGLang `--tool-call-parser {flag}`" in text for flag in found.sglang[:1])
    assert "required" in text or found.prompted


def test_the_page_has_every_setting_and_the_table_of_formats():
    page = PAGE.read_text("utf-8")
    assert [f.name for f in fields(LeakedToolCallSettings) if f"`{f.name}`" not in page] == []
    assert page.partition("<!-- formats -->\n")[2].partition("<!-- /formats -->")[0] == format_table()


def test_an_empty_session_has_no_finding():
    assert leaked_tool_call.run(Session("empty")) == []
