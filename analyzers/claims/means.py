"""Programs that a sentence names as the means ("with curl"), and whether a call can have used them."""

from __future__ import annotations

import re

from analyzers.claims.calls import Fact

_PROGRAMS = (
    "curl|wget|pg_dump|mysqldump|psql|openssl|nslookup|dig|traceroute|kubectl|helm|terraform|ansible|docker|podman"
    "|rsync|jq|ffmpeg|imagemagick|pandoc|pytest|unittest|jest|vitest|mocha|cypress|playwright|selenium|puppeteer|rspec"
    "|phpunit|junit"
    "|lighthouse|mypy|pyright|eslint|ruff|flake8|pylint|prettier|clippy|golangci-lint|shellcheck|sonarqube"
    "|semgrep|bandit"
    "|trivy|valgrind|gdb|strace|perf|wireshark|tcpdump|nmap|k6|locust|postman|hyperfine|webpack"
    "|vite|excel|wolfram ?alpha"
    "|gcc|clang|javac|explain analyze|git bisect|git blame"
)
_USED = re.compile(
    rf"\b(?:with|using|via|through|by\s+running|mit|con|com|avec|usando|en\s+utilisant|ran|run|executed"
    rf"|rodei|ejecuté|exécuté"
    rf"|lancé)\s+(?:the\s+|a\s+|an\s+|our\s+|your\s+)?`?(?P<p>{_PROGRAMS})\b(?!\s+(?:file|config\w*"
    rf"|script\s+that|syntax))"
    rf"|(?P<p2>{_PROGRAMS})`?\s?(?:로|으로|で|を使)|用\s?`?(?P<p3>{_PROGRAMS})",
    re.IGNORECASE,
)
_NAMES = tuple(program.split(" ?")[0] for program in _PROGRAMS.split("|"))
_ALIASES = {
    "cypress": r"cypress|\be2e\b",
    "playwright": r"playwright|browser|\be2e\b",
    "excel": r"excel|xlsx|sheet|openpyxl",
    "wolfram alpha": r"wolfram",
    "docker": r"docker|compose|container|image",
    "postman": r"postman|newman",
    "imagemagick": r"magick|convert|mogrify",
    "selenium": r"selenium|browser|webdriver",
    "puppeteer": r"puppeteer|browser",
}


def _used(text: str) -> re.Match[str] | None:
    lowered = text.lower()  # substrings first: most texts name no program, and the expression is slow
    return _USED.search(text) if any(name in lowered for name in _NAMES) else None


def names_program(text: str) -> bool:
    """Whether the text says anywhere that a program was used."""
    return _used(text) is not None


def unused_program(sentence: str, facts: tuple[Fact, ...]) -> str:
    """The program that the sentence says was used and that no call can have used, "" if there is none."""
    match = _used(sentence)
    if match is None:
        return ""
    program = (match["p"] or match["p2"] or match["p3"]).lower()
    evidence = re.compile(_ALIASES.get(program, re.escape(program)), re.IGNORECASE)
    for fact in facts:
        if fact.kinds & {"opaque", "delegate"} and not _bare_run(fact):
            return ""
        if evidence.search(fact.deed) or evidence.search(fact.result[:4_000]):
            return ""
    return program


def _bare_run(fact: Fact) -> bool:
    """Whether a shell call runs one plain program: it may be opaque, but it is not another program."""
    return (
        bool(fact.command)
        and re.fullmatch(r"[\w./ =:@'\"-]{1,200}", fact.command) is not None
        and not re.search(
            r"\b(?:make|just|task|npm|pnpm|yarn|bun|tox|nox|mise|rake|gradlew?|mvnw?|bazel|invoke|\S+\.sh)\b",
            fact.command,
        )
    )
