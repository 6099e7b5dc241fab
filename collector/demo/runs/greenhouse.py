"""A controller with hand-made telemetry: nothing but spans named `tool_call`."""

from __future__ import annotations

from collector.demo.model import LLAMA, Call, Run, Stage, Turn

STAGE = Stage("greenhouse", "climate", "", (), "plain")


def open_and_shut(times: int) -> Run:
    """Two calls in turn that undo each other, with the same answers every time."""
    vents = (
        Call("set_vents", {"house": 2, "open": True}, {"house": 2, "vents": "open"}),
        Call("set_vents", {"house": 2, "open": False}, {"house": 2, "vents": "shut"}),
    )
    return Run(
        "open-and-shut",
        STAGE,
        LLAMA,
        tuple(Turn(calls=(call,)) for _ in range(times) for call in vents),
        findings=("repetition_loop",),
    )


def night_round() -> Run:
    """Each house read once and set once."""
    return Run(
        "night-round",
        STAGE,
        LLAMA,
        tuple(
            turn
            for house, degrees in ((1, 17.5), (2, 19.0), (3, 18.2))
            for turn in (
                Turn(calls=(Call("read_climate", {"house": house}, {"house": house, "degrees": degrees}),)),
                Turn(
                    calls=(Call("set_heating", {"house": house, "target": 18}, {"house": house, "ok": True}),)
                ),
            )
        ),
    )


RUNS = (open_and_shut(5), night_round())
