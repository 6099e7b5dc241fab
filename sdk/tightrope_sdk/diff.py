"""The diff summary of a tool result: did the call change anything, and what?

Read from the keys of a JSON result (`changed`, `hash_before`, `hash_after`, `fields_modified`, counters
such as `replacements` or `rows_affected`) and from the plain texts by which well-known tools say that
nothing happened. Called for every stored call, so a result that cannot hold a summary costs a few
substring searches and no parse.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MAX_JSON_CHARS = 1_000_000
"""A longer result is payload: parsing it would cost more than a summary in it is worth."""

MAX_TEXT_CHARS = 2_000
"""A tool that says "no changes" says little else; in a longer text such words are payload."""


@dataclass(frozen=True, slots=True)
class DiffSummary:
    """What a result says about change; None where it says nothing."""

    changed: bool | None = None
    hash_before: str | None = None
    hash_after: str | None = None
    fields_modified: tuple[str, ...] | None = None


NOTHING = DiffSummary()

_HASH_BEFORE = ("hash_before", "hashBefore", "before_hash", "old_hash")
_HASH_AFTER = ("hash_after", "hashAfter", "after_hash", "new_hash")
_FIELDS = ("fields_modified", "fieldsModified", "modified_fields")
_COUNTERS = (
    "replacements",
    "replacements_made",
    "rows_affected",
    "rowsAffected",
    "affected_rows",
    "affectedRows",
    "rows_updated",
    "modified_count",
    "modifiedCount",
)
_KEY_HINTS = ("changed", "ash_before", "ashBefore", "before_hash", "old_hash", "ields", *_COUNTERS)
_WRAPPERS = ("result", "data", "structuredContent", "structured_content", "diff", "diff_summary", "output")

# Each alternative is anchored at the start of a line: the same words inside a sentence are payload.
_UNCHANGED_TEXT = re.compile(
    r"""^[^\S\n]{0,8}(?:(?:success|ok|done|info|note|warning|error)[:.!][^\S\n]{0,4})?(?:
        no[ ]changes?[ ](?:were[ ]|was[ ])?(?:made|applied|needed|necessary|required|detected|to[ ]apply)\b
      | no[ ]changes?[.!]?[^\S\n]*$
      | no[ ](?:replacements?|rows|records|fields|files)[ ](?:were[ ]|was[ ])?
            (?:made|performed|affected|changed|updated|modified)\b
      | nothing[ ](?:was[ ]|has[ ])?(?:changed|to[ ](?:change|commit|do|update))\b
      | (?:update|delete|merge)[ ]0[^\S\n]*;?$
      | insert[ ]0[ ]0[^\S\n]*;?$
      | (?:query[ ]ok,[ ])?0[ ](?:rows?|records?|documents?|lines?|files?)[ ](?:were[ ])?
            (?:affected|changed|updated|modified|deleted|replaced)\b
      | rows[ ]matched:[ ]\d{1,12}[ ]{1,4}changed:[ ]0\b
      | (?:made[ ]|performed[ ])?0[ ](?:replacements?|substitutions?|changes|occurrences[ ]replaced)\b
      | (?:replaced|changed|updated|modified)[ ]0[ ]
            (?:occurrences?|matches|lines?|rows?|records?|files?|fields?|times)\b
      | everything[ ]up-to-date\b
      | already[ ]up[ -]to[ -]date\b
      | (?:old_str(?:ing)?[ ]and[ ]new_str(?:ing)?|(?:the[ ])?(?:old|new)[ ]and[ ](?:new|old)[ ]\w{1,12}
            |(?:the[ ])?(?:contents?|files?|strings?))[ ](?:are|is)[ ](?:identical|the[ ]same|unchanged)\b
      | (?:the[ ])?(?:file|content|document|record|page|value)[ ](?:was[ ]|is[ ])?
            (?:left[ ]|already[ ])?(?:unchanged|identical)\b
      | (?:identical|unchanged|not[ ]modified|no-op)[.!:]?[^\S\n]*$
    )""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_GIT_NOTHING = re.compile(r"^(?:nothing to commit\b|no changes added to commit\b)", re.MULTILINE)


def diff_summary(result: Any) -> DiffSummary:
    """The diff summary that `result` holds: a decoded JSON value, JSON text or plain text.

    Equal hashes mean unchanged whatever `changed` says: the hashes are measured, the flag is told.
    Never raises; a result that says nothing gives a summary of Nones.
    """
    if isinstance(result, str):
        return _of_text(result)
    if isinstance(result, Mapping | list):
        for level in _levels(result, 0):
            found = level if isinstance(level, DiffSummary) else _of_mapping(level)
            if found is not NOTHING:
                return found
    return NOTHING


def _of_text(text: str) -> DiffSummary:
    if len(text) > MAX_JSON_CHARS:
        return NOTHING
    head = text[:64].lstrip()
    if head.startswith(("{", "[")):
        if not any(hint in text for hint in _KEY_HINTS) and len(text) > MAX_TEXT_CHARS:
            return NOTHING
        try:
            return diff_summary(json.loads(text))
        except (ValueError, RecursionError):
            pass
    if len(text) <= MAX_TEXT_CHARS and (_UNCHANGED_TEXT.search(text) or _GIT_NOTHING.search(text)):
        return DiffSummary(changed=False)
    return NOTHING


def _levels(value: Any, depth: int) -> Iterator[Mapping[str, Any] | DiffSummary]:
    """The mappings in which a summary may lie: the value itself, then its usual wrappers.

    Plain text inside a wrapper (MCP content parts, a shell's stdout) is read as text.
    """
    if depth > 3:
        return
    if isinstance(value, str):
        yield _of_text(value)
    elif isinstance(value, Mapping):
        yield value
        for name in (*_WRAPPERS, "content", "text", "message", "stdout"):
            if name in value and value[name] is not None:
                yield from _levels(value[name], depth + 1)
    elif isinstance(value, list) and len(value) <= 4:
        for item in value:
            if isinstance(item, Mapping) and item.get("type") == "text":
                yield from _levels(item, depth + 1)


def _of_mapping(value: Mapping[str, Any]) -> DiffSummary:
    changed = _flag(value.get("changed"))
    before, after = _text_of(value, _HASH_BEFORE), _text_of(value, _HASH_AFTER)
    fields = next((value[key] for key in _FIELDS if isinstance(value.get(key), list)), None)
    if before is not None and after is not None:
        changed = before != after
    if changed is None and fields is not None:
        changed = bool(fields)
    if changed is None:
        count = next((value[key] for key in _COUNTERS if type(value.get(key)) is int), None)
        changed = None if count is None else count > 0
    if changed is None and before is None and after is None and fields is None:
        return NOTHING
    names = None if fields is None else tuple(str(name) for name in fields)
    return DiffSummary(changed, before, after, names)


def _flag(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.lower()) if isinstance(value, str) else None


def _text_of(value: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    found = next((value[key] for key in keys if isinstance(value.get(key), str | int)), None)
    return str(found) if found not in (None, "") else None
