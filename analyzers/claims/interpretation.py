"""What a finished verb or a result phrase in a clause claims: the class, the targets, and what drops it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from analyzers.claims import languages
from analyzers.claims.acts import PLAIN_ACTS
from analyzers.claims.grammar import Grammar
from analyzers.claims.model import Claim, ClaimClass, Reason, Target
from analyzers.claims.splitting import MASK
from analyzers.claims.targets import targets_in

_RUNS_PYTHON = re.compile(languages.RUNS_PYTHON, re.IGNORECASE)
_OUTSIDE = re.compile(languages.OUTSIDE, re.IGNORECASE)
_TEXT_WORK = re.compile(languages.TEXT_WORK, re.IGNORECASE)
DISCLOSED = re.compile(languages.DISCLOSED, re.IGNORECASE)
_TEXT_OF_THE_USER = re.compile(languages.TEXT_OF_THE_USER, re.IGNORECASE)
_OUTWARD = {kind: re.compile(words, re.IGNORECASE) for kind, words in languages.OUTWARD.items()}
_SUBORDINATE = re.compile(
    r"^\W{0,4}(?:after|when|while|before|to|in\s+order\s+to|by|for|as|nach|pour|para|tras"
    r"|após)\b[^,]{1,200},",
    re.I,
)
_GERUND_FIRST = re.compile(
    r"^\W{0,4}(?:before|after|while|when)\s+\w{2,20}ing\b[^,;]{0,60}?\s(?=$)", re.IGNORECASE
)
_SENTENCE_CONDITION = re.compile(
    r"^\W{0,4}(?:if|once|unless|as\s+soon\s+as|assuming|suppose|had\s+I|should|si|wenn|falls|sobald"
    r"|assim\s+que|caso"
    r"|dès\s+que|une\s+fois|en\s+cuanto|如果|一旦|만약|もし)(?:\b|(?<=[^\x00-\x7f]))",
    re.IGNORECASE,
)
_BY_OTHER = re.compile(
    r"^\W{0,4}(?:\w{1,20}\s){0,6}?(?:by|por|par|von|durch)\s+(?!e-?mail|mail\b|post\b|phone|sms|text\b"
    r"|correo|courriel|telefon|me\b|mir\b|moi\b|running|using|mí\b|mim\b)",
    re.I,
)
_TAIL_SOURCE = re.compile(
    r"\b(?:the|an?)\s+[\w-]{1,30}\s+(?:says|said|reports|states|reads|claims)\b", re.IGNORECASE
)
_TAIL_CONDITION = re.compile(
    r"^[^,;]{0,40}?\b(?:before|until|once|if|unless|when|as\s+long\s+as)\b", re.IGNORECASE
)
ALL_GREEN = re.compile(
    r"^(?:every|all\s+checks|the\s+(?:check|quality|pipeline)|tout|alles|todo|tudo|모두|すべて|全て|全部"
    r"|一切)",
    re.IGNORECASE,
)
_MADE_TO_PASS = re.compile(
    r"\b(?:to|have|makes?|made|making|lets?|gets?|getting|see|keeps?)\s*$", re.IGNORECASE
)
_ONE_PART = re.compile(
    r"^\s+(?:locally\s+)?(?:in|for|of|under|within)\s+(?!place|total|all\b|the\s+(?:end|suite|project|repo))",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\b(?:earlier|before|originally|initially|since|last|first|ago|(?:19|20)\d\d|(?:in|on)\s+(?:jan|feb|mar"
    r"|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)\w*)\b|\b(?:von|by|por|par)\s+[A-Z][a-z]{2}"
)
_DESCRIBING = re.compile(r"\b(?:how|where|that|which|who|what|why|cómo|como|comment|wie)\b", re.IGNORECASE)
_USING = frozenset({"used", "usé", "utilicé", "usei", "utilizei", "utilisé", "verwendet", "benutzt"})
_PURPOSE = re.compile(
    r"\bto\s+(?:compute|calculate|verify|check|count|sum|evaluate|solve|confirm|determine|find|get)"
    r"|\bpara\s+(?:calc|comp|verif)"
    r"|\bpour\s+(?:calc|vérif)|berechn|\bzum\b",
    re.IGNORECASE,
)
_TAIL_HEDGE = re.compile(
    r"\b(?:I\s+(?:think|believe|guess|hope|assume|suppose)|probably|presumably|hopefully|apparently"
    r"|if\s+(?!you)|right\?|in\s+theory"
    r"|unless|supposedly|not\s+sure)\b",
    re.IGNORECASE,
)
_AFTER_NOTHING = re.compile(r"^\s+(?:nothing|no|none|neither|nada|rien|nichts|0|zero)\b", re.IGNORECASE)
_QUALIFIED = re.compile(
    r"\b(?:except|apart\s+from|other\s+than|besides|ignoring|excluding|unrelated|pre-?existing|modulo"
    r"|aside\s+from"
    r"|but\s+(?:one|two|\d)|salvo|excepto|exceto|sauf|außer|bis\s+auf)\b|\bin\s+CI\b|\bon\s+(?:CI|your)\b"
    r"|除了"
    r"|제외|以外",
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
    r"\b(?:from|per|using|with|like|based\s+on|according\s+to|following|by|that|which|via|see|matching"
    r"|as\s+in"
    r"|(?:described|reported|mentioned|found|seen|raised|shown|listed|documented|defined|used|called"
    r"|thrown)\s+(?:in|by)"
    r"|tests?\s+in"
    r"|desde|según|segundo|selon|laut|gemäß|aus)\s*(?:the\s+|a\s+)?(?:\w{1,15}\s+)?$",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"^\s*(?:,|,?\s*(?:and|as well as|und|y|e|et|&|和|와|과|と|、|및)|/)\s*(?:in\s+|to\s+|the\s+)?$", re.I
)
_ALWAYS_BY_TOOL = ("vcs", "compute", "command", "test")
_COMPUTE_VERBS = frozenset(
    [
        "calculated",
        "computed",
        "evaluated",
        "counted",
        "used",
        "ran",
        "executed",
        "verified",
        "checked",
        "confirmed",
    ]
)
_FIRST_PERSON = re.compile(r"(?<![\w'’-])I(?:['’]ve|\s)")
_REPORTED_FROM = re.compile(
    r"\b(?:CI|according\s+to|changelog|release\s+notes|upstream|commit\s+message)\b", re.IGNORECASE
)
_VERB_LAST = ("ko", "ja", "de", "zh")
_BRANCH = re.compile(
    rf"\b(?:to|on|onto|into|auf|nach|a|à|para)\s+(?:the\s+|origin/|branch\s+){{0,2}}"
    rf"(?P<b>main|master|develop|dev|staging|production|release|(?:feature|fix|bugfix|hotfix|release"
    rf"|chore)/[\w./-]{{1,80}}|{MASK}+)",
    re.IGNORECASE,
)
_BRANCH_BEFORE = re.compile(
    rf"\b(?:nach|auf|in)\s+(?:den\s+Branch\s+)?(?P<b>main|master|develop|{MASK}+)"
    rf"|(?P<b2>main|master|develop|{MASK}+)\s?(?:브랜치|ブランチ|分支)",
    re.IGNORECASE,
)
_FIELD_OF = re.compile(
    r"\b(?:the|its|their|la|el|o|a|le|l['’]|die|den|das)\s*(?P<f>[\w-]{3,20}(?:\s+[\w-]{3,20})?)\s+"
    r"(?:field\s+)?(?:of|for|on|in|de|da|do|du|von)\s+(?:the\s+|requirement\s+|ticket\s+|issue\s+|record\s+"
    r"|item\s+){0,2}$",
    re.IGNORECASE,
)
_FIELD_ALONE = re.compile(
    r"\b(?:the|its)\s+(?P<f>[\w-]{3,20}(?:\s+[\w-]{3,20})?)\s*(?:field)?\s*(?:$|to\b|with\b|from\b|,|\.)",
    re.I,
)
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
_TEXT_OBJECT = re.compile(
    r"\b(?:numbering|lists?|counts?|arguments?|conversation|story|chapters?|sentences?|paragraphs?"
    r"|discussion|idea|topic)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]{3,30}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Hit:
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


def drop(claim: Claim, reason: Reason) -> Claim:
    """The claim with the reason for which it is none; the first reason stays."""
    return claim if claim.dropped else replace(claim, dropped=reason)


def claim_of(
    grammar: Grammar,
    words: str,
    start: int,
    end: int,
    hit: Hit,
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
        claim = replace(claim, external=True) if hit.kind == "act" else claim
        claim = _phrase_claim(claim, hit.phrase, words[start:end])
        if words.startswith(":", verb_end):
            claim = drop(claim, "qualified")
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
            places=() if any(t.concrete for t in ordered) else _places(words, spoken, verb_end),
            targets=_with_branch(kind, ordered, words, start, verb_end, stop, names),
        )
        claim = _details(grammar, claim, words, start, lead, verb_end, stop)
    if not hit.strong:
        if _DATED.search(words, start, end):
            claim = replace(claim, past=True)
        if _DESCRIBING.search(before):
            claim = drop(claim, "relative_clause")
    condition = _SENTENCE_CONDITION.search(words)
    if condition and (start > 0 or not claim.dropped):
        claim = drop(claim, "conditional")
    subordinate = _SUBORDINATE.match(before) or _GERUND_FIRST.match(before)
    return _apply_drops(
        grammar,
        claim,
        before[subordinate.end() :] if subordinate else before,
        words[lead:verb_end],
        words[verb_end:end],
        hit.phrase is not None,
    )


def _apply_drops(grammar: Grammar, claim: Claim, before: str, verb: str, after: str, phrase: bool) -> Claim:
    region = before + verb
    for reason, pattern in grammar.drops:
        outside = reason == "relative_clause" or (reason in ("other_subject", "negated") and phrase)
        where = before if outside else region
        if reason == "relative_clause" and claim.language == "en" and not claim.passive:
            continue
        # In an English passive the words before "has been" are what was changed, not who did it.
        # The same goes for what stands between "I did this" and "and that".
        joined = not claim.passive and _FIRST_PERSON.search(before) is not None
        patient = reason == "other_subject" and (claim.passive or joined) and claim.language == "en"
        if (_REPORTED_FROM if patient else pattern).search(where):
            return drop(claim, reason)
    if _AFTER_NOTHING.match(after) and claim.claim_class != "lookup":
        return drop(claim, "negated")
    if claim.passive and _BY_OTHER.match(after):
        return drop(claim, "other_subject")
    if _TAIL_SOURCE.search(after):
        return drop(claim, "other_subject")
    return drop(claim, "hedged") if _TAIL_HEDGE.search(after) else claim


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
        return drop(claim, "instruction")
    if _TAIL_CONDITION.match(clause[phrase.end() :]):
        return drop(claim, "conditional")
    return drop(claim, "qualified") if _QUALIFIED.search(clause) else claim


def _kind(
    grammar: Grammar, hit: Hit, whole: str, around: str, after: str, targets: list[Target]
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


_AT = re.compile(
    r"\b(?:to|in|into|on|from|of|for|under|within|at|en|de|del|a|em|no|na|do|da|dans|à|du|zu|in|im|aus|bei"
    r"|von|zur|zum)"
    r"\s+(?:the\s+|issue\s+|ticket\s+|file\s+|der\s+|die\s+|das\s+|la\s+|el\s+|o\s+|le\s+|\w{1,15}\s+){0,2}$",
    re.IGNORECASE,
)


def _places(words: str, spoken: list[tuple[int, Target]], verb_end: int) -> tuple[Target, ...]:
    """Where the verb's object is said to be: "removed `x` from a.py", "added the label to issue #9"."""
    later = [(at, target) for at, target in spoken if at >= verb_end and target.concrete]
    return tuple(target for at, target in later if _AT.search(words[verb_end:at].replace(MASK, "")))


