"""Brings contexts that an earlier farm wrote to the present form when they are opened, with their journal.

Until format 3 the journal's triggers lay in the file, and each entry named its call and held the new row as well; what
was last committed stood in ``_meta``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from farm.context import journal
from farm.context.table_info import TableShape


def upgrade(db: sqlite3.Connection, shapes: Mapping[str, TableShape]) -> bool:
    """Rewrite the bookkeeping of a context of format 2; return whether it was one."""
    if not any(column[1] == "writes" for column in db.execute("PRAGMA table_info(_meta)").fetchall()):
        return False
    db.execute("BEGIN")
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f'DROP TRIGGER "{name}"')
    entries = db.execute("SELECT id, call, \"table\", key, json_extract(key, '$[0]'), old FROM _journal").fetchall()
    db.execute("DROP TABLE _journal")
    db.execute(journal.DDL)
    last = top = 0
    # Every number doubled leaves room for the entries that open a call.
    for id_, call, table, keys, key, old in entries:
        top = 2 * id_
        if call != last:
            db.execute("INSERT INTO _journal (id, call) VALUES (?, ?)", (top - 1, call))
            last = call
        values = (top, table, key if len(shapes[table].key) == 1 else keys, old)
        db.execute('INSERT INTO _journal (id, "table", key, old) VALUES (?, ?, ?, ?)', values)
    db.execute(
        "INSERT INTO _journal (id, call, writes, now_ms) "
        "SELECT ?, call, writes, iif(live, clock_ms, NULL) FROM _meta WHERE writes",
        (top + 1,),
    )
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = '_search_state'").fetchone():
        db.execute("UPDATE _search_state SET journal = 2 * journal")
    db.execute("COMMIT")
    return True
