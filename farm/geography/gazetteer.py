"""The tables of a gazetteer that most questions read whole: they never change, so each is read once a process."""

from __future__ import annotations

from functools import lru_cache

from farm.kernel import Database, Row

# How many gazetteers are kept.
_KEPT = 8


@lru_cache(maxsize=_KEPT)
def all_places(db: Database) -> tuple[Row, ...]:
    """Return every place with its category's words, by number. Nobody changes these rows."""
    return tuple(
        db.all(
            "SELECT p.*, c.large, c.middle, c.small FROM places p JOIN categories c USING (category) ORDER BY place_id"
        )
    )


@lru_cache(maxsize=_KEPT)
def all_districts(db: Database) -> dict[str, Row]:
    """Return every district by its adcode, in order. Nobody changes these rows."""
    return {row["adcode"]: row for row in db.all("SELECT * FROM districts ORDER BY adcode")}
