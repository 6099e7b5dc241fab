"""Targets without a type of their own, such as hosts and tables: one was named, its sibling touched.

Only a sibling contradicts: a call that mentions neither the named thing nor one like it proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from tightrope_sdk.names import near, trie

from analyzers.claims.amounts import names_quantity, other_quantity
from analyzers.claims.calls import Fact
from analyzers.claims.model import Claim
from analyzers.claims.targets import EMAIL, PATH

_ENVIRONMENTS = {
    "staging": "staging",
    "stage": "staging",
    "production": "production",
    "prod": "production",
    "development": "development",
    "dev": "development",
    "qa": "qa",
    "sandbox": "sandbox",
    "uat": "uat",
    "preprod": "preprod",
    "producción": "production",
    "produção": "production",
    "produktion": "production",
}
_ENVIRONMENT_SIGNS = {
    "본운영": "production",
    "운영": "production",
    "스테이징": "staging",
    "本番": "production",
    "ステージング": "staging",
    "検証環境": "staging",
    "生产环境": "production",
    "生产": "production",
    "预发": "staging",
}
_ROOMS = (
    ("kitchen", "küche", "cocina", "cozinha", "cuisine", "주방", "부엌", "キッチン", "台所", "厨房"),
    (
        "living_room",
        "living room",
        "wohnzimmer",
        "salón",
        "sala",
        "salon",
        "거실",
        "リビング",
        "居間",
        "客厅",
    ),
    ("bedroom", "schlafzimmer", "dormitorio", "quarto", "chambre", "침실", "寝室", "卧室"),
    ("nursery", "kinderzimmer", "아기방", "子供部屋", "婴儿房"),
    ("guest_room", "guest room", "gästezimmer", "habitación de invitados", "객실", "客間", "客房"),
    ("bathroom", "badezimmer", "bad", "baño", "banheiro", "salle de bain", "욕실", "浴室", "バスルーム"),
    ("hall", "hallway", "flur", "pasillo", "corredor", "couloir", "현관", "廊下", "玄関", "走廊"),
    ("garage", "garaje", "garagem", "차고", "ガレージ", "车库"),
    ("office", "study", "büro", "arbeitszimmer", "despacho", "escritório", "bureau", "서재", "書斎", "书房"),
    ("basement", "keller", "sótano", "porão", "cave", "지하실", "地下室"),
    ("garden", "garten", "jardín", "jardim", "jardin", "정원", "庭", "花园"),
)
_FEW = 3
_WORDS = re.compile(r"(?<![\w/])[^\W\d_]{2,12}(?![\w/])")
_ARGUMENT_WORDS = re.compile(r"(?<![A-Za-z])[A-Za-zçã]{2,12}(?![A-Za-z])")
_HOST = re.compile(r"(?<![\w.-])[a-z][a-z]{1,14}(?:-[a-z]{1,12}){0,3}-?\d{1,4}(?![\w-]|\.\d)", re.ASCII)
_BUCKET = re.compile(r"\b(?:s3|gs|az|abfss?)://[\w.-]{2,80}", re.ASCII)
_NUMBER_OF = re.compile(
    r"(?:\b(?:ticket|issue|order|case|invoice|request|pr|mr|bug|task|item|article|record|customer|account"
    r"|row|job|build|"
    r"chamado|pedido|tarefa|cliente|fatura|incidencia|factura|artículo|caso|bestellung|auftrag|rechnung"
    r"|vorgang|artikel|"
    r"kunde|fall|commande|facture|dossier|demande|client)|티켓|주문|송장|이슈|チケット|注文|請求書|案件|工单"
    r"|订单|发票|单号)"
    r"\s?(?:no\.?|nr\.?|nº|n°|number|id|番号|号|번호)?\s?[#:]?\s?(\d{3,12})(?![A-Za-z0-9_-]|[.,]\d)",
    re.IGNORECASE,
)
_NUMBERED_AFTER = re.compile(
    r"(?<![\w.,-])(\d{3,12})\s?(?:번|号|番)\s?(?:의\s?|の)?(?:티켓|주문|チケット|注文|工单|订单)"
)
_DIGITS = re.compile(r"(?<![\w.,-])\d{3,12}(?![\w-]|[.,]\d)")
_SQL_TABLE = re.compile(
    r"\b(?:from|into|update|table|join)\s+(?:if\s+(?:not\s+)?exists\s+)?[\"`]?([\w.]{2,80})", re.IGNORECASE
)
_CHANNEL = re.compile(r"(?<![\w#&/])#[a-z][\w-]{1,40}")
_REGION = re.compile(
    r"\b(?:us|eu|ap|sa|ca|me|af|il)-(?:gov-)?(?:north|south|east|west|central)(?:east|west)?-?\d\b"
)
_VERSION = re.compile(
    r"(?<![\w.])(?:v\d{1,4}\.\d{1,4}(?:\.\d{1,5})?|\d{1,4}\.\d{1,4}\.\d{1,5})(?:-[a-z]+\.?\d*)?(?![\w.]*\d)"
)
_SHA = re.compile(r"(?<![\w-])(?=[a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,40}(?![\w-])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b")
_DOMAIN = re.compile(
    r"(?<![\w@./-])(?:[a-z0-9-]{1,30}\.){1,4}(?:com|org|net|io|dev|app|de|fr|es|pt|br|jp|kr|cn|eu|uk|example"
    r"|local|internal)\b(?!/)"
)
_SLUG = re.compile(r"(?<![\w./:@-])[a-z][\w.-]{1,38}/[a-z][\w.-]{1,60}(?![\w/])", re.ASCII)
_SNAKE = re.compile(r"(?<![\w./-])[a-z][a-z0-9]{1,30}(?:_[a-z0-9]{1,30}){1,5}(?![\w./(-])", re.ASCII)
_PATH_WORD = re.compile(r"\b(?:file|folder|directory|path|branch|rate|and/or)\b", re.IGNORECASE)
_BOLD = re.compile(r"\*\*([^*\n]{3,60})\*\*")
_TOKEN = re.compile(r"[A-Za-z][\w.\-]{3,60}", re.ASCII)
_IDENTIFIER = re.compile(r"[A-Za-z][\w.\-]{2,60}", re.ASCII)


_Others = Callable[[Fact, str], set[str]]


def sibling_touched(claim: Claim, doing: Iterable[Fact]) -> tuple[str, Fact, str] | None:
    """(named, the call, what it touched instead) where every call of `doing` touched only siblings."""
    named = [(names.pop(), others) for found, others in _families(claim) if len(names := set(found)) == 1]
    quantity = names_quantity(claim.sentence)
    if not claim.strong or not (named or quantity):
        return None
    facts = [fact for fact in doing if fact.outcome not in ("failed", "unknown")]
    if not facts:
        return None
    if quantity and (other := _quantity(claim.sentence, facts)) is not None:
        return other
    for name, others in named:
        touched = [others(fact, name) for fact in facts]
        if all(touched):
            return name, facts[-1], sorted(touched[-1])[0]
    return None


def _families(claim: Claim) -> Iterator[tuple[Iterable[str], _Others]]:
    """What a claim names, one family of things after the other, and how a call's others are found."""
    sentence = claim.sentence
    plain = sentence.replace("`", " ")
    named = [target.text for target in claim.mentioned if target.type == "name"] + _BOLD.findall(sentence)
    identifiers = [name for name in named if _IDENTIFIER.fullmatch(name)]
    yield _environments(sentence, _WORDS), _other_environments
    yield _rooms(sentence.lower()), _other_rooms
    yield _HOST.findall(plain), _other_hosts
    yield _BUCKET.findall(sentence), _other_buckets
    for pattern in (EMAIL, _CHANNEL, _REGION, _VERSION, _IBAN, _DOMAIN, _SHA):
        yield pattern.findall(plain), _others_like(pattern)
    yield [] if _PATH_WORD.search(sentence) else _slugs(plain), _other_slugs
    yield _numbers(sentence), _other_numbers
    yield [*identifiers, *_SNAKE.findall(plain)], _other_tables
    yield identifiers, _other_names
    yield named, _other_value(sentence)


