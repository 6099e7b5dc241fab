"""Tool names: how models and chat templates bend them, and the way back to the name that was offered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any
from unicodedata import normalize

# Longest name that is looked at; a longer one is a text that slipped into the name's place.
MAX_NAME = 300

_CUT = re.compile(r"<\||[\"'`<>\n\r]")
_PREFIX = re.compile(r"(?:functions|tools|default_api|multi_tool_use)[.:]", re.IGNORECASE)
_SERVER = re.compile(r"\Amcp__.{1,80}?__", re.IGNORECASE)
_PART = re.compile(r"[\w-]+")
_MAX_PARTS = 6
_QUALIFIERS = ("-", ".", ":", "/", "__")
_QUALIFIER = re.compile(r"[-.:/]|__")
_INDEX = re.compile(r"[:#]\d{1,3}$")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[^0-9a-zA-Z]+")


@lru_cache(maxsize=8192)
def words(name: str) -> tuple[str, ...]:
    """The lower-case words of a name: `readFile`, `read-file` and `READ_FILE` have the same."""
    return tuple(_SEPARATORS.sub(" ", _CAMEL.sub(" ", name[:MAX_NAME])).lower().split())


def clean(name: str) -> str:
    """`name` without what a template left on it: quotes, markup, special tokens, namespace, call index."""
    name = name[:MAX_NAME].strip().lstrip("\"'`")
    if not name.isascii():
        name = normalize("NFKC", name)  # full-width letters are the letters
    cut = _CUT.search(name)
    if cut:
        name = name[: cut.start()]
    return _INDEX.sub("", _PREFIX.sub("", name.strip(), count=1))


@lru_cache(maxsize=8192)
def normal(name: str) -> str:
    """The form in which two spellings of one name are equal: its words, without server and `_tool`."""
    bare = _SERVER.sub("", clean(name), count=1)
    half = len(bare) // 2
    if half and bare[:half] == bare[half:]:  # written twice: `read_fileread_file`
        bare = bare[:half]
    parts = words(bare)
    if len(parts) > 1 and parts[-1] == "tool":
        parts = parts[:-1]
    return "".join(parts)


def inner(name: str) -> tuple[str, ...]:
    """The names that may stand within a name: what roles, markup, servers and JSON leave around one.

    `<tool_call>read_file`, `repo_browser.read_file`, `read_file[ARGS]`, `{"name": "read_file"}`,
    `mcp_files_read_file`. A text of many words holds none.
    """
    name = name[:MAX_NAME]
    parts = _PART.findall(name)
    if name.lower().startswith("mcp_"):
        named = words(name)
        parts += ["_".join(named[start:]) for start in range(2, min(len(named), _MAX_PARTS + 2))]
    return tuple(parts) if 1 < len(parts) <= _MAX_PARTS else ()


def base(name: str) -> str:
    """`name` without what qualifies it: a plugin, a module or a server before `-`, `.`, `:`, `/` or `__`."""
    return _QUALIFIER.split(clean(name))[-1]


def is_spelling(one: str, other: str) -> bool:
    """Whether both are one name, spelled otherwise or qualified in only one of them."""
    if normal(one) == normal(other):
        return True
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return bool(shorter) and longer.endswith(shorter) and longer[: -len(shorter)].endswith(_QUALIFIERS)


Trie = dict[str, Any]
"""Names by their letters, one level a letter; under "" stands the name that ends there."""


def trie(names: Iterable[str]) -> Trie:
    """The names in a form in which those near to another are found without looking at all of them."""
    root: Trie = {}
    for name in names:
        node = root
        for letter in name:
            node = node.setdefault(letter, {})
        node[""] = name
    return root


def near(name: str, known: Trie, limit: int) -> Iterator[tuple[int, str]]:
    """The known names at most `limit` edits (insert, delete, replace, swap neighbours) away, with how many.

    One row of the edit matrix is made for each letter of the trie, and no branch is followed on which every
    way already costs more than the limit.
    """
    width = len(name)
    stack: list[tuple[Trie, str, list[int], list[int]]] = [(known, "", list(range(width + 1)), [])]
    while stack:
        node, letter, row, before = stack.pop()
        if "" in node and row[width] <= limit:
            yield row[width], node[""]
        for following, child in node.items():
            if not following:
                continue
            new = [row[0] + 1]
            for j in range(1, width + 1):
                cost = min(row[j] + 1, new[j - 1] + 1, row[j - 1] + (name[j - 1] != following))
                if j > 1 and before and name[j - 1] == letter and name[j - 2] == following:
                    cost = min(cost, before[j - 2] + 1)
                new.append(cost)
            if min(new) <= limit or min(row) <= limit - 1:
                stack.append((child, following, new, row))


_SYNONYMS = {
    word: group[0]
    for group in (
        ("write", "save", "create", "make", "add", "new"),
        ("read", "cat", "view", "open", "show", "load"),
        ("shell", "bash", "exec", "execute", "run", "terminal", "console", "command", "cmd", "powershell"),
        ("list", "ls"),
        ("delete", "remove", "rm", "erase"),
        ("edit", "replace", "modify", "patch"),
        ("search", "grep", "find", "lookup"),
        ("mail", "email"),
        ("web", "internet", "online"),
        ("image", "picture", "photo"),
        ("directory", "dir", "folder", "directories", "folders"),
        ("fetch", "get", "download", "retrieve"),
    )
    for word in group
}
_SAY_NOTHING = {"file", "files", "tool", "the", "a"}


@lru_cache(maxsize=8192)
def synonym(name: str) -> frozenset[str]:
    """What a name means, whatever words it uses: `save_file` and `FileWrite` mean the same."""
    meaning = frozenset(_SYNONYMS.get(word, word) for word in words(_SERVER.sub("", clean(name), count=1)))
    return meaning - _SAY_NOTHING or meaning
