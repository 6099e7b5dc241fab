"""Which calls read or write a thing as a whole: a file by its path, a record by its id.

A read in part, a write in part (a passage, a section by name, an append) is neither.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from analyzers import call_classes
from analyzers.claims.kinds import name_words
from analyzers.model import ToolCall
from analyzers.replacement.contents import MAX_CHARS, plain

Content = Mapping[str, Any]
"""A file is {"": its text}; a record is its fields."""

_READS = {"cat", "describe", "download", "fetch", "get", "load", "open", "read", "retrieve", "show", "view"}
_NO_READS = {"find", "glob", "grep", "list", "log", "logs", "ls", "query", "search", "status", "tail", "tree"}
_WRITES = {
    "create", "edit", "modify", "overwrite", "patch", "put", "replace", "save", "set", "store",
    "update", "upload", "write",
}  # fmt: skip
_ADDS = {"add", "append", "comment", "insert", "prepend", "reply"}
_TAKES_AWAY = {"archive", "clean", "clear", "close", "delete", "drop", "empty", "remove", "reset", "truncate"}
_PATHS = (
    "path", "file_path", "filePath", "filepath", "filename", "file_name", "file", "target_file",
    "notebook_path", "uri", "page", "document", "doc",
)  # fmt: skip
_CONTENTS = (
    "content", "contents", "file_text", "text", "body", "new_content", "file_content", "data",
    "markdown", "html", "code", "source",
)  # fmt: skip
_IN_PART = {
    "after", "anchor", "before", "code_edit", "column", "diff", "edits", "end_line", "find",
    "from_line", "head", "heading", "index", "insert_line", "instruction", "instructions", "length",
    "limit", "line", "line_number", "lines", "line_range", "new_str", "new_string", "offset",
    "old_content", "old_str", "old_string", "old_text", "page_number", "patch", "pattern", "position",
    "range", "replacement", "search", "section", "section_id", "selector", "start", "start_line",
    "tail", "to_line", "view_range",
}  # fmt: skip
_PATH_KEYS, _PART_KEYS = frozenset(_PATHS), frozenset(_IN_PART)
_CHANGES = _WRITES | _ADDS | _TAKES_AWAY
_NO_READING = _WRITES | _ADDS | _NO_READS
_VERBS = _READS | _CHANGES
_WRAPPERS = {"changes", "data", "fields", "patch", "properties", "updates", "values"}
_CAT = re.compile(r"\s*cat\s+(?:-n\s+)?([\w./~@+-]{1,300})\s*")
_HEREDOC = re.compile(
    r"\s*(?:cat\s*>(?!>)\s*([\w./~@+-]{1,300})\s*<<-?\s*|cat\s*<<-?\s*|tee\s+([\w./~@+-]{1,300})\s*<<-?\s*)"
    r"(['\"]?)(\w{1,30})\3[ \t]*(?:>(?!>)\s*([\w./~@+-]{1,300}))?[^\n]{0,40}\n"
)


@dataclass(frozen=True, slots=True)
class Access:
    """A call that reads (`read`), writes (`write`) or changes in part (`part`) the thing `target`.

    `given` is what a write sets, `shown` the result of a read as it came: `read_content` tells what it holds.
    """

    kind: Literal["read", "write", "part"]
    target: str
    given: Content = field(default_factory=dict)
    shown: str = ""
    adds: bool = False
    takes_away: bool = False


@lru_cache(maxsize=4096)
def _roles(tool: str) -> tuple[bool, bool, bool, bool]:
    """Whether a tool reads, changes, adds to and takes away from things, by its name."""
    named = name_words(tool)
    reads = not named.isdisjoint(_READS) and named.isdisjoint(_NO_READING)
    return (
        reads,
        not named.isdisjoint(_CHANGES),
        not named.isdisjoint(_ADDS),
        not named.isdisjoint(_TAKES_AWAY),
    )


def access_of(call: ToolCall) -> Access | None:
    """What the call reads or writes; None where it is neither or where nothing tells."""
    arguments = call.arguments
    if not isinstance(arguments, dict):
        return None
    command = arguments.get("command", arguments.get("cmd"))
    verb = command if isinstance(command, str) else ""
    if verb and _PATH_KEYS.isdisjoint(arguments):
        return _by_shell(verb, call)
    reads, changes, adds, takes_away = _roles(call.tool)
    reads = reads or verb == "view"
    if not reads and not changes and verb not in ("create", "str_replace", "insert"):
        return None
    target = target_of(arguments)
    if not target:
        return None
    in_part = not _PART_KEYS.isdisjoint(arguments) and any(
        key in _IN_PART and value not in (None, "", False) for key, value in arguments.items()
    )
    if reads:
        if in_part or not call.result or call_classes.failed(call):
            return None
        return Access("read", target, shown=call.result)
    appends = bool(arguments.get("append")) or "append" in str(arguments.get("mode", ""))[:40]
    if in_part or adds or takes_away or appends:
        return Access("part", target, _fields(arguments), adds=adds, takes_away=takes_away)
    text = next((arguments[key] for key in _CONTENTS if isinstance(arguments.get(key), str)), None)
    if text is not None and any(key in arguments for key in _PATHS):
        return Access("write", target, {"": text})
    fields = _fields(arguments)
    if text is not None and len(fields) == 1:
        return Access("write", target, {"": text, **fields})
    return Access("write", target, fields) if fields else None


def target_of(arguments: Mapping[str, Any]) -> str:
    """The path or the id of the thing that a call is about, "" where it names none."""
    if not _PATH_KEYS.isdisjoint(arguments):
        for key in _PATHS:
            if isinstance(value := arguments.get(key), str) and value.strip():
                return _normal(value)
    for key, value in arguments.items():
        if _is_id(key) and isinstance(value, str | int) and not isinstance(value, bool):
            return str(value).strip()[:300]
    return ""


def base_name(target: str) -> str:
    """The last part of a path; an id as it is."""
    return target.rsplit("/", 1)[-1]


def same_target(one: str, other: str) -> bool:
    """Whether two spellings name one thing: equal, or one path ends as the other, which is relative."""
    if one == other:
        return True
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return longer.startswith(("/", "~")) and not shorter.startswith("/") and longer.endswith("/" + shorter)


def same_kind(one: ToolCall, other: ToolCall) -> bool:
    """Whether two calls that name one thing may mean the same: a draft may bear the id of its message."""
    if not (_names_an_id(one) and _names_an_id(other)):
        return True
    first, second = (name_words(call.tool) - _VERBS for call in (one, other))
    return not (first and second) or not first.isdisjoint(second)


def record_in(result: str | None) -> dict[str, Any]:
    """The record that a result holds, {} where it holds none. One wrapper around it is taken off."""
    if not result or len(result) > MAX_CHARS or not result.lstrip().startswith("{"):
        return {}
    try:
        value = json.loads(result)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    inner = [item for item in value.values() if isinstance(item, dict)]
    return inner[0] if len(inner) == 1 and len(value) <= 3 and len(inner[0]) >= len(value) else value


def read_content(result: str) -> Content:
    """What a read showed: the fields of a record, or a text under ""."""
    record = record_in(result)
    if not record:
        return {"": plain(result)} if not result.lstrip().startswith(("{", "[")) else {"": result[:MAX_CHARS]}
    text = next((record[key] for key in _CONTENTS if isinstance(record.get(key), str)), None)
    if text is None:
        return record
    return {**record, "": plain(text)}


def _by_shell(command: str, call: ToolCall) -> Access | None:
    if match := _CAT.fullmatch(command[:400]):
        if call.result and not call_classes.failed(call):
            return Access("read", _normal(match[1]), shown=call.result)
        return None
    match = _HEREDOC.match(command[:1_000])
    path = match and (match[1] or match[2] or match[5])
    if not match or not path:
        return None
    body = command[match.end() : match.end() + MAX_CHARS]
    end = re.search(rf"^\s*{match[4]}\s*$", body, re.MULTILINE)
    return Access("write", _normal(path), {"": body[: end.start()] if end else body})


def _fields(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that a call sets: its arguments, and those in one object among them."""
    fields: dict[str, Any] = {}
    for key, value in arguments.items():
        if _is_id(key) or key in _PATHS:
            continue
        if isinstance(value, dict) and key in (
            "fields",
            "data",
            "updates",
            "changes",
            "values",
            "patch",
            "properties",
        ):
            fields.update(value)
        else:
            fields[key] = value
    return fields


def _names_an_id(call: ToolCall) -> bool:
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    return not any(key in arguments for key in _PATHS) and any(map(_is_id, arguments))


def _is_id(key: str) -> bool:
    return key in ("id", "key", "uuid", "number") or key.endswith(("_id", "_key", "Id"))


def _normal(path: str) -> str:
    path = path.strip()[:300].replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    return path
