"""Sentences that say that something was done, whatever it is: finished forms in eight languages.

Wider than the verbs of `languages`, and so of use only where the calls leave nothing open: see `overall`.
What was only looked at, thought, said or tried is not told by these forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzers.claims.grammar import Grammar, all_grammars
from analyzers.claims.languages import TEXT_WORK
from analyzers.claims.splitting import MASK, Sentence, mask, sentences
from analyzers.claims.targets import PATH

_IRREGULAR = (
    "hit|ran|sent|set|put|made|built|rebuilt|written|wrote|rewritten|rewrote|cut|shut|sold|bought|paid|given|gave|taken|took"
    "|hidden|hid|brought|reset|redone|undone|split|drawn|drew|sold|cast|swept|dealt|laid|lit|wound|overwritten"
)
_NO_ACT = (
    "tried|attempted|noticed|noted|considered|decided|wanted|needed|hoped|planned|expected|assumed|learned|learnt"
    "|realised|realized|understood|explained|described|suggested|recommended|proposed|listed|summari"
    "[sz]ed|outlined"
    "|analy[sz]ed|reviewed|checked|examined|inspected|looked|searched|reported|received|encountered|reached|asked"
    "|retried|waited|stopped|skipped|kept|failed|seemed|appeared|identified|determined|confirmed|verified|compared"
    "|researched|investigated|started|called|used|executed|listened|believed|guessed|promised|mentioned|stated"
    "|prepared|drafted|discussed|answered|intended|detected|discovered|observed|viewed|traced|estimated|concluded"
    "|agreed|talked|tested|experienced|faced|triggered|attached|included|provided|shared|requested|followed"
)
_STATIC = (
    "based|called|used|needed|required|located|defined|implemented|designed|intended|supposed|related|associated|described"
    "|expected|named|composed|caused|affected|documented|limited|allowed|supported|interested|involved|included|attached"
    "|red|recommended|listed|structured|organi[sz]ed|planned"
)
_DONE = rf"(?!(?:{_NO_ACT})\b)(?P<v>[a-z]{{2,20}}ed|{_IRREGULAR})\b(?!\s+(?:to\s+be|by)\b)"
_ADVERBS = (
    r"(?:\s+(?:also|just|now|then|already|both|all|first|finally|successfully|gone\s+ahead\s+and"
    r"|[a-z]{2,14}ly)){0,3}"
)

_FORMS: dict[str, tuple[str, ...]] = {
    "en": (
        rf"(?<![\w'’-])(?:I|we)(?:['’]ve|\s+have)?{_ADVERBS},?\s+{_DONE}",
        rf"(?<![\w'’-])(?:has|have){_ADVERBS}\s+been{_ADVERBS}\s+{_DONE}",
        rf"(?<![\w'’-])(?:is|are){_ADVERBS}\s+(?P<v>built|pushed|scheduled|installed|deployed|set|sent"
        rf"|booked|ordered|created"
        r"|saved|uploaded|updated|fixed|removed|deleted|cancelled|canceled|paid|refunded|configured|enabled"
        r"|disabled"
        r"|restored|migrated|merged|published|registered|printed|imported|exported|generated|done|live|ready"
        r"|complete"
        r"|completed|finished|in\s+place|up|online|listening|reachable|up\s+and\s+running)\b",
        rf"^\W*(?:all|both|the|your|every)\b[^.;,]{{1,60}}?\s(?:is"
        rf"|are){_ADVERBS}\s+(?!{_STATIC})(?P<v>[a-z]{{2,20}}ed|off|on)\b",
        r"\b(?:has\s+gone|went|are|is)\s+(?:out|through|checked\s+in|on\s+(?:its|their)\s+way)\b",
        r"\b(?:now)\s+(?P<v>(?!is|was|has)[a-z]{3,12}s)\s+(?:the|all|your|a|an|to|at|in)\b",
        r"\bnow\s+(?P<v>points?|has|have|uses?|reads?|shows?|contains?|runs?|holds?|belongs?|lives?)\b",
        rf"(?<![\w'’-])(?:is|are)\s+now{_ADVERBS}\s+(?P<v>[a-z]{{2,20}}ed|{_IRREGULAR}|live|gone|ready"
        rf"|up\s+to\s+date"
        r"|in\s+place|active|public|private|available|on|off|at|running|empty)\b",
        rf"^\W*(?:successfully\s+)?{_DONE}\s+(?:the|a|an|your|you|it|them|all|both|{MASK})",
        rf"^\W*(?:(?:now|also|successfully)\s+)?{_DONE}\s*[!.–—,:]",
        rf"^\W*(?:force-)?(?P<v>(?!(?:{_NO_ACT})\b)[a-z]{{3,20}}ed)\s+(?:the|a|an|your|you|it|them|all|both"
        rf"|{MASK})",
        r"^\W*(?:done|all\s+set|finished|completed)\s*(?:[!.–—:,-]|$)",
    ),
    "de": (
        r"\b(?:ich\s+habe?|habe?\s+ich|wir\s+haben)\b[^;!?]{0,140}?\s(?!versucht|gesehen|gefunden"
        r"|festgestellt|gedacht"
        r"|überlegt|geprüft|überprüft|gelesen|nachgesehen|verstanden|erhalten|bekommen|bemerkt|gesucht"
        r"|untersucht"
        r"|analysiert|aufgerufen|verwendet|benutzt|getestet|gefragt|verglichen|vorbereitet|ausgeführt)"
        r"(?P<v>\w{0,8}ge\w{2,16}(?:t|en)|\w{3,16}iert|(?:be|ver|er|ent|zer|über|um)\w{3,14}(?:t|en))\b",
        r"\b(?:wurden?|ist|sind)\b[^;!?]{0,140}?\s(?P<v>\w{0,8}ge\w{2,16}(?:t|en)|\w{3,16}iert|(?:be|ver|er"
        r"|ent|über)"
        r"\w{3,14}(?:t|en))(?:\s+worden)?(?=\W*(?:$|,|\bund\b))",
        r"\b(?:ist|sind)\s+(?:raus|fertig|erledigt|online|weg|unterwegs|eingerichtet|aus|an)\b",
        r"\b(?:ist|sind|hat|haben|liegt|liegen|steht|läuft|zeigt|gilt)\b[^.;!?]{0,60}\b(?:jetzt|nun"
        r"|ab\s+sofort)\b",
    ),
    "fr": (
        r"\bj['’]ai\s+(?:(?:bien|aussi|également|déjà|\w{3,15}ment)\s+){0,2}(?!essayé|tenté|vu|lu|trouvé"
        r"|constaté|pensé"
        r"|compris|reçu|remarqué|vérifié|cherché|consulté|examiné|analysé|regardé|comparé|préparé|utilisé"
        r"|testé|demandé|eu\b)"
        r"(?P<v>\w{2,16}(?:é|i|u|is|it|ert))(?:e?s)?(?!\w)",
        r"\b(?:a|ont)\s+(?:bien\s+)?été\s+(?P<v>\w{3,16})(?!\w)",
        r"\b(?:est|sont)\s+(?:maintenant|désormais|à\s+présent|bien)\b",
        r"\b(?:est|sont)\s+(?:bien\s+)?(?!appelé|basé|situé|utilisé|lié|composé|destiné|prévu"
        r"|nommé)(?P<v>\w{3,16}(?:é|ée|és|ées)"
        r"|parti|partie|partis|prêt|prête)(?!\w)",
        r"\b(?:est|sont)\s+(?P<v>effectu|fai|envoy|enregistr|mis|mise|réserv|annul|cré|supprim|programm"
        r"|publi|pay|rembours"
        r"|command|install|déploy|transmis)\w{0,4}(?!\w)",
    ),
    "es": (
        r"\b(?:he|hemos)\s+(?:(?:ya|también|\w{3,15}mente)\s+){0,2}(?!intentado|tratado|visto|leído"
        r"|encontrado|notado"
        r"|pensado|entendido|recibido|revisado|consultado|buscado|comprobado|verificado|analizado|comparado"
        r"|preparado)"
        r"(?P<v>\w{2,16}(?:ado|ido|to|cho))\b",
        r"(?:^|[,;:]\s|\by\s|\bya\s|\btambién\s|\b(?:lo|la|los|las|le|les|te|se)\s)(?!intenté|traté|encontré"
        r"|noté|pensé"
        r"|entendí|recibí|revisé|consulté|busqué|comprobé|verifiqué|analicé|comparé|leí|preparé|aquí|así"
        r"|allí|ahí|sí"
        r"|también|qué|por|esté|té|café)(?P<v>\w{2,16}(?:é|í))(?!\w)",
        r"\b(?:ha|han)\s+(?:sido|quedado)\s+(?P<v>\w{3,18})\b",
        r"\b(?:queda|quedan|quedó|quedaron|ya\s+está|ya\s+están)\s+(?P<v>\w{3,18})\b",
        r"\bse\s+(?:ha|han)\s+(?P<v>\w{2,16}(?:ado|ido))\b",
        r"^\W*[A-ZÁÉÍÓÚÑ][^.;:!?]{1,60}?\s(?P<v>\w{3,16}(?:ad|id)[oa]s?)\s+(?:a|al|en|de|del|por|con|para"
        r"|y)\b",
    ),
    "pt": (
        r"(?:^|[,;:]\s|\be\s|\bjá\s|\btambém\s|\beu\s|\b(?:o|a|lhe)\s)(?!tentei|achei|encontrei|pensei|notei"
        r"|verifiquei"
        r"|consultei|pesquisei|busquei|analisei|comparei|conferi|preparei|sei|direi|farei"
        r"|usei)(?P<v>\w{2,16}ei)\b",
        r"^\W*[A-ZÀ-Ú][^.;:!?]{1,60}?\s(?P<v>\w{3,16}(?:ad|id)[oa]s?)\s+(?:a|ao|à|em|na|no|nos|nas|de|por"
        r"|com|para|pelo|e)\b",
        r"\b(?:foi|foram)\s+(?:\w{3,15}mente\s+)?(?P<v>\w{3,18}(?:ad|id)[oa]s?|feit[oa]s?|pos?t[oa]s?)\b",
        r"^\W*(?!Aqui|Assim|Ali|Daqui|Sim|Oi)(?P<v>[A-ZÀ-Ú]\w{2,16}i)\b(?=\s+(?:o|a|os|as|um|uma|seu|sua)\b)",
        r"\b(?:já\s+)?está(?:o)?\s+(?:agora|pront[oa]|concluíd[oa]|feit[oa])\b",
    ),
    "ko": (
        r"(?<!확인)(?<!시도)(?<!검토)(?<!분석)(?<!발견)(?<!이해)(?<!조회)(?<!검색)(?<!실패)(?<!비교)"
        r"(?P<v>했|[가-힣](?:었|았|였)|됐|되었|냈|렸|꿨|췄|졌|켰|껐|겼|놨|뒀|옮겼)(?:습니다|어요|네요)",
    ),
    "ja": (
        r"(?<!確認し)(?<!分かり)(?<!わかり)(?<!見つかり)(?<!試し)(?<!調べ)(?<!検索し)(?<!比較し)(?<!分析し)"
        r"(?<!拝見し)"
        r"(?<!読み)(?<!失敗し)(?<!発生し)(?<!終わり)(?P<v>\w{0,6}"
        r"[しりきぎちみびいけげてでめれえせべね])ました"
        r"(?!"
        r"[かが])",
        r"(?P<v>済み|完了)(?:です|しています)",
    ),
    "zh": (
        r"(?:已经|已|成功)(?:为您|帮您|将|把|被|在)?(?P<v>[^，。；！？\n没未不]{1,30})",
        r"我(?:们)?(?!看|查|发现|了解|尝试|收到|分析|检查|搜索|读|比较)(?P<v>[^，。；！？\n没未不]{1,40}了)",
        r"^(?!.*[我你您])[^，,。；！？\n没未不]{2,30}(?P<v>了)[^，,。；！？\n没未不]{0,12}[。！]?$",
        r"(?:完成|完毕|搞定|设置好|弄好)(?:了)?(?=[，。！]|$)",
    ),
}
FORMS = {code: tuple(re.compile(form, re.IGNORECASE) for form in forms) for code, forms in _FORMS.items()}

_ADMITS = re.compile(
    r"\b0\s+\w{1,20}\s+(?:were\s+)?found\b|\b(?:as\s+it\s+was|as\s+before|nothing\s+to)\b|"
    r"\b(?:fail\w*|errors?|errored|unable|couldn['’]t|could\s+not|cannot|can['’]t|did\s?n['’o]t"
    r"|was\s?n['’o]t|were\s?n['’o]t"
    r"|has\s?n['’o]t|have\s?n['’o]t|not\s+(?:yet|been|possible|able|available|applied|saved|sent|changed"
    r"|done)|denied|reject\w*"
    r"|declin\w*|refus\w*|unfortunately|sorry|problem\w*|already|unchanged|identical|timed?\s?out|time-?out"
    r"|blocked|missing"
    r"|retry|skipp\w*|unavailable|forbidden|conflict\w*|partial\w*|nothing\s+(?:changed|was|happened)"
    r"|attempt\w*|tried"
    r"|pending|except|instead)\b"
    r"|\b(?:fall[oóaé]\w*|lamentablemente|rechaz\w*|deneg\w*|ya\s+(?:estaba|tenía|existía)|falh\w*|erro"
    r"|infelizmente|recus\w*"
    r"|rejeit\w*|já\s+(?:estava|tinha|existia)|fehl\w*|leider|bereits|abgelehnt|verweigert|échou\w*|échec"
    r"|erreur\w*"
    r"|malheureusement|refus\w*|déjà)\b|\b(?:no|não)\s+(?:pude|se\s+pudo|he\s+podido|pôde|consegui|foi|fue"
    r"|hubo)\b"
    r"|\bn['’](?:ai|a)\s+pas\b|\b(?:konnte|habe|wurde|ist)\b[^.;!?]{0,60}\bnicht\b"
    r"|못|실패|오류|거부|아쉽|이미|불가|되지\s?않|ませんでした|でき(?:ず|な)|失敗|エラー|拒否|残念|すでに"
    r"|既に"
    r"|失败|错误|拒绝|抱歉|无法|未能|没能|可惜|已经是|本来",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"(?-i:\bmay\b)|\b(?:not|no|only|but|if|might|please|without|however|although|would|should|limit\w*|pero"
    r"|aunque"
    r"|sin|nunca|mas|sem"
    r"|nicht|kein\w*|aber|jedoch|ohne|schon|pas|ne|aucun\w*|mais|sans|cependant|não)\b|\bn['’]|않|없|그러나"
    r"|하지만|안\s"
    r"|ません|しかし|ただし|没|未|不|但",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"(?<![-/.\d])(?:19|20)\d\d(?![-/.\d])\s+(?:by|von|por|par)\b|\b(?:in|en|em|im)\s+(?:19|20)\d\d\b"
)
_TICK = re.compile(
    r"[✅✔☑✓]|\|\s*(?:done|ok|passed|complete|erledigt|hecho|feito|fait|完了|完成|완료)\s*\|", re.IGNORECASE
)
_LONGEST_ITEM = 200
_ANYWHERE = frozenset({"negated", "attempted", "hedged"})
_DESCRIBING = re.compile(
    r"\b(?:how|where|that|which|who|what|why|cómo|como|comment|wie|que|qui)\b", re.IGNORECASE
)
_TEXT_WORK = re.compile(TEXT_WORK, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Assertion:
    """A sentence that says that something was done; `verb` is the finished form, "" where there is none."""

    sentence: str
    start: int
    end: int
    language: str
    verb: str
    names: tuple[str, ...]


def assertions_in(text: str) -> list[Assertion]:
    """What the text says was done; nothing where any sentence of it admits, denies or hedges."""
    masked, names = mask(text)
    if _ADMITS.search(masked):
        return []
    return list(_found(text, masked, names))


def _is_ticked(words: str) -> bool:
    """Whether a line is marked as done: an item of a list, a row of a table."""
    return _TICK.search(words) is not None and len(words) < _LONGEST_ITEM


def _found(text: str, masked: str, names: list[tuple[int, int, str]]) -> Iterator[Assertion]:
    for sentence in sentences(masked):
        if sentence.question or (_TEXT_WORK.search(sentence.masked) and PATH.search(sentence.masked) is None):
            continue
        for grammar in all_grammars():
            verb = _asserted(grammar, sentence)
            if verb is None and _is_ticked(sentence.masked) and grammar.language.code == "en":
                verb = ""
            if verb is not None and _DOUBTS.search(sentence.masked) is None:
                own = tuple(name for start, _, name in names if sentence.start <= start < sentence.end)
                written = text[sentence.start : sentence.end]
                yield Assertion(written, sentence.start, sentence.end, grammar.language.code, verb, own)
                break


def _asserted(grammar: Grammar, sentence: Sentence) -> str | None:
    """The finished form in the sentence, None where there is none or something drops it."""
    for form in FORMS[grammar.language.code]:
        match = form.search(sentence.masked)
        if match is None or _DESCRIBING.search(sentence.masked[: match.start()]):
            continue
        words = sentence.masked
        said = words[: match.start("v")] if "v" in match.groupdict() else words[: match.end()]
        if any(drop.search(words if reason in _ANYWHERE else said) for reason, drop in grammar.drops):
            return None
        if grammar.past.search(words):
            return None
        if _DATED.search(sentence.masked):
            return None
        return match.groupdict().get("v") or ""
    return None
