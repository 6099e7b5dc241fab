"""Addresses of the dashboard's pages, and the SQL behind what they show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Not in a folder named `pages`: Streamlit would serve that by itself, past the token and the frame.
OVERVIEW = "screens/overview.py"
SESSIONS = "screens/sessions.py"
SESSION = "screens/session.py"
SQL = "screens/sql.py"


def session_params(session: Mapping[str, Any]) -> dict[str, str]:
    """The query parameters that open a session."""
    return {"session": session["session_id"], "service": session["service_name"]}


def literal(text: str) -> str:
    """The text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def finding_sql(finding: Mapping[str, Any]) -> str:
    """The statement that shows the calls a finding rests on."""
    where = [
        f"service_name = {literal(finding['service_name'])}",
        f"session_id = {literal(finding['session_id'])}",
    ]
    if finding["agent_name"]:
        where.append(f"agent_name = {literal(finding['agent_name'])}")
    if finding["round"] is not None:
        last = finding["last_round"] if finding["last_round"] is not None else finding["round"]
        where.append(f"round BETWEEN {int(finding['round'])} AND {int(last)}")
    condition = "\n  AND ".join(where)
    return (
        "SELECT round, position, requested_tool, tool, arguments, result, is_error, changed\n"
        f"FROM tool_calls\nWHERE {condition}\nORDER BY started_at, round, position"
    )
