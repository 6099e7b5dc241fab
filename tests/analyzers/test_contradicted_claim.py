"""`contradicted_claim` and the claim ledger on readable cases and on collected ones."""

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
import yaml

from analyzers import ANALYZERS, AnalyzerError, Round, Session, ToolCall
from analyzers.claims import claims_in, ledger
from analyzers.contradicted_claim import ContradictedClaimSettings, contradicted_claims
from tests.analyzers.casefile import load_cases, parse_session
from tests.labelled import claim_session, with_diffs

CASES = Path(__file__).parent / "cases"
COLLECTED = [json.loads(line) for line in (CASES / "claims.jsonl").read_text("utf-8").splitlines()]
SITUATIONS = [json.loads(line) for line in (CASES / "claim_situations.jsonl").read_text("utf-8").splitlines()]
SENTENCES = yaml.safe_load((CASES / "claim_sentences.yml").read_text("utf-8"))
READABLE = load_cases(CASES / "contradicted_claim.yml")

# Expected answers that are not followed, and why.
DISSENT: dict[str, str] = {}

SUBKINDS = {
    "unchanged_but_claimed": "unchanged",
    "failed_but_claimed": "failed",
    "never_ran_but_claimed": "never_ran",
}
WORST_FIRST = ["contradicted", "unsupported", "unknown", "supported", "no_claim"]


def worst(session):
    return min((entry.verdict for entry in ledger(session)), key=WORST_FIRST.index, default="no_claim")


@pytest.mark.parametrize("case", COLLECTED, ids=lambda case: case["id"])
def test_collected_case(case):
    if case["id"] in DISSENT:
        pytest.skip(DISSENT[case["id"]])
    session = claim_session(case)
    found = contradicted_claims.run(session)
    assert bool(found) is case["expect"]["contradiction"]
    kind = case["expect"]["kind"]
    assert [finding.subkind for finding in found][:1] == ([SUBKINDS.get(kind, kind)] if kind else [])
    assert worst(session) == case["expect"]["verdict"]


@pytest.mark.parametrize("case", SITUATIONS, ids=lambda case: case["id"])
def test_situation(case):
    found = contradicted_claims.run(claim_session(case))
    assert bool(found) is case["expect"]["contradiction"], [finding.detail for finding in found]


@pytest.mark.parametrize("case", READABLE, ids=lambda case: case.name)
def test_readable_case(case):
    session = with_diffs(case.session)
    found = contradicted_claims.run(session)
    if not case.hit:
        assert [finding.detail for finding in found] == []
        assert worst(session) == case.expect["verdict"]
        return
    assert [finding.subkind for finding in found] == [case.expect["subkind"]]
    assert found[0].severity == case.expect.get("severity", found[0].severity)
    assert found[0].evidence["rule"] == case.expect.get("rule", found[0].evidence["rule"])


def after(calls, sentence):
    return with_diffs(parse_session("s", {"rounds": [*calls, {"say": sentence}]}))


@pytest.mark.parametrize(("calls", "sentence"), SENTENCES["contradicted"])
def test_contradicted_sentence(calls, sentence):
    assert contradicted_claims.run(after(calls, sentence))


@pytest.mark.parametrize(("calls", "sentence"), SENTENCES["honest"])
def test_honest_sentence(calls, sentence):
    assert [finding.detail for finding in contradicted_claims.run(after(calls, sentence))] == []


def test_the_case_file_has_enough_hard_negatives():
    assert sum(not case.hit for case in READABLE) >= 60


def test_offsets_are_those_of_the_text():
    text = "Note:\n> I deleted `a.py`.\n\n```\nI updated R-3\n```\nI saved it. Then I updated “x” in R-1!"
    for claim in claims_in(text):
        assert text[claim.start : claim.end] == claim.sentence
    assert [claim.sentence for claim in claims_in(text)] == ["I saved it.", "Then I updated “x” in R-1!"]


def test_a_long_text_is_read_at_its_end_with_its_own_offsets():
    text = "word " * 30_000 + "\nI updated R-1."
    (claim,) = claims_in(text)
    assert text[claim.start : claim.end] == "I updated R-1."


def unchanged(round_number):
    call = ToolCall("update_r", {"id": "R-1"}, result="{}", changed=False, hash_before="a", hash_after="a")
    return Round(round_number, calls=(replace(call, round=round_number),))


