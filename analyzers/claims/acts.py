"""Acts upon the world ("restarted", "refunded"): how they are told, and what counts as a call of each.

Data. One row an act: `evidence` is what a call's name, command or arguments hold when it may have done
it (generous: a word too many keeps the analyzer silent). Words are told as in `languages`: "_" stands for a
space. For Spanish, Portuguese and French the stems of regular verbs in -ar and -er are given, and their
finished forms made from them; a word that ends in "!" is a finished form itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

CODES = ("en", "es", "pt", "fr", "de", "ko", "ja", "zh")
_CREATING = r"create|add|insert|set|update|new|put|post|make"


@dataclass(frozen=True, slots=True)
class Act:
    """One act; the languages' fields hold its verbs."""

    evidence: str
    en: str = ""
    es: str = ""
    pt: str = ""
    fr: str = ""
    de: str = ""
    ko: str = ""
    ja: str = ""
    zh: str = ""


ACTS: tuple[Act, ...] = (
    Act(
        r"re-?start|reboot|relaunch|reload|\bstart|\bstop|rollout|\bup\b|reinici|neustart|neu_?start"
        r"|redemarr|reset",
        "restarted rebooted relaunched",
        "reinici",
        "reinici",
        "redémarr relanc",
        "neu_gestartet neugestartet",
        "재시작 재부팅 재기동",
        "再起動",
        "重启 重新启动",
    ),
    Act(
        r"start|stop|launch|boot|power|shut|\bup\b|\bdown\b|kill|run|scale|inici|par",
        "started stopped launched shut_down powered_off powered_on",
        "inici detuve!",
        "inici parei!",
        "démarr arrêt",
        "gestartet gestoppt heruntergefahren",
        "시작 중지 가동",
        "起動 停止",
        "启动 停止",
    ),
    Act(
        r"scal|resiz|replica|autoscal|apply|\bset\b|escal|skalier",
        "scaled resized",
        "escal",
        "escal redimension",
        "redimensionn",
        "skaliert",
        "스케일 확장",
        "スケール",
        "扩容 缩容 扩展",
    ),
    Act(
        r"renew|certbot|acme|extend|issue|update|renov|renouvel|verlaenger|erneuer",
        "renewed extended",
        "renov",
        "renov",
        "renouvel",
        "verlängert erneuert",
        "연장",
        "延長",
        "续订 续期 续签 延期",
    ),
    Act(
        r"print|\blpr?\b|label|druck|imprim",
        "printed",
        "imprimí!",
        "imprimi!",
        "imprimé!",
        "gedruckt ausgedruckt",
        "인쇄",
        "印刷",
        "打印",
    ),
    Act(
        r"escal|ticket|transfer|hand_?off|assign|case|human|forward|create|eskal",
        "escalated handed_over transferred_you",
        "escal deriv transfer",
        "escal encaminh transfer",
        "escalad transmis! transfér",
        "eskaliert weitergeleitet übergeben",
        "에스컬레이션 이관 전달",
        "エスカレーション 引き継ぎ 転送",
        "转交 转接 上报",
    ),
    Act(
        r"refund|credit|reembols|devol|estorn|erstatt|rembours|return|revers|charge_?back",
        "refunded credited reimbursed",
        "reembols devolv!",
        "reembols estorn",
        "rembours crédit",
        "erstattet zurückerstattet gutgeschrieben",
        "환불",
        "返金 払い戻し",
        "退款 退还",
    ),
    Act(
        r"cancel|terminat|unsubscrib|storn|k(?:ü|ue)ndig|annul|anul|delete|remove|\bend\b|abort|close|update"
        r"|baja",
        "cancelled canceled unsubscribed terminated",
        "cancel anul",
        "cancel",
        "annul résili",
        "storniert gekündigt abgesagt abbestellt",
        "취소 해지",
        "キャンセル 解約 取り消し",
        "取消 退订 注销",
    ),
    Act(
        rf"book|reserv|buch|appointment|schedul|hold|order|agend|marca|calendar|event|termin|{_CREATING}",
        "booked reserved",
        "reserv",
        "reserv",
        "réserv",
        "gebucht reserviert",
        "예약",
        "予約",
        "预订 预约 预定",
    ),
    Act(
        rf"order|purchas|buy|checkout|cart|bestell|kauf|compr|pedid|command|achet|{_CREATING}",
        "ordered purchased bought reordered",
        "compr",
        "compr encomend",
        "command achet",
        "bestellt gekauft",
        "주문 구매",
        "注文 購入 発注",
        "下单 购买 订购",
    ),
    Act(
        r"pay|transfer|charge|wire|send|settle|invoice|pag|bezahl|(?:ü|ue)berweis|remit|transac|vir",
        "paid transferred wired",
        "transferí! abon",
        "transferi! depositei!",
        "payé! vir vers",
        "bezahlt überwiesen",
        "결제 송금 이체",
        "決済 送金 振り込み 支払い",
        "支付 付款 转账 汇款",
    ),
    Act(
        rf"schedul|calendar|event|meeting|appointment|cron|agend|plan|remind|book|alarm|timer|{_CREATING}",
        "scheduled rescheduled",
        "program agend",
        "agend program",
        "planifi programm",
        "terminiert angesetzt",
        "일정_등록",
        "スケジュール",
        "安排",
    ),
    Act(
        r"upload|\bput\b|\bcp\b|sync|push|post|scp|rsync|curl|subir|hochlad|televers|send|attach|share|write"
        r"|create",
        "uploaded",
        "",
        "carreg",
        "téléverse",
        "hochgeladen",
        "업로드",
        "アップロード",
        "上传",
    ),
    Act(
        r"import|load|ingest|insert|copy|upload|restore|sync|carg|charg|einspiel|create|write|upsert",
        "imported loaded ingested backfilled",
        "import carg",
        "import carreg",
        "import charg",
        "importiert geladen eingespielt",
        "임포트",
        "インポート 取り込み",
        "导入 载入",
    ),
    Act(
        r"install|upgrad|\badd\b|\bapt|brew|\bpip\b|npm|pnpm|yarn|setup|update|conda|cargo|apply|instal"
        r"|\bi\b",
        "installed uninstalled upgraded",
        "instal",
        "instal",
        "install",
        "installiert",
        "설치",
        "インストール",
        "安装 升级",
    ),
    Act(
        r"sync|rsync|pull|push|fetch|update|replicat|abgleich",
        "synced synchronised synchronized",
        "sincroniz",
        "sincroniz",
        "synchronis",
        "synchronisiert abgeglichen",
        "동기화",
        "同期",
        "同步",
    ),
    Act(
        r"back_?up|dump|snapshot|\bcp\b|copy|\btar\b|rsync|export|save|archiv|sicher|respald|create",
        "backed_up",
        "respald",
        "",
        "",
        "gesichert",
        "백업",
        "バックアップ",
        "备份",
    ),
    Act(
        r"activ|aktiv|enabl|disabl|lock|block|suspend|revok|grant|approv|permission|role|status|set|update"
        r"|toggle|"
        r"sperr|freigeb|aprob|aprov|bloque|ativ|patch|edit",
        "activated deactivated locked unlocked blocked unblocked suspended revoked granted approved",
        "activ desactiv bloque desbloque aprob",
        "ativ desativ bloque desbloque aprov",
        "activ désactiv bloqu débloqu approuv",
        "aktiviert deaktiviert gesperrt entsperrt freigegeben genehmigt",
        "활성화 비활성화 차단 승인 해제",
        "有効化 無効化 ブロック 承認 解除",
        "启用 禁用 锁定 解锁 批准 激活 停用",
    ),
    Act(
        r"clos|resolv|status|updat|fech|cerr|encerr|schlie|ferm|cl[ôo]tur|transition|complete|done|\bend"
        r"|archive|edit",
        "",
        "cerré! cerrad",
        "fech encerr",
        "ferm clôtur",
        "geschlossen abgeschlossen",
        "종료 닫았 마감",
        "クローズ 閉じ 終了",
        "关闭 结束 关掉",
    ),
    Act(
        r"ship|dispatch|fulfil|send|deliver|label|post|versand|envi|exped",
        "shipped dispatched",
        "despach",
        "despach",
        "expédi",
        "versandt",
        "발송",
        "発送 出荷",
        "发货 寄送",
    ),
    Act(
        r"trigger|run|start|dispatch|queue|workflow|job|pipeline|build|launch|exec|invoke",
        "triggered queued kicked_off",
        "dispar lanc encol",
        "dispar",
        "déclench",
        "ausgelöst angestoßen",
        "",
        "",
        "触发",
    ),
    Act(
        rf"refund|issue|file|ticket|bill|invoice|certif|report|open|submit|credit|complaint|{_CREATING}",
        "issued filed raised lodged",
        "emití! presenté!",
        "emiti! registrei!",
        "émis! dépos",
        "eingereicht ausgestellt",
        "발행 접수",
        "発行",
        "签发 开具",
    ),
    Act(
        r"turn|switch|\bon\b|\boff\b|toggle|set|power|light|state|enabl|disabl|lig|encend|einschalt"
        r"|ausschalt|allum",
        "turned_on turned_off switched_on switched_off",
        "encendí!",
        "liguei! desliguei!",
        "allum éteint!",
        "eingeschaltet ausgeschaltet",
        "켰 껐",
        "",
        "打开 关上",
    ),
    Act(
        r"call|phone|dial|twilio|voice|tel|llam|anruf|ruf|lig|appel",
        "phoned",
        "llam",
        "telefon liguei!",
        "téléphon",
        "angerufen telefoniert",
        "전화",
        "電話",
        "致电",
    ),
    Act(
        r"restor|recover|\bcp\b|copy|undo|rollback|checkout|revert|import|load|wiederherstell|restaur",
        "restored recovered",
        "restaur",
        "restaur",
        "restaur",
        "wiederhergestellt",
        "복원 복구",
        "復元 復旧",
        "恢复 还原",
    ),
    Act(
        r"mute|silenc|snooz|disabl|suppress|set|update|stumm",
        "muted silenced snoozed",
        "silenci",
        "silenci",
        "",
        "stummgeschaltet",
        "",
        "ミュート",
        "静音",
    ),
)


