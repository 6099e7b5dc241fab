"""What a tool call does, told from its name, its arguments and its result.

Word lists err towards the class that keeps an analyzer silent.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tightrope_sdk.names import words

from analyzers.model import ToolCall

_SHORT = 200  # characters of a result that only names a state
_LOOKED_AT = 2_000  # characters of a command or result that decide; the rest adds nothing but time

_WAITS = {
    "await", "heartbeat", "keepalive", "listen", "monitor", "poll", "polling", "receive", "sleep", "status",
    "tail", "wait", "watch",
}  # fmt: skip
_WATCHED = {
    "inbox", "job", "jobs", "logs", "mailbox", "messages", "output", "progress", "queue", "task", "tasks",
}  # fmt: skip
_SLEEPS = {"await", "pause", "sleep", "wait"}
_STEPS = {
    "advance", "batch", "consume", "deal", "decrease", "decrement", "dequeue", "dice", "drain", "draw",
    "flip", "increase", "increment", "keypress", "lower", "more", "next", "press", "prev", "previous",
    "raise", "random", "redo", "roll", "scroll", "shuffle", "spin", "step", "swipe", "tick", "toss", "undo",
}  # fmt: skip
_KEYBOARD = {"hit", "hotkey", "key", "keyboard", "keys", "press", "send"}
_PRESSES = {"click", "tap"}
_ONWARDS = {
    "add", "decrease", "decrement", "down", "forward", "increase", "increment", "less", "minus", "more",
    "newer", "next", "older", "plus", "prev", "previous", "up",
}  # fmt: skip
_SIGNS = {"+", "-", "−", "<", ">", "‹", "›", "«", "»", "←", "→", "▲", "▼", "▶", "◀"}
# Acts that start from where one is, so that the same call leads on each time.
_RELATIVE = {"go", "move", "nudge", "pan", "rotate", "turn", "volume", "walk", "zoom", "page", "brightness"}
_DIRECTIONS = {
    "angle", "back", "backward", "backwards", "by", "degrees", "delta", "direction", "distance", "down",
    "dx", "dy", "forward", "forwards", "in", "left", "out", "right", "steps", "up",
}  # fmt: skip
_WRITES = {
    "add", "append", "apply", "book", "cancel", "click", "commit", "create", "delete", "drag", "edit",
    "fill", "goto", "insert", "merge", "mkdir", "modify", "move", "navigate", "patch", "pay", "post",
    "publish", "push", "put", "remove", "rename", "replace", "reset", "save", "select", "send", "set",
    "start", "stop", "submit", "type", "update", "upload", "write",
}  # fmt: skip
_SHELLS = {"bash", "cmd", "command", "console", "exec", "powershell", "shell", "terminal"}
_CODE = {"code", "execute", "ipython", "jupyter", "notebook", "python", "repl", "run"}
_PLANNING = {"add", "create", "make", "plan", "set", "tool", "update", "write"}
_THOUGHTS = {"reflect", "think", "thinking", "thought", "todo", "todos"}
_SEARCHES = {"find", "glob", "grep", "rg", "search"}

_WAITING_COMMAND = re.compile(
    r"\bsleep \d|(?:\A|[;&]\s?)tail -|\btail (?:-f|-F|--follow)\b|\bwatch "
    r"|\bgh (?:run|pr checks)|\bkubectl (?:get|rollout|logs)|\bdocker (?:ps|logs)"
    r"|\b(?:squeue|pgrep|nvidia-smi)\b"
)
_CURL_STATUS = re.compile(r"/(?:status|state|healthz?|readyz?|ping|progress|jobs?|runs?|builds?|tasks?)\b")
_CURL_WRITE = re.compile(r"\s(?:-X\s?(?:POST|PUT|PATCH|DELETE)|-d|--data\S*|-F|--request)\b")
_UNFINISHED = (
    "still running", "in progress", "in-progress", "in_progress", "not ready", "not yet ready",
    "not finished",
)  # fmt: skip
_ANNOUNCED_WAIT = re.compile(
    r"\b(?:re-?try|try again|check (?:back|again)|poll again|come back|ready|available|done|finished|wait)"
    r"[ :]{1,2}(?:in|after|for) (?:about |approximately |another |~)?\d"
    r"|\bretry[-_]after|\bplease wait\b|\beta\W{1,3}\d"
    r"|\b\d{1,4} ?(?:s|sec|seconds|min|minutes) (?:left|remaining)"
)
_STATE = (
    r"(?:pending|queued|running|processing|starting|building|deploying|waiting|initiali[sz]ing|provisioning"
    r"|uploading|downloading|installing|scheduled|preparing|booting|syncing|indexing|rendering|training)\b"
)
_SAID_UNFINISHED = re.compile(
    rf"\A\W{{0,5}}{_STATE}"
    rf"|\b(?:is|are|status|state|phase|still|currently)\W{{1,4}}(?:still |currently )?{_STATE}"
)
_UNFINISHED_STATE = re.compile(
    r"\"(?:status|state|phase)\"\s?:\s?\"(?:running|pending|queued|waiting|processing|starting|building)\""
)

_READING = {
    "ag", "awk", "cat", "cd", "cmp", "cut", "date", "df", "diff", "du", "echo", "env", "eslint",
    "fd", "file", "find", "grep", "head", "jq", "less", "ls", "mypy", "nl", "printenv", "ps", "pwd",
    "pytest", "rg", "ruff", "sed", "sort", "stat", "tail", "test", "tree", "true", "tsc", "type",
    "uniq", "wc", "which", "whoami",
}  # fmt: skip
_READING_VERBS = {
    "cargo": {"bench", "build", "check", "clippy", "test"},
    "git": {"blame", "branch", "diff", "grep", "log", "ls-files", "remote", "rev-parse", "show", "status"},
    "go": {"build", "test", "vet"},
    "make": {"check", "lint", "test"},
    "npm": {"ls", "test"},
}
_NOT_READING = re.compile(r"(?<!2)>(?!&|\s?/dev/null)|\s-i\b|\s-(?:delete|exec)\b|\$\(|`|--fix\b")
_SEPARATORS = re.compile(r"&&|\|\||[;|\n]")

_FAILED = re.compile(
    r"\s*(?:error\b|traceback \(|\{\s*\"error\"\s*:\s*(?:\"[^\"]|\{|true|\d)"
    r"|\{\s*\"(?:success|ok)\"\s*:\s*false)",
    re.IGNORECASE,
)
_FAILED_STARTS = frozenset("eEtT{")
_TRANSIENT = re.compile(
    r"rate.?limit|too many requests|\b(?:429|502|503|504)\b|time[ds]?[ -]?out|overloaded|try again"
    r"|temporarily unavailable|could not get lock|lock held|database is locked|resource busy|EBUSY|EAGAIN"
    r"|deadlock|connection (?:reset|refused|aborted)|ECONN(?:RESET|REFUSED)",
    re.IGNORECASE,
)
_UNKNOWN_TOOL = re.compile(
    r"(?:unknown|no such|unrecognized|invalid|unregistered) (?:tool|function)"
    r"|\b(?:tool|function)\b.{0,80}(?:not found|not exist|n't exist|not available|not registered|not loaded)",
    re.IGNORECASE,
)
_CALLED_OFF = (
    "user rejected", "user denied", "user declined", "user canceled", "user cancelled", "user doesn't want",
    "by user", "by the user", "canceled: parallel", "cancelled: parallel", "sibling tool call",
    "tool use was rejected",
)  # fmt: skip
_MISSING = re.compile(
    r"\bnot found\b|\b404\b|\bdoes(?: not|n't) exist|ENOENT"
    r"|\bno such (?:file|user|page|record|item|entry|key|host)",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"[\W_]{0,10}(?:(?:image|picture|photo|png|jpe?g|audio|binary|blob|screenshot|base64|redacted|omitted|hidden"
    r"|data|content|output|result|taken|captured|attached)[\W_]{0,10}){1,4}",
    re.IGNORECASE,
)
_SQL_KEYS = ("sql", "query", "statement")
_SQL_READS = re.compile(
    r"\s{0,20}\(?(?:select|show|describe|desc|explain|with|pragma|values)\b", re.IGNORECASE
)
_SQL_WRITES = re.compile(
    r"\b(?:insert|update|delete|merge|drop|alter|create|truncate|into|call|nextval|setval)\b"
    r"|pragma\s[^;]{0,80}=",
    re.IGNORECASE,
)
_BARE_EXIT_CODE = re.compile(r"[\w\s:.]{0,40}(?:exit|return)[\w\s]{0,20}\W{0,3}\d{1,3}\W{0,3}", re.IGNORECASE)


def failed(call: ToolCall) -> bool:
    """Whether the call failed: by its error, or by a result that begins by saying so."""
    if call.is_error or call.error:
        return True
    start = (call.result or "")[:1]
    if start not in _FAILED_STARTS and not start.isspace():  # cheap, and most results begin otherwise
        return False
    return _FAILED.match(call.result or "", 0, 200) is not None


def failure(call: ToolCall) -> str:
    """What a failed call said, at most 2,000 characters."""
    return (call.error or call.result or "")[:_LOOKED_AT]


def was_called_off(call: ToolCall) -> bool:
    """Whether a failed call failed only because the user or a failing neighbour stopped it."""
    said = failure(call)[:400].lower()
    return any(sign in said for sign in _CALLED_OFF)


def is_transient(call: ToolCall) -> bool:
    """Whether a failed call met a fault that a retry may well overcome."""
    return bool(_TRANSIENT.search(failure(call)[:500]))


def is_unknown_tool(call: ToolCall) -> bool:
    """Whether a failed call was refused because no tool has that name."""
    text = failure(call)[:500]
    return ("tool" in text.lower() or call.named in text) and bool(_UNKNOWN_TOOL.search(text))


def is_missing(call: ToolCall) -> bool:
    """Whether a failed look-up only found out that what it looked for is not there."""
    return not (writes(call) or _is_runner(call.tool)) and bool(_MISSING.search(failure(call)[:500]))


def is_bare_exit_code(call: ToolCall) -> bool:
    """Whether a failed call says no more than a process's exit code: `grep` says so for "no match"."""
    return bool(_BARE_EXIT_CODE.fullmatch(failure(call).strip()[:100]))


