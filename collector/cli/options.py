"""Settings as command-line options, as help and as documentation: all from the table in code."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import MISSING, Field, fields
from typing import Any

from collector.settings import ENV_PREFIX, Settings

# What depends on the machine is told in words.
DEFAULTS = {
    "data": "$XDG_DATA_HOME/tightrope, else ~/.local/share/tightrope",
    "attributes": "",
    "analyzers": "",
}


def add_settings(parser: argparse.ArgumentParser, names: Iterable[str]) -> None:
    """Give `parser` an option for each of these settings: `--http-port` for `http_port`."""
    known = {spec.name: spec for spec in fields(Settings)}
    for name in names:
        spec, flag = known[name], "--" + name.replace("_", "-")
        default = _default(spec)
        text = spec.metadata["help"] + (f" (default: {default})" if default else "")
        if spec.default is False:
            parser.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=_escape(text))
        else:
            parser.add_argument(flag, metavar=name.upper(), default=argparse.SUPPRESS, help=_escape(text))


def overrides(args: argparse.Namespace) -> dict[str, Any]:
    """The settings that the command line gives."""
    return {
        spec.name: value for spec in fields(Settings) if (value := getattr(args, spec.name, None)) is not None
    }


def settings_help() -> str:
    """The end of `tightrope --help`: every setting, by the name of its environment variable."""
    lines = ["settings (environment variables; docs/settings.md says more):"]
    for spec in fields(Settings):
        if not spec.metadata.get("file_only"):
            lines.append(f"  {ENV_PREFIX + spec.name.upper():30} {_default(spec)}".rstrip())
    return "\n".join(lines)


def settings_table() -> str:
    """Every setting as the Markdown table of docs/settings.md."""
    lines = ["| setting | environment | default | what it is |", "| --- | --- | --- | --- |"]
    for spec in fields(Settings):
        variable = "" if spec.metadata.get("file_only") else f"`{ENV_PREFIX}{spec.name.upper()}`"
        default = f"`{_default(spec)}`" if _default(spec) else ""
        lines.append(f"| `{spec.name}` | {variable} | {default} | {spec.metadata['help']} |")
    return "\n".join(lines)


def _default(spec: Field[Any]) -> str:
    if spec.name in DEFAULTS:
        return DEFAULTS[spec.name]
    assert spec.default is not MISSING, f"{spec.name} needs an entry in DEFAULTS"
    if isinstance(spec.default, bool):
        return str(spec.default).lower()
    return ",".join(spec.default) if isinstance(spec.default, tuple) else str(spec.default)


def _escape(text: str) -> str:
    return text.replace("%", "%%")
