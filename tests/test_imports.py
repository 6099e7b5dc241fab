"""Imports run one way: dashboard → collector.client; collector → analyzers → tightrope_sdk."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = {
    "analyzers": ROOT / "analyzers",
    "collector": ROOT / "collector",
    "dashboard": ROOT / "dashboard",
    "tightrope_sdk": ROOT / "sdk" / "tightrope_sdk",
}
MAY_IMPORT = {
    "analyzers": ("analyzers", "tightrope_sdk"),
    "collector": ("collector", "analyzers", "tightrope_sdk"),
    "dashboard": ("dashboard", "collector.client", "collector.errors", "collector.settings"),
    "tightrope_sdk": ("tightrope_sdk",),
}
MODULES = [
    pytest.param(package, path, id=path.relative_to(ROOT).as_posix())
    for package, folder in SOURCES.items()
    for path in sorted(folder.rglob("*.py"))
]


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _imports(path: Path) -> Iterator[str]:
    """The dotted names that a module imports, wherever in it."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import, which this test cannot judge"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize(("package", "path"), MODULES)
def test_imports_run_one_way(package: str, path: Path) -> None:
    own = [name for name in _imports(path) if name.split(".")[0] in SOURCES]
    assert [name for name in own if not _within(name, MAY_IMPORT[package])] == []


@pytest.mark.parametrize(("package", "path"), MODULES)
def test_only_the_store_uses_duckdb(package: str, path: Path) -> None:
    """Others may be handed a connection in a transaction of the store's, and name its type."""
    if path.is_relative_to(ROOT / "collector" / "store"):
        return
    used = [name for name in _imports(path) if name.split(".")[0] in {"duckdb", "_duckdb"}]
    assert used in ([], ["duckdb"])
    named = {
        node.attr
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "duckdb"
    }
    assert named <= {"DuckDBPyConnection"}


@pytest.mark.parametrize(
    "package", ["analyzers", "tightrope_sdk"], ids=["analyzers are pure", "the rules are pure"]
)
def test_rules_do_no_io(package: str) -> None:
    """They run on stored sessions, in tests and in an agent's process: no clock, network or files."""
    forbidden = {"asyncio", "http", "httpx", "os", "pathlib", "random", "socket", "subprocess", "time"}
    found = {
        f"{path.name}: {name}"
        for path in SOURCES[package].rglob("*.py")
        for name in _imports(path)
        if name.split(".")[0] in forbidden
    }
    assert found == set()
