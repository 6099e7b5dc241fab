"""The case language is what every analyzer's cases rest on: what it says must be what is judged."""

import pytest

from analyzers import ToolCall
from tests.analyzers.casefile import parse_call, parse_session


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("ls", ToolCall("ls", {})),
        ("ls ?", ToolCall("ls")),
        ("search q=tea n=2 -> one hit", ToolCall("search", {"q": "tea", "n": 2}, result="one hit")),
        ('bash command="ls -l" ->', ToolCall("bash", {"command": "ls -l"}, result="")),
        ('write {"path": "a b"} !! gone', ToolCall("write", {"path": "a b"}, error="gone", is_error=True)),
        ('write {"path": "a', ToolCall("write", '{"path": "a')),
        ({"tool": "x", "args": {"a": 1}, "changed": False}, ToolCall("x", {"a": 1}, changed=False)),
    ],
)  # fmt: skip
def test_call(text, call):
    assert parse_call(text) == call


def test_rounds_are_numbered_within_their_agent():
    session = parse_session(
        "case",
        {
            "rounds": [
                {"user": "go", "calls": ["a", "b"], "tokens": [10, 2]},
                "2x c -> ok",
                {"agent": "helper", "say": "hm"},
            ],
            "tools": {"a": "path lines?:integer", "b": None},
            "final": "done",
        },
    )
    assert [(turn.agent_name, turn.round, len(turn.calls)) for turn in session.rounds] == [
        ("", 0, 2), ("", 1, 1), ("", 2, 1), ("helper", 0, 0),
    ]  # fmt: skip
    assert session.rounds[0].input_tokens == 10
    assert session.rounds[0].calls[1].position == 1
    assert session.tools[0].input_schema == {
        "type": "object",
        "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}},
        "required": ["path"],
    }
    assert session.tools[1].input_schema is None
    assert session.final_text == "done"
