"""Accuracy: precision and recall of each analyzer over labelled cases, with 95 % intervals.

`make bench-accuracy`. Prints a table of the halves `tune` (on which rules may be tuned) and `held` (on which
they may not), and every miss and false alarm of `tune` by name; `--held` names those of `held` too: to look
at them is to spend them. `--others` lists what the other analyzers find in the cases.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from math import sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from analyzers import ANALYZERS
from tests.labelled import KINDS, SPLITS, answers, load, session

Z = 1.96
PAGE = Path(__file__).parent.parent / "docs" / "accuracy.md"
START, END = "<!-- accuracy -->\n", "\n<!-- /accuracy -->"


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's score interval); (0, 1) where there is nothing to go by."""
    if not of:
        return 0.0, 1.0
    share, z2 = hits / of, Z * Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = Z * sqrt(share * (1 - share) / of + z2 / (4 * of * of)) / (1 + z2 / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def _share(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{hits / of:.3f} ({low:.2f}–{high:.2f})" if of else "–"


def measured(kinds: Iterable[str]) -> tuple[list[str], list[str]]:
    """The table's lines, and what is missed or a false alarm, by half and case."""
    lines = [
        "| kind | half | cases | with the failure | precision | recall |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    wrong = []
    for kind in kinds:
        for split in SPLITS:
            counts: Counter[tuple[bool, bool]] = Counter()
            for said in answers(kind, split):
                counts[said.wanted, said.found] += 1
                if said.wanted != said.found:
                    what = "missed" if said.wanted else "false alarm"
                    wrong.append(f"{kind}.{split} {said.case}: {what} {said.said}")
            right, alarms, missed = counts[True, True], counts[False, True], counts[True, False]
            lines.append(
                f"| `{KINDS[kind]}` | {split} | {sum(counts.values())} | {right + missed} "
                f"| {_share(right, right + alarms)} | {_share(right, right + missed)} |"
            )
    return lines, wrong


def others(kinds: Iterable[str]) -> Iterator[str]:
    """What the analyzers of other kinds find in the cases."""
    for kind in kinds:
        for split in SPLITS:
            for case in load(kind, split):
                for analyzer in ANALYZERS:
                    if analyzer.kind != KINDS[kind]:
                        for found in analyzer.run(session(kind, case)):
                            yield f"{kind}.{split} {case['id']}: {found.kind} {found.subkind} {found.title}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", action="store_true", help="name the misses of the held half too")
    parser.add_argument("--others", action="store_true", help="what other analyzers find in the cases")
    parser.add_argument("--kind", choices=[*KINDS], help="this kind of cases only")
    parser.add_argument("--write", action="store_true", help="put the table into docs/accuracy.md")
    args = parser.parse_args()
    kinds = [args.kind] if args.kind else [*KINDS]
    lines, wrong = measured(kinds)
    print("\n".join(lines), end="\n\n")
    print("\n".join(line for line in wrong if args.held or ".tune " in line))
    if args.others:
        print("\n".join(others(kinds)))
    if args.write:
        before, _, rest = PAGE.read_text("utf-8").partition(START)
        PAGE.write_text(before + START + "\n".join(lines) + END + rest.partition(END)[2])


if __name__ == "__main__":
    main()
