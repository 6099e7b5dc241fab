"""Health and state of the service: /healthz, /readyz, /api/status, /api/analyze."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel

if TYPE_CHECKING:
    from collector.service import Service


class AnalyzeRequest(BaseModel):
    """`all` asks for every session to be derived and analysed again."""

    all: bool = False


class Queued(BaseModel):
    """How many traces and groups of trace-less logs wait to be derived."""

    queued: int


def health_routes(service: Service) -> APIRouter:
    """The routes that speak of the running service itself."""
    routes = APIRouter()

    @routes.get("/healthz", include_in_schema=False)
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @routes.get("/readyz", include_in_schema=False)
    async def readyz() -> JSONResponse:
        problems = service.problems()
        if problems:
            return JSONResponse({"status": "not ready", "problems": problems}, 503)
        return JSONResponse({"status": "ready"})

    @routes.get("/api/status")
    def status() -> dict[str, Any]:
        """Rows and bytes by table, what was received from whom, the journal, the lag of analysis."""
        return service.status()

    @routes.post("/api/analyze")
    def analyze(request: AnalyzeRequest) -> Queued:
        """Derive and analyse again: everything, or what failed before."""
        return Queued(queued=service.analysis.requeue(everything=request.all))

    return routes
