"""The overview, the facets and the alerts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from collector.api.answers import JsonResponse, rows
from collector.api.filters import Moment, TimeRange, moment
from collector.errors import UsageError
from collector.store import Store, query

BUCKETS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}
MAX_BUCKETS = 10_000
FACETS = ("kinds", "models", "agents", "services", "tools", "rescues")


class OverviewQuery(TimeRange):
    """Which time, in buckets of which length."""

    since: Moment = Field(default_factory=lambda: moment("7d"))
    bucket: Literal["hour", "day", "week"] = "day"


def overview_routes(store: Store) -> APIRouter:
    """The routes /overview, /facets and /alerts."""
    routes = APIRouter(tags=["overview"])

    @routes.get("/overview")
    def overview(which: Annotated[OverviewQuery, Query()]) -> Response:
        """Sessions, findings and rescues over time, the tools that fail most, the models."""
        until: datetime = which.until or moment("0s")
        if (until - which.since) / BUCKETS[which.bucket] > MAX_BUCKETS:
            raise UsageError(f"more than {MAX_BUCKETS} buckets: choose a later `since` or a longer `bucket`")
        span = {"since": which.since, "until": until}
        timed = {**span, "bucket": which.bucket}
        return JsonResponse(
            {
                **timed,
                "sessions": rows(store.read(query("overview_sessions"), timed)),
                "findings": rows(store.read(query("overview_findings"), timed)),
                "rescues": rows(store.read(query("overview_rescues"), timed)),
                "failing_tools": rows(store.read(query("overview_failing_tools"), span)),
                "models": rows(store.read(query("overview_models"), span)),
            }
        )

    @routes.get("/facets")
    def facets() -> Response:
        """The values one can filter by."""
        found = dict(store.read(query("facets")).select("facet", "values").iter_rows())
        return JsonResponse({facet: found.get(facet, []) for facet in FACETS})

    @routes.get("/alerts")
    def alerts() -> Response:
        """The alerts, those that are firing first."""
        found = rows(store.read(query("alerts")))
        return JsonResponse({"total": len(found), "alerts": found})

    return routes
