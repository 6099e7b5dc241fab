"""The analyzers of this installation: Tightrope's own, and those of other packages.

Another package offers one under the entry point group `tightrope.analyzers`: docs/analyzers.md says how.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from analyzers import ANALYZERS
from analyzers.registry import Analyzer, AnalyzerError

GROUP = "tightrope.analyzers"


@cache
def installed_analyzers() -> tuple[Analyzer, ...]:
    """Tightrope's own analyzers, then the others by the names of their entry points.

    Raises AnalyzerError for one that cannot be loaded, is no analyzer, or takes a kind that is taken.
    """
    found = list(ANALYZERS)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        analyzer = _load(entry)
        if analyzer.kind in {known.kind for known in found}:
            raise AnalyzerError(f"{_told(entry)} finds {analyzer.kind!r}, which another finds already")
        found.append(analyzer)
    return tuple(found)


def _load(entry: EntryPoint) -> Analyzer:
    try:
        analyzer = entry.load()
    except Exception as error:  # whatever the other package raises when it is imported
        raise AnalyzerError(
            f"{_told(entry)} cannot be loaded ({type(error).__name__}: {error}): mend or remove its package"
        ) from error
    if not isinstance(analyzer, Analyzer):
        raise AnalyzerError(f"{_told(entry)} is no analyzer: declare it with @analyzer")
    return analyzer


def _told(entry: EntryPoint) -> str:
    package = f" of {entry.dist.name}" if entry.dist else ""
    return f"the analyzer {entry.name!r}{package} ({entry.value})"
