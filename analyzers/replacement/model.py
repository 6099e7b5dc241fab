"""What a walk over a session finds."""

from __future__ import annotations

from dataclasses import dataclass

from analyzers.model import Round, ToolCall
from analyzers.replacement.contents import Loss
from analyzers.replacement.intent import Intent


@dataclass(frozen=True, slots=True)
class Replacement:
    """A call that replaced more than it was meant to. `lost` names what is gone, where it has names.

    `lines` are lines that are gone, by which they are found again elsewhere; `read` is the call that showed
    what there was, or what was left.
    """

    call: ToolCall
    turn: Round
    rule: str
    target: str
    intent: Intent
    lost: tuple[str, ...] = ()
    loss: Loss | None = None
    said: str = ""
    read: ToolCall | None = None
    lines: tuple[str, ...] = ()
