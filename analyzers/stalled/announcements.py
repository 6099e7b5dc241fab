"""Texts that end by announcing a next step which only a tool can take: "Let me run the tests:".

Strict: the last sentence itself must announce, in the first person, something to be done at once. What
waits for the user, comes later, is quoted, or is only said or explained is no announcement.
"""

from __future__ import annotations

import re

_LAST = 600  # characters at the end of a text that are read

# What is done with a tool, whatever the object.
_ACTS = (
    "analy[sz]e|apply|browse|build|cancel|check|clone|commit|compile|create|debug|delete|deploy|dig|download"
    "|edit|examine|execute|explore|fetch|fix|grep|implement|inspect|install|investigate|locate|look|modify"
    "|pull|push|query|read|refactor|rerun|re-run|retrieve|retry|run|scan|search|submit|trace|verify"
)
# What people also do in words: only with the object of a tool.
_WEAK_ACTS = (
    "add|adjust|book|change|compute|convert|find|generate|get|list|load|make|move|open|parse|process|remove"
    "|rename|replace|review|rewrite|save|send|test|try|update|view|write"
)
_OBJECTS = re.compile(
    r"[\w/]\.[a-z]{1,5}\b|\b(?:account|api|approach|branch|bug|cause|class|code|command|config\w*|database"
    r"|diff|director(?:y|ies)|docs?|documentation|email|endpoint|entr(?:y|ies)|errors?|files?|fix|folder"
    r"|functions?|implementation|imports?|issue|json|lines?|logs?|method|migration|module|orders?|page"
    r"|package|payment|query|record|refund|report|repo(?:sitory)?|rows?|schema|script|server|table|tests?"
    r"|tool|version|website)\b"
)
_GERUNDS = (
    "adding|analy[sz]ing|applying|building|calling|checking|compiling|creating|deleting|editing|executing"
    "|exploring|fetching|fixing|generating|implementing|inspecting|installing|listing|loading|looking|opening"
    "|pushing|querying|reading|removing|rerunning|retrieving|running|saving|scanning|searching|updating"
    "|verifying|writing"
)
_SOFT = (
    r"(?:(?:now|first|next|then|also|quickly|just|go ahead and|proceed to|begin by|start by|continue by"
    r"|try to) ){0,2}"
)
_LEAD = r"(?:(?:ok(?:ay)?|great|good|perfect|alright|sure|now|next|first|then|so|and)[,!.]? ){0,2}"
_WILL = r"(?:i'll|i will|i am going to|i'm going to)"

_ENGLISH = re.compile(
    rf"{_LEAD}(?:"
    rf"(?P<let>let me) {_SOFT}(?:{_ACTS}|{_GERUNDS}|(?P<weak_let>{_WEAK_ACTS}))\b"
    rf"|(?P<will>{_WILL}) {_SOFT}(?:{_ACTS}|{_GERUNDS}|(?P<weak_will>{_WEAK_ACTS}))\b"
    rf"|(?:now (?:i'm |i am )?(?:{_GERUNDS})|(?:i'm |i am )?(?:now )?(?:{_GERUNDS})"
    rf"|(?:i (?:now )?need to|let's|let us) {_SOFT}(?:{_ACTS}|{_WEAK_ACTS}))\b"
    r")",
)
# Without one of these, what someone will do may be for another day.
_AT_ONCE = re.compile(
    r"\b(?:now(?! that\b)|first|right away|immediately|start by|begin by|go ahead|proceed)\b|^(?:now|next)\b"
)

