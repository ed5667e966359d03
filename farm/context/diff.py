"""The rows that calls changed: by the journal since the start, by a join against a saved copy since any snapshot.

Both return ``{table: [{"op", "key", "old", "new", "call"}]}`` with whole rows as objects, tables and keys in order. The
journal records the author and the call of a change; the join has only the two states, so it audits the journal.
Reverted changes are in neither; ``reverted`` reads them from the journal.

Others change rows, too: the journal's ``by`` names them. Both functions treat such rows alike:

- A row that only others changed is omitted.
- A row that both changed is compared with the row as the others alone would have left it. This is ``old``: the row
  before the first call that changed it, and each column that others changed later has the value they gave it. So if a
  call changes a column and others change it later, the column did not change; if a call then changes it once more,
  ``old`` has the others' value. ``new`` is the current row.
- A row that a call inserted is an insert, and ``new`` has what others changed in it since.
- If others insert or delete a row, its history is split there, and only the last part counts in which calls made a
  difference. A row that a call inserted or updated and others deleted afterwards is an insert or update, and ``new`` is
  the row before it was deleted. A row that a call deleted and others inserted again is a delete. If a call changes it
  after others inserted it, ``old`` is the row that they inserted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import orjson

from farm.appkit.table_info import TableShape
from farm.context.journal import array

if TYPE_CHECKING:
    from farm.appkit.schema import Schema

Change = dict[str, Any]
Changes = dict[str, list[Change]]
Reverted = dict[str, list[dict[str, Any]]]
_Key = tuple[str, Any]  # a table, and a key as the journal has it
_Row = dict[str, Any]
# The steps of a row, in order: the number of the call, or None for others, and the id of the journal's entry, which has
# the row before the step. Rows may be long, so only those that are needed are read.
_Steps = list[tuple[int | None, int]]


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a row's history in which others neither inserted nor deleted it.

    Attributes:
        calls: the number of the call of each step.
        states: the row before each step and after the last one. Columns that others changed have their value in every
            earlier state as well.
    """

    calls: list[int]
    states: list[str | None]


def _row(columns: tuple[str, ...], text: str | None) -> _Row | None:
    return None if text is None else dict(zip(columns, orjson.loads(text), strict=True))


def since_start(db: sqlite3.Connection, schema: Schema) -> Changes:
    """Compare each row before the first call that changed it with the current row, by the journal."""
    rows = _Rows(db, schema)
    changes: Changes = {}
    for at, steps in _steps(db).items():
        change = rows.fold(at, steps)
        if change is not None:
            changes.setdefault(at[0], []).append(change)
    return _in_order(schema, changes)


def reverted(db: sqlite3.Connection, schema: Schema, after: int = -1) -> Reverted:
    """Return the reverted changes of calls after ``after``: rows that came and went, or have their old values again.

    Only the states between calls count; ``server_managed`` columns and others' changes are omitted. Each table's rows
    have

    - ``key``, and ``row`` before these calls, or as it was first inserted;
    - ``columns``: those that changed and changed back, entries of JSON objects as ``column.entry``; empty if the row
      itself came and went, or was deleted and came back;
    - ``steps``: the changes in order, as ``{"op", "call"}``.

    A column that changed twice is listed only if it ends with its first value. A row that was inserted and stays is not
    listed.
    """
    first = _first_after(db, after)
    rows = _Rows(db, schema)
    found: Reverted = {}
    for at, steps in ({} if first is None else _steps(db, first)).items():
        if len(steps) == 1 or len({call for call, _ in steps} - {None}) < 2:
            continue
        automatic = frozenset(schema.server_managed.get(at[0], ()))
        for part in rows.parts(at, steps):
            each = rows.reverted(at, part, automatic)
            if each is not None:
                found.setdefault(at[0], []).append(each)
    return _in_order(schema, found)


def by_call(db: sqlite3.Connection, schema: Schema, after: int) -> dict[int, Changes]:
    """Return the changes of each call after ``after``, in order and not merged."""
    first = _first_after(db, max(after, 0))
    entries = [] if first is None else list(_entries(db, first))
    rows = _Rows(db, schema)
    # From the last entry backwards: the row after a change is its next entry, or the current row.
    later: dict[_Key, str | None] = {}
    told: list[tuple[int, str, Change]] = []
    for call, table, key, entry in reversed(entries):
        at, old = (table, key), rows.before(entry)
        if call is not None:
            told.append((call, table, rows.change(at, old, later[at] if at in later else rows.now(at), call)))
        later[at] = old
    found: dict[int, Changes] = {}
    for call, table, change in reversed(told):
        found.setdefault(call, {}).setdefault(table, []).append(change)
    return found


def _first_after(db: sqlite3.Connection, after: int) -> int | None:
    """Return the id of the entry that opens the first call later than ``after``: None without one, 0 for all."""
    if after < 0:
        return 0
    (first,) = db.execute("SELECT min(id) FROM _journal WHERE call > ?", (after,)).fetchone()
    return first if first is None else int(first)


