"""One round whole: what the model said beside the calls that were parsed from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard.rows import against, change_label, tool_label
from dashboard.text import Segment, duration, moment, plain, pretty, segments
from dashboard.view import block


def leaks_of(findings: Iterable[Mapping[str, Any]], turn: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The leaks that the findings' evidence names in a round."""
    return [
        leak
        for finding in findings
        if finding["kind"] == "leaked_tool_call" and (finding["agent_name"] or "") == turn["agent_name"]
        for leak in (finding["evidence"] or {}).get("leaks", ())
        if leak["round"] == turn["round"]
    ]


def round_view(
    turn: Mapping[str, Any],
    rescues: Sequence[Mapping[str, Any]],
    findings: Sequence[Mapping[str, Any]],
    previous: Mapping[int, Mapping[str, Any]],
) -> None:
    """Draw the round with its `rescues`. `previous` holds, by position, the previous call of that tool."""
    leaks = leaks_of(findings, turn)
    said, called = st.columns(2, gap="medium")
    with said:
        if turn["user_text"]:
            st.markdown("**User**")
            block(turn["user_text"], width=70)
        if turn["reasoning"]:
            st.markdown("**Reasoning**")
            _marked(turn["reasoning"], "reasoning", leaks)
        st.markdown("**Assistant, as it wrote it**")
        if turn["text"]:
            _marked(turn["text"], "text", leaks)
        else:
            st.caption("No text in this round")
        if turn["error"]:
            st.markdown("**Error of the model call**")
            _marked(turn["error"], "error", leaks)
    with called:
        st.markdown("**Calls, as they were parsed**")
        if not turn["tool_calls"]:
            st.caption("No tool call was parsed from this round")
        for rescue in rescues:
            _rescue(rescue)
        for leak in leaks:
            for call in leak["calls"]:
                _lost_call(call)
        for call in turn["tool_calls"]:
            _call(call, previous.get(call["position"]))


def _marked(text: str, place: str, leaks: Iterable[Mapping[str, Any]]) -> None:
    """The text, with the leaks of its `place` (`text`, `reasoning`, `error`) marked in it."""
    marks = [(leak["start"], leak["end"], leak["format"]) for leak in leaks if leak["place"] == place]
    pieces = segments(text, marks) if marks else [Segment(text)]
    for piece in pieces:
        if not piece.mark:
            block(piece.text, width=70)
            continue
        with st.container(border=True, gap="small"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.badge("Leaked call", color="red")
                st.caption(plain(f"format {piece.mark}" if piece.mark else "format unknown"), width="content")
            block(piece.text, width=66)


def _lost_call(call: Mapping[str, Any]) -> None:
    """A call that was read from leaked text."""
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{plain(call['name'])}**", width="content")
            st.badge("In the text only", color="red")
        st.caption("Arguments")
        block(pretty(call["arguments"]), width=66)


def _rescue(rescue: Mapping[str, Any]) -> None:
    """A safety net that acted in the round."""
    change = " → ".join(part for part in (rescue["original"], rescue["recovered"]) if part)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge("Rescue", color="violet")
        st.markdown(f"**{plain(rescue['name'])}**", width="content")
        st.caption(plain(": ".join(part for part in (change, rescue["note"]) if part), 400), width="content")


def _call(call: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{plain(tool_label(call))}**", width="content")
            if call["is_error"]:
                st.badge("Error", color="red")
            if call["changed"] is not None:
                st.badge(
                    "Changed" if call["changed"] else "Unchanged",
                    color="green" if call["changed"] else "orange",
                )
            if call["started_at"] and call["ended_at"]:
                took = moment(call["ended_at"]) - moment(call["started_at"])
                st.caption(duration(took.total_seconds()), width="content")
        st.caption("Arguments")
        block(pretty(call["arguments"]), width=66)
        if before is not None:
            st.caption("Against the previous call of this tool")
            st.text(against(before, call))
        if call["changed"] is not None:
            modified = ", ".join(call["fields_modified"] or [])
            st.caption(plain(change_label(call) + (f"; fields modified: {modified}" if modified else "")))
        if call["error"]:
            st.caption("Error")
            block(call["error"], width=66)
        st.caption("Result" if call["result"] is not None else "No result was recorded")
        if call["result"] is not None:
            block(pretty(call["result"]), width=66)
