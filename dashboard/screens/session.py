"""One session: what went wrong, the strip of its calls, its rounds, one round whole, its claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard import data, links, strip, view
from dashboard.claims_view import claims_table
from dashboard.finding_card import finding_card
from dashboard.kinds import SEVERITIES, worded
from dashboard.round_view import round_view
from dashboard.rounds_table import rounds_table
from dashboard.rows import Place, rescues_by_place, session_rows
from dashboard.selection import STEP, STRIP, drawn_key, open_part, open_round, scroll_to
from dashboard.text import counted, duration, moment, plain, worded_count

_STRIP = 260
ROUND = "round"


def _chosen(detail: Mapping[str, Any]) -> Place | None:
    """The round in the address; else the first with a finding, else the first of all."""
    places = [(turn["agent_name"], turn["round"]) for turn in detail["rounds"]]
    wanted, agent = st.query_params.get("round", ""), st.query_params.get("agent")
    if wanted.isdecimal():
        number = int(wanted)
        named = [place for place in places if place[1] == number and agent in (None, place[0])]
        if named or agent is not None:
            return named[0] if named else (agent or "", number)
        return (detail["session"]["agent_name"] or "", number)
    anchored = [
        (finding["agent_name"] or "", finding["round"])
        for finding in detail["findings"]
        if finding["round"] is not None
    ]
    return next((place for place in anchored if place in places), places[0] if places else None)


def _heading(session: Mapping[str, Any]) -> None:
    st.page_link(links.SESSIONS, label="All sessions", icon=":material/arrow_back:")
    st.title(plain(session["session_id"], 120), anchor=False)
    calls, distinct = session["tool_calls"] or 0, session["distinct_calls"] or 0
    facts = [
        ("Agent", session["agent_name"]),
        ("Model", session["model"]),
        ("Service", session["service_name"]),
        (
            "Started",
            f"{moment(session['started_at']):%d %b, %H:%M:%S} UTC" if session["started_at"] else None,
        ),
        ("Took", _took(session)),
        ("Rounds", f"{session['rounds'] or 0:,}"),
        ("Tool calls", f"{calls:,}, {distinct:,} distinct" if calls else "0"),
        ("Tool errors", f"{session['tool_errors'] or 0:,}"),
        ("Rescues", f"{session['rescues'] or 0:,}"),
        ("Tokens", _tokens(session)),
        ("Outcome", worded(session["outcome"])),
    ]
    with st.container(horizontal=True, gap="small"):
        for name, value in facts:
            if value:
                with st.container(width="content", gap=None):
                    st.caption(name, width="content")
                    st.markdown(plain(value, 60), width="content")


def _not_captured(session: Mapping[str, Any]) -> None:
    """A session of which nothing can be judged must not look clean."""
    if session["not_captured"]:
        switch = f" Set {session['capture_switch']}." if session["capture_switch"] else ""
        st.info(
            plain(
                f"Not captured: {', '.join(session['not_captured'])}. This instrumentation does not export "
                f"them, so what needs them could not be judged.{switch}",
                600,
            ),
            icon=":material/visibility_off:",
        )


def _took(session: Mapping[str, Any]) -> str | None:
    if not session["started_at"] or not session["ended_at"]:
        return None
    return duration((moment(session["ended_at"]) - moment(session["started_at"])).total_seconds())


def _tokens(session: Mapping[str, Any]) -> str | None:
    given, made = session["input_tokens"], session["output_tokens"]
    return (
        f"{counted(given or 0)} in, {counted(made or 0)} out"
        if given is not None or made is not None
        else None
    )


def _strip(cells: Sequence[strip.Cell], chosen: Place | None) -> None:
    repeated = len({cell.letter for cell in cells if cell.letter})
    st.subheader(
        "Calls",
        anchor=False,
        help="One cell for each tool call, in order. The same call again has the same letter and colour; a "
        "call made once is grey. A red bar is an error, a triangle a rescue. Click a cell to see its round.",
    )
    note = f"{worded_count(repeated, 'call')} made more than once" if repeated else "no call made twice"
    st.caption(f"{worded_count(len(cells), 'call')} in order, {note}")
    key = drawn_key(STRIP)

    def clicked() -> None:
        points = st.session_state[key]["selection"]["cell"]
        if points:
            cell = cells[points[0]["index"]]
            open_round(cell.agent, cell.round, STRIP)

    chart = strip.chart(cells, chosen, view.ink())
    with st.container(height=_STRIP if chart.height > _STRIP else "content", border=False):
        st.altair_chart(
            chart,
            key=key,
            on_select=clicked,
            width="content",
            theme=None,
            alt="Fingerprint strip of the tool calls",
        )


def _round(detail: Mapping[str, Any], chosen: Place) -> None:
    session = detail["session"]
    agent, number = chosen
    places = [(turn["agent_name"], turn["round"]) for turn in detail["rounds"]]
    at = places.index(chosen) if chosen in places else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        title = f"Round {number}" + (f" of {plain(agent)}" if len({place[0] for place in places}) > 1 else "")
        st.subheader(title, anchor=False, width="content")
        if at is not None:
            for name, step in (("Previous", at - 1), ("Next", at + 1)):
                st.button(
                    name,
                    disabled=not 0 <= step < len(places),
                    on_click=open_round,
                    args=(*places[step % len(places)], STEP),
                )
    turn = data.round_of(session["session_id"], session["service_name"], number, agent)
    if turn is None:
        st.text(f"This session has no round {number}.")
        return
    rescues = [
        rescue for rescue in detail["rescues"] if (rescue["agent_name"] or "", rescue["round"]) == chosen
    ]
    round_view(turn, rescues, detail["findings"], _previous(detail, chosen))


def _previous(detail: Mapping[str, Any], place: Place) -> dict[int, Mapping[str, Any]]:
    """By position in the round: the previous call of the same tool, with its arguments whole."""
    last: dict[str, Mapping[str, Any]] = {}
    found: dict[int, Mapping[str, Any]] = {}
    for call in detail["tool_calls"]:
        if call["agent_name"] != place[0]:
            continue
        if call["round"] == place[1] and call["tool"] in last:
            found[call["position"]] = _whole(detail["session"], last[call["tool"]])
        last[call["tool"]] = call
    return found


def _whole(session: Mapping[str, Any], call: Mapping[str, Any]) -> Mapping[str, Any]:
    if (call["arguments_length"] or 0) <= len(call["arguments"] or ""):
        return call
    turn = data.round_of(session["session_id"], session["service_name"], call["round"], call["agent_name"])
    calls = turn["tool_calls"] if turn else []
    return next((own for own in calls if own["position"] == call["position"]), call)


def _findings(findings: Sequence[Mapping[str, Any]]) -> None:
    st.subheader("Findings", anchor=False)
    if not findings:
        st.caption("Nothing was found wrong in this session.")
    for finding in sorted(findings, key=lambda found: list(SEVERITIES).index(found["severity"])):
        finding_card(finding)


def _part_in_address() -> int | None:
    """The part of the session that the address names, by itself or by the round."""
    part, number = st.query_params.get("part", ""), st.query_params.get("round", "")
    if part.isdecimal():
        return int(part)
    return int(number) // data.PART if number.isdecimal() else None


def _read(name: str, service: str | None) -> tuple[Mapping[str, Any], int]:
    """The session with one part of its rounds: the address's, else that of the first finding."""
    part = _part_in_address()
    detail = data.session(name, service, part or 0)
    if part is not None or not detail["findings"]:
        return detail, part or 0
    first = (detail["findings"][0]["round"] or 0) // data.PART
    return (data.session(name, service, first), first) if first else (detail, 0)


