"""The filter of the Sessions page. The address holds it: it can be shared, and Back works."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dashboard.kinds import SEVERITIES, kind_of, worded

PERIODS = {"24h": "Last 24 hours", "7d": "Last 7 days", "30d": "Last 30 days", "90d": "Last 90 days"}
ORDERS = {
    "flagged": "Flagged first",
    "started_at": "Newest first",
    "rounds": "Most rounds",
    "tool_calls": "Most calls",
    "findings": "Most findings",
    "rescues": "Most rescues",
}
NAMES = ("q", "since", "until", "kind", "severity", "model", "agent", "service", "tool", "rescue", "flagged")
_KEY = "filter."


def current() -> dict[str, str]:
    """The filter in the address."""
    return {name: st.query_params[name] for name in NAMES if st.query_params.get(name)}


def _write(name: str) -> None:
    """Put a widget's new value into the address; another filter starts at the first page."""
    value = st.session_state[_KEY + name]
    st.query_params.pop("page", None)
    if value:
        st.query_params[name] = "true" if value is True else str(value)
    else:
        st.query_params.pop(name, None)


def clear() -> None:
    """Take every filter out of the address."""
    for name in (*NAMES, "page"):
        st.query_params.pop(name, None)


def _choice(
    name: str, label: str, options: list[str], everything: str, worded_as: Callable[[str], str] = str
) -> None:
    """A select box over `options`, and over the value in the address where that is another one."""
    value = st.query_params.get(name)
    st.session_state[_KEY + name] = value or None
    st.selectbox(
        label,
        [*options, *([value] if value and value not in options else [])],
        key=_KEY + name,
        placeholder=everything,
        index=None,
        format_func=worded_as,
        on_change=_write,
        args=(name,),
    )


def show(facets: Mapping[str, Any]) -> None:
    """The filter's widgets, set from the address."""
    first = st.columns([2.2, 1, 1, 1, 1], vertical_alignment="bottom")
    second = st.columns([1.1, 1.1, 1, 1, 1, 1], vertical_alignment="bottom")
    with first[0]:
        st.session_state[_KEY + "q"] = st.query_params.get("q", "")
        st.text_input(
            "Text",
            key=_KEY + "q",
            placeholder="in arguments, results and texts",
            on_change=_write,
            args=("q",),
            type="search",
        )
    with first[1]:
        _choice("since", "Time", list(PERIODS), "Any time", lambda v: PERIODS.get(v, f"Since {v}"))
    with first[2]:
        _choice("kind", "Finding", facets["kinds"], "Any kind", lambda v: kind_of(v).name)
    with first[3]:
        _choice("severity", "Severity", list(SEVERITIES), "Any", lambda v: SEVERITIES.get(v, (v,))[0])
    with first[4]:
        _choice("rescue", "Rescue", facets["rescues"], "Any rescue", worded)
    with second[0]:
        _choice("model", "Model", facets["models"], "Any model")
    with second[1]:
        _choice("agent", "Agent", facets["agents"], "Any agent")
    with second[2]:
        _choice("service", "Service", facets["services"], "Any service")
    with second[3]:
        _choice("tool", "Tool", facets["tools"], "Any tool")
    with second[4]:
        st.session_state["order"] = st.query_params.get("order", "flagged")
        st.selectbox(
            "Order", list(ORDERS), key="order", format_func=lambda v: ORDERS.get(v, v), on_change=_write_order
        )
    with second[5]:
        st.session_state[_KEY + "flagged"] = st.query_params.get("flagged") == "true"
        st.toggle("Flagged only", key=_KEY + "flagged", on_change=_write, args=("flagged",))


def _write_order() -> None:
    st.query_params.pop("page", None)
    if st.session_state["order"] == "flagged":
        st.query_params.pop("order", None)
    else:
        st.query_params["order"] = st.session_state["order"]
