"""Concrete things named in a text or touched by a call: paths, ids, addresses, branches."""

from __future__ import annotations

import re
from functools import lru_cache

from analyzers.claims.model import Target

_EXTENSIONS = (
    "py|pyi|js|jsx|ts|tsx|mjs|cjs|java|kt|go|rs|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|bash|ps1|sql|r|lua|dart|vue"
    "|svelte|html|htm|css|scss|less|json|jsonl|yaml|yml|toml|ini|cfg|conf|env|xml|csv|tsv|parquet|md|mdx|rst|txt|log"
    "|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|mp3|mp4|wav|zip|tar|gz|ipynb|lock|proto|tf|gradle|tex|bib|diff|patch"
)
PATH = re.compile(
    rf"(?<![\w@/.:+-])(?:~?/"
    rf"|\.{{1,2}}/)?(?:[\w.@+-]{{1,80}}/){{0,12}}[\w.@+-]{{0,80}}\.(?:{_EXTENSIONS})(?![\w/-])"
    r"|(?<![\w@/.:+-])(?:~?/|\.{1,2}/)(?:[\w.@+-]{1,80}/){0,12}[\w.@+-]{1,80}/?(?![\w])",
    re.ASCII | re.IGNORECASE,
)
URL = re.compile(r"\bhttps?://[^\s<>()\"'`\ufffc]{1,400}", re.IGNORECASE)
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}", re.ASCII)
ID = re.compile(
    r"(?<![\w-])(?:[A-Z][A-Z0-9]{0,9}-\d{1,9}(?![\w-]|\.\d)|#\d{1,9}(?!\w))"
    r"|(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])",
    re.ASCII,
)
_NO_ID = re.compile(
    r"^(?:SHA|UTF|ISO|GPT|HTTP|COVID|RFC|IEEE|CVE|MP|AES|RSA|MD|BASE|H|V|X|PEP|ES|WCAG|USB|WIN)-\d", re.I
)


_PRODUCT = re.compile(
    r"^(?:node|next|vue|nuxt|react|express|three|d3|chart|alpine|ember|backbone|p5|moment|asp)\.\w+$", re.I
)
"""Products that are spelt like files."""


def targets_in(
    text: str, start: int, end: int, names: list[tuple[int, int, str]]
) -> list[tuple[int, Target]]:
    """The targets named in `text[start:end]` as (offset, target), in order.

    `names` are the masked names (`splitting.mask`); `text` is the masked text.
    """
    found: list[tuple[int, int, Target]] = []
    for at, stop, name in names:
        if start <= at < end:
            found.append((at, stop, name_target(name)))
    for kind, pattern in (("url", URL), ("email", EMAIL), ("id", ID), ("path", PATH)):
        for match in pattern.finditer(text, start, end):
            word = match.group().rstrip(".,;:")
            if (kind == "id" and _NO_ID.match(word)) or _PRODUCT.match(word) or _inside(match.start(), found):
                continue
            found.append((match.start(), match.end(), Target(word, kind)))  # type: ignore[arg-type]
    return [(at, target) for at, _, target in sorted(found, key=lambda item: item[0])]


def _inside(at: int, found: list[tuple[int, int, Target]]) -> bool:
    return any(start <= at < stop for start, stop, _ in found)


def name_target(name: str) -> Target:
    """The target that a code span or a quoted name is."""
    for kind, pattern in (("url", URL), ("email", EMAIL), ("id", ID), ("path", PATH)):
        if (match := pattern.fullmatch(name)) and not _NO_ID.match(name):
            return Target(match.group(), kind)  # type: ignore[arg-type]
    return Target(name, "name")


@lru_cache(maxsize=4096)
def segments(path: str) -> str:
    """A path as "/a/b/c/", without leading dots or a drive, so that containment is a substring test."""
    parts = [part for part in path.replace("\\", "/").lower().split("/") if part not in ("", ".", "..", "~")]
    return "/" + "/".join(parts) + "/"


def same_path(one: str, other: str) -> bool:
    """Whether two spellings may be one path: one ends as the other, or holds it as a folder."""
    first, second = segments(one), segments(other)
    return first != "//" and second != "//" and (first in second or second in first)


def paths_in(text: str) -> frozenset[str]:
    """The paths in the text of a call."""
    return frozenset(match.group() for match in PATH.finditer(text))


def ids_in(text: str) -> frozenset[str]:
    """The ids in the text of a call, lower-cased."""
    return frozenset(match.group().lower() for match in ID.finditer(text) if not _NO_ID.match(match.group()))


def emails_in(text: str) -> frozenset[str]:
    """The mail addresses in the text of a call, lower-cased."""
    return frozenset(match.group().lower() for match in EMAIL.finditer(text))
