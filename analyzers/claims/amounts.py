"""Quantities that a claim names, and what the calls were given instead: amounts of money, dates, settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from analyzers.claims.calls import Fact

_MONEY = re.compile(
    r"(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF|BRL)\s|R\$\s?)\s?(\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{2})?"
    r"|\d+(?:[.,]\d{2})?)(?![\d.,]*\d)"
    r"|(?<![\d.,])(\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{2})?|\d+(?:[.,]\d{2})?)\s?(?:€|\$|£|EUR\b|USD\b|GBP\b"
    r"|CHF\b|euros?\b|"
    r"dollars?\b|reais\b|원|円|元)"
)
_AMOUNT_KEY = re.compile(
    r"amount|total|sum|price|value|betrag|valor|monto|montant|importe|quantia", re.IGNORECASE
)
_TOTAL = re.compile(r"total|gesamt|balance|saldo|solde|sum\b|summe|合計|总|합계", re.IGNORECASE)
_SET_TO = re.compile(
    r"\b(?:to|auf|à|a|para|en)\s+(\d{1,9}(?:[.,]\d{1,4})?)(?![\w.,:/-]*\d)"
    r"|(\d{1,9}(?:\.\d{1,4})?)\s?\S{0,3}?(?:로|으로|に|到)(?=\s?[설변調設变调\S])"
)
_UNITS = (1, 60, 1000, 3600, 100, 1024, 24, 60_000, 86_400, 1_048_576)
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero janeiro",
            "february feb februar février febrero fevereiro",
            "march mar märz mars marzo março",
            "april apr avril abril",
            "may mai mayo maio",
            "june jun juni juin junio junho",
            "july jul juli juillet julio julho",
            "august aug août agosto",
            "september sep sept septembre septiembre setembro",
            "october oct oktober octobre octubre outubro",
            "november nov novembre noviembre novembro",
            "december dec dezember décembre diciembre dezembro",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?<!\d)(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.|º|er)?\s(?:of\s|de\s)?(?P<m1>{_MONTH})\b"
    rf"|\b(?P<m2>{_MONTH})\s(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"
    r"|(?<![\d-])\d{4}-(?P<m3>\d\d)-(?P<d3>\d\d)(?![\d-])"
    r"|(?<!\d)(?P<m4>\d{1,2})\s?[月월]\s?(?P<d4>\d{1,2})\s?[日일]",
    re.IGNORECASE,
)
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lunes lundi segunda-feira",
            "tuesday dienstag martes mardi terça-feira",
            "wednesday mittwoch miércoles mercredi quarta-feira",
            "thursday donnerstag jueves jeudi quinta-feira",
            "friday freitag viernes vendredi sexta-feira",
            "saturday samstag sábado samedi",
            "sunday sonntag domingo dimanche",
        )
    )
    for name in names.split()
}
_WEEKDAY = re.compile(r"\b(?:" + "|".join(_WEEKDAYS) + r")(?!\w)", re.IGNORECASE)
_MOVES = re.compile(
    r"\b(?:moved|rescheduled|postponed|shifted|changed|verschoben|verlegt|moví|reprogram\w+|déplac\w+|mudei"
    r"|remarquei)",
    re.I,
)
_PERCENT = re.compile(
    r"(?<![\w.,])(\d{1,3}(?:[.,]\d{1,2})?)\s?(?:%|percent|prozent|por\s?ciento|por\s?cento)", re.IGNORECASE
)
_PERCENT_KEY = re.compile(
    r"percent|pct|discount|rate|descuento|desconto|rabatt|remise|prozent|factor", re.IGNORECASE
)
_COUNT_KEY = re.compile(
    r"quantity|qty|menge|anzahl|cantidad|quantidade|quantité|people|guests|persons|seats|nights|copies"
    r"|replicas"
)
_INTEGER = re.compile(r"(?<![\w.,:/#-])\d{1,5}(?![\w.,:/%-]*\d|\s?(?:%|€|\$|am\b|pm\b|uhr\b|h\b|:))")
_NUMBER_WORDS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
}
_SPELT = re.compile(r"\b(?:" + "|".join((*_WEEKDAYS, *_NUMBER_WORDS)) + r")(?!\w)", re.IGNORECASE)
_ISO = re.compile(r"(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?!\d)")


def names_quantity(sentence: str) -> bool:
    """Whether a sentence has a number or a day of the week at all."""
    return any(character.isdigit() for character in sentence) or _SPELT.search(sentence) is not None


def other_quantity(sentence: str, fact: Fact) -> tuple[str, str] | None:
    """(claimed, given) where the sentence and the call's arguments name one quantity each, and not one."""
    return (
        _other_date(sentence, fact)
        or _other_weekday(sentence, fact)
        or _other_money(sentence, fact)
        or _other_setting(sentence, fact)
        or _other_count(sentence, fact)
    )