def _entries(
    db: sqlite3.Connection, first: int = 0, database: str = "main"
) -> Iterator[tuple[int | None, str, Any, int]]:
    """Yield (call, table, key, id) from an id on.

    ``call`` is None for others' changes, and 0 for changes before any call.
    """
    journal = f'SELECT call, "by", "table", key, id FROM {database}._journal'
    author: int | None = 0
    if first:
        before = f'{journal} WHERE id < ? AND "table" IS NULL ORDER BY id DESC LIMIT 1'
        opened = db.execute(before, (first,)).fetchone()
        author = author if opened is None else opened[0]
    for call, somebody, table, key, entry in db.execute(f"{journal} WHERE id >= ? ORDER BY id", (first,)):
        if call is not None:
            author = call
        elif somebody is not None:
            author = None
        else:
            yield author, table, key, entry


def _steps(db: sqlite3.Connection, first: int = 0, database: str = "main") -> dict[_Key, _Steps]:
    """Return the steps of each row from an entry of the journal on."""
    found: dict[_Key, _Steps] = {}
    for call, table, key, entry in _entries(db, first, database):
        found.setdefault((table, key), []).append((call, entry))
    return found


def _parts(calls_of: list[int | None], texts: list[str | None]) -> list[_Part]:
    """Return the parts of a row's history in which calls changed it.

    Args:
        calls_of: the call of each step, None for others'.
        texts: the row before each step, and the current row.
    """
    # SQLite and orjson write the same values in different ways.
    texts = [None if text is None else orjson.dumps(orjson.loads(text)).decode() for text in texts]
    found: list[_Part] = []
    calls: list[int] = []
    states: list[str | None] = []
    theirs: list[tuple[str, str]] = []  # others' steps in a row that calls created
    for call, (before, after) in zip(calls_of, pairwise(texts), strict=True):
        if call is not None:
            calls.append(call)
            states.append(before)
        elif before is not None and after is not None:
            if states and states[0] is None:
                theirs.append((before, after))
            states = [_rebased(state, before, after) for state in states]
        else:
            if calls:
                found.append(_Part(calls, [*states, _own(before, theirs)]))
            calls, states, theirs = [], [], []
    if calls:
        found.append(_Part(calls, [*states, _own(texts[-1], theirs)]))
    return found


def _own(state: str | None, theirs: Sequence[tuple[str, str]]) -> str | None:
    """Return a row that calls created without what others changed in it, each step from ``before`` to ``after``."""
    for before, after in reversed(theirs):
        if state is not None:
            columns = zip(orjson.loads(state), orjson.loads(before), orjson.loads(after), strict=True)
            own = [was if became == now and was != became else now for now, was, became in columns]
            state = orjson.dumps(own).decode()
    return state


def _rebased(state: str | None, before: str, after: str) -> str | None:
    """Return a row with the columns in which others changed it from ``before`` to ``after``."""
    if state is None:
        return None
    columns = zip(orjson.loads(state), orjson.loads(before), orjson.loads(after), strict=True)
    return orjson.dumps([own if was == became else became for own, was, became in columns]).decode()


class _Rows:
    """Looks up rows by the journal's keys."""

    def __init__(self, db: sqlite3.Connection, schema: Schema, database: str = "main") -> None:
        self._db = db
        self._shapes = schema.shapes
        self._database = database
        self._lookups: dict[str, str] = {}

    @staticmethod
    def _values(shape: TableShape, key: Any) -> list[Any]:
        return [key] if len(shape.key) == 1 else list(orjson.loads(key))

    def now(self, at: _Key) -> str | None:
        """Return the current row of a table and key in the journal's form, or None."""
        shape = self._shapes[at[0]]
        sql = self._lookups.get(shape.name)
        if sql is None:
            where = " AND ".join(f't."{name}" IS ?' for name in shape.key)
            sql = f'SELECT {array("t", shape.columns)} FROM {self._database}."{shape.name}" t WHERE {where}'
            self._lookups[shape.name] = sql
        row = self._db.execute(sql, self._values(shape, at[1])).fetchone()
        return None if row is None else row[0]

    def before(self, entry: int) -> str | None:
        """Return the row before an entry of the journal."""
        text: str | None
        (text,) = self._db.execute(f"SELECT old FROM {self._database}._journal WHERE id = ?", (entry,)).fetchone()
        return text

    def at_first(self, at: _Key, steps: _Steps) -> str | None:
        """Return a row before these steps."""
        return self.before(steps[0][1]) if steps else self.now(at)

    def parts(self, at: _Key, steps: _Steps) -> list[_Part]:
        """Return the parts of a row's history in which calls changed it, with the states between calls."""
        calls = [call for call, _ in steps]
        if all(call is None for call in calls):
            return []
        if None in calls:
            return _parts(calls, [*(self.before(entry) for _, entry in steps), self.now(at)])
        firsts = [step for n, step in enumerate(steps) if not n or step[0] != calls[n - 1]]
        own = [call for call, _ in firsts if call is not None]
        return [_Part(own, [*(self.before(entry) for _, entry in firsts), self.now(at)])]

    def fold(self, at: _Key, steps: _Steps) -> Change | None:
        """Return how calls changed a row, or None if they did not."""
        if steps and all(call is not None for call, _ in steps):
            steps = [(steps[-1][0], steps[0][1])]  # the states in between are not needed
        for part in reversed(self.parts(at, steps)):
            old, new = part.states[0], part.states[-1]
            if old != new:
                return self.change(at, old, new, part.calls[-1])
        return None

    def key(self, at: _Key) -> list[Any]:
        """Return the values of a row's key."""
        return self._values(self._shapes[at[0]], at[1])

    def reverted(self, at: _Key, part: _Part, automatic: frozenset[str]) -> dict[str, Any] | None:
        """Return how calls changed a row and changed it back."""
        shape = self._shapes[at[0]]
        firsts = [n for n, call in enumerate(part.calls) if not n or call != part.calls[n - 1]]
        if len(firsts) == 1:
            return None
        calls = [part.calls[n] for n in firsts]
        texts = [*(part.states[n] for n in firsts), part.states[-1]]
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
        key = dict(zip(shape.key, self.key(at), strict=True))
        return {"key": key, "row": there[0], "columns": back, "steps": steps}

    def change(self, at: _Key, old: str | None, new: str | None, call: int) -> Change:
        """Return the change of a row from old to new."""
        shape = self._shapes[at[0]]
        return _change(shape, self.key(at), _row(shape.columns, old), _row(shape.columns, new), call)


