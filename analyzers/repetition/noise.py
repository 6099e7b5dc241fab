"""What two calls may differ in and yet be the same call: the moment, ids of the request, spelling.

Only what is *named* as noise is noise (`request_id`, `client_timestamp`, `?nocache=`, `attempt 2`). A bare
time, number or id is as often what the call is about, and so is a noise name that the tool's own name
holds (`get_trace` with a `trace_id`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import unquote_plus

from tightrope_sdk.fingerprint import canonical_json, without_commentary
from tightrope_sdk.names import words

from analyzers import call_classes
from analyzers.model import ToolCall

_LOOKED_AT = 4_000  # characters; a longer text is a content, and its blanks may matter
_LISTED = 50  # values of one list that are looked into
_MAX_DEPTH = 20

_MOMENTS = frozenset({"now", "timestamp", "ts"})
_TIMES = frozenset({"at", "datetime", "time"})
_UNITS = frozenset({"epoch", "iso", "ms", "sec", "seconds", "unix", "utc"})
_OF_THE_REQUEST = frozenset(
    [
        *("called", "client", "current", "generated", "invocation", "invoked", "issued", "local"),
        *("queried", "req", "request", "requested", "submitted"),
    ]
)
_IDS = frozenset({"id", "key", "token", "uuid"})
_OF_AN_ID = frozenset(
    {
        "call",
        "correlation",
        "dedup",
        "dedupe",
        "idempotency",
        "invocation",
        "req",
        "request",
        "rpc",
        "span",
        "trace",
    }
)
_NONCES = frozenset(
    [
        *("attempt", "attempts", "retries", "retry", "try"),
        *(
            "cachebust",
            "cachebuster",
            "callid",
            "nocache",
            "nonce",
            "reqid",
            "requestid",
            "traceid",
            "traceparent",
        ),
    ]
)
_PURPOSES = frozenset({"intent", "motivation", "purpose", "thinking", "why"})
_RECORDS = frozenset(
    {"event", "events", "log", "logs", "record", "records", "span", "spans", "trace", "traces"}
)

_HINT = re.compile(
    r"[\n\t#?%+]|\s\s|--|/\*|-id|-key|attempt|try |retry|/tmp/|[;/]\Z"
    r"|\A(?:[{\[]|\./|[\d.]{1,20}\Z|\Z|true|false)",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"""\b((?:x-)?(?:request|req|correlation|trace|span|invocation|idempotency)-(?:id|key)|traceparent
    |x-(?:nonce|timestamp))(["']?\s?:\s?["']?)[^\s"',;)}]{1,100}""",
    re.IGNORECASE | re.VERBOSE,
)
_SCRATCH = re.compile(r"(/tmp/[\w.-]{0,60}?)\d{10,13}\b")
_ATTEMPT = re.compile(r"\b(attempt|retry|try)([\s:=#]{1,3})\d{1,4}\b", re.IGNORECASE)
_PARAMETER = re.compile(
    r"([?&])(?:(?:nocache|no_cache|cb|cachebust(?:er)?|cache_bust(?:er)?|bust|nonce|rnd|rand)=[^&\s\"'#]{0,100}"
    r"|(?:_|t|ts|r|v)=(?:0?\.)?\d{8,20}\b)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"(?:\A|(?<=\s))#\s[^\n]{0,300}")
_SQL_COMMENT = re.compile(r"/\*[^*]{0,300}\*/|--\s[^\n]{0,300}")
_SQL = re.compile(r"\s{0,20}(?:select|with|show|explain|describe|insert|update|delete)\b", re.IGNORECASE)
_SQL_WORD = re.compile(
    r"\b(?:select|from|where|and|or|not|in|is|null|like|join|left|right|inner|outer|on|group|order|by|having"
    r"|limit|offset|as|count|sum|avg|min|max|distinct|asc|desc|with|union|all|between|exists|insert|into"
    r"|values|update|set|delete)\b",
    re.IGNORECASE,
)
_PROGRAMS = frozenset({"cmd", "code", "command", "script"})
_PATHS = frozenset({"dir", "directory", "file", "filename", "filepath", "folder", "path"})
_TOKEN = re.compile(r"[\w.:+-]+")


class Bare(NamedTuple):
    """A call's arguments as one text without noise, and the moments that were taken out of them."""

    text: str
    moments: tuple[float, ...]


def is_named(arguments: Any) -> bool:
    """Whether an argument is noise by its name."""
    return isinstance(arguments, dict) and _hold_noise(tuple(arguments))


def may_hold(call: ToolCall) -> bool:
    """Whether it is worth taking noise out of this call's arguments: a quick look at their first level."""
    arguments = call.arguments
    if not isinstance(arguments, dict):
        return False
    if is_named(arguments):
        return True
    acts = call_classes.writes(call)
    for value in arguments.values():
        if not isinstance(value, str):
            if type(value) is not int:
                return True
        elif len(value) <= _LOOKED_AT and not (acts and "\n" in value) and _HINT.search(value):
            return True
    return False


@lru_cache(maxsize=4096)
def _hold_noise(keys: tuple[Any, ...]) -> bool:
    return any(isinstance(key, str) and _is_noise(key) for key in keys)


