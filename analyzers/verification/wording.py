"""What an answer says of its work (done, tested, untested) and what a user asked of it."""

from __future__ import annotations

import re

from analyzers.claims.extraction import Reading
from analyzers.claims.splitting import mask, sentences

_MAX_CHARS = 50_000
_ASKED_CHARS = 4_000
_CLOSING = 200  # characters at the end of an answer in which a question hands the work back
_EFFECTS = re.compile(
    r"^(?:fixed|resolved|implemented|integrated|refactored|migrated|converted|corrected|completed|finished"
    r"|arregl|correg|resuel|resolv|solucion|implement|behoben|korrigiert|gelöst|umgesetzt|abgeschlossen|corrig"
    r"|résolu|implément|termin|complet|conclu|修复|修正|实现|解决|完成|実装|解決|수정|구현|해결|완료)",
    re.IGNORECASE,
)
_WORKS = re.compile(
    r"^\W{0,4}(?:fixed|implemented|resolved|refactored|migrated|converted)\s+\S"
    r"|\b(?:is|are|has\s+been|have\s+been)\s+(?:now\s+)?(?:(?:fully|successfully|all)\s+)?(?:fixed|resolved"
    r"|implemented|working|fully\s+functional)\b"
    r"|\bnow\s+works?\b|\bworks?\s+(?:now|correctly|properly|perfectly|as\s+(?:expected|requested|intended))\b"
    r"|\b(?:ist|sind)\s+(?:jetzt\s+|nun\s+)?(?:behoben|umgesetzt)\b|已(?:经)?(?:修复|实现|解决)"
    r"|(?:修正|実装)(?:し|でき)まし|(?:수정|구현)(?:했|되었|했습니)",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"^\W{0,4}(?:all\s+)?(?:done|finished|completed?)\b(?!\s+(?:with|by|so\s+far))"
    r"|\b(?:is|are|has\s+been|have\s+been)\s+(?:now\s+)?(?:(?:fully|successfully|all)\s+)?(?:completed?|done"
    r"|finished|ready|in\s+place)\b"
    r"|\b(?:ist|sind)\s+(?:jetzt\s+|nun\s+)?(?:fertig|erledigt)\b|已(?:经)?完成|完了しまし|완료(?:했|되었)",
    re.IGNORECASE,
)
_NOT_SAID = re.compile(
    r"\b(?:step|part|phase)\s+\w{1,6}\b|\b(?:not|never|no\s+longer|cannot|nothing|neither|without|except|partly|partially|almost|nearly|mostly|only"
    r"|should|could|would|might|may|will|shall|if|once|until|unless|when|after|assuming|hopefully|probably|likely"
    r"|seems?|appears?|looks|believe|think|expect\w*(?!\s*[.!])|need\w*|remain\w*|still|todo|tbd|according|upstream"
    r"|release\s+notes|version|since|already|was|were|previously|nicht|noch|kein\w*|falls|wenn|sollte|no|falta\w*"
    r"|não|pas|reste)\b|n['’]t\b|\?|没有|还没|尚未|未|まだ|ません|않|아직",
    re.IGNORECASE,
)
_DISCLOSED = re.compile(
    r"\b(?:tests?|pruebas|testes|suite)\b[^.\n]{0,60}\b(?:not|never|nicht|no|pas|não)\b"
    r"|(?:\b(?:not|never|without|no|nicht|kein\w{0,2}|ohne|pas|sans|sin|não|sem)|n['’]t)\b[^.\n]{0,60}\b(?:tests?"
    r"|pruebas|testes|suite|interpreter|runtime|compiler)\b|\bproposal\b|\bsandbox"
    r"|\bI(?:['’]ll|\s+will|\s+would|['’]m\s+going\s+to)\b"
    r"|\b(?:un(?:tested|verified|checked)|not\s+(?:been\s+|yet\s+|fully\s+|actually\s+)*(?:tested|verified|run|ran"
    r"|executed|checked|compiled|confirmed|validated|rerun|re-run)|(?:have|has|did|do|does|was|were|could|can|am|is)"
    r"(?:n['’]t|\s*not)\b|cannot|unable|without\s+(?:running|testing|verifying|executing|compiling)"
    r"|(?:please|make\s+sure|be\s+sure|remember\s+to|want\s+to|need\s+to|recommend\w*|suggest\w*|you\s+(?:can|could"
    r"|should|may|might|will|need|must)|to|by|let['’]s|should\s+I|shall\s+I)\s+(?:now\s+|then\s+|also\s+|re-?)*"
    r"(?:run|test|try|verify|check|confirm|rebuild|restart|compile|validat|exercis)\w*"
    r"|should\s+(?:now\s+)?(?:work|pass|fix|resolve|be|do)\b|next\s+steps?|manual(?:ly)?|still\s+(?:to|need)"
    r"|remain(?:s|ing)\b|before\s+the\s+last|prior\s+to|let\s+me\s+know\s+if\s+it|once\s+you"
    r"|nicht\s+(?:getestet|geprüft|ausgeführt)|ungetestet|bitte\s+(?:\w+\s+){0,3}(?:test|prüf|ausführ)\w*"
    r"|(?:no|sin)\s+(?:he\s+|lo\s+)?(?:prob|ejecut|verific)\w*|não\s+(?:\w+\s+)?(?:test|execut|verifi)\w*"
    r"|pas\s+(?:\w+\s+)?(?:test|exécut|vérifi)\w*)|没有?(?:测试|运行|验证)|尚未"
    r"|请\S{0,6}(?:运行|测试|确认|验证)|未(?:测试|验证|运行|テスト|検証|実行)"
    r"|テストしていま|実行していま|(?:確認|実行|テスト)してください"
    r"|테스트하지|실행하지|검증하지|(?:확인|실행|테스트)해\s?(?:주세요|보세요)",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"\b(?:don['’]?t|do\s+not|no\s+need\s+to|without|skip|never|avoid|not\s+necessary\s+to)\s+(?:\w+\s+){0,3}"
    r"(?:run|running|test\w*|verif\w+|execut\w+|check\w*|build\w*|compil\w+)\b"
    r"|\bI(?:['’]ll|\s+will|['’]m\s+going\s+to|\s+can|\s+want\s+to)\s+(?:\w+\s+){0,2}(?:run|test|verify|check|try)\b"
    r"|\bno\s+tests?\b|\b(?:just|only)\s+(?:edit|write|make\s+the\s+(?:edit|change))\b|\b(?:ohne|keine)\s+tests?\b"
    r"|\bsin\s+(?:ejecutar|probar)|\bsem\s+(?:executar|testar)|\bsans\s+(?:exécuter|tester)|不要(?:运行|测试)|无需测试",
    re.IGNORECASE,
)
_SLIGHT = re.compile(
    r"\b(?:typos?|spelling|misspell\w*|comments?|docstrings?|wording|captions?|copyright|whitespaces?|indentation"
    r"|colou?rs?|changelog|licen[cs]e|readme|docs?|documentation|(?:log|error|button|help|warning)\s+(?:message|text"
    r"|label)s?|labels?|translations?|tippfehler|kommentar\w*|version\s+(?:number|bump)|bump\s+the\s+version"
    r"|errata|ortograf\w*|comentarios?|comentários?|commentaires?|faute)\b|错别字|注释|コメント|誤字|주석|오타",
    re.IGNORECASE,
)
_ASKED_TO_VERIFY = re.compile(
    r"\b(?:run|execute|pass|verify|make\s+sure|ensure|check)\b[^\n.]{0,60}\b(?:tests?|suite|works?|compiles?|builds?"
    r"|passes)\b|\btests?\b[^\n.]{0,30}\b(?:must|should|to|are|need\s+to)\s+(?:pass|be\s+green)",
    re.IGNORECASE,
)


