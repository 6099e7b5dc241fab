"""The token that a visitor must give where the service has one."""

from __future__ import annotations

import hmac

import streamlit as st

from dashboard.data import settings


def is_open() -> bool:
    """Whether this visitor may read; shows the form that asks for the token where not."""
    token = settings().token
    if not token or st.session_state.get("admitted"):
        return True
    with st.form("token", width=420):
        st.subheader("Token")
        given = st.text_input("The token that the service was started with", type="password")
        if st.form_submit_button("Open", type="primary"):
            if hmac.compare_digest(given.encode(), token.encode()):
                st.session_state["admitted"] = True
                st.rerun()
            st.text("That is not the token. It is the value of TIGHTROPE_TOKEN.")
    return False
