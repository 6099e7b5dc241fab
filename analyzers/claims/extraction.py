"""Claims in a text: who says to have done what to what. Strict: what may be read otherwise is dropped.

A claim is a first person or subject-less lead with a finished verb, "has been <verb>", or a fixed result
phrase ("all tests pass"). The words before the verb drop it: negations, attempts, hedges, conditions,
futures, instructions, other subjects. Dropped claims are kept with their reason, so that a person sees
why a sentence was not judged.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from analyzers.claims.grammar import Grammar, grammars_for
from analyzers.claims.interpretation import DISCLOSED, Hit, claim_of, drop
from analyzers.claims.languages import ENGLISH
from analyzers.claims.model import Claim, Reason
from analyzers.claims.splitting import MASK, Sentence, clauses, mask, sentences

MAX_TEXT_CHARS = 50_000
"""Of a longer text only the end is read: a report closes with its claims."""
_OPENING = re.compile(
    r"(?:^|[,:(*_—–\-\]]|(?<!\w)(?:and|then|also|now|so|because|since|yes|done|good|great|perfect|ok|okay"
    r"|sure|finally|first"
    r"|here|note|today|additionally|afterwards|meanwhile|instead|therefore|requested|yesterday|morning"
    r"|earlier|previously"
    r"|note\s+that|report\s+that))[^\w]*$",
    re.IGNORECASE,
)
_BARE_AFTER = re.compile(
    rf"^(?:\s+(?:up\s+|out\s+)?(?:the|a|an|all|every|both|each|your|this|that|these|those|it|them|new|two"
    rf"|three|\d+|[A-Z#/~.]|{MASK})"
    rf"|\s+[\w./-]{{1,80}}\.\w{{1,5}}\b|,|\s+(?:with|via|using|in)\s)"
)
_BULLET = re.compile(r"(?:[-*•+]|\d{1,3}[.)])\s")
_TRACEBACK = re.compile(r"^\s*(?:Traceback \(most recent call last\)|Exception in thread|panic: )")
_FENCE_LINE = re.compile(r"^[ \t]{0,6}(?:```|~~~)", re.MULTILINE)


@dataclass(frozen=True)
class Reading:
    """A text read for claims. `sentences` are (start, words, masked words) of all that it says."""

    claims: tuple[Claim, ...] = ()
    sentences: tuple[tuple[int, str, str], ...] = ()
    has_fence: bool = False

    @cached_property
    def disclosures(self) -> tuple[tuple[int, str], ...]:
        """(start, words) of the sentences that admit that something did not work."""
        return tuple((at, words) for at, words, masked in self.sentences if DISCLOSED.search(masked))


def claims_in(text: str) -> list[Claim]:
    """The claims of an assistant's text in order, the dropped ones among them with their reason."""
    return list(read(text).claims)


def read(text: str, limit: int = MAX_TEXT_CHARS) -> Reading:
    """Read a text for claims and for what it discloses. Of a text over `limit` characters only the end."""
    skip = max(0, len(text) - limit)
    body = text[skip:]
    languages = grammars_for(body)
    if not languages or _TRACEBACK.match(body):
        return Reading()
    masked, names = mask(body)
    claims: list[Claim] = []
    own_sentences = list(sentences(masked))
    name_starts = [start for start, _, _ in names]
    for sentence in own_sentences:
        grammars = grammars_for(sentence.masked, languages)
        if not grammars:
            continue
        written = body[sentence.start : sentence.end]
        first, last = (bisect_left(name_starts, at) for at in (sentence.start, sentence.end))
        own = [(s - sentence.start, e - sentence.start, n) for s, e, n in names[first:last]]
        for claim in _of_sentence(sentence, own, grammars):
            claims.append(
                replace(claim, sentence=written, start=sentence.start + skip, end=sentence.end + skip)
            )
    if not claims:
        return Reading()
    said = tuple((s.start + skip, body[s.start : s.end], s.masked) for s in own_sentences)
    return Reading(tuple(claims), said, _FENCE_LINE.search(body) is not None)


