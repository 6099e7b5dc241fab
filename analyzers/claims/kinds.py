"""What a call may count as evidence of, by the words of its tool's name and by its command. Generous.

`opaque` is a call of which nothing tells what it did (an unknown tool, a script, a sub-agent): it
contradicts nothing and excuses much.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

MAX_ARGUMENT_CHARS = 50_000
_NAME_WORDS: dict[str, frozenset[str]] = {
    kind: frozenset(words.split())
    for kind, words in {
        "write": "edit update write create add insert modify change set patch replace save rename move"
        " append upsert"
        " store assign apply configure upload register schedule reschedule book order pay refund cancel"
        " submit invite"
        " make put export generate record log remove enable disable close resolve transfer fill increment"
        " mkdir copy"
        " exchange return draft scale restart reboot start stop shutdown renew print import ingest sync"
        " synchronize synchronise migrate install uninstall upgrade restore backup activate deactivate lock "
        "unlock"
        " block unblock suspend revoke grant approve prune clean invite render mute unmute silence extend "
        "convert translate migration escalate ship dispatch trigger issue turn switch toggle"
        " label tag format rotate clear reset merge purchase buy charge transition schedule reserve subscribe"
        " unsubscribe provision apply rollback"
        " actualizar modificar cambiar crear guardar agregar reservar cancelar pagar ajustar cerrar abrir "
        "registrar"
        " atualizar alterar criar salvar adicionar agendar fechar editar ajouter creer modifier enregistrer "
        "annuler"
        " payer fermer reserver commander imprimir imprimer aendern anlegen erstellen speichern buchen "
        "stornieren"
        " bezahlen schliessen bestellen drucken aktualisieren setzen reembolsar estornar rembourser "
        "erstatten",
        "send": "send post email mail message notify reply forward slack sms publish tweet notification"
        " enviar mandar envoyer senden versenden schicken correo sms whatsapp telegram courriel nachricht",
        "delete": "delete remove rm drop purge trash erase unlink eliminar borrar excluir apagar"
        " supprimer loeschen",
        "vcs": "push commit merge deploy pull publish release tag pr rebase",
        "test": "test tests pytest jest unittest testing",
        "build": "build compile make",
        "lint": "lint typecheck mypy eslint ruff",
        "python": "python code interpreter eval evaluate repl notebook jupyter calculator calculate compute"
        " math"
        " wolfram sandbox execute",
        "lookup": "read get list search find fetch view cat grep glob query lookup open browse browser web"
        " scrape"
        " retrieve check status show describe inspect navigate crawl ls tree recall count download visit"
        " look locate"
        " select load screenshot buscar consultar leer ler obter obtener listar ver lire chercher lister "
        "suchen lesen"
        " abfragen holen info details history version",
        "delegate": "task agent subagent delegate handoff transfer spawn dispatch workflow crew hook skill",
        "shell": "shell bash terminal exec command cmd powershell ssh console sh zsh",
        "noop": "think thought thinking todo todowrite plan final finish noop",
    }.items()
}
NOOP_NAMES = re.compile(
    r"^(?:tool_?search|search_?tools?|list_?tools|.*update_plan|.*todo_?(?:write|read|list)"
    r"|.*final_?answer)$",
    re.I,
)
_COMMAND_KEYS = ("command", "cmd", "commands", "script", "shell_command", "input", "code", "bash", "argv")
_EDITOR_COMMANDS = {
    "view": "lookup",
    "create": "write",
    "str_replace": "write",
    "insert": "write",
    "undo_edit": "write",
}
_TEST_RUN = re.compile(
    r"\b(?:pytest|py\.test|unittest|nosetests|tox|nox|jest|vitest|mocha|karma|ava|cypress|playwright\s+test"
    r"|rspec|phpunit|ctest"
    r"|busted|pest|(?:npm|yarn|pnpm|bun|deno|cargo|go|dotnet|swift|mix|flutter|dart|zig|mvnw?|gradlew?|make"
    r"|just|rake|rails|bazel|lein|sbt"
    r"|mise|hatch|rye|uv|poetry|pdm|task|nx|turbo)\b[^|;&\n]{0,60}?\btest(?:s|ing)?\b"
    r"|go\s+vet\s+&&\s+go\s+test|runtests|manage\.py\s+test)",
    re.IGNORECASE,
)
_TESTISH = re.compile(r"test|spec\b", re.IGNORECASE)
_BUILD_RUN = re.compile(
    r"\b(?:go\s+(?:build|install)|cargo\s+(?:build|check)|(?:npm|yarn|pnpm|bun)\b[^|;&\n]{0,20}?\b(?:build"
    r"|compile)|tsc|webpack|vite\s+build|next\s+build"
    r"|gcc|g\+\+|clang|javac|mvnw?\b[^|;&\n]{0,30}?\b(?:package|compile|install|verify)|gradlew?\b[^"
    r"|;&\n]{0,30}?\b(?:build|assemble)|dotnet\s+build"
    r"|cmake|ninja|make(?!\s+\w*test)|swift\s+build|xcodebuild|docker\s+build|py_compile|compileall"
    r"|bazel\s+build|meson|zig\s+build|msbuild)\b",
    re.IGNORECASE,
)
_LINT_RUN = re.compile(
    r"\b(?:ruff|flake8|pylint|mypy|pyright|eslint|clippy|tsc|golangci-lint|go\s+vet|rubocop|black|prettier"
    r"|biome|shellcheck|lint|typecheck|type-check"
    r"|check)\b",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"\b(?:python3?(?:\.\d+)?|ipython|node|deno|bun|ruby|perl|php|bc|awk|julia|Rscript|uv\s+run|jupyter|sage"
    r"|octave|expr)\b|\$\(\("
)
_READ_ONLY = re.compile(
    r"^\s*(?:sudo\s+)?(?:ls|cat|head|tail|grep|egrep|rg|ag|find|fd|pwd|wc|which|whereis|stat|test|true|tree"
    r"|env|printenv|date|ps|whoami|file|du"
    r"|df|diff|less|more|type|uname|hostname|id|sort|uniq|cut|jq|yq|md5sum|sha\d+sum|cd|echo|printf|export"
    r"|set|source|sleep|time|nproc|free|top|man"
    r"|sed\s+-n|git\s+(?:status|log|diff|show|branch|remote|blame|ls-files|rev-parse|grep|describe"
    r"|config\s+--get)|gh\s+\w+\s+(?:list|view|status|diff|checks)"
    r"|pip\s+(?:list|show|freeze)|npm\s+(?:ls|list|view|outdated)|docker\s+(?:ps|images|logs|inspect)"
    r"|kubectl\s+(?:get|describe|logs|top|explain|version|rollout\s+(?:status|history))"
    r"|(?:systemctl|service)\s+(?:\S+\s+)?(?:status|is-active|is-enabled|show|list-\S+)|journalctl"
    r"|helm\s+(?:list|status|get|history)|terraform\s+(?:plan|show|output|state\s+list)|docker\s+(?:stats"
    r"|version)"
    r"|aws\s+\S+\s+(?:ls|list-\S+|describe-\S+|get-\S+)|\S+\s+(?:--version|-V|-v|version)\s*$"
    r"|alembic\s+(?:current|history)|crontab\s+-l|nslookup|dig|ping|netstat|ss|lsof|\[)(?!\w)",
    re.IGNORECASE,
)
_SHELL_WRITE = re.compile(
    r"(?<![0-9&=<>-])>{1,2}(?!\s*(?:/dev/null|&))|\b(?:tee|sed\s+-[a-zA-Z]*i|perl\s+-[a-zA-Z]*i|mv|cp|mkdir"
    r"|touch|install|patch|git\s+(?:apply|mv|checkout|restore|commit|push"
    r"|merge|rebase|reset|revert|stash|cherry-pick|add|tag|am)|ln|chmod|chown|truncate|dd|rsync|unzip|tar"
    r"|kubectl\s+(?:apply|create|scale|set|patch|edit|replace|label|annotate|drain|cordon|uncordon|taint|cp"
    r"|rollout\s+(?:restart|undo|pause|resume))|systemctl\s+(?:\S+\s+)?(?:re)?(?:start|stop|load|enable"
    r"|disable)"
    r"|service\s+\S+\s+(?:re)?(?:start|stop|load)|docker\s+(?:\S+\s+)?(?:run|start|stop|restart|push|up|down"
    r"|rm|build)"
    r"|helm\s+(?:install|upgrade|rollback)|terraform\s+(?:apply|import)|reboot|shutdown|crontab"
    r"|(?:aws|gcloud|az|gsutil)\s[^|;&\n]{0,60}\b(?:cp|mv|mb|rb|sync|put-\S+|create\S*|update\S*|start\S*"
    r"|stop\S*|run\S*"
    r"|deploy|set\S*|add-\S+)|manage\.py\s+(?:migrate|loaddata)|alembic\s+(?:upgrade|downgrade)"
    r"|flyway\s+migrate"
    r"|npx\s+\S+\s+--(?:write|fix)|lpr?|certbot|apt(?:-get)?\s+(?:-y\s+)?install|brew\s+install"
    r"|(?:pnpm|yarn)\s+(?:add|install)|poetry\s+add|uv\s+(?:add|sync)|cargo\s+add"
    r"|pip\s+install|npm\s+(?:i|install|version)|apply_patch|gofmt\s+-w"
    r"|black|prettier\s+--write|(?:gh|glab)\s+(?:pr|issue|release|mr|repo)\s+(?:create|edit|close|merge"
    r"|comment|reopen|upload))\b",
    re.IGNORECASE,
)
_SHELL_DELETE = re.compile(
    r"\b(?:rm|rmdir|unlink|shred|git\s+(?:rm|clean|branch\s+-[dD]|push\s+\S+\s+--delete)|-delete|dropdb)\b"
    r"|--delete\b",
    re.I,
)
_SHELL_SEND = re.compile(
    r"\b(?:curl|wget|http|mail|sendmail|mutt|msmtp|gh\s+\w+\s+comment|slack|httpie)\b", re.IGNORECASE
)
_VCS = re.compile(
    r"\b(?:push|commit|merge|deploy\w*|publish|release|tag|rebase|pr\s+create|mr\s+create"
    r"|hub\s+pull-request)\b",
    re.IGNORECASE,
)
_OPAQUE_COMMAND = re.compile(
    r"\$\(|`|\bxargs\b|-exec\b|\*|\beval\b|\bsource\b|<<|\.sh\b|\./\w|\b(?:make|just|task|mise|rake|invoke"
    r"|nox|tox|docker|ansible\S*"
    r"|terraform|gradlew?|mvnw?|bazel)\b|\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?!test|build|install|i\b|ls"
    r"|list)\w"
)
_SQL_WRITE = re.compile(
    r"\b(?:update|insert\s+into|delete\s+from|alter|create|drop|merge\s+into|replace\s+into|truncate"
    r"|upsert)\b",
    re.I,
)
_SQL_DELETE = re.compile(r"\b(?:delete\s+from|drop|truncate)\b", re.IGNORECASE)
_SQL = re.compile(r"\b(?:select|update|insert|delete|alter|create|drop|with)\b\s", re.IGNORECASE)
_CHECKING_MODULE = re.compile(
    r"\bpython\S*\s+-m\s+(?:pytest|unittest|compileall|py_compile|mypy|ruff|flake8|pylint|pip)\b"
)
_SQL_CLIENT = re.compile(r"\b(?:psql|mysql|mariadb|sqlite3|clickhouse-client|duckdb)\b")
_DOES_NOTHING = re.compile(r"\s*(?:true|:|echo\b[^>$`]*)\s*")
_DATABASE_WORDS = frozenset({"sql", "query", "db", "database", "postgres", "sqlite", "mysql", "duckdb"})
_ACTION_KEYS = frozenset({"service", "command", "action", "operation", "method", "op", "type"})
_COMMAND_KINDS = (
    ("test", _TEST_RUN),
    ("testish", _TESTISH),
    ("build", _BUILD_RUN),
    ("lint", _LINT_RUN),
    ("python", _PROGRAM),
    ("write", _SHELL_WRITE),
    ("delete", _SHELL_DELETE),
    ("send", _SHELL_SEND),
    ("vcs", _VCS),
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


_LOOK_WORDS = """
    read get list search find fetch view show check describe inspect lookup retrieve cat grep glob browse
    status buscar consultar leer ler obter obtener listar ver lire chercher lister suchen lesen abfragen holen
