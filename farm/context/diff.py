"""What changed: by the journal since the start, by a join against a saved copy since any snapshot.

Both give ``{table: [{"op", "key", "old", "new", "call"}]}`` with whole rows as objects, tables and keys in order. The
journal knows which call made a change; the join knows nothing but the two states, so it audits the journal. What was
changed and changed back is in neither; ``churn`` reads it from the journal.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import orjson

from farm.context.journal import array
from farm.context.table_info import TableShape

if TYPE_CHECKING:
    from farm.context.schema import Schema

Change = dict[str, Any]
Changes = dict[str, list[Change]]
Churn = dict[str, list[dict[str, Any]]]
_Key = tuple[str, Any]  # a table, and a key as the journal has it
_Row = dict[str, Any]


def _row(columns: tuple[str, ...], text: str | None) -> _Row | None:
    return None if text is None else dict(zip(columns, orjson.loads(text), strict=True))


def since_start(db: sqlite3.Connection, schema: Schema) -> Changes:
    """Hold the first old row of each key against the row as it stands; one that came back as it was is no change."""
    folded: dict[_Key, list[Any]] = {}
    for call, table, key, old in _entries(db):
        folded.setdefault((table, key), [old, call])[1] = call
    rows = _Rows(db, schema)
    changes: Changes = {}
    for at, (old, call) in folded.items():
        new = rows.now(at)
        if old != new:
            changes.setdefault(at[0], []).append(rows.change(at, old, new, call))
    return _in_order(schema, changes)


def churn(db: sqlite3.Connection, schema: Schema, after: int = -1) -> Churn:
    """Return what calls later than ``after`` did and undid: rows that came and went, or are again as they were.

    A row counts as it stood between calls, and what the app moves by itself is left out. Each table's rows have

    - ``key``, and ``row`` as it was before these calls, or as it was first made;
    - ``columns``: those that changed and changed back, entries of JSON objects as ``column.entry``; none where the row
      itself came or went again;
    - ``steps``: what was done to them, in order, as ``{"op", "call"}``.

    Changing a column twice is no churn unless it ends as it began, nor is anything that happens to a row that was made
    meanwhile and stays.
    """
    states: dict[_Key, list[tuple[int, str | None]]] = {}
    for call, table, key, old in _entries(db, after):
        seen = states.setdefault((table, key), [])
        if not seen or seen[-1][0] != call:
            seen.append((call, old))
    rows = _Rows(db, schema)
    found: Churn = {}
    for at, seen in states.items():
        if len(seen) > 1:
            each = rows.churned(at, seen, frozenset(schema.automatic.get(at[0], ())))
            if each is not None:
                found.setdefault(at[0], []).append(each)
    return _in_order(schema, found)


def by_call(db: sqlite3.Connection, schema: Schema, after: int) -> dict[int, Changes]:
    """Return what each call later than ``after`` changed, in the order it happened; nothing is folded."""
    entries = list(_entries(db, max(after, 0)))
    rows = _Rows(db, schema)
    # From the last one back: what a row became is what its next entry says it was, or the row as it stands.
    later: dict[_Key, str | None] = {}
    told: list[tuple[int, str, Change]] = []
    for call, table, key, old in reversed(entries):
        at = (table, key)
        told.append((call, table, rows.change(at, old, later[at] if at in later else rows.now(at), call)))
        later[at] = old
    found: dict[int, Changes] = {}
    for call, table, change in reversed(told):
        found.setdefault(call, {}).setdefault(table, []).append(change)
    return found


def _entries(db: sqlite3.Connection, after: int = -1) -> Iterator[tuple[int, str, Any, str | None]]:
    """Yield (call, table, key, old) of the calls later than ``after``; what was written before any call is call 0's."""
    first, number = 0, 0
    if after >= 0:
        (first,) = db.execute("SELECT min(id) FROM _journal WHERE call > ?", (after,)).fetchone()
        if first is None:
            return
    sql = 'SELECT call, "table", key, old FROM _journal WHERE id >= ? ORDER BY id'
    for call, table, key, old in db.execute(sql, (first,)):
        if call is None:
            yield number, table, key, old
        else:
            number = call