def bare(call: ToolCall) -> Bare | None:
    """The arguments without noise; None where nothing would be left, or they are no object."""
    arguments = without_commentary(call.arguments)
    if not isinstance(arguments, dict):
        return None
    moments: list[float] = []
    of_tool = frozenset(words(call.tool))
    # The blanks of what is written on several lines are part of it: indentation, say.
    plain = _object(arguments, of_tool, not call_classes.writes(call), moments, 0)
    return Bare(canonical_json(plain), tuple(moments)) if plain else None


def is_sweep(moments: list[tuple[float, ...]]) -> bool:
    """Whether the calls move through time in equal steps: then the time is what they are about."""
    if len(moments) < 3 or any(len(values) != 1 for values in moments):
        return False
    times = [values[0] for values in moments]
    steps = {round(later - earlier, 3) for earlier, later in pairwise(times)}
    return len(steps) == 1 and steps != {0.0}


def similarity(one: Any, other: Any) -> float:
    """How much of two calls' arguments is the same: shared tokens by tokens, 0 to 1 (Dice's coefficient)."""
    mine, others = _tokens(one), _tokens(other)
    of = mine.total() + others.total()
    return round(2 * (mine & others).total() / of, 2) if of else 1.0


def _tokens(arguments: Any) -> Counter[str]:
    return Counter(token for text in _texts(arguments, 0) for token in _TOKEN.findall(text[:_LOOKED_AT]))


def _texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, Mapping) and depth < _MAX_DEPTH:
        for key, item in value.items():
            yield str(key)
            yield from _texts(item, depth + 1)
    elif isinstance(value, (list, tuple)) and depth < _MAX_DEPTH:
        for item in value[:_LISTED]:
            yield from _texts(item, depth + 1)
    elif value is not None:
        yield str(value)


@lru_cache(maxsize=4096)
def _is_noise(key: str) -> bool:
    """Whether an argument of this name only says when, how often or under which id the call was made."""
    parts = set(words(key))
    if not parts:
        return key == "_"
    if (
        parts & _NONCES
        or parts <= _PURPOSES
        or parts >= {"cache", "buster"}
        or (parts & _IDS and parts & _OF_AN_ID)
    ):
        return True
    of_a_time = parts & _MOMENTS or (parts & _TIMES and parts & _OF_THE_REQUEST)
    return bool(of_a_time) and parts <= _MOMENTS | _TIMES | _OF_THE_REQUEST | _UNITS


def _object(
    arguments: Mapping[Any, Any], of_tool: frozenset[str], fold: bool, moments: list[float], depth: int
) -> dict[str, Any]:
    kept = {}
    for key, value in arguments.items():
        name = str(key)
        if value is None or value in ("", [], {}):
            continue
        if _is_noise(name) and not isinstance(value, (dict, list)) and not _is_target(name, of_tool):
            moment = _moment(value)
            if moment is not None and not _MOMENTS.union(_TIMES).isdisjoint(words(name)):
                moments.append(moment)
            continue
        kept[name] = _plain(value, name, of_tool, fold, moments, depth + 1)
    return kept


def _is_target(key: str, of_tool: frozenset[str]) -> bool:
    named = words(key)
    return not of_tool.isdisjoint(named) or (named[-1:] == ("id",) and not of_tool.isdisjoint(_RECORDS))


def _plain(
    value: Any, key: str, of_tool: frozenset[str], fold: bool, moments: list[float], depth: int
) -> Any:
    if isinstance(value, str):
        return _text(value, key, fold)
    if isinstance(value, dict) and depth < _MAX_DEPTH:
        return _object(value, of_tool, fold, moments, depth)
    if isinstance(value, list) and depth < _MAX_DEPTH and len(value) <= _LISTED:
        return [_plain(item, key, of_tool, fold, moments, depth + 1) for item in value]
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, (int, float)) else value


def _text(text: str, key: str, fold: bool) -> str:
    if len(text) > _LOOKED_AT or (not fold and "\n" in text):
        return text
    if text[:1] in ("{", "["):
        try:
            return canonical_json(json.loads(text))
        except (ValueError, RecursionError):
            pass
    if text.lower() in ("true", "false"):
        return text.lower()
    named = words(key)
    if _SQL.match(text):
        text = _SQL_COMMENT.sub(" ", text).rstrip("; \n\t")
        text = _SQL_WORD.sub(lambda word: word[0].lower(), text)
    elif not _PROGRAMS.isdisjoint(named):
        text = _SCRATCH.sub(r"\1~", _COMMENT.sub(" ", text))
    elif not _PATHS.isdisjoint(named) and "://" not in text:
        text = text.strip().removeprefix("./").rstrip("/") or text
    if "://" in text:
        text = _PARAMETER.sub(r"\1", _HEADER.sub(r"\1\2~", text))
        if " " not in text.strip():
            text = _address(text.strip())
    return " ".join(_ATTEMPT.sub(r"\1\2~", text).split())


def _address(url: str) -> str:
    """A URL with its parameters in order, its escapes undone, and without a last slash."""
    place, _, query = unquote_plus(url).partition("?")
    parameters = sorted(filter(None, query.split("&")))
    return "?".join([place.rstrip("/"), *(["&".join(parameters)] if parameters else [])])


def _moment(value: Any) -> float | None:
    """Seconds of an epoch or of an ISO date and time; None of anything else."""
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value.strip()).timestamp()
        except (ValueError, OverflowError, OSError):
            pass
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None
