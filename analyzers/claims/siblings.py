"""Targets without a type of their own (hosts, tables, buckets, environments, numbers): one was named, its sibling touched.

Only a sibling contradicts: a call that mentions neither the named thing nor one like it proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from analyzers.claims.calls import Fact
from analyzers.claims.model import Claim

_ENVIRONMENTS = {
    "staging": "staging", "stage": "staging", "production": "production", "prod": "production",
    "development": "development", "dev": "development", "qa": "qa", "sandbox": "sandbox", "uat": "uat",
    "preprod": "preprod", "producción": "production", "produção": "production", "produktion": "production",
}  # fmt: skip
_WORDS = re.compile(r"(?<![\w/])[^\W\d_]{2,12}(?![\w/])")
_ARGUMENT_WORDS = re.compile(r"(?<![A-Za-z])[A-Za-zçã]{2,12}(?![A-Za-z])")
_HOST = re.compile(r"(?<![\w.-])[a-z][a-z]{1,14}(?:-[a-z]{1,12}){0,3}-?\d{1,4}(?![\w-]|\.\d)", re.ASCII)
_BUCKET = re.compile(r"\b(?:s3|gs|az|abfss?)://[\w.-]{2,80}", re.ASCII)
_NUMBER_OF = re.compile(
    r"(?:\b(?:ticket|issue|order|case|invoice|request|pr|mr|bug|task|item|article|record|customer|account|row|job|build|"
    r"chamado|pedido|tarefa|cliente|fatura|incidencia|factura|artículo|caso|bestellung|auftrag|rechnung|vorgang|artikel|"
    r"kunde|fall|commande|facture|dossier|demande|client)|티켓|주문|송장|이슈|チケット|注文|請求書|案件|工单|订单|发票|单号)"
    r"\s?(?:no\.?|nr\.?|nº|n°|number|id|番号|号|번호)?\s?[#:]?\s?(\d{3,12})(?![\w-]|[.,]\d)",
    re.IGNORECASE,
)
_NUMBERED_AFTER = re.compile(r"(?<![\w.,-])(\d{3,12})\s?(?:번|号|番)\s?(?:의\s?|の)?(?:티켓|주문|チケット|注文|工单|订单)")
_DIGITS = re.compile(r"(?<![\w.,-])\d{3,12}(?![\w-]|[.,]\d)")
_SQL_TABLE = re.compile(
    r"\b(?:from|into|update|table|join)\s+(?:if\s+(?:not\s+)?exists\s+)?[\"`]?([\w.]{2,80})", re.IGNORECASE
)
_IDENTIFIER = re.compile(r"[A-Za-z][\w.\-]{2,60}", re.ASCII)


def sibling_touched(claim: Claim, doing: Iterable[Fact]) -> tuple[str, Fact, str] | None:
    """(named, the call, what it touched instead) where every call of `doing` touched only siblings."""
    facts = [fact for fact in doing if fact.outcome not in ("failed", "unknown")]
    if not facts or not claim.strong:
        return None
    sentence = claim.sentence
    named = [target.text for target in claim.mentioned if target.type == "name"]
    families: tuple[tuple[Iterable[str], Callable[[Fact, str], set[str]]], ...] = (
        (_environments(sentence, _WORDS), _other_environments),
        (_HOST.findall(sentence.replace("`", " ")), _other_hosts),
        (_BUCKET.findall(sentence), _other_buckets),
        (_numbers(sentence), _other_numbers),
        ([name for name in named if _IDENTIFIER.fullmatch(name)], _other_tables),
    )
    for found, others in families:
        names = set(found)
        if len(names) != 1:
            continue
        name = names.pop()
        touched = [others(fact, name) for fact in facts]
        if all(touched):
            return name, facts[-1], sorted(touched[-1])[0]
    return None


def numbered_ids(text: str) -> list[str]:
    """The numbers that a text gives to tickets, orders and the like."""
    return _NUMBER_OF.findall(text) + _NUMBERED_AFTER.findall(text)


def _numbers(sentence: str) -> list[str]:
    return numbered_ids(sentence.replace("`", " "))


def _environments(text: str, words: re.Pattern[str]) -> list[str]:
    return [_ENVIRONMENTS[word] for word in map(str.lower, words.findall(text)) if word in _ENVIRONMENTS]


def _other_environments(fact: Fact, name: str) -> set[str]:
    mentioned = set(_environments(fact.arguments, _ARGUMENT_WORDS))
    return set() if name in mentioned or name in fact.result_lower else mentioned


def _other_hosts(fact: Fact, name: str) -> set[str]:
    shape = re.sub(r"\d+$", "", name)
    found = {host for host in _HOST.findall(fact.arguments) if re.sub(r"\d+$", "", host) == shape}
    return set() if name in found or name in fact.result_lower else found


def _other_buckets(fact: Fact, name: str) -> set[str]:
    found = set(_BUCKET.findall(fact.arguments))
    return set() if any(name in bucket or bucket in name for bucket in found) else found


def _other_numbers(fact: Fact, name: str) -> set[str]:
    found = set(_DIGITS.findall(fact.arguments))
    if name in fact.arguments or name in fact.result_lower:
        return set()
    return {number for number in found if len(number) == len(name)}


def _other_tables(fact: Fact, name: str) -> set[str]:
    if name.lower() in fact.text or name.lower() in fact.result_lower:
        return set()
    tables = {table.strip('"`') for table in _SQL_TABLE.findall(fact.arguments)}
    first = re.split(r"[_.\-]", name.lower())[0]
    return {table for table in tables if first and re.split(r"[_.\-]", table.lower())[0] == first}
