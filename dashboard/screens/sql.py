"""SQL over the stored tables: an editor, examples, the result as a table and as CSV."""

from __future__ import annotations

import json

import polars as pl
import streamlit as st

from collector.errors import TightropeError
from dashboard import data, view
from dashboard.text import visible, worded_count

EXAMPLES = {
    "Rescues by model, this week": """\
SELECT model, name, sum(count) AS rescues, sum(rounds) AS rounds,
       round(100.0 * sum(count) / nullif(sum(rounds), 0), 2) AS per_100_rounds
FROM rescue_rates
WHERE day >= current_date - 7
GROUP BY ALL
ORDER BY per_100_rounds DESC NULLS LAST""",
    "Flagged share by agent": """\
SELECT agent_name, count(*) AS sessions, count(*) FILTER (flagged) AS flagged,
       round(100.0 * count(*) FILTER (flagged) / count(*), 1) AS percent
FROM sessions
GROUP BY ALL
ORDER BY percent DESC""",
    "Calls repeated most often in one session": """\
SELECT session_id, service_name, tool, left(arguments::VARCHAR, 120) AS arguments, count(*) AS times
FROM tool_calls
GROUP BY session_id, service_name, tool, fingerprint, arguments::VARCHAR
HAVING count(*) > 2
ORDER BY times DESC
LIMIT 50""",
    "Tools that fail": """\
SELECT tool, count(*) AS calls, count(*) FILTER (is_error) AS errors,
       round(100.0 * count(*) FILTER (is_error) / count(*), 1) AS percent
FROM tool_calls
GROUP BY ALL
HAVING errors > 0
ORDER BY errors DESC""",
    "Findings that cost most": """\
SELECT kind, session_id, service_name, title, wasted_calls, wasted_tokens
FROM findings
ORDER BY wasted_tokens DESC NULLS LAST
LIMIT 50""",
}
TABLES = {
    "sessions": "one row for each agent run",
    "rounds": "one for each model turn",
    "tool_calls": "one for each tool call",
    "findings": "what went wrong, with evidence and verdict",
    "rescues": "what a safety net caught",
    "tools": "the tools that the model was offered",
    "rescue_rates, finding_rates": "counts by day, agent and model",
    "spans, log_records, metric_points": "the telemetry as it came",
    "alerts": "alert rules that fired",
}
_HEIGHT, _ROWS_SHOWN, _TEXT = 220, 480, 1000


def _take_example() -> None:
    if st.session_state["example"]:
        st.session_state["sql"] = st.session_state["ran"] = EXAMPLES[st.session_state["example"]]


def _result(statement: str) -> None:
    try:
        result = data.sql(statement)
    except TightropeError as error:
        st.markdown("**The statement was refused**")
        st.text(visible(str(error)))
        return
    frame = result.frame
    with st.container(horizontal=True, vertical_alignment="center"):
        more = "the first " if result.truncated else ""
        st.text(f"{more}{worded_count(frame.height, 'row')}, {worded_count(frame.width, 'column')}")
        st.download_button(
            "Download CSV", lambda: _csv(frame), file_name="result.csv", mime="text/csv", on_click="ignore"
        )
    st.dataframe(
        _shown(frame),
        hide_index=True,
        placeholder="",
        height=view.table_height(max(frame.height, 1), _ROWS_SHOWN),
    )


def _shown(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows as the table shows them: texts cut, and with nothing hidden in them."""
    texts = pl.col(pl.String).str.slice(0, _TEXT)
    return frame.with_columns(texts.map_elements(visible, return_dtype=pl.String))


def _csv(frame: pl.DataFrame) -> str:
    """The rows as CSV; a list or a struct is written as JSON, since CSV has neither."""
    nested = [name for name, kind in frame.schema.items() if kind.is_nested()]
    texts = [
        pl.Series(name, [json.dumps(value, default=str) for value in frame[name].to_list()])
        for name in nested
    ]
    return frame.with_columns(texts).write_csv()


def _page() -> None:
    st.title("SQL", anchor=False)
    first = next(iter(EXAMPLES.values()))
    st.session_state.setdefault("sql", first)
    st.session_state.setdefault("ran", first)
    editor, help_text = st.columns([2.4, 1], gap="medium")
    with editor:
        st.selectbox(
            "Example",
            list(EXAMPLES),
            index=None,
            key="example",
            placeholder="Take an example",
            on_change=_take_example,
        )
        statement = st.text_area("Statement (DuckDB, read-only)", key="sql", height=_HEIGHT)
        run = st.button("Run", type="primary", shortcut="Ctrl+Enter")
    with help_text:
        st.markdown("**Tables and views**")
        st.markdown("\n".join(f"- `{name}`: {meaning}" for name, meaning in TABLES.items()))
        st.caption("Join on service_name and session_id. Times are UTC. A column named at must be quoted.")
    if run:
        st.session_state["ran"] = statement
    _result(st.session_state["ran"])


_page()
