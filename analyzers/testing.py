"""For tests of analyzers: cases that one can read aloud, turned into a `Session`.

    hit:
      search-that-never-changes:
        rounds: ["3x search q=tea -> nothing"]
        expect: {subkind: exact_repeat, severity: warning}
    miss:
      paging:
        rounds: [read page=1 -> a, read page=2 -> b]

A case is a mapping with `rounds`, and optionally `tools`, `final` (the final text), `expect` (whatever
the test of that kind compares), `model`, `service`, `agent`, `rescues` (mappings of `Rescue` fields).

An item of `rounds` is either one call, which makes a round of its own, or a mapping with any of `user`,
`say`, `think`, `calls`, `agent`, `tokens: [input, output]`, `finish`, `error`. A round is numbered by its
place among its agent's rounds. `{times: 3, rounds: [...]}` repeats rounds.

A call is either a mapping of `ToolCall` fields (`args` for `arguments`), or text:
    name key=value key="two words" -> result        a result
    name {"key": "value"} !! error                  an error
    name                                            no arguments, result unknown
    name ? -> result                                arguments unknown
`3x` before it repeats it. Values are JSON where they parse as JSON, else text.

`tools` maps a name to a JSON schema, to nothing (schema unknown), or to text that lists its keys:
`path content lines?:integer` (`?` marks an optional key; the type is string unless given).
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analyzers.model import OfferedTool, Rescue, Round, Session, ToolCall

_TIMES = re.compile(r"(\d+)x\s+")


@dataclass(frozen=True)
class Case:
    """One case of a case file; `hit` says whether the analyzer must find something in it."""

    name: str
    hit: bool
    session: Session
    expect: Mapping[str, Any]


def parse_cases(text: str) -> list[Case]:
    """All cases of a YAML text, hits first. Needs PyYAML, which Tightrope itself does not."""
    import yaml  # type: ignore[import-untyped]  # noqa: PLC0415

    content = yaml.safe_load(text)
    return [
        Case(name, section == "hit", parse_session(name, spec), spec.get("expect") or {})
        for section in ("hit", "miss")
        for name, spec in (content.get(section) or {}).items()
    ]


def parse_session(name: str, spec: Mapping[str, Any]) -> Session:
    """The session that a case describes; `name` becomes its id."""
    default_agent = spec.get("agent", "")
    rounds: list[Round] = []
    seen: dict[str, int] = {}
    for item in _repeated(spec["rounds"]):
        fields: Any = {"calls": [item]} if isinstance(item, str) or "tool" in item else item
        agent = fields.get("agent", default_agent)
        index = seen.get(agent, 0)
        seen[agent] = index + 1
        tokens: Any = fields.get("tokens") or (None, None)
        rounds.append(
            Round(
                round=index,
                text=fields.get("say", ""),
                calls=tuple(
                    parse_call(call, round=index, position=position, agent_name=agent)
                    for position, call in enumerate(_repeated(fields.get("calls", ())))
                ),
                reasoning=fields.get("think", ""),
                user_text=fields.get("user", ""),
                agent_name=agent,
                model=spec.get("model", ""),
                finish_reason=fields.get("finish", ""),
                error=fields.get("error", ""),
                input_tokens=tokens[0],
                output_tokens=tokens[1],
            )
        )
    return Session(
        session_id=name,
        rounds=tuple(rounds),
        tools=tuple(_tool(tool, shape) for tool, shape in (spec.get("tools") or {}).items()),
        rescues=tuple(Rescue(**rescue) for rescue in spec.get("rescues", ())),
        service_name=spec.get("service", ""),
        agent_name=default_agent,
        model=spec.get("model", ""),
        final_text=spec.get("final", ""),
    )


def parse_call(call: str | Mapping[str, Any], **where: Any) -> ToolCall:
    """One call, from its text or its mapping; `where` holds further `ToolCall` fields."""
    if not isinstance(call, str):
        fields = {("arguments" if key == "args" else key): value for key, value in call.items()}
        if isinstance(fields.get("fields_modified"), list):
            fields["fields_modified"] = tuple(fields["fields_modified"])
        return ToolCall(**{"is_error": "error" in fields, **fields, **where})
    head, arrow, outcome = re.match(r"(.*?)(?:\s+(->|!!)(?:\s(.*))?)?$", call, re.DOTALL).groups()  # type: ignore[union-attr]
    name, _, arguments = head.strip().partition(" ")
    failed = arrow == "!!"
    return ToolCall(
        tool=name,
        arguments=_arguments(arguments.strip()),
        result=(outcome or "") if arrow == "->" else None,
        error=(outcome or "") if failed else None,
        is_error=failed,
        **where,
    )


def _repeated(items: Any) -> list[Any]:
    result: list[Any] = []
    for item in items:
        if isinstance(item, dict) and "times" in item:
            result += _repeated(item["rounds"]) * item["times"]
            continue
        times = _TIMES.match(item) if isinstance(item, str) else None
        result += [item[times.end() :]] * int(times[1]) if times else [item]
    return result


def _arguments(text: str) -> Any:
    if text == "?":
        return None
    if text.startswith("{"):
        return _value(text)
    return {key: _value(value) for key, _, value in (part.partition("=") for part in shlex.split(text))}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _tool(name: str, shape: Any) -> OfferedTool:
    if isinstance(shape, str):
        keys = [part.partition(":") for part in shape.split()]
        shape = {
            "type": "object",
            "properties": {key.rstrip("?"): {"type": type_ or "string"} for key, _, type_ in keys},
            "required": [key for key, _, _ in keys if not key.endswith("?")],
        }
    return OfferedTool(name, input_schema=shape)
