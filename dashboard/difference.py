"""How the arguments of a call differ from the previous call of the same tool."""

from __future__ import annotations

import json
from typing import Any

from dashboard.text import one_line

_VALUE = 40
_ABSENT = object()


def difference(before: Any, now: Any) -> str:
    """The difference in one line, "same" where there is none.

    Objects are compared key by key: `path: a → b`, `+ limit: 5`, `− limit`. Anything else, and JSON
    that is cut and so does not parse, is compared as a whole.
    """
    before, now = _parsed(before), _parsed(now)
    if before == now:
        return "same"
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return "changed"
    parts = []
    for key in (*now, *(key for key in before if key not in now)):
        old, new = before.get(key, _ABSENT), now.get(key, _ABSENT)
        if old == new:
            continue
        name = one_line(str(key), _VALUE)
        if old is _ABSENT:
            parts.append(f"+ {name}: {_short(new)}")
        elif new is _ABSENT:
            parts.append(f"− {name}")
        else:
            parts.append(f"{name}: {_short(old)} → {_short(new)}")
    return ", ".join(parts)


def _parsed(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _short(value: Any) -> str:
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), _VALUE)
