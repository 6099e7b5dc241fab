"""`tightrope doctor`: how a session's telemetry was read, and what of it was not understood."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from collector.cli.show import capture_note
from collector.cli.text import excerpt, page_width, printable, wrap
from collector.client import Client, Json
from collector.encoding import to_json
from collector.settings import Settings

_UNREAD = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which session or trace."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--session", metavar="SESSION", help="how the records of this session were read")
    which.add_argument("--trace", metavar="TRACE_ID", help="how the records of this trace were read")
    which.add_argument(
        "--plain", action="store_true", help="list traces in which nothing was recognised as an agent's"
    )
    parser.add_argument("--service", metavar="SERVICE", help="needed where several services have this id")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print what there is to say."""
    width = page_width()
    with Client(settings.url, settings.token) as client:
        if args.plain:
            answer = client.plain_traces(service=args.service)
            lines = _plain(answer, width)
        elif args.trace:
            answer = client.trace_reading(args.trace)
            lines = report(answer, width)
        else:
            answer = client.reading(args.session, args.service)
            lines = report(answer, width)
    if args.format == "json":
        print(to_json(answer, indent=True).decode())
        return 0
    for line in lines:
        print(line)
    return 0


def report(answer: Json, width: int) -> Iterator[str]:
    """The lines that tell how the records were read."""
    session = answer.get("session")
    if session:
        yield printable(f"session {session['session_id']} of {session['service_name']}")
        yield from wrap(_source(session["session_source"]), "", width)
    else:
        yield printable(f"trace {answer['trace_id']}")
    yield f"{_counted(answer['total_records'], 'record')} in {_counted(answer['traces'], 'trace')}"
    if answer["read_records"] < answer["total_records"]:
        yield f"looked at here: the first {answer['read_records']:,} records"
    if answer["dropped_attributes"]:
        yield from wrap(
            f"{_counted(answer['dropped_attributes'], 'attribute')} dropped in the agent's process, over its "
            "limit: raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT there",
            "",
            width,
        )
    if session and session["not_captured"]:
        yield from wrap(capture_note(session), "", width)
    known = [entry for entry in answer["readings"] if entry["became"] != "nothing"]
    claimed = [entry for entry in answer["readings"] if entry["became"] == "nothing" and entry["dialect"]]
    unknown = [entry for entry in answer["readings"] if entry["became"] == "nothing" and not entry["dialect"]]
    unknown.sort(key=lambda entry: -int(entry["count"]))
    yield from _section("understood", known, width)
    yield from _section("known, and nothing of an agent's run", claimed, width)
    yield from _section("not understood: stored as they came", unknown, width)


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def _source(source: str) -> str:
    if source == "trace":
        return "no record names a session: it is the trace's id"
    if source == "stitched":
        return "no record names a session: its traces are joined by their histories"
    return f"the session is named by {source}"


def _section(title: str, entries: list[Json], width: int) -> Iterator[str]:
    if not entries:
        return
    yield ""
    yield title
    for entry in entries:
        became = "" if entry["became"] == "nothing" else f": {entry['became']}"
        read = became + (f", read by {entry['dialect']}" if entry["dialect"] else "")
        scope = f" (scope {entry['scope']})" if entry["scope"] else ""
        yield excerpt(
            f"  {entry['count']:,} × {entry['signal']} {entry['name'] or '(no name)'}{scope}{read}", width
        )
        if entry["missing"]:
            yield from wrap("not in it: " + ", ".join(entry["missing"]), "      ", width)
        if entry["unread"] and (entry["became"] != "nothing" or not entry["dialect"]):
            more = len(entry["unread"]) - _UNREAD
            rest = f" and {more} more" if more > 0 else ""
            yield from wrap(
                "attributes not looked at: " + ", ".join(entry["unread"][:_UNREAD]) + rest, "      ", width
            )


def _plain(answer: Json, width: int) -> Iterator[str]:
    for trace in answer["traces"]:
        started = trace["started_at"][:19].replace("T", " ")
        yield f"{trace['trace_id']}  {started}  {_counted(trace['spans'], 'span')}"
        scopes = ", ".join(scope for scope in trace["scopes"] if scope)
        named = f"    {trace['service_name']}: {trace['root_name']}"
        yield excerpt(named + (f" (scopes {scopes})" if scopes else ""), width)
    yield f"{len(answer['traces'])} of {answer['total']} plain traces"