def _other_value(sentence: str) -> _Others:
    """What a call was given for the argument that the sentence names beside the name: "the `eu` zone"."""

    def others(fact: Fact, name: str) -> set[str]:
        arguments = fact.call.arguments
        if (
            fact.is_file_edit
            or not isinstance(arguments, dict)
            or name.lower() in fact.text + fact.result_lower
        ):
            return set()
        found = set()
        for key, value in arguments.items():
            word = re.split(r"[_\W]", str(key))[0]
            beside = len(word) > 2 and re.search(
                rf"{re.escape(name)}[`\"*”]{{0,3}}\s+{re.escape(word)}\b"
                rf"|\b{re.escape(word)}\s+[`\"*“]{{0,3}}{re.escape(name)}",
                sentence,
                re.IGNORECASE,
            )
            if beside and isinstance(value, str) and 0 < len(value) <= 40 and " " not in value:
                found.add(value)
        return found

    return others


def _quantity(sentence: str, facts: list[Fact]) -> tuple[str, Fact, str] | None:
    """Another amount, date or setting than the one named, in all calls."""
    if len(facts) > _FEW:
        return None
    found = [other_quantity(sentence, fact) for fact in facts]
    if not all(found) or found[-1] is None:
        return None
    return found[-1][0], facts[-1], found[-1][1]


