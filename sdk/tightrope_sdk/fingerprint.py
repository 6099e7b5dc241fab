"""When two tool calls are the same call, and when two of their outcomes are the same outcome.

A call is a repeat only if both are: a poll sends the same call again and again and gets somewhere.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from hashlib import blake2b
from typing import Any

_MAX_DEPTH = 100  # deeper values count as equal: below it lies Python's recursion limit
_MAX_OUTCOME = 32_000  # characters of a result that are normalised; what lies between is only hashed

_encode = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False, default=str
).encode

# How chat templates and SDKs prefix the name of a function; none of it tells one tool from another.
_NAMESPACE = re.compile(r"(?:functions|tools|default_api)[.:]")

_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}

# Arguments that comment on a call and do not change what it does.
_COMMENTARY = frozenset(
    {
        "call_id", "explanation", "justification", "rationale", "reason", "reasoning", "request_id",
        "thought", "thoughts", "tool_call_id"
    }
)  # fmt: skip
# These comment on a call only beside what it executes: an `update` writes its `description`.
_COMMENTARY_OF_COMMANDS = frozenset({"description", "summary"})
_COMMANDS = frozenset({"cmd", "code", "command", "pattern", "query", "script", "url"})

_VOLATILE_KEYS = frozenset(
    {
        "cached", "cachehit", "callid", "cfray", "cwd", "duration", "durationms", "durationseconds",
        "elapsed", "elapsedms", "elapsedseconds", "elapsedtime", "executiontime", "executiontimems",
        "fetchedat", "generatedat", "latency", "latencyms", "pid", "querytime", "querytimems",
        "ratelimitremaining", "requestid", "responsems", "responsetime", "responsetimems", "retrievedat",
        "runtimems", "servedat", "servedby", "servertime", "spanid", "timestamp", "took", "tookms",
        "toolcallid", "traceid", "ts", "xratelimitremaining", "xratelimitreset", "xrequestid"
    }
)  # fmt: skip
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]{0,20}[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\))")
# What a tool names one delivery of its output by (Codex: "Chunk ID: 0b7170"); never what it is about.
_DELIVERY_ID = re.compile(r"\b(chunk|request) id: ?[\w-]{4,64}", re.IGNORECASE)
_REQUEST_ID = re.compile(r"\b(req|trace|corr)[-_](?=[\w-]{0,39}\d)[\w-]{6,40}")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
# Starts with a digit, and not with a boundary, so that `re` skips to the next digit at the speed of C.
_VOLATILE = re.compile(
    r"""\d(?<!\w\d)(?:
      \d{3}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?   # date and time
    | \d:\d\d:\d\d(?:[.,]\d{1,9})?                                                  # clock
    | (?<=1)[6-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?\b                                    # epoch, s or ms
    | (?<=0)x[0-9a-fA-F]{6,16}\b                                                    # pointer
    | \d{0,8}(?:\.\d{1,9})?[ ]?(?:ns|us|µs|ms|msec|milliseconds?)\b                 # durations
    | \d{0,8}\.\d{1,9}[ ]?(?:s|secs?|seconds?)\b
    | (?:(?<=in[ ]\d)|(?<=took[ ]\d)|(?<=after[ ]\d)|(?<=elapsed[ ]\d)|(?<=elapsed:[ ]\d))
      \d{0,8}[ ]?(?:s|secs?|seconds?|m|mins?|minutes?)\b
    | (?:(?<=pid[ =:]\d)|(?<=PID[ =:]\d)|(?<=process[ ]\d))\d{0,8}\b                # process id
    )""",
    re.VERBOSE,
)
_REDACTED = frozenset({"redacted", "omitted", "hidden"})
# Claude Code's and Qwen Code's answer to a second read of the same, instead of telling it again.
_NOT_TOLD_AGAIN = re.compile(r"unchanged since (?:the )?last read\b", re.IGNORECASE)
_MAX_NOTICE = 1_000


def canonical_json(value: Any) -> str:
    """`value` as JSON in one form: keys sorted, blanks around texts and nulls in objects dropped.

    `1.0` is `1` and `"True"` is `true`: emitters differ in how they carry numbers and booleans. What is
    not JSON becomes text.
    """
    return _encode(_plain(value, 0))


def fingerprint(tool: str, arguments: Any) -> str:
    """The identity of a call: 16 hex digits for a tool name and its canonical arguments.

    Namespaces (`functions.`, `tools.`, `default_api.`) are no part of the name. Arguments may come as
    the JSON text that models write.
    """
    text = f"{canonical_name(tool)}\0{_encode(_plain(_decoded(arguments), 0))}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def without_commentary(arguments: Any) -> Any:
    """`arguments` without what only comments on the call; the same object where there is nothing such.

    Arguments that are all commentary stay as they are: then it is what the call is about.
    """
    if not isinstance(arguments, dict):
        return arguments
    ignored = _COMMENTARY & arguments.keys()
    if not _COMMANDS.isdisjoint(arguments):
        ignored |= _COMMENTARY_OF_COMMANDS & arguments.keys()
    if not ignored or len(ignored) == len(arguments):
        return arguments
    return {key: value for key, value in arguments.items() if key not in ignored}


def outcome(result: str | None, error: str | None) -> str | None:
    """What a call led to, without what differs from run to run.

    None where it is not known, or only said to be what it was the last time.

    Colours, times of day, durations, UUIDs, pointers, ids of processes and deliveries, and the volatile
    keys of a JSON result are taken out. Texts beyond 32,000 characters are normalised at both ends and
    hashed between.
    """
    if error is not None:
        return "error: " + _steady(error)
    if result is None or result.strip(" []<>()*.").lower() in _REDACTED:
        return None
    if len(result) <= _MAX_NOTICE and _NOT_TOLD_AGAIN.search(result):
        return None
    return _steady(result)


@lru_cache(maxsize=4096)
def canonical_name(tool: str) -> str:
    """A tool's name without blanks and without the namespace that a chat template put before it."""
    return _NAMESPACE.sub("", tool.strip(), count=1) if _NAMESPACE.match(tool.strip()) else tool.strip()


def _plain(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind is str:
        text = value.strip()
        return _BOOLEANS.get(text, text)
    if kind is int or kind is bool or value is None:
        return value
    if kind is float:
        return int(value) if value.is_integer() else value
    if depth == _MAX_DEPTH:
        return "…"
    if isinstance(value, dict):
        return {
            (key if type(key) is str else str(key)): _plain(item, depth + 1)
            for key, item in value.items()
            if item is not None
        }
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth + 1) for item in value]
    return value