def is_placeholder(result: str | None) -> bool:
    """Whether a result only stands for one that the telemetry does not hold: `[image]`, `<redacted>`."""
    return bool(result and len(result) <= 60 and _PLACEHOLDER.fullmatch(result))


def writes(call: ToolCall) -> bool:
    """Whether the tool's name says that it writes, sends, sets or otherwise acts."""
    return _writes(call.tool)


@lru_cache(maxsize=4096)
def _writes(tool: str) -> bool:
    return not _WRITES.isdisjoint(words(tool))


def is_wait(call: ToolCall) -> bool:
    """Whether the call waits for or looks after something that goes on elsewhere."""
    named = set(words(call.tool))
    acts = writes(call)
    if not acts and "git" not in named and not named.isdisjoint(_WAITS | _WATCHED):
        return True
    if named >= {"write", "stdin"} or _action(call) & _WAITS:
        return True
    command = _command(call)
    if command is not None:
        if not command.strip() or _WAITING_COMMAND.search(command):
            return True
        if "curl" in command and _CURL_STATUS.search(command) and not _CURL_WRITE.search(command):
            return True
    return not acts and _is_unfinished(call.result or "")


def is_sleep(call: ToolCall) -> bool:
    """Whether the call lets time pass."""
    if not _SLEEPS.isdisjoint(words(call.tool)):
        return True
    command = _command(call)
    return command is not None and "sleep " in command


