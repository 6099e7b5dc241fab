"""An agent that keeps a requirements document."""

from __future__ import annotations

from collector.demo.model import (
    GPT_OSS,
    LLAMA,
    MISTRAL,
    QWEN,
    Call,
    Model,
    Rescue,
    Run,
    Stage,
    Tool,
    Turn,
    diff,
)

STAGE = Stage(
    "spec-studio",
    "spec_writer",
    "You keep a requirements document. Use the tools for every change, and report what you changed.",
    (
        Tool("list_requirements", "List the requirements of a section.", {"section": "string"}),
        Tool("read_requirement", "Read one requirement.", {"requirement_id": "string"}),
        Tool(
            "update_requirement",
            "Replace the description of a requirement.",
            {"requirement_id": "string", "description": "string"},
        ),
        Tool(
            "create_requirement",
            "Add a requirement.",
            {"section": "string", "title": "string", "text": "string"},
        ),
        Tool("start_phase", "Open a phase of work; changes need an open phase.", {"phase": "string"}),
    ),
)


def endless_update(model: Model, requirement: str, times: int) -> Run:
    """The same update over and over: the tool says each time that nothing changed, until the round cap."""
    text = "The system shall export a report as PDF within 5 seconds."
    update = Call(
        "update_requirement",
        {"requirement_id": requirement, "description": text},
        {"requirement_id": requirement, **diff("9f2c41d07a55", "9f2c41d07a55")},
    )
    return Run(
        "endless-update",
        STAGE,
        model,
        (
            Turn(
                user=f"Make {requirement} measurable: it should name a time limit for the PDF export.",
                calls=(
                    Call(
                        "read_requirement",
                        {"requirement_id": requirement},
                        {"requirement_id": requirement, "title": "PDF export", "description": text},
                    ),
                ),
            ),
            *(Turn(calls=(update,)) for _ in range(times)),
        ),
        findings=("repetition_loop", "stalled_run"),
    )


def claimed_update(model: Model, requirement: str) -> Run:
    """The update changed nothing, and the answer says that it did."""
    return Run(
        "claimed-update",
        STAGE,
        model,
        (
            Turn(
                user=f"Add the retention period of 90 days to {requirement}.",
                calls=(
                    Call(
                        "read_requirement",
                        {"requirement_id": requirement},
                        {
                            "requirement_id": requirement,
                            "title": "Audit log",
                            "description": "Every sign-in is written to the audit log.",
                        },
                    ),
                ),
            ),
            Turn(
                calls=(
                    Call(
                        "update_requirement",
                        {
                            "requirement_id": requirement,
                            "description": "Every sign-in is written to the audit log.",
                        },
                        {"requirement_id": requirement, **diff("c3b1905ee217", "c3b1905ee217")},
                    ),
                ),
            ),
            Turn(
                f"I updated the description of {requirement}: it now names the retention period of 90 days."
            ),
        ),
        findings=("contradicted_claim",),
    )


def honest_no_change(model: Model, requirement: str) -> Run:
    """The update changed nothing, and the answer says so."""
    text = "A user shall be able to reset the password without calling support."
    return Run(
        "honest-no-change",
        STAGE,
        model,
        (
            Turn(
                user=f"Reword {requirement}: users reset their password without calling support.",
                calls=(
                    Call(
                        "update_requirement",
                        {"requirement_id": requirement, "description": text},
                        {"requirement_id": requirement, **diff("41aa07e6d9f3", "41aa07e6d9f3")},
                    ),
                ),
            ),
            Turn(
                f"I could not update {requirement}: the stored description is already word for word the one "
                "you asked for, so nothing was changed. Tell me if you meant another requirement."
            ),
        ),
    )


def bootstrapped_phase(model: Model, title: str) -> Run:
    """The model forgot to open the phase; the backend opened it and went on."""
    return Run(
        "bootstrapped-phase",
        STAGE,
        model,
        (
            Turn(
                user=f"Add a requirement to the section Security: {title}.",
                calls=(
                    Call(
                        "create_requirement",
                        {"section": "Security", "title": title, "text": f"{title} shall be enforced."},
                        {"requirement_id": "REQ-88", **diff("", "77d0b2f41c9a", "title", "text")},
                    ),
                ),
                rescue=Rescue(
                    "phase_auto_bootstrapped",
                    "bootstrap",
                    note="create_requirement came before start_phase; the phase 'drafting' was opened",
                ),
            ),
            Turn("I added REQ-88 to the section Security."),
        ),
        rescues=("phase_auto_bootstrapped",),
    )


def clean_edit(model: Model, requirement: str) -> Run:
    """A change that was made, read again and reported as it is."""
    old, new = "The page loads fast.", "The page loads within 2 seconds at the 95th percentile."
    return Run(
        "clean-edit",
        STAGE,
        model,
        (
            Turn(
                user=f"{requirement} is vague: say how fast.",
                calls=(
                    Call(
                        "read_requirement",
                        {"requirement_id": requirement},
                        {"requirement_id": requirement, "title": "Loading", "description": old},
                    ),
                ),
            ),
            Turn(
                calls=(
                    Call(
                        "update_requirement",
                        {"requirement_id": requirement, "description": new},
                        {
                            "requirement_id": requirement,
                            **diff("0b7d13a2c8e4", "e58c0f6617bd", "description"),
                        },
                    ),
                ),
            ),
            Turn(
                calls=(
                    Call(
                        "read_requirement",
                        {"requirement_id": requirement},
                        {"requirement_id": requirement, "title": "Loading", "description": new},
                    ),
                ),
            ),
            Turn(f"I updated the description of {requirement}. It now reads: “{new}”"),
        ),
    )


RUNS = (
    endless_update(QWEN, "REQ-12", 16),
    endless_update(LLAMA, "REQ-31", 9),
    endless_update(LLAMA, "REQ-40", 5),
    claimed_update(MISTRAL, "REQ-7"),
    claimed_update(LLAMA, "REQ-19"),
    honest_no_change(QWEN, "REQ-3"),
    honest_no_change(MISTRAL, "REQ-5"),
    bootstrapped_phase(LLAMA, "Session timeout"),
    bootstrapped_phase(QWEN, "Two-factor sign-in"),
    bootstrapped_phase(LLAMA, "Password length"),
    clean_edit(GPT_OSS, "REQ-21"),
    clean_edit(QWEN, "REQ-22"),
)
