"""The span tree of one trace: what a span inherits from its ancestors. Cycles and orphans are harmless."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from collector.records import SpanRecord

T = TypeVar("T")


class Tree:
    """Parents by span id, of spans in a fixed order (so that a cycle is always cut at the same place)."""

    def __init__(self, spans: Sequence[SpanRecord]) -> None:
        self._parents = {span.span_id: span.parent_span_id for span in spans}

    def __contains__(self, span_id: str) -> bool:
        return span_id in self._parents

    def parent(self, span_id: str) -> str:
        """The parent's id, "" for a root or an unknown span."""
        return self._parents.get(span_id, "")

    def nearest(self, own: Mapping[str, T]) -> dict[str, T]:
        """For each span its own value in `own`, else its nearest ancestor's; spans without are left out."""
        return self._inherit(own, outermost=False)

    def outermost(self, own: Mapping[str, T]) -> dict[str, T]:
        """For each span the value of its outermost ancestor (or itself) that has one."""
        return self._inherit(own, outermost=True)

    def _inherit(self, own: Mapping[str, T], outermost: bool) -> dict[str, T]:
        found: dict[str, T] = {}
        if not own:
            return found
        for span_id, parent in self._parents_first:
            value = found.get(parent)
            mine = own.get(span_id)
            if mine is not None and (value is None or not outermost):
                value = mine
            if value is not None:
                found[span_id] = value
        return found

    @cached_property
    def _parents_first(self) -> list[tuple[str, str]]:
        """Every span with its parent, each behind its parent; a cycle begins where it was entered."""
        parents = self._parents
        order: list[tuple[str, str]] = []
        done: set[str] = set()
        for start in parents:
            path: list[tuple[str, str]] = []
            current = start
            while current in parents and current not in done:
                done.add(current)
                path.append((current, parents[current]))
                current = parents[current]
            order += reversed(path)
        return order
