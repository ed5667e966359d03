"""Draws laid out tables as SVG: bars by row, lines over a sweep, or points of a scatter."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from farm.benchmark.papers.layout import LaidOut, Row

_WIDTH, _PLOT_HEIGHT = 900, 380
_LEFT, _RIGHT, _TOP, _AXIS = 70, 30, 60, 60
_LINE, _PANEL_GAP, _PANEL_TICKS_MAX = 18, 40, 4
# Colours that stay apart for most people with a colour deficiency, and in grey.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b", "#000000")


@dataclass(frozen=True)
class _Scale:
    """Maps values to a stretch of the page."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self) -> list[float]:
        """Return four to ten round values within the scale."""
        step = 10 ** math.floor(math.log10(max(self.high - self.low, 1e-9)))
        while (self.high - self.low) / step < 4:
            step /= 2
        first = math.ceil(self.low / step)
        return [round(number * step, 10) for number in range(first, math.floor(self.high / step + 1e-9) + 1)]


def as_svg(table: LaidOut) -> str:
    """Return the table as one SVG picture: the paper's rows are hollow or dashed, runs are filled."""
    rows = [row for row in table.rows if any(isinstance(value, (int, float)) for value in row.values)]
    drawn = {"sweep": _lines, "scatter": _points}.get(table.layout, _bars)
    height = _TOP + _PLOT_HEIGHT + _AXIS + _LINE * (len(rows) + 1)
    body = [*drawn(table, rows), *_legend(rows)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
            f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="12" role="img">',
            f"<title>{escape(table.title)}</title>",
            f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
            _text(_LEFT, 24, table.title, size=15),
            _text(_LEFT, 42, table.cite, colour="#555555"),
            *body,
            "</svg>",
            "",
        ]
    )


def _text(x: float, y: float, text: str, *, anchor: str = "start", colour: str = "#000000", size: int = 12) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{escape(text)}</text>'


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def _style(index: int, row: Row) -> str:
    colour = _COLOURS[index % len(_COLOURS)]
    return f'fill="#ffffff" stroke="{colour}"' if row.source == "paper" else f'fill="{colour}" stroke="{colour}"'


def _legend(rows: Sequence[Row]) -> Iterator[str]:
    for index, row in enumerate(rows):
        y = _TOP + _PLOT_HEIGHT + _AXIS + _LINE * index
        yield f'<rect x="{_LEFT}" y="{y}" width="12" height="12" {_style(index, row)}/>'
        yield _text(_LEFT + 20, y + 11, f"{row.name} ({row.source})")


def _vertical(values: Sequence[float]) -> _Scale:
    high = max([*values, 0.0]) or 1.0
    # Shares are drawn against the whole.
    return _Scale(0.0, 100.0 if 1.0 < high <= 100.0 else high * 1.05, _TOP + _PLOT_HEIGHT, _TOP)


def _grid(scale: _Scale) -> Iterator[str]:
    for tick in scale.ticks():
        y = scale.at(tick)
        yield f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}" stroke="#dddddd"/>'
        yield _text(_LEFT - 8, y + 4, f"{tick:g}", anchor="end", colour="#555555")


def _columns(table: LaidOut) -> list[int]:
    """Return the columns of figures; what is told of runs only, such as their number of tasks, is not drawn."""
    return [index for index, head in enumerate(table.heads) if head not in ("tasks", "k", "pass@k", "pass^k")]


