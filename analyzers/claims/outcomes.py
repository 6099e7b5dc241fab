"""How a call ended: by its flags, by the fields of a JSON result, by the text that it printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

from analyzers.claims.kinds import as_text, name_words
from analyzers.model import ToolCall

Outcome = Literal["changed", "ok", "unchanged", "failed", "unknown"]
_FAILED_STATES = re.compile(
    r"(?:error|fail|reject|declin|denied|refus|bounc|abort|time(?:d[ _]?)?out|conflict|unauthori[sz]ed"
    r"|forbidden"
    r"|not[ _]found|invalid|rechaz|fallid|falló|deneg|recus|rejeit|falh|negad|échou|echou|échec|echec"
    r"|abgelehnt|abgewiesen"
    r"|fehl|verweigert|undeliver|unsent|incomplete|expired|blocked|locked|실패|거부|失敗|拒否|却下|失败|拒绝"
    r"|错误|エラー|오류)",
    re.IGNORECASE,
)
_STATE_KEYS = (
    "status",
    "state",
    "estado",
    "statut",
    "zustand",
    "outcome",
    "result",
    "resultado",
    "résultat",
    "ergebnis",
    "estatus",
    "상태",
    "状態",
    "状态",
)
_IDLE_STATES = re.compile(
    r"(?:no-?op|unchanged|no[ _]change|not[ _]modified|unmodified|skipped|ignored|identical)", re.IGNORECASE
)
_UNDONE_KEYS = (
    "updated",
    "modified",
    "saved",
    "created",
    "deleted",
    "applied",
    "written",
    "changed",
    "inserted",
    "affected",
    "atualizado",
    "alterado",
    "actualizado",
    "modificado",
    "modifié",
    "geändert",
    "aktualisiert",
    "guardado",
    "salvo",
)
_ERROR_KEYS = ("error", "errors", "erro", "erreur", "fehler", "エラー", "오류", "错误")
_ERROR_CODE = re.compile(r"(?:E(?:RR)?[-_]?\d{2,5}|ERR(?:OR)?[-_A-Z]*|[45]\d\d)$", re.IGNORECASE)
_COUNTS = re.compile(
    r"(?:n?_?(?:updated|modified|changed|removed|deleted|added|inserted|replaced|affected|written|matched"
    r"|created|applied|moved"
    r"|saved|copied|converted|renamed|merged|upserted|atualizad[oa]s?|alterad[oa]s?|actualizad[oa]s?"
    r"|modificad[oa]s?"
    r"|geändert|aktualisiert|modifiés?)(?:_?(?:[A-Z]\w*|count|rows|cells|files|items|records|total|ids"
    r"|documents))?"
    r"|(?:rows|cells|files|items|records)_?(?:[Uu]pdated|[Mm]odified|[Cc]hanged|[Rr]emoved|[Dd]eleted"
    r"|[Aa]dded|[Aa]ffected))$"
)
_IDLE_TEXT = re.compile(
    r"\b0\s+(?:\w{3,12}\s+)?(?:\w{3,12}ad[oa]s|geändert|aktualisiert|modifiée?s|changed|updated|affected"
    r"|replaced|modified)\b"
    r"|^[^\S\n]{0,4}(?:no changes?\s?(?:[:.!]|$)|everything up-to-date|already up[ -]to[ -]date"
    r"|nothing to commit"
    r"|[^\n]{0,60}resources: 0 added, 0 changed, 0 destroyed)",
    re.IGNORECASE | re.MULTILINE,
)
_ANSIBLE = re.compile(r"\bchanged=(\d{1,6})")
_UNDONE_COUNTS = ("matchedCount", "matched", "modifiedCount", "deletedCount", "insertedCount", "nModified")
_FAILURE_COUNTS = (
    "failed",
    "failures",
    "errors",
    "errored",
    "rejected",
    "skipped",
    "invalid",
    "failed_count",
)
_REFUSED = re.compile(
    r"^\W{0,4}(?:unknown\s+(?:tool|function)|(?:tool|function)\s+\S{0,80}\s?(?:not\s+(?:found|loaded"
    r"|available|recognized)|does\s+not\s+exist|is\s+not)"
    r"|no\s+such\s+tool|(?:the\s+)?user\s+(?:rejected|declined|denied|doesn['’]t\s+want)|(?:request|call"
    r"|tool\s+use|operation|command)\s+(?:was\s+)?(?:rejected|denied|cancelled|blocked)"
    r"|rejected\b|permission\s+denied|access\s+denied|unauthorized|forbidden)",
    re.IGNORECASE,
)
_FAILED_TEXT = re.compile(
    r"^\W{0,4}(?:(?:\w{0,30}error|exception|fatal|failed|failure|fail)\s?[:!(\[]|error\b|traceback\s\(most"
    r"|permission\s+denied|access\s+denied"
    r"|failed\s+to\b|could\s+not\b|cannot\b|can['’]t\b|unable\s+to\b|no\s+such\s+file|invalid\s|unauthorized"
    r"|forbidden|not\s+found\b|timed?\s?out|timeout\b|(?:Fehler|Erreur|Erro|Échec|Falha|Fallo|错误|エラー"
    r"|오류|失敗|失败|실패)\s?[:：]"
    r"|(?:old_str(?:ing)?|string(?:\s+to\s+replace)?|text|pattern)\s[^\n]{0,200}?not\s+found|(?:ba)?sh:\s"
    r"|zsh:\s|[^\n]{1,60}:\s+command\s+not\s+found|4\d\d\s|5\d\d\s|http\s(?:error|[45]\d\d))",
    re.IGNORECASE,
)
_TALLY = re.compile(
    r"(?<![\d.])(?!0+\s)\d{1,7}\s+(?:failed|failing|failures?|errors?)\b|\bfail(?:ures"
    r"|ed)?\s?[=:]\s?(?!0\b)\d|\berrors\s?[=:]\s?(?!0\b)\d|^(?:FAILED|FAIL)\b|\btest\s+result:\s+FAILED"
    r"|^--- FAIL|\bTests:\s+(?!0\b)\d{1,7}\s+failed|\bBUILD\s+FAILED|\bBUILD\s+FAILURE|\berror\[E\d{4}\]"
    r"|\berror\s+TS\d{4}|^npm\s+ERR!",
    re.IGNORECASE | re.MULTILINE,
)
_EXIT = re.compile(
    r"\bexit(?:ed)?(?:[\s_-]?(?:code|status)|\s+with(?:\s+code)?)?\s?[:=]?\s?(-?\d{1,5})\b", re.IGNORECASE
)
_REDACTED = re.compile(
    r"^\W{0,4}(?:redacted|omitted|removed|truncated|content\s+(?:hidden|omitted)|not\s+captured|masked"
    r"|filtered|\*{3,})\W{0,4}$",
    re.I,
)


def outcome_of(call: ToolCall, result: str, kinds: frozenset[str]) -> tuple[Outcome, str]:
    """How the call ended and the field that says so."""
    if call.is_error or call.error:
        return "failed", f"error: {(call.error or call.result or 'true')[:120]}"
    if call.result is None:
        return "unknown", "no result"
    if _REDACTED.match(result[:200]):
        return "unknown", "result redacted"
    decoded = _decoded(result)
    if (failure := _failure(decoded, kinds, 0)) is not None:
        return "failed", failure
    if (undone := _undone(decoded, kinds, name_words(call.tool))) is not None:
        return "unchanged", undone
    text = _printed(decoded, result)
    if (failure := _failing_text(text, kinds)) is not None:
        return "failed", failure
    if call.hash_before and call.hash_after and call.hash_before == call.hash_after:
        return "unchanged", "hash_before = hash_after"
    if call.changed is False:
        return "unchanged", "changed: false"
    if call.changed:
        return "changed", "changed: true"
    if kinds & _DOING and _UNCHANGED_LINES.fullmatch(text[:2_000].strip()):
        return "unchanged", text.strip()[:80]
    if "lookup" not in kinds and len(text) < 4_000:
        if idle := _IDLE_TEXT.search(text):
            return "unchanged", idle.group().strip()
        recap = _ANSIBLE.findall(text)
        if recap and set(recap) == {"0"}:
            return "unchanged", "changed=0"
    return "ok", "result"


_DOING = frozenset({"write", "delete", "send", "vcs", "lint"})
_UNCHANGED_LINES = re.compile(
    r"(?:[^\n]{0,200}[\s(](?:unchanged|identical|not modified)\)?\s*(?:\n|$))+", re.IGNORECASE
)


def _is_count(value: Any) -> bool:
    return isinstance(value, (bool, int, list)) and not (
        isinstance(value, list) and len(value) > 0 and value == [None]
    )


def _stem(word: str) -> str:
    """A verb without its ending: `mute`, `muted` and `muting` are one."""
    return re.sub(r"(?:ed|e|ing|ado|ada|ido|r)$", "", str(word).lower())


def _undone(value: Any, kinds: frozenset[str], words: frozenset[str]) -> str | None:
    """The field of a decoded result that says that nothing was changed."""
    if "lookup" in kinds and not kinds & _DOING:
        return None
    for level in _levels(value):
        told = {key: value for key, value in level.items() if _COUNTS.match(str(key)) and _is_count(value)}
        told = {
            key: value
            for key, value in told.items()
            if not str(key).lower().startswith(("matched", "nmatched"))
        }
        idle = {key: value for key, value in told.items() if value in ([], 0)}
        if idle and len(idle) == len(told):
            key = next(iter(idle))
            return f"{key}: {as_text(idle[key])}"
        for key, old in level.items():
            new = level.get(key.replace("before", "after")) if "before" in key else None
            if new is not None and new == old and isinstance(old, (int, str)):
                return f"{key} = {key.replace('before', 'after')}"
        for key, flag in level.items():
            if flag is False and any(_stem(key) == _stem(word) for word in words if len(word) > 3):
                return f"{key}: false"
        for key in _STATE_KEYS:
            if isinstance(level.get(key), str) and _IDLE_STATES.fullmatch(level[key]):
                return f"{key}: {level[key]}"
        for key in _UNDONE_COUNTS:
            if type(level.get(key)) is int and level[key] == 0:
                return f"{key}: 0"
    return None


def failures_in(result: str) -> str | None:
    """The field by which a result counts members that failed though others did not."""
    for level in _levels(_decoded(result)):
        for key in _FAILURE_COUNTS:
            count = level.get(key)
            if (type(count) is int and count > 0) or (isinstance(count, list) and count):
                return f"{key}: {as_text(count)[:80]}"
    return None


def _levels(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The objects of a decoded result that speak for the call: itself, and those in the usual wrappers."""
    if isinstance(value, str) and depth and value[:1] in "{[":
        value = _decoded(value)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict) or depth > 3:
        return
    yield value
    for key in (
        "result",
        "data",
        "structuredContent",
        "output",
        "response",
        "content",
        "text",
        "body",
        "updates",
    ):
        if key in value:
            yield from _levels(value[key], depth + 1)


