"""The structure of an app's tables, as far as running an app needs it, without SQLAlchemy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class TableShape:
    """The columns of one table, in order, and those of its primary key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


@dataclass(frozen=True)
class SearchedTable:
    """A table with searched text: its key, and each searched column's index in a row and whether it is JSON."""

    name: str
    key: str
    columns: Mapping[str, tuple[int, bool]]
