"""The query API: one file per resource; the queries are in `collector.store.queries`."""

from fastapi import APIRouter

from collector.api.claims import claim_routes
from collector.api.errors import http_error, install_error_handlers
from collector.api.findings import finding_routes
from collector.api.overview import overview_routes
from collector.api.reading import reading_routes
from collector.api.rescues import rescue_routes
from collector.api.sessions import session_routes
from collector.api.sql import sql_routes
from collector.settings import Settings
from collector.store import Store

__all__ = ["http_error", "install_error_handlers", "router"]


def router(store: Store, settings: Settings) -> APIRouter:
    """Every route below /api that needs the store alone."""
    api = APIRouter(prefix="/api")
    for routes in (
        # Before the sessions: an id may hold slashes, and theirs would take these paths.
        claim_routes(store),
        reading_routes(store, settings),
        session_routes(store),
        finding_routes(store),
        rescue_routes(store),
        overview_routes(store),
        sql_routes(store, settings),
    ):
        api.include_router(routes)
    return api
