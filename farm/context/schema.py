"""Declares a context tree: one SQLAlchemy ``MetaData`` gives the DDL, the change journal and the plan of the generator.

A module ``contexts/<app>/schema.py`` holds ``METADATA = MetaData()`` and one ``Table`` per entity type, made with the
helpers here. Tables are STRICT, so a column is ``TEXT``, ``INTEGER`` or ``REAL``; JSON is kept as TEXT.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, get_args

from sqlalchemy import INTEGER, REAL, TEXT, Column, ForeignKey, MetaData, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlalchemy.types import TypeEngine

from farm.context import coming, journal, search
from farm.context.journal import Plan
from farm.context.search import SearchedTable
from farm.context.table_info import TableShape
from farm.errors import FarmError

Made = Literal["enumerate", "free-form", "random", "authentic"]
# How a time is stored: integer seconds, milliseconds or microseconds since 1970 UTC; the same as text; Slack's
# "seconds.micros" text; a calendar date; an RFC 3339 text.
TimeForm = Literal["s", "ms", "us", "s_text", "ms_text", "ts", "date", "rfc3339"]

__all__ = ["INTEGER", "REAL", "TEXT", "MetaData", "Schema", "column", "parent", "person", "reference", "table"]


def column(
    name: str,
    type_: type[TypeEngine[Any]] | ForeignKey = TEXT,
    *constraints: Any,
    made: Made = "free-form",
    time: TimeForm | None = None,
    searched: bool = False,
    json: bool = False,
    automatic: bool = False,
    gone: int | str | None = None,
    defining: bool = False,
    shown: Sequence[str] = (),
    nullable: bool = True,
    **options: Any,
) -> Column[Any]:
    """Return a column with how its content is made, and whether it is a time, is text that a tool searches, is JSON.

    Args:
        automatic: the app itself sets it when it makes or changes the row, and no argument of a tool can choose its
            value: when and by whom it was last changed, a version, a count, whether it was read; when a membership
            began, which may begin again under the same key. A change of it alone is nobody's doing.
        gone: the value with which a row stays and counts as deleted, as a recalled message does.
        defining: a new row that holds anything but the column's default is another sort of thing than one that holds
            it: a task that is done already, an event that recurs, a note that only its author sees.
        shown: the keys that lead to what people see of a JSON column; none: all is seen.

    Raises:
        FarmError: ``made`` or ``time`` is no form there is, or a column that never changes is said to move.
    """
    if made not in get_args(Made):
        raise FarmError(f"column '{name}': made='{made}' is none of {', '.join(get_args(Made))}")
    if time not in (None, *get_args(TimeForm)):
        # A time of an unknown form would not move with its world.
        raise FarmError(f"column '{name}': time='{time}' is none of {', '.join(get_args(TimeForm))}")
    if isinstance(type_, ForeignKey):
        constraints, type_ = (type_, *constraints), TEXT
    if automatic and options.get("primary_key"):
        raise FarmError(f"column '{name}': a key never changes, so it cannot be automatic")
    info: dict[str, Any] = {"made": made, "time": time, "searched": searched, "json": json}
    info |= {"automatic": automatic, "gone": gone, "defining": defining, "shown": shown}
    nullable = nullable and not options.get("primary_key", False)
    return Column(name, type_, *constraints, info=info, nullable=nullable, **options)


def default(column: Column[Any]) -> Any:
    """Return what a row holds in a column that nothing was said of."""
    text = getattr(column.server_default, "arg", None)
    return int(text) if text is not None and isinstance(column.type, INTEGER) else text


def parent(target: str) -> ForeignKey:
    """Return the foreign key to the row that owns this one; rows go when their owner goes."""
    return ForeignKey(target, ondelete="CASCADE", info={"parent": True})


def reference(target: str) -> ForeignKey:
    """Return a foreign key to a row that does not own this one. It is checked at once, never at COMMIT."""
    return ForeignKey(target)


def person() -> Column[Any]:
    """Return the column that says which person of the world an account belongs to; no tool ever shows it."""
    return Column("person", TEXT, unique=True, nullable=True, info={"made": "authentic", "person": True, "time": None})


def table(
    name: str,
    metadata: MetaData,
    *items: Any,
    look: str = "list",
    noticed: bool = False,
    bookkeeping: bool = False,
    **options: Any,
) -> Table:
    """Return a STRICT table.

    Args:
        look: how a person would see it: list, table, thread, calendar or feed.
        noticed: other people are told at once of what happens to its rows, as of messages, invitations and
            memberships. What was done there and undone was seen.
        bookkeeping: the server keeps it for itself, as a cache of answers: whatever happens to its rows is nobody's
            doing, and never damage.
    """
    info = {"look": look, "noticed": noticed, "bookkeeping": bookkeeping}
    return Table(name, metadata, *items, sqlite_strict=True, info=info, **options)


_BOOKKEEPING = """
CREATE TABLE _meta (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seed INTEGER,
    clock_ms INTEGER,
    live INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO _meta (id) VALUES (1);
"""


def _searched(column: Column[Any]) -> bool:
    return bool(column.info.get("searched"))


class Schema:
    """Everything the engine derives from one app's ``MetaData``."""

    def __init__(self, metadata: MetaData) -> None:
        self.metadata = metadata
        self.tables = metadata.sorted_tables
        for each in self.tables:
            if not each.primary_key.columns:
                raise ValueError(f"table {each.name} has no primary key; every row of a context needs one")
            if any(owned.onupdate for owned in each.foreign_key_constraints):
                raise ValueError(f"table {each.name} has an ON UPDATE; leave it out, keys never change")

    @cached_property
    def shapes(self) -> dict[str, TableShape]:
        """Table name → its columns and key, parents before children."""
        return {
            str(each.name): TableShape(
                # SQLAlchemy's names are a subclass of str, which the JSON encoder takes for no key.
                str(each.name),
                tuple(str(c.name) for c in each.columns),
                tuple(str(c.name) for c in each.primary_key.columns),
            )
            for each in self.tables
        }

    @cached_property
    def follows(self) -> dict[str, list[str]]:
        """Table name → tables whose rows may change when rows of that one are deleted."""
        found: dict[str, list[str]] = {}
        for each in self.tables:
            for owned in each.foreign_key_constraints:
                if owned.ondelete not in (None, "NO ACTION", "RESTRICT"):
                    found.setdefault(str(owned.referred_table.name), []).append(str(each.name))
        return found

    @cached_property
    def journal(self) -> Plan:
        """How changes of these tables are journaled."""
        return Plan(self.shapes, self.follows)

    @cached_property
    def times(self) -> dict[str, dict[str, TimeForm]]:
        """Table name → its time columns and how they are stored."""
        return {t.name: {c.name: c.info["time"] for c in t.columns if c.info.get("time")} for t in self.tables}

    @cached_property
    def automatic(self) -> dict[str, list[str]]:
        """Table name → its columns that the app moves by itself, for tables that have any."""
        found = {t.name: [str(c.name) for c in t.columns if c.info.get("automatic")] for t in self.tables}
        return {str(name): columns for name, columns in found.items() if columns}

    @cached_property
    def gone(self) -> dict[str, tuple[str, int | str]]:
        """Table name → the column and its value that say that a row counts as deleted, for tables that have one."""
        return {
            str(t.name): (str(c.name), c.info["gone"]) for t in self.tables for c in t.columns if c.info.get("gone")
        }

    @cached_property
    def shown(self) -> dict[str, dict[str, list[str]]]:
        """Table name → its JSON columns of which people see a part, and the keys that lead there."""
        found = {
            str(t.name): {str(c.name): list(c.info["shown"]) for c in t.columns if c.info.get("shown")}
            for t in self.tables
        }
        return {name: columns for name, columns in found.items() if columns}

    @cached_property
    def defining(self) -> dict[str, dict[str, Any]]:
        """Table name → its defining columns and what a new row holds there by default, for tables that have any."""
        found = {
            str(t.name): {str(c.name): default(c) for c in t.columns if c.info.get("defining")} for t in self.tables
        }
        return {name: columns for name, columns in found.items() if columns}

    @cached_property
    def noticed(self) -> list[str]:
        """The tables of whose changes other people are told."""
        return [str(each.name) for each in self.tables if each.info.get("noticed")]

    @cached_property
    def bookkeeping(self) -> list[str]:
        """The tables that the server keeps for itself."""
        return [str(each.name) for each in self.tables if each.info.get("bookkeeping")]

    @cached_property
    def account(self) -> tuple[str, str] | None:
        """Table and key column of the account holders (the table with the ``person()`` column), or None."""
        for each in self.tables:
            if any(c.info.get("person") for c in each.columns):
                return each.name, next(iter(each.primary_key.columns)).name
        return None

    @cached_property
    def searched(self) -> dict[str, SearchedTable]:
        """Table name → its searched columns, for tables that have any."""
        found = {}
        for name, shape in self.shapes.items():
            columns = self.metadata.tables[name].columns
            places = {
                c: (at, bool(columns[c].info.get("json")))
                for at, c in enumerate(shape.columns)
                if _searched(columns[c])
            }
            if places:
                if len(shape.key) > 1:
                    raise ValueError(f"table {name} has searched columns; it needs a primary key of one column")
                found[name] = SearchedTable(name, shape.key[0], places)
        return found

    def ddl(self) -> str:
        """Return the script that creates every table and index of the context, bookkeeping included."""
        return self._ddl

    @cached_property
    def _ddl(self) -> str:
        dialect = sqlite.dialect()
        parts = [_BOOKKEEPING, journal.DDL, coming.DDL, search.DDL if self.searched else ""]
        for each in self.tables:
            parts.append(f"{CreateTable(each).compile(dialect=dialect)};")
            parts += [
                f"{CreateIndex(i).compile(dialect=dialect)};" for i in sorted(each.indexes, key=lambda i: str(i.name))
            ]
        return "\n".join(parts)
