"""The table of a session's rounds; a click shows the round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard import view
from dashboard.rows import Place
from dashboard.selection import TABLE, drawn_key, open_round
from dashboard.strip import Cell

_TALLEST = 400
_ALWAYS = ("here", "number", "tool")


def rounds_table(rows: Sequence[Mapping[str, Any]], cells: Sequence[Cell], chosen: Place | None) -> None:
    """Draw the rows of `session_rows`; a column in which nothing stands is left out."""
    key = drawn_key(TABLE)

    def clicked() -> None:
        picked = st.session_state[key]["selection"]["cells"]
        if picked:
            row = rows[picked[0][0]]
            open_round(row["agent"], row["number"], TABLE)

    several = len({row["agent"] for row in rows}) > 1
    columns = _columns(cells)
    used = [
        name
        for name in columns
        if name in _ALWAYS or (several if name == "agent" else any(row[name] for row in rows))
    ]
    st.dataframe(
        [{**row, "here": "●" if (row["agent"], row["number"]) == chosen else ""} for row in rows],
        key=key,
        hide_index=True,
        height=view.table_height(len(rows), _TALLEST),
        placeholder="",
        on_select=clicked,
        selection_mode="single-cell",
        column_order=used,
        column_config=columns,
    )


def _columns(cells: Sequence[Cell]) -> dict[str, Any]:
    """The columns in their order."""
    letters = {cell.letter: cell.color for cell in cells if cell.letter}
    column = st.column_config
    same = column.MultiselectColumn(
        "Same", options=list(letters), color=list(letters.values()) or None, width=50
    )
    return {
        "here": column.TextColumn("", width=25),
        "number": column.NumberColumn("Round", width=55),
        "agent": column.TextColumn("Agent", width=100),
        "letter": same,
        "tool": column.TextColumn("Tool", width=140),
        "rescue": column.TextColumn("Rescued by", width=140),
        "arguments": column.TextColumn("Arguments or text", width=185),
        "difference": column.TextColumn("Against the last", width=125),
        "result": column.TextColumn("Result", width=150),
        "changed": column.TextColumn("Changed", width=160),
        "error": column.TextColumn("Error", width=110),
        "seconds": column.NumberColumn("Took", format="%.2f s", width=60),
        "tokens": column.TextColumn("Tokens in/out", width=90),
        "findings": view.kinds_column("Findings", width=145),
    }
