"""Findings, and a person's word on them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel

from collector.api.answers import JsonResponse, page, rows
from collector.api.errors import NotFoundError
from collector.api.filters import FindingQuery
from collector.store import Store, query


class Verdict(BaseModel):
    """A person's word: the finding is `true`, `false`, to be `ignored`; null takes the word back."""

    verdict: Literal["true", "false", "ignored"] | None


def finding_routes(store: Store) -> APIRouter:
    """The routes below /findings."""
    routes = APIRouter(tags=["findings"])

    @routes.get("/findings")
    def findings(which: Annotated[FindingQuery, Query()]) -> Response:
        """The findings that match, those of the newest sessions first."""
        total, found = page(store.read(query("findings"), which.model_dump()), "finding_id")
        return JsonResponse({"total": total, "findings": found})

    @routes.put("/findings/{finding_id}/verdict")
    def give_verdict(finding_id: str, given: Verdict) -> Response:
        """Set or take back a person's word on a finding; answers the finding."""
        key = {"finding_id": finding_id}
        if not store.read(query("finding"), key).height:
            raise NotFoundError(f"no finding {finding_id!r}: GET /api/findings lists what there is")
        with store.write() as connection:
            connection.execute("DELETE FROM verdicts WHERE finding_id = $finding_id", key)
            if given.verdict is not None:
                connection.execute(
                    "INSERT INTO verdicts VALUES ($finding_id, $verdict, now()::TIMESTAMP)",
                    {**key, "verdict": given.verdict},
                )
        return JsonResponse(rows(store.read(query("finding"), key))[0])

    return routes
