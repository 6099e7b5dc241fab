"""The command line. `COMMANDS` is the whole list; a command's module is imported when it is used.

A module has `add_arguments(parser)` and `run(args, settings) -> int`. Results go to stdout,
diagnostics to stderr. Exit codes: 0 fine, 1 findings or a failed check, 2 wrong usage, 3 the
service (or its data) cannot be reached.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module, metadata

from collector.cli.options import add_settings, overrides, settings_help
from collector.errors import StoreError, TightropeError, UnreachableError
from collector.settings import load_settings

FINE, FOUND, USAGE, UNREACHABLE, INTERRUPTED = 0, 1, 2, 3, 130
EVERYWHERE = ("url", "data", "token")


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, its line in `tightrope --help`, its module."""

    name: str
    help: str
    module: str


COMMANDS = (
    Command("up", "start the collector and the dashboard", "collector.cli.up"),
    Command("demo", "send sample runs, one for each kind of finding", "collector.cli.demo"),
    Command("sessions", "list sessions, flagged ones first", "collector.cli.sessions"),
    Command("show", "show a session round by round", "collector.cli.show"),
    Command("doctor", "show how telemetry was read, and what was not understood", "collector.cli.doctor"),
    Command("sql", "run a SELECT on what is stored", "collector.cli.sql"),
    Command("check", "exit 1 where there are findings: for CI", "collector.cli.check"),
    Command("status", "show what is stored, received and refused", "collector.cli.status"),
    Command("analyze", "derive and analyse again", "collector.cli.analyze"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # telemetry holds what a terminal's encoding may not
            stream.reconfigure(errors="backslashreplace")
    try:
        args = _parser(words).parse_args(words)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE
    try:
        settings = load_settings(overrides(args), config=getattr(args, "config", None))
        code: int = args.run(args, settings)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # `tightrope … | head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if getattr(args, "debug", False):
            traceback.print_exc()
        print(f"tightrope: {_line(error)}", file=sys.stderr)
        return UNREACHABLE if isinstance(error, UnreachableError | StoreError) else USAGE


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    everywhere = argparse.ArgumentParser(add_help=False)
    add_settings(everywhere, EVERYWHERE)
    everywhere.add_argument(
        "--config", metavar="FILE", default=argparse.SUPPRESS, help="the TOML settings file"
    )
    everywhere.add_argument(
        "--debug", action="store_true", default=argparse.SUPPRESS, help="show the traceback of an error"
    )
    parser = argparse.ArgumentParser(
        prog="tightrope",
        description="Says where an AI agent's run went wrong and why.",
        parents=[everywhere],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=settings_help(),
    )
    parser.add_argument("--version", action="version", version=f"tightrope {metadata.version('tightrope')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, dest="command")
    for command in COMMANDS:
        sub = commands.add_parser(
            command.name,
            help=command.help,
            description=command.help[:1].upper() + command.help[1:] + ".",
            parents=[everywhere],
        )
        if command.name in words:  # the others are not imported: a command starts in its own time
            module = import_module(command.module)
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return parser


def _line(error: Exception) -> str:
    """The one line that an error is told in; the position that DuckDB draws below is left out."""
    text = " ".join(str(error).partition("\n\nLINE ")[0].split())
    if isinstance(error, TightropeError):
        return text
    return f"unexpected {type(error).__name__}: {text} (--debug shows where)"
