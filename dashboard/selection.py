"""Which round of a session is shown: the address says it, and the strip, tables and buttons set it."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

STRIP, TABLE, CLAIMS, STEP = "strip", "rounds", "claims", "step"
_SCROLL, _SCROLLED = "scroll", "scrolled"


def open_round(agent: str, number: int, source: str = "") -> None:
    """Put the round into the address.

    A round that was chosen elsewhere than among the rounds shown may be in another part of the session.
    The strip and the tables, where they are not the `source`, are drawn anew: what was clicked in them
    before would otherwise stay selected, and a click on it would do nothing.
    """
    st.query_params.update({"round": str(number), "agent": agent})
    if not source:
        st.query_params.pop("part", None)
    redraw({STRIP, TABLE, CLAIMS} - {source})


def show_round(agent: str, number: int) -> None:
    """Open the round and have the page scroll to it: it is below what was clicked."""
    open_round(agent, number)
    st.session_state[_SCROLL] = True


def scroll_to(key: str) -> None:
    """Scroll to the container `key`, once after `show_round` and not when the page is drawn again."""
    if st.session_state.pop(_SCROLL, False):
        times = st.session_state[_SCROLLED] = st.session_state.get(_SCROLLED, 0) + 1
        # A script runs when its text changes: hence the number in it.
        st.html(
            f"<script>/* {times} */ document.querySelector('.st-key-{key}').scrollIntoView()</script>",
            unsafe_allow_javascript=True,
        )


def open_part(part: int) -> None:
    """Put a part of the session into the address, and no round of it."""
    st.query_params["part"] = str(part)
    for name in ("round", "agent"):
        st.query_params.pop(name, None)
    redraw({STRIP, TABLE, CLAIMS})


def redraw(names: Iterable[str]) -> None:
    """Have these drawn anew, with nothing selected in them."""
    for name in names:
        st.session_state[f"{name}.drawn"] = st.session_state.get(f"{name}.drawn", 0) + 1


def drawn_key(name: str) -> str:
    """The widget key of the strip or of a table as it is drawn now."""
    return f"{name}.{st.session_state.get(f'{name}.drawn', 0)}"
