"""What comes to a live context after its start: rows that wait in its own file until the clock has reached their time.

They are the world's doing and nobody's call, so the journal knows nothing of them: to a diff they were always there.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

NEVER = sys.maxsize
DDL = """
CREATE TABLE _coming (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    "table" TEXT NOT NULL,
    row TEXT NOT NULL
) STRICT;
"""
_DUE = 'SELECT "table", row FROM _coming WHERE at_ms <= ? ORDER BY at_ms, id'


def store(db: sqlite3.Connection, rows: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Let rows wait, each for its time in milliseconds; a row names its table."""
    lines = ((at_ms, row["table"], _text(row)) for at_ms, row in rows)
    db.executemany('INSERT INTO _coming (at_ms, "table", row) VALUES (?, ?, ?)', lines)


def _text(row: Mapping[str, Any]) -> str:
    return orjson.dumps({name: value for name, value in row.items() if name != "table"}).decode()


def next_ms(db: sqlite3.Connection) -> int:
    """Return when the next row comes, or ``NEVER``."""
    ((at_ms,),) = db.execute("SELECT min(at_ms) FROM _coming").fetchall()
    return NEVER if at_ms is None else int(at_ms)


def receive(db: sqlite3.Connection, until_ms: int) -> None:
    """Put in place what has come by a time. What belongs to something that is gone by then goes, too."""
    db.execute("BEGIN")
    try:
        ((journaled,),) = db.execute("SELECT coalesce(max(id), 0) FROM _journal").fetchall()
        for table, text in db.execute(_DUE, (until_ms,)).fetchall():
            row = orjson.loads(text)
            names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
            try:
                db.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', tuple(row.values()))
            except sqlite3.IntegrityError:
                continue
        db.execute("DELETE FROM _journal WHERE id > ?", (journaled,))
        db.execute("DELETE FROM _coming WHERE at_ms <= ?", (until_ms,))
    except BaseException:
        if db.in_transaction:  # a full disk has ended it already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
