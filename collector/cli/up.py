"""`tightrope up`: everything in the foreground, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import subprocess
import sys
import time
import webbrowser
from collections.abc import Callable

from collector.cli.options import add_settings
from collector.errors import StoreError
from collector.settings import Settings

SETTINGS = ("host", "http_port", "grpc_port", "dashboard_port", "insecure")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to listen; each of these is also a setting."""
    add_settings(parser, SETTINGS)
    parser.add_argument("--no-dashboard", action="store_true", help="start the collector alone")
    parser.add_argument("--open", action="store_true", help="open the dashboard in the browser")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Serve until Ctrl-C or SIGTERM; 0 after a clean stop."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(_serve(args, settings))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's event loop where that is installed (it is not on Windows), else Python's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _serve(args: argparse.Namespace, settings: Settings) -> int:
    from collector.service import Service

    service = Service(settings)
    serving = asyncio.create_task(service.run())
    while not service.ready and not serving.done():
        await asyncio.sleep(0.01)
    if serving.done():
        try:
            await serving
        except SystemExit as error:
            raise _port_error(settings) from error
        return 0
    dashboard = None if args.no_dashboard else _start_dashboard(settings)
    _announce(settings, with_dashboard=dashboard is not None)
    if args.open and dashboard is not None:
        webbrowser.open(f"http://{_display(settings.host)}:{settings.dashboard_port}")
    try:
        await _until_done(serving, dashboard)
    finally:
        if dashboard is not None and dashboard.poll() is None:
            dashboard.terminate()
            dashboard.wait(timeout=10)
    print("stopped", flush=True)
    return 0


async def _until_done(serving: asyncio.Task[None], dashboard: subprocess.Popen[bytes] | None) -> None:
    """Wait for the service; a dashboard that ends by itself is said, and the service goes on."""
    while not serving.done():
        await asyncio.wait([serving], timeout=1.0)
        if dashboard is not None and dashboard.poll() is not None and not serving.done():
            print(
                f"the dashboard ended (exit {dashboard.returncode}); the collector goes on. "
                "Is its port taken? Choose another with --dashboard-port",
                file=sys.stderr,
                flush=True,
            )
            dashboard = None
    await serving


def _start_dashboard(settings: Settings) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        "TIGHTROPE_URL": f"http://{_display(settings.host)}:{settings.http_port}",
        "TIGHTROPE_HOST": settings.host,
        "TIGHTROPE_DASHBOARD_PORT": str(settings.dashboard_port),
        "TIGHTROPE_TOKEN": settings.token,
    }
    # Its own session: Ctrl-C is ours to handle, and the dashboard is stopped after the collector.
    return subprocess.Popen([sys.executable, "-m", "dashboard"], env=environment, start_new_session=True)


def _port_error(settings: Settings) -> StoreError:
    return StoreError(
        f"port {settings.host}:{settings.http_port} cannot be opened: stop what uses it, "
        "or choose another with --http-port"
    )


def _display(host: str) -> str:
    return "127.0.0.1" if host in {"0.0.0.0", "::"} else host


def _announce(settings: Settings, *, with_dashboard: bool) -> None:
    host = _display(settings.host)
    lines = [
        f"Tightrope is ready ({time.strftime('%H:%M:%S')}). Data: {settings.data}",
        "",
        f"  OTLP/HTTP   http://{host}:{settings.http_port}",
        f"  OTLP/gRPC   http://{host}:{settings.grpc_port}",
        f"  Query API   http://{host}:{settings.http_port}/docs",
    ]
    if with_dashboard:
        lines.append(f"  Dashboard   http://{host}:{settings.dashboard_port}")
    lines += [
        "",
        "Point an agent here:",
        "",
        f"  export OTEL_EXPORTER_OTLP_ENDPOINT=http://{host}:{settings.http_port}",
        "  export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf",
    ]
    if settings.token:
        lines.append('  export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20$TIGHTROPE_TOKEN"')
    lines += ["", "No agent at hand? In another terminal: tightrope demo", "Ctrl-C stops it.", ""]
    print("\n".join(lines), flush=True)
