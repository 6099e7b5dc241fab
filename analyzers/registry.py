"""How an analyzer is declared. The list of them is `analyzers.ANALYZERS`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, get_args

from analyzers.model import SEVERITIES, Finding, Session, Severity


class AnalyzerError(Exception):
    """An analyzer or its settings are wrong; the text names the cause and the remedy."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How a user wants one analyzer to run: its settings, and what every analyzer can be told.

    `max_severity`: its findings are at most that grave; with `info` they never flag a session.
    """

    settings: Any
    enabled: bool = True
    max_severity: Severity = "critical"


@dataclass(frozen=True, slots=True)
class Analyzer:
    """One finding kind: its rule, its settings and its documentation.

    `find(session, settings)` is a pure generator. `settings` is a frozen dataclass whose defaults
    are the documented ones; each field's `metadata["help"]` explains it. `doc` is the analyzer's
    module docstring, which is also its page in the documentation.
    """

    kind: str
    find: Callable[[Session, Any], Iterator[Finding]]
    settings: Any
    doc: str

    def run(self, session: Session, settings: Any = None) -> list[Finding]:
        """All findings of this kind in `session`, with the default settings unless others are given."""
        return list(self.find(session, self.settings if settings is None else settings))

    def findings(self, session: Session, choice: Choice | None = None) -> list[Finding]:
        """The findings of this kind in `session` as a user wants them: none when it is switched off."""
        if choice is None:
            return self.run(session)
        if not choice.enabled:
            return []
        most = SEVERITIES.index(choice.max_severity)
        return [
            replace(found, severity=choice.max_severity) if SEVERITIES.index(found.severity) > most else found
            for found in self.run(session, choice.settings)
        ]

    def choose(self, values: Mapping[str, Any]) -> Choice:
        """The choice that a table `[analyzers.<kind>]` of the settings file makes.

        Raises AnalyzerError as `configure`.
        """
        own = dict(values)
        enabled = own.pop("enabled", True)
        severity = own.pop("max_severity", "critical")
        if not isinstance(enabled, bool):
            raise AnalyzerError(f"[analyzers.{self.kind}] enabled must be true or false, not {enabled!r}")
        if severity not in get_args(Severity):
            raise AnalyzerError(
                f"[analyzers.{self.kind}] max_severity must be one of {', '.join(SEVERITIES)}, "
                f"not {severity!r}"
            )
        return Choice(self.configure(own), enabled, severity)

    def configure(self, values: dict[str, Any]) -> Any:
        """The settings with `values` (from the settings file) laid over the defaults.

        Raises AnalyzerError for a name the analyzer does not have or a value of the wrong type.
        """
        known = {f.name: f for f in fields(self.settings)}
        for name, value in values.items():
            if name not in known:
                there_are = ", ".join(sorted([*known, "enabled", "max_severity"]))
                raise AnalyzerError(f"[analyzers.{self.kind}] has no setting {name!r}; it has: {there_are}")
            default = getattr(self.settings, name)
            if isinstance(default, tuple) and isinstance(value, list):
                values[name] = tuple(value)
            elif not isinstance(value, type(default)) or isinstance(value, bool) != isinstance(default, bool):
                raise AnalyzerError(
                    f"[analyzers.{self.kind}] {name} must be of type {type(default).__name__}, not {value!r}"
                )
        return type(self.settings)(**{**{n: getattr(self.settings, n) for n in known}, **values})


def analyzer(kind: str, settings: Any) -> Callable[[Callable[[Session, Any], Iterator[Finding]]], Analyzer]:
    """Declare the decorated generator as the analyzer of `kind`; its module docstring is its page."""

    def declare(find: Callable[[Session, Any], Iterator[Finding]]) -> Analyzer:
        module = inspect.getmodule(find)
        return Analyzer(kind=kind, find=find, settings=settings, doc=inspect.getdoc(module) or "")

    return declare
