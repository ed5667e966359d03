"""A laid out table: heads, and rows of the paper and of runs, in the paper's units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Value = float | str | None
Source = Literal["paper", "run", "script", "suite"]


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        source: whose values they are: the paper's, a run's, a script's, which is no model, or a suite's.
        name: the agent.
        values: one for each head; None where there is none.
        ranges: index of a value → the bounds that doubts about texts leave, or a 95 % interval.
    """

    source: Source
    name: str
    values: tuple[Value, ...]
    ranges: dict[int, tuple[float, float]]


@dataclass(frozen=True)
class LaidOut:
    """A table or figure, ready to be written in any format.

    Attributes:
        axes: indices of the horizontal and the vertical figure of each panel of a scatter.
    """

    name: str
    title: str
    cite: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    layout: str = "columns"
    axes: tuple[tuple[int, int], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the table as ``farm paper --json`` prints it."""
        return {
            "table": self.name,
            "title": self.title,
            "cite": self.cite,
            "heads": list(self.heads),
            "rows": [
                {
                    "source": row.source,
                    "name": row.name,
                    "values": list(row.values),
                    "ranges": {self.heads[index]: list(bounds) for index, bounds in row.ranges.items()},
                }
                for row in self.rows
            ],
            "notes": list(self.notes),
        }
