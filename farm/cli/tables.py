"""Tables on a terminal: no figure is cut, however narrow it is."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table

# What a file or a pipe takes: a line there may be as long as it needs.
_PIPED_WIDTH = 220
_BORDER = 3  # of each column: two blanks and a line


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; columns that do not fit go on in a further one, which begins with the first column again."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=_PIPED_WIDTH)
    widths = [max(map(cell_len, column)) for column in zip(head, *rows, strict=True)]
    # A long name is broken over lines, so that figures have half of the width at least.
    widths[0] = min(widths[0], max(console.width // 2, cell_len(head[0])))
    for group in _groups(widths, console.width):
        columns = (Column(head[index], overflow="fold") for index in group)
        table = Table(Column(head[0], overflow="fold", max_width=widths[0]), *columns)
        for row in rows:
            table.add_row(row[0], *(row[index] for index in group))
        console.print(table)


def _groups(widths: Sequence[int], width: int) -> list[list[int]]:
    """Return the columns after the first, in groups that fit beside it."""
    room = width - 1 - widths[0] - _BORDER
    groups: list[list[int]] = [[]]
    used = 0
    for index in range(1, len(widths)):
        needed = widths[index] + _BORDER
        if groups[-1] and used + needed > room:
            groups.append([])
            used = 0
        groups[-1].append(index)
        used += needed
    return groups
