"""What a tool call did, read generously: its kinds, what it touched, how it ended.

A call counts for a kind by the words of its name or by its command. `opaque` is a call of which nothing
tells what it did (an unknown tool, a script, a sub-agent): it contradicts nothing and excuses much.
"""

from __future__ import annotations

import json
import re
from functools import cached_property, lru_cache
from typing import Any, Literal

from analyzers.claims.targets import emails_in, ids_in, paths_in
from analyzers.model import Session, ToolCall

Outcome = Literal["changed", "ok", "unchanged", "failed", "unknown"]

MAX_ARGUMENT_CHARS = 50_000
MAX_RESULT_CHARS = 20_000
"""Of a longer result its head and its tail are read, this many characters in all."""

_NAME_WORDS: dict[str, frozenset[str]] = {
    kind: frozenset(words.split())
    for kind, words in {
        "write": "edit update write create add insert modify change set patch replace save rename move append upsert"
        " store assign apply configure upload register schedule reschedule book order pay refund cancel submit invite"
        " make put export generate record log remove enable disable close resolve transfer fill increment mkdir copy"
        " exchange return draft",
        "send": "send post email mail message notify reply forward slack sms publish tweet notification",
        "delete": "delete remove rm drop purge trash erase unlink",
        "vcs": "push commit merge deploy pull publish release tag pr rebase",
        "test": "test tests pytest jest unittest testing",
        "build": "build compile make",
        "lint": "lint typecheck mypy eslint ruff",
        "python": "python code interpreter eval evaluate repl notebook jupyter calculator calculate compute math"
        " wolfram sandbox execute",
        "lookup": "read get list search find fetch view cat grep glob query lookup open browse browser web scrape"
        " retrieve check status show describe inspect navigate crawl ls tree recall count download visit look locate"
        " select load screenshot",
        "delegate": "task agent subagent delegate handoff transfer spawn dispatch workflow crew hook skill",
        "shell": "shell bash terminal exec command cmd powershell ssh console sh zsh",
        "noop": "think thought thinking todo todowrite plan final finish noop",
    }.items()
}
_NOOP_NAMES = re.compile(
    r"^(?:tool_?search|search_?tools?|list_?tools|.*update_plan|.*todo_?(?:write|read|list)|.*final_?answer)$",
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
    r"\b(?:pytest|py\.test|unittest|nosetests|tox|nox|jest|vitest|mocha|karma|ava|cypress|playwright\s+test|rspec|phpunit|ctest"
    r"|busted|pest|(?:npm|yarn|pnpm|bun|deno|cargo|go|dotnet|swift|mix|flutter|dart|zig|mvnw?|gradlew?|make|just|rake|rails|bazel|lein|sbt"
    r"|mise|hatch|rye|uv|poetry|pdm|task|nx|turbo)\b[^|;&\n]{0,60}?\btest(?:s|ing)?\b|go\s+vet\s+&&\s+go\s+test|runtests|manage\.py\s+test)",
    re.IGNORECASE,
)
_TESTISH = re.compile(r"test|spec\b", re.IGNORECASE)
_BUILD_RUN = re.compile(
    r"\b(?:go\s+(?:build|install)|cargo\s+(?:build|check)|(?:npm|yarn|pnpm|bun)\b[^|;&\n]{0,20}?\b(?:build|compile)|tsc|webpack|vite\s+build|next\s+build"
    r"|gcc|g\+\+|clang|javac|mvnw?\b[^|;&\n]{0,30}?\b(?:package|compile|install|verify)|gradlew?\b[^|;&\n]{0,30}?\b(?:build|assemble)|dotnet\s+build"
    r"|cmake|ninja|make(?!\s+\w*test)|swift\s+build|xcodebuild|docker\s+build|py_compile|compileall|bazel\s+build|meson|zig\s+build|msbuild)\b",
    re.IGNORECASE,
)
_LINT_RUN = re.compile(
    r"\b(?:ruff|flake8|pylint|mypy|pyright|eslint|clippy|tsc|golangci-lint|go\s+vet|rubocop|black|prettier|biome|shellcheck|lint|typecheck|type-check"
    r"|check)\b",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"\b(?:python3?(?:\.\d+)?|ipython|node|deno|bun|ruby|perl|php|bc|awk|julia|Rscript|uv\s+run|jupyter|sage|octave|expr)\b|\$\(\("
)
_READ_ONLY = re.compile(
    r"^\s*(?:sudo\s+)?(?:ls|cat|head|tail|grep|egrep|rg|ag|find|fd|pwd|wc|which|whereis|stat|test|true|tree|env|printenv|date|ps|whoami|file|du"
    r"|df|diff|less|more|type|uname|hostname|id|sort|uniq|cut|jq|yq|md5sum|sha\d+sum|cd|echo|printf|export|set|source|sleep|time|nproc|free|top|man"
    r"|sed\s+-n|git\s+(?:status|log|diff|show|branch|remote|blame|ls-files|rev-parse|grep|describe|config\s+--get)|gh\s+\w+\s+(?:list|view|status|diff|checks)"
    r"|pip\s+(?:list|show|freeze)|npm\s+(?:ls|list|view|outdated)|docker\s+(?:ps|images|logs|inspect)|kubectl\s+(?:get|describe|logs)|\[)\b",
    re.IGNORECASE,
)
_SHELL_WRITE = re.compile(
    r"(?<![0-9&=<>-])>{1,2}(?!\s*(?:/dev/null|&))|\b(?:tee|sed\s+-[a-zA-Z]*i|perl\s+-[a-zA-Z]*i|mv|cp|mkdir|touch|install|patch|git\s+(?:apply|mv|checkout|restore|commit|push"
    r"|merge|rebase|reset|revert|stash|cherry-pick|add|tag|am)|ln|chmod|chown|truncate|dd|rsync|unzip|tar|pip\s+install|npm\s+(?:i|install|version)|apply_patch|gofmt\s+-w"
    r"|black|prettier\s+--write|(?:gh|glab)\s+(?:pr|issue|release|mr|repo)\s+(?:create|edit|close|merge|comment|reopen|upload))\b",
    re.IGNORECASE,
)
_SHELL_DELETE = re.compile(
    r"\b(?:rm|rmdir|unlink|shred|git\s+(?:rm|clean|branch\s+-[dD]|push\s+\S+\s+--delete)|-delete|dropdb)\b|--delete\b",
    re.I,
)
_SHELL_SEND = re.compile(
    r"\b(?:curl|wget|http|mail|sendmail|mutt|msmtp|gh\s+\w+\s+comment|slack|httpie)\b", re.IGNORECASE
)
_VCS = re.compile(
    r"\b(?:push|commit|merge|deploy\w*|publish|release|tag|rebase|pr\s+create|mr\s+create|hub\s+pull-request)\b",
    re.IGNORECASE,
)
_OPAQUE_COMMAND = re.compile(
    r"\$\(|`|\bxargs\b|-exec\b|\*|\beval\b|\bsource\b|<<|\.sh\b|\./\w|\b(?:make|just|task|mise|rake|invoke|nox|tox|docker|ansible\S*"
    r"|terraform|gradlew?|mvnw?|bazel)\b|\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?!test|build|install|i\b|ls|list)\w"
)
_SQL_WRITE = re.compile(
    r"\b(?:update|insert\s+into|delete\s+from|alter|create|drop|merge\s+into|replace\s+into|truncate|upsert)\b",
    re.I,
)
_SQL_DELETE = re.compile(r"\b(?:delete\s+from|drop|truncate)\b", re.IGNORECASE)
_SQL = re.compile(r"\b(?:select|update|insert|delete|alter|create|drop|with)\b\s", re.IGNORECASE)

