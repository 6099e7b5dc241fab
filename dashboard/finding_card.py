"""A finding as the Session page shows it: what was seen, what to do, and a person's word on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboard import data, links
from dashboard.kinds import VERDICTS, kind_of, page, worded
from dashboard.selection import show_round
from dashboard.text import plain, visible
from dashboard.view import severity_badge

_LONGEST = 2000


def finding_card(finding: Mapping[str, Any]) -> None:
    """Draw the finding with its verdict buttons and its SQL."""
    kind = kind_of(finding["kind"])
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            severity_badge(finding["severity"])
            st.markdown(f"**{plain(kind.name)}**", width="content")
            facts = [worded(finding["subkind"]), _place(finding), _waste(finding)]
            st.caption(plain(" · ".join(fact for fact in facts if fact)), width="content")
        st.markdown(f"**{plain(finding['title'], 400)}**")
        if finding["detail"] and finding["detail"] != finding["title"]:
            st.text(visible(finding["detail"][:_LONGEST]))
        if finding["advice"]:
            with st.container(horizontal=True, gap="small"):
                st.badge("What to do", color="green")
                st.text(visible(finding["advice"][:_LONGEST]), width="stretch")
        if finding["judge_verdict"]:
            with st.container(horizontal=True, gap="small"):
                st.badge("Second opinion", color="gray")
                st.text(visible(_opinion(finding)), width="stretch")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            _links(finding, kind.meaning)
            _verdicts(finding)


def _links(finding: Mapping[str, Any], meaning: str) -> None:
    with st.container(horizontal=True, gap="small", width="content"):
        if finding["round"] is not None:
            st.button(
                "Show the round",
                key=f"show.{finding['finding_id']}",
                on_click=show_round,
                args=(finding["agent_name"] or "", finding["round"]),
            )
        with st.popover("SQL"):
            st.text("The calls behind this finding:")
            st.code(visible(links.finding_sql(finding)), language=None)
        with st.popover("About this kind", type="tertiary"):
            text = page(finding["kind"])
            if text:
                st.markdown(text)
            else:
                st.text(meaning or finding["kind"])


def _verdicts(finding: Mapping[str, Any]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        st.caption("Your verdict", width="content")
        for verdict, name in VERDICTS.items():
            given = finding["verdict"] == verdict
            st.button(
                name,
                key=f"{verdict}.{finding['finding_id']}",
                type="primary" if given else "secondary",
                help="Given; click again to take it back" if given else None,
                on_click=data.give_verdict,
                args=(finding["finding_id"], None if given else verdict),
            )


def _opinion(finding: Mapping[str, Any]) -> str:
    reason = f": {finding['judge_reason'][:_LONGEST]}" if finding["judge_reason"] else ""
    return f"{finding['judge_model']} calls the claim {finding['judge_verdict']}{reason}"


def _place(finding: Mapping[str, Any]) -> str:
    first, last = finding["round"], finding["last_round"]
    if first is None:
        return "the whole run"
    return f"round {first}" if last in (None, first) else f"rounds {first} to {last}"


def _waste(finding: Mapping[str, Any]) -> str:
    parts = [
        f"{finding[name]:,} {what}"
        for name, what in (("wasted_calls", "calls"), ("wasted_tokens", "tokens"))
        if finding[name]
    ]
    return " and ".join(parts) + " wasted" if parts else ""
