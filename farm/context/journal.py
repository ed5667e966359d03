"""The change journal: the rows that each call changed, recorded by triggers in the context's own file.

A writing call begins its turn with a row that holds its number. The entries up to the next turn are its changes: table,
key, and the row before the change. The row after a change is not stored: it is the next entry of the key, or the
current row. A turn of another author begins with a row whose ``by`` names the author: ``world`` for due rows. ``by`` is
NULL in the turns of calls, so calls do not write it.

The triggers are temporary. SQLite parses every trigger in a file whenever the file is opened, which would cost more
than all the rest. So a connection creates a trigger when the first statement needs it. ``Connection`` inspects every
statement, so no change escapes the journal.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from farm.appkit.handler_api import Database, Row
from farm.appkit.table_info import TableShape

DDL = """
CREATE TABLE _journal (
    id INTEGER PRIMARY KEY,
    call INTEGER,
    writes INTEGER,
    now_ms INTEGER,
    "table" TEXT,
    key ANY,
    old TEXT,
    "by" TEXT
) STRICT;
"""
WORLD = "world"
_TEXTS_MOST = 4096  # cached statements; bounded, as a handler may write values into its SQL
_WORD = re.compile(r"\w+")
_READS = frozenset({"select", "values", "pragma", "begin", "commit", "rollback"})
_QUERIES = frozenset({"select", "values", "with"})
_REPLACES = re.compile(r"\breplace\s+into\b|\bor\s+replace\b")

Trigger = tuple[str, str]  # an operation, and a table
_NONE: frozenset[Trigger] = frozenset()
_execute = sqlite3.Connection.execute
_execute_here = sqlite3.Cursor.execute


def begin_turn(db: sqlite3.Connection, by: str, now_ms: int) -> None:
    """Begin the turn of an author other than the agent, in an open transaction.

    Args:
        db: the context.
        by: the author of the changes up to the next turn, such as ``WORLD``.
        now_ms: the simulated time.
    """
    db.execute('INSERT INTO _journal (now_ms, "by") VALUES (?, ?)', (now_ms, by))


def undo_after(
    db: sqlite3.Connection,
    shapes: Mapping[str, TableShape],
    calls: int,
    is_undone: Callable[[str, str], bool] = lambda by, act: False,
) -> list[tuple[int, str]]:
    """Undo what calls after a number changed, the last change first, and forget it; on a connection without triggers.

    Rows that were due meanwhile stay: only a call's own changes, and those of people who answer, are undone. Foreign
    keys must be off, as a row may return before the row that it belongs to.

    Args:
        db: the context's file.
        shapes: its tables.
        calls: the number of the last call that stays.
        is_undone: returns of the turn of a person, by its author and act, whether its cause is undone.

    Returns:
        The time and act of each turn that is undone although its cause stays: it is going to happen again.
    """
    ((first,),) = db.execute("SELECT min(id) FROM _journal WHERE call > ?", (calls,)).fetchall()
    undone: list[tuple[int, str | None, Any, str | None]] = []
    again: list[tuple[int, str]] = []
    undoes = False
    for entry, by, table, key, old, now_ms in db.execute(
        'SELECT id, "by", "table", key, old, now_ms FROM _journal ORDER BY id'
    ).fetchall():
        is_late = first is not None and entry >= first
        if table is None:
            is_caused = by is not None and by != WORLD and is_undone(by, old or "")
            undoes = is_caused or (is_late and by != WORLD)
            if undoes and not is_caused and by is not None and old:
                again.append((now_ms, old))
        if undoes:
            undone.append((entry, table, key, old))
    for _, table, key, old in reversed(undone):
        if table is not None:
            _undo(db, shapes[table], _key_values(shapes[table], key), old)
    db.executemany("DELETE FROM _journal WHERE id = ?", [(entry,) for entry, *_ in undone])
    return again


def _undo(db: sqlite3.Connection, shape: TableShape, key: list[Any], old: str | None) -> None:
    """Return one row to what it was: gone if it was new."""
    db.execute(f'DELETE FROM "{shape.name}" WHERE {shape.by_key}', key)
    if old is not None:
        names, marks = ", ".join(f'"{name}"' for name in shape.columns), ", ".join("?" * len(shape.columns))
        db.execute(f'INSERT INTO "{shape.name}" ({names}) VALUES ({marks})', json.loads(old))


def find_row(db: Database, shape: TableShape, key: Any) -> Row | None:
    """Return the present row of a key as the journal has it, or None."""
    return db.one(f'SELECT * FROM "{shape.name}" WHERE {shape.by_key}', *_key_values(shape, key))


def _key_values(shape: TableShape, key: Any) -> list[Any]:
    return [key] if len(shape.key) == 1 else json.loads(key)


def array(alias: str, columns: Iterable[str]) -> str:
    """Return the SQL of a JSON array of some columns."""
    return "json_array(" + ", ".join(f'{alias}."{name}"' for name in columns) + ")"


def key_of(alias: str, shape: TableShape) -> str:
    """Return the SQL of a row's key in the journal's form: the value itself, or several as a JSON array."""
    return f'{alias}."{shape.key[0]}"' if len(shape.key) == 1 else array(alias, shape.key)


def _trigger(happens: str, shape: TableShape) -> str:
    """Return the statement for one trigger. It rejects a change of a primary key, which would break the journal."""
    name, alias = shape.name, "new" if happens == "insert" else "old"
    old = "NULL" if happens == "insert" else array("old", shape.columns)
    body = f"INSERT INTO _journal (\"table\", key, old) VALUES ('{name}', {key_of(alias, shape)}, {old});"
    if happens == "update":
        moved = " OR ".join(f'old."{key}" IS NOT new."{key}"' for key in shape.key)
        body += f" SELECT RAISE(ABORT, 'a primary key never changes') WHERE {moved};"
    return (
        f'CREATE TEMP TRIGGER IF NOT EXISTS "_{happens}_{name}" AFTER {happens.upper()} ON main."{name}" '
        f"BEGIN {body} END"
    )


class Plan:
    """The triggers that statements need; shared by all connections of an app.

    Attributes:
        triggers: every trigger and the statement that creates it.
        reads: statements known to write nothing.
    """

    def __init__(self, shapes: Mapping[str, TableShape], follows: Mapping[str, Iterable[str]]) -> None:
        """Plan for these tables; ``follows`` has table → tables whose rows change if its rows are deleted."""
        self.triggers = {
            (happens, name): _trigger(happens, shape)
            for name, shape in shapes.items()
            for happens in ("insert", "update", "delete")
        }
        self._tables = {name.lower(): name for name in shapes}
        self._follows = {name: tuple(follows.get(name, ())) for name in shapes}
        self._needed: dict[str, frozenset[Trigger]] = {}
        self.reads: set[str] = set()

    def needed(self, sql: str) -> frozenset[Trigger]:
        """Return the triggers that a statement may need: never too few, sometimes too many."""
        found = self._needed.get(sql)
        if found is None:
            if len(self._needed) >= _TEXTS_MOST:
                self._needed.clear()
                self.reads.clear()
            words = _WORD.findall(sql.lower())
            found = self._needed[sql] = self._look_up(sql.lower(), words)
            if not found and words and words[0] in _QUERIES:
                self.reads.add(sql)
        return found

    def _look_up(self, sql: str, words: list[str]) -> frozenset[Trigger]:
        if not words or words[0] in _READS:
            return _NONE
        happens = {each for each in ("insert", "update", "delete") if each in words}
        if _REPLACES.search(sql):
            happens = {"insert", "update", "delete"}
        named = {self._tables[word] for word in words if word in self._tables}
        found = {(each, table) for each in happens for table in named}
        if "delete" in happens:
            found.update((each, table) for table in self._reached(named) for each in ("update", "delete"))
        return frozenset(found)

    def _reached(self, tables: set[str]) -> set[str]:
        """Return the tables whose rows may change if rows of these are deleted."""
        reached: set[str] = set()
        ahead = list(tables)
        while ahead:
            for table in self._follows[ahead.pop()]:
                if table not in reached:
                    reached.add(table)
                    ahead.append(table)
        return reached


class _Schema(Protocol):
    @property
    def shapes(self) -> Mapping[str, TableShape]: ...

    @property
    def follows(self) -> Mapping[str, list[str]]: ...


_plans: WeakKeyDictionary[_Schema, Plan] = WeakKeyDictionary()


def journal_plan(schema: _Schema) -> Plan:
    """Return the plan for a schema's tables, shared by all connections of an app."""
    plan = _plans.get(schema)
    if plan is None:
        plan = _plans[schema] = Plan(schema.shapes, schema.follows)
    return plan