_DOES_NOTHING = re.compile(r"\s*(?:true|:|echo\b[^>$`]*)\s*")
_DATABASE_WORDS = frozenset({"sql", "query", "db", "database", "postgres", "sqlite", "mysql", "duckdb"})
_ACTION_KEYS = frozenset({"command", "action", "operation", "method", "op", "type"})
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

_REFUSED = re.compile(
    r"^\W{0,4}(?:unknown\s+(?:tool|function)|(?:tool|function)\s+\S{0,80}\s?(?:not\s+(?:found|loaded|available|recognized)|does\s+not\s+exist|is\s+not)"
    r"|no\s+such\s+tool|(?:the\s+)?user\s+(?:rejected|declined|denied|doesn['’]t\s+want)|(?:request|call|tool\s+use|operation|command)\s+(?:was\s+)?(?:rejected|denied|cancelled|blocked)"
    r"|rejected\b|permission\s+denied|access\s+denied|unauthorized|forbidden)",
    re.IGNORECASE,
)
_FAILED_TEXT = re.compile(
    r"^\W{0,4}(?:(?:\w{0,30}error|exception|fatal|failed|failure|fail)\s?[:!(\[]|error\b|traceback\s\(most|permission\s+denied|access\s+denied"
    r"|failed\s+to\b|could\s+not\b|cannot\b|can['’]t\b|unable\s+to\b|no\s+such\s+file|invalid\s|unauthorized|forbidden|not\s+found\b|timed?\s?out|timeout\b"
    r"|(?:old_str(?:ing)?|string(?:\s+to\s+replace)?|text|pattern)\s[^\n]{0,200}?not\s+found|(?:ba)?sh:\s|zsh:\s|[^\n]{1,60}:\s+command\s+not\s+found|4\d\d\s|5\d\d\s|http\s(?:error|[45]\d\d))",
    re.IGNORECASE,
)
_TALLY = re.compile(
    r"(?<![\d.])(?!0+\s)\d{1,7}\s+(?:failed|failing|failures?|errors?)\b|\bfail(?:ures|ed)?\s?[=:]\s?(?!0\b)\d|\berrors\s?[=:]\s?(?!0\b)\d|^(?:FAILED|FAIL)\b|\btest\s+result:\s+FAILED"
    r"|^--- FAIL|\bTests:\s+(?!0\b)\d{1,7}\s+failed|\bBUILD\s+FAILED|\bBUILD\s+FAILURE|\berror\[E\d{4}\]|\berror\s+TS\d{4}|^npm\s+ERR!",
    re.IGNORECASE | re.MULTILINE,
)
_EXIT = re.compile(
    r"\bexit(?:ed)?(?:[\s_-]?(?:code|status)|\s+with(?:\s+code)?)?\s?[:=]?\s?(-?\d{1,5})\b", re.IGNORECASE
)
_REDACTED = re.compile(
    r"^\W{0,4}(?:redacted|omitted|removed|truncated|content\s+(?:hidden|omitted)|not\s+captured|masked|filtered|\*{3,})\W{0,4}$",
    re.I,
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Fact:
    """A call with what is known of it, worked out when asked for: most facts are asked for their kinds alone.

    `sequence` is the place of the call's round in the session (0, 1, …), `order` that of the call.
    """

    def __init__(self, call: ToolCall, sequence: int, order: int = 0) -> None:
        self.call = call
        self.sequence = sequence
        self.order = order
        self.words = name_words(call.tool)
        if call.requested_tool and call.requested_tool != call.tool:
            self.words |= name_words(call.requested_tool)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """What the call may count as evidence of."""
        if _NOOP_NAMES.match(self.call.tool):
            return frozenset({"noop"})
        kinds = _named_kinds(self.words)
        if not kinds and self.words & {"run", "execute"} and self.command:
            kinds = frozenset({"shell"})
        if kinds == {"noop"}:
            return kinds
        if "shell" in kinds:
            return _shell_kinds(self.command, kinds)
        return kinds | _argument_kinds(self, kinds) or frozenset({"opaque"})

    @cached_property
    def command(self) -> str:
        """The command line or code that the call was given, "" where it has none."""
        return _command(self.call.arguments)

    @cached_property
    def arguments(self) -> str:
        """The arguments as text."""
        return _text(self.call.arguments)[:MAX_ARGUMENT_CHARS]

    @cached_property
    def result(self) -> str:
        """The result; of a long one its head and its tail."""
        result = self.call.result or ""
        if len(result) <= MAX_RESULT_CHARS:
            return result
        return result[: MAX_RESULT_CHARS // 2] + "\n" + result[-MAX_RESULT_CHARS // 2 :]

    @cached_property
    def result_lower(self) -> str:
        """The result in lower case."""
        return self.result.lower()

    @cached_property
    def ending(self) -> tuple[Outcome, str]:
        """How the call ended, and the field that says so."""
        return _outcome(self.call, self.result, self.kinds)

    @property
    def outcome(self) -> Outcome:
        """How the call ended."""
        return self.ending[0]

    @property
    def field(self) -> str:
        """The field that says how the call ended (`changed: false`)."""
        return self.ending[1]

    @cached_property
    def text(self) -> str:
        """The call's arguments and, of a call that does something, what it printed; lower-case."""
        does = self.kinds & {"write", "delete", "vcs", "send"}
        return (self.arguments + "\n" + self.result if does else self.arguments).lower()

    @cached_property
    def paths(self) -> frozenset[str]:
        """The paths named in the call, lower-case."""
        return paths_in(self.text)

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids named in the call, lower-case."""
        return ids_in(self.arguments + "\n" + self.result)

    @cached_property
    def emails(self) -> frozenset[str]:
        """The mail addresses named in the call, lower-case."""
        return emails_in(self.text)


def facts(session: Session) -> list[Fact]:
    """Every call of the session as a fact, in order; calls that do nothing by nature are left out."""
    found: list[Fact] = []
    for number, turn in enumerate(session.rounds):
        for call in turn.calls:
            fact = Fact(call, number, len(found))
            if "noop" not in fact.kinds:
                found.append(fact)
    return found


@lru_cache(maxsize=4096)
def name_words(name: str) -> frozenset[str]:
    """The words of a tool's name, lower-case: `mcp__slack__postMessage` → mcp, slack, post, message."""
    return frozenset(word for word in re.split(r"[^A-Za-z0-9]+", _CAMEL.sub(" ", name[:200]).lower()) if word)


@lru_cache(maxsize=4096)
def _named_kinds(words: frozenset[str]) -> frozenset[str]:
    return frozenset(kind for kind, known in _NAME_WORDS.items() if words & known)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return str(type(value))


def _command(arguments: Any) -> str:
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
def _shell_kinds(command: str, named: frozenset[str]) -> frozenset[str]:
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
    if "python" in kinds or _OPAQUE_COMMAND.search(command) or not (kinds - {"shell", "testish"}):
        kinds.add("opaque")
    return frozenset(kinds)


def _argument_kinds(fact: Fact, named: frozenset[str]) -> frozenset[str]:
    """The kinds that the arguments of a call add to those of its name."""
    kinds: set[str] = set()
    arguments, words = fact.call.arguments, fact.words
    if isinstance(arguments, dict):
        for key in _ACTION_KEYS & arguments.keys():
            value = arguments[key]
            if isinstance(value, str) and len(value) < 40:
                kinds |= _named_kinds(name_words(value)) - {"noop"}
                kinds |= {_EDITOR_COMMANDS[value]} if value in _EDITOR_COMMANDS else set()
                if value.upper() in ("POST", "PUT", "PATCH", "DELETE"):
                    kinds |= {"write", "send", "delete", "opaque"}
    if words & _DATABASE_WORDS and _SQL.search(fact.arguments):
        kinds.add("write" if _SQL_WRITE.search(fact.arguments) else "lookup")
        if _SQL_DELETE.search(fact.arguments):
            kinds.add("delete")
    if "python" in named:
        kinds.add("opaque")
        if _TESTISH.search(fact.command):
            kinds.add("testish")
    if "delegate" in named or words & {"http", "request", "api"}:
        kinds.add("opaque")
    if "test" in named:
        kinds.add("testish")
    return frozenset(kinds)


def _outcome(call: ToolCall, result: str, kinds: frozenset[str]) -> tuple[Outcome, str]:
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
    text = _printed(decoded, result)
    if (failure := _failing_text(text, kinds)) is not None:
        return "failed", failure
    if call.hash_before and call.hash_after and call.hash_before == call.hash_after:
        return "unchanged", "hash_before = hash_after"
    if call.changed is False:
        return "unchanged", "changed: false"
    if call.changed:
        return "changed", "changed: true"
    return "ok", "result"


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
    for key in ("success", "ok", "succeeded"):
        if value.get(key) is False:
            return f"{key}: false"
    for key in ("isError", "is_error"):
        if value.get(key) is True:
            return f"{key}: true"
    error = value.get("error", value.get("errors"))
    if error not in (None, False, "", [], {}, 0):
        return f"error: {_text(error)[:120]}"
    for key in ("status", "statusCode", "status_code", "http_status", "code"):
        status = value.get(key)
        if type(status) is int and 400 <= status < 600:
            return f"{key}: {status}"
        if (
            key == "status"
            and isinstance(status, str)
            and status.lower() in ("error", "failed", "failure", "rejected")
        ):
            return f"status: {status}"
    for key in ("exit_code", "exitCode", "exitcode", "returncode", "return_code", "exit_status"):
        code = value.get(key)
        # A search that found nothing exits with 1, and so does a pipe that ends in one.
        if type(code) is int and code != 0 and not ("lookup" in kinds and code == 1):
            return f"{key}: {code}"
    for key in ("result", "data", "structuredContent", "output", "response"):
        if (inner := _failure(value.get(key), kinds, depth + 1)) is not None:
            return inner
    return None


def _printed(decoded: Any, result: str) -> str:
    """The text that a call printed."""
    if not isinstance(decoded, dict):
        return result
    parts = [
        str(decoded[key])
        for key in ("stdout", "stderr", "output", "text", "message", "result")
        if decoded.get(key)
    ]
    content = decoded.get("content")
    if isinstance(content, list):
        parts += [
            str(item.get("text")) for item in content[:5] if isinstance(item, dict) and item.get("text")
        ]
    return "\n".join(parts)


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
    match = _FAILED_TEXT.match(text)
    return match.group().strip() if match else None
