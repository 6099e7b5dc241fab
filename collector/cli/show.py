"""`tightrope show`: one session as a round-by-round activity log."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from collector.cli.text import excerpt, page_width, printable, wrap
from collector.client import Client, Json
from collector.settings import Settings

PAGE = 1000
DIFFERENCES = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which session."""
    parser.add_argument("session", metavar="SESSION", help="the session's id")
    parser.add_argument("--service", metavar="SERVICE", help="needed where several services have this id")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the session, page by page."""
    width = page_width()
    with Client(settings.url, settings.token) as client:
        for line in activity(_pages(client, args.session, args.service), width):
            print(line)
    return 0


def _pages(client: Client, session_id: str, service: str | None) -> Iterator[Json]:
    at, total = 0, 1
    while at < total:
        page = client.session(session_id, service, rounds_from=at, rounds_limit=PAGE)
        yield page
        at, total = at + PAGE, page["total_rounds"] or 0


def activity(pages: Iterable[Json], width: int) -> Iterator[str]:
    """The lines of a session's log, at most `width` cells each, from the API's pages of it."""
    notes: dict[tuple[int | None, str], list[str]] = {}
    before: dict[tuple[str, str], Json] = {}
    for number, page in enumerate(pages):
        if number == 0:
            yield from _head(page["session"], width)
            notes = _notes(page, width)
        calls: dict[int, list[Json]] = {}
        for call in page["tool_calls"]:
            calls.setdefault(call["index"], []).append(call)
        several = len({turn["agent_name"] for turn in page["rounds"]}) > 1
        for turn in page["rounds"]:
            yield ""
            yield from _turn(turn, several, width)
            for call in calls.get(turn["index"], ()):
                key = (call["agent_name"], call["tool"])
                yield from _call(call, before.get(key), width)
                before[key] = call
            yield from notes.pop((turn["round"], turn["agent_name"]), ())
            yield from notes.pop((turn["round"], ""), ())
    if notes:
        yield ""
        yield "of the whole session"
        for lines in notes.values():
            yield from lines


def _head(session: Json, width: int) -> Iterator[str]:
    named = (session["service_name"], session["agent_name"], session["model"])
    yield printable(f"session {session['session_id']}")
    yield excerpt(" · ".join(name for name in named if name), width)
    counts = ("rounds", "tool_calls", "distinct_calls", "tool_errors", "rescues", "findings")
    told = ", ".join(f"{name.replace('_', ' ')} {session[name] or 0}" for name in counts)
    begun = (session["started_at"] or "time unknown")[:19].replace("T", " ")
    yield from wrap(f"{begun} UTC, {_duration(session)}; {told}", "", width)
    if session["not_captured"]:
        yield from wrap(capture_note(session), "", width)
    if session["flagged"]:
        yield from wrap(
            f"flagged ({session['max_severity']}): {', '.join(session['kinds'] or ())}", "", width
        )


def capture_note(session: Json) -> str:
    """What the session's telemetry leaves out, what that means, and what to set."""
    switch = f" Set {session['capture_switch']}." if session["capture_switch"] else ""
    return (
        f"not captured: {', '.join(session['not_captured'])}. This instrumentation does not export them, "
        f"so what needs them could not be judged.{switch}"
    )


def _notes(page: Json, width: int) -> dict[tuple[int | None, str], list[str]]:
    """The rescues and findings, by the (round, agent) that they are shown at."""
    notes: dict[tuple[int | None, str], list[str]] = {}
    for rescue in page["rescues"]:
        lines = notes.setdefault((rescue["round"], rescue["agent_name"] or ""), [])
        change = " → ".join(part for part in (rescue["original"], rescue["recovered"]) if part)
        text = f"rescue {rescue['name']} ({rescue['family']}) {change}"
        lines += wrap(f"{text}: {rescue['note']}" if rescue["note"] else text, "  + ", width)
    for finding in page["findings"]:
        lines = notes.setdefault((finding["round"], finding["agent_name"] or ""), [])
        kind = "/".join(part for part in (finding["kind"], finding["subkind"]) if part)
        first, last = finding["round"], finding["last_round"]
        place = f", rounds {first} to {last}" if last is not None and last != first else ""
        word = f", called {finding['verdict']} by a person" if finding["verdict"] else ""
        lines += wrap(f"{finding['severity']} {kind}{place}{word}: {finding['title']}", "  ! ", width)
        lines += wrap(finding["detail"], "    ", width)
        lines += wrap(f"advice: {finding['advice']}", "    ", width)
        if finding["judge_verdict"]:
            said = f"{finding['judge_model']} calls the claim {finding['judge_verdict']}"
            lines += wrap(f"second opinion: {said}: {finding['judge_reason']}", "    ", width)
    return notes