class Cursor(sqlite3.Cursor):
    """A cursor of a journaling connection."""

    def execute(self, sql: str, parameters: Any = (), /) -> Cursor:
        """Execute one statement."""
        if sql[:6] != "SELECT" and sql not in self.connection.reads:  # type: ignore[attr-defined]
            self.connection.prepare_for(sql)  # type: ignore[attr-defined]
        _execute_here(self, sql, parameters)
        return self


class Connection(sqlite3.Connection):
    """A connection that journals every change.

    Attributes:
        plan: the triggers that statements need.
        reads: the plan's statements that write nothing.
    """

    plan: Plan
    reads: set[str]
    _made: set[Trigger]
    _unsure: set[Trigger]  # triggers created in the open transaction, which a rollback would remove

    def use(self, plan: Plan) -> None:
        """Use this plan."""
        self.plan, self.reads, self._made, self._unsure = plan, plan.reads, set(), set()

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute one statement after creating its triggers."""
        if sql[:6] == "SELECT" or sql in self.reads:
            return _execute(self, sql, parameters)
        self.prepare_for(sql)
        done = _execute(self, sql, parameters)
        if self._unsure and not self.in_transaction:
            if sql == "COMMIT":
                self._made |= self._unsure
            self._unsure.clear()
        return done

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Execute one statement many times."""
        self.prepare_for(sql)
        return super().executemany(sql, parameters)

    def executescript(self, sql_script: str, /) -> sqlite3.Cursor:
        """Execute several statements."""
        self._make(frozenset(self.plan.triggers))
        return super().executescript(sql_script)

    def cursor(self, factory: Any = Cursor) -> Any:
        """Return a cursor; ``execute`` bypasses this method to save time."""
        return super().cursor(factory)

    def prepare_for(self, sql: str) -> None:
        """Create the triggers that a statement needs."""
        if self._unsure and (sql[:8] == "ROLLBACK" or not self.in_transaction):
            self._unsure.clear()
        needed = self.plan.needed(sql)
        if not needed <= self._made:
            self._make(needed)

    def _make(self, needed: frozenset[Trigger]) -> None:
        keep = self._unsure if self.in_transaction else self._made
        for each in sorted(needed - self._made - self._unsure):
            _execute(self, self.plan.triggers[each])
            keep.add(each)
