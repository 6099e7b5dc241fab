"""The dashboard's entry point: `streamlit run dashboard/app.py`.

TIGHTROPE_URL and TIGHTROPE_TOKEN say where the query API is. With a token set, whoever opens the
dashboard must give it as well.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from collector.errors import TightropeError, UnreachableError
from dashboard import gate, links
from dashboard.text import visible

HERE = Path(__file__).parent

st.set_page_config(page_title="Tightrope", page_icon=str(HERE / "mark.svg"), layout="wide")
st.html(HERE / "style.css")
with st.container(key="history"):
    st.html(f"<script>{(HERE / 'history.js').read_text('utf-8')}</script>", unsafe_allow_javascript=True)
st.logo(str(HERE / "logo.svg"), size="large")
page = st.navigation(
    [
        st.Page(links.OVERVIEW, title="Overview", url_path="overview", default=True),
        st.Page(links.SESSIONS, title="Sessions", url_path="sessions"),
        st.Page(links.SESSION, title="Session", url_path="session", visibility="hidden"),
        st.Page(links.SQL, title="SQL", url_path="sql"),
    ],
    position="top",
)
try:
    if gate.is_open():
        page.run()
except TightropeError as error:
    unreachable = isinstance(error, UnreachableError)
    st.header("The service does not answer" if unreachable else "This cannot be shown", anchor=False)
    st.text(visible(str(error)))
    st.button("Try again", type="primary")
