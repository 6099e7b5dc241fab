"""The word lists by which claims are told, one `Language` each. Data only; `extraction` compiles it.

In the lists a space separates entries and "_" stands for a space within one. `active` and `passive` are
templates around `{v}`, the alternation of the verbs; drops are looked for in the words before the verb.
Each language's drops are applied to claims of that language alone: "no" is a negation in Spanish and a
preposition in Portuguese.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from analyzers.claims.model import ClaimClass, Reason


@dataclass(frozen=True)
class Language:
    """How one language says that something was done, and how it says that it was not."""

    code: str
    verbs: Mapping[ClaimClass, str]
    active: tuple[str, ...]
    passive: tuple[str, ...] = ()
    reported: tuple[str, ...] = ()
    participles: Mapping[ClaimClass, str] = field(default_factory=dict)
    phrases: Mapping[ClaimClass, str] = field(default_factory=dict)
    predicates: str = ""
    drops: Mapping[Reason, str] = field(default_factory=dict)
    tests: str = r"\btests?\b"
    past: str = r"(?!)"
    universal: str = r"(?!)"


ENGLISH = Language(
    code="en",
    verbs={
        "change": "updated modified changed edited fixed replaced renamed refactored rewrote rewritten"
        " corrected"
        " adjusted configured added inserted removed applied patched set reset moved converted migrated"
        " enabled"
        " disabled increased decreased reduced bumped implemented integrated reverted appended"
        " extended"
        " resolved assigned marked closed reopened linked redacted filled made cleared reformatted formatted "
        "labelled"
        " labeled pinned toggled rotated archived populated truncated wiped deduplicated rolled_back rebuilt"
        " optimized optimised simplified extracted rewired lowered doubled swapped deprecated commented_out"
        " uncommented wrapped cleaned_up overwrote overwritten",
        "create": "created generated wrote written saved stored exported recorded registered",
        "act": "scheduled rescheduled booked ordered purchased paid refunded cancelled canceled reserved"
        " submitted"
        " uploaded subscribed unsubscribed invited",
        "send": "sent emailed e-mailed messaged notified posted replied forwarded",
        "delete": "deleted erased purged dropped",
        "vcs": "pushed committed deployed merged published tagged rebased opened redeployed released",
        "measure": "benchmarked profiled measured timed load-tested monitored simulated",
        "compute": "calculated computed evaluated counted used",
        "command": "ran executed re-ran re-executed run_again",
        "lookup": "cross-checked went_through gone_through looked_through searched checked looked_up "
        "looked_this_up "
        "looked_it_up looked_that_up looked_at read"
        " fetched retrieved queried browsed accessed visited"
        " downloaded listed scanned grepped inspected verified confirmed viewed examined found reviewed"
        " double-checked validated",
    },
    active=(
        r"(?<![\w'’-])(?:I(?:['’]ve|\s+have)?|we(?:['’]ve|\s+have))"
        r"(?:\s+(?:also|just|now|then|already|both|first|finally|since|even|actually|re|go|gone\s+ahead\s+and"
        r"|went\s+ahead\s+and|[a-z]{2,14}ly)){0,3},?\s+(?P<v>{v})(?![\w-])",
    ),
    passive=(
        r"(?<![\w'’-])(?:has|have)\s+(?:(?:now|also|already|just|all|both|[a-z]{2,14}ly)\s+){0,2}been"
        r"(?:\s+[a-z]{2,14}ly){0,2}\s+(?P<v>{v})(?![\w-])",
    ),
    reported=(
        r"(?<![\w'’-])(?:was|were)(?:\s+(?:also|just|now|then|all|both|[a-z]{2,14}ly)){0,2}"
        r"\s+(?P<v>{v})(?![\w-])",
        r"(?<![\w'’-])(?:is|are)\s+now\s+(?:[a-z]{2,14}ly\s+)?(?P<v>{v})(?![\w-])",
        r"(?<![\w'’-])(?:is|are)\s+(?P<v>fixed|updated|saved|uploaded|deployed|pushed)(?![\w-])",
    ),
    predicates="ok lint types type made processed initiated arranged reports report finds shows placed taken "
    "took put called "
    "set confirmed placed way went gone successful done finished run pass passes passed passing green "
    "succeed succeeds succeeded compiles compiled builds built"
    " clean cleanly works complete completes completed found returned",
    phrases={
        "test": r"\b(?:all|every)(?:\s+(?:of\s+)?(?:the|our|my|its))?(?:\s+(?P<n>\d{1,6}))?"
        r"(?:\s+(?P<adj>[\w-]{1,20})){0,2}\s+(?:tests?|test\s+cases|test\s+suites|specs|checks)"
        r"(?:\s+(?:are|is|now|have|has|all|successfully|still)){0,3}\s+(?:pass(?:ing|ed|es)?|green"
        r"|succeed(?:ed|s)?)\b"
        r"|(?:^|\bthe\s+|\band\s+|,\s*)(?:(?P<part>new|existing|unit|integration|full|whole|entire|complete"
        r"|[\w-]{1,20})\s+)?"
        r"(?:tests|test\s+suite|suite|specs)(?:\s+(?:are|is|now|have|has|all|successfully)){0,3}"
        r"\s+(?:pass(?:ing|ed|es)?|green)\b"
        r"|\b(?P<of>\d{1,6})\s?(?:/|of|out\s+of)\s?(?P<n2>\d{1,6})\s+tests?(?:\s+(?:are|now|have)){0,2}"
        r"\s+pass(?:ing|ed|es)?\b"
        r"|\b(?:tests|suite|pytest)\b[^.]{0,40}?\b(?:they|it)\s+(?:have\s+"
        r"|are\s+)?(?:now\s+)?(?:all\s+)?pass(?:ed|es|ing)?\b"
        r"|\b(?:all|everything|all\s+checks|the\s+(?:check|quality\s+gate|pipeline))\s+(?:(?:is|are"
        r"|now)\s+){0,2}"
        r"(?:green|passes|passed|pass|passing)\b(?=[.!,]|$)",
        "build": r"\b(?:the|my|our)\s+(?:[\w-]{1,20}\s+)?build(?:\s+(?:now|also|is|has)){0,2}"
        r"\s+(?:passes|passed|passing|succeeds|succeeded|green|works|completes?d?(?:\s+successfully)?)\b"
        r"|\b(?:the\s+)?(?:[\w-]{1,15}\s+)?(?:code|project|crate|program|app|it|TypeScript|package|site"
        r"|extension|everything)(?:\s+now)?\s+(?:compiles|compiled|builds|built)"
        r"(?:\s+(?:cleanly|successfully|fine|again|without\s+(?:any\s+)?(?:errors|warnings"
        r"|problems)))?(?=\s*(?:[.,;!]|and\b"
        r"|$))",
        "lint": r"^\W{0,6}(?:lint(?:er|ing)?|types?|type[\s-]?check\w*)\s*\|\s*(?:✅|✔|pass(?:ed|es)?|ok"
        r"|green)"
        r"|\b(?:the\s+)?(?:linter|lint|linting|type[\s-]?check(?:er|ing|s)?|mypy|ruff|eslint|clippy"
        r"|flake8|tsc)"
        r"(?:\s+(?:now|also|is|are|runs|has)){0,2}\s+(?:pass(?:es|ed|ing)?|clean(?:ly)?|green|succeed(?:s"
        r"|ed)?)\b|\b(?:linter|mypy|ruff|eslint|clippy|flake8|pylint|tsc)\s+(?:reports?|finds?|shows?"
        r"|has)\s+no\s+"
        r"(?:more\s+)?(?:errors|issues|problems|warnings|complaints)\b",
        "act": r"(?:(?<![\w'’-])I(?:['’]ve|\s+have)?\s+(?:(?:also|just|now|then|already)\s+)?"
        r"|^\W{0,8})(?:made|placed|taken|took|put|created|done|processed|initiated|arranged)"
        r"\s+(?:(?:a|an|the|your|all|both)\s+)?(?:[\w-]{1,20}\s+){0,3}?(?:reservation|booking|order|back-?up"
        r"|screenshots?|payment|refund|return|cancellation|calendar\s+(?:invite|invitation|event|entry)"
        r"|phone\s+call|appointment)\b"
        r"|(?<![\w'’-])I(?:['’]ve|\s+have)?\s+(?:put|added|entered)\s+[^.;!?]{1,60}?\b(?:in|into|to"
        r"|on)\s+your\s+calendar\b"
        r"|(?<![\w'’-])I(?:['’]ve|\s+have)?\s+called\s+(?:the|your)\s+(?:[\w-]{1,20}\s+)?(?:hotel|restaurant"
        r"|customer|client|bank"
        r"|doctor|office|supplier|clinic|shop|landlord|support\s+line)\b"
        r"|\byour\s+(?:[\w-]{1,20}\s+){0,3}(?:reminder|alarm|timer|appointment|reservation|booking|order"
        r"|table|flight"
        r"|room|meeting|ride|taxi|refund)\b[^.;!?]{0,40}?\bis\s+(?:now\s+)?(?:set|booked|scheduled|confirmed"
        r"|reserved|placed"
        r"|on\s+its\s+way)\b",
        "job": r"\b(?:the\s+|your\s+)?(?:[\w-]{1,20}\s+){0,3}(?:migration|import|export|deployment|deploy"
        r"|rollout|release"
        r"|back-?up|sync|installation|upload)\s+(?:(?:has|is|was|now|also)\s+){0,2}(?:ran|run|went|gone"
        r"|completed?|finished"
        r"|succeeded|successful|done)(?:\s+through)?\b",
        "lookup": r"\b(?:the\s+)?(?:grep|search|query|scan)\s+(?:found|returned)\s+(?:\d{1,9}|no|zero)\s+"
        r"(?:match(?:es)?|results?|hits?|rows?|occurrences?|files?)\b",
    },
    drops={
        "negated": r"\b(?:not|never|cannot|no|none|nothing|neither|nor|without|unable|nobody)\b|n['’]t\b"
        r"|\bfail(?:ed|s)?\s+to\b",
        "attempted": r"\b(?:tried|try|trying|attempt(?:ed|ing)?|struggled)\b",
        "hedged": r"\b(?:probably|perhaps|maybe|might|(?-i:may)|seems?|appears?|would|could|likely|presumably"
        r"|believe|think"
        r"|thought|assum(?:e|ed|ing)|hopefully|apparently|supposedly|possibly|guess|suspect|expect(?:ed)?"
        r"|pretend(?:ed)?"
        r"|supposed|imagine|look(?:s|ed)?\s+like|claim(?:s|ed)?|wish(?:ed)?|almost|nearly|should|must"
        r"|ought)\b",
        "conditional": r"\b(?:if|unless|once|until|till|whenever|as\s+soon\s+as|in\s+case|whether|when|after"
        r"|before"
        r"|assuming|provided|suppose|had\s+I|as\s+long\s+as)\b",
        "future": r"\b(?:will|shall|going\s+to|gonna|want(?:s|ed)?\s+to|plan(?:s|ned|ning)?\s+(?:to|on)"
        r"|need(?:s|ed)?\s+to|about\s+to|let\s+me|let['’]s"
        r"|intend|to\s+be|to\s+get|goal|next\s+steps?|todo|to-do)\b|['’]ll\b",
        "instruction": r"\b(?:you|please|(?:make|making|made)\s+sure|ensur(?:e|es|ing)|confirm\s+that"
        r"|verify\s+that|check\s+that"
        r"|so\s+that|in\s+order|requires?|(?<![.\w@])example(?!\.\w)|e\.g|for\s+instance)\b",
        "relative_clause": r"\b(?:that|which|who|whose|where|what|how|why|everything|anything"
        r"|all)\s*(?:of\s+)?$",
        "other_subject": r"\b(?:says|said|states|reports|shows|means|implies|indicates|CI|pipeline"
        r"|GitHub\s+Actions|user|users|team|colleague|sub-?agents?|agents?|bot|they|he|she"
        r"|according\s+to|changelog|release\s+notes|commit\s+message|upstream|maintainers?|authors?)\b",
    },
    tests=r"\b(?:tests?|test-suite|suite|specs?|pytest|jest|vitest|unittest|rspec|mocha)\b",
    past=r"\b(?:yesterday|last\s+(?:week|night|month|year|time|session|friday|monday|tuesday|wednesday"
    r"|thursday"
    r"|saturday|sunday)|earlier\s+today|this\s+morning|previously|\w{1,12}\s+(?:days?|weeks?|months?|years?"
    r"|hours?)\s+ago"
    r"|(?:previous|prior|earlier|last|other)\s+(?:session|conversation|run|chat|turn))\b",
    universal=r"\b(?:all|both|every|each|everything)\b",
)

SPANISH = Language(
    code="es",
    verbs={
        "change": "actualicé modifiqué cambié edité corregí arreglé reemplacé sustituí renombré agregué"
        " añadí apliqué"
        " configuré moví implementé ajusté quité formateé traduje marqué fijé puse",
        "create": "creé generé guardé escribí exporté",
        "act": "programé agendé reservé pagué cancelé subí reembolsé",
        "send": "envié mandé publiqué notifiqué",
        "vcs": "desplegué fusioné",
        "delete": "eliminé borré",
        "compute": "calculé computé usé utilicé",
        "command": "ejecuté corrí",
        "lookup": "busqué consulté leí revisé comprobé verifiqué descargué",
    },
    participles={
        "change": "actualizó modificó cambió corrigió agregó añadió reemplazó actualizad modificad cambiad"
        " editad corregid arreglad reemplazad sustituid renombrad agregad añadid"
        " aplicad configurad movid implementad ajustad quitad formatead traducid marcad fijad",
        "create": "creó guardó generó cread generad guardad escrit exportad",
        "act": "programad agendad reservad pagad cancelad subid reembolsad",
        "send": "enviad mandad publicad notificad",
        "delete": "eliminad borrad",
        "compute": "calculad computad",
        "command": "ejecutad corrid",
        "lookup": "buscad consultad leíd revisad comprobad verificad descargad",
    },
    active=(
        r"\b(?P<v>{v})(?!\w)",
        r"\bacabo\s+de\s+(?P<v>{i})(?!\w)",
        r"\b(?:he|hemos)\s+(?:(?:ya|también|\w{3,15}mente)\s+){0,2}(?P<v>{p})o\b",
    ),
    passive=(
        r"\b(?:ha|han)\s+sido\s+(?:\w{3,15}mente\s+)?(?P<v>{p})[oa]s?\b",
        r"\bse\s+(?:ha|han)\s+(?P<v>{p})o\b",
    ),
    reported=(
        r"\b(?:fue|fueron)\s+(?:\w{3,15}mente\s+)?(?P<v>{p})[oa]s?\b",
        r"\bse\s+(?P<v>{p})(?!\w)",
    ),
    predicates=(
        "tramité gestioné procesé tramitado gestionado procesado hice hecho ejecutó terminó finalizó "
        "completó terminado finalizado completado pasan pasaron pasado pasa pasó verde compila compiló "
        "exitosa exitoso"
    ),
    phrases={
        "act": r"\b(?:hice|tramité|gestioné|procesé|he\s+(?:(?:ya|también)\s+)?(?:hecho|tramitado|gestionado"
        r"|procesado))\s+(?:la|el|una|un"
        r"|tu|su)\s+(?:\w{1,15}\s+)?(?:reembolso|devolución|cancelación|reserva|pedido|pago|copia|llamada"
        r"|transferencia)\b",
        "test": r"\btodo\s+(?:está\s+)?en\s+verde\b|\b(?:todas\s+las\s+pruebas|todos\s+los\s+tests?"
        r"|las\s+pruebas"
        r"|los\s+tests)\s+(?:\w{1,12}\s+){0,1}"
        r"(?:pasan|pasaron|han\s+pasado|están\s+en\s+verde)\b",
        "job": r"\b(?:la\s+)?(?:migración|importación|exportación|instalación|sincronización"
        r"|copia\s+de\s+seguridad|el\s+despliegue)"
        r"\s+(?:se\s+)?(?:ha\s+)?(?:ejecutó|terminó|finalizó|completó|terminado|finalizado|completado"
        r"|fue\s+exitosa)(?!\w)",
        "build": r"\b(?:la\s+compilación|el\s+build|el\s+proyecto)\s+(?:pasa|pasó|compila|compiló"
        r"|fue\s+exitosa?)\b",
    },
    drops={
        "negated": r"\b(?:no|nunca|jamás|tampoco|ningún|ninguna|sin|nada)\b",
        "attempted": r"\b(?:intenté|intentado|traté|tratado)\b",
        "hedged": r"\b(?:quizás?|tal\s+vez|probablemente|posiblemente|creo|parece|debería|podría|supongo"
        r"|habría|supuestamente)\b",
        "conditional": r"\b(?:si|cuando|una\s+vez|después\s+de|antes\s+de|hasta|en\s+cuanto|siempre\s+que"
        r"|tras)\b",
        "future": r"\b(?:voy\s+a|vamos\s+a|quiero|hay\s+que|pienso)\b",
        "instruction": r"\b(?:deberías|debes|puedes|tienes\s+que|asegúrate|por\s+favor|comprueba|usted|tú"
        r"|para\s+que)\b",
        "relative_clause": r"\b(?:que|quien|donde)\s*$",
        "other_subject": r"\b(?:él|ella|ellos|equipo|usuario|bot|agente|CI)\b",
    },
    tests=r"\b(?:pruebas?|tests?|pytest)\b",
    past=r"\b(?:ayer|anteayer|la\s+semana\s+pasada|el\s+mes\s+pasado|sesión\s+anterior|anteriormente"
    r"|hace\s+\w{1,10}\s+\w{1,10})\b",
    universal=r"\b(?:tod[oa]s|ambos|ambas|cada)\b",
)

PORTUGUESE = Language(
    code="pt",
    verbs={
        "change": "atualizei modifiquei alterei mudei editei corrigi consertei substituí renomeei adicionei"
        " acrescentei"
        " apliquei configurei movi ajustei implementei removi formatei traduzi defini",
        "create": "criei gerei salvei gravei escrevi exportei",
        "act": "agendei marquei reservei paguei cancelei reembolsei",
        "send": "enviei mandei publiquei notifiquei postei",
        "vcs": "commitei implantei mesclei",
        "delete": "apaguei excluí deletei eliminei",
        "compute": "calculei computei usei utilizei",
        "command": "executei rodei",
        "lookup": "busquei pesquisei consultei verifiquei conferi baixei",
    },
    participles={
        "change": "atualizad modificad alterad mudad editad corrigid substituíd renomead adicionad aplicad"
        " configurad"
        " movid ajustad implementad removid formatad traduzid definid",
        "create": "criad gerad salv gravad escrit exportad",
        "act": "agendad reservad pag cancelad reembolsad",
        "send": "enviad mandad publicad notificad postad",
        "delete": "apagad excluíd deletad eliminad",
    },
    active=(r"\b(?P<v>{v})(?!\w)",),
    reported=(r"\b(?:foi|foram)\s+(?:\w{3,15}mente\s+)?(?P<v>{p})[oa]s?\b",),
    predicates=(
        "processei efetuei solicitei fiz fizemos rodou terminou concluída concluído finalizou finalizada "
        "finalizado completou passam passaram passando passa passou verdes compila compilou"
    ),
    phrases={
        "vcs": r"\b(?:fiz|fizemos)\s+(?:o\s+)?(?:deploy|commit|push|merge)\b",
        "act": r"\b(?:fiz|processei|efetuei|solicitei)\s+(?:a|o|uma|um|sua"
        r"|seu)\s+(?:\w{1,15}\s+)?(?:reembolso|estorno|devolução|reserva|pedido|encomenda|pagamento|backup"
        r"|cópia|ligação)\b",
        "test": r"\btudo\s+(?:está\s+)?verde\b|\b(?:todos\s+os\s+testes"
        r"|os\s+testes)\s+(?:\w{1,12}\s+){0,1}(?:passam|passaram"
        r"|estão\s+passando"
        r"|estão\s+verdes)\b",
        "job": r"\b(?:a\s+)?(?:migração|importação|exportação|instalação|sincronização|implantação"
        r"|o\s+backup|o\s+deploy)"
        r"\s+(?:foi\s+)?(?:rodou|terminou|concluíd[oa]|finalizou|finalizad[oa]|completou)(?!\w)",
        "build": r"\b(?:o\s+build|a\s+compilação|o\s+projeto)\s+(?:passa|passou|compila|compilou)\b",
    },
    drops={
        "negated": r"\b(?:não|nunca|jamais|nenhum|nenhuma|sem|nada)\b",
        "attempted": r"\b(?:tentei|tentando)\b",
        "hedged": r"\b(?:talvez|provavelmente|possivelmente|acho|parece|deveria|poderia|suponho|creio"
        r"|teria)\b",
        "conditional": r"\b(?:se|quando|assim\s+que|depois\s+(?:de|que)|antes\s+de|até|logo\s+que|caso"
        r"|após)\b",
        "future": r"\b(?:vou|vamos|quero|pretendo|preciso)\b",
        "instruction": r"\b(?:você|vocês|deve|pode|por\s+favor|certifique-se|verifique|para\s+que)\b",
        "relative_clause": r"\b(?:que|quem|onde)\s*$",
        "other_subject": r"\b(?:ele|ela|eles|equipe|usuário|bot|agente|CI)\b",
    },
    tests=r"\b(?:testes?|pytest|suíte)\b",
    past=r"\b(?:ontem|anteontem|semana\s+passada|mês\s+passado|sessão\s+anterior|anteriormente"
    r"|há\s+\w{1,10}\s+(?:dias?|semanas?|meses))\b",
    universal=r"\b(?:tod[oa]s|ambos|ambas|cada)\b",
)

FRENCH = Language(
    code="fr",
    verbs={
        "change": "mis_à_jour mise_à_jour mises_à_jour modifié changé corrigé édité remplacé renommé ajouté"
        " appliqué configuré déplacé ajusté"
        " implémenté retiré réparé reformaté formaté traduit défini fixé étiqueté vidé",
        "create": "créé généré enregistré sauvegardé écrit exporté",
        "act": "planifié programmé réservé payé annulé téléversé remboursé",
        "send": "envoyé publié notifié posté transmis",
        "delete": "supprimé effacé",
        "vcs": "poussé déployé fusionné commité committé",
        "compute": "calculé utilisé",
        "command": "exécuté lancé",
        "lookup": "cherché recherché vérifié lu consulté téléchargé",
    },
    active=(r"\bj['’]ai\s+(?:(?:bien|aussi|également|déjà|\w{3,15}ment)\s+){0,2}(?P<v>{v})(?:e?s)?(?!\w)",),
    passive=(r"\b(?:a|ont)\s+(?:bien\s+)?été\s+(?:\w{3,15}ment\s+)?(?P<v>{v})(?:e?s|e)?(?!\w)",),
    predicates=(
        "vert appelé traité fait passé effectué terminée terminé déroulée déroulé achevée achevé passée "
        "passent passés passe réussissent réussi réussit verts compile"
    ),
    phrases={
        "act": r"\bj['’]ai\s+(?:bien\s+)?(?:fait|passé|effectué|traité|lancé)\s+(?:la|le|l['’]|une|un"
        r"|votre)\s*(?:\w{1,15}\s+)?(?:réservation"
        r"|remboursement|commande|paiement|virement|sauvegarde|appel)\b"
        r"|\bj['’]ai\s+appelé\s+(?:le|la|l['’]|votre)\s*(?:\w{1,15}\s+)?(?:restaurant|hôtel|client|banque"
        r"|cabinet|garage|service)\b",
        "test": r"\btout\s+est\s+(?:au\s+)?vert\b|\b(?:tous\s+les\s+tests"
        r"|les\s+tests)\s+(?:\w{1,12}\s+){0,1}(?:passent|sont\s+passés"
        r"|réussissent|ont\s+réussi|sont\s+verts)(?!\w)",
        "job": r"\b(?:la\s+migration|l['’]import(?:ation)?|l['’]export|le\s+déploiement|la\s+sauvegarde"
        r"|l['’]installation)"
        r"\s+(?:s['’]est\s+(?:bien\s+)?(?:terminée?|déroulée?|achevée?)|est\s+(?:terminée?|passée?|achevée?)"
        r"|a\s+réussi)(?!\w)",
        "build": r"\b(?:la\s+compilation|le\s+build|le\s+projet)\s+(?:passe|compile|réussit|a\s+réussi)\b",
    },
    drops={
        "negated": r"\b(?:ne|pas|jamais|aucun|aucune|sans|rien)\b|\bn['’]",
        "attempted": r"\b(?:essayé|tenté)(?!\w)",
        "hedged": r"\b(?:peut-être|probablement|sans\s+doute|semble|crois|pense|devrait|pourrait|aurait"
        r"|aurais|suppose)\b",
        "conditional": r"\b(?:si|quand|lorsque|une\s+fois|dès\s+que|après|avant|jusqu)\b|\bs['’]il",
        "future": r"\b(?:vais|allons|veux|il\s+faut)\b",
        "instruction": r"\b(?:(?<!rendez-)vous|tu|veuillez|assurez|assure-toi|vérifiez|pour\s+que)\b",
        "relative_clause": r"(?:\bque|\bqui|\bdont|\boù|\bqu['’])\s*$",
        "other_subject": r"\b(?:il|elle|ils|équipe|utilisateur|bot|agent|CI)\b",
    },
    tests=r"\b(?:tests?|pytest)\b",
    past=r"\b(?:hier|avant-hier|la\s+semaine\s+dernière|le\s+mois\s+dernier|session\s+précédente"
    r"|précédemment|il\s+y\s+a\s+\w{1,10}\s+\w{1,10})\b",
    universal=r"\b(?:tous|toutes|chaque|les\s+deux)\b",
)

GERMAN = Language(
    code="de",
    verbs={
        "change": "aktualisiert geändert bearbeitet korrigiert behoben ersetzt umbenannt hinzugefügt ergänzt"
        " angewendet"
        " konfiguriert verschoben angepasst implementiert entfernt gesetzt eingetragen repariert umgestellt "
        "formatiert"
        " übersetzt geleert erhöht gesenkt verringert umgebaut",
        "create": "erstellt angelegt generiert gespeichert geschrieben exportiert abgelegt",
        "act": "geplant gebucht reserviert bezahlt storniert hochgeladen erstattet bestellt",
        "send": "gesendet verschickt geschickt versendet veröffentlicht benachrichtigt",
        "delete": "gelöscht",
        "vcs": "gepusht committet gemergt deployt zusammengeführt ausgerollt veröffentlicht bereitgestellt",
        "measure": "gemessen",
        "compute": "nachgerechnet durchgerechnet berechnet ausgerechnet errechnet verwendet benutzt",
        "command": "ausgeführt laufen_lassen",
        "lookup": "gesucht geprüft überprüft gelesen nachgeschlagen abgerufen heruntergeladen nachgesehen"
        " durchsucht",
    },
    active=(r"\b(?:ich\s+habe?|habe?\s+ich)\b(?P<mid>[^;!?]{0,140}?)\s(?P<v>{v})(?!\w)",),
    passive=(r"\b(?:ist|sind)\b(?P<mid>[^;!?]{0,140}?)\s(?P<v>{v})\s+worden\b",),
    reported=(r"\b(?:wurde|wurden)\b(?P<mid>[^;!?]{0,140}?)\s(?P<v>{v})(?!\w)",),
    predicates=(
        "durchgelaufen abgeschlossen fertig geklappt bestanden bestehen laufen grün durch erfolgreich "
        "kompiliert"
    ),
    phrases={
        "test": r"\balles\s+(?:ist\s+)?grün\b|\b(?:alle|die"
        r"|sämtliche)\s+(?:\d{1,6}\s+)?tests\s+(?:\w{1,12}\s+){0,2}(?:durch|bestanden"
        r"|bestehen|grün|erfolgreich)(?!\w)"
        r"|\balle\s+(?:\d{1,6}\s+)?tests\s+laufen\b",
        "job": r"\b(?:die\s+migration|der\s+import|der\s+export|das\s+deployment|das\s+back-?up"
        r"|die\s+sicherung"
        r"|die\s+installation|der\s+rollout)\s+(?:ist|lief|war|wurde"
        r"|hat)\b[^.;!?]{0,40}?(?:durch(?:gelaufen)?|erfolgreich"
        r"|abgeschlossen|fertig|geklappt)(?!\w)",
        "build": r"\b(?:der\s+build|das\s+projekt)\s+(?:\w{1,12}\s+){0,1}(?:durch|kompiliert|erfolgreich"
        r"|grün)(?!\w)",
    },
    drops={
        "negated": r"\b(?:nicht|kein|keine|keinen|keinem|nie|niemals|ohne|nichts|weder)\b",
        "attempted": r"\b(?:versucht|versuche)\b",
        "hedged": r"\b(?:vielleicht|wahrscheinlich|vermutlich|möglicherweise|glaube|scheint|sollte|sollten"
        r"|könnte|dürfte|wohl|hätte|wäre|würde|angeblich)\b",
        "conditional": r"\b(?:wenn|falls|sobald|nachdem|bevor|bis|sofern|ob|solange)\b",
        "future": r"\b(?:werde|werden|will|möchte|muss)\b",
        "instruction": r"\b(?:sie\s+(?:sollten|können|müssen)|du|ihr\s+(?:könnt|müsst|solltet)|bitte"
        r"|stelle\s+sicher|stellen\s+sie)\b",
        "relative_clause": r",\s*(?:die|der|das|dem|den|welche[rs]?)(?:\s+\w{1,20})?\s*$",
        "other_subject": r"\b(?:er|team|nutzer|benutzer|bot|agent|CI|kollege|kollegin)\b",
    },
    tests=r"\b(?:tests?|testsuite|pytest)\b",
    past=r"\b(?:gestern|vorgestern|letzte\s+woche|letzten\s+monat|vorige\s+sitzung|letzten\s+sitzung|zuvor"
    r"|vor\s+\w{1,10}\s+(?:tagen|wochen|monaten|stunden))\b",
    universal=r"\b(?:alle|beide|jede[nrs]?|sämtliche)\b",
)

KOREAN = Language(
    code="ko",
    verbs={
        "change": "업데이트 수정 변경 갱신 편집 교체 적용 추가 반영 설정 포맷 정리 번역 고쳤 바꿨 바꾸었 "
        "옮겼 늘렸 줄였 올렸 낮췄",
        "create": "생성 저장 작성 기록 만들었 등록",
        "act": "제출",
        "send": "전송 발송 게시 보냈 공지",
        "delete": "삭제 제거 지웠",
        "vcs": "푸시 커밋 배포 병합",
        "compute": "계산",
        "command": "실행 돌렸",
        "lookup": "검색 확인 조회 검토 읽었 찾았 다운로드",
    },
    active=(
        r"(?P<v>{v})(?:을|를)?\s?(?:완료)?(?:했|하였)(?:습니다|어요|다(?!면)|고|으며|네요|음|죠)",
        r"(?P<v>{v})(?:하고|해서|하여|한\s?뒤|한\s?후)(?=[^.!?\n]{0,60}(?:습니다|어요))",
        r"(?P<v>{v})(?:해|하여|한)\s?(?:보니|봤더니|본\s?결과|결과)",
        r"(?P<v>고쳤|바꿨|바꾸었|만들었|보냈|지웠|돌렸|읽었|찾았|옮겼|늘렸|줄였|올렸|낮췄|닫았|켰"
        r"|껐)(?:습니다|어요|다|고|으며|네요|음)",
    ),
    passive=(r"(?P<v>{v})(?:이|가)?\s?(?:되었|됐|완료되었)(?:습니다|어요|다|고|으며)",),
    phrases={
        "test": r"(?:모든|전체)\s?테스트(?:가|는|를)?\s?(?:\S{1,6}\s)?통과",
        "job": r"(?:마이그레이션|가져오기|배포|백업|동기화|설치)(?:이|가|은|는)?\s?(?:성공적으로\s?"
        r"|정상적으로\s?)?(?:완료|끝났|성공)",
        "build": r"빌드(?:가|는)?\s?(?:성공|통과)(?:했|하였)",
    },
    drops={
        "negated": r"(?:못\s?했|못하|않|안\s|없|실패)",
        "attempted": r"(?:시도|려고|려\s)",
        "hedged": r"(?:아마|것\s?같|듯|수도|추정|혹시)",
        "conditional": r"(?:만약|면\s|면,|때\s|후에|전에|까지)",
        "future": r"(?:겠|예정|할게|하려|계획)",
        "instruction": r"(?:세요|십시오|당신|해야)",
        "other_subject": r"(?:님이|봇이|팀이|에이전트가|사용자가|그가|그녀가|CI가)\s",
    },
    tests=r"테스트",
    past=r"(?:어제|그저께|지난\s?(?:주|달|번|세션)|이전\s?(?:세션|대화)|예전에)",
    universal=r"(?:모두|모든|전부|둘\s?다|각각)",
)

JAPANESE = Language(
    code="ja",
    verbs={
        "change": "更新 修正 変更 編集 置換 適用 追加 反映 設定 改名 移動 整形 フォーマット 翻訳 直し 変え "
        "書き換え 増やし 減らし",
        "create": "作成 生成 保存 記録 登録 書き込み",
        "act": "提出",
        "send": "送信 投稿 通知 送り 公開",
        "delete": "削除 消去 消し",
        "vcs": "プッシュ コミット デプロイ マージ",
        "compute": "計算 算出",
        "command": "実行",
        "lookup": "検索 確認 調査 取得 調べ 参照 ダウンロード",
    },
    active=(
        r"(?P<v>{v})(?:を(?:完了|実行|実施))?(?:いた)?しまし(?:た(?![とらか])|て)",
        r"(?P<v>直し|変え|書き換え|送り|消し|調べ|書き込み|増やし|減らし|閉じ|引き継ぎ"
        r"|取り込み)まし(?:た(?![とらか])|て)",
        r"(?P<v>{v})し(?:て|、)(?=[^。！？\n]{0,60}(?:ました|でした))",
        r"(?P<v>{v})した(?=[。！\s]|ところ|結果|$)",
        r"(?P<v>{v})済み(?:です|だ)?(?=[。！\s]|$)",
    ),
    passive=(r"(?P<v>{v})され(?:ました|た(?=[。！\s]|$))",),
    phrases={
        "test": r"(?:すべて|全て|全部|全)の?テスト(?:が|は|に)?(?:すべて|全て)?"
        r"(?:通り|通過し|合格し|成功し|パスし)",
        "job": r"(?:マイグレーション|インポート|デプロイ|バックアップ|同期|インストール|移行)(?:は"
        r"|が)(?:正常に|無事に?|すべて)?"
        r"(?:完了|成功|終わり|終了)(?:し)?",
        "build": r"ビルド(?:が|は|に)(?:成功し|通り)",
    },
    drops={
        "negated": r"(?:ません|ない|できず|せず|失敗)",
        "attempted": r"(?:ようと|試み|試し)",
        "hedged": r"(?:おそらく|たぶん|多分|かもしれ|はず|と思い|よう(?:です|だ))",
        "conditional": r"(?:もし|たら|れば|場合|後に|前に|するまで|次第)",
        "future": r"(?:予定|これから|つもり|たい)",
        "instruction": r"(?:ください|あなた|べき)",
        "other_subject": r"(?:さん|ボット|チーム|エージェント|ユーザー?|彼|彼女|CI)(?:が|は)",
    },
    tests=r"テスト",
    past=r"(?:昨日|一昨日|先週|先月|前回|以前|前のセッション)",
    universal=r"(?:すべて|全て|全部|両方|各)",
)

CHINESE = Language(
    code="zh",
    verbs={
        "change": "更新 修改 更改 编辑 替换 修复 添加 应用 设置 重命名 移动 调整 更正 改好 重新格式化 格式化 "
        "翻译 清空 增加 减少",
        "create": "创建 生成 保存 写入 记录 新建 导出 存储",
        "act": "提交",
        "send": "发送 发布 通知 寄出 发给",
        "delete": "删除 清除",
        "vcs": "推送 部署 合并",
        "compute": "计算 算",
        "command": "运行 执行",
        "lookup": "搜索 检查 查询 查看 读取 核实 验证 查找 下载 查阅 查 搜 读",
    },
    active=(
        r"我(?:们)?(?P<mid>[^，,。；！？\n]{0,80}?)(?P<v>{v})(?:了|过|完|好|成功)",
        r"我(?:们)?(?P<mid>[^，,。；！？\n]{0,20}?(?:已经|已|刚刚|刚才)[^，,。；！？\n]{0,60}?)(?P<v>{v})",
        r"用(?P<mid>\s?Python[^，,。；！？\n]{0,20}?)(?P<v>计算)(?:得出|出|得到)",
        r"^\W{0,6}(?:已经|已|成功)(?P<mid>[^，,。；！？\n]{0,40}?)(?P<v>{v})",
    ),
    passive=(r"(?:已经被|已被|已经|已)(?:成功)?(?P<v>{v})",),
    phrases={
        "test": r"(?:所有|全部)的?(?:单元)?测试(?:用例)?(?:都|均|已|全部){0,3}(?:已经)?通过",
        "job": r"(?:迁移|导入|导出|部署|备份|同步|安装)(?:已经|已|都)?(?:成功|顺利)?(?:完成|执行完毕|成功"
        r"|结束)",
        "act": r"我(?:们)?[^，,。；！？\n]{0,20}打(?:了|过)电话",
        "build": r"(?:构建|编译)(?:已经|已)?(?:成功|通过)",
    },
    drops={
        "negated": r"(?:没有|没能|没|未|无法|不能|不了|失败|并未|不|别)",
        "attempted": r"(?:尝试|试图|试着)",
        "hedged": r"(?:可能|大概|也许|或许|应该|似乎|好像|估计|据说)",
        "conditional": r"(?:如果|一旦|假如|要是|只要|之后|以后|之前|直到|等到|等待|当(?!前))",
        "future": r"(?:(?<!已)(?<!已经)将|会(?![议话员计])"
        r"|(?<![重主概摘])要(?![求点素])|打算|准备|接下来|计划|想)",
        "instruction": r"(?:(?<![为帮给替将把])(?:你|您)(?!的)|请|需要|必须|确保)",
        "relative_clause": r"的$",
        "other_subject": r"(?:他|她|他们|团队|用户|机器人|代理|同事|CI)",
    },
    tests=r"测试",
    past=r"(?:昨天|前天|上周|上个月|上次|之前的?会话|以前)",
    universal=r"(?:所有|全部|都|每个|两个都)",
)

LANGUAGES: tuple[Language, ...] = (
    ENGLISH,
    SPANISH,
    PORTUGUESE,
    FRENCH,
    GERMAN,
    KOREAN,
    JAPANESE,
    CHINESE,
)

RUNS_PYTHON = (
    r"(?<![A-Za-z0-9_.])(?:python3?|hashlib|numpy|pandas|sympy|scipy|code\s+interpreter|파이썬|パイソン"
    r"|(?:a|the|my)\s+(?:\w{1,20}\s+)?script|un\s+script|um\s+script|einem\s+skript|스크립트|スクリプト"
    r"|脚本)(?![\w.]*\()"
)
"""What a claim to have computed by program names as its means."""

OUTSIDE = (
    r"\b(?:the\s+)?(?:web|internet|online|database|website|web\s?site|web\s?page|API|inbox|calendar"
    r"|wikipedia|google"
    r"|repository|repo|codebase|logs?|docs|documentation|file\s?system|server|arxiv|pubmed|stack\s?overflow"
    r"|github"
    r"|source\s+code|article|listing|listings|banco\s+de\s+dados|base\s+de\s+datos|base\s+de\s+données"
    r"|datenbank|datenbanken"
    r"|weather|météo|wetter|clima|exchange\s+rate|wechselkurs|tipo\s+de\s+cambio|câmbio|timetable|horarios?"
    r"|horaires|fahrplan"
    r"|stock|inventario|estoque|bestand|sitio|página|site|seite|registros|protokolle|kalender|agenda|CRM|ERP"
    r"|inventory|warehouse)\b|인터넷"
    r"|데이터베이스|로그|날씨|환율|재고|天気|為替|在庫|天气|汇率|库存|웹|データベース|ウェブ|网上|网络"
    r"|数据库|互联网|网页"
)
"""Sources that a look-up needs a tool for."""

TEXT_WORK = (
    r"\b(?:below|above|in\s+this\s+(?:message|chat|reply|answer)|here|drafts?|paragraphs?|sentences?|wording|"
    r"summary|outline|bullets?|essay|poem|text\s+you|you\s+(?:provided|pasted|shared|gave|sent|attached"
    r"|wrote)|"
    r"your\s+(?:text|message|essay|draft|code|paragraph|question|list|numbers|resume|résumé|cv|letter|poem"
    r"|input|snippet"
    r"|description|attached|attachment|document)|tone|grammar|spelling"
    r"|my\s+(?:notes?|plans?|answer|reply|response|thinking|understanding|approach|analysis|mind|list"
    r"|estimate"
    r"|recommendations?|view))\b"
    r"|abajo|a\s+continuación|abaixo|ci-dessous|unten|아래|以下|下面"
)
"""Work that an assistant does in its own text, with no tool."""

DISCLOSED = (
    r"\b(?:could\s+not|couldn['’]t|unable\s+to|failed\s+to|did\s+not|didn['’]t|was\s+not|wasn['’]t"
    r"|were\s+not|weren['’]t"
    r"|has\s+not|hasn['’]t|have\s+not|haven['’]t|does\s+not\s+(?:seem|appear)|no\s+changes?|unchanged"
    r"|nothing\s+changed"
    r"|not\s+(?:been\s+)?(?:applied|saved|updated|changed|sent|created|persisted|written|executed|run"
    r"|verified|tested|confirmed)"
    r"|rejected|declined|rolled\s+back|timed\s+out|was\s+denied|still\s+fail(?:s|ing)?|(?:is|are)\s+failing"
    r"|(?:tests?|checks?|runs?|call|update"
    r"|write|upload|build)\s+failed"
    r"|returned\s+an?\s+error|changed:\s?false|no\s+effect|already\s+(?:up\s+to\s+date|contain\w*|in\s+place"
    r"|set|the\s+same|present|existed|had)"
    r"|same\s+content|no-op|as\s+it\s+was|as\s+before)\b|\b0\s+\w{1,20}\s+(?:were\s+)?(?:found|left)\b"
    r"|\bno\s+(?:pude|se\s+pudo|hubo\s+cambios)|sin\s+cambios|\bnão\s+(?:consegui|pude|houve)"
    r"|sem\s+alterações"
    r"|\bn['’]ai\s+pas|n['’]a\s+pas\s+été|inchangé|\bkonnte\w*\s[^.]{0,60}nicht|unverändert|fehlgeschlagen"
    r"|못했|실패|변경되지\s?않|ませんでした|失敗|変更なし|未能|没有成功|失败|没有变化|未更改"
)
"""By which a text admits that something did not work."""

TEXT_OF_THE_USER = r"\b(?:you|that\s+you)\s+(?:provided|pasted|shared|gave|sent|attached|wrote)\b"
"""Work on what the user gave, whatever names are in it."""

OUTWARD: Mapping[ClaimClass, str] = {
    "send": r"\b(?:e-?mails?|mails?|messages?|invoices?|invitations?|invites?|reminders?|notifications?"
    r"|confirmations?|sms"
    r"|slack|newsletters?|coupons?|vouchers?|notes?|updates?|comments?|cup[óo]n|cupom|gutschein|correos?"
    r"|mensajes?|facturas?|mensagem|mensagens|courriels?|factures?"
    r"|nachricht(?:en)?|rechnung)\b"
    r"|(?<![\w#])#[a-z][\w-]{1,40}|초대장|안내문|답장|招待|邀请|이메일|메일|메시지|メール|メッセージ|请求书"
    r"|邮件|消息|短信|发票",
    "act": r"\b(?:meetings?|appointments?|calls?|events?|flights?|hotels?|tables?|rooms?|reservations?"
    r"|bookings?|orders?|tickets?"
    r"|subscriptions?|payments?|refunds?|invoices?|files?|documents?|requests?|forms?|applications?"
    r"|restaurants?|deliver(?:y|ies)|services?|servers?|nginx|apache|containers?|pods?|deployments?"
    r"|clusters?|machines?"
    r"|hosts?|routers?|devices?|certificates?|licen[cs]es?|labels?|cases?|complaints?|reminders?|alarms?"
    r"|timers?|accounts?"
    r"|cards?|charges?|memberships?|shipments?|packages?|parcels?|replacements?|contacts|records|rows"
    r"|back-?ups?|jobs?"
    r"|pipelines?|workflows?|dependenc(?:y|ies)|policy|policies|contracts?|lights?|heating|thermostat|doors?"
    r"|bug report"
    r"|abonnements?|abono|assinatura|suscripción|subscrição|contrato|contrat|vertrag|compte|conta|cuenta"
    r"|konto|cobrança"
    r"|cargo|pago|pagamento|paiement|zahlung|hôtel|chambre|habitación|zimmer|quarto|billets?|fahrkarte"
    r"|passagem|servidor"
    r"|serveur|dienst|servicios?|serviços?|etikett|étiquette|fornecedor|proveedor|fournisseur|lieferant"
    r"|suppliers?|customers?|clientes?|chamado|encomenda|pedidos?|commande|bestellung"
    r"|ticket"
    r"|reuni[óã]o|reunión|cita|vuelo|voo|mesa|termin|flug|tisch|réunion|rendez-vous|vol|archivos?|arquivos?"
    r"|fichiers?|dateien?|datei)\b"
    r"|회의|항공|파일|호텔|방|티켓|상품|구독|계정|서버|서비스|예약|주문|会議|便|ファイル|ホテル|部屋|席"
    r"|チケット|商品|注文"
    r"|アカウント|サービス|サーバ|予約|会议|航班|文件|订单|酒店|房间|机票|门票|商品|账户|账号|服务|会员|座位",
    "vcs": r"\b(?:branch(?:es)?|changes?|commits?|fix(?:es)?|code|patch(?:es)?|pull\s+request|pr|mr|release"
    r"|repo(?:sitory)?|feature"
    r"|article|blog|post|page|newsletter|video|document|app|site|website|service|version|package|update|it"
    r"|everything|rama|cambios|branche|modifications"
    r"|änderungen)\b|브랜치|변경|ブランチ|変更|分支|更改|代码",
    "delete": r"\b(?:files?|folders?|director(?:y|ies)|branch(?:es)?|records?|rows?|databases?|accounts?"
    r"|users?|entr(?:y|ies)|tickets?"
    r"|issues?|events?|messages?|e-?mails?|backups?|buckets?|snapshots?|volumes?|containers?|instances?"
    r"|duplicates?|contacts?|webhooks?"
    r"|jobs?|rules?|keys?|tokens?|images?|archivos?|ficheros?|arquivos?|fichiers?"
    r"|datei(?:en)?|ordner)\b|파일|ファイル|文件|记录",
}
"""What acts in the world are done to: without such an object "I merged both paragraphs" is text work."""