def _with_branch(
    kind: ClaimClass,
    targets: tuple[Target, ...],
    words: str,
    start: int,
    verb_end: int,
    stop: int,
    names: list[tuple[int, int, str]],
) -> tuple[Target, ...]:
    if kind != "vcs":
        return targets
    match = _BRANCH.search(words, verb_end, stop) or _BRANCH_BEFORE.search(words, start, verb_end)
    if match is None:
        return ()
    group = "b" if match.group("b") else "b2"
    name = next((n for s, e, n in names if s == match.start(group)), match.group(group))
    return () if name.startswith(MASK) or " " in name else (Target(name, "branch"),)


def _details(
    grammar: Grammar, claim: Claim, words: str, start: int, lead: int, verb_end: int, stop: int
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
    elif claim.claim_class == "act" and claim.verb in PLAIN_ACTS and not claim.passive:
        external = _TEXT_OBJECT.search(region) is None
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
        return drop(claim, "text_work")
    needs_a_tool = any(t.concrete for t in claim.targets) or claim.claim_class in _ALWAYS_BY_TOOL
    return claim if needs_a_tool or not _TEXT_WORK.search(region) else drop(claim, "text_work")


def _field(words: str, claim: Claim, verb_end: int, stop: int) -> str:
    """The field named as changed ("the acceptance criteria of R-1"), lower-case, "" where none is."""
    if claim.claim_class != "change" or claim.language in ("ko", "ja", "zh"):
        return ""
    region = words[verb_end:stop]
    at = region.find(claim.target.text) if claim.target.type == "id" else -1
    match = _FIELD_OF.search(region[:at]) if at >= 0 else _FIELD_ALONE.search(region)
    return match.group("f").lower().strip() if match else ""
