"""Sources that a look-up is said to have used ("I searched the web"), and what a call to each holds."""

from __future__ import annotations

import re

from analyzers.claims.calls import Fact

_MEDIA = tuple(
    (re.compile(source, re.IGNORECASE), re.compile(evidence, re.IGNORECASE))
    for source, evidence in (
        (
            r"\b(?:web|internet|online|google|bing)\b|인터넷|웹에서|ウェブ|ネット(?:で|上)|网上|互联网|联网",
            r"web|search|brows|fetch|http|url|google|bing|crawl|page|curl|wget|news|wiki|tavily|serp|site"
            r"|such|busc|cherch",
        ),
        (
            r"\b(?:your|the|my|ihre[nm]?|tu|su|sua|votre)\s+(?:calendar|kalender|calendario|calendário"
            r"|agenda|calendrier)\b"
            r"|캘린더|カレンダー|日历|日程表",
            r"calend|kalend|event|slot|agenda|meeting|free|avail|schedul|termin|appointment|ical",
        ),
        (
            r"\b(?:inbox|mailbox|posteingang|bandeja\s+de\s+entrada|caixa\s+de\s+entrada"
            r"|boîte\s+de\s+réception)\b"
            r"|받은\s?편지함|受信トレイ|收件箱",
            r"mail|inbox|message|imap|outlook|thread|correo",
        ),
        (
            r"\b(?:data\s?base|datenbank|base\s+de\s+datos|banco\s+de\s+dados|base\s+de\s+données)\b"
            r"|데이터베이스|データベース|数据库",
            r"sql|db|query|database|table|mongo|redis|select|record|get|find|look|list|count|search|fetch"
            r"|read|busc|consult"
            r"|abfrag|hol|api|http",
        ),
    )
)


def unused_source(sentence: str, before: tuple[Fact, ...]) -> bool:
    """Whether the sentence names a source that no call of the session can have used."""
    for source, evidence in _MEDIA:
        if source.search(sentence):
            return not any(
                evidence.search(fact.deed) or fact.kinds & {"opaque", "delegate"} for fact in before
            )
    return False
