"""The word lists of `languages`, compiled to patterns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from analyzers.claims.acts import infinitives_of, participles_of, verbs_of
from analyzers.claims.languages import ENGLISH, LANGUAGES, Language
from analyzers.claims.model import ClaimClass, Reason

_PRESENT_TOO = frozenset(["read", "set", "reset", "put", "cut", "run", "found"])
_GATE_WORD = re.compile(r"[^\W\d_]{2,40}")
_LETTERS = "".join(chr(code).lower() if chr(code).isalpha() else " " for code in range(128))
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_DROP_ORDER: tuple[Reason, ...] = (
    "negated",
    "attempted",
    "conditional",
    "future",
    "instruction",
    "hedged",
    "relative_clause",
    "other_subject",
)


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language with its patterns compiled."""

    language: Language
    gate: frozenset[str] | None
    classes: dict[str, ClaimClass]
    active: tuple[re.Pattern[str], ...]
    passive: tuple[re.Pattern[str], ...]
    reported: tuple[re.Pattern[str], ...]
    bare: re.Pattern[str] | None
    phrases: tuple[tuple[ClaimClass, re.Pattern[str]], ...]
    drops: tuple[tuple[Reason, re.Pattern[str]], ...]
    tests: re.Pattern[str]
    past: re.Pattern[str]
    universal: re.Pattern[str]


@cache
def all_grammars() -> tuple[Grammar, ...]:
    """Every language, compiled."""
    return tuple(_compile(language) for language in LANGUAGES)


def _words(lists: Mapping[ClaimClass, str]) -> dict[str, ClaimClass]:
    return {word.replace("_", " "): kind for kind, words in lists.items() for word in words.split()}


def _compile(language: Language) -> Grammar:
    verbs = {**_words({"act": verbs_of(language.code)}), **_words(language.verbs)}
    participles = {**_words({"act": participles_of(language.code)}), **_words(language.participles)}

    infinitives = _words({"act": infinitives_of(language.code)})

    def choice(words: dict[str, ClaimClass]) -> str:
        ordered = sorted(words, key=len, reverse=True)
        return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in ordered) or r"(?!)"

    def build(templates: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
        filled = (t.replace("{v}", choice(verbs)).replace("{p}", choice(participles)) for t in templates)
        filled = (t.replace("{i}", choice(infinitives)) for t in filled)
        return tuple(re.compile(pattern, re.IGNORECASE) for pattern in filled)

    bare = None
    if language is ENGLISH:
        finished = choice({verb: kind for verb, kind in verbs.items() if verb not in _PRESENT_TOO})
        bare = re.compile(
            rf"(?:(?:also|just|now|then|finally|already|and|have"
            rf"|[a-z]{{2,14}}ly)\s+){{0,2}}(?P<v>{finished})(?![\w-])",
            re.IGNORECASE,
        )
    return Grammar(
        language=language,
        gate=None
        if language.code in ("ko", "ja", "zh")
        else _gate(language, {**verbs, **infinitives}, participles),
        classes={**verbs, **participles, **infinitives},
        active=build(language.active),
        passive=build(language.passive),
        reported=build(language.reported),
        bare=bare,
        phrases=tuple((kind, re.compile(p, re.IGNORECASE)) for kind, p in language.phrases.items()),
        drops=tuple(
            (r, re.compile(language.drops[r], re.IGNORECASE)) for r in _DROP_ORDER if r in language.drops
        ),
        tests=re.compile(language.tests, re.IGNORECASE),
        past=re.compile(language.past, re.IGNORECASE),
        universal=re.compile(language.universal, re.IGNORECASE),
    )


def _gate(
    language: Language, verbs: dict[str, ClaimClass], participles: dict[str, ClaimClass]
) -> frozenset[str]:
    """Words of which a sentence must have one to hold a claim: verbs in all their endings, and the
    predicates of the fixed result phrases. A finished English verb has no endings."""
    first = {re.split(r"[\s-]", verb)[0] for verb in verbs}
    words = first | set(participles)
    if language is not ENGLISH:
        words |= {word + ending for word in first for ending in ("e", "s", "es")}
        words |= {word + ending for word in participles for ending in ("o", "a", "os", "as")}
    return frozenset(words | set(language.predicates.split()))


@cache
def _every_gate() -> frozenset[str]:
    return frozenset().union(*(grammar.gate or () for grammar in all_grammars()))


def grammars_for(text: str, among: Sequence[Grammar] | None = None) -> list[Grammar]:
    """The languages, of `among` or of all, of which the text has a telling word: most texts have none."""
    if text.isascii():  # ten times faster than the expression, and most texts are
        words, has_cjk = set(text.translate(_LETTERS).split()), False
        if _every_gate().isdisjoint(words):
            return []
    else:
        words, has_cjk = set(_GATE_WORD.findall(text.lower())), _CJK.search(text) is not None
    candidates = all_grammars() if among is None else among
    return [g for g in candidates if (has_cjk if g.gate is None else not g.gate.isdisjoint(words))]
