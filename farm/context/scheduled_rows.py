"""Scheduled rows: they wait in a context's own file until the clock reaches their time, where it is live or lets them.

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
# The table of an entry that is no row of the world: what people do (``person_acts``).
_NO_ROWS = "('!act', '!out')"
_DUE = f'SELECT at_ms, "table", row FROM _scheduled WHERE at_ms <= ? AND "table" NOT IN {_NO_ROWS} ORDER BY at_ms, id'


def store(db: sqlite3.Connection, rows: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Store scheduled rows, each with its due time in milliseconds; a row names its table."""
    lines = ((at_ms, row["table"], _text(row)) for at_ms, row in rows)
    db.executemany('INSERT INTO _scheduled (at_ms, "table", row) VALUES (?, ?, ?)', lines)


def _text(row: Mapping[str, Any]) -> str:
    return orjson.dumps({name: value for name, value in row.items() if name != "table"}).decode()


def next_ms(db: sqlite3.Connection) -> int:
    """Return the due time of the next row in milliseconds, or ``NEVER``."""
    ((at_ms,),) = db.execute(f'SELECT min(at_ms) FROM _scheduled WHERE "table" NOT IN {_NO_ROWS}').fetchall()
    return NEVER if at_ms is None else int(at_ms)


def last_ms(db: sqlite3.Connection) -> int | None:
    """Return the due time of the last row in milliseconds; None if none waits."""
    ((at_ms,),) = db.execute(f'SELECT max(at_ms) FROM _scheduled WHERE "table" NOT IN {_NO_ROWS}').fetchall()
    return None if at_ms is None else int(at_ms)


def deliver_due(db: sqlite3.Connection, until_ms: int) -> list[dict[str, Any]]:
    """Insert the rows that are due by a time, as turns of the world, and return them in order.

    Returns:
        ``at_ms``, ``table`` and ``row`` of each. One that no longer fits, since its parent row was deleted or its key
        is taken, is dropped and has ``dropped`` as well.
    """
    came: list[dict[str, Any]] = []
    db.execute("BEGIN")
    try:
        turn_ms = None
        for at_ms, table, text in db.execute(_DUE, (until_ms,)).fetchall():
            if at_ms != turn_ms:
                # A turn for each moment, so that the journal knows when each row came.
                journal.begin_turn(db, journal.WORLD, at_ms)
                turn_ms = at_ms
            row = orjson.loads(text)
            came.append({"at_ms": at_ms, "table": table, "row": row})
            names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
            try:
                db.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', tuple(row.values()))
            except sqlite3.IntegrityError:
                came[-1]["dropped"] = True
        db.execute(f'DELETE FROM _scheduled WHERE at_ms <= ? AND "table" NOT IN {_NO_ROWS}', (until_ms,))
    except BaseException:
        if db.in_transaction:  # a full disk has ended the transaction already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
    return came
