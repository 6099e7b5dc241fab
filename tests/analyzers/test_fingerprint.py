"""What makes two calls the same, and two outcomes."""

import pytest
from tightrope_sdk.fingerprint import canonical_json, fingerprint, outcome, without_commentary


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None, " x "]}, '{"a":[true,null,"x"],"b":1}'),
        ({"a": None, "b": 1.0}, '{"b":1}'),
        ({"flag": "True"}, '{"flag":true}'),
        ({1: "größer"}, '{"1":"größer"}'),
        (" text ", '"text"'),
        (None, "null"),
        (b"raw", "\"b'raw'\""),
    ],
)
def test_canonical_json(value, text):
    assert canonical_json(value) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("f", {"a": 1, "b": 2}), ("f", {"b": 2, "a": 1})),
        (("f", {"command": "ls "}), ("f", {"command": " ls"})),
        (("f", {"a": 1, "limit": None}), ("f", {"a": 1})),
        (("functions.f", {}), ("f", {})),
        (("default_api:f", {}), ("f", {})),
        (("f", '{"a": 1}'), ("f", {"a": 1})),
    ],
)
def test_the_same_call(one, other):
    assert fingerprint(*one) == fingerprint(*other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("f", {"a": 1}), ("g", {"a": 1})),
        (("f", {"a": 1}), ("f", {"a": 2})),
        (("f", {"a": "x  y"}), ("f", {"a": "x y"})),
        (("f", {"a": ["x", None]}), ("f", {"a": ["x"]})),
        (("f", {"description": "old"}), ("f", {"description": "new"})),
        (("f", None), ("f", {})),
    ],
)
def test_another_call(one, other):
    assert fingerprint(*one) != fingerprint(*other)


def test_a_fingerprint_is_stored_and_so_may_not_change_between_versions():
    assert fingerprint("read_file", {"path": "a.py", "offset": 200}) == "7237e9c0b5630827"


def test_arguments_may_be_anything():
    deep: dict = {}
    inner = deep
    for _ in range(50_000):
        inner["a"] = {}
        inner = inner["a"]
    assert len(fingerprint("f", deep)) == len(fingerprint("f", '{"a": "\ud800')) == 16
    assert fingerprint("f", "[" * 1_000_000) == fingerprint("f", "[" * 1_000_000)


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        ({"command": "ls", "description": "List files"}, {"command": "ls"}),
        ({"id": 1, "description": "what is written"}, {"id": 1, "description": "what is written"}),
        ({"id": 1, "explanation": "because"}, {"id": 1}),
        ({"thought": "hm"}, {"thought": "hm"}),
        ("text", "text"),
    ],
)
def test_commentary(arguments, left):
    assert without_commentary(arguments) == left


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[12:00:00] 3 matches in 0.00s", "[12:00:05] 3 matches in 0.05s"),
        ("\x1b[31mfailed\x1b[0m at 2026-01-01T10:00:00Z", "\x1b[32mfailed\x1b[0m at 2026-01-01T10:00:07.5Z"),
        ("id 123e4567-e89b-12d3-a456-426614174000", "id 00000000-e89b-12d3-a456-426614174000"),
        ("<obj at 0x7f00aa11bb22> pid 41", "<obj at 0x7f00aa11bb99> pid 42"),
        ('{"b": 1, "a": 2, "durationMs": 100}', '{"a": 2, "b": 1, "durationMs": 101, "cwd": "/2"}'),
        ("started 1767225600", "started 1767225601"),
        ("Chunk ID: 0b7170\nWall time: 0.0000 seconds", "Chunk ID: 00e27e\nWall time: 0.0001 seconds"),
    ],
)  # fmt: skip
def test_the_same_outcome(one, other):
    assert outcome(one, None) == outcome(other, None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 failed", "4 failed"),
        ('{"progress": 10}', '{"progress": 20}'),
        ("[1s] compiling", "[2s] compiling"),
        ("order id: 17", "order id: 18"),
        ('{"flight": "2026-01-01"}', '{"flight": "2026-01-02"}'),
        ("x" * 50_000 + "a" + "x" * 50_000, "x" * 50_000 + "b" + "x" * 50_000),
    ],
)
def test_another_outcome(one, other):
    assert outcome(one, None) != outcome(other, None)


def test_what_is_unknown_is_no_outcome():
    assert outcome(None, None) is None
    assert outcome("<REDACTED>", None) is None
    assert outcome("[File a.md unchanged since last read in this session]", None) is None
    assert outcome("It prints: unchanged since last read. " + "x" * 2_000, None) is not None
    assert outcome("", None) == ""
    assert outcome("same", None) != outcome(None, "same")


@pytest.mark.parametrize("text", ["1" * 10**6, "\x1b[0;" * 300_000, "0x" + "a" * 10**6, '{"a":' * 200_000])
def test_hostile_text_stays_comparable(text):
    assert outcome(text, None) == outcome(text, None)