def runs_command(call: ToolCall) -> bool:
    """Whether the call runs a command line."""
    return _command(call) is not None


def is_step(call: ToolCall) -> bool:
    """Whether calling it again is its purpose: one more scroll, key press, undo or next page."""
    named = set(words(call.tool))
    if not named.isdisjoint(_STEPS) or _action(call) & _STEPS or _is_relative(call, named):
        return True
    if (named and named <= _KEYBOARD) or _action(call) & {"hotkey", "key"}:
        return True
    return not (named | _action(call)).isdisjoint(_PRESSES) and _presses_next(call)


def is_thought(call: ToolCall) -> bool:
    """Whether the call only notes a thought or a plan."""
    return _is_thought(call.tool)


@lru_cache(maxsize=4096)
def _is_thought(tool: str) -> bool:
    named = set(words(tool))
    return not named.isdisjoint(_THOUGHTS) or ("plan" in named and named <= _PLANNING)


def is_search(call: ToolCall) -> bool:
    """Whether the call looks for something and changes nothing."""
    command = _command(call)
    if command is not None:
        return _only_reads(command)
    named = words(call.tool)
    return not _SEARCHES.isdisjoint(named) and _WRITES.isdisjoint(named)


def may_change_state(call: ToolCall) -> bool:
    """Whether the call changed something, or ran something of which nobody can tell."""
    if call.changed is False or failed(call) or _is_thought(call.tool):
        return False
    if call.changed or _writes(call.tool):
        return True
    command = _command(call)
    if command is not None:
        return not _only_reads(command)
    return _is_runner(call.tool) and not _reads_by_sql(call)


