"""Cached tables of a gazetteer: they never change, and most queries read all of them."""

from __future__ import annotations

from functools import lru_cache

from farm.appkit.handler_api import Database, Row

# How many gazetteers are cached.
_GAZETTEERS_MAX = 8


@lru_cache(maxsize=_GAZETTEERS_MAX)
def all_places(db: Database) -> tuple[Row, ...]:
    """Return every place with its category's names, by number. Callers must not change these rows."""
    return tuple(
        db.all(
            "SELECT p.*, c.large, c.middle, c.small FROM places p JOIN categories c USING (category) ORDER BY place_id"
        )
    )


@lru_cache(maxsize=_GAZETTEERS_MAX)
def all_districts(db: Database) -> dict[str, Row]:
    """Return every district by its adcode, in order. Callers must not change these rows."""
    return {row["adcode"]: row for row in db.all("SELECT * FROM districts ORDER BY adcode")}
