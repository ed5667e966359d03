"""The structure of an app's tables, as far as running an app needs it, without SQLAlchemy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class TableShape:
    """The columns of one table, in order, and those of its primary key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    @cached_property
    def by_key(self) -> str:
        """The SQL condition of the row with a key, whose columns are its parameters."""
        return " AND ".join(f'"{name}" IS ?' for name in self.key)


@dataclass(frozen=True)
class SearchedTable:
    """A table with searched text: its key, and each searched column's index in a row and whether it is JSON."""

    name: str
    key: str
    columns: Mapping[str, tuple[int, bool]]