"""
_LOOKS = frozenset(_LOOK_WORDS.split())


@lru_cache(maxsize=4096)
def only_looks(name: str) -> bool:
    """Whether the first word of a tool's name that says what it does is one of looking: `get_order`."""
    words = re.split(r"[^A-Za-z0-9]+", _CAMEL.sub(" ", name.rpartition("__")[2][:200]).lower())
    first = next((word for word in words if any(word in known for known in _NAME_WORDS.values())), "")
    return first in _LOOKS


@lru_cache(maxsize=4096)
def name_words(name: str) -> frozenset[str]:
    """The words of a tool's name, lower-case: `mcp__slack__postMessage` → mcp, slack, post, message."""
    return frozenset(word for word in re.split(r"[^A-Za-z0-9]+", _CAMEL.sub(" ", name[:200]).lower()) if word)


@lru_cache(maxsize=4096)
def named_kinds(words: frozenset[str]) -> frozenset[str]:
    """The kinds that the words of a tool's name give it."""
    return frozenset(kind for kind, known in _NAME_WORDS.items() if words & known)


def as_text(value: Any) -> str:
    """A value as text: JSON where it is not text already; "" for None."""
    if isinstance(value, str):
        return value
    try:
        return (
            "" if value is None else json.dumps(value, ensure_ascii=False, default=str)[:MAX_ARGUMENT_CHARS]
        )
    except (ValueError, RecursionError):
        return str(type(value))


