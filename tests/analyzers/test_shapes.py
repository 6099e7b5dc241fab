"""Which tool a call means, judged from its name, its arguments and the tools that were offered."""

import json
from pathlib import Path

import pytest
from tightrope_sdk.names import is_spelling, near, normal, synonym, trie
from tightrope_sdk.shapes import judge_call

COLLECTED = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "misnaming.jsonl").read_text("utf-8").splitlines()
]


def tool(*required, **optional):
    """A JSON schema of keys that take text; optional ones are given as key=schema."""
    properties = {key: {"type": "string"} for key in required} | optional
    return {"type": "object", "properties": properties, "required": list(required)}


WRITER = {"shell_exec": tool("command"), "file_write": tool("path", "content")}


@pytest.mark.parametrize("case", COLLECTED, ids=lambda case: case["id"])
def test_collected(case):
    tools = {tool["name"]: tool["input_schema"] for tool in case["tools"]}
    verdict = judge_call(case["call"]["name"], case["call"]["args"], tools)
    assert (verdict.verdict, verdict.recovered) == (case["expect"]["verdict"], case["expect"]["recovered"])


@pytest.mark.parametrize(
    ("name", "arguments", "note"),
    [
        ("shell_exec", {"path": "a", "content": ""}, "shell_exec→file_write (path+content, no command)"),
        ("shell_exec", {"path": "a"}, "shell_exec→file_read (path, no command)"),
        ("file_write", {"command": "ls"}, "file_write→shell_exec (command, no path+content)"),
    ],
)
def test_the_founding_rule_needs_no_schema(name, arguments, note):
    verdict = judge_call(name, arguments, {})
    assert (verdict.verdict, verdict.rule, verdict.note) == ("misnamed", "founding", note)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("shell_exec", {"command": "ls", "path": "a"}),
        ("shell_exec", {"path": "a", "lines": 3}),
        ("shell_exec", {"path": " ", "content": "x"}),
        ("file_write", {"command": "ls", "path": "a", "content": ""}),
        ("file_write", {"path": "a"}),
        ("file_read", {"path": "a", "content": "x"}),
        ("bash", {"path": "a", "content": "x"}),
        ("shell_exec", None),
        ("shell_exec", "path"),
    ],
)
def test_the_founding_rule_stops_at_its_words(name, arguments):
    assert judge_call(name, arguments, {}).verdict == "ok"


def test_the_founding_rule_beats_a_schema_that_takes_everything():
    optional = {"command": {}, "path": {}, "content": {}}
    assert judge_call(
        "shell_exec", {"path": "a", "content": "b"}, {"shell_exec": tool(**optional)}
    ).recovered == ("file_write")
    required = {"shell_exec": tool("path", "content", command={})}
    assert judge_call("shell_exec", {"path": "a", "content": "b"}, required).verdict == "ok"


@pytest.mark.parametrize(
    "arguments",
    [
        '{"path": "a", "content": "b"}',
        {"arguments": {"path": "a", "content": "b"}},
        {"input": '{"path": "a", "content": "b"}'},
        {"command": '{"path": "a", "content": "b"}'},
    ],
)
def test_arguments_are_unwrapped_once(arguments):
    assert judge_call("shell_exec", arguments, WRITER).recovered == "file_write"


def test_a_complete_call_is_another_only_by_what_that_one_cannot_do_without():
    tools = {"web_search": tool("query"), "kb_search": tool("query", n={"type": "integer"})}
    assert judge_call("web_search", {"query": "x", "n": 3}, tools).verdict == "ok"


def test_values_outside_a_list_do_not_fit():
    tools = {"run": tool("cmd"), "paint": tool("colour"), "rate": tool("x")}
    tools["paint"]["properties"]["colour"]["enum"] = ["red", "blue"]
    assert judge_call("run", {"colour": "red"}, tools).recovered == "paint"
    assert judge_call("paint", {"colour": "green"}, tools).verdict == "invalid_args"


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {},
        {"type": "object"},
        {"properties": 7},
        {"$ref": "#/x"},
        {"properties": {"a": 1}, "required": 3},
    ],
)
def test_odd_schemas_accept_everything(schema):
    assert judge_call("free", {"a": 1}, {"free": schema}).verdict == "ok"


def test_two_servers_with_the_same_tool_are_not_decided_between():
    tools = {"mcp__a__search": tool("query"), "mcp__b__search": tool("query")}
    verdict = judge_call("search", {"query": "x"}, tools)
    assert (verdict.verdict, verdict.candidates) == ("ambiguous", ("mcp__a__search", "mcp__b__search"))