class _Rows:
    """Looks up rows by the journal's keys."""

    def __init__(self, db: sqlite3.Connection, schema: Schema) -> None:
        self._db = db
        self._shapes = schema.shapes

    @staticmethod
    def _values(shape: TableShape, key: Any) -> list[Any]:
        return [key] if len(shape.key) == 1 else list(orjson.loads(key))

    def now(self, at: _Key) -> str | None:
        """Return the row of a table and key as it stands, as the journal would have it, or None."""
        shape = self._shapes[at[0]]
        where = " AND ".join(f't."{name}" IS ?' for name in shape.key)
        sql = f'SELECT {array("t", shape.columns)} FROM "{shape.name}" t WHERE {where}'
        row = self._db.execute(sql, self._values(shape, at[1])).fetchone()
        return None if row is None else row[0]

    def churned(self, at: _Key, seen: list[tuple[int, str | None]], automatic: frozenset[str]) -> dict[str, Any] | None:
        """Return how a row was changed and changed back; ``seen`` has each call and the row before it."""
        shape = self._shapes[at[0]]
        calls = [call for call, _ in seen]
        texts = [*(old for _, old in seen), self.now(at)]
        came_or_went = [n for n in range(len(calls)) if (texts[n] is None) != (texts[n + 1] is None)]
        rows = [_row(shape.columns, text) for text in texts]
        there = [row for row in rows if row is not None]
        if len(came_or_went) > 1:
            back: list[str] = []
            steps = [{"op": "insert" if rows[n] is None else "delete", "call": calls[n]} for n in came_or_went]
        elif came_or_went or not there:
            return None
        else:
            back, steps = _changed_back(there, calls, automatic)
            if not back:
                return None
        key = dict(zip(shape.key, self._values(shape, at[1]), strict=True))
        return {"key": key, "row": there[0], "columns": back, "steps": steps}

    def change(self, at: _Key, old: str | None, new: str | None, call: int) -> Change:
        """Return the change of a row from old to new."""
        shape = self._shapes[at[0]]
        return _change(shape, self._values(shape, at[1]), _row(shape.columns, old), _row(shape.columns, new), call)


def _changed_back(rows: list[_Row], calls: list[int], automatic: frozenset[str]) -> tuple[list[str], list[_Row]]:
    """Return the columns that changed and are as they were, and the steps in which they changed."""
    stay = changed_columns(rows[0], rows[-1])
    moves = [changed_columns(before, after) for before, after in pairwise(rows)]
    back = [
        name
        for name in dict.fromkeys(name for move in moves for name in move)
        if name.partition(".")[0] not in automatic and not any(is_part(name, other) for other in stay)
    ]
    return back, [
        {"op": "update", "call": call}
        for call, move in zip(calls, moves, strict=True)
        if not set(back).isdisjoint(move)
    ]


def changed_columns(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return the columns in which two rows differ; of JSON objects the entries, as ``column.entry``."""
    found: list[str] = []
    for name in new:
        if old[name] == new[name]:
            continue
        before, after = _object(old[name]), _object(new[name])
        if before is None or after is None:
            found.append(name)
        else:
            found += [f"{name}.{each}" for each in {**before, **after} if before.get(each) != after.get(each)]
    return found


def is_part(name: str, other: str) -> bool:
    """Whether one of two columns, or entries of JSON columns, is the other or lies inside it."""
    return name == other or name.startswith(f"{other}.") or other.startswith(f"{name}.")


def _object(value: Any) -> Mapping[str, Any] | None:
    if not isinstance(value, str) or not value.startswith("{"):
        return None
    try:
        parsed = orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
    return parsed if isinstance(parsed, dict) else None


def _change(
    shape: TableShape, key: list[Any], old: dict[str, Any] | None, new: dict[str, Any] | None, call: int | None
) -> Change:
    op = "insert" if old is None else "delete" if new is None else "update"
    return {"op": op, "key": dict(zip(shape.key, key, strict=True)), "old": old, "new": new, "call": call}


def _in_order(schema: Schema, changes: Changes) -> Changes:
    return {
        table: sorted(changes[table], key=lambda change: orjson.dumps(list(change["key"].values())))
        for table in schema.shapes
        if table in changes
    }


def since_copy(db: sqlite3.Connection, schema: Schema, copy: str) -> Changes:
    """Compare with a saved copy table by table; ``call`` is always None.

    The copy is attached as immutable: nobody changes it, and exclusive locking would lock it, too.
    """
    db.execute("ATTACH ? AS was", (f"file:{copy}?immutable=1",))
    try:
        return _in_order(schema, {s.name: found for s in schema.shapes.values() if (found := _table(db, s))})
    finally:
        db.execute("DETACH was")


def _table(db: sqlite3.Connection, shape: TableShape) -> list[Change]:
    on = " AND ".join(f'a."{k}" IS b."{k}"' for k in shape.key)
    differs = " OR ".join(f'a."{c}" IS NOT b."{c}"' for c in shape.columns)
    key, old, new = array("a", shape.key), array("a", shape.columns), array("b", shape.columns)
    gone = f'a."{shape.key[0]}" IS NULL'
    sql = (
        f'SELECT {key}, {old}, {new} FROM was."{shape.name}" a JOIN main."{shape.name}" b ON {on} WHERE {differs} '
        f'UNION ALL SELECT {array("b", shape.key)}, NULL, {new} FROM main."{shape.name}" b '
        f'LEFT JOIN was."{shape.name}" a ON {on} WHERE {gone} '
        f'UNION ALL SELECT {key}, {old}, NULL FROM was."{shape.name}" a '
        f'LEFT JOIN main."{shape.name}" b ON {on} WHERE b."{shape.key[0]}" IS NULL'
    )
    return [
        _change(shape, orjson.loads(key), _row(shape.columns, old), _row(shape.columns, new), None)
        for key, old, new in db.execute(sql)
    ]
