"""The Overview's charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import polars as pl

_FORMATS = {"hour": "%H:%M", "day": "%d %b", "week": "%d %b"}
HEIGHT = 230


def over_time(
    rows: Sequence[Mapping[str, Any]],
    buckets: Sequence[str],
    bucket: str,
    series: Mapping[str, tuple[str, str]],
    field: str,
) -> alt.Chart:
    """Stacked bars of `count` by bucket. `series` gives each value of `field` its name and colour.

    Every bucket has its place on the axis, so that a quiet day is seen as one. The point selection
    `bar` names the `id` and the `bucket` of the bar clicked.
    """
    data = [
        {"bucket": row["bucket"], "id": row[field], "name": series[row[field]][0], "count": row["count"]}
        for row in rows
    ]
    used = list(dict.fromkeys(row["id"] for row in data))
    click = alt.selection_point(name="bar", fields=["id", "bucket"], on="click", empty=False, clear=False)
    label = f"timeFormat(toDate(datum.value), '{_FORMATS[bucket]}')"
    chart: alt.Chart = (
        alt.Chart(pl.DataFrame(data))
        .mark_bar(cursor="pointer", cornerRadius=2)
        .encode(
            x=alt.X(
                "bucket:O",
                title=None,
                scale=alt.Scale(domain=list(buckets), paddingInner=0.3),
                axis=alt.Axis(labelExpr=label, labelAngle=0, labelOverlap="greedy", ticks=False),
            ),
            y=alt.Y("count:Q", title=None, axis=alt.Axis(tickMinStep=1, format="d", tickCount=4)),
            color=alt.Color(
                "name:N",
                scale=alt.Scale(
                    domain=[series[key][0] for key in used], range=[series[key][1] for key in used]
                ),
                legend=alt.Legend(title=None, orient="top", columns=3, labelLimit=180, offset=4, padding=0),
            ),
            tooltip=[
                alt.Tooltip("name:N", title="What"),
                alt.Tooltip("count:Q", title="Count"),
                alt.Tooltip("bucket:N", title="From (UTC)"),
            ],
        )
        .add_params(click)
        .properties(height=HEIGHT)
    )
    return chart