def command_of(arguments: Any) -> str:
    """The command line or the code among a call's arguments, "" where there is none."""
    if isinstance(arguments, str):
        return arguments
    if isinstance(arguments, dict):
        for key in _COMMAND_KEYS:
            value = arguments.get(key)
            if isinstance(value, str):
                return value[:MAX_ARGUMENT_CHARS]
            if isinstance(value, list):
                return " ".join(str(part) for part in value)[:MAX_ARGUMENT_CHARS]
    return ""


@lru_cache(maxsize=4096)
def shell_kinds(command: str, named: frozenset[str]) -> frozenset[str]:
    """The kinds of a shell call, by its command. Without one it could have done anything."""
    kinds = {"shell"} | (named & {"test", "build", "lint", "python"})
    if not command.strip():
        return frozenset(kinds | {"opaque"})
    kinds |= {kind for kind, pattern in _COMMAND_KINDS if pattern.search(command)}
    parts = [part for part in re.split(r"&&|\|\||[;|\n]", command) if part.strip()][:200]
    harmless = all(_READ_ONLY.match(part) for part in parts) and not _SHELL_WRITE.search(command)
    if harmless:
        alone = len(parts) == 1 and _DOES_NOTHING.fullmatch(command)
        return frozenset({"noop"} if alone else {*(kinds - {"write", "vcs"}), "lookup"})
    if _SQL_CLIENT.search(command) and _SQL.search(command):
        kinds.add("write" if _SQL_WRITE.search(command) else "lookup")
    if (
        ("python" in kinds and not _CHECKING_MODULE.search(command))
        or _OPAQUE_COMMAND.search(command)
        or not (kinds - {"shell", "testish"})
    ):
        kinds.add("opaque")
    return frozenset(kinds)


