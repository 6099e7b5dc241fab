"""The client of the query API: what the dashboard and the command line know of the service."""

from __future__ import annotations

import io
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TypedDict, Unpack
from urllib.parse import quote

import httpx

from collector.encoding import iso_duration, nanoseconds_of
from collector.errors import SqlError, TightropeError, UnreachableError, UsageError

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

ARROW = "application/vnd.apache.arrow.stream"
MAX_ROWS = 100_000

Json = dict[str, Any]


class RefusedError(TightropeError):
    """The service refused a request; the text is its answer's. `status` is the HTTP status."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class NoAnswerError(UnreachableError):
    """Nothing answers at the URL at all."""


class FindingFilters(TypedDict, total=False):
    """Filters of lists. Times: ISO 8601, or how long ago (`24h`, `7d`). None does not filter."""

    kind: str | None
    subkind: str | None
    severity: str | None
    model: str | None
    agent: str | None
    service: str | None
    tool: str | None
    rescue: str | None
    flagged: bool | None
    since: str | None
    until: str | None
    q: str | None
    limit: int
    offset: int


class SessionFilters(FindingFilters, total=False):
    """Filters of the list of sessions, and its order."""

    order: Literal["flagged", "started_at", "rounds", "tool_calls", "findings", "rescues"]


class RescueFilters(TypedDict, total=False):
    """Filters of the list of rescues."""

    name: str | None
    family: str | None
    model: str | None
    agent: str | None
    service: str | None
    since: str | None
    until: str | None
    limit: int
    offset: int


@dataclass(frozen=True, slots=True)
class SqlFrame:
    """The rows of one statement; `truncated` says that there were more."""

    frame: pl.DataFrame
    truncated: bool


class Client:
    """Asks the service at `url`. Every method answers the JSON that docs/api.md describes.

    Methods raise UnreachableError where nothing answers or the service is not ready, RefusedError
    (SqlError for SQL) where it refuses. Safe to use from several threads.
    """

    def __init__(self, url: str, token: str = "", *, timeout_s: float = 60.0) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.url = url.rstrip("/")
        try:
            if not self.url.startswith(("http://", "https://")):
                raise httpx.InvalidURL("it does not begin with http:// or https://")
            self._http = httpx.Client(base_url=f"{self.url}/api", headers=headers, timeout=timeout_s)
        except (httpx.InvalidURL, UnicodeEncodeError) as error:
            raise UsageError(
                f"the URL {url!r} or the token is wrong ({error}): see --url, --token"
            ) from error

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def sessions(self, **filters: Unpack[SessionFilters]) -> Json:
        """The sessions that match: `total`, `sessions`."""
        return self._get("/sessions", filters)

    def session(
        self,
        session_id: str,
        service: str | None = None,
        *,
        rounds_from: int | None = None,
        rounds_limit: int | None = None,
    ) -> Json:
        """One session, or a page of its rounds, with long texts cut."""
        part = {"service": service, "rounds_from": rounds_from, "rounds_limit": rounds_limit}
        return self._get(_session(session_id), part)

    def round(
        self, session_id: str, round: int, service: str | None = None, agent: str | None = None
    ) -> Json:
        """One round whole: `round`, `tool_calls`."""
        return self._get(f"{_session(session_id)}/rounds/{round}", {"service": service, "agent": agent})

    def claims(self, session_id: str, service: str | None = None) -> Json:
        """The claim ledger of a session: `total`, `claims`."""
        return self._get(f"{_session(session_id)}/claims", {"service": service})

    def spans(
        self, session_id: str, service: str | None = None, *, limit: int = 1000, offset: int = 0
    ) -> Json:
        """The raw spans of a session's traces: `total`, `spans`."""
        part = {"service": service, "limit": limit, "offset": offset}
        return self._get(f"{_session(session_id)}/spans", part)

    def reading(self, session_id: str, service: str | None = None) -> Json:
        """How the session's records were read: `session`, `readings`, `total_records`, …"""
        return self._get(f"{_session(session_id)}/reading", {"service": service})

    def trace_reading(self, trace_id: str) -> Json:
        """How a trace's records were read: `trace_id`, `readings`, `total_records`, …"""
        return self._get(f"/traces/{quote(trace_id, safe='')}/reading", {})

    def plain_traces(
        self, service: str | None = None, *, limit: int | None = None, offset: int | None = None
    ) -> Json:
        """Traces in which nothing was recognised as an agent's: `total`, `traces`."""
        return self._get("/traces", {"service": service, "limit": limit, "offset": offset})

    def findings(self, **filters: Unpack[FindingFilters]) -> Json:
        """The findings that match: `total`, `findings`."""
        return self._get("/findings", filters)

    def give_verdict(self, finding_id: str, verdict: Literal["true", "false", "ignored"] | None) -> Json:
        """Set a person's word on a finding, or take it back (None): the finding."""
        path = f"/findings/{quote(finding_id, safe='')}/verdict"
        return self._json(self._send("PUT", path, json={"verdict": verdict}))

    def rescues(self, **filters: Unpack[RescueFilters]) -> Json:
        """The rescues that match: `total`, `rescues`."""
        return self._get("/rescues", filters)

    def overview(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        bucket: Literal["hour", "day", "week"] | None = None,
    ) -> Json:
        """Sessions, findings, rescues over time, failing tools, models."""
        return self._get("/overview", {"since": since, "until": until, "bucket": bucket})

    def facets(self) -> dict[str, list[str]]:
        """The values one can filter by: `kinds`, `models`, `agents`, `services`, `tools`, `rescues`."""
        return self._get("/facets", {})

    def alerts(self) -> Json:
        """The alerts: `total`, `alerts`."""
        return self._get("/alerts", {})

    def status(self) -> Json:
        """What the service holds and does."""
        return self._get("/status", {})

    def analyze(self, *, everything: bool = False) -> Json:
        """Derive and analyse again what failed before, or everything: `queued`."""
        return self._json(self._send("POST", "/analyze", json={"all": everything}))

    def sql(self, sql: str) -> pl.DataFrame:
        """The rows of one SELECT, at most 100,000 of them. Raises SqlError where it is refused."""
        return self.run_sql(sql).frame

    def run_sql(self, sql: str, *, max_rows: int = MAX_ROWS) -> SqlFrame:
        """The rows of one SELECT, at most `max_rows`, and whether there were more."""
        import pyarrow as pa  # noqa: PLC0415  slow to import, and only SQL needs it

        answer = self._send(
            "POST", "/sql", json={"sql": sql, "max_rows": max_rows}, headers={"Accept": ARROW}
        )
        with pa.ipc.open_stream(io.BytesIO(answer.content)) as reader:
            table = reader.read_all()
        return SqlFrame(frame_of(table), answer.headers.get("Tightrope-Truncated") == "true")

    def _get(self, path: str, parameters: Any) -> Json:
        known = {name: value for name, value in parameters.items() if value is not None}
        return self._json(self._send("GET", path, params=known))

    def _send(self, method: str, path: str, **request: Any) -> httpx.Response:
        try:
            answer = self._http.request(method, path, **request)
        except httpx.TimeoutException as error:
            raise UnreachableError(
                f"{self.url} did not answer in time: narrow the request, or look at the service's log"
            ) from error
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise NoAnswerError(
                f"no service answers at {self.url} ({str(error) or type(error).__name__}): "
                "start it with `tightrope up`, or set --url or TIGHTROPE_URL "
                "(`tightrope sql` reads what is stored without it)"
            ) from error
        if answer.is_success:
            return answer
        raise self._refusal(answer, path)

    def _refusal(self, answer: httpx.Response, path: str) -> TightropeError:
        try:
            text = str(answer.json()["error"])
        except (ValueError, KeyError, TypeError):
            if answer.status_code == 500:
                return UnreachableError(f"{self.url} failed on {path}: its log says why")
            return UnreachableError(
                f"{self.url} answers {answer.status_code} and is no Tightrope service, or one of another "
                "version: set --url or TIGHTROPE_URL"
            )
        if answer.status_code in (401, 403):
            return UsageError(f"{self.url} refuses the token ({text}): set --token or TIGHTROPE_TOKEN")
        if answer.status_code >= 500:
            return UnreachableError(f"{self.url} is not ready: {text}")
        return SqlError(text) if path == "/sql" else RefusedError(text, answer.status_code)

    def _json(self, answer: httpx.Response) -> Json:
        try:
            return answer.json()  # type: ignore[no-any-return]
        except ValueError as error:
            raise UnreachableError(
                f"{self.url} does not answer JSON and is no Tightrope service: set --url or TIGHTROPE_URL"
            ) from error