def _decoded(result: str) -> Any:
    if result[:64].lstrip().startswith(("{", "[")):
        try:
            return json.loads(result)
        except (ValueError, RecursionError):
            return None
    return None


def _failure(value: Any, kinds: frozenset[str], depth: int) -> str | None:
    """The field of a decoded result that says that the call failed."""
    if not isinstance(value, dict) or depth > 2:
        return None
    for key in (
        "approved",
        "aprovado",
        "aprobado",
        "delivered",
        "authorized",
        "processed",
        "confirmed",
        "success",
        "ok",
        "succeeded",
        "sucesso",
        "exito",
        "éxito",
        "succès",
        "succes",
        "erfolg",
        "erfolgreich",
    ):
        if value.get(key) is False:
            return f"{key}: false"
    for key in ("isError", "is_error"):
        if value.get(key) is True:
            return f"{key}: true"
    for key in _ERROR_KEYS:
        if value.get(key) not in (None, False, "", [], {}, 0):
            return f"{key}: {as_text(value[key])[:120]}"
    for key in ("status", "statusCode", "status_code", "http_status", "code"):
        status = value.get(key)
        if type(status) is int and 400 <= status < 600:
            return f"{key}: {status}"
    for key in ("resultCode", "result_code", "returnCode", "code", "errorCode"):
        if isinstance(value.get(key), str) and _ERROR_CODE.match(value[key]):
            return f"{key}: {value[key]}"
    for key in ("error_code", "errorCode", "errno"):
        if value.get(key) not in (None, 0, "", "0", False):
            return f"{key}: {as_text(value[key])[:80]}"
    for key in _STATE_KEYS:
        status = value.get(key)
        if not isinstance(status, str) or len(status) >= 40 or not _FAILED_STATES.match(status):
            continue
        plain = status.lower() in ("error", "failed", "failure", "rejected")
        if plain or "lookup" not in kinds or kinds & _DOING:
            return f"{key}: {status}"
    for key in ("exit_code", "exitCode", "exitcode", "returncode", "return_code", "exit_status"):
        code = value.get(key)
        # A search that found nothing exits with 1, and so does a pipe that ends in one.
        told = as_text(value.get("stderr"))[:20].lower().startswith(("error", "fatal"))
        if type(code) is int and code != 0 and (told or not ("lookup" in kinds and code == 1)):
            return f"{key}: {code}"
    for key in ("result", "data", "structuredContent", "output", "response"):
        if (inner := _failure(value.get(key), kinds, depth + 1)) is not None:
            return inner
    if "lookup" in kinds and not kinds & _DOING:
        return None
    for key, members in value.items():
        if key not in _FAILURE_COUNTS and isinstance(members, list) and 0 < len(members) <= 20:
            failed = [_failure(member, kinds, depth + 1) for member in members]
            if all(failed):
                return failed[0]
    return None


