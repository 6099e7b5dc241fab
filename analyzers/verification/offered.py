"""A verifying tool that was offered for the very thing that was changed, and never called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tightrope_sdk.fingerprint import canonical_json

from analyzers.claims.calls import Fact
from analyzers.claims.kinds import name_words
from analyzers.model import OfferedTool

_VERIFIES = {"validate", "verify"}
_CHECKS = _VERIFIES | {"check", "lint", "test"}
_PERSONS = {
    "account", "address", "card", "code", "customer", "email", "id", "identity", "login", "member", "otp",
    "passenger", "password", "patient", "payment", "person", "phone", "pin", "token", "user",
}  # fmt: skip
"""To verify one of these is to see who somebody is, before a change and not after it."""


@dataclass(frozen=True, slots=True)
class Omitted:
    """A change, the tool that would have verified it, and the call of it."""

    change: Fact
    tool: str
    derived: str


def omitted_verification(known: Sequence[Fact], tools: Sequence[OfferedTool], since: int) -> Omitted | None:
    """The verification, of the last change since round number `since`, that was offered and left out."""
    changes = [
        fact
        for fact in known
        if "write" in fact.kinds
        and fact.outcome in ("changed", "ok")
        and fact.sequence >= since
        and not fact.words & _CHECKS
    ]
    if not changes:
        return None
    last = changes[-1]
    later = [fact for fact in known if fact.order > last.order]
    if any(fact.words & _CHECKS or fact.kinds & {"delegate", "opaque", "lookup"} for fact in later):
        return None
    given = last.call.arguments
    if not isinstance(given, dict):
        return None
    for tool in tools:
        words = name_words(tool.name)
        things = words - _VERIFIES
        if not words & _VERIFIES or words & _PERSONS or not things & last.words:
            continue
        needed = (tool.input_schema or {}).get("required")
        if (
            isinstance(needed, list)
            and needed
            and all(isinstance(key, str) and key in given for key in needed)
        ):
            arguments = canonical_json({key: given[key] for key in needed})
            return Omitted(last, tool.name, f"{tool.name}({arguments[:200]})")
    return None