def _parts(detail: Mapping[str, Any], part: int) -> None:
    """Say which rounds are shown, and lead to the others."""
    shown, total, first = len(detail["rounds"]), detail["total_rounds"], part * data.PART
    whole = shown == total
    st.caption(
        f"{f'{shown:,}' if whole or not shown else f'{first + 1:,} to {first + shown:,}'} "
        f"of {worded_count(total, 'round')}. Click a row to see the round below."
    )
    if whole:
        return
    pages = (total + data.PART - 1) // data.PART
    key = f"part.{part}"
    st.pagination(
        pages,
        default=min(part + 1, pages),
        key=key,
        on_change=lambda: open_part(st.session_state[key] - 1),
    )


def _claims(session: Mapping[str, Any], total: int) -> None:
    # Every text of the session is read for its claims: of a long one only when asked.
    st.subheader("Claims", anchor=False)
    if total <= data.PART or st.toggle("Read all texts of this long session for claims"):
        claims_table(data.claims(session["session_id"], session["service_name"]))


def _page() -> None:
    name, service = st.query_params.get("session"), st.query_params.get("service")
    if not name:
        st.switch_page(links.SESSIONS)
    detail, part = _read(name, service)
    _heading(detail["session"])
    _not_captured(detail["session"])
    cells = strip.cells(detail["tool_calls"], frozenset(rescues_by_place(detail["rescues"])))
    chosen = _chosen(detail)
    if cells:
        _strip(cells, chosen)
    _findings(detail["findings"])
    st.subheader("Rounds", anchor=False)
    if not detail["total_rounds"]:
        st.caption("The telemetry of this session holds no model turn.")
        return
    _parts(detail, part)
    rounds_table(session_rows(detail, cells), cells, chosen)
    if chosen:
        with st.container(key=ROUND):
            _round(detail, chosen)
        scroll_to(ROUND)
    _claims(detail["session"], detail["total_rounds"])


_page()