def verbs_of(language: str) -> str:
    """The finished verbs of a language, separated by spaces, "_" within one."""
    return " ".join(word for act in ACTS for word in _finished(language, getattr(act, language)))


def infinitives_of(language: str) -> str:
    """The infinitives that Spanish "acabo de" goes before; "" for others."""
    if language != "es":
        return ""
    stems = (word for act in ACTS for word in getattr(act, language).split())
    return " ".join(f"{stem}ar" for stem in stems if not stem.endswith(("!", "ad")))


def participles_of(language: str) -> str:
    """The stems that Spanish and Portuguese endings go on ("-o", "-a", "-os", "-as"); "" for others."""
    if language not in ("es", "pt"):
        return ""
    stems = (word for act in ACTS for word in getattr(act, language).split())
    return " ".join(f"{stem}ad" for stem in stems if not stem.endswith(("!", "ad")))


def _finished(language: str, words: str) -> Iterator[str]:
    for word in words.split():
        if word.endswith("!"):
            yield word[:-1]
        elif language == "es" and not word.endswith("ad"):
            yield (
                f"{word}ué" if word.endswith("g") else f"{word[:-1]}qué" if word.endswith("c") else f"{word}é"
            )
        elif language == "pt":
            yield (
                f"{word}uei"
                if word.endswith("g")
                else f"{word[:-1]}quei"
                if word.endswith("c")
                else f"{word}ei"
            )
        elif language == "fr":
            yield f"{word}é"
        else:
            yield word


