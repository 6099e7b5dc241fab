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
from functools import cache
from typing import Any

from analyzers.claims import languages
from analyzers.claims.languages import ENGLISH, LANGUAGES, Language
from analyzers.claims.model import Claim, ClaimClass, Reason, Target
from analyzers.claims.splitting import MASK, Sentence, clauses, mask, sentences
from analyzers.claims.targets import targets_in

MAX_TEXT_CHARS = 50_000
"""Of a longer text only the end is read: a report closes with its claims."""

_RUNS_PYTHON = re.compile(languages.RUNS_PYTHON, re.IGNORECASE)
_OUTSIDE = re.compile(languages.OUTSIDE, re.IGNORECASE)
_TEXT_WORK = re.compile(languages.TEXT_WORK, re.IGNORECASE)
_DISCLOSED = re.compile(languages.DISCLOSED, re.IGNORECASE)

_TEXT_OF_THE_USER = re.compile(languages.TEXT_OF_THE_USER, re.IGNORECASE)
_OUTWARD = {kind: re.compile(words, re.IGNORECASE) for kind, words in languages.OUTWARD.items()}

_OPENING = re.compile(
    r"(?:^|[,:(*_—–\-\]]|(?<!\w)(?:and|then|also|now|so|because|since|yes|done|good|great|perfect|ok|okay|sure|finally|first"
    r"|here|note|today|additionally|afterwards|meanwhile|instead|therefore|requested|yesterday|morning|earlier|previously"
    r"|note\s+that|report\s+that))[^\w]*$",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"^\W{0,4}(?:after|when|while|before|to|in\s+order\s+to|by|for|as|nach|pour|para|tras|após)\b[^,]{1,200},",
    re.I,
)
_SENTENCE_CONDITION = re.compile(
    r"^\W{0,4}(?:if|once|unless|as\s+soon\s+as|assuming|suppose|had\s+I|should|si|wenn|falls|sobald|assim\s+que|caso"
    r"|dès\s+que|une\s+fois|en\s+cuanto|如果|一旦|만약|もし)(?:\b|(?<=[^\x00-\x7f]))",
    re.IGNORECASE,
)
_BY_OTHER = re.compile(
    r"^\W{0,4}(?:\w{1,20}\s){0,6}?(?:by|por|par|von|durch)\s+(?!me\b|mir\b|moi\b|running|using|mí\b|mim\b)",
    re.I,
)
_TAIL_SOURCE = re.compile(
    r"\b(?:the|an?)\s+[\w-]{1,30}\s+(?:says|said|reports?|states?|reads|claims?)\b", re.IGNORECASE
)
_TAIL_CONDITION = re.compile(
    r"^[^,;]{0,40}?\b(?:before|until|once|if|unless|when|as\s+long\s+as)\b", re.IGNORECASE
)
_MADE_TO_PASS = re.compile(
    r"\b(?:to|have|makes?|made|making|lets?|gets?|getting|see|keeps?)\s*$", re.IGNORECASE
)
_ONE_PART = re.compile(
    r"^\s+(?:locally\s+)?(?:in|for|of|under|within)\s+(?!place|total|all\b|the\s+(?:end|suite|project|repo))",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\b(?:earlier|before|originally|initially|since|last|first|ago|(?:19|20)\d\d|(?:in|on)\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)\w*)\b|\b(?:von|by|por|par)\s+[A-Z][a-z]{2}"
)
_DESCRIBING = re.compile(r"\b(?:how|where|that|which|who|what|why|cómo|como|comment|wie)\b", re.IGNORECASE)
_USING = frozenset({"used", "usé", "utilicé", "usei", "utilizei", "utilisé", "verwendet", "benutzt"})
_PURPOSE = re.compile(
    r"\bto\s+(?:compute|calculate|verify|check|count|sum|evaluate|solve|confirm|determine|find|get)|\bpara\s+(?:calc|comp|verif)"
    r"|\bpour\s+(?:calc|vérif)|berechn|\bzum\b",
    re.IGNORECASE,
)
_TAIL_HEDGE = re.compile(
    r"\b(?:I\s+(?:think|believe|guess|hope|assume|suppose)|probably|presumably|hopefully|apparently|if\s+(?!you)|right\?|in\s+theory"
    r"|unless|supposedly|not\s+sure)\b",
    re.IGNORECASE,
)
_AFTER_NOTHING = re.compile(r"^\s+(?:nothing|no|none|neither|nada|rien|nichts|0|zero)\b", re.IGNORECASE)
_QUALIFIED = re.compile(
    r"\b(?:except|apart\s+from|other\s+than|besides|ignoring|excluding|unrelated|pre-?existing|modulo|aside\s+from"
    r"|but\s+(?:one|two|\d)|salvo|excepto|exceto|sauf|außer|bis\s+auf)\b|\bin\s+CI\b|\bon\s+(?:CI|your)\b|除了|제외|以外",
    re.IGNORECASE,
)
_OBJECT_OF_TEST = re.compile(
    r"\b(?:added|wrote|created|new|related|relevant|affected|remaining|other|my|those|these|some|most)\b",
    re.I,
)
_WHOLE = ("full", "whole", "entire", "complete", "existing", "all", "the", "every", "unit")
_CHANGE_NOUN = re.compile(
    r"\b(?:changes?|edits?|updates?|fix(?:es)?|adjustments?|corrections?|modifications?)\b", re.IGNORECASE
)
_BY_TESTS = re.compile(r"\bby\s+(?:re-?)?running\b.{0,30}?\b(?:tests?|suite|pytest)\b", re.IGNORECASE)
_PULL_REQUEST = re.compile(r"\b(?:pull\s+request|PR|merge\s+request|MR)\b")
_ISSUE = re.compile(r"\b(?:issue|ticket|bug\s+report|discussion|incident)\b", re.IGNORECASE)
_SOURCE_WORD = re.compile(
    r"\b(?:from|per|using|with|like|based\s+on|according\s+to|following|by|that|which|via|see|matching|as\s+in"
    r"|(?:described|reported|mentioned|found|seen|raised|shown|listed|documented|defined|used|called|thrown)\s+(?:in|by)"
    r"|tests?\s+in"
    r"|desde|según|segundo|selon|laut|gemäß|aus)\s*(?:the\s+|a\s+)?(?:\w{1,15}\s+)?$",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"^\s*(?:,|,?\s*(?:and|as well as|und|y|e|et|&|和|와|과|と|、|및)|/)\s*(?:in\s+|to\s+|the\s+)?$", re.I
)
_BARE_AFTER = re.compile(
    rf"^(?:\s+(?:up\s+|out\s+)?(?:the|a|an|all|every|both|each|your|this|that|these|those|it|them|new|two|three|\d+|[A-Z#/~.]|{MASK})"
    rf"|\s+[\w./-]{{1,80}}\.\w{{1,5}}\b|,|\s+(?:with|via|using|in)\s)"
)
_PRESENT_TOO = frozenset("read set reset put cut run found".split())
_ALWAYS_BY_TOOL = ("vcs", "compute", "command", "test")
_COMPUTE_VERBS = frozenset(
    "calculated computed evaluated counted used ran executed verified checked confirmed".split()
)
_REPORTED_FROM = re.compile(
    r"\b(?:CI|according\s+to|changelog|release\s+notes|upstream|commit\s+message)\b", re.IGNORECASE
)
_VERB_LAST = ("ko", "ja", "de", "zh")
_BRANCH = re.compile(
    rf"\b(?:to|on|onto|into|auf|nach|a|à|para)\s+(?:the\s+|origin/|branch\s+){{0,2}}"
    rf"(?P<b>main|master|develop|dev|staging|production|release|(?:feature|fix|bugfix|hotfix|release|chore)/[\w./-]{{1,80}}|{MASK}+)",
    re.IGNORECASE,
)
_FIELD_OF = re.compile(
    r"\b(?:the|its|their|la|el|o|a|le|l['’]|die|den|das)\s*(?P<f>[\w-]{3,20}(?:\s+[\w-]{3,20})?)\s+"
    r"(?:field\s+)?(?:of|for|on|in|de|da|do|du|von)\s+(?:the\s+|requirement\s+|ticket\s+|issue\s+|record\s+|item\s+){0,2}$",
    re.IGNORECASE,
)
_FIELD_ALONE = re.compile(
    r"\b(?:the|its)\s+(?P<f>[\w-]{3,20}(?:\s+[\w-]{3,20})?)\s*(?:field)?\s*(?:$|to\b|with\b|from\b|,|\.)",
    re.I,
)
_BULLET = re.compile(r"(?:[-*•+]|\d{1,3}[.)])\s")
_COUNT = re.compile(r"\b(?:(\d{1,4})|(two|both|three|four|five|six|seven|eight|nine|ten))\b", re.IGNORECASE)
_NUMBERS = {
    "two": 2,
    "both": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_PROPER_NOUN = re.compile(r"\s+[A-Z][a-z]{2,20}(?:\s+and\b|[\s,.]|$)")
_WORD = re.compile(r"[a-z]{3,30}", re.IGNORECASE)
_TRACEBACK = re.compile(r"^\s*(?:Traceback \(most recent call last\)|Exception in thread|panic: )")
_FENCE_LINE = re.compile(r"^[ \t]{0,6}(?:```|~~~)", re.MULTILINE)
_GATE_WORD = re.compile(r"[^\W\d_]{2,40}")
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
class Reading:
    """A text read for claims. `disclosures` are (sentence start, sentence) of what it admits did not work."""

    claims: tuple[Claim, ...] = ()
    disclosures: tuple[tuple[int, str], ...] = ()
    has_fence: bool = False


@dataclass(frozen=True, slots=True)
class _Grammar:
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
def _grammars() -> tuple[_Grammar, ...]:
    return tuple(_compile(language) for language in LANGUAGES)


def _words(lists: Any) -> dict[str, ClaimClass]:
    return {word.replace("_", " "): kind for kind, words in lists.items() for word in words.split()}


def _compile(language: Language) -> _Grammar:
    verbs, participles = _words(language.verbs), _words(language.participles)

    def choice(words: dict[str, ClaimClass]) -> str:
        ordered = sorted(words, key=len, reverse=True)
        return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in ordered) or r"(?!)"

    def build(templates: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
        filled = (t.replace("{v}", choice(verbs)).replace("{p}", choice(participles)) for t in templates)
        return tuple(re.compile(pattern, re.IGNORECASE) for pattern in filled)

    bare = None
    if language is ENGLISH:
        finished = choice({verb: kind for verb, kind in verbs.items() if verb not in _PRESENT_TOO})
        bare = re.compile(
            rf"(?:(?:also|just|now|then|finally|already|and|have|[a-z]{{2,14}}ly)\s+){{0,2}}(?P<v>{finished})(?![\w-])",
            re.IGNORECASE,
        )
    return _Grammar(
        language=language,
        gate=None if language.code in ("ko", "ja", "zh") else _gate(language, verbs, participles),
        classes={**verbs, **participles},
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
    predicates of the fixed result phrases."""
    first = {re.split(r"[\s-]", verb)[0] for verb in verbs}
    endings = {word + ending for word in first for ending in ("", "e", "s", "es")}
    endings |= {word + ending for word in participles for ending in ("", "o", "a", "os", "as")}
    return frozenset(endings | set(language.predicates.split()))


def claims_in(text: str) -> list[Claim]:
    """The claims of an assistant's text in order, the dropped ones among them with their reason."""
    return list(read(text).claims)


def read(text: str, limit: int = MAX_TEXT_CHARS) -> Reading:
    """Read a text for claims and for what it discloses. Of a text over `limit` characters only the end."""
    skip = max(0, len(text) - limit)
    body = text[skip:]
    if not _grammars_for(body) or _TRACEBACK.match(body):
        return Reading()
    masked, names = mask(body)
    claims: list[Claim] = []
    own_sentences = list(sentences(masked))
    name_starts = [start for start, _, _ in names]
    for sentence in own_sentences:
        grammars = _grammars_for(sentence.masked)
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
    disclosures = tuple(
        (sentence.start + skip, body[sentence.start : sentence.end])
        for sentence in own_sentences
        if _DISCLOSED.search(sentence.masked)
    )
    return Reading(tuple(claims), disclosures, _FENCE_LINE.search(body) is not None)


def _grammars_for(text: str) -> list[_Grammar]:
    """The languages of which the text has a telling word; most texts of most languages have none."""
    words = frozenset(_GATE_WORD.findall(text.lower()))
    has_cjk = not text.isascii() and _CJK.search(text) is not None
    return [g for g in _grammars() if (has_cjk if g.gate is None else not g.gate.isdisjoint(words))]


@dataclass(frozen=True, slots=True)
class _Hit:
    """A verb or phrase found in a clause; `lead` is where its subject or auxiliary starts."""

    lead: int
    start: int
    end: int
    verb: str
    kind: ClaimClass
    strong: bool = True
    passive: bool = False
    phrase: re.Match[str] | None = None
    dropped: Reason | None = None


def _of_sentence(
    sentence: Sentence, names: list[tuple[int, int, str]], grammars: list[_Grammar]
) -> Iterator[Claim]:
    words = sentence.masked
    listed = _BULLET.match(words) is not None
    for number, (start, end) in enumerate(clauses(words)):
        for grammar in grammars:
            hits = _hits(grammar, words[start:end], first=number == 0)
            for index, hit in enumerate(hits):
                stop = hits[index + 1].lead if index + 1 < len(hits) else end - start
                claim = _claim(grammar, words, start, end, hit, stop + start, names)
                if claim is not None:
                    admits = _DISCLOSED.search(words[:start] + " ; " + words[end:]) is not None
                    claim = replace(claim, admitted=admits, listed=listed)
                    yield _dropped(claim, "question") if sentence.question else claim
            if hits:
                break


def _hits(grammar: _Grammar, clause: str, first: bool) -> list[_Hit]:
    """Verbs and phrases of one clause, leftmost first, none overlapping another."""
    found: list[_Hit] = []
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
            _Hit(m.start(), m.start(), m.end(), m.group(), kind, phrase=m) for m in phrase.finditer(clause)
        ]
    found.sort(key=lambda hit: (hit.lead, -hit.end))
    kept: list[_Hit] = []
    for hit in found:
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def _verb_hit(
    grammar: _Grammar, match: re.Match[str], clause: str, passive: bool = False, strong: bool = True
) -> _Hit:
    verb = re.sub(r"\s+", " ", match.group("v").lower())
    dropped: Reason | None = None
    if grammar.language is ENGLISH and not passive and not _OPENING.search(clause[: match.start()]):
        dropped = "relative_clause"
    kind = grammar.classes[verb]
    return _Hit(match.start(), match.start("v"), match.end(), verb, kind, strong, passive, dropped=dropped)


def _bare_hits(
    grammar: _Grammar, bare: re.Pattern[str], clause: str, first: bool, led: list[_Hit]
) -> Iterator[_Hit]:
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


def _verb_hit_bare(grammar: _Grammar, match: re.Match[str], lead: int) -> _Hit:
    verb = re.sub(r"\s+", " ", match.group("v").lower())
    return _Hit(lead, match.start("v"), match.end(), verb, grammar.classes[verb])


def _dropped(claim: Claim, reason: Reason) -> Claim:
    return claim if claim.dropped else replace(claim, dropped=reason)


def _claim(
    grammar: _Grammar,
    words: str,
    start: int,
    end: int,
    hit: _Hit,
    stop: int,
    names: list[tuple[int, int, str]],
) -> Claim | None:
    """The claim that a hit makes: its class by verb and object, its targets, and what drops it."""
    lead, verb_at, verb_end = start + hit.lead, start + hit.start, start + hit.end
    before, after = words[start:lead], words[verb_end:stop]
    past = grammar.past.search(words, start, end) is not None
    claim = Claim(
        hit.kind,
        hit.verb,
        "",
        0,
        0,
        grammar.language.code,
        strong=hit.strong,
        passive=hit.passive,
        dropped=None if past else hit.dropped,
        past=past,
    )
    verb_last = grammar.language.code in _VERB_LAST
    around = words[start:stop] if hit.passive or verb_last else words[lead:stop]
    if hit.phrase is not None:
        claim = _phrase_claim(claim, hit.phrase, words[start:end])
        if words.startswith(":", verb_end):
            claim = _dropped(claim, "qualified")
    else:
        spoken = targets_in(words, start, stop, names)
        kind = _kind(grammar, hit, words[start:stop], around, after, [t for at, t in spoken if at >= verb_at])
        if kind is None:
            return None
        ordered = _own_targets(words, spoken, lead, verb_end, hit.passive, grammar.language.code)
        claim = replace(
            claim,
            claim_class=kind,
            mentioned=tuple(target for _, target in spoken),
            targets=_with_branch(kind, ordered, words, verb_end, stop, names),
        )
        claim = _details(grammar, claim, words, start, lead, verb_end, stop)
    if not hit.strong:
        if _DATED.search(words, start, end):
            claim = replace(claim, past=True)
        if _DESCRIBING.search(before):
            claim = _dropped(claim, "relative_clause")
    condition = _SENTENCE_CONDITION.search(words)
    if condition and (start > 0 or not claim.dropped):
        claim = _dropped(claim, "conditional")
    subordinate = _SUBORDINATE.match(before)
    return _apply_drops(
        grammar,
        claim,
        before[subordinate.end() :] if subordinate else before,
        words[lead:verb_end],
        words[verb_end:end],
        hit.phrase is not None,
    )


def _apply_drops(grammar: _Grammar, claim: Claim, before: str, verb: str, after: str, phrase: bool) -> Claim:
    region = before + verb
    for reason, pattern in grammar.drops:
        outside = reason == "relative_clause" or (reason == "other_subject" and phrase)
        where = before if outside else region
        if reason == "relative_clause" and claim.language == "en" and not claim.passive:
            continue
        # In an English passive the words before "has been" are what was changed, not who did it.
        patient = reason == "other_subject" and claim.passive and claim.language == "en"
        if (_REPORTED_FROM if patient else pattern).search(where):
            return _dropped(claim, reason)
    if _AFTER_NOTHING.match(after) and claim.claim_class != "lookup":
        return _dropped(claim, "negated")
    if claim.passive and _BY_OTHER.match(after):
        return _dropped(claim, "other_subject")
    if _TAIL_SOURCE.search(after):
        return _dropped(claim, "other_subject")
    return _dropped(claim, "hedged") if _TAIL_HEDGE.search(after) else claim


def _phrase_claim(claim: Claim, phrase: re.Match[str], clause: str) -> Claim:
    groups = phrase.groupdict()
    outcome = "passed" if claim.claim_class in ("test", "build", "lint") else "done"
    if groups.get("adj") and groups["adj"].lower() not in ("unit", "existing", "the", "tests", "test"):
        outcome = "partly_passed"
    if groups.get("part") and groups["part"].lower() not in _WHOLE:
        outcome = "partly_passed"
    if groups.get("of") and groups["of"] != groups.get("n2"):
        outcome = "partly_passed"
    if _OBJECT_OF_TEST.search(clause[phrase.start() :]) or _ONE_PART.match(clause[phrase.end() :]):
        outcome = "partly_passed"
    claim = replace(claim, outcome=outcome)  # type: ignore[arg-type]
    if _MADE_TO_PASS.search(clause[: phrase.start()]):
        return _dropped(claim, "instruction")
    if _TAIL_CONDITION.match(clause[phrase.end() :]):
        return _dropped(claim, "conditional")
    return _dropped(claim, "qualified") if _QUALIFIED.search(clause) else claim


def _kind(
    grammar: _Grammar, hit: _Hit, whole: str, around: str, after: str, targets: list[Target]
) -> ClaimClass | None:
    """The class of a claim: the verb's, unless its object says more. None where no tool is needed."""
    verb, kind = hit.verb, hit.kind
    by_program = _RUNS_PYTHON.search(around if kind == "command" else whole) is not None
    if verb == "made" and not _CHANGE_NOUN.search(after[:60]):
        return None
    if kind == "lookup" and _BY_TESTS.search(after):
        return "test"
    code = next((t.text for t in targets if t.type in ("name", "path")), "")
    if kind == "command":
        if grammar.tests.search(around) or (code and grammar.tests.search(code)):
            return "test"
        if code and (" " in code or code.startswith("./")):
            return "command"
        return "compute" if by_program else None
    if kind == "compute" or verb in _COMPUTE_VERBS:
        if by_program and (verb not in _USING or _PURPOSE.search(whole)):
            return "compute"
        if kind == "compute":
            return None
    if kind == "lookup" and grammar.language.code != "en" and by_program:
        return "compute"
    if verb == "opened":
        return "vcs" if _PULL_REQUEST.search(after) else ("create" if _ISSUE.search(after[:40]) else "lookup")
    if (
        kind in ("change", "create", "act")
        and _PULL_REQUEST.search(after[:40])
        and verb in ("created", "submitted")
    ):
        return "vcs"
    return kind


def _own_targets(
    words: str, spoken: list[tuple[int, Target]], lead: int, verb_end: int, passive: bool, code: str
) -> tuple[Target, ...]:
    """The targets that are the verb's object: the first one after it (before it in a passive, or where
    the verb stands last), and those joined to it. One named as a source ("from x.md") is none."""
    verb_last = code in _VERB_LAST
    earlier = [(at, t) for at, t in spoken if at < verb_end]
    later = [(at, t) for at, t in spoken if at >= verb_end]
    pool = (earlier or later) if passive or verb_last else later
    own: list[Target] = []
    last_end = -1
    for at, target in pool:
        between = words[last_end:at] if own else words[:at]
        if not own and at >= verb_end and _SOURCE_WORD.search(words[verb_end:at]):
            return ()
        if own and not _JOINED.match(between.replace(MASK, "")):
            break
        if own and words.startswith(("'s", "’s"), at + len(target.text)):
            break
        own.append(target)
        last_end = at + len(target.text)
    return tuple(own)


def _with_branch(
    kind: ClaimClass,
    targets: tuple[Target, ...],
    words: str,
    verb_end: int,
    stop: int,
    names: list[tuple[int, int, str]],
) -> tuple[Target, ...]:
    if kind != "vcs":
        return targets
    match = _BRANCH.search(words, verb_end, stop)
    if match is None:
        return ()
    name = next((n for s, e, n in names if s == match.start("b")), match.group("b"))
    return () if name.startswith(MASK) or " " in name else (Target(name, "branch"),)


def _details(
    grammar: _Grammar, claim: Claim, words: str, start: int, lead: int, verb_end: int, stop: int
) -> Claim:
    region = words[start:stop] if claim.passive else words[verb_end:stop]
    number = _COUNT.search(region)
    count = (
        (int(number.group(1)) if number.group(1) else _NUMBERS[number.group(2).lower()]) if number else None
    )
    objects = frozenset(word.lower().rstrip("s") for word in _WORD.findall(region))
    external = any(t.concrete for t in claim.targets) or _OUTSIDE.search(region) is not None
    if claim.claim_class == "lookup":
        external = external or _PROPER_NOUN.match(words[verb_end:stop]) is not None
    elif claim.claim_class in _OUTWARD:
        whole = words[start:stop] if claim.language in _VERB_LAST else region
        external = (
            any(t.concrete for t in claim.targets) or _OUTWARD[claim.claim_class].search(whole) is not None
        )
    claim = replace(
        claim,
        universal=grammar.universal.search(region) is not None,
        count=count,
        objects=objects,
        external=external,
        field=_field(words, claim, verb_end, stop),
    )
    if _TEXT_OF_THE_USER.search(region):
        return _dropped(claim, "text_work")
    needs_a_tool = any(t.concrete for t in claim.targets) or claim.claim_class in _ALWAYS_BY_TOOL
    return claim if needs_a_tool or not _TEXT_WORK.search(region) else _dropped(claim, "text_work")


def _field(words: str, claim: Claim, verb_end: int, stop: int) -> str:
    """The field named as changed ("the acceptance criteria of R-1"), lower-case, "" where none is."""
    if claim.claim_class != "change" or claim.language in ("ko", "ja", "zh"):
        return ""
    region = words[verb_end:stop]
    at = region.find(claim.target.text) if claim.target.type == "id" else -1
    match = _FIELD_OF.search(region[:at]) if at >= 0 else _FIELD_ALONE.search(region)
    return match.group("f").lower().strip() if match else ""