def _decoded(arguments: Any) -> Any:
    if isinstance(arguments, str) and arguments.lstrip()[:1] == "{":
        return _loads(arguments)
    return arguments


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


@lru_cache(maxsize=128)
def _steady(text: str) -> str:
    text = text.strip()
    if len(text) > _MAX_OUTCOME:
        half = _MAX_OUTCOME // 2
        between = blake2b(text[half:-half].encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        return f"{_steady(text[:half])}…{between}…{_steady(text[-half:])}"
    if text[:1] in ("{", "["):
        decoded = _loads(text)
        if decoded is not text:
            text = canonical_json(_without_volatile_keys(decoded, 0))
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if " ID:" in text or " id:" in text:
        text = _DELIVERY_ID.sub(r"\1 id: ~", text)
    if "req_" in text or "req-" in text or "trace" in text or "corr" in text:
        text = _REQUEST_ID.sub(r"\1-~", text)
    if text.count("-") >= 4:
        text = _UUID.sub("~", text)
    return _VOLATILE.sub("~", text)


def _without_volatile_keys(value: Any, depth: int) -> Any:
    if depth == _MAX_DEPTH:
        return value
    if isinstance(value, dict):
        return {
            key: _without_volatile_keys(item, depth + 1)
            for key, item in value.items()
            if key.replace("_", "").replace("-", "").lower() not in _VOLATILE_KEYS
        }
    if isinstance(value, list):
        return [_without_volatile_keys(item, depth + 1) for item in value]
    return value