def frame_of(table: pa.Table) -> pl.DataFrame:
    """An Arrow table as a frame; columns of one name are told apart by a number (`a`, `a_1`)."""
    import polars as pl  # noqa: PLC0415  slow to import

    columns: dict[str, pl.Series] = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        number, unique = 0, name
        while unique in columns:
            number += 1
            unique = f"{name}_{number}"
        columns[unique] = _series(column)
    return pl.DataFrame(columns)


def _series(column: pa.ChunkedArray) -> pl.Series:
    import polars as pl  # noqa: PLC0415  slow to import

    if str(column.type) == "decimal128(38, 0)":  # how DuckDB tells a HUGEINT: every sum() of integers
        series = pl.Series(column)
        small = series.cast(pl.Int64, strict=False)
        return small if small.null_count() == series.null_count() else series
    if str(column.type) != "month_day_nano_interval":
        return pl.Series(column)
    values = column.to_pylist()
    if any(value is not None and value.months for value in values):
        return pl.Series([value and iso_duration(*value) for value in values], dtype=pl.String)
    lengths = [None if value is None else nanoseconds_of(value) for value in values]
    return pl.Series(lengths, dtype=pl.Int64).cast(pl.Duration("ns"))


def _session(session_id: str) -> str:
    # A dot-only id would be taken for a step in the path.
    return f"/sessions/{quote(session_id, safe='').replace('.', '%2E')}"
