"""What is built, locked and shipped: wheels, constraints, container files."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PACKAGES = {".": ("analyzers", "collector", "dashboard"), "sdk": ("tightrope_sdk",)}


@pytest.mark.parametrize("project", PACKAGES)
def test_wheel_holds_every_file_of_its_packages(project: str, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT / project,
        check=True,
        capture_output=True,
    )
    [wheel] = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        built = set(archive.namelist())
    for package in PACKAGES[project]:
        folder = ROOT / project / package
        sources = {
            path.relative_to(folder.parent).as_posix()
            for path in folder.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert sources - built == set()
        assert sources
    pages = {f"dashboard/findings/{path.name}" for path in (ROOT / "docs" / "findings").glob("*.md")}
    assert pages - built == (set() if project == "." else pages)


def _pins(name: str) -> dict[str, list[str]]:
    """The pinned versions by package, of a lock file whose every pin has a hash."""
    pins: dict[str, list[str]] = {}
    text = (ROOT / name).read_text()
    for entry in re.sub(r"^#.*\n", "", text).replace("\\\n", " ").splitlines():
        requirement, *hashes = entry.split(" --hash=")
        assert hashes, f"{entry} has no hash"
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}\s*", digest) for digest in hashes)
        parsed = Requirement(requirement.strip())
        [pin] = parsed.specifier
        assert pin.operator == "=="
        pins.setdefault(parsed.name, []).append(pin.version)
    return pins


def _wanted(*extras: str) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = list(project["dependencies"])
    for extra in extras:
        listed += project["optional-dependencies"][extra]
    own = {"tightrope", "tightrope-sdk"}
    return [wanted for text in listed if (wanted := Requirement(text)).name not in own]


@pytest.mark.parametrize(
    ("name", "extras"), [("constraints.txt", ("build",)), ("constraints-dev.txt", ("build", "dev"))]
)
def test_locked_versions_are_those_that_the_project_asks_for(name: str, extras: tuple[str, ...]) -> None:
    pins = _pins(name)
    for wanted in _wanted(*extras):
        versions = pins.get(canonicalize_name(wanted.name))
        assert versions, f"{wanted.name} is not in {name}: run `make lock`"
        assert all(version in wanted.specifier for version in versions), wanted


def test_what_runs_and_what_is_tested_are_the_same_versions() -> None:
    run, dev = _pins("constraints.txt"), _pins("constraints-dev.txt")
    assert run.items() <= dev.items()


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-dev.txt"])
def test_lock_files_name_no_place_to_download_from(name: str) -> None:
    text = (ROOT / name).read_text()
    assert not re.search(r"://|--(?:extra-)?index-url|--find-links|file:", text)


def _services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    return services


def test_composed_ports_are_open_on_this_machine_only() -> None:
    ports = [port for service in _services().values() for port in service["ports"]]
    assert sorted(ports) == ["127.0.0.1:4317:4317", "127.0.0.1:4318:4318", "127.0.0.1:8501:8501"]


def test_composed_services_fit_together() -> None:
    collector, dashboard = _services()["collector"], _services()["dashboard"]
    assert collector["image"] == dashboard["image"]
    assert collector["build"] == "."
    assert dashboard["environment"]["TIGHTROPE_URL"] == "http://collector:4318"
    assert dashboard["depends_on"] == {"collector": {"condition": "service_healthy"}}
    assert collector["volumes"] == ["data:/data"]
    for service in (collector, dashboard):
        assert service["environment"]["TIGHTROPE_TOKEN"] == "${TIGHTROPE_TOKEN:-}"


def test_image_copies_only_what_is_there_and_not_ignored() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        source
        for line in (ROOT / "Dockerfile").read_text().splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for source in line.split()[1:-1]
    }
    assert copied == allowed
    assert all((ROOT / source).exists() for source in copied)