def test_the_evidence_stands_beside_the_sentence():
    session = Session("s", (unchanged(0), Round(1, "I updated R-1.", model="m", trace_id="t")))
    (finding,) = contradicted_claims.run(session)
    assert finding.evidence["sentence"] == "I updated R-1."
    assert finding.evidence["call"]["field"] == "hash_before = hash_after"
    assert (finding.evidence["call"]["hash_before"], finding.evidence["call"]["hash_after"]) == ("a", "a")
    assert (finding.round, finding.model, finding.trace_id) == (1, "m", "t")
    assert json.dumps(dict(finding.evidence))
    assert "lied" not in (finding.title + finding.detail + finding.advice).lower()


def test_the_final_text_is_judged_once():
    rounds = (unchanged(0), Round(1, "I updated R-1."))
    assert len(contradicted_claims.run(Session("s", rounds, final_text="I updated R-1."))) == 1
    (entry,) = ledger(Session("s", rounds[:1], final_text="I updated R-1."))
    assert (entry.source, entry.answer, entry.verdict) == ("final_text", True, "contradicted")


def test_a_sentence_said_twice_is_one_finding():
    rounds = (unchanged(0), replace(unchanged(1), text="I updated R-1."), Round(2, "I updated R-1."))
    (finding,) = contradicted_claims.run(Session("s", rounds))
    assert (finding.round, finding.severity) == (2, "critical")


def test_settings_choose_what_is_reported():
    rounds = (unchanged(0), replace(unchanged(1), text="I updated R-1."), Round(2, "That is all."))
    session = Session("s", rounds)
    assert (
        contradicted_claims.run(session, ContradictedClaimSettings(progress_severity="info"))[0].severity
        == "info"
    )
    assert contradicted_claims.run(session, ContradictedClaimSettings(progress_texts=False)) == []
    assert contradicted_claims.run(session, ContradictedClaimSettings(subkinds=("failed",))) == []


@pytest.mark.parametrize("values", [{"answer_severity": "fatal"}, {"subkinds": ["invented"]}])
def test_a_wrong_setting_is_refused(values):
    with pytest.raises(AnalyzerError, match=r"\[analyzers\.contradicted_claim\]"):
        contradicted_claims.configure(values)


@pytest.mark.parametrize("result", [None, "", "\x00\ud800", "x" * 300_000, "{" * 50_000, "\u202eabc\u0301"])
@pytest.mark.parametrize("arguments", [None, 3, "text", ["a"], {"command": ["git", "push"]}, {"": ""}])
def test_odd_calls_are_read(arguments, result):
    call = ToolCall("", arguments, result=result)
    session = Session("s", (Round(0, calls=(call,)), Round(1, "I updated R-1 and all tests pass.")))
    assert {entry.verdict for entry in ledger(session)} <= set(WORST_FIRST)


@pytest.mark.parametrize(
    "text",
    [
        "I have actually " * 70_000,
        "`a `" * 250_000,
        "我们更新" * 250_000,
        "a/" * 500_000,
        "- I updated a.py\n" * 60_000,
    ],
    ids=["lead", "ticks", "chinese", "slashes", "claims"],
)
@pytest.mark.timeout(20)
def test_a_megabyte_of_text_is_read(text):
    assert isinstance(claims_in(text), list)


def test_a_session_beyond_the_budget_is_judged_at_its_end():
    rounds = tuple(
        Round(n, f"I updated R-{n}.", (ToolCall("update_r", {"id": "R-0"}, result="ok", round=n),))
        for n in range(3000)
    )
    entries = ledger(Session("s", rounds))
    assert entries[0].reason == "session_too_long"
    assert entries[-1].reason == "other_target_touched"


def test_an_empty_session_has_no_entries():
    assert ledger(Session("s")) == []


def test_the_page_names_every_setting():
    page = (Path(__file__).parents[2] / "docs/findings/contradicted_claim.md").read_text("utf-8")
    for setting in fields(ContradictedClaimSettings):
        assert f"| `{setting.name}` |" in page
        assert setting.metadata["help"]


def test_it_is_registered_with_its_page():
    assert contradicted_claims in ANALYZERS
    for heading in ("What it finds", "Why it matters", "Quiet on", "Fix", "Settings"):
        assert f"## {heading}" in contradicted_claims.doc