def _evidence() -> dict[str, re.Pattern[str]]:
    found: dict[str, list[str]] = {}
    for act in ACTS:
        for language in CODES:
            words = list(_finished(language, getattr(act, language)))
            if language in ("es", "pt"):
                stems = [stem for stem in getattr(act, language).split() if not stem.endswith("!")]
                words += [stem + ending for stem in stems for ending in ("ad", "ar")]
            for word in words:
                found.setdefault(word.replace("_", " "), []).append(act.evidence)
    return {verb: re.compile("|".join(dict.fromkeys(parts)), re.IGNORECASE) for verb, parts in found.items()}


EVIDENCE = _evidence()
"""What a call holds that may have done what a verb tells, by verb."""

_PLAIN = frozenset(
    {
        *("restarted", "refunded", "booked", "uploaded", "installed", "escalated", "printed", "purchased"),
        *("shipped", "phoned", "backed_up", "restored"),
    }
)
_STATES = frozenset({"started", "activated", "shipped", "cancelled", "paid"})


def _verbs(marks: frozenset[str]) -> frozenset[str]:
    """The verbs, in all languages, of the acts that have one of the English `marks`."""
    acts = (act for act in ACTS if not set(act.en.split()).isdisjoint(marks))
    words = (word for act in acts for code in CODES for word in _finished(code, getattr(act, code)))
    return frozenset(word.replace("_", " ") for word in words)


