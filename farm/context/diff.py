"""What changed: by the journal since the start, by a join against a saved copy since any snapshot.

Both give ``{table: [{"op", "key", "old", "new", "call"}]}`` with whole rows as objects, tables and keys in order. The
journal knows which call made a change; the join knows nothing but the two states, so it audits the journal.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import orjson

from farm.context.schema import Schema, TableShape

Change = dict[str, Any]
Changes = dict[str, list[Change]]


def _row(columns: tuple[str, ...], text: str | None) -> dict[str, Any] | None:
    return None if text is None else dict(zip(columns, orjson.loads(text), strict=True))


def since_start(db: sqlite3.Connection, schema: Schema) -> Changes:
    """Fold the journal by key, first old row against last new one; a row that came back as it was is no change."""
    folded: dict[tuple[str, str], list[Any]] = {}
    for table, key, old, new, call in db.execute('SELECT "table", key, old, new, call FROM _journal ORDER BY id'):
        entry = folded.setdefault((table, key), [old, new, call])
        entry[1:] = new, call
    changes: Changes = {}
    for (table, key), (old, new, call) in folded.items():
        if old != new:
            shape = schema.shapes[table]
            changes.setdefault(table, []).append(
                _change(shape, orjson.loads(key), _row(shape.columns, old), _row(shape.columns, new), call)
            )
    return _in_order(schema, changes)


def by_call(db: sqlite3.Connection, schema: Schema, after: int) -> dict[int, Changes]:
    """Return what each call later than ``after`` changed, in the order it happened; nothing is folded."""
    found: dict[int, Changes] = {}
    sql = 'SELECT call, "table", key, old, new FROM _journal WHERE call > ? ORDER BY id'
    for call, table, key, old, new in db.execute(sql, (after,)):
        shape = schema.shapes[table]
        change = _change(shape, orjson.loads(key), _row(shape.columns, old), _row(shape.columns, new), call)
        found.setdefault(call, {}).setdefault(table, []).append(change)
    return found


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


def since_copy(db: sqlite3.Connection, schema: Schema, copy: Path) -> Changes:
    """Compare with a saved copy table by table; ``call`` is always None.

    The copy is attached as immutable: a plain or read-only attach fails beside an exclusively locked WAL database.
    """
    db.execute("ATTACH ? AS was", (f"file:{copy}?immutable=1",))
    try:
        return _in_order(schema, {s.name: found for s in schema.shapes.values() if (found := _table(db, s))})
    finally:
        db.execute("DETACH was")


def _table(db: sqlite3.Connection, shape: TableShape) -> list[Change]:
    def array(alias: str, columns: tuple[str, ...]) -> str:
        return "json_array(" + ", ".join(f'{alias}."{c}"' for c in columns) + ")"

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
