"""Tables and texts on a terminal: nothing is truncated on a narrow one, and lines break between words."""

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
    """Return a console on standard error, without animations if it is piped, whatever FORCE_COLOR says."""
    return Console(stderr=True, force_terminal=sys.stderr.isatty())


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; columns that do not fit continue in another table, which repeats the first column.

    A piped table is as wide as its terminal, or 80 columns: it is for people; programs use ``--json``.
    """
    console = Console()
    widths = [max(map(cell_len, column)) for column in zip(head, *rows, strict=True)]
    # A long name is wrapped, so that figures have at least half of the width.
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
    """Return the width of a column of these names; all are ASCII, as are the farm's own words and the apps' names."""
    return max(map(len, names), default=0)


def print_text(text: str, *, begin: str = "", indent: int = 0) -> None:
    """Print a text, wrapped for a terminal; piped text stays one line, for searching.

    Args:
        begin: the beginning of the first line.
        indent: number of blanks before the other lines.
    """
    if not sys.stdout.isatty():  # FORCE_COLOR colours piped output, but does not make a pipe a terminal
        typer.echo(begin + text)
        return
    console = Console()
    # The first line is wrapped with the others, so its beginning is padded to their indentation.
    begin += " " * (indent - cell_len(begin))
    lines = Text(text).wrap(console, max(console.width - indent, _TEXT_WIDTH_MIN))
    for number, line in enumerate(lines):
        typer.echo((" " * indent if number else begin) + line.plain.rstrip())
