"""Figures stated as facts in the very text that announces the call that is to find them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from analyzers.claims.splitting import mask, sentences

_FIGURE = re.compile(
    r"(?<![\w.,/#:^*-])(?:(?=[a-f]{0,63}\d)(?=\d{0,63}[a-f])[0-9a-f]{7,64}|\d{4}-\d\d-\d\d"
    r"|\d{1,4}\.\d{1,4}\.\d{1,5}|\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,4})?|\d{2,15}(?:[.,]\d{1,6})?"
    r"|\d(?:[.,]\d{1,6})|\d(?=\s?(?:°|%|€|\$|£|euros?|dollars?|GB|MB|km|度|도|件|个|個|개)))(?![\w/-]*\d)"
)
_ESTIMATES = re.compile(
    r"\b(?:expect(?:ed)?|should|guess|think|probably|estimat\w+|approximately|approx|roughly|about|around|if"
    r"|whether|would"
    r"|might|could|assum\w+|according\s+to|earlier|previous(?:ly)?|you\s+(?:said|say|wrote|mention\w*|gave"
    r"|told)|claimed"
    r"|supposed(?:ly)?|suspect|likely|maybe|example|e\.g|believe|seems?|recall|known|documented|typically"
    r"|usually|not"
    r"|limit|max(?:imum)?|threshold|target|want|need|given"
    r"|creo|talvez|quizás?|vielleicht|wahrscheinlich|peut-être|environ|etwa|ungefähr|circa|rund|cerca\s+de"
    r"|unos|unas"
    r"|aproximadamente|normalmente|meist)\b|(?-i:\bmay\b)|[~≈?？]|아마|것\s?같|약\s|대략|たぶん|おそらく|約"
    r"|大概|可能|大约|应该",
    re.IGNORECASE,
)
_EQUALS = re.compile(r"(?:=|\bequals|\bmakes)\s?(\d[\d.,]{0,20}\d|\d)(?![\w/-]*\d)")
_ANY_NUMBER = re.compile(r"\d[\d.,:-]*")
_STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|had|costs?|takes?|trades?|trading|ends?|starts?|begins?|equals|contains?"
    r"|holds?|weighs?"
    r"|amounts?|totals?|shows?|runs?|pass(?:es)?|fails?|lasts?|measures?|reads?|stands?|leaves?|lives?"
    r"|ist|sind|war|kostet|beträgt|hat|haben|liegt|enthält|dauert|endet|läuft|es|son|era|cuesta|tiene|hay"
    r"|está|están|dura|vale"
    r"|é|são|custa|tem|há|estão|termina|est|sont|était|coûte|compte|dure|contient|affiche|s['’]élève)\b|:"
    r"|입니다|이에요|예요|습니다|です|でした|ます|是|有|为|共",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"\b(?:confirm\w*|verif(?:y|ying)|double-?check\w*|check(?:ing)?|make\s+sure|to\s+be\s+sure"
    r"|fetch(?:ing)?|query(?:ing)?"
    r"|look(?:ing)?\s+(?:it|that|this|them)?\s?up|let\s+me|I['’]ll|I\s+will|running|counting|computing"
    r"|measuring"
    r"|rufe|prüfe|frage|schaue|sehe|suche|zähle|berechne|messe|führe|hole"
    r"|busco|compruebo|verifico|consulto|confirmo|calculo|reviso|voy\s+a|ejecuto|miro"
    r"|vou|confiro|executo|conferir|vérifie|cherche|consulte|calcule|lance|regarde|confirme|vais)\b"
    r"|확인|조회|검색|계산|실행|확실|確認|調べ|検索|計算|実行|取得|确认|核实|查询|查一下|检查|计算|运行|我来",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:confirm\w*|v[ée]rif\w+|prüf\w+|schau\w+|comprueb\w+|double-?check\w*|make\s+sure|to\s+be\s+sure"
    r"|it|that|this|them|these|those|now"
    r"|das|es|sie|ihn|ihm|jetzt|noch|nach|daten|ahora|agora|maintenant|lo|la|los|las|eso|esto|isso|isto|cela"
    r"|ça|le|les|tout\s+de\s+suite|y)\b|이제|지금|今から|现在|확인|確認|确认|核实|一下",
    re.IGNORECASE,
)
_PLANS = re.compile(
    r"\b(?:I['’]ll|I\s+will|let\s+me|going\s+to|vou|voy\s+a|je\s+vais|ich\s+werde)\b", re.IGNORECASE
)
_CONTENT = re.compile(r"[^\W\d_]{4,30}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2}")


@dataclass(frozen=True, slots=True)
class AnnouncedFigure:
    """A figure stated as a fact, and the sentence that announces the call after it."""

    value: str
    sentence: str
    start: int
    end: int
    announcement: str


def announced_figures(text: str) -> list[AnnouncedFigure]:
    """The figures of a text that goes on to announce a check; those of plans and estimates are left out."""
    if not any(character.isdigit() for character in text):
        return []
    masked, names = mask(text)
    for start, end, name in names:
        if _FIGURE.fullmatch(name):
            at = text.index(name, start, end)
            masked = masked[:at] + name + masked[at + len(name) :]
    own = list(sentences(masked))
    found = []
    for number, sentence in enumerate(own):
        words = sentence.masked
        figures = [match.group() for match in _FIGURE.finditer(words)]
        if equals := _EQUALS.search(words):
            figures = [equals[1]]
        if len(figures) != 1 or sentence.question or _ESTIMATES.search(words) or _PLANS.search(words):
            continue
        following = " ".join(later.masked for later in own[number + 1 : number + 3])
        if _STATES.search(words) or equals:
            written = text[sentence.start : sentence.end]
            found.append(AnnouncedFigure(figures[0], written, sentence.start, sentence.end, following))
    return found


def is_about(figure: AnnouncedFigure, call: str, result: str) -> bool:
    """Whether a call (its name and arguments) looks for the figure.

    By a word of the announcement that refers to it; by words in common, two of them where nothing announces
    the call; or because the call does nothing but find one figure.
    """
    announced = _ANNOUNCES.search(figure.announcement) is not None
    if announced and len(result) < _TINY and len(_ANY_NUMBER.findall(result) + _size(result)) == 1:
        return True
    if announced and _REFERS.search(figure.announcement):
        return True
    words = {word.lower()[:6] for word in _CONTENT.findall(figure.sentence)}
    common = sum(word in f"{call} {result}".lower() for word in words)
    return common >= (1 if announced or len(result) < _TINY else 2) or (
        len(result) < _TINY and "answer" in words
    )


_TINY = 100


def disagrees(figure: AnnouncedFigure, result: str) -> bool:
    """Whether the result names figures, and this one is not among them."""
    numbers = _ANY_NUMBER.findall(result) + _size(result)
    return (
        bool(numbers)
        and figure.value not in result
        and _plain(figure.value) not in {_plain(n) for n in numbers}
    )


def _size(result: str) -> list[str]:
    """The number of items of a plain list."""
    try:
        value = json.loads(result) if result.startswith("[") else None
    except (ValueError, RecursionError):
        return []
    return [str(len(value))] if isinstance(value, list) and all(isinstance(v, str) for v in value) else []


def _plain(number: str) -> str:
    """A number without separators of thousands and trailing zeros: "48,112.50" and "48112.5" are one."""
    number = number.strip(".,:-")
    match = re.fullmatch(r"([\d.,]*?)(?:[.,](\d{1,2}|\d{4,6}))?", number)
    if match is None:
        return number
    whole, decimals = re.sub(r"[.,]", "", match[1]), (match[2] or "").rstrip("0")
    return f"{whole}.{decimals}" if decimals else whole
