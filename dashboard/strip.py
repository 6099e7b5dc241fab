"""The fingerprint strip: one cell for each tool call, in order.

A call that is made more than once gets a letter and a colour; a call made once stays grey. So a loop
is a run of one colour, and A-B-A-B is stripes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import polars as pl

from dashboard.text import one_line

PALETTE = (
    "#e08a1e", "#3b82f6", "#d6409f", "#2e9e6b", "#8b6cef", "#c2571a",
    "#12a594", "#b03a6f", "#6f9f1c", "#5a6fd6", "#a9794e", "#0e8fb8",
)  # fmt: skip
ONCE = "#9aa0a6"
ERROR = "#e5484d"
WIDTH = 1180
_SIZES = ((120, 30), (600, 20))
_SMALLEST = 14


@dataclass(frozen=True, slots=True)
class Cell:
    """One call as the strip shows it. `letter` is "" for a call made once."""

    index: int
    agent: str
    round: int
    tool: str
    arguments: str
    letter: str
    color: str
    times: int
    is_error: bool
    rescued: bool


def cells(calls: Sequence[dict[str, Any]], rescued: frozenset[tuple[str, int]] = frozenset()) -> list[Cell]:
    """The cells of the rows of `tool_calls`, in order. `rescued` names (agent, round) with a rescue."""
    prints = [call["fingerprint"] or "" for call in calls]
    times = Counter(prints)
    repeated = [key for key in dict.fromkeys(prints) if key and times[key] > 1]
    order = {key: position for position, key in enumerate(repeated)}
    return [
        Cell(
            index=index,
            agent=call["agent_name"],
            round=call["round"],
            tool=one_line(call["tool"], 60),
            arguments=one_line(call["arguments"], 120),
            letter=letter(order[key]) if key in order else "",
            color=PALETTE[order[key] % len(PALETTE)] if key in order else ONCE,
            times=times[key] if key in order else 1,
            is_error=bool(call["is_error"]),
            rescued=(call["agent_name"], call["round"]) in rescued,
        )
        for index, (call, key) in enumerate(zip(calls, prints, strict=True))
    ]


def letter(position: int) -> str:
    """A, B, … Z, AA, AB, …"""
    name = ""
    position += 1
    while position:
        position, digit = divmod(position - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


def chart(strip: Sequence[Cell], selected: tuple[str, int] | None, ink: str) -> alt.LayerChart:
    """The strip as a chart whose point selection `cell` names the index of the call clicked.

    Each agent has a lane of its own. `selected` is the (agent, round) outlined; `ink` the colour of
    the outline and of the lanes' names.
    """
    size = next((size for most, size in _SIZES if len(strip) <= most), _SMALLEST)
    columns = WIDTH // size
    data, lanes, height = _placed(strip, selected, columns)

    def x(field: str) -> alt.X:
        return alt.X(field, type="quantitative", axis=None, scale=alt.Scale(domain=[0, columns], nice=False))

    def y(field: str) -> alt.Y:
        return alt.Y(field, type="quantitative", axis=None, scale=alt.Scale(domain=[height, 0], nice=False))

    base = alt.Chart(pl.DataFrame(data)).encode(x=x("x"), y=y("y"))
    click = alt.selection_point(name="cell", fields=["index"], on="click", empty=False, clear=False)
    tooltip = [
        alt.Tooltip(f"{field}:N", title=title)
        for field, title in (
            ("round", "Round"),
            ("tool", "Tool"),
            ("arguments", "Arguments"),
            ("repeats", "Same call"),
            ("state", "State"),
        )
    ]
    squares = (
        base.mark_rect(cornerRadius=3, cursor="pointer")
        .encode(x2="x2:Q", y2="y2:Q", color=alt.Color("color:N", scale=None), tooltip=tooltip)
        .add_params(click)
    )
    letters = (
        base.transform_filter("datum.letter != ''")
        .mark_text(fontSize=size * 0.45, fontWeight="bold", color="white")
        .encode(x=x("mid"), y=y("center"), text="letter:N")
    )
    errors = (
        base.transform_filter("datum.error").mark_rect(color=ERROR).encode(x2="x2:Q", y=y("bar"), y2="bar2:Q")
    )
    rescues = (
        base.transform_filter("datum.rescued")
        .mark_point(shape="triangle-down", size=2 * size, filled=True, color=ink, opacity=1)
        .encode(x=x("mid"))
    )
    outline = (
        base.transform_filter("datum.selected")
        .mark_rect(cornerRadius=3, fillOpacity=0, stroke=ink, strokeWidth=2)
        .encode(x2="x2:Q", y2="y2:Q")
    )
    names = (
        alt.Chart(pl.DataFrame(lanes, schema={"name": pl.String, "x": pl.Float64, "y": pl.Float64}))
        .mark_text(align="left", baseline="middle", fontSize=12, color=ink)
        .encode(x=x("x"), y=y("y"), text="name:N")
    )
    layers = (squares, letters, errors, rescues, outline, names)
    drawn: alt.LayerChart = (
        alt.layer(*layers)
        .properties(
            width=columns * size,
            height=height * size,
            padding={"top": 6, "left": 2, "right": 2, "bottom": 2},
        )
        .configure_view(stroke=None)
    )
    return drawn


def _placed(
    strip: Sequence[Cell], selected: tuple[str, int] | None, columns: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int]:
    """The cells and the lanes' names with their coordinates (in cells), and the number of rows."""
    agents = list(dict.fromkeys(cell.agent for cell in strip))
    data: list[dict[str, Any]] = []
    lanes: list[dict[str, Any]] = []
    row = 0
    for agent in agents:
        own = [cell for cell in strip if cell.agent == agent]
        if len(agents) > 1:
            lanes.append({"name": one_line(agent, 60) or "(no agent name)", "x": 0.1, "y": row + 0.55})
            row += 1
        for place, cell in enumerate(own):
            column, top = place % columns, row + place // columns
            data.append(
                {
                    "index": cell.index,
                    "round": cell.round,
                    "tool": cell.tool,
                    "arguments": cell.arguments,
                    "letter": cell.letter if len(cell.letter) < 3 else "",
                    "color": cell.color,
                    "error": cell.is_error,
                    "rescued": cell.rescued,
                    "selected": (cell.agent, cell.round) == selected,
                    "repeats": f"{cell.times} times" if cell.times > 1 else "once",
                    "state": ", ".join(
                        word for word, holds in (("error", cell.is_error), ("rescued", cell.rescued)) if holds
                    )
                    or "ok",
                    "x": column + 0.05,
                    "x2": column + 0.95,
                    "mid": column + 0.5,
                    "y": top + 0.05,
                    "y2": top + 0.95,
                    "center": top + 0.5,
                    "bar": top + 0.8,
                    "bar2": top + 0.95,
                }
            )
        row += (len(own) + columns - 1) // columns
    return data, lanes, row
