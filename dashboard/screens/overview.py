"""What happened lately: sessions, findings, rescues, failing tools, models; each leads to its sessions."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

import streamlit as st

from dashboard import charts, data, links, view
from dashboard.filters import PERIODS
from dashboard.kinds import FAMILIES, NET_COLORS, kind_of
from dashboard.text import moment, one_line, plain

Bucket = Literal["hour", "day", "week"]
BUCKETS: dict[str, Bucket] = {"24h": "hour", "7d": "day", "30d": "day", "90d": "week"}
_LENGTHS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}
_TABLE = 280


def _sum(rows: Sequence[Mapping[str, Any]], field: str) -> int:
    return sum(row[field] or 0 for row in rows)


def _figure(label: str, value: str, note: str, **filters: str) -> None:
    """A number, and the link to the sessions behind it."""
    with st.container(border=True):
        st.metric(label, value, help=note)
        st.page_link(links.SESSIONS, label="See the sessions", query_params=filters)


def _figures(shown: Mapping[str, Any], since: str) -> None:
    total, flagged = _sum(shown["sessions"], "sessions"), _sum(shown["sessions"], "flagged")
    findings, rescues = _sum(shown["findings"], "count"), _sum(shown["rescues"], "count")
    rounds = _sum(shown["sessions"], "rounds")
    columns = st.columns(4)
    with columns[0]:
        _figure("Sessions", f"{total:,}", "Agent runs that began in this time", since=since)
    with columns[1]:
        value = f"{flagged:,} · {100 * flagged / total:.0f} %"
        _figure("Flagged", value, "Runs with a warning or a critical finding", since=since, flagged="true")
    with columns[2]:
        _figure("Findings", f"{findings:,}", "Failures found in these runs", since=since, order="findings")
    with columns[3]:
        rate = f": {100 * rescues / rounds:.1f} per 100 rounds" if rounds else ""
        note = f"Times a safety net caught the model{rate}"
        _figure("Rescues", f"{rescues:,}", note, since=since, order="rescues")


def _open_bar(key: str, name: str, bucket: Bucket) -> None:
    """Go to the sessions behind the bar that was clicked."""
    points = st.session_state[key]["selection"]["bar"]
    if points:
        start = moment(points[0]["bucket"])
        until = start + _LENGTHS[bucket]
        st.session_state["go"] = {
            name: points[0]["id"],
            "since": f"{start:%Y-%m-%dT%H:%MZ}",
            "until": f"{until:%Y-%m-%dT%H:%MZ}",
        }


def _over_time(shown: Mapping[str, Any], since: str, bucket: Bucket) -> None:
    buckets = [row["bucket"] for row in shown["sessions"]]
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        st.subheader("Findings by kind", anchor=False)
        counts = _counts(shown["findings"], "kind")
        if not counts:
            st.caption("No finding in this time")
        else:
            series = {key: (kind_of(key).name, kind_of(key).color) for key in counts}
            chart = charts.over_time(shown["findings"], buckets, bucket, series, "kind")
            st.altair_chart(chart, key="findings", on_select=lambda: _open_bar("findings", "kind", bucket))
            _counted(
                counts, {key: (kind_of(key).name, kind_of(key).meaning) for key in counts}, "kind", since
            )
    with right, st.container(border=True, height="stretch"):
        st.subheader("Rescues", anchor=False)
        counts = _counts(shown["rescues"], "name")
        if not counts:
            st.caption("No safety net acted in this time")
        else:
            palette = itertools.cycle(NET_COLORS)
            series = {name: (one_line(name, 60), next(palette)) for name in sorted(counts)}
            chart = charts.over_time(shown["rescues"], buckets, bucket, series, "name")
            st.altair_chart(chart, key="rescues", on_select=lambda: _open_bar("rescues", "rescue", bucket))
            families = {row["name"]: FAMILIES.get(row["family"], row["family"]) for row in shown["rescues"]}
            _counted(counts, {name: (name, f"Family: {families[name]}") for name in counts}, "rescue", since)


def _counts(rows: Sequence[Mapping[str, Any]], field: str) -> Counter[str]:
    counts = Counter[str]()
    for row in rows:
        counts[row[field]] += row["count"]
    return counts


def _counted(counts: Counter[str], names: Mapping[str, tuple[str, str]], field: str, since: str) -> None:
    """The counts in a row, each a link. `names` gives each value its name and its meaning."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        for value, count in counts.most_common():
            name, meaning = names[value]
            st.page_link(
                links.SESSIONS,
                label=f"{plain(name, 60)} **{count:,}**",
                help=plain(meaning) or None,
                query_params={field: value, "since": since},
                width="content",
            )


