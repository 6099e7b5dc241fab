"""The claim ledger: every claim of a session with its verdict and the call that is its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzers.claims.announced import announced_figures, disagrees, is_about
from analyzers.claims.calls import Fact, facts
from analyzers.claims.extraction import MAX_TEXT_CHARS, read
from analyzers.claims.judgement import Case, Judgement
from analyzers.claims.model import Claim, Evidence, LedgerEntry
from analyzers.claims.overall import contradicted_beside, contradicted_overall
from analyzers.claims.values import StatedValue, stated_values
from analyzers.claims.verdicts import judge
from analyzers.model import Round, Session

MAX_WEIGHINGS = 1_000_000
"""Claims times calls that one session may cost; of a longer one the last claims are judged."""
MAX_CALLS_BEFORE_A_VALUE = 1_000
"""After more calls than that a stated value is not searched for in all their results."""
_DIGIT = re.compile(r"\d")
_SHORT_RESULT = 2_000
_PROGRAMS = frozenset({"python"})
_CHECKS = frozenset({"test", "testish", "build", "lint", "python"})
_COMPUTING = {
    "hash": _PROGRAMS,
    "number": _PROGRAMS,
    "code": _CHECKS,
    "tally": frozenset({"test", "testish"}),
}
_SPARED = Judgement("unknown", "session_too_long")


@dataclass(frozen=True, slots=True)
class _Text:
    """A text of the assistant; `sequence` is the place of its round, whose own calls come after it."""

    turn: Round
    sequence: int
    text: str
    final: bool
    answer: bool


def ledger(session: Session, max_text_chars: int = MAX_TEXT_CHARS) -> list[LedgerEntry]:
    """Every claim of the session's assistant texts, in order, with its verdict.

    Includes sentences that turned out to be no claims (`no_claim`, with the reason) and values stated
    before the call that was to compute them.
    """
    texts = [(text, read(text.text, max_text_chars)) for text in _texts(session)]
    early = [(text, _candidates(text, max_text_chars)) for text, _ in texts]
    first = next((text.sequence for text, _ in texts if text.turn.calls and not text.final), -1)
    open_ended = any((text.answer and text.sequence) or text.sequence == first for text, _ in texts)
    if not open_ended and not any(r.claims for _, r in texts) and not any(values for _, values in early):
        return []
    known = tuple(facts(session))
    case = Case(
        facts=known,
        sequences=tuple(fact.sequence for fact in known),
        captured=not any(_asked_for_calls(turn) and not turn.calls for turn in session.rounds),
        user_text="\n".join(turn.user_text for turn in session.rounds if turn.user_text)[:500_000],
        texts=tuple(turn.text for turn in session.rounds),
    )
    entries: list[LedgerEntry] = []
    spare = sum(len(reading.claims) for _, reading in texts) - MAX_WEIGHINGS // (len(known) + 1)
    for (text, reading), (_, values) in zip(texts, early, strict=True):
        for claim in reading.claims:
            spare -= 1
            judged = _SPARED if spare >= 0 else judge(claim, text.sequence, reading, case)
            entries.append(_entry(text, claim, judged))
        entries += list(_early_entries(text, values, max_text_chars, case))
        if text.sequence == first:
            entries += list(_announced_entries(text, max_text_chars, case, entries))
        if text.answer and not any(entry.verdict == "contradicted" for entry in entries):
            entries += _overall_entries(text, max_text_chars, case)
    return entries


def _announced_entries(
    text: _Text, limit: int, case: Case, entries: list[LedgerEntry]
) -> Iterator[LedgerEntry]:
    """Figures stated before the session's first calls, which were to find them and found others."""
    if not text.turn.calls or text.final or not _DIGIT.search(text.text[-limit:]):
        return
    if any(fact.sequence < text.sequence for fact in case.facts):
        return
    own = [fact for fact in case.facts if fact.sequence == text.sequence]
    if not own or any(_says_nothing(fact) for fact in own):
        return
    skip = max(0, len(text.text) - limit)
    known = (case.user_text, *case.texts[: text.sequence], *(fact.arguments for fact in own))
    told = {(entry.round, entry.start) for entry in entries}
    for figure in announced_figures(text.text[skip:]):
        about = [
            fact
            for fact in own
            if is_about(figure, fact.deed, fact.result) and disagrees(figure, fact.result)
        ]
        if len(about) < len(own) or any(figure.value in source for source in known):
            continue
        if (text.turn.round, figure.start + skip) in told:
            continue
        fact = about[-1]
        judged = Judgement(
            "contradicted",
            "value_not_in_any_result",
            "value_before_execution",
            fact,
            f"result: {fact.result[:120]}",
        )
        yield _value_entry(
            text, figure.value, figure.sentence, figure.start + skip, figure.end + skip, judged
        )


def _says_nothing(fact: Fact) -> bool:
    """Whether a call's result cannot be held against a figure: none, an error, or a long text."""
    ran = fact.outcome != "failed" or bool(fact.kinds & _CHECKS)
    return fact.outcome == "unknown" or not ran or len(fact.result) > _SHORT_RESULT


