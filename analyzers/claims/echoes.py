"""Results that show another state than the one asked for: `temperature: 22` in, `temperature: 19` out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_STATE_WORDS = """
    status state role mode priority assignee owner visibility plan level branch environment enabled active on
    locked replicas temperature brightness volume quantity qty amount limit_value value color colour
    language stage
"""
_STATES = frozenset(_STATE_WORDS.split())
_NO_STATE = frozenset(
    {"limit", "offset", "page", "id", "size", "count", "port", "line", "timeout", "index", "version"}
)
_DONE_WORDS = re.compile(
    r"(?:ok|success\w*|succeeded|done|completed?|updated|accepted|created|queued|pending|processing|sent"
    r"|saved|set|changed"
    r"|processed|executed|confirmed|scheduled|running|\d{3})",
    re.IGNORECASE,
)
_DRY = re.compile(
    r"\bdry[ _-]?run\b|\b(?:no|without) changes? (?:were|was|have been) (?:applied|written)\b", re.IGNORECASE
)
_DRY_KEYS = ("dry_run", "dryRun", "dryrun", "simulate", "preview", "test_mode", "check_mode")
_LONGEST = 10_000
_DRY_COMMAND = re.compile(r"\s--(?:dry-run(?!=none)|check|simulate|what-if|noop)\b")


def other_state(arguments: Any, result: str) -> tuple[str, str] | None:
    """(what the result shows, its value) where it shows another value for a key than the arguments set."""
    if not isinstance(arguments, dict) or result[:1] not in ("{", "[") or len(result) > _LONGEST:
        return None
    try:
        decoded = json.loads(result)
    except (ValueError, RecursionError):
        return None
    shown = dict(_scalars(decoded))
    for key, wanted in _scalars(arguments):
        if key in shown and _differs(key, wanted, shown[key]):
            return f"{key}: {json.dumps(shown[key], ensure_ascii=False)}", str(shown[key])
    return None


def is_rehearsal(arguments: Any, command: str, result: str) -> bool:
    """Whether the call only tried what it would do."""
    if isinstance(arguments, dict) and any(arguments.get(key) is True for key in _DRY_KEYS):
        return True
    if command and _DRY_COMMAND.search(command[:2_000]):
        return True
    return _DRY.search(result[:500]) is not None


def _differs(key: str, wanted: Any, shown: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(shown, bool):
        return isinstance(wanted, bool) and isinstance(shown, bool) and wanted != shown
    if isinstance(wanted, (int, float)) and isinstance(shown, (int, float)):
        return key not in _NO_STATE and not key.endswith("id") and abs(wanted - shown) > 1e-6
    if key not in _STATES or not isinstance(wanted, str) or not isinstance(shown, str):
        return False
    plain = [re.sub(r"[\W_]+", "", text.lower()) for text in (wanted, shown)]
    return plain[0] != plain[1] and bool(plain[1]) and not _DONE_WORDS.fullmatch(shown)


def _scalars(value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The plain values of an object and of the objects in it, with their keys."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict) or depth > 3:
        return
    for key, inner in list(value.items())[:100]:
        if isinstance(inner, (str, int, float, bool)):
            yield str(key).lower(), inner
        elif depth < 3:
            yield from _scalars(inner, depth + 1)
