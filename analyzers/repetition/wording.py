"""What a finding of each rule says, and what to do about it."""

from __future__ import annotations

from typing import NamedTuple


class Wording(NamedTuple):
    """The title may name `tool`, a cycle's `tools`, `arguments` (how alike), `count`, `place`, `texts`."""

    title: str
    advice: str


WORDING = {
    "exact_repeat": Wording(
        "{tool} called {count} times in a row with {arguments} and the same result",
        "Say in the tool's result that nothing changed and what to do next; refuse the third equal call in a "
        "row with an error that says so, or end the run there.",
    ),
    "error_loop": Wording(
        "{tool} failed {count} times in a row",
        "Make the error say what would work (the missing argument, the right path, the step to do first), "
        "and end the run or ask the user when the same error comes back a third time.",
    ),
    "unknown_tool": Wording(
        "{tool}, which does not exist, called {count} times in a row",
        "Answer with the names of the tools that exist, or recover the name; check that the prompt does not "
        "mention a tool that is not offered.",
    ),
    "poll_no_progress": Wording(
        "{tools} repeated {count} times in a row without any change",
        "Let the waiting tool block until something changes or a timeout is over, and say in its result how "
        "long to wait; cap the number of polls.",
    ),
    "cycle": Wording(
        "{tools} repeated {count} times with the same results",
        "Tell the model which calls it has made with which results, or refuse the next repetition; a cycle "
        "mostly means that the goal is out of reach with the tools offered.",
    ),
    "interleaved_repeat": Wording(
        "{tool} called {count} times with {arguments} and the same result, and nothing moved",
        "Say in the result that it is the same as before, and keep earlier results when the context is "
        "compacted.",
    ),
    "scattered_error": Wording(
        "{tool} failed the same way {count} times, and nothing in between could mend it",
        "Make the error say what would work: nothing that was done in between could mend it.",
    ),
    "stagnation": Wording(
        "{count} different searches in a row had the same result",
        "Have the search say where it looked and suggest a broader query, so that the model stops rewording.",
    ),
    "plan_churn": Wording(
        "{count} plans in a row changed no item's status",
        "Answer a plan that changes no status with the next open item, so that the model works on it.",
    ),
    "monologue": Wording(
        "The same {texts} {count} times in a row, without a call",
        "End the run when a text comes back unchanged, or answer with what is missing: a tool call, an "
        "answer to the user.",
    ),
    "text_repetition": Wording(
        "One passage stands {count} times in the {place} of a round",
        "Stop the generation when a passage repeats; check the model's sampling (temperature, repetition "
        "penalty), quantisation and chat template.",
    ),
}
