"""What a content is made of, and what of it another one has lost.

A part is what a reader would miss by name: a heading, a function or class, a key of a settings file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_CHARS = 200_000
"""Of a longer content only the start is compared."""
_MAX_PARTS = 300
_CODE = re.compile(
    r"\.(?:py|pyi|js|jsx|ts|tsx|mjs|cjs|java|kt|go|rs|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|lua|dart|sh|bash|vue"
    r"|svelte|ex|exs|jl|r|pl|ps1|sql)$",
    re.IGNORECASE,
)
_SOURCE = re.compile(_CODE.pattern[:-2] + r"|css|s[ac]ss|less|html?|svg|xml|astro)$", re.IGNORECASE)
_KEYED = re.compile(r"\.(?:json|ya?ml|toml|ini|cfg|conf|env|properties|tf)$", re.IGNORECASE)
_HEADING = re.compile(
    r"^ {0,3}(?:#{1,6}|={1,6})[ \t]+([^\n#=]{1,120})|<h[1-6][^>\n]{0,80}>([^<\n]{1,120})", re.MULTILINE
)
_DEFINITION = re.compile(
    r"^[ \t]{0,16}(?:(?:export|default|public|private|protected|static|async|abstract|final|pub|unsafe"
    r"|override|virtual|inline)[ \t]{1,4}){0,5}"
    r"(?:def|class|function\*?|fn|func|fun|interface|struct|enum|trait|impl|module|sub|type)[ \t]{1,4}"
    r"(?:\([^)\n]{0,60}\)[ \t]{0,4})?([A-Za-z_$][\w$]{0,80})"
    r"|^(?:export[ \t]{1,4})?(?:const|let|var)[ \t]{1,4}([A-Za-z_$][\w$]{0,80})[^=\n]{0,60}="
    r"[ \t]*(?:async\b|\(|function)",
    re.MULTILINE,
)
_KEY = re.compile(
    r"^(?:\"([\w.$/@ -]{1,80})\"|([\w.-]{1,80}))[ \t]*[:=]"
    r"|^ {2,4}\"([\w.$/@ -]{1,80})\"[ \t]*:|^\[{1,2}([^\]\n]{1,80})\]",
    re.MULTILINE,
)
_NUMBERED = re.compile(r"^[ \t]{0,8}\d{1,7}(?:\t|→|[ \t]?\||:[ \t]?)")
_WORD = re.compile(r"[^\W\d_]{4,40}")
_ELISION = re.compile(
    r"^[ \t]*(?:#|//|/\*|<!--|\[|\(|--|;|…|\.\.\.)[^\n]{0,40}?(?:\b(?:rest|remainder|remaining|existing"
    r"|previous|other)\b[^\n]{0,60}\b(?:unchanged|as\s+before|same|here|remains?|code|stays?|content|sections?|file)\b"
    r"|\bunchanged\b)[^\n]{0,40}$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Loss:
    """What of a content is gone in the one that took its place. Shares are of the earlier content."""

    lines_before: int
    lines_after: int
    lines_lost: int
    parts_before: int
    parts_lost: tuple[str, ...]
    words_before: int
    words_lost: int
    grew: bool

    @property
    def shrunk_to(self) -> float:
        """The lines there are now, as a share of those there were."""
        return self.lines_after / self.lines_before if self.lines_before else 1.0

    @property
    def line_share(self) -> float:
        """The share of lines that is gone."""
        return self.lines_lost / self.lines_before if self.lines_before else 0.0

    @property
    def part_share(self) -> float:
        """The share of named parts that is gone."""
        return len(self.parts_lost) / self.parts_before if self.parts_before else 0.0

    @property
    def word_share(self) -> float:
        """The share of distinct words that is gone."""
        return self.words_lost / self.words_before if self.words_before else 0.0


def lines_of(text: str) -> list[str]:
    """The lines that say something, without the blanks around them."""
    return [stripped for line in text[:MAX_CHARS].splitlines() if len(stripped := line.strip()) > 2]


def plain(text: str) -> str:
    """The content without the line numbers that a tool put before each line."""
    text = text[:MAX_CHARS]
    lines = text.splitlines()
    numbered = sum(_NUMBERED.match(line) is not None for line in lines)
    if numbered < 3 or numbered < 0.8 * len([line for line in lines if line.strip()]):
        return text
    return "\n".join(_NUMBERED.sub("", line) for line in lines)


def parts_of(text: str, name: str) -> list[str]:
    """The named parts of the content of a thing called `name`, in order, each once."""
    pattern = _DEFINITION if _CODE.search(name) else _KEY if _KEYED.search(name) else _HEADING
    found = (next(filter(None, match.groups()), "").strip() for match in pattern.finditer(text[:MAX_CHARS]))
    return list(dict.fromkeys(part for part in found if part))[:_MAX_PARTS]


def loss_between(before: str, after: str, name: str) -> Loss:
    """What `after` has lost of `before`. A part that is still named anywhere in it is not lost."""
    old, new = lines_of(before), set(lines_of(after))
    parts = parts_of(before, name)
    kept = set(parts_of(after, name))
    folded = after[:MAX_CHARS].casefold()
    words = set(_WORD.findall(before[:MAX_CHARS].casefold()))
    return Loss(
        lines_before=len(old),
        lines_after=len(new),
        lines_lost=sum(line not in new for line in old),
        parts_before=len(parts),
        parts_lost=tuple(part for part in parts if part not in kept and part.casefold() not in folded),
        words_before=len(words),
        words_lost=len(words.difference(_WORD.findall(folded))),
        grew=len(after) > len(before),
    )


def elision_in(text: str) -> str:
    """The line by which a content stands for what it leaves out ("# rest unchanged"), "" without one."""
    match = _ELISION.search(text[:MAX_CHARS])
    return match.group().strip() if match else ""


def lost_lines(before: str, after: str) -> tuple[str, ...]:
    """Lines that `after` has lost of `before`, some hundreds at most: by them they are found elsewhere."""
    kept = set(lines_of(after))
    return tuple(line for line in lines_of(before) if line not in kept)[:_MAX_PARTS]


def is_source(name: str) -> bool:
    """Whether a thing of that name is source code or a page's markup, not a text or settings."""
    return _SOURCE.search(name) is not None
