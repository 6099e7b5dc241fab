"""Telemetry in a terminal: untrusted text made harmless, cut to a width, set in columns."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any

from rich.cells import cell_len, chop_cells, set_cell_size

from collector.encoding import to_json

MIN_COLUMN = 8
MAX_READ = 4000  # characters of a text that are looked at for one line of it


def page_width() -> int:
    """The width of running text: the terminal's, between 60 and 120 cells; 100 where there is none."""
    return min(120, max(60, shutil.get_terminal_size((100, 24)).columns))


def printable(text: str) -> str:
    """`text` with all that a terminal would act on (escapes, controls, bidi marks) written out: `\\x1b`."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )


def excerpt(text: str, width: int, length: int | None = None) -> str:
    """One line of at most `width` cells. `length`: how long the whole is, told where it is more."""
    first, *more = text[:MAX_READ].split("\n")
    line = printable(" ⏎ ".join([first.rstrip(), *(part.strip() for part in more)]))
    whole = max(len(text), length or 0)
    if cell_len(line) <= width and whole <= min(len(text), MAX_READ):
        return line
    note = f"… ({whole:,} characters)"
    return set_cell_size(line, max(0, min(cell_len(line), width - len(note)))).rstrip() + note


def wrap(text: str, lead: str, width: int) -> Iterator[str]:
    """`text` in lines of at most `width` cells, the first begun with `lead`, the others set in below it."""
    indent = " " * min(len(lead), 8)
    line, begun = lead, False
    for word in printable(" ".join(text.split())).split(" "):
        for part in chop_cells(word, width - len(indent)) if cell_len(word) > width // 2 else [word]:
            if begun and cell_len(line) + 1 + cell_len(part) > width:
                yield line.rstrip()
                line, begun = indent, False
            line, begun = f"{line} {part}" if begun else line + part, True
    yield line.rstrip()


def cell(value: Any) -> str:
    """A value as the text of a table's cell."""
    if value is None:
        return ""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return printable(str(value) if isinstance(value, timedelta) else to_json(value).decode().strip('"'))


def table(
    names: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    width: int | None = None,
    whole: Iterable[str] = (),
) -> Iterator[str]:
    """The lines of a table. Beyond `width` cells the widest columns are cut, those in `whole` never."""
    values = [tuple(row) for row in rows]
    cells = [[printable(name) for name in names], *([cell(value) for value in row] for row in values)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    shrinkable = [at for at, name in enumerate(names) if name not in set(whole)]
    while width is not None and sum(widths) + 2 * (len(widths) - 1) > width and shrinkable:
        widest = max(shrinkable, key=widths.__getitem__)
        if widths[widest] <= MIN_COLUMN:
            break
        widths[widest] -= 1
    numbers = [
        all(
            isinstance(row[at], int | float) and not isinstance(row[at], bool)
            for row in values
            if row[at] is not None
        )
        for at in range(len(names))
    ]
    for line in cells:
        yield "  ".join(map(_fit, line, widths, numbers)).rstrip()


def terminal_width() -> int | None:
    """The width of the terminal on stdout; None where stdout is a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _fit(text: str, width: int, is_number: bool) -> str:
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…"
    return " " * (width - length) + text if is_number else text + " " * (width - length)