def _bars(table: LaidOut, rows: Sequence[Row]) -> Iterator[str]:
    columns = _columns(table)
    scale = _vertical([value for row in rows for i in columns if (value := _number(row.values[i])) is not None])
    yield from _grid(scale)
    room = (_WIDTH - _LEFT - _RIGHT) / max(len(columns), 1)
    width = room * 0.8 / max(len(rows), 1)
    for place, column in enumerate(columns):
        x = _LEFT + place * room
        y = _TOP + _PLOT_HEIGHT + 16 + 14 * (place % 2)
        yield _text(round(x + room / 2, 2), y, table.heads[column], anchor="middle", size=10)
        for index, row in enumerate(rows):
            value = _number(row.values[column])
            if value is not None:
                top, left = scale.at(value), round(x + room * 0.1 + index * width, 2)
                size = f'width="{width:.2f}" height="{scale.start - top:.2f}"'
                yield f'<rect x="{left}" y="{top}" {size} {_style(index, row)}/>'


def _lines(table: LaidOut, rows: Sequence[Row]) -> Iterator[str]:
    columns = _columns(table)
    scale = _vertical([value for row in rows for i in columns if (value := _number(row.values[i])) is not None])
    yield from _grid(scale)
    along = _Scale(0, max(len(columns) - 1, 1), _LEFT + 30, _WIDTH - _RIGHT - 30)
    for place, column in enumerate(columns):
        yield _text(along.at(place), _TOP + _PLOT_HEIGHT + 18, table.heads[column], anchor="middle")
    for index, row in enumerate(rows):
        points = [
            (along.at(place), scale.at(value))
            for place, column in enumerate(columns)
            if (value := _number(row.values[column])) is not None
        ]
        dashes = ' stroke-dasharray="6 4"' if row.source == "paper" else ""
        path, colour = " ".join(f"{x},{y}" for x, y in points), _COLOURS[index % len(_COLOURS)]
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
        yield from (f'<circle cx="{x}" cy="{y}" r="4" {_style(index, row)}/>' for x, y in points)


def _points(table: LaidOut, rows: Sequence[Row]) -> Iterator[str]:
    """Draw a panel for each pair of axes of which a row has both figures; they share the vertical scale."""
    panels = [
        (x, y)
        for x, y in table.axes
        if any(None not in (_number(row.values[x]), _number(row.values[y])) for row in rows)
    ]
    if not panels:
        names = ", ".join(table.heads[x] for x, _ in table.axes)
        yield _text(_WIDTH / 2, _TOP + _PLOT_HEIGHT / 2, f"no row has {names}", anchor="middle", colour="#555555")
        return
    scale = _vertical([up for row in rows for _, y in panels if (up := _number(row.values[y])) is not None])
    yield from _grid(scale)
    yield _text(_LEFT, _TOP - 6, table.heads[panels[0][1]])
    room = (_WIDTH - _LEFT - _RIGHT + _PANEL_GAP) / len(panels)
    for place, (x, y) in enumerate(panels):
        left = _LEFT + place * room
        yield from _panel(table, rows, x, y, scale, left, left + room - _PANEL_GAP)


def _panel(
    table: LaidOut, rows: Sequence[Row], x: int, y: int, scale: _Scale, left: float, right: float
) -> Iterator[str]:
    known = [(_number(row.values[x]), _number(row.values[y])) for row in rows]
    along = _Scale(0.0, max(value for value, _ in known if value is not None) * 1.1 or 1.0, left, right)
    yield f'<line x1="{left:g}" x2="{left:g}" y1="{_TOP}" y2="{_TOP + _PLOT_HEIGHT}" stroke="#999999"/>'
    ticks = along.ticks()
    for tick in ticks[:: math.ceil(len(ticks) / _PANEL_TICKS_MAX)]:
        yield _text(
            along.at(tick), _TOP + _PLOT_HEIGHT + 16, f"{tick:,.10g}", anchor="middle", colour="#555555", size=10
        )
    yield _text(round((left + right) / 2, 2), _TOP + _PLOT_HEIGHT + 36, table.heads[x], anchor="middle")
    for index, (row, (across, up)) in enumerate(zip(rows, known, strict=True)):
        if across is not None and up is not None:
            yield f'<circle cx="{along.at(across)}" cy="{scale.at(up)}" r="6" {_style(index, row)}/>'