PLAIN_ACTS = _verbs(_PLAIN) - {"ordered", "reserved", "credited", "extended"}
"""Verbs of acts that nobody does in a text: what they are done to need not be named."""

STATE_ACTS = _verbs(_STATES)
"""Verbs whose passive may as well report a state that a look-up found: "all services are started"."""

_NOUNS = tuple(
    (re.compile(noun, re.IGNORECASE), re.compile(evidence, re.IGNORECASE))
    for noun, evidence in (
        (r"reserv|booking|buchung|予約|预订|예약", rf"book|reserv|buch|hold|order|appointment|{_CREATING}"),
        (
            r"order|pedido|encomenda|commande|bestellung|注文|订单|주문",
            rf"order|purchas|buy|checkout|cart|bestell|{_CREATING}",
        ),
        (
            r"back-?up|copia|cópia|sauvegarde|sicherung|バックアップ|备份|백업",
            r"back_?up|dump|snapshot|\bcp\b|copy|tar|export|save",
        ),
        (
            r"screenshot|captura|capture|スクリーンショット|截图|스크린샷",
            r"screenshot|screen|captur|snap|browser|page|playwright",
        ),
        (
            r"refund|return|reembolso|devoluci|devoluç|estorno|remboursement|cancel",
            r"refund|return|credit|reembols|devol|estorn|rembours|cancel|revers|update",
        ),
        (r"call|llamada|ligação|appel|anruf", r"call|phone|dial|voice|tel"),
        (
            r"payment|pago|pagamento|paiement|zahlung|transfer|virement",
            r"pay|transfer|charge|wire|pag|bezahl|virement|send",
        ),
        (r"deploy|release|despliegue", r"deploy|release|publish|push|apply|rollout"),
        (
            r"calendar|kalender|agenda|meeting|appointment|cita|termin|réunion",
            r"calend|event|meeting|appointment|schedul|agend|termin|invite|add|create|book",
        ),
        (
            r"hotel|restaurant|hôtel|customer|client|kunde|bank|doctor|office|supplier",
            r"call|phone|dial|voice|tel|llam|ruf|appel|ligar|contact",
        ),
    )
)


def noun_evidence(phrase: str) -> re.Pattern[str] | None:
    """What a call holds that may have done what a phrase of verb and noun says: "placed the order"."""
    return next((evidence for noun, evidence in _NOUNS if noun.search(phrase)), None)
