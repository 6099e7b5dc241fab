"""How an error becomes an answer: `{"error": "…"}`, one line that names the cause and the remedy."""

from __future__ import annotations

from typing import cast

from fastapi import FastAPI, Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from collector.errors import JournalFull, SqlError, StoreError, TightropeError, UnreachableError, UsageError

STATUS: dict[type[TightropeError], int] = {
    SqlError: 400,
    UsageError: 400,
    JournalFull: 503,
    StoreError: 503,
    UnreachableError: 503,
}
RETRY_AFTER_S = "5"


class NotFoundError(TightropeError):
    """Nothing has this id."""


class AmbiguousError(TightropeError):
    """Several things have this id: the request must say which."""


class BusyError(TightropeError):
    """As many requests of this kind run as may."""


STATUS |= {NotFoundError: 404, AmbiguousError: 409, BusyError: 503}


def install_error_handlers(app: FastAPI) -> None:
    """Let `app` answer every TightropeError and refused request below /api with `{"error": …}`."""
    app.add_exception_handler(TightropeError, _tightrope_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, http_error)


def _answer(status: int, text: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": text}, status, headers)


async def _tightrope_error(request: Request, error: Exception) -> Response:
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)
    return _answer(status, str(error), {"Retry-After": RETRY_AFTER_S} if status == 503 else None)


async def _validation_error(request: Request, error: Exception) -> Response:
    causes = []
    for cause in cast(RequestValidationError, error).errors():
        place = ".".join(str(part) for part in cause["loc"][1:]) or str(cause["loc"][0])
        causes.append(f"{place}: {cause['msg'].removeprefix('Value error, ')}")
    return _answer(422, "; ".join(causes) + " (docs/api.md says what the request takes)")


async def http_error(request: Request, error: Exception) -> Response:
    """What routing refuses (404, 405)."""
    known = cast(HTTPException, error)
    if not request.url.path.startswith("/api"):
        return await http_exception_handler(request, known)
    text = f"{request.method} {request.url.path}: {known.detail} (docs/api.md says what there is)"
    return _answer(known.status_code, text, dict(known.headers or {}))