def argument_kinds(arguments: Any, words: frozenset[str], named: frozenset[str]) -> frozenset[str]:
    """The kinds of a call: those of its name, and those that its arguments add."""
    kinds: set[str] = set()
    if isinstance(arguments, dict) and not _ACTION_KEYS.isdisjoint(arguments):
        for key in _ACTION_KEYS & arguments.keys():
            value = arguments[key]
            if isinstance(value, str) and len(value) < 40:
                kinds |= named_kinds(name_words(value)) - {"noop"}
                kinds |= {_EDITOR_COMMANDS[value]} if value in _EDITOR_COMMANDS else set()
                if value.upper() in ("POST", "PUT", "PATCH", "DELETE"):
                    kinds |= {"write", "send", "delete", "opaque"}
    if words & _DATABASE_WORDS and _SQL.search(query := as_text(arguments)):
        kinds.add("write" if _SQL_WRITE.search(query) else "lookup")
        if _SQL_DELETE.search(query):
            kinds.add("delete")
    if "python" in named:
        kinds.add("opaque")
        if _TESTISH.search(command_of(arguments)):
            kinds.add("testish")
    return _with_implied(named, words) | kinds


@lru_cache(maxsize=4096)
def _with_implied(named: frozenset[str], words: frozenset[str]) -> frozenset[str]:
    """The kinds of a name, and those that follow from it whatever the arguments."""
    kinds = set(named)
    if "delegate" in named or words & {"http", "request", "api"}:
        kinds.add("opaque")
    if "test" in named:
        kinds.add("testish")
    return frozenset(kinds)