def test_many_tools_and_long_names():
    tools = {f"tool_{n}": tool(f"key_{n}") for n in range(10_000)}
    assert judge_call("tool_77", {"key_8": "x"}, tools).recovered == "tool_8"
    assert judge_call("x" * 1_000_000, {"none": "x"}, tools).verdict == "unknown_tool"


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [
        ("abcd", "abcd", 0),
        ("abcd", "acbd", 1),
        ("abcd", "abc", 1),
        ("abcd", "xbcy", 2),
        ("abcd", "wxyz", 3),
        ("", "abc", 3),
    ],
)
def test_distance(one, other, edits):
    for name, known in ((one, other), (other, one)):
        found = [count for count, _ in near(name, trie([known]), 2)]
        assert found == ([edits] if edits <= 2 else [])


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("ReadFile", "readfile"),
        ("functions.read_file:0", "readfile"),
        ("mcp__fs__read-file", "readfile"),
        ("read_file<|channel|>json", "readfile"),
        ("read_fileread_file", "readfile"),
        ("ReadFileTool", "readfile"),
        ("", ""),
    ],
)
def test_normal_names(name, form):
    assert normal(name) == form


def test_names_that_mean_the_same():
    assert synonym("save_file") == synonym("FileWrite")
    assert synonym("execute_command") == synonym("bash")
    assert is_spelling("shell", "tools-shell")
    assert is_spelling("readFile", "read_file")
    assert not is_spelling("write", "file_write")


ADDRESS = tool("street", "zip")
SHIPMENT = {
    "type": "object",
    "properties": {
        "address": {"$ref": "#/$defs/Address"},
        "parcels": {"type": "array", "items": {"type": "object", "required": ["kg"]}},
    },
    "required": ["address"],
    "$defs": {"Address": ADDRESS},
}


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ({"address": {"street": "Quay 9"}}, "missing address.zip"),
        ({"address": {"street": "Q", "zip": "1"}, "parcels": [{"kg": 1}, {}]}, "missing parcels[1].kg"),
        ({"address": {"street": "Q", "zip": "1"}, "parcels": [[1]]}, "mistyped parcels[0]"),
    ],
)
def test_faults_below_the_first_level(arguments, note):
    verdict = judge_call("ship", arguments, {"ship": SHIPMENT})
    assert (verdict.verdict, verdict.note) == ("invalid_args", note)


def test_what_nested_schemas_leave_open_is_no_fault():
    for schema in (
        SHIPMENT,
        {**SHIPMENT, "$defs": {}},
        {**SHIPMENT, "$defs": {"Address": {"$ref": "#/$defs/Address"}}},
    ):
        whole = {"address": {"street": "Q", "zip": "1"}, "parcels": []}
        assert judge_call("ship", whole, {"ship": schema}).verdict == "ok"


def test_null_is_a_value_where_the_schema_takes_it():
    for kind in ({"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}):
        schema = {"type": "object", "properties": {"parent": kind}, "required": ["parent"]}
        assert judge_call("move", {"parent": None}, {"move": schema}).verdict == "ok"
        assert judge_call("move", {}, {"move": schema}).verdict == "invalid_args"
    assert judge_call("read", {"path": None}, {"read": tool("path")}).verdict == "invalid_args"


@pytest.mark.parametrize(
    "name",
    [
        "<tool_call>file_write", "[TOOL_CALLS]file_write", "file_write[ARGS]", '{"name": "file_write"}',
        "action: file_write", "assistant.file_write", "mcp_files_file_write", "commentary to=file_write",
        "ｆｉｌｅ＿ｗｒｉｔｅ",
    ],
)  # fmt: skip
def test_a_name_with_something_around_it(name):
    tools = {**WRITER, "file_append": tool("path", "content")}
    verdict = judge_call(name, {"path": "a", "content": "b"}, tools)
    assert (verdict.verdict, verdict.recovered, verdict.rule) == ("misnamed", "file_write", "M1")


@pytest.mark.parametrize(
    "name",
    [
        "I will now use file_write to put the text there",
        "file_write then shell_exec",
        "rewrite_file_write_all",
    ],
)
def test_a_name_that_only_mentions_another_is_not_that_one(name):
    tools = {**WRITER, "file_append": tool("path", "content")}
    assert judge_call(name, {"path": "a"}, tools).verdict == "unknown_tool"
