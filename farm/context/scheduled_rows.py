"""Scheduled rows: they wait in a live context's own file until the clock reaches their time.

The journal attributes them to the world, and diffs omit them.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from farm.context import journal

NEVER = sys.maxsize
DDL = """
CREATE TABLE _scheduled (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    "table" TEXT NOT NULL,
    row TEXT NOT NULL
) STRICT;
"""
_DUE = 'SELECT "table", row FROM _scheduled WHERE at_ms <= ? ORDER BY at_ms, id'


def store(db: sqlite3.Connection, rows: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Store scheduled rows, each with its due time in milliseconds; a row names its table."""
    lines = ((at_ms, row["table"], _text(row)) for at_ms, row in rows)
    db.executemany('INSERT INTO _scheduled (at_ms, "table", row) VALUES (?, ?, ?)', lines)


def _text(row: Mapping[str, Any]) -> str:
    return orjson.dumps({name: value for name, value in row.items() if name != "table"}).decode()


def next_ms(db: sqlite3.Connection) -> int:
    """Return the due time of the next row in milliseconds, or ``NEVER``."""
    ((at_ms,),) = db.execute("SELECT min(at_ms) FROM _scheduled").fetchall()
    return NEVER if at_ms is None else int(at_ms)


def deliver_due(db: sqlite3.Connection, until_ms: int) -> None:
    """Insert the rows that are due by a time, as a turn of the world.

    A row that no longer fits is dropped: its parent row was deleted, or its key is taken.
    """
    db.execute("BEGIN")
    try:
        journal.begin_turn(db, journal.WORLD, until_ms)
        for table, text in db.execute(_DUE, (until_ms,)).fetchall():
            row = orjson.loads(text)
            names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
            try:
                db.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', tuple(row.values()))
            except sqlite3.IntegrityError:
                continue
        db.execute("DELETE FROM _scheduled WHERE at_ms <= ?", (until_ms,))
    except BaseException:
        if db.in_transaction:  # a full disk has ended the transaction already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