def _failing_tools(tools: Sequence[Mapping[str, Any]], since: str) -> None:
    st.subheader("Tools that fail most", anchor=False)
    if not tools:
        st.caption("No tool call failed in this time")
        return
    column = st.column_config
    event = st.dataframe(
        [
            {
                "tool": one_line(row["tool"], 60),
                "errors": row["errors"],
                "calls": row["calls"],
                "share": 100 * row["error_share"],
            }
            for row in tools
        ],
        key="tools",
        hide_index=True,
        height=view.table_height(len(tools), _TABLE),
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "tool": column.TextColumn("Tool"),
            "errors": column.NumberColumn("Errors", width=75),
            "calls": column.NumberColumn("Calls", width=75),
            "share": column.ProgressColumn("Failed", format="%.0f %%", min_value=0, max_value=100, width=130),
        },
    )
    if cell := view.selected_cell(event):
        st.switch_page(links.SESSIONS, query_params={"tool": tools[cell[0]]["tool"], "since": since})


def _models(models: Sequence[Mapping[str, Any]], since: str) -> None:
    st.subheader("Models", anchor=False)
    if not models:
        st.caption("No model is named in this time")
        return
    column = st.column_config
    event = st.dataframe(
        [
            {
                "model": one_line(row["model"], 60) or "(not named)",
                "sessions": row["sessions"],
                "flagged": 100 * row["flagged"] / row["sessions"],
                "findings": row["findings"],
                "rescues": 100 * (row["rescues"] or 0) / row["rounds"] if row["rounds"] else None,
            }
            for row in models
        ],
        key="models",
        hide_index=True,
        height=view.table_height(len(models), _TABLE),
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "model": column.TextColumn("Model"),
            "sessions": column.NumberColumn("Sessions", width=75),
            "flagged": column.ProgressColumn(
                "Flagged", format="%.0f %%", min_value=0, max_value=100, width=130
            ),
            "findings": column.NumberColumn("Findings", width=75),
            "rescues": column.NumberColumn("Rescues / 100 rounds", format="%.1f", width=130),
        },
    )
    cell = view.selected_cell(event)
    if cell and models[cell[0]]["model"]:
        st.switch_page(links.SESSIONS, query_params={"model": models[cell[0]]["model"], "since": since})


def _tables(shown: Mapping[str, Any], since: str) -> None:
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        _failing_tools(shown["failing_tools"], since)
    with right, st.container(border=True, height="stretch"):
        _models(shown["models"], since)


def _keep_period() -> None:
    st.query_params["since"] = st.session_state["period"]


def _page() -> None:
    if target := st.session_state.pop("go", None):
        st.switch_page(links.SESSIONS, query_params=target)
    since = st.query_params.get("since", "7d")
    since = since if since in BUCKETS else "7d"
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.title("Overview", anchor=False)
        st.session_state["period"] = since
        st.segmented_control(
            "Time", list(BUCKETS), format_func=lambda v: PERIODS[v], key="period", required=True,
            on_change=_keep_period, label_visibility="collapsed",
        )  # fmt: skip
    shown = data.overview(since, BUCKETS[since])
    if not _sum(shown["sessions"], "sessions"):
        if not data.sessions(limit=1)["total"]:
            view.first_run()
            return
        st.text("No run began in this time.")
        st.page_link(links.SESSIONS, label="All sessions")
        return
    _figures(shown, since)
    _over_time(shown, since, BUCKETS[since])
    _tables(shown, since)


_page()
