"""Which dialect reads a record: they are asked in their order, and the first that claims it reads it."""

from __future__ import annotations

from collections.abc import Sequence

from collector.derive.canonical import Record
from collector.dialects.dialect import Dialect
from collector.dialects.mapped import UNMAPPED, Mapped
from collector.records import LogRecord, SpanRecord

_MAX_KNOWN_SCOPES = 1_000


class Chain:
    """Dialects in their order, and behind them the user's own mapping.

    Most records are no dialect's but one, so those that cannot claim a record, by its scope or its
    attributes, are not asked.
    """

    def __init__(self, dialects: Sequence[Dialect], mapped: Mapped = UNMAPPED) -> None:
        self.mapped = mapped
        self._dialects = (*dialects, mapped.dialect())
        self._keys = frozenset(key for dialect in self._dialects for key in dialect.keys)
        self._of_scope: dict[str, tuple[tuple[Dialect, ...], tuple[Dialect, ...]]] = {}

    def read_span(self, span: SpanRecord) -> tuple[str, Sequence[Record]]:
        """The name of the dialect that claims the span, and its records; "" where none does."""
        attributes = span.attributes
        every, keyless = self._candidates(span.scope_name)
        present = self._keys & attributes.keys()
        for dialect in every if present else keyless:
            if dialect.keys and present.isdisjoint(dialect.keys):
                continue
            records = dialect.read_span(span)
            if records is not None:
                return dialect.name, self.mapped.apply(records, attributes)
        return "", ()

    def read_log(self, log: LogRecord) -> tuple[str, Sequence[Record]]:
        """The same of a log record."""
        for dialect in self._candidates(log.scope_name)[0]:
            records = dialect.read_log(log)
            if records is not None:
                return dialect.name, self.mapped.apply(records, log.attributes)
        return "", ()

    def _candidates(self, scope: str) -> tuple[tuple[Dialect, ...], tuple[Dialect, ...]]:
        """The dialects that may claim a record of this scope, and those of them that ask for no attribute."""
        known = self._of_scope.get(scope)
        if known is None:
            every = tuple(d for d in self._dialects if not d.scopes or scope.startswith(d.scopes))
            known = every, tuple(dialect for dialect in every if not dialect.keys)
            if len(self._of_scope) < _MAX_KNOWN_SCOPES:
                self._of_scope[scope] = known
        return known