def _turn(turn: Json, several: bool, width: int) -> Iterator[str]:
    if turn["user_text"]:
        yield from wrap(_cut(turn, "user_text"), "user: ", width)
    facts = [(turn["started_at"] or "")[11:19], _duration(turn)]
    if several:
        facts.append(turn["agent_name"])
    if turn["input_tokens"] is not None or turn["output_tokens"] is not None:
        facts.append(f"{turn['input_tokens'] or 0:,} → {turn['output_tokens'] or 0:,} tokens")
    facts.append(turn["finish_reason"] or "")
    yield excerpt(f"round {turn['round']}  " + "  ".join(fact for fact in facts if fact), width)
    if turn["reasoning"]:
        yield from wrap(_cut(turn, "reasoning"), "  thinks: ", width)
    if turn["text"]:
        yield from wrap(_cut(turn, "text"), "  says: ", width)
    if turn["error"]:
        yield from wrap(_cut(turn, "error"), "  error: ", width)


def _call(call: Json, before: Json | None, width: int) -> Iterator[str]:
    requested, ran = call["requested_tool"], call["tool"] or "?"
    name = f"{requested} → {ran}" if requested and requested != ran else ran
    head = f"  > {printable(name)} "
    arguments = excerpt(call["arguments"] or "", max(20, width - len(head)), call["arguments_length"])
    yield head + arguments
    if before is not None:
        yield excerpt(f"      {_difference(before, call)}", width)
    if call["error"] or call["is_error"]:
        yield "      error: " + excerpt(
            call["error"] or call["result"] or "", width - 13, call["error_length"]
        )
    elif call["result"] is None:
        yield "      no result was captured"
    else:
        yield "      = " + excerpt(call["result"], width - 8, call["result_length"])
    if call["changed"] is not None:
        hashes = f" ({call['hash_before'] or '?'} → {call['hash_after'] or '?'})"
        shown = hashes if call["hash_before"] or call["hash_after"] else ""
        names = f", fields: {', '.join(call['fields_modified'])}" if call["fields_modified"] else ""
        yield excerpt(f"      changed: {'yes' if call['changed'] else 'no'}{shown}{names}", width)


def _difference(before: Json, call: Json) -> str:
    """How the arguments of a call differ from those of the call of the same tool before."""
    place = f"round {before['round']}"
    if call["fingerprint"] and before["fingerprint"] == call["fingerprint"]:
        return f"same arguments as in {place}"
    old, new = _object(before), _object(call)
    if old is None or new is None:
        return f"other arguments than in {place}"
    changes = [f"-{key}" for key in old if key not in new]
    changes += [f"+{key} {_short(new[key])}" for key in new if key not in old]
    changes += [
        f"{key} {_short(old[key])} → {_short(new[key])}" for key in new if key in old and old[key] != new[key]
    ]
    more = f", and {len(changes) - DIFFERENCES} more" if len(changes) > DIFFERENCES else ""
    return f"since {place}: {', '.join(changes[:DIFFERENCES])}{more}"


def _object(call: Json) -> dict[str, Any] | None:
    if not call["arguments"] or (call["arguments_length"] or 0) > len(call["arguments"]):
        return None
    try:
        value = json.loads(call["arguments"])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"


def _cut(row: Json, name: str) -> str:
    """An excerpt of the API, with how long the whole is."""
    text, length = row[name], row[f"{name}_length"]
    return text if length <= len(text) else f"{text}… ({length:,} characters)"


def _duration(row: Json) -> str:
    if not row["started_at"] or not row["ended_at"]:
        return ""
    seconds = (
        datetime.fromisoformat(row["ended_at"]) - datetime.fromisoformat(row["started_at"])
    ).total_seconds()
    return f"{seconds:,.1f} s"
