"""The rows of the Session page: one for each call, and one for each round that called nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.difference import difference
from dashboard.kinds import kind_of
from dashboard.strip import Cell
from dashboard.text import moment, one_line

Place = tuple[str, int]
"""A round: its agent and its number."""

Row = Mapping[str, Any]
_EXCERPT, _HASH = 160, 8


def rescues_by_place(rescues: Sequence[Row]) -> dict[Place, list[str]]:
    """The names of the safety nets that acted, by round."""
    names: dict[Place, list[str]] = {}
    for rescue in rescues:
        if rescue["round"] is not None:
            names.setdefault((rescue["agent_name"] or "", rescue["round"]), []).append(rescue["name"])
    return names


def findings_by_place(findings: Sequence[Row]) -> dict[Place, list[str]]:
    """The kinds of the findings anchored at each round, over all rounds that they span."""
    kinds: dict[Place, list[str]] = {}
    for finding in findings:
        if finding["round"] is None:
            continue
        last = finding["last_round"] if finding["last_round"] is not None else finding["round"]
        for number in range(finding["round"], last + 1):
            here = kinds.setdefault((finding["agent_name"] or "", number), [])
            name = kind_of(finding["kind"]).name
            if name not in here:
                here.append(name)
    return kinds


def tool_label(call: Row) -> str:
    """The tool; where the model asked for another one: `requested → executed`."""
    requested, tool = call["requested_tool"] or call["tool"], call["tool"]
    return one_line(tool, 60) if requested == tool else f"{one_line(requested, 60)} → {one_line(tool, 60)}"


def change_label(call: Row) -> str:
    """Whether the call changed anything, with both hashes where they are known."""
    if call["changed"] is None:
        return ""
    word = "changed" if call["changed"] else "unchanged"
    before, after = (one_line(call[name])[:_HASH] for name in ("hash_before", "hash_after"))
    return f"{word} {before} → {after}" if before or after else word


def session_rows(detail: Mapping[str, Any], strip: Sequence[Cell]) -> list[dict[str, Any]]:
    """The table's rows, in the order of the rounds. `agent` and `number` name the round of a row."""
    nets, kinds = rescues_by_place(detail["rescues"]), findings_by_place(detail["findings"])
    calls: dict[Place, list[tuple[Row, Cell]]] = {}
    for call, cell in zip(detail["tool_calls"], strip, strict=True):
        calls.setdefault((call["agent_name"], call["round"]), []).append((call, cell))
    before: dict[tuple[str, str], Row] = {}
    rows: list[dict[str, Any]] = []
    for turn in detail["rounds"]:
        place = (turn["agent_name"], turn["round"])
        rescue = ", ".join(one_line(net, 60) for net in nets.get(place, []))
        common = {"number": turn["round"], "agent": turn["agent_name"]}
        common |= {"tokens": _tokens(turn), "findings": kinds.get(place, [])}
        own = calls.get(place, [])
        if not own:
            rows.append(common | _silent_row(turn) | {"rescue": rescue})
        for call, cell in own:
            key = (call["agent_name"], call["tool"])
            rows.append(
                common
                | _call_row(call, cell, before.get(key))
                | {"rescue": rescue if rescue and _rescued(call, own) else ""}
            )
            before[key] = call
    return rows


def _call_row(call: Row, cell: Cell, before: Row | None) -> dict[str, Any]:
    return {
        "letter": [cell.letter] if cell.letter else [],
        "tool": tool_label(call),
        "arguments": one_line(call["arguments"], _EXCERPT),
        "difference": against(before, call),
        "result": one_line(call["result"], _EXCERPT) if call["result"] is not None else "(none recorded)",
        "changed": change_label(call),
        "error": one_line(call["error"], _EXCERPT) or ("error" if call["is_error"] else ""),
        "seconds": _seconds(call),
    }


def _silent_row(turn: Row) -> dict[str, Any]:
    """The row of a round that called nothing: what it said stands in place of the arguments."""
    return {
        "letter": [],
        "tool": "(no call)",
        "arguments": one_line(turn["text"], _EXCERPT),
        "difference": "",
        "result": "",
        "changed": "",
        "error": one_line(turn["error"], _EXCERPT),
        "seconds": _seconds(turn),
    }


def _rescued(call: Row, calls: Sequence[tuple[Row, Cell]]) -> bool:
    """Whether a rescue of the round belongs to this call: the renamed one, else the round's first."""
    renamed = [other for other, _ in calls if (other["requested_tool"] or other["tool"]) != other["tool"]]
    return call is (renamed[0] if renamed else calls[0][0])


def against(before: Row | None, call: Row) -> str:
    """How a call's arguments differ from `before`, the previous call of its tool ("" without one)."""
    if before is None:
        return ""
    if before["fingerprint"] and before["fingerprint"] == call["fingerprint"]:
        return "same"
    return difference(before["arguments"], call["arguments"])


def _tokens(turn: Row) -> str:
    if turn["input_tokens"] is None and turn["output_tokens"] is None:
        return ""
    return f"{turn['input_tokens'] or 0:,} / {turn['output_tokens'] or 0:,}"


def _seconds(row: Row) -> float | None:
    if not row["started_at"] or not row["ended_at"]:
        return None
    return (moment(row["ended_at"]) - moment(row["started_at"])).total_seconds()
