"""The HTTP application: OTLP receivers, query API, health; token and CORS around them."""

from __future__ import annotations

import hmac
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from google.rpc import code_pb2
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from collector import __version__, api
from collector.api.health import health_routes
from collector.receivers import http

if TYPE_CHECKING:
    from collector.service import Service

OPEN_PATHS = {"/healthz", "/readyz"}


def build_app(service: Service) -> FastAPI:
    """The application of a service that is open."""
    settings = service.settings
    app = FastAPI(title="Tightrope", version=__version__, docs_url=None, redoc_url=None)
    http.install(app, service.intake, settings.max_body_bytes)
    app.include_router(api.router(service.store, settings))
    app.include_router(health_routes(service))
    api.install_error_handlers(app)
    app.add_exception_handler(HTTPException, _http_error)
    if settings.token:
        app.add_middleware(RequireToken, token=settings.token)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=settings.cors_origins, allow_methods=["POST"], allow_headers=["*"]
        )
    return app


class RequireToken:
    """Answers 401, before anything of the body is read, unless the request carries the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS:
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("authorization", "").encode()
        if hmac.compare_digest(given, self.expected):
            await self.app(scope, receive, send)
            return
        message = "send the token of this service: Authorization: Bearer <token>"
        response: Response
        if http.is_otlp_path(scope["path"]):
            media_type = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
            answer_type = http.PROTOBUF if media_type == http.PROTOBUF else http.JSON
            response = http.status_response(401, code_pb2.UNAUTHENTICATED, message, answer_type)
        else:
            response = JSONResponse({"error": message}, 401)
        response.headers["WWW-Authenticate"] = "Bearer"
        await response(scope, receive, send)


async def _http_error(request: Request, error: Exception) -> Response:
    """What routing refuses (404, 405): the API's form below /api, a google.rpc.Status elsewhere."""
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api"):
        return await api.http_error(request, error)
    code = code_pb2.NOT_FOUND if error.status_code == 404 else code_pb2.UNIMPLEMENTED
    reason = HTTPStatus(error.status_code).phrase
    hint = "POST telemetry to /v1/traces, /v1/logs or /v1/metrics; the API is described at /openapi.json"
    response = http.status_response(
        error.status_code, code, f"{request.method} {request.url.path}: {reason}; {hint}"
    )
    response.headers.update(error.headers or {})
    return response
