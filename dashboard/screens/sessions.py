"""All sessions: filtered, flagged first; a click opens one."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dashboard import data, filters, links, view
from dashboard.kinds import SEVERITIES, worded
from dashboard.text import moment, one_line, worded_count

PAGE = 50


def _row(session: dict[str, Any]) -> dict[str, Any]:
    calls, distinct = session["tool_calls"] or 0, session["distinct_calls"] or 0
    return {
        "severity": SEVERITIES[session["max_severity"]][0] if session["max_severity"] in SEVERITIES else "",
        "started": moment(session["started_at"]) if session["started_at"] else None,
        "session": one_line(session["session_id"], 80),
        "findings": view.kind_names(session["kinds"]),
        "service": one_line(session["service_name"], 60),
        "agent": one_line(session["agent_name"], 60),
        "model": one_line(session["model"], 60),
        "rounds": session["rounds"],
        "calls": f"{distinct} of {calls}" if calls else "",
        "rescues": session["rescues"] or None,
        "outcome": worded(one_line(session["outcome"], 40))
        + (", content not captured" if session["not_captured"] else ""),
    }


def _table(sessions: list[dict[str, Any]]) -> None:
    column = st.column_config
    event = st.dataframe(
        [_row(session) for session in sessions],
        key=f"sessions.{urlencode(st.query_params.to_dict())}",  # no selection outlives its rows
        hide_index=True,
        height=view.table_height(len(sessions), 640),
        placeholder="",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "severity": column.TextColumn("Severity", width=65),
            "started": column.DatetimeColumn("Started (UTC)", format="D MMM, HH:mm:ss", width=120),
            "session": column.TextColumn("Session", width=190),
            "findings": view.kinds_column("Findings", width=205),
            "service": column.TextColumn("Service", width=110),
            "agent": column.TextColumn("Agent", width=100),
            "model": column.TextColumn("Model", width=120),
            "rounds": column.NumberColumn("Rounds", width=60),
            "calls": column.TextColumn("Distinct calls", width=85, help="Distinct calls of all tool calls"),
            "rescues": column.NumberColumn("Rescues", width=60),
            "outcome": column.TextColumn("Outcome", width=90),
        },
    )
    chosen = view.selected_cell(event)
    if chosen:
        st.switch_page(links.SESSION, query_params=links.session_params(sessions[chosen[0]]))


def _page() -> None:
    wanted = filters.current()
    number = max(1, int(text)) if (text := st.query_params.get("page", "1")).isdecimal() else 1
    st.title("Sessions")
    filters.show(data.facets())
    order = st.query_params.get("order", "flagged")
    found = data.sessions(
        **wanted,
        order=order if order in filters.ORDERS else "flagged",
        limit=PAGE,
        offset=(number - 1) * PAGE,
    )
    total, sessions = found["total"], found["sessions"]
    if not total and not wanted:
        view.first_run()
        _plain_traces(expanded=True)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        first = (number - 1) * PAGE + 1
        st.text(
            f"{first:,}–{first + len(sessions) - 1:,} of {worded_count(total, 'session')}"
            if sessions
            else f"0 of {worded_count(total, 'session')}"
        )
        if wanted:
            st.button("Clear the filter", on_click=filters.clear, type="tertiary")
    if not sessions:
        st.text("No session matches this filter.")
    else:
        _table(sessions)
    pages = (total + PAGE - 1) // PAGE
    if pages > 1:
        key = f"page.{number}"
        st.pagination(pages, default=min(number, pages), key=key, on_change=_turn, args=(key,))
    _plain_traces(expanded=False)


def _plain_traces(*, expanded: bool) -> None:
    """Traces that no dialect knew: what one misses among the sessions may be here."""
    found = data.plain_traces()
    if not found["total"]:
        return
    title = f"{worded_count(found['total'], 'trace')} in which no agent was recognised"
    with st.expander(title, expanded=expanded):
        st.caption(
            "Stored, and in no session. `tightrope doctor --trace ID` says what of one was not understood."
        )
        st.dataframe(
            [_plain_row(trace) for trace in found["traces"]],
            key="plain",
            hide_index=True,
            column_config={
                "started": st.column_config.DatetimeColumn("Started (UTC)", format="D MMM, HH:mm:ss"),
                "trace": st.column_config.TextColumn("Trace", width=270),
                "service": "Service",
                "root": "Root span",
                "spans": st.column_config.NumberColumn("Spans", width=60),
                "scopes": "Instrumentation scopes",
            },
        )
        if found["total"] > len(found["traces"]):
            st.caption(f"The newest {len(found['traces'])} of {found['total']:,}.")


def _plain_row(trace: dict[str, Any]) -> dict[str, Any]:
    return {
        "started": moment(trace["started_at"]),
        "trace": trace["trace_id"],
        "service": one_line(trace["service_name"], 60),
        "root": one_line(trace["root_name"], 80),
        "spans": trace["spans"],
        "scopes": one_line(", ".join(scope for scope in trace["scopes"] if scope), 120),
    }


def _turn(key: str) -> None:
    st.query_params["page"] = str(st.session_state[key])


_page()
