"""`tightrope check`: exit 1 where there are findings, for CI."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from collector.cli.kinds import refuse_unknown_kinds
from collector.cli.text import table, terminal_width
from collector.client import Client, Json
from collector.settings import Settings

PAGE = 1000
WAIT_S = 10.0
COLUMNS = ("severity", "kind", "session", "service", "round", "title")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which findings count."""
    parser.add_argument(
        "--since", metavar="SINCE", help="sessions from this time on: 1h, 7d, or ISO 8601 (default: all)"
    )
    parser.add_argument(
        "--fail-on",
        metavar="KIND,…",
        default="",
        help="kinds of findings that fail the check (default: every kind, of severity warning or critical)",
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the findings that count, and return 1 where there are any.

    What a person has called false, or ignores, does not count.
    """
    kinds = [kind.strip() for kind in args.fail_on.split(",") if kind.strip()]
    with Client(settings.url, settings.token) as client:
        refuse_unknown_kinds(client, kinds, "--fail-on")
        _await_analysis(client)
        found = [
            finding
            for kind in kinds or [None]
            for finding in _findings(client, kind, args.since)
            if finding["verdict"] not in ("false", "ignored") and (kinds or finding["severity"] != "info")
        ]
    if not found:
        print("no findings", file=sys.stderr)
        return 0
    rows = [
        (f["severity"], f["kind"], f["session_id"], f["service_name"], f["round"], f["title"]) for f in found
    ]
    for line in table(COLUMNS, rows, width=terminal_width(), whole=("kind", "session")):
        print(line)
    sessions = {(finding["service_name"], finding["session_id"]) for finding in found}
    print(f"{len(found)} findings in {len(sessions)} sessions", file=sys.stderr)
    return 1


def _await_analysis(client: Client) -> None:
    """Let the analysis finish with what was sent before this; a busy service may never be done."""
    end = time.monotonic() + WAIT_S
    while (waiting := _waiting(client)) and time.monotonic() < end:
        time.sleep(0.2)
    if waiting:
        print(f"{waiting}: what is found there is not in this check", file=sys.stderr)


def _waiting(client: Client) -> str:
    status = client.status()
    if status["journal"]["unloaded"]:
        return "telemetry waits to be loaded"
    pending = status["analysis"]["pending_units"]
    return f"{pending} traces wait for their analysis" if pending else ""


def _findings(client: Client, kind: str | None, since: str | None) -> Iterator[Json]:
    offset = 0
    while page := client.findings(kind=kind, since=since, limit=PAGE, offset=offset)["findings"]:
        yield from page
        offset += len(page)
