"""SQL by a user: read-only, bounded in time, rows, memory and number."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import pyarrow as pa
from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from pydantic import BaseModel, Field

from collector.api.answers import JsonResponse
from collector.api.errors import BusyError
from collector.errors import SqlError
from collector.settings import Settings
from collector.store import SqlResult, Store, run_sql

ARROW = "application/vnd.apache.arrow.stream"
AT_ONCE = 4
WAIT_S = 10.0


class Statement(BaseModel):
    """One statement; at most `max_rows` rows are answered."""

    sql: str = Field(
        min_length=1, max_length=1_000_000, examples=["SELECT kind, count(*) FROM findings GROUP BY 1"]
    )
    max_rows: int = Field(1000, ge=1)


class Answer(BaseModel):
    """The rows of a statement. `type` is Arrow's name of the column's type."""

    columns: list[dict[str, str]]
    rows: list[list[Any]]
    row_count: int
    truncated: bool
    elapsed_ms: float


def sql_routes(store: Store, settings: Settings) -> APIRouter:
    """The route /sql."""
    routes = APIRouter(tags=["sql"])
    slots = asyncio.Semaphore(AT_ONCE)

    @routes.post("/sql", response_model=Answer, responses={200: {"content": {ARROW: {}}}})
    async def sql(statement: Statement, request: Request) -> Response:
        """Run one SELECT; an Arrow stream where the request accepts that."""
        try:
            await asyncio.wait_for(slots.acquire(), WAIT_S)
        except TimeoutError:
            raise BusyError(f"{AT_ONCE} statements are running already: try again in a moment") from None
        try:
            return await run_in_threadpool(answer, statement, ARROW in request.headers.get("accept", ""))
        finally:
            slots.release()

    def answer(statement: Statement, as_arrow: bool) -> Response:
        most = min(statement.max_rows, settings.sql_max_rows)
        result = run_sql(store, statement.sql, timeout_s=settings.sql_timeout, max_rows=most)
        return _arrow(result) if as_arrow else _json(result)

    return routes


def _arrow(result: SqlResult) -> Response:
    target = io.BytesIO()
    with pa.ipc.new_stream(target, result.table.schema) as writer:
        writer.write_table(result.table)
    headers = {
        "Tightrope-Truncated": str(result.truncated).lower(),
        "Tightrope-Elapsed-Ms": f"{result.elapsed_ms:.1f}",
    }
    return Response(target.getvalue(), media_type=ARROW, headers=headers)


def _json(result: SqlResult) -> Response:
    table = result.table
    columns = [_values(*pair) for pair in zip(table.column_names, table.columns, strict=True)]
    return JsonResponse(
        {
            "columns": [{"name": field.name, "type": str(field.type)} for field in table.schema],
            "rows": [list(row) for row in zip(*columns, strict=True)],
            "row_count": table.num_rows,
            "truncated": result.truncated,
            "elapsed_ms": round(result.elapsed_ms, 1),
        }
    )


def _values(name: str, column: pa.ChunkedArray) -> list[Any]:
    if column.type == pa.timestamp("ns"):  # Python has microseconds; PyArrow would load pandas for more
        column = column.cast(pa.timestamp("us"), safe=False)
    try:
        return column.to_pylist()  # type: ignore[no-any-return]
    except (OverflowError, ValueError) as error:
        raise SqlError(f"column {name!r} holds what JSON has no form for: write {name}::VARCHAR") from error