def _printed(decoded: Any, result: str) -> str:
    """The text that a call printed."""
    if not isinstance(decoded, dict):
        return result
    parts = [
        str(decoded[key])
        for key in (
            "stdout",
            "stderr",
            "output",
            "text",
            "message",
            "result",
            "detail",
            "reason",
            "motivo",
            "msg",
        )
        if decoded.get(key)
    ]
    content = decoded.get("content")
    if isinstance(content, list):
        parts += [
            str(item.get("text")) for item in content[:5] if isinstance(item, dict) and item.get("text")
        ]
    return "\n".join(parts)


_REFUSAL = re.compile(
    r"\b(?:permission denied|access denied|connection (?:refused|reset|timed out)|timed? ?out"
    r"|no such (?:file|host)"
    r"|(?:not|no longer|wasn't|isn't|n['’]est pas) (?:found|available|allowed|permitted|authorized|possible"
    r"|disponible)"
    r"|does not exist|insufficient \w+|quota exceeded|rate limit|invalid \w+|authentication failed"
    r"|unauthori[sz]ed|forbidden"
    r"|could not|couldn['’]t|cannot|can['’]t|(?<!0 )failed|unable to|declined|rejected|sold out"
    r"|no availability|not enough"
    r"|already (?:booked|taken|exists|in use)|bounced|undeliverable|out of (?:stock|memory|disk)"
    r"|no space left|killed"
    r"|segmentation fault|no se pudo|no fue posible|não foi possível|konnte nicht|nicht (?:möglich|gefunden"
    r"|erlaubt)"
    r"|impossible|n['’]a pas pu|introuvable|denegado|negado|verweigert|refusé)\b"
    r"|할 수 없|찾을 수 없|できません|できませんでした|見つかりません|无法|未能|找不到|不存在",
    re.IGNORECASE,
)
_REFUSAL_SIGNS = (
    *(
        "denied",
        "refused",
        "reset",
        "time",
        "no such",
        "not ",
        "no ",
        "n't",
        "n’t",
        "n’",
        "n'",
        "exist",
        "insufficient",
    ),
    *(
        "exceeded",
        "limit",
        "invalid",
        "fail",
        "unauthor",
        "forbidden",
        "could",
        "unable",
        "decline",
        "rejected",
        "sold",
    ),
    *(
        "already",
        "bounced",
        "undeliver",
        "out of",
        "killed",
        "fault",
        "imposs",
        "introuvable",
        "negado",
        "denegado",
    ),
    *(
        "verweigert",
        "refus",
        "nicht",
        "não",
        "할 수",
        "찾을 수",
        "でき",
        "見つかり",
        "无法",
        "未能",
        "找不到",
        "不存在",
        "cannot",
    ),
)
_TOLD = re.compile(r"\b(?:but|although|warning|skipped|retried|then)\b", re.IGNORECASE)
_SHORT = 300


def _failing_text(text: str, kinds: frozenset[str]) -> str | None:
    if kinds & {"test", "build", "lint"} and (match := _TALLY.search(text)):
        return match.group().strip()
    if match := _REFUSED.match(text):
        return match.group().strip()
    # What a look-up prints is payload, and "ERROR timeout" in a log is no failure of the reading.
    if kinds & {"lookup", "python"} and not kinds & {"write", "send", "delete"}:
        return text.strip()[:80] if re.match(r"\W{0,4}(?:Traceback \(most|Error:\s)", text) else None
    if "shell" in kinds or "test" in kinds:
        codes = _EXIT.findall(text[-400:])
        if codes:
            return f"exit code {codes[-1]}" if int(codes[-1]) != 0 else None
    if match := _FAILED_TEXT.match(text):
        return match.group().strip()
    # A tool that acts and says little says by it how it went.
    if kinds & _DOING and "shell" not in kinds and len(text) < _SHORT and not _TOLD.search(text):
        lowered = text.lower()
        match = _REFUSAL.search(text) if any(sign in lowered for sign in _REFUSAL_SIGNS) else None
    return match.group().strip() if match else None
