"""The change journal: which rows each call changed, kept by triggers in the context's own file.

A writing call opens with a row that holds its number; the rows after it, up to the next such row, are what it changed:
table, key, and the row as it was. What a row became is what the next entry of its key says it was, or the row as it
stands, so it is not stored.

The triggers are temporary. SQLite parses every trigger in a file whenever the file is opened, which would cost more
than all the rest; so a connection makes a trigger when a statement first comes that needs it. ``Connection`` looks at
every statement for that, so no change escapes the journal.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from farm.context.table_info import TableShape

DDL = """
CREATE TABLE _journal (
    id INTEGER PRIMARY KEY,
    call INTEGER,
    writes INTEGER,
    now_ms INTEGER,
    "table" TEXT,
    key ANY,
    old TEXT
) STRICT;
"""
_TEXTS_MOST = 4096  # statements remembered: there is no end of them where a handler writes values into its SQL
_WORD = re.compile(r"\w+")
_READS = frozenset({"select", "values", "pragma", "begin", "commit", "rollback"})
_QUERIES = frozenset({"select", "values", "with"})
_REPLACES = re.compile(r"\breplace\s+into\b|\bor\s+replace\b")

Trigger = tuple[str, str]  # what happens to rows, and of which table
_NONE: frozenset[Trigger] = frozenset()
_execute = sqlite3.Connection.execute
_execute_here = sqlite3.Cursor.execute


def array(alias: str, columns: Iterable[str]) -> str:
    """Return the SQL of a JSON array of some columns."""
    return "json_array(" + ", ".join(f'{alias}."{name}"' for name in columns) + ")"


def key_of(alias: str, shape: TableShape) -> str:
    """Return the SQL of a row's key as the journal has it: the value itself, or several as a JSON array."""
    return f'{alias}."{shape.key[0]}"' if len(shape.key) == 1 else array(alias, shape.key)


def _trigger(happens: str, shape: TableShape) -> str:
    """Return the statement for one trigger. A changed primary key would break the fold by key, so it is refused."""
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
    """Which triggers a statement needs; one for all connections of an app.

    Attributes:
        triggers: every trigger and the statement that makes it.
        reads: statements that were found to write nothing.
    """

    def __init__(self, shapes: Mapping[str, TableShape], follows: Mapping[str, Iterable[str]]) -> None:
        """Plan for these tables; ``follows`` names those whose rows change when rows of a table are deleted."""
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
        """Return the triggers a statement may need: never too few, at times one too many."""
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
        """Return the tables whose rows may change when rows of these are deleted."""
        reached: set[str] = set()
        ahead = list(tables)
        while ahead:
            for table in self._follows[ahead.pop()]:
                if table not in reached:
                    reached.add(table)
                    ahead.append(table)
        return reached


class Cursor(sqlite3.Cursor):
    """A cursor of such a connection."""

    def execute(self, sql: str, parameters: Any = (), /) -> Cursor:
        """Execute one statement."""
        if sql[:6] != "SELECT" and sql not in self.connection.reads:  # type: ignore[attr-defined]
            self.connection.prepare_for(sql)  # type: ignore[attr-defined]
        _execute_here(self, sql, parameters)
        return self


class Connection(sqlite3.Connection):
    """A connection whose every change is journaled.

    Attributes:
        plan: which statements need which triggers.
        reads: the plan's statements that write nothing.
    """

    plan: Plan
    reads: set[str]
    _made: set[Trigger]
    _unsure: set[Trigger]  # made in a transaction that may still be rolled back, and they with it

    def use(self, plan: Plan) -> None:
        """Journal by this plan."""
        self.plan, self.reads, self._made, self._unsure = plan, plan.reads, set(), set()

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute one statement, its triggers made first."""
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
        """Return a cursor; ``execute`` makes its own, which costs no detour through here."""
        return super().cursor(factory)

    def prepare_for(self, sql: str) -> None:
        """Make the triggers a statement needs."""
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