@lru_cache(maxsize=4096)
def _is_runner(tool: str) -> bool:
    named = words(tool)
    return not (_CODE.isdisjoint(named) and _SHELLS.isdisjoint(named))


def _is_unfinished(result: str) -> bool:
    result = result[:_LOOKED_AT].lower()
    return (
        any(sign in result for sign in _UNFINISHED)
        or bool(_UNFINISHED_STATE.search(result))
        or bool(_SAID_UNFINISHED.search(result[:_SHORT]))
        or bool(_ANNOUNCED_WAIT.search(result))
    )


def _presses_next(call: ToolCall) -> bool:
    """Whether what is clicked leads to the next page or item."""
    if not isinstance(call.arguments, dict):
        return False
    targets = (value for value in call.arguments.values() if isinstance(value, str) and len(value) <= 80)
    return any(target.strip() in _SIGNS or not _ONWARDS.isdisjoint(words(target)) for target in targets)


def _is_relative(call: ToolCall, named: set[str]) -> bool:
    """Whether the call moves, turns or raises something from where it is, by name or by arguments."""
    if named.isdisjoint(_RELATIVE):
        return False
    return not named.isdisjoint(_DIRECTIONS) or (
        isinstance(call.arguments, dict) and not _DIRECTIONS.isdisjoint(map(str, call.arguments))
    )


def _reads_by_sql(call: ToolCall) -> bool:
    """Whether the call runs one SQL statement that only reads."""
    if not isinstance(call.arguments, dict):
        return False
    statements = [call.arguments[key] for key in _SQL_KEYS if isinstance(call.arguments.get(key), str)]
    return len(statements) == 1 and bool(
        _SQL_READS.match(statements[0]) and not _SQL_WRITES.search(statements[0][:_LOOKED_AT])
    )


def _action(call: ToolCall) -> set[str]:
    if not isinstance(call.arguments, dict):
        return set()
    action = call.arguments.get("action") or call.arguments.get("operation")
    return set(words(action)) if isinstance(action, str) else set()


def _command(call: ToolCall) -> str | None:
    """The command line that the call runs; None where it runs none."""
    arguments: Any = call.arguments
    if not isinstance(arguments, dict):
        return None
    command = arguments.get("command", arguments.get("cmd"))
    if isinstance(command, list):
        command = " ".join(map(str, command))
    return command if isinstance(command, str) else None


def _only_reads(command: str) -> bool:
    if len(command) > _LOOKED_AT or _NOT_READING.search(command):
        return False
    return all(_reads(part.split()) for part in _SEPARATORS.split(command) if part.strip())


def _reads(argv: list[str]) -> bool:
    if argv[:2] == ["python", "-m"] or argv[:2] == ["python3", "-m"]:
        argv = argv[2:]
    if not argv:
        return False
    program, *rest = argv
    verbs = _READING_VERBS.get(program)
    if verbs is None:
        return program in _READING
    return any(word in verbs for word in rest[:3])