def _of_sentence(
    sentence: Sentence, names: list[tuple[int, int, str]], grammars: list[Grammar]
) -> Iterator[Claim]:
    words = sentence.masked
    listed = _BULLET.match(words) is not None
    for number, (start, end) in enumerate(clauses(words)):
        for grammar in grammars:
            hits = _hits(grammar, words[start:end], first=number == 0)
            for index, hit in enumerate(hits):
                stop = hits[index + 1].lead if index + 1 < len(hits) else end - start
                claim = claim_of(grammar, words, start, end, hit, stop + start, names)
                if claim is not None:
                    admits = DISCLOSED.search(words[:start] + " ; " + words[end:]) is not None
                    claim = replace(claim, admitted=admits, listed=listed)
                    yield drop(claim, "question") if sentence.question else claim
            if hits:
                break


def _hits(grammar: Grammar, clause: str, first: bool) -> list[Hit]:
    """Verbs and phrases of one clause, leftmost first, none overlapping another."""
    found: list[Hit] = []
    for pattern in grammar.active:
        for match in pattern.finditer(clause):
            found.append(_verb_hit(grammar, match, clause))
    for pattern in grammar.passive:
        found += [_verb_hit(grammar, match, clause, passive=True) for match in pattern.finditer(clause)]
    for pattern in grammar.reported:
        found += [_verb_hit(grammar, m, clause, passive=True, strong=False) for m in pattern.finditer(clause)]
    if grammar.bare is not None:
        found += _bare_hits(grammar, grammar.bare, clause, first, found)
    for kind, phrase in grammar.phrases:
        found += [
            Hit(m.start(), m.start(), m.end(), m.group(), kind, phrase=m) for m in phrase.finditer(clause)
        ]
    found.sort(key=lambda hit: (hit.lead, -hit.end))
    kept: list[Hit] = []
    for hit in found:
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def _verb_hit(
    grammar: Grammar, match: re.Match[str], clause: str, passive: bool = False, strong: bool = True
) -> Hit:
    verb = re.sub(r"\s+", " ", match.group("v").lower())
    dropped: Reason | None = None
    if grammar.language is ENGLISH and not passive and not _OPENING.search(clause[: match.start()]):
        dropped = "relative_clause"
    kind = grammar.classes[verb]
    return Hit(match.start(), match.start("v"), match.end(), verb, kind, strong, passive, dropped=dropped)


def _bare_hits(
    grammar: Grammar, bare: re.Pattern[str], clause: str, first: bool, led: list[Hit]
) -> Iterator[Hit]:
    """Finished verbs without a subject: at the start of a sentence, or joined to a verb that has one."""
    opening = re.match(r"[\W_]*(?:\d{1,3}[.)]\s*)?", clause)
    at = opening.end() if opening else 0
    if first and (match := bare.match(clause, at)) and _BARE_AFTER.match(clause[match.end() :]):
        led = [*led, _verb_hit_bare(grammar, match, at)]
        yield led[-1]
    for hit in led:
        if hit.passive:
            continue
        for joint in re.finditer(
            r"(?:,\s*(?:and\s+|then\s+)?|\s+and\s+(?:then\s+|also\s+)?)(?=[a-z])", clause[hit.end :], re.I
        ):
            if (match := bare.match(clause, hit.end + joint.end())) and not clause[match.end() :].startswith(
                ":"
            ):
                yield replace(_verb_hit_bare(grammar, match, hit.end + joint.end()), dropped=hit.dropped)


def _verb_hit_bare(grammar: Grammar, match: re.Match[str], lead: int) -> Hit:
    verb = re.sub(r"\s+", " ", match.group("v").lower())
    return Hit(lead, match.start("v"), match.end(), verb, grammar.classes[verb])
