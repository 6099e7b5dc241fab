"""`tightrope up`: everything in the foreground, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import shutil
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path

from collector.cli.options import add_settings
from collector.errors import StoreError
from collector.settings import Settings, reachable, service_url

SETTINGS = ("host", "http_port", "grpc_port", "dashboard_port", "insecure")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to listen; each of these is also a setting."""
    add_settings(parser, SETTINGS)
    parser.add_argument("--no-dashboard", action="store_true", help="start the collector alone")
    parser.add_argument("--open", action="store_true", help="open the dashboard in the browser")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Serve until Ctrl-C or SIGTERM; 0 after a clean stop."""
    _check_ports(settings, with_dashboard=not args.no_dashboard)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(_serve(args, settings))


def _check_ports(settings: Settings, *, with_dashboard: bool) -> None:
    """Raise StoreError where a port cannot be opened: before anything starts, and for all three alike."""
    for name in ("http_port", "grpc_port", "dashboard_port")[: 3 if with_dashboard else 2]:
        port = getattr(settings, name)
        try:
            family, kind, _, _, address = socket.getaddrinfo(
                settings.host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            with socket.socket(family, kind) as probe:
                if (
                    os.name == "posix"
                ):  # a port that was closed a moment ago is free; elsewhere this would steal it
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise StoreError(
                f"port {settings.host}:{port} cannot be opened ({reason}): stop what uses it, "
                f"or choose another with --{name.replace('_', '-')}"
            ) from error


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
        await serving
        return 0
    dashboard = None if args.no_dashboard else _start_dashboard(settings)
    _announce(settings, with_dashboard=dashboard is not None)
    if args.open and dashboard is not None:
        webbrowser.open(f"http://{reachable(settings.host)}:{settings.dashboard_port}")
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
                f"the dashboard ended (exit {dashboard.returncode}); the collector goes on",
                file=sys.stderr,
                flush=True,
            )
            dashboard = None
    await serving


def _start_dashboard(settings: Settings) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        "TIGHTROPE_URL": service_url(settings),
        "TIGHTROPE_HOST": settings.host,
        "TIGHTROPE_DASHBOARD_PORT": str(settings.dashboard_port),
        "TIGHTROPE_TOKEN": settings.token,
    }
    # Its own session: Ctrl-C is ours to handle, and the dashboard is stopped after the collector.
    return subprocess.Popen(
        [sys.executable, "-m", "dashboard"],
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,  # Streamlit's greeting; what goes wrong is told on stderr
    )


def _announce(settings: Settings, *, with_dashboard: bool) -> None:
    host, url = reachable(settings.host), service_url(settings)
    lines = [
        f"Tightrope is ready ({time.strftime('%H:%M:%S')}). Data: {settings.data}",
        "",
        f"  OTLP/HTTP   {url}",
        f"  OTLP/gRPC   http://{host}:{settings.grpc_port}",
        f"  Query API   {url}/api",
    ]
    if with_dashboard:
        lines.append(f"  Dashboard   http://{host}:{settings.dashboard_port}")
    lines += [
        "",
        "Point an agent here:",
        "",
        f"  export OTEL_EXPORTER_OTLP_ENDPOINT={url}",
        f"  export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf    # or grpc, with port {settings.grpc_port}",
    ]
    if settings.token:
        lines.append('  export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20$TIGHTROPE_TOKEN"')
    demo = f"{_own_command()} demo" + ("" if url == Settings().url else f" --url {url}")
    lines += ["", f"No agent at hand? In another terminal: {demo}", "Ctrl-C stops it.", ""]
    print("\n".join(lines), flush=True)


def _own_command() -> str:
    """How this program is called from here: by its name where the shell finds it, else by its path."""
    program = Path(sys.argv[0])
    if program.name != "tightrope":
        return f"{Path(sys.executable).name} -m collector"
    found = shutil.which("tightrope")
    if found and Path(found).resolve() == program.resolve():
        return "tightrope"
    return os.path.relpath(program) if program.is_relative_to(Path.cwd()) else str(program)
