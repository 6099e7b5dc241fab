"""How a session's or a trace's records were read, and the traces in which no agent was recognised."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import polars as pl
from fastapi import APIRouter, Query
from fastapi.responses import Response

from collector.analysis.records import logs_by_unit, spans_by_unit
from collector.analysis.schedule import configuration
from collector.analysis.stored import between, record_counts, stored_rows
from collector.api.answers import JsonResponse, page
from collector.api.errors import NotFoundError
from collector.api.filters import Page
from collector.api.sessions import Service, find_session
from collector.derive.reading import Reading, merge, read_reading
from collector.dialects import DIALECTS, Chain
from collector.settings import Settings
from collector.store import Store, query

MOST_RECORDS = 20_000


class TraceQuery(Page):
    """Filters of the list of plain traces."""

    service: str | None = None


def reading_routes(store: Store, settings: Settings) -> APIRouter:
    """The routes /sessions/…/reading and /traces."""
    routes = APIRouter(tags=["traces"])
    configured = configuration(settings)
    chain = Chain(DIALECTS, configured.mapped)

    def reading(units: pl.DataFrame) -> dict[str, Any]:
        counts = units.join(record_counts(store, units), on="unit", maintain_order="left")
        total = int(counts["records"].sum())
        read = counts.filter(pl.col("records").cum_sum().shift(1, fill_value=0) < MOST_RECORDS)
        readings: list[Reading] = []
        done = 0
        for unit in read.select("unit", "first_ns", "last_ns").iter_slices(1):
            spans, logs = stored_rows(store, unit, MOST_RECORDS)
            done += spans.height + logs.height
            name = unit["unit"][0]
            readings += read_reading(
                spans_by_unit(spans).get(name, ()),
                logs_by_unit(logs).get(name, ()),
                chain=chain,
                patterns=configured.patterns,
            )
        return {
            "total_records": total,
            "read_records": done,
            "dropped_attributes": _dropped(store, units),
            "readings": [_json(entry) for entry in merge(readings)],
        }

    @routes.get("/sessions/{session_id:path}/reading")
    def of_session(session_id: str, service: Service = None) -> Response:
        """Which dialect read which of the session's records, as what, and what nothing looked at.

        Records of one name that were read alike are one row. Of a large session the first traces are
        read, up to 20,000 records; `total_records` says how many there are.
        """
        found = find_session(store, session_id, service)
        key = {"service": found["service_name"], "session_id": session_id}
        units = store.read(query("units_of_session"), key)
        return JsonResponse({"session": found, "traces": units.height, **reading(units)})

    @routes.get("/traces")
    def traces(which: Annotated[TraceQuery, Query()]) -> Response:
        """The traces in which nothing was recognised as an agent's, newest first."""
        total, found = page(store.read(query("plain_traces"), which.model_dump()), "trace_id")
        return JsonResponse({"total": total, "traces": found})

    @routes.get("/traces/{trace_id}/reading")
    def of_trace(trace_id: str) -> Response:
        """The same of one trace, also of one that is in no session."""
        units = store.read("SELECT unit, first_ns, last_ns FROM units WHERE unit = ?", [trace_id.lower()])
        if not units.height:
            raise NotFoundError(f"no trace {trace_id!r} has been analysed: GET /api/status says what waits")
        return JsonResponse({"trace_id": trace_id.lower(), "traces": 1, **reading(units)})

    return routes


def _dropped(store: Store, units: pl.DataFrame) -> int:
    """How many attributes the agent's SDK dropped before it sent the spans."""
    sql = (
        "SELECT coalesce(sum(dropped_attributes), 0)::BIGINT FROM raw_spans "
        "WHERE start_ns BETWEEN $first_ns AND $last_ns AND trace_id IN (SELECT unit FROM wanted)"
    )
    return int(store.read_with({"wanted": units.select("unit")}, sql, between(units)).item())


def _json(reading: Reading) -> dict[str, Any]:
    return {**asdict(reading), "missing": sorted(reading.missing), "unread": sorted(reading.unread)}
