"""All sample runs."""

from collector.demo.model import Run
from collector.demo.runs import analysis, coding, greenhouse, specs, support

RUNS: tuple[Run, ...] = (
    *specs.RUNS,
    *coding.RUNS,
    *support.RUNS,
    *analysis.RUNS,
    *greenhouse.RUNS,
)
