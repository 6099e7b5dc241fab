"""The second opinion: asked of a real HTTP endpoint, stored beside the finding, and of no weight to it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from collector.analysis.judge import read_answer
from collector.cli import main
from tests.service import RunningService

DATA = Path(__file__).parent.parent / "data" / "otlp" / "openinference_openai"


class Endpoint:
    """Answers chat completions with `content`, or with the HTTP status `status`."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[str] = []
        self.content, self.status = '{"verdict": "contradicted", "reason": "changed is false"}', 200
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                endpoint.asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                endpoint.headers.append(self.headers.get("authorization", "") + self.path)
                body = json.dumps({"choices": [{"message": {"content": endpoint.content}}]}).encode()
                self.send_response(endpoint.status)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    running = Endpoint()
    yield running
    running.server.shutdown()


def send(service: RunningService) -> None:
    for path in sorted(DATA.glob("*_traces.pb")):
        service.post("traces", path.read_bytes())
    service.wait_analysed()


def wait_for(read: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 30
    while not (value := read()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return value


def claim(service: RunningService) -> dict[str, Any]:
    [finding] = service.http.get("/api/findings?kind=contradicted_claim").json()["findings"]
    return dict(finding)


def test_the_opinion_stands_beside_the_finding_and_outlives_recomputation(
    start_service: Callable[..., RunningService], endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint.content = 'I think: {"verdict": "supported", "reason": "it was <b>done</b>"} so.'
    service = start_service(judge_url=endpoint.url, judge_model="m-1", judge_key="k")
    send(service)
    wait_for(lambda: claim(service)["judge_verdict"])
    before = claim(service)
    assert (before["judge_verdict"], before["judge_model"]) == ("supported", "m-1")
    assert (before["severity"], before["verdict"]) == ("critical", None)
    [asked] = endpoint.asked
    assert (asked["model"], endpoint.headers) == ("m-1", ["Bearer k/v1/chat/completions"])
    record = json.loads(asked["messages"][1]["content"])
    assert record["sentence"] == "I updated the description."
    assert [call["tool"] for call in record["calls"]][:3] == ["update_requirement"] * 3
    service.http.post("/api/analyze", json={"all": True})
    service.wait_analysed()
    assert claim(service) == before
    assert len(endpoint.asked) == 1
    assert main(["show", before["session_id"], "--url", service.url]) == 0
    assert "m-1 calls the claim supported: it was <b>done</b>" in " ".join(capsys.readouterr().out.split())


def test_an_endpoint_that_fails_is_named_and_asked_again(
    start_service: Callable[..., RunningService], endpoint: Endpoint
) -> None:
    endpoint.status = 503
    service = start_service(judge_url=endpoint.url, judge_model="m-1")
    send(service)
    failure = wait_for(lambda: service.status()["judge"]["failure"])
    assert "503" in failure
    assert claim(service)["judge_verdict"] is None
    endpoint.status = 200
    assert wait_for(lambda: claim(service)["judge_verdict"]) == "contradicted"
    assert wait_for(lambda: service.status()["judge"]["failure"] == "")


def test_nobody_is_asked_unless_told(
    start_service: Callable[..., RunningService], endpoint: Endpoint
) -> None:
    service = start_service()
    send(service)
    assert service.status()["judge"] == {"url": "", "model": "", "failure": ""}
    assert claim(service)["judge_verdict"] is None


def test_an_endpoint_without_a_model_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "settings.toml"
    config.write_text('judge_url = "http://127.0.0.1:9/v1"')
    words = ["up", "--no-dashboard", "--data", str(tmp_path), "--config", str(config), "--http-port", "0"]
    assert main(words) == 2
    assert "judge_model" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["", "yes", "{", '{"verdict": "maybe"}', "[1]", '{"verdict": ["supported"]}', "{" * 10_000]
)
def test_an_answer_that_is_none_is_unknown(text: str) -> None:
    verdict, reason = read_answer(text)
    assert verdict == "unknown"
    assert "not the JSON" in reason
