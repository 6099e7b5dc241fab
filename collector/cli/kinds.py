"""The kinds of findings that a command may name."""

from __future__ import annotations

from collections.abc import Iterable

from analyzers import AnalyzerError
from analyzers.installed import installed_analyzers
from collector.client import Client
from collector.errors import UsageError


def refuse_unknown_kinds(client: Client, kinds: Iterable[str], option: str) -> None:
    """Raise UsageError for a kind that no analyzer finds and none has found.

    A typing error would let every check pass, and show every list empty.
    """
    try:
        known = {analyzer.kind for analyzer in installed_analyzers()}
    except AnalyzerError as error:
        raise UsageError(str(error)) from error
    if unknown := [kind for kind in kinds if kind not in known]:
        stored = set(client.facets()["kinds"])
        if unknown := [kind for kind in unknown if kind not in stored]:
            there_are = ", ".join(sorted(known | stored))
            raise UsageError(f"{option} names an unknown kind {unknown[0]!r}; there are: {there_are}")
