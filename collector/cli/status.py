"""`tightrope status`: what is stored, received and refused."""

from __future__ import annotations

import argparse
from datetime import timedelta

from collector.cli.text import cell, printable, table, terminal_width
from collector.client import Client, Json
from collector.encoding import to_json
from collector.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The form of the answer."""
    parser.add_argument("--format", choices=("table", "json"), default="table", help="default: table")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the service's status."""
    with Client(settings.url, settings.token) as client:
        answer = client.status()
    if args.format == "json":
        print(to_json(answer, indent=True).decode())
    else:
        print_answer(answer)
    return 0


def print_answer(answer: Json) -> None:
    """Print single values as `name: value`, then each list of rows as a table and each group by itself."""
    groups = {name: value for name, value in answer.items() if isinstance(value, dict | list) and value}
    for name, value in answer.items():
        if name not in groups:
            print(f"{printable(name)}: {_worded(name, value)}")
    for name, value in groups.items():
        print(f"\n{printable(name)}")
        if isinstance(value, list) and all(isinstance(row, dict) for row in value):
            names = list(value[0])
            rows = [[row.get(column) for column in names] for row in value]
            lines = table(names, rows, width=terminal_width())
        else:
            pairs = value.items() if isinstance(value, dict) else enumerate(value)
            lines = (f"{printable(str(key))}: {_worded(str(key), entry)}" for key, entry in pairs)
        for line in lines:
            print(f"  {line}")


def _worded(name: str, value: object) -> str:
    """Bytes in MB and seconds in hours, minutes and seconds, where the name says that they are such."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        if name.endswith("_bytes"):
            return f"{value / 2**20:,.1f} MB"
        if name.endswith("_seconds"):
            return str(timedelta(seconds=round(value)))
    return cell(value)
