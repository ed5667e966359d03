"""How rows are shown: a line of text each, and a plot as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from tests.bench.measure import Measurement

_BAR_PX, _LABEL_PX, _LINE_PX = 420, 190, 26
_COLOURS = {True: "#2e7d4f", False: "#b3452f", None: "#5a6b7b"}


def number(value: float | None) -> str:
    """Return a figure with three digits that count."""
    if value is None:
        return "–"
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(digits, 4)}f}"


def target(row: Measurement) -> str:
    """Return a row's target as it reads in the table."""
    if row.target is None:
        return "–"
    sign = "≤" if row.better == "lower" else "≥"
    return f"{sign} {number(row.target)}{'x' if row.bounds == 'ratio' else ' ' + row.unit}"


def verdict(row: Measurement) -> str:
    """Return whether the target is met, in a word."""
    return {True: "met", False: "missed", None: ""}[row.met]


def line(row: Measurement) -> str:
    """Return a row as one line of text."""
    ratio = "–" if row.ratio is None else f"{number(row.ratio)}x [{number(row.low)} … {number(row.high)}]"
    beside = f" {row.against}" if row.against else ""
    shown = f"{row.name:24} {number(row.value):>9} {row.unit:10} {number(row.baseline):>9}  {ratio:28} "
    return f"{shown}{target(row):16} {verdict(row):7}{beside}".rstrip()


HEADER = f"{'row':24} {'ours':>9} {'unit':10} {'beside':>9}  {'ratio [lowest … highest]':28} {'target':24} beside what"


def plot(rows: Iterable[Measurement]) -> str:
    """Return an SVG of every row with a target: how far each is from its bound, on a logarithmic scale.

    The line in the middle is the target; a bar that ends left of it meets it.
    """
    shown = [(row, _distance(row)) for row in rows if row.met is not None]
    height = _LINE_PX * len(shown) + 60
    width = _LABEL_PX + _BAR_PX + 190
    middle = _LABEL_PX + _BAR_PX / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{middle}" y="18" text-anchor="middle">target · left is better · one tick is a factor of 2</text>',
    ]
    for step in range(-4, 5):
        x = middle + step * _BAR_PX / 8
        stroke = "#333" if step == 0 else "#ddd"
        parts.append(f'<line x1="{x}" y1="28" x2="{x}" y2="{height - 22}" stroke="{stroke}"/>')
    for index, (row, distance) in enumerate(shown):
        parts += _bar(row, distance, 34 + index * _LINE_PX)
    return "\n".join((*parts, "</svg>\n"))


def _distance(row: Measurement) -> float:
    """Return log2 of measured against bound, negative when better, within the plot."""
    value = row.ratio if row.bounds == "ratio" else row.value
    assert value is not None
    assert row.target is not None
    if value <= 0 or row.target <= 0:
        return -4.0 if row.met else 4.0
    distance = math.log2(value / row.target) * (1 if row.better == "lower" else -1)
    return max(-4.0, min(4.0, distance))


def _bar(row: Measurement, distance: float, y: int) -> Sequence[str]:
    left = _LABEL_PX
    length = (distance + 4) * _BAR_PX / 8
    value = number(row.ratio) + "x" if row.bounds == "ratio" else f"{number(row.value)} {row.unit}"
    return (
        f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(row.name)}</text>',
        f'<rect x="{left}" y="{y}" width="{max(length, 1):.1f}" height="17" fill="{_COLOURS[row.met]}"/>',
        f'<text x="{left + _BAR_PX + 8}" y="{y + 13}">{escape(f"{value} ({target(row)})")}</text>',
    )
