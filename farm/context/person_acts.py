"""What people are going to do: it waits among the scheduled rows of a context's file until its time has come.

An act of this app is a row of the table ``ACT``; one of another app is a row of ``OUT``, until somebody who reaches
both apps has carried it there. Each act is a turn of the journal: its ``by`` names the person, its ``old`` has the act.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from farm.appkit.table_info import TableShape
from farm.context import journal

ACT, OUT = "!act", "!out"
# The folder of the data folder with a file for each episode of a moving clock in which an act is to be carried.
OUTGOING = "outgoing"
_BY = "person:"
_KEYS = {"who", "rule", "name", "do", "app", "arguments", "row", "cause"}


def is_act(table: str, row: Any) -> bool:
    """Return whether an entry of the scheduled rows is a sound act, and no row of the world."""
    if table not in (ACT, OUT) or not isinstance(row, dict) or not row.keys() >= _KEYS:
        return False
    texts, objects = ("who", "rule", "name", "do", "app"), ("arguments", "row", "cause")
    cause = row["cause"]
    return (
        all(isinstance(row[name], str) for name in texts)
        and all(isinstance(row[name], dict) for name in objects)
        and isinstance(cause.get("app"), str)
        and type(cause.get("call")) is int
    )


def author(who: str) -> str:
    """Return a person as the author of a turn of the journal."""
    return f"{_BY}{who}"


def is_person(by: str | None) -> bool:
    """Return whether a turn's author is a person who answers."""
    return by is not None and by.startswith(_BY)


def schedule(db: sqlite3.Connection, app: str, acts: Iterable[tuple[int, str, Mapping[str, Any]]]) -> None:
    """Store acts with their times (ms) and apps, in the open transaction of what caused them."""
    lines = (
        (at_ms, ACT if target == app else OUT, orjson.dumps({**act, "app": target}).decode())
        for at_ms, target, act in acts
    )
    db.executemany('INSERT INTO _scheduled (at_ms, "table", row) VALUES (?, ?, ?)', lines)


def due(db: sqlite3.Connection, until_ms: int) -> list[tuple[int, int, dict[str, Any]]]:
    """Return the acts of this app that are due at the earliest time up to ``until_ms``: id, time and act, by name."""
    sql = 'SELECT id, at_ms, row FROM _scheduled WHERE "table" = ? AND at_ms = (SELECT min(at_ms) FROM _scheduled '
    sql += 'WHERE "table" = ? AND at_ms <= ?)'
    found = [(id_, at_ms, orjson.loads(row)) for id_, at_ms, row in db.execute(sql, (ACT, ACT, until_ms)).fetchall()]
    return sorted(found, key=lambda each: each[2]["name"])


def bounds_ms(db: sqlite3.Connection) -> tuple[int | None, int | None]:
    """Return when the first and the last of the waiting acts of this app are due; None if none waits."""
    ((first, last),) = db.execute('SELECT min(at_ms), max(at_ms) FROM _scheduled WHERE "table" = ?', (ACT,)).fetchall()
    return first, last


def remove(db: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Remove acts that were done, or carried to their app."""
    db.executemany("DELETE FROM _scheduled WHERE id = ?", [(each,) for each in ids])


def list_waiting(db: sqlite3.Connection, table: str = ACT) -> list[dict[str, Any]]:
    """Return the acts that wait, of this app or of others: ``id``, ``at_ms`` and ``act``."""
    sql = 'SELECT id, at_ms, row FROM _scheduled WHERE "table" = ? ORDER BY at_ms, id'
    return [
        {"id": id_, "at_ms": at_ms, "act": orjson.loads(row)}
        for id_, at_ms, row in db.execute(sql, (table,)).fetchall()
    ]


def list_done(db: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return the acts that were done here, in order, each with ``at_ms`` and, if the app refused it, ``dropped``."""
    sql = 'SELECT now_ms, old FROM _journal WHERE "table" IS NULL AND "by" LIKE ? ORDER BY id'
    return [{"at_ms": at_ms, **orjson.loads(old)} for at_ms, old in db.execute(sql, (f"{_BY}%",)).fetchall()]


def rewind(db: sqlite3.Connection, shapes: Mapping[str, TableShape], calls: int, kept: Mapping[str, int]) -> None:
    """Undo calls after a number, with what people did and are going to do because of calls that are undone in any app.

    What somebody did after those calls, because of an earlier one, waits again.

    Args:
        db: the context's file, without triggers.
        shapes: its tables.
        calls: the number of the last call of this app that stays.
        kept: app → the number of its last call that stays.
    """

    def is_gone(act: Mapping[str, Any]) -> bool:
        return bool(act["cause"]["call"] > kept.get(act["cause"]["app"], sys.maxsize))

    again = journal.undo_after(db, shapes, calls, lambda by, act: is_person(by) and is_gone(orjson.loads(act)))
    waiting = db.execute(f'SELECT id, row FROM _scheduled WHERE "table" IN ({ACT!r}, {OUT!r})').fetchall()
    remove(db, [id_ for id_, act in waiting if is_gone(orjson.loads(act))])
    for at_ms, told in again:
        act = {name: value for name, value in orjson.loads(told).items() if name not in ("people", "dropped")}
        schedule(db, act["app"], [(at_ms, act["app"], act)])


def is_known(db: sqlite3.Connection, name: str, cause: Mapping[str, Any]) -> bool:
    """Return whether an act waits here or was done here already, so that carrying it twice does nothing."""
    every = [each["act"] for each in list_waiting(db)] + list_done(db)
    return any(each["name"] == name and each["cause"] == cause for each in every)
