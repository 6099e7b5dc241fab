"""`tightrope sessions`: the list."""

from __future__ import annotations

import argparse
import sys

from collector.cli.kinds import refuse_unknown_kinds
from collector.cli.text import table, terminal_width
from collector.client import Client, Json
from collector.encoding import to_json
from collector.settings import Settings

COLUMNS = (
    "severity",
    "started (UTC)",
    "session",
    "service",
    "model",
    "rounds",
    "calls",
    "rescues",
    "findings",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The filters."""
    parser.add_argument("--flagged", action="store_true", default=None, help="flagged sessions only")
    for name, text in (
        ("kind", "with a finding of this kind"),
        ("model", "of this model"),
        ("agent", "of this agent"),
        ("service", "of this service"),
        ("tool", "with a call of this tool"),
        ("rescue", "with a rescue of this name"),
        ("since", "from this time on: 24h, 7d, or ISO 8601"),
        ("until", "before this time"),
        ("q", "with this text in it"),
    ):
        parser.add_argument(f"--{name}", metavar=name.upper(), help=text)
    orders = ("flagged", "started_at", "rounds", "tool_calls", "findings", "rescues")
    parser.add_argument(
        "--order", choices=orders, default="flagged", help="what comes first (default: flagged)"
    )
    parser.add_argument("--limit", type=int, default=50, help="how many, at most 1000 (default: 50)")
    parser.add_argument("--format", choices=("table", "json"), default="table", help="default: table")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the sessions that match."""
    with Client(settings.url, settings.token) as client:
        refuse_unknown_kinds(client, [args.kind] if args.kind else [], "--kind")
        answer = client.sessions(
            flagged=args.flagged,
            kind=args.kind,
            model=args.model,
            agent=args.agent,
            service=args.service,
            tool=args.tool,
            rescue=args.rescue,
            since=args.since,
            until=args.until,
            q=args.q,
            order=args.order,
            limit=args.limit,
        )
    found = answer["sessions"]
    if args.format == "json":
        print(to_json(found, indent=True).decode())
        return 0
    for line in table(COLUMNS, map(_row, found), width=terminal_width(), whole=("session",)):
        print(line)
    print(f"{len(found)} of {answer['total']} sessions", file=sys.stderr)
    return 0


def _row(session: Json) -> tuple[object, ...]:
    return (
        session["max_severity"] or "",
        (session["started_at"] or "")[:16].replace("T", " "),
        session["session_id"],
        session["service_name"],
        session["model"],
        session["rounds"],
        session["tool_calls"],
        session["rescues"],
        ", ".join(session["kinds"] or ()),
    )
