"""Pieces that several pages show."""

from __future__ import annotations

from typing import Any, cast

import streamlit as st

from dashboard.data import settings
from dashboard.kinds import KINDS, SEVERITIES, kind_of
from dashboard.text import plain, shown

_LINE = 21
_MOST = 340
_TABLE_HEADER, _TABLE_ROW = 36, 33


def is_dark() -> bool:
    """Whether the visitor's theme is the dark one."""
    return st.context.theme.type == "dark"


def ink() -> str:
    """The colour of lines and words drawn in charts."""
    return "#e6ecee" if is_dark() else "#1c2427"


def block(text: str, *, width: int = 90) -> None:
    """Telemetry in a box of its own: plain text, cut with a note where it is very long.

    `width` is about how many characters a line takes, and only sets the box's height.
    """
    body, note = shown(text)
    lines = sum(1 + len(line) // width for line in body.split("\n")) if len(body) < 4000 else 99
    tall = lines * _LINE + 34 > _MOST
    st.code(body or " ", language=None, wrap_lines=True, height=_MOST if tall else "content")
    if note:
        st.caption(f"{note} shown")


def severity_badge(severity: str) -> None:
    """A severity in its colour."""
    name, color = SEVERITIES.get(severity, (plain(severity), "gray"))
    st.badge(name, color=color)


def kinds_column(label: str, **options: Any) -> Any:
    """A table column of finding kinds, each in its colour."""
    return st.column_config.MultiselectColumn(
        label,
        options=[kind.name for kind in KINDS.values()],
        color=[kind.color for kind in KINDS.values()],
        accept_new_options=True,
        **options,
    )


def kind_names(kinds: list[str] | None) -> list[str]:
    """The names of kinds, for `kinds_column`."""
    return [kind_of(kind).name for kind in kinds or []]


def first_run() -> None:
    """What to do while nothing is stored yet."""
    url = settings().url
    st.subheader("No run has arrived yet")
    st.text("Point an agent's OpenTelemetry exporter here, and its runs appear on this page:")
    lines = [f"export OTEL_EXPORTER_OTLP_ENDPOINT={url}", "export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf"]
    if settings().token:
        lines.append('export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20$TIGHTROPE_TOKEN"')
    st.code("\n".join(lines), language="bash")
    st.text("Or load the sample runs, one for each kind of failure and some without any:")
    st.code("tightrope demo", language="bash")
    st.button("Look again", type="primary")


def table_height(rows: int, tallest: int) -> int:
    """The height in pixels of a table that shows all its rows, if that is not more than `tallest`."""
    return min(_TABLE_HEADER + _TABLE_ROW * rows, tallest)


def selected_cell(event: Any) -> tuple[int, str] | None:
    """The row and column of the cell that was clicked in a table."""
    cells = cast("list[tuple[int, str]]", event["selection"]["cells"])
    return cells[0] if cells else None
