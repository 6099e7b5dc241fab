"""What is derived from recorded payloads of real libraries, against expectations read from the payloads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from analyzers import ANALYZERS
from collector.derive.analysis import analyze
from collector.derive.rows import SessionRows
from tests.collector.derive.pipeline import derive_all
from tests.otlp_records import read_folder

DATA = Path(__file__).parents[2] / "data" / "otlp"
# Beside the project, where that is there: recordings that hold other projects' prompts.
BESIDE = Path(__file__).parents[4] / "shared" / "otlp"
EXPECTED = Path(__file__).parent / "expected"
SCRIPT = yaml.safe_load((EXPECTED / "_script.yml").read_text())
FOLDERS = sorted(path.stem for path in EXPECTED.glob("[!_]*.yml"))
SCRIPTED = {"repetition_loop", "misnamed_tool", "leaked_tool_call", "contradicted_claim"}


@pytest.mark.parametrize("folder", FOLDERS)
def test_sessions_of_a_recording(folder: str) -> None:
    wanted = [_wanted(doc) for doc in _expected(folder)]
    assert [_seen(rows) for rows in derive_all(*read_folder(_recording(folder)))] == wanted


@pytest.mark.parametrize("folder", FOLDERS)
def test_findings_of_a_recording(folder: str) -> None:
    """The script's failures, but for those that the expectation says its content cannot show, and why."""
    sessions = [analyze(rows, ANALYZERS).sessions[0] for rows in derive_all(*read_folder(_recording(folder)))]
    kinds = {kind for session in sessions for kind in session.kinds}
    wanted = SCRIPTED - _expected(folder)[0].get("not_found", {}).keys()
    assert kinds & SCRIPTED == wanted
    assert sessions[0].flagged == bool(wanted)


def test_every_recording_has_an_expectation() -> None:
    assert {path.name for path in DATA.iterdir()} <= set(FOLDERS)


def _recording(folder: str) -> Path:
    for root in (DATA, BESIDE):
        if (root / folder).is_dir():
            return root / folder
    pytest.skip(f"the recording {folder} lies beside the project, not in it")


def _expected(folder: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((EXPECTED / f"{folder}.yml").read_text()))


def _wanted(doc: dict[str, Any]) -> dict[str, Any]:
    every = doc["every_round"]
    rounds = [{**every, **turn} for turn in doc["rounds"]]
    return {
        "session": doc["session"],
        "tools": doc["tools"],
        "rounds": [
            {
                "agent": turn["agent"],
                "provider": turn["provider"],
                "server": turn["server"],
                "model": turn["model"],
                "tokens": turn["tokens"],
                "step": turn.get("step"),
                "finish": turn.get("finish") or "",
                "user": _text(turn.get("user", "")),
                "text": _text(turn.get("text", "")),
                "calls": [_wanted_call(call) for call in turn.get("calls", [])],
            }
            for turn in rounds
        ],
    }


def _wanted_call(call: dict[str, Any]) -> dict[str, Any]:
    scripted = SCRIPT["calls"].get(call.get("call"), call)
    result = call.get("result")
    error = call.get("error")
    return {
        "tool": scripted["tool"],
        "requested": scripted["tool"],
        "arguments": scripted["arguments"],
        "id": call["id"],
        "source": call["source"],
        "result": _Starts(result["starts"]) if isinstance(result, dict) else _result(result),
        "error": _result(error),
        "is_error": error is not None,
        "changed": False if result in ("unchanged", "unchanged_compact") else None,
    }


class _Starts(str):
    """A text of which an expectation gives the beginning only, as `{starts: …}`."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and other.startswith(str(self))


def _result(name: str | None) -> Any:
    return SCRIPT["results"].get(name, name)


def _text(name: str) -> str:
    return str(SCRIPT["texts"].get(name, name))


def _seen(rows: SessionRows) -> dict[str, Any]:
    (head,) = rows.sessions
    assert head.rounds == len(rows.rounds)
    assert head.tool_calls == len(rows.tool_calls)
    assert head.input_tokens == sum(row.input_tokens or 0 for row in rows.rounds)
    for agent in {row.agent_name for row in rows.rounds}:
        own = [row.round for row in rows.rounds if row.agent_name == agent]
        assert own == list(range(len(own)))
    return {
        "session": {
            "id": head.session_id,
            "source": head.session_source,
            "service": head.service_name,
            "agent": head.agent_name,
            "model": head.model,
            "dialect": head.dialect,
            "outcome": head.outcome,
        },
        "tools": {
            row.tool: sorted(json.loads(row.input_schema or "{}").get("properties", {})) for row in rows.tools
        },
        "rounds": [
            {
                "agent": row.agent_name,
                "provider": row.provider,
                "server": row.server_address,
                "model": row.model,
                "tokens": [row.input_tokens, row.output_tokens],
                "step": row.emitter_step,
                "finish": row.finish_reason,
                "user": row.user_text,
                "text": row.text,
                "calls": [
                    {
                        "tool": call.tool,
                        "requested": call.requested_tool,
                        "arguments": json.loads(call.arguments or "null"),
                        "id": call.call_id,
                        "source": call.source,
                        "result": call.result,
                        "error": call.error,
                        "is_error": call.is_error,
                        "changed": call.changed,
                    }
                    for call in rows.tool_calls
                    if (call.agent_name, call.round) == (row.agent_name, row.round)
                ],
            }
            for row in rows.rounds
        ],
    }
