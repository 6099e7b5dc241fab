"""The analyzers over a derived session: its rows to `analyzers.Session`, findings back to rows."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any, cast

from analyzers.model import SEVERITIES, Finding, OfferedTool, Rescue, Round, Session, ToolCall
from analyzers.registry import Analyzer, Choice
from collector.derive.rows import (
    FindingRow,
    RescueRow,
    RoundRow,
    SessionRow,
    SessionRows,
    ToolCallRow,
    ToolRow,
)
from collector.dialects.decode import decode_text, to_json

FLAGGED_FROM = "warning"
"""The least severity that flags a session."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_session(rows: SessionRows) -> Session:
    """The session that `rows` describe. Raises ValueError where they hold none."""
    if not rows.sessions:
        raise ValueError("these rows hold no session: no agent ran in the records they come from")
    head = rows.sessions[0]
    calls: dict[tuple[str, int], list[ToolCall]] = {}
    for row in rows.tool_calls:
        calls.setdefault((row.agent_name, row.round), []).append(_call(row))
    return Session(
        session_id=head.session_id,
        rounds=tuple(_round(row, calls.get((row.agent_name, row.round), [])) for row in rows.rounds),
        tools=tuple(_tool(row) for row in rows.tools),
        rescues=tuple(_rescue(row) for row in rows.rescues),
        service_name=head.service_name,
        agent_name=head.agent_name,
        model=head.model,
        final_text=head.final_text,
    )


def analyze(
    rows: SessionRows,
    analyzers: Iterable[Analyzer],
    choices: Mapping[str, Choice] | None = None,
    failures: list[str] | None = None,
) -> SessionRows:
    """`rows` with the findings of `analyzers`, and what they mean for the session, filled in.

    `choices` holds how an analyzer is to run by its kind; one that is not in it runs with its defaults.
    With `failures`, an analyzer that raises is noted there and the findings of the others stand; without
    it, what it raises is raised. Rows without a session come back as they are.
    """
    if not rows.sessions:
        return rows
    session = to_session(rows)
    chosen = choices or {}
    found: list[Finding] = []
    for analyzer in analyzers:
        try:
            found += analyzer.findings(session, chosen.get(analyzer.kind))
        except Exception:
            if failures is None:
                raise
            failures.append(f"{analyzer.kind}: {traceback.format_exc()}")
    findings = _rows(session, found)
    severity = max((row.severity for row in findings), key=_grade, default="")
    head: SessionRow = replace(
        rows.sessions[0],
        findings=len(findings),
        max_severity=severity,
        flagged=_grade(severity) >= _grade(FLAGGED_FROM),
        kinds=sorted({row.kind for row in findings}),
    )
    return replace(rows, sessions=[head], findings=findings)


def _grade(severity: str) -> int:
    return SEVERITIES.index(cast(Any, severity)) if severity in SEVERITIES else -1


def _rows(session: Session, findings: Iterable[Finding]) -> list[FindingRow]:
    """Findings as rows. Of those that differ in nothing stable the n-th keeps its place as its name."""
    seen: dict[str, int] = {}
    rows = []
    for finding in findings:
        discriminator = to_json(
            [
                session.service_name,
                session.session_id,
                finding.kind,
                finding.subkind,
                finding.agent_name,
                finding.round,
                *_marks(finding.evidence),
            ]
        )
        count = seen[discriminator] = seen.get(discriminator, -1) + 1
        digest = blake2b(f"{discriminator}{count}".encode(errors="surrogatepass"), digest_size=12)
        rows.append(
            FindingRow(
                finding_id=digest.hexdigest(),
                session_id=session.session_id,
                kind=finding.kind,
                subkind=finding.subkind,
                severity=finding.severity,
                confidence=finding.confidence,
                round=finding.round,
                last_round=finding.last_round,
                agent_name=finding.agent_name or session.agent_name,
                model=finding.model or session.model,
                service_name=session.service_name,
                trace_id=finding.trace_id,
                span_id=finding.span_id,
                title=finding.title,
                detail=finding.detail,
                evidence=to_json(finding.evidence),
                advice=finding.advice,
                wasted_calls=finding.wasted_calls,
                wasted_tokens=finding.wasted_tokens,
            )
        )
    return rows


def _marks(evidence: Mapping[str, Any]) -> list[Any]:
    """What tells two findings of one round apart, whatever happens in later rounds."""
    calls = evidence.get("calls")
    first = calls[0] if isinstance(calls, list | tuple) and calls else None
    position = first.get("position") if isinstance(first, Mapping) else None
    return [evidence.get("requested"), evidence.get("sentence"), evidence.get("start"), position]


def _round(row: RoundRow, calls: list[ToolCall]) -> Round:
    return Round(  # by position, here and below: a tenth of the time of all analyzers is these two
        row.round,
        row.text,
        tuple(calls),
        row.reasoning,
        row.user_text,
        row.agent_name,
        row.model,
        row.provider,
        row.server_address,
        row.finish_reason,
        row.error,
        row.input_tokens,
        row.output_tokens,
        _time(row.started_at),
        _time(row.ended_at),
        row.trace_id,
        row.span_id,
    )


def _call(row: ToolCallRow) -> ToolCall:
    return ToolCall(
        row.tool,
        decode_text(row.arguments),
        row.requested_tool,
        row.result,
        row.is_error,
        row.error,
        row.changed,
        row.hash_before,
        row.hash_after,
        None if row.fields_modified is None else tuple(row.fields_modified),
        row.round,
        row.position,
        row.agent_name,
        row.call_id,
        row.fingerprint,
        _time(row.started_at),
        _time(row.ended_at),
        row.trace_id,
        row.span_id,
        row.source,  # type: ignore[arg-type]  # a column of the store is text
    )


def _tool(row: ToolRow) -> OfferedTool:
    return OfferedTool(row.tool, row.description, decode_text(row.input_schema))


def _rescue(row: RescueRow) -> Rescue:
    return Rescue(row.name, row.family, row.round, row.original, row.recovered, row.note, row.agent_name)


def _time(microseconds: int | None) -> datetime | None:
    if microseconds is None:
        return None
    try:
        return _EPOCH + timedelta(0, 0, microseconds)
    except OverflowError:
        return None
