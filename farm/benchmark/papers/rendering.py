"""Writes laid out tables as CSV, Markdown, LaTeX and SVG; the text form is the command line's own."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from farm.benchmark.papers.layout import LaidOut, Row, Value
from farm.benchmark.papers.svg import as_svg

NONE = "–"
_LATEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\^{}",
        "\\": r"\textbackslash{}",
        "–": "--",
    }
)


def cells_of(row: Row) -> list[str]:
    """Return a row's values as texts; a figure that doubts affect shows its bounds."""
    return [_cell(value, row.ranges.get(index)) for index, value in enumerate(row.values)]


def _cell(value: Value, bounds: tuple[float, float] | None) -> str:
    match value:
        case None:
            return NONE
        case str():
            return value
        case _ if bounds is not None:
            return f"{bounds[0]:.2f}–{bounds[1]:.2f}"
        case _:
            return str(value) if isinstance(value, int) else f"{value:.2f}"


def as_csv(table: LaidOut) -> str:
    """Return the table as CSV; the column ``source`` tells the paper's rows from those of runs."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(["source", "agent", *table.heads])
    for row in table.rows:
        lines.writerow([row.source, row.name, *("" if cell == NONE else cell for cell in cells_of(row))])
    return written.getvalue()


def as_markdown(table: LaidOut) -> str:
    """Return the table in Markdown, with its notes below."""
    return "\n".join([f"**{table.title}**", "", *_markdown_rows(table), "", *(f"- {note}" for note in table.notes), ""])


def _markdown_rows(table: LaidOut) -> Iterator[str]:
    yield _markdown_line(["source", "agent", *table.heads])
    yield _markdown_line(["---", "---", *("---:" for _ in table.heads)])
    for row in table.rows:
        yield _markdown_line([row.source, row.name, *cells_of(row)])


def _markdown_line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|").replace("\n", " ") for cell in cells) + " |"


def as_latex(table: LaidOut) -> str:
    """Return the table as a LaTeX ``table``, which needs the package booktabs."""
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{table.title.translate(_LATEX)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{ll{'r' * len(table.heads)}}}",
        r"\toprule",
        _latex_line(["", "Agent", *table.heads]),
    ]
    before = ""
    for row in table.rows:
        if row.source != before:
            lines.append(r"\midrule")
            before = row.source
        lines.append(_latex_line([row.source, row.name, *cells_of(row)]))
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join([*lines, *(f"% {note}" for note in table.notes), ""])


def _latex_line(cells: list[str]) -> str:
    return " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\"


FORMATS = {"csv": as_csv, "markdown": as_markdown, "latex": as_latex, "svg": as_svg}
