"""Every setting in one table: the fields of `Settings`.

A value comes from the command line, else from the environment (`TIGHTROPE_` and the name in
capitals), else from the TOML file (`--config`, `TIGHTROPE_CONFIG`, or `tightrope.toml` in the
current folder), else it is the default. `--help` and docs/settings.md are made from this table.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from collector.errors import UsageError

ENV_PREFIX = "TIGHTROPE_"
CONFIG_VARIABLE = "TIGHTROPE_CONFIG"


def _default_data() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tightrope"


def _setting(default: Any, help: str) -> Any:
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one run. Sizes are bytes, times are seconds unless the name says otherwise."""

    data: Path = field(
        default_factory=_default_data, metadata={"help": "folder of the journal and the DuckDB file"}
    )
    host: str = _setting("127.0.0.1", "address to listen on; another than this machine's own needs a token")
    http_port: int = _setting(4318, "port of OTLP/HTTP and of the query API")
    grpc_port: int = _setting(4317, "port of OTLP/gRPC")
    dashboard_port: int = _setting(8501, "port of the dashboard")
    url: str = _setting(
        "http://127.0.0.1:4318",
        "where the command line and the dashboard find the service; unset: from `host` and `http_port`",
    )
    token: str = _setting("", "when set, every request must carry it: `Authorization: Bearer <token>`")
    insecure: bool = _setting(False, "allow another address than this machine's own without a token")
    cors_origins: tuple[str, ...] = _setting((), "origins whose pages may send telemetry (browser exporters)")
    max_body_bytes: int = _setting(64 * 2**20, "largest request body, after decompression")
    fsync: str = _setting(
        "group", "`group`: an answer waits until the journal is on the disk; `off`: for the OS to have it"
    )
    journal_max_bytes: int = _setting(
        8 * 2**30, "telemetry waiting to be loaded; beyond it clients are told to retry"
    )
    min_free_bytes: int = _setting(512 * 2**20, "free disk space below which clients are told to retry")
    memory_limit: str = _setting("200MB", "what DuckDB may hold in memory")
    threads: int = _setting(2, "threads of DuckDB")
    load_batch_rows: int = _setting(10_000, "rows loaded in one transaction at most")
    settle_seconds: float = _setting(0.3, "how long a trace must be quiet before it is analysed")
    analysis_timeout: float = _setting(60.0, "longest time for one session's analysis before it is set aside")
    sql_timeout: float = _setting(30.0, "longest time for one statement of `/api/sql`")
    sql_max_rows: int = _setting(100_000, "most rows that one statement of `/api/sql` returns")
    rescue_patterns: tuple[str, ...] = _setting(
        (),
        "more names of rescue events: `family=pattern` with * as wildcard, e.g. `bootstrap=*_created_late`",
    )
    judge_url: str = _setting(
        "",
        "an OpenAI-compatible endpoint (`http://127.0.0.1:11434/v1`) that is asked for a second opinion on "
        "contradicted claims; unset: nobody is asked",
    )
    judge_model: str = _setting("", "the model that is asked there")
    judge_key: str = _setting("", "its API key")
    judge_timeout: float = _setting(60.0, "longest time for one answer")
    attributes: Mapping[str, Any] = field(
        default_factory=dict,
        metadata={
            "help": "table `[attributes]` of the TOML file: your own attribute names, by canonical field",
            "file_only": True,
        },
    )
    analyzers: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict,
        metadata={"help": "tables `[analyzers.<kind>]` of the TOML file", "file_only": True},
    )


def load_settings(
    overrides: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    config: str | Path | None = None,
) -> Settings:
    """The settings from overrides (command line), environment, TOML file and defaults.

    Where no `url` is given, it is that of the service's own `host` and `http_port`. Raises UsageError
    for an unknown name, a value of the wrong type or a file that is not TOML.
    """
    environ = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    known = {f.name: f for f in fields(Settings)}
    for name, value in _read_file(config, environ).items():
        if name not in known:
            raise UsageError(f"the settings file has an unknown key {name!r}{_nearest(name, known)}")
        values[name] = value
    _refuse_unknown(environ, known)
    for name, spec in known.items():
        text = environ.get(ENV_PREFIX + name.upper())
        if text is not None and not spec.metadata.get("file_only"):
            values[name] = text
    values.update({name: value for name, value in (overrides or {}).items() if value is not None})
    defaults = Settings()
    settings = Settings(
        **{name: _coerce(name, value, getattr(defaults, name)) for name, value in values.items()}
    )
    return settings if "url" in values else replace(settings, url=service_url(settings))


def service_url(settings: Settings) -> str:
    """Where a service with these settings is reached from its own machine."""
    return f"http://{reachable(settings.host)}:{settings.http_port}"


def reachable(host: str) -> str:
    """An address by which a listening address is reached from the same machine, as a URL writes it."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host


def _refuse_unknown(environ: Mapping[str, str], known: Mapping[str, Field[Any]]) -> None:
    """A misspelt variable would leave the default in force without a word."""
    variables = {
        ENV_PREFIX + name.upper() for name, spec in known.items() if not spec.metadata.get("file_only")
    }
    variables.add(CONFIG_VARIABLE)
    for variable in sorted(environ):
        if variable.startswith(ENV_PREFIX) and variable not in variables:
            raise UsageError(f"there is no setting {variable}{_nearest(variable, variables)}")


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f": is {near[0]} meant? docs/settings.md has all names" if near else ": see docs/settings.md"


def _read_file(config: str | Path | None, environ: Mapping[str, str]) -> dict[str, Any]:
    named = config or environ.get(CONFIG_VARIABLE)
    path = Path(named or "tightrope.toml").expanduser()
    if not named and not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"settings file {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"settings file {path} is not TOML: {error}") from error


def _coerce(name: str, value: Any, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return _to_bool(value)
        if isinstance(default, tuple):
            return (
                tuple(part.strip() for part in value.split(",") if part.strip())
                if isinstance(value, str)
                else tuple(value)
            )
        if isinstance(default, Mapping):
            return dict(value)
        return type(default)(value) if not isinstance(default, Path) else Path(value).expanduser()
    except (TypeError, ValueError) as error:
        raise UsageError(f"setting {name} must be of type {type(default).__name__}, not {value!r}") from error


def _to_bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).lower() in {"1", "true", "yes", "on"}:
        return True
    if str(value).lower() in {"0", "false", "no", "off", ""}:
        return False
    raise ValueError(value)
