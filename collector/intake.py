"""What both receivers do with a request once it is decoded: journal it, then say what became of it."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from collector.errors import JournalFull
from collector.journal import Entry, Journal
from collector.otlp.parse import Accepted
from collector.otlp.signals import Signal

RETRY_AFTER_SECONDS = 2


class Intake:
    """Journals accepted requests; `refused` counts whole requests that were not taken, by reason."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.refused: Counter[str] = Counter()

    async def take(self, signal: Signal, accepted: Accepted, user_agent: str) -> Any:
        """Make a request durable and return its response message.

        Raises JournalFull where it cannot be taken now.
        """
        if accepted.accepted or accepted.rejected:
            entry = Entry(
                signal=signal.name,
                body=accepted.body if accepted.accepted else b"",
                received_ns=time.time_ns(),
                user_agent=user_agent[:200],
                accepted=accepted.accepted,
                rejected=accepted.rejected,
                salvaged=accepted.salvaged,
                service_name=_service_name(signal, accepted.request),
            )
            try:
                await self.journal.append(entry)
            except JournalFull:
                self.refused["journal full"] += 1
                raise
        return signal.answer(accepted.rejected, accepted.reason)


def _service_name(signal: Signal, request: Any) -> str:
    """The first service a request names; refused records are counted under it."""
    for group in getattr(request, signal.groups):
        for attribute in group.resource.attributes:
            if attribute.key == "service.name":
                return str(attribute.value.string_value)
    return "unknown_service"
