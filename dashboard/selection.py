"""Which round of a session is shown: the address says it, and the strip, tables and buttons set it."""

from __future__ import annotations

import streamlit as st

STRIP, TABLE, CLAIMS = "strip", "rounds", "claims"


def open_round(agent: str, number: int, source: str = "") -> None:
    """Put the round into the address.

    The strip and the tables, where they are not the `source`, are drawn anew: what was clicked in them
    before would otherwise stay selected, and a click on it would do nothing.
    """
    st.query_params.update({"round": str(number), "agent": agent})
    for other in {STRIP, TABLE, CLAIMS} - {source}:
        st.session_state[f"{other}.drawn"] = st.session_state.get(f"{other}.drawn", 0) + 1


def drawn_key(name: str) -> str:
    """The widget key of the strip or of a table as it is drawn now."""
    return f"{name}.{st.session_state.get(f'{name}.drawn', 0)}"
