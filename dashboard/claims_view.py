"""The claim ledger: what the assistant said it did, and what its tools say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard.kinds import CLAIM_VERDICTS, worded
from dashboard.selection import CLAIMS, drawn_key, open_round
from dashboard.text import one_line, worded_count
from dashboard.view import table_height

_TALLEST = 360


def claims_table(claims: Sequence[Mapping[str, Any]]) -> None:
    """Draw the ledger; only a contradicted claim is a finding, the others are shown to be checked."""
    if not claims:
        st.caption("The assistant claims no act in its texts.")
        return
    st.caption(
        f"{worded_count(len(claims), 'claim')} in the assistant's texts, each with its verdict; only a "
        "contradicted one is a finding. Click a row to see the round of its evidence."
    )
    key = drawn_key(CLAIMS)

    def clicked() -> None:
        picked = st.session_state[key]["selection"]["cells"]
        if picked:
            claim = claims[picked[0][0]]
            place = claim["evidence"] or claim
            open_round(place["agent_name"], place["round"], CLAIMS)

    column = st.column_config
    st.dataframe(
        [
            {
                "round": claim["round"],
                "claim": one_line(claim["sentence"], 300),
                "verdict": [worded(claim["verdict"])],
                "reason": worded(claim["reason"]),
                "evidence": _evidence(claim["evidence"]),
            }
            for claim in claims
        ],
        key=key,
        hide_index=True,
        on_select=clicked,
        selection_mode="single-cell",
        height=table_height(len(claims), _TALLEST),
        column_config={
            "round": column.NumberColumn("Round", width=60),
            "claim": column.TextColumn("Claim", width=430),
            "verdict": column.MultiselectColumn(
                "Verdict",
                options=[worded(name) for name in CLAIM_VERDICTS],
                color=list(CLAIM_VERDICTS.values()),
                width=120,
            ),
            "reason": column.TextColumn("Reason", width=170),
            "evidence": column.TextColumn("Evidence", width=380),
        },
    )


def _evidence(call: Mapping[str, Any] | None) -> str:
    """The call that decided, in one line."""
    if not call:
        return ""
    parts = [f"round {call['round']}, {one_line(call['tool'], 60)}", one_line(call["field"], 60)]
    if call["hash_before"] or call["hash_after"]:
        parts.append(f"{one_line(call['hash_before'], 12)} → {one_line(call['hash_after'], 12)}")
    parts.append(one_line(call["excerpt"], 160))
    return ": ".join(part for part in parts if part)