def _other_weekday(sentence: str, fact: Fact) -> tuple[str, str] | None:
    """A booking for another day of the week than the one named; what is moved may name the old one."""
    named = {_WEEKDAYS[match.group().lower()]: match.group() for match in _WEEKDAY.finditer(sentence)}
    given = set(_ISO.findall(fact.arguments))
    if len(named) != 1 or len(given) != 1 or _MOVES.search(sentence) or _DATE.search(sentence):
        return None
    ((day, written),) = named.items()
    try:
        weekday = date(*map(int, given.pop())).weekday()
    except ValueError:
        return None
    # A day more or less may be the time zone.
    return (written, f"weekday {weekday + 1}") if (weekday - day) % 7 not in (0, 1, 6) else None


def _other_count(sentence: str, fact: Fact) -> tuple[str, str] | None:
    """Another number of things, or another percentage, than the one named."""
    leaves = list(_leaves(fact.call.arguments))
    percent = {float(match[1].replace(",", ".")) for match in _PERCENT.finditer(sentence)}
    given = {value for key, value in leaves if _PERCENT_KEY.search(key)}
    if len(percent) == 1 and len(given) == 1:
        said, value = percent.pop(), given.pop()
        if (
            all(abs(said - value * factor) > 1e-6 for factor in (1, 100, 0.01))
            and abs(1 + said / 100 - value) > 1e-6
        ):
            return f"{said:g} %", f"{value:g}"
        return None
    counts = {value for key, value in leaves if _COUNT_KEY.fullmatch(key)}
    numbers = {float(match.group()) for match in _INTEGER.finditer(sentence)}
    words = {
        float(_NUMBER_WORDS[word])
        for word in re.findall(r"[a-z]+", sentence.lower())
        if word in _NUMBER_WORDS
    }
    if len(counts) == 1 and len(numbers | words) == 1 and numbers | words != counts:
        return f"{(numbers | words).pop():g}", f"{counts.pop():g}"
    return None


def _other_date(sentence: str, fact: Fact) -> tuple[str, str] | None:
    claimed = {_month_day(match): match.group() for match in _DATE.finditer(sentence)}
    given = set(_ISO.findall(fact.arguments))
    if len(claimed) != 1 or len(given) != 1 or None in claimed:
        return None
    ((said, written),) = claimed.items()
    year, month, day = map(int, given.pop())
    try:
        days = abs((date(year, said[0], said[1]) - date(year, month, day)).days)  # type: ignore[index]
    except ValueError:
        return None
    # A day more or less may be the time zone.
    return (written, f"{year}-{month:02}-{day:02}") if days > 1 else None


def _month_day(match: re.Match[str]) -> tuple[int, int] | None:
    for number in "1234":
        day, month = match[f"d{number}"], match[f"m{number}"]
        if day:
            return (_MONTHS.get(month.lower()) or int(month)), int(day)
    return None


def _other_money(sentence: str, fact: Fact) -> tuple[str, str] | None:
    if _TOTAL.search(sentence):
        return None
    claimed = {
        value for match in _MONEY.finditer(sentence) if (value := _number(match[1] or match[2])) is not None
    }
    given = {value for key, value in _leaves(fact.call.arguments) if _AMOUNT_KEY.search(key)}
    if len(claimed) != 1 or len(given) != 1:
        return None
    said, amount = claimed.pop(), given.pop()
    if any(abs(said * factor - amount) < 0.006 for factor in (1, 100, 1000)) or amount == 0:
        return None
    return f"{said:g}", f"{amount:g}"


def _other_setting(sentence: str, fact: Fact) -> tuple[str, str] | None:
    found = {match[1] or match[2] for match in _SET_TO.finditer(sentence)}
    claimed = {value for text in found if (value := _number(text)) is not None}
    lowered = sentence.lower()
    given = {
        value for key, value in _leaves(fact.call.arguments) if key == "value" or _named_in(key, lowered)
    }
    if len(claimed) != 1 or len(given) != 1 or fact.is_file_edit or _TOTAL.search(sentence):
        return None
    said, value = claimed.pop(), given.pop()
    if any(
        abs(said * unit - value) < 1e-6 * max(1, value) or abs(value * unit - said) < 1e-6 * said
        for unit in _UNITS
    ):
        return None
    return f"{said:g}", f"{value:g}"


def _named_in(key: str, sentence: str) -> bool:
    words = [word for word in re.split(r"[^a-z]+", key.lower()) if len(word) > 2 and word != "id"]
    return bool(words) and any(word in sentence for word in words)


def _leaves(arguments: Any, depth: int = 0) -> Iterator[tuple[str, float]]:
    """The numbers among the arguments with their keys."""
    if isinstance(arguments, dict) and depth < 3:
        for key, value in list(arguments.items())[:50]:
            if type(value) in (int, float):
                yield str(key).lower(), float(value)
            else:
                yield from _leaves(value, depth + 1)


def _number(text: str) -> float | None:
    """A number as people write it: 1,250.00 and 1.250,00 alike."""
    text = text.strip(".,")
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", text):
        text = re.sub(r"[.,]", "", text)
    elif match := re.fullmatch(r"([\d.,]+)[.,](\d{1,4})", text):
        text = re.sub(r"[.,]", "", match[1]) + "." + match[2]
    try:
        return float(text)
    except ValueError:
        return None
