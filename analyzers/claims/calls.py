"""A tool call as evidence: its kinds, what it touched, how it ended."""

from __future__ import annotations

from functools import cached_property, lru_cache

from analyzers.claims.echoes import is_rehearsal, other_state
from analyzers.claims.kinds import (
    MAX_ARGUMENT_CHARS,
    NOOP_NAMES,
    argument_kinds,
    as_text,
    command_of,
    name_words,
    named_kinds,
    only_looks,
    shell_kinds,
)
from analyzers.claims.outcomes import Outcome, outcome_of
from analyzers.claims.targets import emails_in, ids_in, paths_in
from analyzers.model import Session, ToolCall

MAX_RESULT_CHARS = 20_000
"""Of a longer result its head and its tail are read, this many characters in all."""


_FILE_KEYS = frozenset({"path", "file_path", "file", "filename", "target_file", "filepath"})
_FILE_WORDS = frozenset({"edit", "write", "replace", "insert", "str", "patch", "multiedit"})


_LOOKING = frozenset({"lookup", "shell", "testish", "noop", "test", "build", "lint"})
_NOOP, _SHELL, _OPAQUE = frozenset({"noop"}), frozenset({"shell"}), frozenset({"opaque"})
_RUNNING = frozenset({"run", "execute"})


class Fact:
    """A call with its kinds, and what else is known of it, worked out when asked for: most are never asked.

    `sequence` is the place of the call's round in the session (0, 1, …), `order` that of the call.
    """

    def __init__(self, call: ToolCall, sequence: int, order: int = 0) -> None:
        self.call = call
        self.sequence = sequence
        self.order = order
        self.words, named = _by_name(call.tool, call.named)
        self.kinds = self._kinds(named)
        """What the call may count as evidence of."""

    def _kinds(self, named: frozenset[str]) -> frozenset[str]:
        if named == _NOOP:
            return named
        if "shell" in named or (not named and self.words & _RUNNING and self.command):
            return shell_kinds(self.command, named or _SHELL)
        return argument_kinds(self.call.arguments, self.words, named) or _OPAQUE

    @cached_property
    def command(self) -> str:
        """The command line or code that the call was given, "" where it has none."""
        return command_of(self.call.arguments)

    @cached_property
    def arguments(self) -> str:
        """The arguments as text."""
        return as_text(self.call.arguments)[:MAX_ARGUMENT_CHARS]

    @cached_property
    def deed(self) -> str:
        """The tool's name and the head of its arguments, lower-case, the name's words apart."""
        return " ".join(
            (self.call.tool, *sorted(self.words), self.command[:2_000], self.arguments[:2_000])
        ).lower()

    @cached_property
    def is_file_edit(self) -> bool:
        """Whether the call writes to a file, by the names of the tool and of its arguments."""
        arguments = self.call.arguments
        if not isinstance(arguments, dict) or "shell" in self.kinds:
            return False
        return bool(_FILE_KEYS & arguments.keys()) and bool(_FILE_WORDS & self.words)

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
        outcome, field = outcome_of(self.call, self.result, self.kinds)
        if outcome in ("ok", "changed") and not self.kinds <= _LOOKING:
            if is_rehearsal(self.call.arguments, self.command, self.result):
                return "unchanged", "dry run"
            if self.shown:
                return "unchanged", self.shown[0]
        return outcome, field

    @cached_property
    def shown(self) -> tuple[str, str] | None:
        """(field, value) where the result shows another value than the one that was to be set."""
        return other_state(self.call.arguments, self.result)

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


@lru_cache(maxsize=4096)
def _by_name(tool: str, named: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a call's two names, of what ran and what was asked for, and the kinds they give it."""
    words = name_words(tool) | name_words(named)
    if NOOP_NAMES.match(tool):
        return words, _NOOP
    kinds = named_kinds(words)
    if "lookup" in kinds and only_looks(tool) and tool == named:
        kinds = frozenset({"lookup"}) | (kinds & {"delegate", "test"})
    return words, kinds


def facts(session: Session) -> list[Fact]:
    """Every call of the session as a fact, in order; calls that do nothing by nature are left out."""
    found: list[Fact] = []
    for number, turn in enumerate(session.rounds):
        for call in turn.calls:
            fact = Fact(call, number, len(found))
            if "noop" not in fact.kinds:
                found.append(fact)
    return found
