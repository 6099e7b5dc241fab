"""What the claim ledger is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ClaimClass = Literal[
    "change",
    "create",
    "delete",
    "act",
    "send",
    "vcs",
    "test",
    "build",
    "lint",
    "compute",
    "command",
    "lookup",
    "measure",
    "job",
]
TargetType = Literal["path", "id", "email", "branch", "url", "name", ""]
Verdict = Literal["contradicted", "unsupported", "unknown", "supported", "no_claim"]
Subkind = Literal["", "unchanged", "failed", "never_ran", "wrong_target", "value_before_execution"]

Reason = Literal[
    # contradicted
    "all_calls_unchanged",
    "all_calls_failed",
    "one_of_all_failed",
    "latest_run_failed",
    "no_such_call",
    "other_target_touched",
    "other_field_modified",
    "value_not_in_any_result",
    # unsupported
    "edited_after_the_run",
    "only_later_calls",
    "target_not_seen",
    "not_named_enough",
    "part_of_the_checks",
    "given_inline",
    "told_elsewhere_in_the_text",
    # unknown
    "result_not_captured",
    "calls_not_captured",
    "opaque_call",
    "delegated",
    "past_session",
    "reported_by_a_tool",
    "given_by_the_user",
    "session_too_long",
    # supported
    "call_succeeded",
    "call_changed_it",
    "run_passed",
    "run_took_place",
    # no claim
    "negated",
    "attempted",
    "hedged",
    "conditional",
    "future",
    "instruction",
    "question",
    "relative_clause",
    "other_subject",
    "text_work",
    "qualified",
]


@dataclass(frozen=True, slots=True)
class Target:
    """What a claim is about: a path, an id, an address… `text` is as written, "" when none is named."""

    text: str = ""
    type: TargetType = ""

    @property
    def concrete(self) -> bool:
        """Whether calls can be told apart by it."""
        return self.type not in ("", "name")


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a text says was done.

    `start` and `end` are character offsets of the sentence in the text. `outcome` is what is claimed:
    the act was done, or a run passed. `strong` claims are the assistant's own act; the others
    ("was updated") may report somebody else's. `targets` are the verb's objects, `mentioned` all that the
    clause names, `places` those where the object is ("from x.py", "to issue #9"). `external` claims are
    about things that only a tool reaches, `listed` ones are list items,
    and `admitted` says that the rest of the sentence tells of a failure. `dropped` says why this is no
    claim after all.
    """

    claim_class: ClaimClass
    verb: str
    sentence: str
    start: int
    end: int
    language: str
    targets: tuple[Target, ...] = ()
    outcome: Literal["done", "passed", "partly_passed"] = "done"
    strong: bool = True
    passive: bool = False
    universal: bool = False
    count: int | None = None
    field: str = ""
    objects: frozenset[str] = frozenset()
    external: bool = False
    mentioned: tuple[Target, ...] = ()
    places: tuple[Target, ...] = ()
    admitted: bool = False
    listed: bool = False
    dropped: Reason | None = None
    past: bool = False

    @property
    def target(self) -> Target:
        """The first target, or an empty one."""
        return self.targets[0] if self.targets else Target()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The call that a verdict rests on, and the field of it that decides (`changed: false`)."""

    round: int
    position: int
    tool: str
    field: str
    hash_before: str | None = None
    hash_after: str | None = None
    excerpt: str = ""
    agent_name: str = ""
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One claim with its verdict.

    `round` and `agent_name` name the round whose text holds the sentence at `start`..`end`; with
    `source` "final_text" the offsets are in the session's final text. `answer` marks texts that hand
    the turn back to the person, rather than progress notes between calls.
    """

    round: int
    agent_name: str
    source: Literal["text", "final_text"]
    answer: bool
    sentence: str
    start: int
    end: int
    claim_class: ClaimClass
    language: str
    target: str
    verdict: Verdict
    reason: Reason
    subkind: Subkind = ""
    evidence: Evidence | None = None
