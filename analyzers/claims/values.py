"""Values that a text states although the call that computes them comes only after it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from analyzers.claims.splitting import mask, sentences

_DIGIT = re.compile(r"[0-9]")
_MARKER = re.compile(r"\{\{\s?[A-Z][A-Z_]{2,30}\s?:[^{}]{0,400}\}\}")
"""A marker by which a prompt contract lets a model ask for a computation: `{{PYTHON: 2**64}}`."""

_HASH = re.compile(
    r"(?<![\w-])(?=[a-f]{0,63}\d)(?=\d{0,63}[a-f])[0-9a-f]{8,64}(?![\w-]*[A-Za-z0-9])", re.ASCII
)
_NUMBER = re.compile(
    r"(?<![\w.,/#:-])\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,12})?(?![\w/:-]|\.\d)"
    r"|(?<![\w.,/#:-])\d{3,20}(?:\.\d{1,12})?(?![A-Za-z0-9_/:-]|\.\d)"
)
_CODE = re.compile(r"(?<![\w-])[A-Z]{1,3}\d{3,5}(?![\w-])", re.ASCII)
_TALLY = re.compile(
    r"(?<![\w.])\d{1,6}(?=\s+(?:tests?\s+|checks?\s+)?(?:passed|failed|passing|failing|fail|pass)\b)",
    re.IGNORECASE,
)

_HASH_WORDS = re.compile(
    r"\b(?:hash|sha-?\d*|md5|digest|checksum|characters|hex|caracteres|caractères|zeichen|empreinte)\b|자리"
    r"|해시"
    r"|글자|ハッシュ|文字|桁|哈希|字符|位",
    re.IGNORECASE,
)
_NUMBER_WORDS = re.compile(
    r"\b(?:sum|total|result|answer|average|mean|median|product|output|suma|resultado|respuesta|soma|resposta"
    r"|somme|résultat|réponse"
    r"|summe|ergebnis|antwort)\b|합계|합은|결과|정답|답은|合計|結果|答え|总和|结果|答案",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|equals|gives|prints|es|é|est|ist|beträgt|got|get|yields)\b|[=:：]|입니다|이에요|예요"
    r"|です|是|为|等于",
    re.IGNORECASE,
)
_FAILURE_WORDS = re.compile(
    r"\b(?:died|failed|fails|failing|errors?|broke|crashed|rejected)\b", re.IGNORECASE
)
UNSURE = re.compile(
    r"\b(?:expect(?:ed)?|should|guess|think|probably|estimat\w+|approximately|approx|roughly|about|around|if"
    r"|whether|would|might|may|could|assum\w+"
    r"|you\s+(?:said|say|wrote|mention\w*|gave|told)|your|given|according\s+to|earlier|previous(?:ly)?"
    r"|claimed|supposed(?:ly)?|suspect|likely|maybe|let['’]s\s+say"
    r"|example|e\.g|want|need|target|not|limit|max(?:imum)?|threshold|believe|seems?|recall|known|documented"
    r"|verify\s+(?:that|the|this)|creo|talvez|quizás?|vielleicht"
    r"|wahrscheinlich|peut-être|environ|etwa)\b|[~≈?？]|아마|것\s?같|약\s|たぶん|おそらく|約|大概|可能|大约"
    r"|应该",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value stated as a fact. `marker` tells that a computation marker follows it in the text."""

    value: str
    kind: Literal["hash", "number", "code", "tally"]
    sentence: str
    start: int
    end: int
    marker: bool


def stated_values(text: str) -> list[StatedValue]:
    """Computed-looking values that the text states without a hedge, in order."""
    if _DIGIT.search(text) is None:
        return []
    masked, names = mask(text)
    for start, end, name in names:
        if _HASH.fullmatch(name) or _NUMBER.fullmatch(name):
            at = text.index(name, start, end)
            masked = masked[:at] + name + masked[at + len(name) :]
    markers = [(match.start(), match.group()) for match in _MARKER.finditer(text)]
    found: list[StatedValue] = []
    for sentence in sentences(_MARKER.sub(lambda m: " " * len(m.group()), masked)):
        words = sentence.masked
        if sentence.question or _DIGIT.search(words) is None or UNSURE.search(words):
            continue
        later = [body for at, body in markers if at >= sentence.start]
        for kind, value in _values(words):
            if not any(value in body for body in later):
                written = text[sentence.start : sentence.end]
                found.append(StatedValue(value, kind, written, sentence.start, sentence.end, bool(later)))
    return found


def _values(words: str) -> list[tuple[Literal["hash", "number", "code", "tally"], str]]:
    found: list[tuple[Literal["hash", "number", "code", "tally"], str]] = []
    stated = _PREDICATE.search(words) is not None
    if _HASH_WORDS.search(words):
        found += [("hash", match.group()) for match in _HASH.finditer(words)]
    if stated and _NUMBER_WORDS.search(words):
        found += [("number", match.group()) for match in _NUMBER.finditer(words)]
    if _FAILURE_WORDS.search(words):
        found += [("code", match.group()) for match in _CODE.finditer(words)]
    found += [("tally", match.group()) for match in _TALLY.finditer(words)]
    return found
