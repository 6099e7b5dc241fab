"""Rescues."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from collector.api.answers import JsonResponse, page
from collector.api.filters import RescueQuery
from collector.store import Store, query


def rescue_routes(store: Store) -> APIRouter:
    """The routes below /rescues."""
    routes = APIRouter(tags=["rescues"])

    @routes.get("/rescues")
    def rescues(which: Annotated[RescueQuery, Query()]) -> Response:
        """The rescues that match, newest first."""
        total, found = page(store.read(query("rescues"), which.model_dump()), "name")
        return JsonResponse({"total": total, "rescues": found})

    return routes
