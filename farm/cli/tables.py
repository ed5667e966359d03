"""Tables and texts on a terminal: nothing is cut, however narrow it is, and lines end between words."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

_TEXT_WIDTH_MIN = 20
_BORDER = 3  # of each column: two blanks and a line


def standard_error() -> Console:
    """Return a console on standard error, on which nothing moves where it is piped, whatever FORCE_COLOR says."""
    return Console(stderr=True, force_terminal=sys.stderr.isatty())


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; columns that do not fit go on in a further one, which begins with the first column again.

    What is piped is as wide as the terminal it comes from, or 80 columns: people read it, programs take ``--json``.
    """
    console = Console()
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


def column_width(names: Iterable[str]) -> int:
    """Return how wide a column of these names is; all are ASCII, as the farm's own words and the names of apps are."""
    return max(map(len, names), default=0)


def print_text(text: str, *, begin: str = "", indent: int = 0) -> None:
    """Print a text over as many lines as a terminal needs; what is piped stays one line, for whoever searches it.

    Args:
        begin: what its first line begins with.
        indent: how many blanks the others begin with.
    """
    if not sys.stdout.isatty():  # FORCE_COLOR colours what is piped, and makes no terminal of a pipe
        typer.echo(begin + text)
        return
    console = Console()
    # The first line is laid out with the others, so what it begins with is filled up to where they begin.
    begin += " " * (indent - cell_len(begin))
    lines = Text(text).wrap(console, max(console.width - indent, _TEXT_WIDTH_MIN))
    for number, line in enumerate(lines):
        typer.echo((" " * indent if number else begin) + line.plain.rstrip())
