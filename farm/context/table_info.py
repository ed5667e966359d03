"""The form of an app's tables, as far as running an app needs it; knows nothing of SQLAlchemy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TableShape:
    """The columns of one table, in order, and those of its primary key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
