"""When what is gone is more than the request can have meant."""

from __future__ import annotations

from analyzers.replacement.contents import Loss, is_source
from analyzers.replacement.intent import Intent
from analyzers.replacement.settings import EditAsReplaceSettings

PROSE = frozenset(
    ["", "acceptance_criteria", "body", "content", "description", "details", "documentation", "rationale",
     "text"]
)  # fmt: skip
"""Fields whose text is written over by intent only; a note or a message is a new one each time."""
_ALMOST_ALL = 0.8
_ALL = 0.9


def is_lost(loss: Loss, intent: Intent, key: str, name: str, settings: EditAsReplaceSettings) -> bool:
    """Whether a content replaced the one before, against the request. `key` is the field, "" for a file."""
    if intent in ("additive", "preserve"):
        return _lost_by_adding(loss, key, name, settings)
    if intent == "local":
        return _lost_by_a_change(loss, name, settings)
    return False


def _lost_by_adding(loss: Loss, key: str, name: str, settings: EditAsReplaceSettings) -> bool:
    if loss.parts_before >= settings.min_parts:
        share = min(loss.part_share, loss.line_share, loss.word_share)
        return len(loss.parts_lost) >= settings.min_parts and share >= settings.lost_share
    if is_source(name):  # without functions it is a stub or a sample, and what is added takes its place
        return False
    if key in PROSE and loss.words_before >= settings.min_words and loss.word_share >= _ALMOST_ALL:
        return not loss.grew
    gone = min(loss.line_share, loss.word_share)
    return loss.lines_before >= settings.min_lines and gone >= _ALMOST_ALL and loss.shrunk_to <= 0.5


def _lost_by_a_change(loss: Loss, name: str, settings: EditAsReplaceSettings) -> bool:
    if loss.parts_before > settings.min_parts:
        share = min(loss.part_share, loss.line_share)
        return (
            len(loss.parts_lost) > settings.min_parts
            and share >= settings.local_lost_share
            and loss.shrunk_to <= 0.5
        )
    gone = min(loss.line_share, loss.word_share)
    enough = loss.lines_before >= settings.min_lines and not is_source(name)
    return enough and gone >= _ALL and loss.shrunk_to <= 0.3
