"""Which session a record names: the attribute keys, in their order, over all records of one unit.

One key is chosen for the whole unit, the most telling that any of its records has: two
instrumentations in one trace each have their own idea of a session id, and it is one session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from collector import conventions as c
from collector.dialects.decode import decode, identifier
from collector.records import LogRecord, SpanRecord

_PLACEHOLDERS = frozenset(["unknown", "<redacted>", "none", "null", "undefined", "n/a", "[redacted]"])
_SCRUBBED = "[scrubbed"


@dataclass(frozen=True, slots=True)
class SessionIds:
    """The ids found under the chosen key (`source`), by span id and by position of the log record."""

    source: str
    by_span: dict[str, str]
    by_log: dict[int, str]


def find_session_ids(
    spans: Sequence[SpanRecord], logs: Sequence[LogRecord], own_keys: tuple[str, ...] = ()
) -> SessionIds:
    """The session ids that the records themselves carry; `source` is "" where none does.

    `own_keys` are the user's own names of the attribute, and count before all others.
    """
    ranks = _ranks(own_keys)
    hits: list[tuple[int, str, int, str]] = []  # rank of the key, span id, log position, session id
    for span in spans:
        _collect(hits, ranks, span.attributes, span.span_id, -1)
    for position, log in enumerate(logs):
        _collect(hits, ranks, log.attributes, "", position)
    if hits:
        rank = min(hit[0] for hit in hits)
        return _chosen((*own_keys, *c.SESSION_KEYS)[rank], [hit for hit in hits if hit[0] == rank])
    for key in c.METADATA_SESSION_KEYS:
        found = _in_metadata(spans, key)
        if found:
            return _chosen(f"{c.OI_METADATA}.{key}", found)
    return _chosen(c.SESSION_ID, _in_resources(spans, logs))


def session_id(value: Any) -> str:
    """A session id as the agent gave it; "" for a placeholder or anything that is no id."""
    found = identifier(value)
    lowered = found[:20].lower()
    return "" if lowered in _PLACEHOLDERS or lowered.startswith(_SCRUBBED) else found


@lru_cache(maxsize=16)
def _ranks(own_keys: tuple[str, ...]) -> Mapping[str, int]:
    return {key: rank for rank, key in reversed(list(enumerate((*own_keys, *c.SESSION_KEYS))))}


def _collect(
    hits: list[tuple[int, str, int, str]],
    ranks: Mapping[str, int],
    attributes: dict[str, Any],
    span: str,
    log: int,
) -> None:
    keys = ranks.keys() & attributes.keys()
    for key in sorted(keys, key=ranks.__getitem__) if len(keys) > 1 else keys:
        found = session_id(attributes[key])
        if found:
            hits.append((ranks[key], span, log, found))
            return


def _in_metadata(spans: Sequence[SpanRecord], key: str) -> list[tuple[int, str, int, str]]:
    found = []
    for span in spans:
        metadata = span.attributes.get(c.OI_METADATA)
        if isinstance(metadata, str | dict) and key in metadata:
            decoded = decode(metadata)
            value = session_id(decoded.get(key)) if isinstance(decoded, dict) else ""
            if value:
                found.append((0, span.span_id, -1, value))
    return found


def _in_resources(spans: Sequence[SpanRecord], logs: Sequence[LogRecord]) -> list[tuple[int, str, int, str]]:
    found = []
    for span in spans:
        if value := session_id(span.resource.get(c.SESSION_ID)):
            found.append((0, span.span_id, -1, value))
    for position, log in enumerate(logs):
        if value := session_id(log.resource.get(c.SESSION_ID)):
            found.append((0, "", position, value))
    return found


def _chosen(source: str, hits: list[tuple[int, str, int, str]]) -> SessionIds:
    by_span = {span: value for _, span, log, value in hits if log < 0}
    by_log = {log: value for _, _, log, value in hits if log >= 0}
    return SessionIds(source if hits else "", by_span, by_log)
