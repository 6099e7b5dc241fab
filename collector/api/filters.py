"""The query parameters that lists share, and how a time is written."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from analyzers.model import Severity

_AGO = re.compile(r"(\d{1,7})([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment(value: Any) -> datetime:
    """A time as naive UTC: ISO 8601 (without an offset: UTC), or how long ago (`90s`, `24h`, `7d`, `2w`).

    Raises ValueError with the remedy where it is neither.
    """
    text = str(value).strip()
    try:
        if match := _AGO.fullmatch(text):
            ago = timedelta(**{_UNITS[match[2]]: int(match[1])})
            return datetime.now(UTC).replace(tzinfo=None) - ago
        parsed = datetime.fromisoformat(text)
        return parsed.astimezone(UTC).replace(tzinfo=None) if parsed.tzinfo else parsed
    except (ValueError, OverflowError):
        raise ValueError(
            f"{text[:40]!r} is no time: write 2026-05-04T10:00:00Z, or 24h, 7d, 2w ago"
        ) from None


Moment = Annotated[
    datetime,
    BeforeValidator(moment),
    WithJsonSchema({"type": "string", "examples": ["24h", "7d", "2026-05-04T10:00:00Z"]}),
]


class _Query(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TimeRange(_Query):
    """From `since` (included) to `until` (excluded)."""

    since: Moment | None = None
    until: Moment | None = None


class Page(_Query):
    """Which part of a list."""

    limit: int = Field(50, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=10**9)


class FindingQuery(TimeRange, Page):
    """Which findings."""

    kind: str | None = None
    subkind: str | None = None
    severity: Severity | None = None
    model: str | None = None
    agent: str | None = None
    service: str | None = None
    tool: str | None = None
    rescue: str | None = None
    flagged: bool | None = None
    q: str | None = Field(None, max_length=1000)


class SessionQuery(FindingQuery):
    """Which sessions, in which order."""

    order: Literal["flagged", "started_at", "rounds", "tool_calls", "findings", "rescues"] = "flagged"


class RescueQuery(TimeRange, Page):
    """Which rescues."""

    name: str | None = None
    family: str | None = None
    model: str | None = None
    agent: str | None = None
    service: str | None = None
