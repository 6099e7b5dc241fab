"""The settings of `edit_as_replace`."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class EditAsReplaceSettings:
    """How much must be gone before an edit counts as a replacement. Shares are of what was there (0 to 1)."""

    lost_share: float = field(
        default=0.5,
        metadata={
            "help": "share of the lines, of the words and of the named parts (headings, functions, keys) "
            "that must be gone after a request to add: an addition has no reason to take away even half"
        },
    )
    local_lost_share: float = field(
        default=0.6,
        metadata={
            "help": "the same after a request to change a part; more, as a change may take some of its "
            "surroundings with it"
        },
    )
    min_parts: int = field(
        default=2, metadata={"help": "named parts that must be gone; one may have been renamed"}
    )
    min_lines: int = field(
        default=6, metadata={"help": "lines that a content without named parts must have had to be judged"}
    )
    min_words: int = field(
        default=15,
        metadata={
            "help": "distinct words that a text of one paragraph must have had to be judged; a shorter one "
            "is often rightly worded anew"
        },
    )
    ignore_tools: tuple[str, ...] = field(default=(), metadata={"help": "tools whose calls are never judged"})
