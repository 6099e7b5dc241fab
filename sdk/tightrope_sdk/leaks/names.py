"""Tool names: which are plausible, which are placeholders, which were offered."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

NAME = r"[^\W\d][\w.:/@\-]{0,127}"
"""What a tool's name may look like (a regular expression, without anchors)."""

_NAME = re.compile(NAME)
_SEPARATORS = re.compile(r"[\s.\-/:]+")
_NAMESPACE = re.compile(r"^(?:functions?|default_api|tools?|mcp__[^_]\w*?_)[.:_]")
_PLACEHOLDER_NAMES = """
    n name tool_name toolname function_name functionname func_name func tool function my_function my_tool
    your_function your_tool your_function_name example_function example_function_name example_tool
    some_tool some_function function_name_here tool_name_here name_of_function name_of_tool
"""
_PLACEHOLDERS = frozenset(_PLACEHOLDER_NAMES.split())
_PLACEHOLDER_VALUES = frozenset({"...", "…", "value", "<value>"})


def normalised(name: str) -> str:
    """`name` without namespace, letter case and the difference between `-`, `.` and `_`."""
    return _SEPARATORS.sub("_", _NAMESPACE.sub("", name.strip().lower()))


@lru_cache(maxsize=64)
def normalised_all(names: tuple[str, ...]) -> frozenset[str]:
    """The normalised form of each name."""
    return frozenset(map(normalised, names))


def is_name(name: str) -> bool:
    """Whether `name` could be a tool's name at all."""
    return _NAME.fullmatch(name) is not None


def is_placeholder(name: str, arguments: object, offered: Collection[str]) -> bool:
    """Whether the call is a pattern to fill in: `function_name`, or nothing but `...` as arguments."""
    plain = normalised(name)
    if plain in _PLACEHOLDERS and plain not in offered:
        return True
    if isinstance(arguments, dict) and arguments:
        return all(isinstance(v, str) and v.strip() in _PLACEHOLDER_VALUES for v in arguments.values())
    return False
