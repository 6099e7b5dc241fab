"""Which calls do something in the world that cannot be undone by doing it again.

Told from the tool's name. Only acts that a second time does harm: what is overwritten, set or deleted twice
is as it was after the first time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tightrope_sdk.names import words

from analyzers.model import ToolCall

_READS = {
    "calculate", "can", "check", "count", "describe", "estimate", "fetch", "find", "get", "has", "history",
    "is", "list", "lookup", "query", "quote", "read", "search", "show", "status", "verify", "view",
}  # fmt: skip
_PREPARES = {
    "cancel",
    "delete",
    "draft",
    "mock",
    "preview",
    "simulate",
    "template",
    "test",
    "undo",
    "validate",
}
_WITHIN = {
    "agent", "agents", "command", "data", "event", "file", "files", "heartbeat", "human", "input", "key",
    "keys", "ping", "progress", "query", "request", "signal", "typing",
}  # fmt: skip

_SENDS = {"deliver", "post", "publish", "reply", "send", "submit"}
_LETTERS = {"email", "fax", "letter", "mail", "newsletter", "sms", "tweet", "whatsapp"}
_MESSAGES = {"comment", "dm", "message", "msg", "notification", "reply"}
_PAYS = {"donate", "pay", "payment", "payout", "refund", "remit", "wire"}
_MOVES_MONEY = {"charge", "deposit", "tip", "transfer", "withdraw"}
_BOOKS = {"book", "buy", "purchase", "reserve"}
_MAKES = {"add", "create", "file", "make", "new", "place", "raise", "report", "schedule", "submit"}
_BOOKINGS = {"appointment", "booking", "meeting", "order", "purchase", "reservation"}
_RECORDS = {"bug", "claim", "complaint", "incident", "invoice", "issue", "lead", "shipment", "ticket"}

_NO_ACTS = frozenset(_READS | _PREPARES | _WITHIN)
_FIRST, _MONEY = frozenset(_SENDS | _BOOKS | _MAKES), frozenset(_PAYS | _MOVES_MONEY)

_RECIPIENTS = ("channel", "chat", "phone", "recipient", "to", "user")
_LEAST_MESSAGE = 25  # characters: less is what agents say to each other
_REHEARSALS = ("dry_run", "dryrun", "preview", "simulate", "test", "test_mode", "validate_only")


@lru_cache(maxsize=4096)
def _may_act(tool: str) -> bool:
    """Whether a tool's name allows that its calls are such acts."""
    named = words(tool)
    if not named or not _NO_ACTS.isdisjoint(named):
        return False
    return named[0] in _FIRST or not _MONEY.isdisjoint(named)


def act_of(call: ToolCall) -> str:
    """`message`, `payment`, `booking` or `record` for a call that is such an act, else ""."""
    arguments = call.arguments
    if (
        not _may_act(call.tool)
        or not isinstance(arguments, dict)
        or not arguments
        or _is_rehearsal(arguments)
    ):
        return ""
    named = words(call.tool)
    all_words = set(named)
    if named[0] in _SENDS and not all_words.isdisjoint(_LETTERS):
        return "message"
    if named[0] in _SENDS and not all_words.isdisjoint(_MESSAGES) and _has_recipient_and_text(arguments):
        return "message"
    if not all_words.isdisjoint(_PAYS):
        return "payment"
    if not all_words.isdisjoint(_MOVES_MONEY) and any("amount" in words(str(key)) for key in arguments):
        return "payment"
    if named[0] in _BOOKS or (named[0] in _MAKES and not all_words.isdisjoint(_BOOKINGS)):
        return "booking"
    return "record" if named[0] in _MAKES and not all_words.isdisjoint(_RECORDS) else ""


def _is_rehearsal(arguments: dict[str, Any]) -> bool:
    return any(arguments.get(key) in (True, "true", "True") for key in _REHEARSALS)


def _has_recipient_and_text(arguments: dict[str, Any]) -> bool:
    keys = {word for key in arguments for word in words(str(key))}
    texts = (value for value in arguments.values() if isinstance(value, str))
    return not keys.isdisjoint(_RECIPIENTS) and any(len(text) >= _LEAST_MESSAGE for text in texts)
