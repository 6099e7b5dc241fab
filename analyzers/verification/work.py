"""What was changed in code, and what may have verified it. Generous: even a look at the change counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analyzers import call_classes
from analyzers.claims.calls import Fact
from analyzers.claims.kinds import name_words
from analyzers.model import OfferedTool

_CODE = re.compile(
    r"\.(?:py|js|jsx|ts|tsx|mjs|cjs|java|kt|go|rs|c|cc|cpp|cs|rb|php|swift|scala|lua|dart|ex|exs|vue|svelte|sh)$",
    re.IGNORECASE,
)
_MAX_PATHS = 50
_SCRATCH = re.compile(
    r"(?:^|/)(?:tmp|temp|scratch|examples?|demo|samples?|notes?|playground)(?:/|[._-]|$)", re.IGNORECASE
)
_SETTINGS = re.compile(
    r"(?:^|/)(?:i18n|locales?|translations?|lang)/|(?:^|/)(?:settings|config\w*|conf|constants?|version|setup"
    r"|__version__|__about__)\.\w{1,4}$|\.config\.\w{1,4}$",
    re.IGNORECASE,
)
_TEST_FILE = re.compile(
    r"(?:^|/)(?:test_[^/]{1,100}\.py|[^/]{1,100}_test\.(?:py|go|rb|exs|dart)"
    r"|[^/]{1,100}[._](?:test|spec)\.[cm]?[jt]sx?|[^/]{1,100}_spec\.rb"
    r"|[^/]{1,100}Tests?\.(?:java|kt|cs|php|swift))$"
)
_PATHS = (
    "path", "file_path", "filePath", "filepath", "filename", "file", "target_file", "notebook_path", "uri",
)  # fmt: skip
_PATCHED = re.compile(r"^(?:\*\*\* (?:Update|Add) File: |\+\+\+ (?:b/)?)(\S{1,300})", re.MULTILINE)
_REDIRECTED = re.compile(r"(?<![-=0-9&])>{1,2}\s*([\w./~-]{1,200})|\btee\s+(?:-a\s+)?([\w./~-]{1,200})")
_IN_PLACE = re.compile(r"\s*(?:sudo\s+)?(?:sed|perl|gsed)\s+(?:-\w+\s+){0,3}-\w{0,3}i")
_PARTS = re.compile(r"&&|\|\||[;|\n]")
_RUNS = {"test", "testish", "build", "lint", "python", "delegate", "opaque", "send"}
_RUN_WORDS = {
    "browser", "check", "console", "debug", "diagnostics", "diff", "errors", "evaluate", "execute", "lint",
    "log", "logs", "navigate", "output", "preview", "problems", "render", "run", "screenshot",
    "simulate", "validate", "verify",
}  # fmt: skip
_LOOKED = re.compile(r"\bgit\s+(?:diff|show)\b")
_CHECKED_BY_EDIT = re.compile(
    r"\bno\s+(?:\w+\s+)?(?:errors|problems|issues|warnings)\b|diagnostics|\d\s+passed|compiled|syntax\s+ok|\blint",
    re.IGNORECASE,
)
_CANNOT_RUN = re.compile(
    r"command not found|No module named|not installed|permission denied|not permitted|not allowed|sandbox"
    r"|disabled|EPERM|is not recognized|no such file or directory|cannot find module|rejected|denied"
    r"|doesn['’]t want",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"^(?:#|//|/\*|\*|--|<!--|\"\"\"|''')")
_OLD = ("old_string", "old_str", "old_text", "search")
_NEW = ("new_string", "new_str", "new_text", "replace")


@dataclass(frozen=True)
class Work:
    """The code edits of a session in order, and the calls after the last of them."""

    edits: tuple[tuple[Fact, tuple[str, ...]], ...]
    before: tuple[Fact, ...]
    after: tuple[Fact, ...]

    @property
    def last(self) -> Fact:
        """The last edit."""
        return self.edits[-1][0]

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The code files that were edited, each once; of very many the last."""
        return tuple(dict.fromkeys(path for _, paths in self.edits for path in paths))[-_MAX_PATHS:]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names without folders."""
        return tuple(path.rsplit("/", 1)[-1] for path in self.paths)

    @cached_property
    def test_files(self) -> tuple[str, ...]:
        """The test files among them."""
        return tuple(path for path in self.paths if _TEST_FILE.search(path))


def work_of(known: Sequence[Fact]) -> Work | None:
    """The work in code of a session's calls; None where there was none."""
    edits = tuple((fact, paths) for fact in known if (paths := edited_code(fact)))
    if not edits:
        return None
    last = edits[-1][0].order
    return Work(
        edits,
        tuple(fact for fact in known if fact.order < last),
        tuple(fact for fact in known if fact.order > last),
    )


