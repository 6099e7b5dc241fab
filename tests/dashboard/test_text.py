"""What the dashboard shows of telemetry, apart from the browser."""

from __future__ import annotations

import time

import pytest

from dashboard.difference import difference
from dashboard.strip import ONCE, cells, letter
from dashboard.text import Segment, counted, duration, one_line, plain, pretty, segments, shown, visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("line\n\ttab", "line\n\ttab"),
        ("\x1b[31mred", "␛[31mred"),
        ("gpj\u202eexe", "gpj⟨U+202E⟩exe"),
        ("a\u200bb\x85", "a⟨U+200B⟩b⟨U+0085⟩"),
        ("\ud800x", "\ufffdx"),
        ("שלום", "שלום"),
        ("see data:image/png;base64," + "A" * 400 + " here", "see [image/png, 300 bytes] here"),
    ],
)
def test_visible_hides_nothing(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_plain_is_one_escaped_line() -> None:
    assert plain("a *b*\n[c](d)") == r"a \*b\* \[c\]\(d\)"
    assert ":material" not in plain(":material/home:")
    assert len(one_line("x" * 10**6)) == 200


def test_a_megabyte_is_cut_and_quick() -> None:
    begun = time.process_time()
    for hostile in ("\x1b" * 2**20, "data:image/png;base64," * 50_000, "A" * 2**20, "[" * 2**20):
        text, note = shown(hostile)
        assert len(text) <= 20_000 * 8
        assert note.startswith("20,000 of 1,")
        plain(hostile)
        visible(hostile)
    assert time.process_time() - begun < 10


def test_segments_mark_ranges_and_clip_what_overlaps() -> None:
    text = "before <a> between <b> after"
    marks = [(19, 22, "x"), (7, 10, "y"), (8, 12, "z"), (20, 99, "w"), (50, 60, "v")]
    assert segments(text, marks) == [
        Segment("before "),
        Segment("<a>", "y"),
        Segment(" b", "z"),
        Segment("etween "),
        Segment("<b>", "x"),
        Segment(" after", "w"),
    ]
    assert segments(text, []) == [Segment(text)]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ('{"a": 1}', '{"a": 1}', "same"),
        ('{"path": "a", "n": 1}', '{"path": "b", "m": true}', "path: a → b, + m: true, − n"),
        ('{"cut": "x', '{"cut": "y', "changed"),
        ({"a": [1]}, {"a": [2]}, "a: [1] → [2]"),
    ],
)
def test_difference(before: object, now: object, expected: str) -> None:
    assert difference(before, now) == expected


def test_the_strip_colours_what_repeats() -> None:
    calls = [
        {"fingerprint": key, "agent_name": "", "round": n, "tool": "t", "arguments": "{}", "is_error": n == 2}
        for n, key in enumerate("ABABC")
    ]
    strip = cells(calls, frozenset({("", 1)}))
    assert [cell.letter for cell in strip] == ["A", "B", "A", "B", ""]
    assert strip[0].color == strip[2].color != strip[1].color == strip[3].color
    assert strip[4].color == ONCE
    assert [cell.is_error for cell in strip] == [False, False, True, False, False]
    assert [cell.rescued for cell in strip] == [False, True, False, False, False]
    assert [letter(n) for n in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]


def test_numbers_and_arguments_are_readable() -> None:
    assert [counted(n) for n in (950, 18_000, 5_652_000, 6_008_400_000)] == [
        "950",
        "18.0 k",
        "5.65 M",
        "6.01 G",
    ]
    assert [duration(s) for s in (0.35, 12.4, 200, 7500)] == ["350 ms", "12.4 s", "3 min 20 s", "2 h 5 min"]
    assert pretty('{"a":1}') == '{\n  "a": 1\n}'
    assert pretty("{not json") == "{not json"
    assert pretty('"text"') == "text"
