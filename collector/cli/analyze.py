"""`tightrope analyze`: derive and analyse again."""

from __future__ import annotations

import argparse

from collector.cli.status import print_answer
from collector.client import Client
from collector.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to analyse."""
    parser.add_argument(
        "--all", action="store_true", help="everything that is stored, not only what failed before"
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Ask the service to analyse, and print what it answers."""
    with Client(settings.url, settings.token) as client:
        print_answer(client.analyze(everything=args.all))
    return 0
