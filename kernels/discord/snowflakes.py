"""Snowflakes: ids that hold the millisecond in which they were made."""

from __future__ import annotations

from farm.appkit import Episode
from farm.appkit.formats.times import python_iso

EPOCH_MS = 1_420_070_400_000
BITS = 22  # below the milliseconds


def made_at(snowflake: str) -> str:
    """Return when an id was made, as ``isoformat`` prints it."""
    return python_iso((int(snowflake) >> BITS) + EPOCH_MS)


def next_id(ep: Episode, table: str, column: str) -> str:
    """Return an id for a row made now; within one millisecond they count up."""
    first = (ep.now_ms - EPOCH_MS) << BITS
    last = first | (1 << BITS) - 1
    sql = f"SELECT max({column}) FROM {table} WHERE {column} BETWEEN ? AND ?"
    taken = ep.db.scalar(sql, str(first), str(last))
    # Which of Discord's machines made it, and what it had made in this millisecond before.
    return str(int(taken) + 1 if taken else first | ep.hash("machine", table) % 1024 << 12)
