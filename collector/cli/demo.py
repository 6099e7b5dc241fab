"""`tightrope demo`: sample runs, sent as an agent would send its own."""

from __future__ import annotations

import argparse
import secrets
from collections import Counter
from datetime import UTC, datetime

from collector.demo.play import play
from collector.demo.runs import RUNS
from collector.demo.send import send
from collector.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to send them."""
    parser.add_argument(
        "--endpoint",
        metavar="URL",
        help="OTLP/HTTP endpoint, without /v1/traces (default: --url)",
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Send every run as a new session, and say what must be found in them."""
    url = (args.endpoint or settings.url).rstrip("/").removesuffix("/v1/traces")
    played = list(play(RUNS, secrets.token_hex(3), datetime.now(UTC)))
    sent = send(played, url, settings.token)
    print(
        f"Sent {sent.sessions} sample sessions of the last seven days "
        f"({sent.spans} spans, {sent.log_records} log record{'s' * (sent.log_records != 1)}) to {url}."
    )
    for title, names in (
        ("Findings", Counter(kind for session in played for kind in session.run.findings)),
        ("Rescues", Counter(name for session in played for name in session.run.rescues)),
    ):
        print(f"{title} to be seen: " + ", ".join(f"{name} {count}" for name, count in sorted(names.items())))
    flagged = next(session for session in played if session.run.findings)
    where = "" if url == Settings().url else f" --url {url}"
    print("Look at them in the dashboard (`tightrope up` prints its address), or with")
    print(f"  tightrope sessions --flagged{where}")
    print(f"  tightrope show {flagged.session_id}{where}")
    return 0
