"""What an app does by itself when a moment of a row comes due, such as sending a message that was to be sent later.

``kernels/<app>/due.py`` declares ``DEEDS``: ``table.column`` of a column declared with ``due`` → a ``Deed``. It happens
when the clock has come to the moment, at its own time, in a turn of the world: the call that scheduled it is the
agent's, what follows is nobody's damage.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from farm import content
from farm.appkit.due import Deed
from farm.appkit.handler_api import Episode, Row, VendorError
from farm.content import LoadedApp
from farm.context import journal
from farm.context.notices import due_sql

if TYPE_CHECKING:
    from farm.context.context import Context

Deeds = Mapping[str, Deed]


def deeds_of(loaded: LoadedApp) -> Deeds:
    """Return what an app does by itself; empty for most apps."""
    return content.kernel_declaration(loaded.app.name, "due", "DEEDS") or {}


def bounds_ms(context: Context, db: sqlite3.Connection) -> tuple[int, int] | None:
    """Return the moments of the first and the last deed that are ahead; None if there are none."""
    moments = [each for key in context.deeds for each in _bounds_of(context, db, key) if each is not None]
    return (min(moments), max(moments)) if moments else None


def _bounds_of(context: Context, db: sqlite3.Connection, key: str) -> tuple[int | None, int | None]:
    table, _, column = key.partition(".")
    ms = due_sql(context.loaded.schema.times[table][column], column)
    ((first, last),) = db.execute(f'SELECT min({ms}), max({ms}) FROM "{table}"').fetchall()
    return first, last


def perform_due(context: Context, until_ms: int) -> list[dict[str, Any]]:
    """Do everything that is due by a time, in order, and return what came of it; if nothing is, nothing is written.

    Returns:
        ``at_ms``, ``table`` and ``row`` of each; what the app now refuses has ``dropped``, and its row is deleted.
    """
    came = []
    while (found := min(_due(context, until_ms), key=lambda each: each[:2], default=None)) is not None:
        at_ms, key, row = found
        came.append(_perform(context, at_ms, key, row))
    return came


def _due(context: Context, until_ms: int) -> Iterator[tuple[int, str, Row]]:
    """Yield the first thing that is due by a time, of each column."""
    for key in context.deeds:
        table, _, column = key.partition(".")
        ms = due_sql(context.loaded.schema.times[table][column], column)
        order = ", ".join(f'"{name}"' for name in context.loaded.schema.shapes[table].key)
        sql = f'SELECT *, {ms} AS due_at_ms FROM "{table}" WHERE {ms} <= ? ORDER BY due_at_ms, {order} LIMIT 1'
        for row in context.episode.db.all(sql, until_ms):
            yield row.pop("due_at_ms"), key, row


def _perform(context: Context, at_ms: int, key: str, row: Row) -> dict[str, Any]:
    table, _, _ = key.partition(".")
    deed, db = context.deeds[key], context.connection
    names = context.loaded.schema.shapes[table].key
    # Ids are of the row's own name, so the agent's do not depend on what happened by itself.
    label = "/".join(str(row[name]) for name in names)
    own = Episode(
        context.episode.db,
        app=f"{context.loaded.app.name}/{key}/{label}",
        me=str(row[deed.owner]),
        seed=context.seed,
        forms=context.loaded.app.ids,
    )
    own.start_call(at_ms, 0)
    came: dict[str, Any] = {"at_ms": at_ms, "table": table, "row": row}
    db.execute("BEGIN")
    try:
        journal.begin_turn(db, journal.WORLD, at_ms)
        context.episode.db.delete(table, **{name: row[name] for name in names})
        try:
            came["table"], came["row"] = deed.do(own, row)
        except VendorError:
            came["dropped"] = True
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
    return came