def edited_code(fact: Fact) -> tuple[str, ...]:
    """The code files that a call wrote, so that they may do something else than before."""
    if "write" not in fact.kinds or fact.call.changed is False or fact.outcome not in ("changed", "ok"):
        return ()
    found = _written_by(fact.command[:4_000]) if "shell" in fact.kinds else _named(fact)
    paths = dict.fromkeys(path for path in found if _CODE.search(path) and not _no_work(path))
    return () if not paths or _is_cosmetic(fact.call.arguments) else tuple(paths)


def _no_work(path: str) -> bool:
    """Whether a file holds trials or values only, though it is written as code."""
    return _SCRATCH.search(path) is not None or _SETTINGS.search(path) is not None


def may_have_verified(fact: Fact, work: Work) -> bool:
    """Whether a call after the last edit may have shown whether it works, or at least what it is."""
    if is_run(fact):
        return True
    if "shell" in fact.kinds and ("lookup" not in fact.kinds or _LOOKED.search(fact.command)):
        return True
    return any(name in fact.arguments for name in work.names)


def is_run(fact: Fact) -> bool:
    """Whether a call ran something, so that it may have shown whether what came before it works."""
    return bool(fact.kinds & _RUNS) or not _RUN_WORDS.isdisjoint(fact.words)


def verified_by_itself(fact: Fact) -> bool:
    """Whether the edit's own command ran a check too, or its result tells of one."""
    if "shell" in fact.kinds and fact.kinds & {"test", "build", "lint", "python"}:
        return True
    return _CHECKED_BY_EDIT.search(fact.result[:2_000]) is not None


def could_verify(known: Sequence[Fact], tools: Sequence[OfferedTool]) -> bool:
    """Whether something to run with was at hand and, where it was tried, was not refused or missing."""
    for fact in known:
        if fact.outcome == "failed" and fact.kinds & {"shell", "test", "build", "lint", "python"}:
            said = call_classes.failure(fact.call)
            if call_classes.was_called_off(fact.call) or _CANNOT_RUN.search(said):
                return False
    if any(fact.kinds & {"shell", "test"} for fact in known):
        return True
    return any(runs(tool.name) for tool in tools)


def runs(name: str) -> bool:
    """Whether a tool of that name runs commands or tests."""
    words = name_words(name)
    return bool(words & {"bash", "shell", "terminal", "exec", "powershell", "pytest"}) or words >= {
        "run",
        "tests",
    }


def run_before(work: Work) -> Fact | None:
    """The last test or build run before the last edit."""
    ran = [fact for fact in work.before if fact.kinds & {"test", "build"} and "write" not in fact.kinds]
    return ran[-1] if ran else None


def _written_by(command: str) -> list[str]:
    """The files that a command line redirects into or edits in place."""
    found = [first or second for first, second in _REDIRECTED.findall(command)]
    parts = (part for part in _PARTS.split(command) if _IN_PLACE.match(part))
    return found + [part.split()[-1] for part in parts]


def _named(fact: Fact) -> list[str]:
    arguments = fact.call.arguments
    if not isinstance(arguments, dict):
        return _PATCHED.findall(fact.arguments)
    found = [value for key in _PATHS if isinstance(value := arguments.get(key), str)]
    if found:
        return [path.strip()[:300] for path in found]
    texts = (value for value in arguments.values() if isinstance(value, str))
    return [path for text in texts for path in _PATCHED.findall(text[:50_000])]


def _is_cosmetic(arguments: Any) -> bool:
    """Whether an edit of a passage changed comments and blanks alone."""
    if not isinstance(arguments, Mapping):
        return False
    old = next((arguments[key] for key in _OLD if isinstance(arguments.get(key), str)), None)
    new = next((arguments[key] for key in _NEW if isinstance(arguments.get(key), str)), None)
    return old is not None and new is not None and _statements(old) == _statements(new)


def _statements(text: str) -> list[str]:
    lines = (line.strip() for line in text[:50_000].splitlines())
    return [line for line in lines if line and not _COMMENT.match(line)]