def _changed_back(rows: list[_Row], calls: list[int], automatic: frozenset[str]) -> tuple[list[str], list[_Row]]:
    """Return the columns that changed and changed back, and the steps in which they changed."""
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
    """Return the columns in which two rows differ; for JSON objects the entries, as ``column.entry``."""
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
    """Return whether one of two columns, or entries of JSON columns, equals the other or lies inside it."""
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
    return {table: sorted(changes[table], key=_key_of) for table in schema.shapes if table in changes}


def since_copy(db: sqlite3.Connection, schema: Schema, copy: str) -> Changes:
    """Compare with a saved copy table by table; ``call`` is always None.

    The copy is attached as immutable, as it never changes and exclusive locking would lock it, too.
    """
    db.execute("ATTACH ? AS was", (f"file:{copy}?immutable=1",))
    try:
        changes = {shape.name: _table(db, shape) for shape in schema.shapes.values()}
        if _others_wrote(db, "main") or _others_wrote(db, "was"):
            _leave_out_others(db, schema, changes)
        return _in_order(schema, {table: found for table, found in changes.items() if found})
    finally:
        db.execute("DETACH was")


def _others_wrote(db: sqlite3.Connection, database: str) -> bool:
    """Return whether the journal of an attached database has a turn of another author than the agent."""
    sql = f'SELECT 1 FROM {database}._journal WHERE "by" IS NOT NULL LIMIT 1'
    return db.execute(sql).fetchone() is not None


def _leave_out_others(db: sqlite3.Connection, schema: Schema, changes: Changes) -> None:
    """Replace the changes of rows that others changed by the calls' changes from the journal.

    The copy is an earlier state of the context, or a later one from which the context was restored. In the second case
    the journals differ from some entry on, and others may have changed rows in both. A row that a call changed in the
    copy keeps its compared change, and so does one that differs at the point where the journals part.
    """
    first = _first_difference(db)
    here, there = _steps(db, first), _steps(db, first, "was")
    now, was = _Rows(db, schema), _Rows(db, schema, "was")
    by_key = {table: {_key_of(change): change for change in found} for table, found in changes.items()}
    for at in dict.fromkeys((*here, *there)):
        steps, copied = here.get(at, []), there.get(at, [])
        if all(call is not None for call, _ in steps + copied) or any(call is not None for call, _ in copied):
            continue
        if now.at_first(at, steps) != was.at_first(at, copied):
            continue
        by_key[at[0]].pop(orjson.dumps(now.key(at)), None)
        change = now.fold(at, steps)
        if change is not None:
            by_key[at[0]][_key_of(change)] = {**change, "call": None}
    changes.update((table, list(found.values())) for table, found in by_key.items())


def _key_of(change: Change) -> bytes:
    """Return the key of a changed row as JSON."""
    return orjson.dumps(list(change["key"].values()))


def _first_difference(db: sqlite3.Connection) -> int:
    """Return the id of the first entry that the journals of a context and its attached copy do not share."""
    columns = ("call", "writes", "now_ms", '"table"', "key", "old", '"by"')
    differs = " OR ".join(f"w.{each} IS NOT m.{each}" for each in columns)
    ((first, behind),) = db.execute(
        f"SELECT (SELECT min(w.id) FROM was._journal w LEFT JOIN main._journal m ON m.id = w.id "
        f"WHERE m.id IS NULL OR {differs}), (SELECT coalesce(max(id), 0) + 1 FROM was._journal)"
    ).fetchall()
    return int(behind if first is None else first)


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