def _others_like(pattern: re.Pattern[str]) -> _Others:
    """Things of one form among a call's arguments, unless the named one is in the call."""

    def others(fact: Fact, name: str) -> set[str]:
        found = set(pattern.findall(fact.arguments))
        if any(name in other or other in name for other in found) or name.lower() in fact.result_lower:
            return set()
        return found

    return others


def _slugs(text: str) -> list[str]:
    """The names of repositories: `owner/name`, and no paths of files."""
    found = (slug.rstrip(".") for slug in _SLUG.findall(text))
    return [slug for slug in found if not PATH.fullmatch(slug)]


def _other_slugs(fact: Fact, name: str) -> set[str]:
    owner = name.partition("/")[0]
    found = {slug for slug in _SLUG.findall(fact.arguments) if slug.partition("/")[0] == owner}
    return (
        set()
        if name.lower() in fact.text or name.lower() in fact.result_lower or fact.is_file_edit
        else found
    )


def _other_names(fact: Fact, name: str) -> set[str]:
    """Names that differ from the named one by a letter or two."""
    if fact.is_file_edit or fact.command or name.lower() in fact.text or name.lower() in fact.result_lower:
        return set()
    if len(name) < 5:
        return set()
    tokens = map(str.lower, _TOKEN.findall(fact.arguments[:2_000]))
    return {token for edits, token in near(name.lower(), trie(tokens), 2) if edits}


def numbered_ids(text: str) -> list[str]:
    """The numbers that a text gives to tickets, orders and the like."""
    return _NUMBER_OF.findall(text) + _NUMBERED_AFTER.findall(text)


def _numbers(sentence: str) -> list[str]:
    return numbered_ids(sentence.replace("`", " "))


def _environments(text: str, words: re.Pattern[str]) -> list[str]:
    named = [_ENVIRONMENTS[word] for word in map(str.lower, words.findall(text)) if word in _ENVIRONMENTS]
    if text.isascii():
        return named
    return named + [name for sign, name in _ENVIRONMENT_SIGNS.items() if sign in text]


def _other_environments(fact: Fact, name: str) -> set[str]:
    mentioned = set(_environments(fact.arguments, _ARGUMENT_WORDS))
    return set() if name in mentioned or name in fact.result_lower else mentioned


def _rooms(text: str) -> set[str]:
    """The rooms of a house that a text names, by their English names."""
    found = set()
    for names in _ROOMS:
        for name in names:
            at = text.find(name)
            if at >= 0 and not (
                name.isascii() and (text[at - 1 : at].isalpha() or text[at + len(name) :][:1].isalpha())
            ):
                found.add(names[0])
                break
    return found


def _other_rooms(fact: Fact, name: str) -> set[str]:
    found = _rooms(fact.arguments.lower())
    return set() if name in found else found


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
