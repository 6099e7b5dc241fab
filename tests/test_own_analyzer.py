"""The analyzer of docs/analyzers.md, installed as its reader would, in a service and in its own tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from tests.service import RunningService

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "analyzers.md").read_text("utf-8")
MODULE, TESTS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
ENTRY_POINT, SETTINGS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages with the page's, as pip would install it, in the processes that are started."""
    folder = tmp_path / "packages"
    (folder / "acme_checks").mkdir(parents=True)
    (folder / "acme_checks" / "__init__.py").write_text("")
    (folder / "acme_checks" / "double_message.py").write_text(MODULE)
    _distribution(folder, "acme_checks", ENTRY_POINT)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(ROOT)]))
    return folder


def _distribution(folder: Path, name: str, entry_point: str) -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = entry_point.replace('"tightrope.analyzers"', "tightrope.analyzers").replace('"', "")
    (info / "entry_points.txt").write_text(lines.replace("[project.entry-points.", "["))


def _send_two_messages(service: RunningService) -> None:
    provider = TracerProvider(resource=Resource({"service.name": "shop"}))
    exporter = OTLPSpanExporter(endpoint=f"{service.url}/v1/traces")
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with provider.get_tracer("shop").start_as_current_span("run"):
        for text in ("hello", "hello again", "bye"):
            attributes = {
                "tool.name": "send_message",
                "tool.args": f'{{"customer": "Ann", "text": "{text}"}}',
                "tool.result": "sent",
            }
            with provider.get_tracer("shop").start_as_current_span("tool_call", attributes=attributes):
                pass
    provider.shutdown()
    service.wait_analysed()


def test_its_findings_are_shown_and_its_settings_hold(
    installed: Path, start_service: Callable[..., RunningService], tmp_path: Path
) -> None:
    config = tmp_path / "settings.toml"
    config.write_text(SETTINGS)
    service = start_service(config=config)
    _send_two_messages(service)
    [finding] = service.http.get("/api/findings?kind=acme_double_message").json()["findings"]
    assert (finding["title"], finding["severity"], finding["round"]) == ("3 messages to Ann", "info", 0)
    assert service.http.get("/api/sessions").json()["sessions"][0]["flagged"] is False


def test_its_tests_pass(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "test_page.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "test_page.py")],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert "2 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("raise ImportError('no such thing')", "cannot be loaded (ImportError: no such thing)"),
        ("double = 3", "is no analyzer: declare it with @analyzer"),
        (MODULE.replace("acme_double_message", "repetition_loop"), "finds 'repetition_loop', which another"),
    ],
)
def test_a_package_at_fault_is_refused_at_the_start(
    installed: Path, tmp_path: Path, module: str, told: str
) -> None:
    (installed / "acme_checks" / "double_message.py").write_text(
        module.replace("double =", "double_message =")
    )
    done = subprocess.run(
        [sys.executable, "-m", "collector", "up", "--no-dashboard", "--data", str(tmp_path / "data")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert told in done.stderr
    assert "acme_checks" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_analyzer_that_raises_is_named_and_the_others_stand(
    installed: Path, start_service: Callable[..., RunningService]
) -> None:
    path = installed / "acme_checks" / "double_message.py"
    path.write_text(MODULE.replace("    sent = {}\n", "    sent = {}\n    1 / 0\n"))
    service = start_service()
    _send_two_messages(service)
    [failure] = service.status()["analysis"]["failures"]
    assert "acme_double_message: " in failure["reason"]
    assert "ZeroDivisionError" in failure["reason"]
    [session] = service.http.get("/api/sessions").json()["sessions"]
    assert session["tool_calls"] == 3
    service.stop()
    path.write_text(MODULE)
    service.start()
    service.http.post("/api/analyze", json={"all": False})
    assert service.wait_analysed()["analysis"]["failures"] == []
    [finding] = service.http.get("/api/findings").json()["findings"]
    assert finding["kind"] == "acme_double_message"
