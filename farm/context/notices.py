"""What a person is notified of: rows that arrive, and moments that come due in rows that were there before.

``kernels/<app>/notices.py`` declares ``NOTICES``: a table, or ``table.column`` for a column that is declared with
``due``, → a function of the episode and the row that returns the text on the person's lock screen, or None. A moment
that comes due writes no row; it is told, and it ends a wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from farm import content
from farm.appkit.handler_api import Row
from farm.appkit.notices import Notices
from farm.content import LoadedApp
from farm.context import journal

if TYPE_CHECKING:
    from farm.context.context import Context

# The rows that others than the agent changed, with the turn of each.
_TURNS_OF_OTHERS = """
WITH turns AS (
    SELECT id, now_ms, "by", lead(id) OVER (ORDER BY id) AS following FROM _journal WHERE "table" IS NULL
)
SELECT turns.id, turns.now_ms, turns."by", _journal."table", _journal.key
FROM turns JOIN _journal ON _journal.id > turns.id AND (following IS NULL OR _journal.id < following)
WHERE turns."by" IS NOT NULL ORDER BY _journal.id
"""
# The SQL of a stored time in milliseconds, by its form.
_AS_MS = {"s": '"{0}" * 1000', "ms": '"{0}"', "ms_text": 'CAST("{0}" AS INTEGER)'}


def notices_of(loaded: LoadedApp) -> Notices:
    """Return what an app notifies people of; empty if it declares nothing."""
    return content.kernel_declaration(loaded.app.name, "notices", "NOTICES") or {}


def add_notices(context: Context, came: list[dict[str, Any]], person: str | None = None) -> list[dict[str, Any]]:
    """Add ``notice``, a text, to what a person is notified of, and return all.

    Args:
        context: the app's open context, which the clock has been moved in.
        came: what came, each with ``table`` and ``row``, and with ``due``, a column, if only its moment came.
        person: the person; None for the person whom the agent works for.
    """
    if not came:
        return came
    with context.acting_as(person) if person is not None else nullcontext():
        context.episode.start_call(context.now_ms(False), context.writes)
        for each in came:
            # What was due before the episode began is not new to anybody.
            is_new = "dropped" not in each and each["at_ms"] > context.settings.clock_ms
            # What somebody did may be several rows, such as a chat and the first message in it.
            rows = each.pop("rows", None) or [(each["table"], each["row"])]
            if is_new and (text := _find_notice(context, each, rows)):
                each["notice"] = text
    return came


def _find_notice(context: Context, came: Mapping[str, Any], rows: Iterable[tuple[str, Row]]) -> str | None:
    notices = notices_of(context.loaded)
    for table, row in rows:
        find = notices.get(f"{table}.{came['due']}" if "due" in came else table)
        if find is not None and (text := find(context.episode, row)):
            return text
    return None


def list_arrived(context: Context) -> list[dict[str, Any]]:
    """Return what came since the episode began and is still there, in order: ``at_ms``, ``table`` and ``row``.

    What a person did is one arrival, with all its ``rows``.
    """
    came: list[dict[str, Any]] = []
    last = 0
    for turn, at_ms, by, table, key in context.reader.execute(_TURNS_OF_OTHERS).fetchall():
        row = journal.find_row(context.episode.db, context.loaded.schema.shapes[table], key)
        if row is None:
            continue
        if turn == last and by != journal.WORLD:
            came[-1]["rows"].append((table, row))
        else:
            came.append({"at_ms": at_ms, "table": table, "row": row, "rows": [(table, row)]})
        last = turn
    return came


def list_due(context: Context, after_ms: int, until_ms: int) -> list[dict[str, Any]]:
    """Return what came due after one moment up to another, in order: ``at_ms``, ``table``, ``due`` and ``row``."""
    return [each for each in _each_due(context, after_ms) if each["at_ms"] <= until_ms]


def due_ms(context: Context, after_ms: int) -> tuple[int, int] | None:
    """Return the next and the last moment that comes due after one; None if none does."""
    moments = [each["at_ms"] for each in _each_due(context, after_ms)]
    return (min(moments), max(moments)) if moments else None


def due_sql(form: str, column: str) -> str:
    """Return the SQL of a column's moment in milliseconds."""
    return _AS_MS[form].format(column)


def _each_due(context: Context, after_ms: int) -> Iterator[dict[str, Any]]:
    """Yield what comes due for the person whom the agent works for, table by table.

    Reads all rows that come due: only moves of a clock ask for them.
    """
    for table, columns in context.loaded.schema.due.items():
        form = context.loaded.schema.times[table]
        for column in columns:
            ms = due_sql(form[column], column)
            key = ", ".join(f'"{name}"' for name in context.loaded.schema.shapes[table].key)
            sql = f'SELECT *, {ms} AS due_at_ms FROM "{table}" WHERE {ms} > ? ORDER BY due_at_ms, {key}'
            for row in context.episode.db.all(sql, after_ms):
                at_ms = row.pop("due_at_ms")
                came = {"at_ms": at_ms, "table": table, "row": row, "due": column}
                if _concerns(context, came):
                    yield came


def _concerns(context: Context, came: Mapping[str, Any]) -> bool:
    """Return whether a moment is one of the person's; an app that declares no notice of it tells every one."""
    find = notices_of(context.loaded).get(f"{came['table']}.{came['due']}")
    if find is None:
        return True
    context.episode.start_call(context.now_ms(False), context.writes)
    return bool(find(context.episode, came["row"]))
