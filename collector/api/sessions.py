"""Sessions: the list, one whole, one of its rounds, its claims, its spans."""

from __future__ import annotations

from typing import Annotated, Any

import polars as pl
from fastapi import APIRouter, Query
from fastapi.responses import Response

from collector.api.answers import JsonResponse, page, rows
from collector.api.errors import AmbiguousError, NotFoundError
from collector.api.filters import SessionQuery
from collector.store import Store, query

Service = Annotated[str | None, Query(description="needed where several services have this session id")]


def find_session(store: Store, session_id: str, service: str | None) -> dict[str, Any]:
    """The row of the one session of this id. Raises NotFoundError or AmbiguousError."""
    found = store.read(query("session"), {"session_id": session_id, "service": service})
    if not found.height:
        where = f" in service {service!r}" if service is not None else ""
        raise NotFoundError(f"no session {session_id!r}{where}: GET /api/sessions lists what there is")
    if found.height > 1:
        names = ", ".join(repr(name) for name in found["service_name"])
        raise AmbiguousError(f"several services have a session {session_id!r}, say service=…: {names}")
    return rows(found)[0]


def session_key(store: Store, session_id: str, service: str | None) -> dict[str, str]:
    """The parameters by which queries name the one session of this id. Raises as `find_session`."""
    return {"service": find_session(store, session_id, service)["service_name"], "session_id": session_id}


def session_routes(store: Store) -> APIRouter:
    """The routes below /sessions. An id may hold slashes, so the longer paths come first."""
    routes = APIRouter(tags=["sessions"])

    def of_session(name: str, key: dict[str, str], **more: Any) -> pl.DataFrame:
        return store.read(query(name), {**key, **more})

    @routes.get("/sessions")
    def sessions(which: Annotated[SessionQuery, Query()]) -> Response:
        """The sessions that match, flagged ones first."""
        total, found = page(store.read(query("sessions"), which.model_dump()), "session_id")
        return JsonResponse({"total": total, "sessions": found})

    @routes.get("/sessions/{session_id:path}/rounds/{round}")
    def one_round(session_id: str, round: int, service: Service = None, agent: str | None = None) -> Response:
        """One round whole, with its calls' full arguments and results."""
        key = session_key(store, session_id, service)
        found = rows(of_session("round", key, round=round, agent=agent))
        if not found:
            raise NotFoundError(
                f"session {session_id!r} has no round {round}" + (f" of {agent!r}" if agent else "")
            )
        if len(found) > 1:
            names = ", ".join(repr(row["agent_name"]) for row in found)
            raise AmbiguousError(f"several agents have a round {round}, say agent=…: {names}")
        calls = of_session("round_calls", key, round=round, agent=found[0]["agent_name"])
        return JsonResponse({"round": found[0], "tool_calls": rows(calls)})

    @routes.get("/sessions/{session_id:path}/spans")
    def spans(
        session_id: str,
        service: Service = None,
        limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
        offset: Annotated[int, Query(ge=0)] = 0,
    ) -> Response:
        """The raw spans of the session's traces, by their start."""
        key = session_key(store, session_id, service)
        extent = of_session("session_extent", key).row(0, named=True)
        total, found = page(of_session("session_spans", key, **extent, limit=limit, offset=offset), "span_id")
        return JsonResponse({"total": total, "spans": found})

    @routes.get("/sessions/{session_id:path}")
    def session(
        session_id: str,
        service: Service = None,
        rounds_from: Annotated[int, Query(ge=0, description="the first round, counted over all agents")] = 0,
        rounds_limit: Annotated[int, Query(ge=0, le=20_000)] = 10_000,
    ) -> Response:
        """One session: its rounds with the calls in them, rescues, findings and offered tools.

        Long texts are cut to 400 characters; `…_length` says how long they are.
        """
        found = find_session(store, session_id, service)
        key = {"service": found["service_name"], "session_id": session_id}
        part = {"rounds_from": rounds_from, "rounds_limit": rounds_limit}
        return JsonResponse(
            {
                "session": found,
                "total_rounds": found["rounds"],
                "rounds": rows(of_session("session_rounds", key, **part)),
                "tool_calls": rows(of_session("session_calls", key, **part)),
                "rescues": rows(of_session("session_rescues", key)),
                "findings": rows(of_session("session_findings", key)),
                "tools": rows(of_session("session_tools", key)),
            }
        )

    return routes
