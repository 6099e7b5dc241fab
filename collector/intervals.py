"""Intervals of SQL (`ended_at - started_at`) where JSON and Polars have no type for them."""

from __future__ import annotations

from typing import Any

DAY_NS = 86_400 * 10**9


def iso_duration(months: int, days: int, nanoseconds: int) -> str:
    """An interval as ISO 8601 writes it: `PT1.5S`, `P1M2D`; negative parts carry their own sign."""
    date = f"{months}M" * (months != 0) + f"{days}D" * (days != 0)
    seconds = f"{nanoseconds / 1e9:.9f}".rstrip("0").rstrip(".")
    return f"P{date}" + (f"T{seconds}S" if nanoseconds or not date else "")


def nanoseconds_of(interval: Any) -> int | None:
    """The length of an Arrow month-day-nano interval; None for one with months, which have no length."""
    return None if interval.months else int(interval.days) * DAY_NS + int(interval.nanoseconds)
