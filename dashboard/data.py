"""What the pages read: the query API, each answer kept for a few seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from collector.client import Client, RefusedError, SqlFrame
from collector.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

KEPT_SECONDS = 3
SQL_ROWS = 10_000
PART = 1_000
"""How many rounds of a session are shown at once."""
_ENTRIES = 64

Row = dict[str, Any]


@st.cache_resource
def settings() -> Settings:
    """The settings of this process, from its environment and settings file."""
    return load_settings()


@st.cache_resource
def _client() -> Client:
    return Client(settings().url, settings().token)


@st.cache_data(ttl=KEPT_SECONDS, max_entries=_ENTRIES, show_spinner=False)
def overview(since: str, bucket: Literal["hour", "day", "week"]) -> Row:
    """Sessions, findings and rescues over time, the tools that fail, the models."""
    return _client().overview(since=since, bucket=bucket)


@st.cache_data(ttl=KEPT_SECONDS, max_entries=1, show_spinner=False)
def facets() -> dict[str, list[str]]:
    """The values one can filter by."""
    return _client().facets()


@st.cache_data(ttl=KEPT_SECONDS, max_entries=_ENTRIES, show_spinner=False)
def sessions(**filters: Any) -> Row:
    """A page of the sessions that match, and how many do."""
    return _client().sessions(**filters)


@st.cache_data(ttl=KEPT_SECONDS, max_entries=1, show_spinner=False)
def plain_traces() -> Row:
    """The newest traces in which no agent was recognised, and how many there are."""
    return _client().plain_traces()


@st.cache_data(ttl=KEPT_SECONDS, max_entries=8, show_spinner=False)
def session(session_id: str, service: str | None, part: int) -> Row:
    """One session with one part of its rounds (counted from 0), long texts cut. Raises RefusedError."""
    return _client().session(session_id, service, rounds_from=part * PART, rounds_limit=PART)


@st.cache_data(ttl=KEPT_SECONDS, max_entries=_ENTRIES, show_spinner=False)
def round_of(session_id: str, service: str, number: int, agent: str) -> Row | None:
    """One round whole, with its calls as `tool_calls`; None where the session has no such round."""
    try:
        found = _client().round(session_id, number, service, agent)
    except RefusedError as error:
        if error.status == 404:
            return None
        raise
    return {**found["round"], "tool_calls": found["tool_calls"]}


@st.cache_data(ttl=KEPT_SECONDS, max_entries=_ENTRIES, show_spinner=False)
def claims(session_id: str, service: str) -> Sequence[Row]:
    """The claim ledger of a session."""
    found: Sequence[Row] = _client().claims(session_id, service)["claims"]
    return found


@st.cache_data(ttl=KEPT_SECONDS, max_entries=4, show_spinner=False)
def sql(statement: str) -> SqlFrame:
    """The first 10,000 rows of a statement. Raises SqlError where it is refused."""
    return _client().run_sql(statement, max_rows=SQL_ROWS)


def give_verdict(finding_id: str, verdict: Literal["true", "false", "ignored"] | None) -> None:
    """Store a person's word on a finding."""
    _client().give_verdict(finding_id, verdict)
    session.clear()