def _overall_entries(text: _Text, limit: int, case: Case) -> list[LedgerEntry]:
    """The sentence of an answer that no call bears out, if there is one."""
    skip = max(0, len(text.text) - limit)
    said_at_last, before = text.text[skip:], case.before(text.sequence)
    found = contradicted_overall(said_at_last, before, case) or contradicted_beside(
        said_at_last, before, case
    )
    if found is None:
        return []
    said, judged = found
    return [
        LedgerEntry(
            round=text.turn.round,
            agent_name=text.turn.agent_name,
            source="final_text" if text.final else "text",
            answer=True,
            sentence=said.sentence,
            start=said.start + skip,
            end=said.end + skip,
            claim_class="act",
            language=said.language,
            target=judged.target,
            verdict=judged.verdict,
            reason=judged.reason,
            subkind=judged.subkind,
            evidence=None if judged.fact is None else _evidence(judged.fact, judged.field),
        )
    ]


def _texts(session: Session) -> Iterator[_Text]:
    for number, turn in enumerate(session.rounds):
        if not turn.text or turn.text.isspace():
            continue
        is_last = number == len(session.rounds) - 1
        answer = not turn.calls and (is_last or not _asked_for_calls(turn))
        yield _Text(turn, number, turn.text, False, answer)
    final, last = session.final_text.strip(), session.rounds[-1] if session.rounds else Round(0)
    if final and final not in last.text:
        yield _Text(last, len(session.rounds), session.final_text, True, True)


def _asked_for_calls(turn: Round) -> bool:
    return "tool" in turn.finish_reason.lower() or turn.finish_reason.lower() == "function_call"


def _entry(text: _Text, claim: Claim, judged: Judgement) -> LedgerEntry:
    return LedgerEntry(
        round=text.turn.round,
        agent_name=text.turn.agent_name,
        source="final_text" if text.final else "text",
        answer=text.answer,
        sentence=claim.sentence,
        start=claim.start,
        end=claim.end,
        claim_class=claim.claim_class,
        language=claim.language,
        target=judged.target or claim.target.text,
        verdict=judged.verdict,
        reason=judged.reason,
        subkind=judged.subkind,
        evidence=None if judged.fact is None else _evidence(judged.fact, judged.field),
    )


def _evidence(fact: Fact, field: str) -> Evidence:
    call = fact.call
    return Evidence(
        round=call.round,
        position=call.position,
        tool=call.tool,
        field=field or fact.field,
        hash_before=call.hash_before,
        hash_after=call.hash_after,
        excerpt=(call.result or call.error or "")[:300],
        agent_name=call.agent_name,
        call_id=call.call_id,
    )


def _candidates(text: _Text, limit: int) -> list[StatedValue]:
    """The values stated in a text that calls or a marker follow."""
    if not text.turn.calls and "{{" not in text.text:
        return []
    values = stated_values(text.text[-limit:])
    return [value for value in values if value.marker or (text.turn.calls and not text.final)]


def _early_entries(text: _Text, values: list[StatedValue], limit: int, case: Case) -> Iterator[LedgerEntry]:
    """Values stated in a round whose call, or marker, was to compute them."""
    skip = max(0, len(text.text) - limit)
    for value in values:
        judged = _early(text, value, case)
        if judged is None:
            continue
        yield _value_entry(text, value.value, value.sentence, value.start + skip, value.end + skip, judged)


def _value_entry(
    text: _Text, value: str, sentence: str, start: int, end: int, judged: Judgement
) -> LedgerEntry:
    return LedgerEntry(
        round=text.turn.round,
        agent_name=text.turn.agent_name,
        source="final_text" if text.final else "text",
        answer=text.answer,
        sentence=sentence,
        start=start,
        end=end,
        claim_class="compute",
        language="",
        target=value,
        verdict=judged.verdict,
        reason=judged.reason,
        subkind=judged.subkind,
        evidence=None if judged.fact is None else _evidence(judged.fact, judged.field),
    )


def _early(text: _Text, value: StatedValue, case: Case) -> Judgement | None:
    """None where the value came from somewhere: the user, a text or a result before, the call itself."""
    own = [fact for fact in case.facts if fact.sequence == text.sequence]
    computing = [fact for fact in own if fact.kinds & _COMPUTING[value.kind]]
    if not computing and not value.marker:
        return None
    earlier = [fact for fact in case.facts if fact.sequence < text.sequence]
    plain = value.value.replace(",", "")
    sources = (case.user_text, *case.texts[: text.sequence], *(fact.arguments for fact in own))
    if any(plain in source.replace(",", "") for source in sources):
        return None
    if len(earlier) > MAX_CALLS_BEFORE_A_VALUE or any(fact.outcome == "unknown" for fact in (*earlier, *own)):
        return Judgement("unknown", "result_not_captured")
    if any(plain in (fact.call.result or "").replace(",", "") for fact in earlier):
        return None
    right = [fact for fact in own if plain in (fact.call.result or "").replace(",", "")]
    if right:
        return Judgement("unsupported", "only_later_calls", fact=right[0])
    fact = computing[0] if computing else None
    field = "" if fact is None else f"result: {fact.result.strip()[:120]}"
    return Judgement("contradicted", "value_not_in_any_result", "value_before_execution", fact, field)