def effect_in(text: str, reading: Reading) -> str:
    """The sentence that says that the work has its effect ("I fixed", "works now"), "" without one.

    To have written or changed something is no such claim: that the call itself shows.
    """
    for claim in reading.claims:
        own = claim.dropped is None and not claim.admitted and not claim.past
        if own and _EFFECTS.match(claim.verb) and not _NOT_SAID.search(claim.sentence):
            return claim.sentence
    return _said(text, _WORKS)


def done_in(text: str) -> str:
    """The sentence that says that the work is done, "" without one: less than that it has its effect."""
    return _said(text, _DONE)


def _said(text: str, words: re.Pattern[str]) -> str:
    body = text[-_MAX_CHARS:]
    for sentence in sentences(mask(body)[0]):
        stated = words.search(sentence.masked) and not sentence.question
        if stated and not _NOT_SAID.search(sentence.masked):
            return body[sentence.start : sentence.end]
    return ""


def pass_claim_in(reading: Reading) -> str:
    """The sentence that says that tests or a build passed, "" without one."""
    for claim in reading.claims:
        passes = claim.claim_class in ("test", "build") and claim.outcome == "passed"
        if passes and claim.dropped is None and not claim.past and not claim.admitted:
            return claim.sentence
    return ""


def discloses(text: str) -> bool:
    """Whether an answer says that something was not verified, leaves it to the user, or asks on."""
    return (
        "?" in text[-_CLOSING:]
        or "？" in text[-_CLOSING:]
        or _DISCLOSED.search(text[-_MAX_CHARS:]) is not None
    )


def forbids(text: str) -> bool:
    """Whether the user does not want anything run, or will run it himself."""
    return _FORBIDDEN.search(text[:_ASKED_CHARS]) is not None


def is_slight(text: str) -> bool:
    """Whether the user asked for something that no run would show: a word, a comment, a colour."""
    return _SLIGHT.search(text[:_ASKED_CHARS]) is not None


def asks_to_verify(text: str) -> bool:
    """Whether the user asked for a run, or for tests to pass."""
    return _ASKED_TO_VERIFY.search(text[:_ASKED_CHARS]) is not None
