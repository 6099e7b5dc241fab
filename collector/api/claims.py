"""The claim ledger of a session, made from its stored rows when it is asked for."""

from __future__ import annotations

from typing import Any

import polars.selectors as cs
from fastapi import APIRouter
from fastapi.responses import Response

from analyzers.claims.ledger import ledger
from analyzers.model import Session
from collector.api.answers import JsonResponse
from collector.api.sessions import Service, session_key
from collector.derive.analysis import to_session
from collector.derive.rows import RoundRow, SessionRow, SessionRows, ToolCallRow
from collector.store import Store, query


def claim_routes(store: Store) -> APIRouter:
    """The route /sessions/…/claims."""
    routes = APIRouter(tags=["sessions"])

    @routes.get("/sessions/{session_id:path}/claims")
    def claims(session_id: str, service: Service = None) -> Response:
        """Each claim of the assistant, its verdict, and the call that is its evidence."""
        entries = ledger(_stored_session(store, session_key(store, session_id, service)))
        return JsonResponse({"total": len(entries), "claims": entries})

    return routes


def _stored_session(store: Store, key: dict[str, str]) -> Session:
    """What the ledger reads of a stored session: its rounds, their calls, its final text."""

    def stored(name: str) -> list[dict[str, Any]]:
        frame = store.read(query(name), key)
        return frame.with_columns(cs.datetime().dt.epoch("us")).to_dicts()

    return to_session(
        SessionRows(
            sessions=[SessionRow(**row) for row in stored("session")],
            rounds=[RoundRow(**row) for row in stored("stored_rounds")],
            tool_calls=[ToolCallRow(**row) for row in stored("stored_calls")],
        )
    )
