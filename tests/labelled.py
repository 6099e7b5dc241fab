"""Labelled cases as sessions: `cases/<kind>.<split>.jsonl`, one case a line, and what is said of them.

Kinds of cases: `loops`, `misnaming`, `leaks`, `claims`. Rules are tuned on the split `tune` alone; what they
do on `held` is what a user may expect.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from tightrope_sdk.diff import diff_summary
from tightrope_sdk.shapes import judge_call

from analyzers import OfferedTool, Round, Session, ToolCall
from analyzers.contradicted_claim import contradicted_claims
from analyzers.leaked_tool_call import leaked_tool_call
from analyzers.repetition_loop import repetition_loops

FOLDER = Path(__file__).parent / "cases"
KINDS = {
    "loops": "repetition_loop",
    "misnaming": "misnamed_tool",
    "leaks": "leaked_tool_call",
    "claims": "contradicted_claim",
}
SPLITS = ("tune", "held")
Case = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """What an analyzer says of a case: whether it is there, whether it should be, and the words for it.

    `found` without `wanted` is a false alarm; so is the right call with the wrong recovery.
    """

    case: str
    wanted: bool
    found: bool
    said: str


def load(kind: str, split: str) -> list[Case]:
    """The cases of a kind and split."""
    path = FOLDER / f"{kind}.{split}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def answer(kind: str, case: Case) -> Answer:
    """What the analyzer of `kind` says of the case."""
    return {"loops": _loop, "misnaming": _misnaming, "leaks": _leak, "claims": _claim}[kind](case)


def session(kind: str, case: Case) -> Session:
    """The case as a session that any analyzer can read."""
    return {
        "loops": loop_session,
        "misnaming": _misnaming_session,
        "leaks": _leak_session,
        "claims": claim_session,
    }[kind](case)


def loop_session(case: Case) -> Session:
    """A round for each call or text, unless calls name a common round; events cut the run."""
    rounds: list[Round] = []
    shared: dict[int, int] = {}
    for item in case["calls"]:
        index = len(rounds)
        event = item.get("event")
        if event == "assistant_text":
            rounds.append(Round(index, text=item["text"]))
        elif event == "thought":
            rounds.append(Round(index, reasoning=item["text"]))
        elif event in ("user_message", "new_run"):
            rounds.append(Round(index, user_text=event))
        elif event == "retry":
            rounds.append(Round(index, error="overloaded"))
        else:
            result, error = item.get("result"), item.get("error")
            call = ToolCall(
                tool=item["name"],
                arguments=item["args"],
                result=result if result is None or isinstance(result, str) else json.dumps(result),
                error=error,
                is_error=error is not None,
                round=index,
                agent_name=item.get("agent", ""),
            )
            if item.get("round") in shared:
                at = shared[item["round"]]
                rounds[at] = replace(rounds[at], calls=(*rounds[at].calls, replace(call, round=at)))
                continue
            if "round" in item:
                shared[item["round"]] = index
            rounds.append(Round(index, calls=(call,), agent_name=call.agent_name))
    return Session(case["id"], rounds=tuple(rounds))


def claim_session(case: Case) -> Session:
    """A round for each call, then the final answer.

    A tool that ran at the provider's side is a call without a result: so telemetry has it.
    """
    rounds = []
    remote = [{"name": name, "args": {}, "result": None} for name in case.get("server_tools", ())]
    for number, call in enumerate([*case["tool_calls"], *remote]):
        result = call["result"]
        text = result if result is None or isinstance(result, str) else json.dumps(result)
        tool = ToolCall(
            call["name"], call["args"], result=text, is_error=bool(call.get("error")), round=number
        )
        rounds.append(Round(number, call.get("text_before", ""), (tool,)))
    rounds.append(Round(len(rounds), case["final_text"]))
    return with_diffs(Session(case["id"], tuple(rounds), final_text=case["final_text"]))


def with_diffs(session: Session) -> Session:
    """The session as the collector stores it: calls with the diff summaries of their results."""
    rounds = [replace(turn, calls=tuple(map(_with_diff, turn.calls))) for turn in session.rounds]
    return replace(session, rounds=tuple(rounds))


def _with_diff(call: ToolCall) -> ToolCall:
    summary = diff_summary(call.result)
    known = {
        f.name: getattr(summary, f.name) for f in fields(summary) if getattr(summary, f.name) is not None
    }
    return replace(call, **known)


def _leak_session(case: Case) -> Session:
    reasoning = case.get("reasoning", "")
    turn = Round(0, case["text"], reasoning=reasoning)
    return Session(
        case["id"], (turn,), tuple(map(OfferedTool, case.get("tools", ()))), final_text=case["text"]
    )


def _misnaming_session(case: Case) -> Session:
    call = ToolCall(case["call"]["name"], case["call"]["args"])
    tools = tuple(OfferedTool(tool["name"], "", tool["input_schema"]) for tool in case["tools"])
    return Session(case["id"], (Round(0, calls=(call,)),), tools)


def _loop(case: Case) -> Answer:
    found = repetition_loops.run(loop_session(case))
    said = "; ".join(f"{finding.subkind}: {finding.title}" for finding in found)
    return Answer(case["id"], case["expect_loop"], bool(found), said)


def _misnaming(case: Case) -> Answer:
    tools = {tool["name"]: tool["input_schema"] for tool in case["tools"]}
    verdict = judge_call(case["call"]["name"], case["call"]["args"], tools)
    wanted = case["expect"]["verdict"] == "misnamed"
    said = f"{verdict.verdict} {verdict.recovered or ''} (wanted: {case['expect']['verdict']})"
    right = verdict.recovered == case["expect"].get("recovered")
    found = verdict.verdict == "misnamed"
    if wanted and found and not right:  # a wrong guess is a false alarm, and what was there is missed
        return Answer(case["id"], False, True, f"{said}, not {case['expect']['recovered']}")
    return Answer(case["id"], wanted, found, said)


def _leak(case: Case) -> Answer:
    found = leaked_tool_call.run(_leak_session(case))
    said = "; ".join(finding.title for finding in found)
    return Answer(case["id"], case["expect"]["leak"], bool(found), said)


def _claim(case: Case) -> Answer:
    found = contradicted_claims.run(claim_session(case))
    said = "; ".join(f"{finding.subkind}: {finding.title}" for finding in found)
    return Answer(case["id"], case["expect"]["contradiction"], bool(found), said)


def answers(kind: str, split: str) -> Iterator[Answer]:
    """What is said of every case of a kind and split."""
    for case in load(kind, split):
        yield answer(kind, case)
