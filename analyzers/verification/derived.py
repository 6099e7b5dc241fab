"""The verification that could have been run, derived from what the session did and named."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from analyzers.claims.calls import Fact
from analyzers.verification.work import Work

_MAX_FILES = 5
_MAX_COMMAND = 200
_TESTS = {
    "py": "pytest {files}",
    "go": "go test ./...",
    "rs": "cargo test",
    "rb": "bundle exec rspec {files}",
    "java": "mvn test",
    "kt": "gradle test",
    "cs": "dotnet test",
    "js": "npm test -- {files}",
    "ts": "npm test -- {files}",
    "jsx": "npm test -- {files}",
    "tsx": "npm test -- {files}",
}
_CHECKS = {
    "py": "python -m py_compile {files}",
    "go": "go build ./...",
    "rs": "cargo check",
    "ts": "npx tsc --noEmit",
    "tsx": "npx tsc --noEmit",
    "js": "node --check {file}",
    "mjs": "node --check {file}",
    "rb": "ruby -c {file}",
    "php": "php -l {file}",
    "sh": "bash -n {file}",
    "java": "mvn -q compile",
    "cs": "dotnet build",
}


def derived(work: Work, ran: Fact | None, known: Sequence[Fact]) -> str:
    """A command: the test files written, else the last run again, else the tests of what was edited, else a
    check that it compiles; "" where nothing is known for the language."""
    if work.test_files:
        return _command(_TESTS, work.test_files)
    if ran is not None and 0 < len(ran.command.strip()) <= _MAX_COMMAND and "\n" not in ran.command.strip():
        return ran.command.strip()
    if tests := _tests_of(work, known):
        return _command(_TESTS, tests)
    return _command(_CHECKS, work.paths)


def _tests_of(work: Work, known: Sequence[Fact]) -> tuple[str, ...]:
    """Test files named after an edited module in what was listed or read."""
    stems = [path.rsplit("/", 1)[-1].partition(".")[0] for path in work.paths if path.endswith(".py")]
    if not stems:
        return ()
    names = "|".join(re.escape(stem[:80]) for stem in stems[:20])
    pattern = re.compile(rf"(?<![\w/.-])(?:[\w.-]{{1,60}}/){{0,8}}test_(?:{names})\.py\b")
    found = (name for fact in known[-200:] for name in pattern.findall(fact.arguments + "\n" + fact.result))
    return tuple(dict.fromkeys(found))


def _command(commands: dict[str, str], paths: Sequence[str]) -> str:
    suffix = paths[-1].rpartition(".")[2].lower()
    alike = [path for path in paths if path.lower().endswith("." + suffix)][-_MAX_FILES:]
    files = " ".join(shlex.quote(path) for path in alike)
    return commands.get(suffix, "").format(files=files, file=shlex.quote(paths[-1]))
