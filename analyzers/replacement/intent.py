"""What the user asked for, as far as it says how much of a thing may go.

Only a request to add or to change a part makes a loss a failure. Whatever else a person may have wanted
(a rewrite, a clean-up, a deletion, a language that is not read here) keeps the analyzer silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

Intent = Literal["preserve", "additive", "local", "deliberate", "unknown"]

_LASTING = ("preserve", "deliberate")
_RANK: tuple[Intent, ...] = ("additive", "local", "unknown")
_READ = 2_000
"""Characters at the start and at the end of a user's text that are read: the rest is what was pasted."""
_KEEP = re.compile(
    r"\b(?:keep|leave|preserve|retain)\s+(?:all\s+)?(?:of\s+)?(?:everything|the\s+rest|the\s+others?|all\s+other"
    r"|other|the\s+existing|existing)\b"
    r"|\bnothing\s+else\s+(?:should|must|may|is\s+to|shall|can)\b|\b(?:don['’]t|do\s+not|without)\s+(?:touch|remov"
    r"|delet|chang|los|overwrit)\w{0,4}\s+(?:the\s+|any\s+)?(?:rest|others?|existing|anything|remaining)\b"
    r"|\b(?:rest|remainder|everything\s+else)\s+(?:\w+\s+){0,3}(?:unchanged|untouched|intact|as\s+(?:it\s+)?is)\b",
    re.IGNORECASE,
)
_DELIBERATE = re.compile(
    r"\b(?:re-?(?:writ|wrot|wrk|work|do\b|design|factor|structur|organi[sz]|generat|creat|build|plac(?!\w*\W+"
    r"(?:[^\n.]{1,120}?)\b(?:with|by)\b)|mov|set\b|format|start|think|vis)\w*|overwrit\w*|overhaul\w*|delet\w*"
    r"|drop\w*|eras\w*|clear\w*|empty\w*|emptied|clean\w*|strip\w*|trim\w*|prun\w*|shorten\w*|short(?:er)?\b"
    r"|condens\w*|compress\w*|summar\w*|simplif\w*|minimi\w*|minimal\w*|reduc\w*|split\w*|extract\w*|mov(?:e|ed"
    r"|ing)\b|migrat\w*|convert\w*|port(?:ed|ing)?\b(?=\s+(?:it|this|the|to))|translat\w*|transform\w*|merg\w*"
    r"|consolidat\w*|moderni\w*|revert\w*|undo\b|roll\w*\s?back|from\s+scratch|start\s+over|instead|new\s+version"
    r"|get\s+rid|no\s+longer|deduplicat\w*|truncat\w*|archiv\w*|whole|entire(?:ly)?"
    r"|draft|template|skeleton|scaffold\w*|boilerplate|stub\w*|placeholder|collaps\w*|switch\w*|swap\w*"
    r"|unif\w*|repurpos\w*|complete\s+re\w*|reset\w*|slim\w*|tid(?:y|ied)\w*|only\s+(?:contain|have|keep|hold)\w*"
    r"|ersetz\w*|lösch\w*|entfern\w*|kürz\w*|umschreib\w*|neu\s+schreib\w*|schreib\w*\s+\w+\s+neu"
    r"|reescri\w*|elimin\w*|borra\w*|quita\w*|reemplaz\w*|resum\w*|substitu\w*|remov\w*|apag\w*|supprim\w*"
    r"|réécri\w*|remplac\w*|résum\w*)",
    re.IGNORECASE,
)
_DELIBERATE_CJK = re.compile(
    r"重写|改写|替换|删除|清空|精简|移除|書き直|置き換|削除|消し|다시\s?써|삭제|교체|지워"
)
_ADDITIVE = re.compile(
    r"\b(?:add(?:s|ed|ing)?|append\w*|insert\w*|includ(?:e|ing)|extend\w*|augment\w*|supplement\w*|also\s+mention"
    r"|mention\s+(?:that|the|in)|note\s+(?:the|down)|put\s+in|fill\s+in|ergänz\w*|füg\w*|hinzu\w*|añad\w*"
    r"|agreg\w*|inclu[iy]\w*|acrescent\w*|adicion\w*|ajout\w*|insér\w*|complèt\w*)",
    re.IGNORECASE,
)
_ADDITIVE_CJK = re.compile(r"添加|增加|加上|加入|补充|追加|加え|추가|덧붙")
_LOCAL = re.compile(
    r"\b(?:fix(?:es|ed)?|correct|chang(?:e|es|ed)|adjust|edit|modify|set|rename|bump|updat(?:e|es|ed)|tweak|enable"
    r"|disable|increase|decrease|raise|lower|mark|assign|typo|spelling|wording|replac\w*\W+[^\n.]{1,120}?\b(?:with"
    r"|by)\b)",
    re.IGNORECASE,
)


def is_deliberate(text: str) -> bool:
    """Whether a text speaks of writing anew, of taking away or of moving."""
    text = _ends(text)
    return bool(_DELIBERATE.search(text) or _DELIBERATE_CJK.search(text))


def intent_of(text: str) -> Intent:
    """What one text of the user's asks for."""
    text = _ends(text)
    if _KEEP.search(text):
        return "preserve"
    if _DELIBERATE.search(text) or _DELIBERATE_CJK.search(text):
        return "deliberate"
    if _ADDITIVE.search(text) or _ADDITIVE_CJK.search(text):
        return "additive"
    return "local" if _LOCAL.search(text) else "unknown"


def combined(before: Intent, asked: Intent) -> Intent:
    """What holds once more is said: a rewrite, or a rest to keep, holds until the other is asked for."""
    if asked in _LASTING or before in _LASTING:
        return asked if asked in _LASTING else before
    return min(before, asked, key=_RANK.index)


def names_as_new(texts: Iterable[str], name: str) -> bool:
    """Whether the thing itself is to be added ("add a README"): then what stood there was a sample."""
    stem = re.escape(name.partition(".")[0].replace("_", " ").replace("-", " ")[:60])
    if len(stem) < 3:
        return False
    between = r"(?:(?!to\b|in\b|into\b|on\b|at\b|of\b)\w+\s+){0,4}"
    new = re.compile(rf"\b(?:add|includ)\w*\s+{between}{stem}\b", re.IGNORECASE)
    return any(new.search(_ends(text)) for text in texts)


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _READ else text[:_READ] + "\n" + text[-_READ:]