_GERMAN = "f[uü]hre|lese|pr[uü]fe|starte|suche|schreibe|[aä]ndere|erstelle|[oö]ffne"
_FRENCH = "lancer|ex[eé]cuter|lire|v[eé]rifier|modifier|cr[eé]er|ouvrir|chercher|[eé]crire"
_SPANISH = "ejecutar|leer|comprobar|verificar|modificar|crear|abrir|buscar|escribir"
_OTHERS = re.compile(
    # German, French, Spanish, Portuguese: "now" is part of the announcement
    rf"(?:jetzt|nun|als n[aä]chstes|zuerst) (?:{_GERMAN}) ich\b"
    rf"|ich (?:{_GERMAN}) (?:jetzt|nun|zuerst)\b"
    r"|ich werde (?:jetzt|nun|zuerst) \w"
    rf"|je vais (?:maintenant |d'abord )?(?:{_FRENCH})\b"
    rf"|(?:ahora |primero )?voy a (?:{_SPANISH})\b"
    r"|(?:agora |primeiro )?vou (?:executar|ler|verificar|modificar|criar|abrir|procurar|buscar|escrever)\b"
    # Chinese, Japanese, Korean
    r"|(?:现在|接下来|首先)?(?:让我|我来|我将|我会)(?:先|来|现在)?(?:运行|读取|检查|查看|搜索|修改|创建|打开|执行)"
    r"|(?:今から|これから|まず).{0,40}(?:実行|確認|読み込み|修正|作成|検索)(?:し|を)"
    r"|(?:지금|이제|먼저) .{0,40}(?:실행|확인|수정|생성|검색)(?:하겠|할게)",
)

# The step waits for someone, comes on another day, or is one of talk.
_NOT_YET = re.compile(
    r"\?|？|\b(?:if|once|when|whenever|after|unless|until|as soon as|before) "
    r"(?:you|it|the|this|that|i|we|they)\b"
    r"|\b(?:please|you can|you may|you'll|your (?:approval|confirmation|answer|reply|choice)|confirm|approve"
    r"|want me|would you|shall i|should i|let me know|tell me|feel free|happy to|later|tomorrow|tonight"
    r"|next (?:time|week|month)"
    r"|in future|in the future|from now on|going forward|follow-up|background|waiting|wait for|in a moment"
    r"|from you|from your|need your|get your|get some|ask|asking|questions?|colleagues?"
    r"|my (?:manager|supervisor|team)|check (?:back|in)|look (?:back|forward|out)|shortly|soon"
    r"|transfer|hand (?:over|off|this)|escalat\w+|human|e-?mail you|notify you|get back to you|keep you)\b"
    r"|\b(?:wenn|sobald|falls|bitte|si|quand|d[eè]s que|cuando|por favor|quando|se voc[eê])\b"
    r"|请|如果|してください|면\b",
)
_NO_PROSE = "\"'“”‘’«»„>|#-+0123456789"  # a quotation, a list, a table, a heading
_MARKUP = re.compile(r"[*_`]")
_SENTENCE_END = re.compile(r"(?<=[.!。！])\s+|(?<=[。！])|\n+")
_DONE_WITH = (":", "：", "...", "…", ".", "!", "。")
_MAX_SENTENCE = 300


def announced(text: str) -> str:
    """The last sentence of `text`, where it announces a step to be taken now; "" where it does not."""
    tail = text.rstrip()[-_LAST:]
    paragraph = tail.rpartition("\n\n")[2].strip()
    if text.count("```") % 2 or paragraph.startswith("```") or paragraph.endswith("```"):
        return ""
    line = paragraph.rpartition("\n")[2].strip()
    if not line or line[0] in _NO_PROSE or line.startswith("* "):
        return ""
    sentences = [part for part in _SENTENCE_END.split(line) if part and part.strip()]
    last = sentences[-1].strip() if sentences else ""
    plain = _MARKUP.sub("", last.lower().replace("’", "'")).strip()
    if not plain or len(plain) > _MAX_SENTENCE or not plain.endswith(_DONE_WITH):
        return ""
    before = _MARKUP.sub("", paragraph.lower().replace("’", "'"))
    if _NOT_YET.search(before) or any(mark in plain for mark in '"“”«»„>'):
        return ""
    return last if _announces(plain) else ""


def _announces(sentence: str) -> bool:
    if _OTHERS.match(sentence) or (not sentence.isascii() and _OTHERS.search(sentence)):
        return True
    found = _ENGLISH.match(sentence)
    if not found or ": " in sentence:  # what is announced is said right after it
        return False
    if (found["weak_let"] or found["weak_will"]) and not _OBJECTS.search(sentence, found.end()):
        return False
    at_once = found["let"] or (found["will"] and _AT_ONCE.search(sentence))
    return bool(at_once or sentence.endswith((":", "...", "…")))
