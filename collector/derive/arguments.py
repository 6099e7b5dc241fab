"""Whether two reports of a tool's arguments are of the same ones."""

from __future__ import annotations

from typing import Any


def arguments_match(proposed: Any, executed: Any) -> bool | None:
    """Whether both are the same arguments; None where one of them is unknown or was cut.

    An executor adds its defaults, so what it adds may be empty. A function called by position tells
    the values without their names.
    """
    if proposed is None or executed is None:
        return None
    if isinstance(proposed, dict) and isinstance(executed, dict) and executed.keys() == {"args", "kwargs"}:
        by_position, named = executed["args"], executed["kwargs"]
        if isinstance(by_position, list) and isinstance(named, dict):
            rest = [value for key, value in proposed.items() if key not in named]
            same = rest == by_position and all(proposed.get(key) == value for key, value in named.items())
            return same or None
    if isinstance(proposed, dict) and isinstance(executed, dict):
        added = executed.keys() - proposed.keys()
        return all(executed.get(key) == value for key, value in proposed.items()) and not any(
            executed[key] for key in added
        )
    if isinstance(proposed, str) or isinstance(executed, str):
        return True if proposed == executed else None
    return bool(proposed == executed)


def same_arguments(one: Any, other: Any) -> bool | None:
    """The same of two reports of an execution, either of which may hold the defaults that were added."""
    verdicts = (arguments_match(one, other), arguments_match(other, one))
    return True if True in verdicts else None if None in verdicts else False
