"""Helpers that declare a Context-Tree as one SQLAlchemy ``MetaData``, and the DDL and facts derived from it.

A module ``contexts/<app>/schema.py`` holds ``METADATA = MetaData()`` and one ``Table`` per entity type, made with the
helpers here. Tables are STRICT, so a column is ``TEXT``, ``INTEGER`` or ``REAL``; JSON is stored as TEXT.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, get_args

from sqlalchemy import INTEGER, REAL, TEXT, Column, ForeignKey, MetaData, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlalchemy.types import TypeEngine

from farm.appkit.column_vocabulary import FORMATS, ROLES, SEEN_BY, Format, Role, SeenBy
from farm.appkit.table_info import SearchedTable, TableShape
from farm.appkit.table_view import Kind, View, hidden
from farm.errors import FarmError

Generation = Literal["enumerate", "free-form", "random", "authentic"]
# How a time is stored: integer seconds, milliseconds or microseconds since 1970 UTC; the same as text; Slack's
# "seconds.micros" text; a calendar date; an RFC 3339 text.
TimeForm = Literal["s", "ms", "us", "s_text", "ms_text", "ts", "date", "rfc3339"]

DUE_FORMS: tuple[TimeForm, ...] = ("s", "ms", "ms_text")

# ``usual`` of a column: its default, or any value, because the app works it out.
DEFAULT: Any = object()
OPEN: Any = object()
# Roles of columns that a new row may fill as it likes: they change nothing that people understand by it.
UNJUDGED: frozenset[Role] = frozenset({"internal", "cosmetic"})

__all__ = [
    "INTEGER",
    "OPEN",
    "REAL",
    "TEXT",
    "MetaData",
    "Schema",
    "View",
    "column",
    "hidden",
    "parent",
    "person",
    "reference",
    "table",
]


def column(
    name: str,
    type_: type[TypeEngine[Any]] | ForeignKey = TEXT,
    *constraints: Any,
    role: Role | None = None,
    format: Format | None = None,
    seen_by: SeenBy | None = None,
    usual: Any = DEFAULT,
    open_keys: Sequence[str] = (),
    generation: Generation = "free-form",
    time: TimeForm | None = None,
    searched: bool = False,
    json: bool = False,
    server_managed: bool = False,
    read_mark: bool | str = False,
    deleted_value: int | str | None = None,
    visible_keys: Sequence[str] = (),
    many: bool = False,
    copies: bool = False,
    due: bool = False,
    admits: bool = False,
    nullable: bool = True,
    **options: Any,
) -> Column[Any]:
    """Return a column; its ``info`` records what it is, how its content is made, and how changes of it are scored.

    Args:
        role: what the column is, one of ``ROLES``. Derived if absent: a ``key`` of the table, a ``reference`` if it is
            a foreign key, a ``time`` if ``time`` is given, a ``status`` if ``deleted_value`` is.
        format: how a text that people read is stored, one of ``FORMATS``.
        seen_by: who of those who may see the row sees the column, one of ``SEEN_BY``; if absent, as the table says, and
            ``nobody`` for a column whose role is ``internal``.
        usual: the value in a new row if the tool's caller chose no other, where it is not the column's default;
            ``OPEN`` if the app works it out, such as the caller's own account or the address of a new file.
        open_keys: the keys of a JSON column whose values the app works out in the same way.
        server_managed: the app sets the value itself when it makes or changes the row, and no argument of a tool can
            choose it. Examples: time and author of the last change, a version, a count, whether it was read. So is
            the start of a membership, which may begin again under the same key. Scoring ignores a change of such
            columns alone.
        read_mark: the column is ``server_managed`` and says what its owner has read, and a new row that holds nothing
            else is never damage. A text: a row with this value in the column says so by being there.
        deleted_value: the value that marks a row as deleted while it stays in the table, like a recalled message.
        visible_keys: the keys of a JSON column that lead to what people see; empty if all of it is visible.
        many: so many rows may share a value that no statement may read them all, such as a message's channel. A key
            of a table with few rows counts as such a column without this option.
        copies: rows that one call makes with the same value here are one thing for several holders, such as a mail in
            the mailboxes of its receivers: whoever asked for one of them asked for all.
        due: the moment comes due: a clock that is moved stops at it on the way, and tells it.
        admits: only account holders with a row here can use the app, such as those whose server holds a token. The
            column refers to the table with the ``person()`` column.

    Raises:
        FarmError: ``role``, ``format``, ``seen_by``, ``generation`` or ``time`` is unknown, or a key column is declared
            ``server_managed``.
    """
    server_managed = server_managed or read_mark is True
    # A time in an unknown form would not be shifted with its world.
    words: dict[str, tuple[str | None, tuple[str | None, ...]]] = {
        "role": (role, (None, *ROLES)),
        "format": (format, (None, *FORMATS)),
    }
    words["seen_by"] = (seen_by, (None, *SEEN_BY))
    words |= {"generation": (generation, get_args(Generation)), "time": (time, (None, *get_args(TimeForm)))}
    for option, (word, known) in words.items():
        if word not in known:
            raise FarmError(f"column '{name}': {option}='{word}' is none of {', '.join(filter(None, known))}")
    if due and time not in DUE_FORMS:
        raise FarmError(f"column '{name}': what comes due is stored as one of {', '.join(DUE_FORMS)}, not {time}")
    if isinstance(type_, ForeignKey):
        constraints, type_ = (type_, *constraints), TEXT
    role = role or _derived_role(constraints, time, deleted_value, is_key=bool(options.get("primary_key")))
    if server_managed and options.get("primary_key"):
        raise FarmError(f"column '{name}': a key never changes, so it cannot be server_managed")
    if role == "internal":
        seen_by = "nobody"
    info: dict[str, Any] = {"role": role, "format": format, "seen_by": seen_by, "usual": usual, "open_keys": open_keys}
    info |= {"generation": generation, "time": time, "searched": searched, "json": json}
    info |= {
        "server_managed": server_managed,
        "read_mark": read_mark,
        "deleted_value": deleted_value,
        "visible_keys": visible_keys,
        "many": many,
        "copies": copies,
        "due": due,
        "admits": admits,
    }
    nullable = nullable and not options.get("primary_key", False)
    return Column(name, type_, *constraints, info=info, nullable=nullable, **options)


def _derived_role(
    constraints: Sequence[Any], time: TimeForm | None, deleted_value: int | str | None, *, is_key: bool
) -> Role | None:
    if is_key:
        return "key"
    if any(isinstance(each, ForeignKey) for each in constraints):
        return "reference"
    if time:
        return "time"
    return None if deleted_value is None else "status"


def default(column: Column[Any]) -> Any:
    """Return the value of a column in a row that was inserted without one."""
    text = getattr(column.server_default, "arg", None)
    number = int if isinstance(column.type, INTEGER) else float if isinstance(column.type, REAL) else None
    return text if text is None or number is None else number(text)


def parent(target: str) -> ForeignKey:
    """Return the foreign key to the row that owns this one; deleting the owner deletes its rows."""
    return ForeignKey(target, ondelete="CASCADE", info={"parent": True})


def reference(target: str) -> ForeignKey:
    """Return a foreign key to a row that does not own this one. It is checked immediately, never at COMMIT."""
    return ForeignKey(target)


def person() -> Column[Any]:
    """Return the column that holds the person of the world an account belongs to; no tool ever shows it."""
    info = {
        "role": "person",
        "format": None,
        "seen_by": "nobody",
        "generation": "authentic",
        "person": True,
        "time": None,
    }
    return Column("person", TEXT, unique=True, nullable=True, info=info)


def table(
    name: str,
    metadata: MetaData,
    *items: Any,
    view: View | Kind | None = None,
    notifies: bool = False,
    internal: bool = False,
    log: bool = False,
    few: bool = False,
    seen_by: SeenBy = "everyone",
    **options: Any,
) -> Table:
    """Return a STRICT table.

    Args:
        view: how a page shows it (``farm.appkit.table_view``); a word alone is a view of that kind.
        notifies: other people are notified at once of changes to its rows: messages, invitations, memberships. So a
            reverted change there was seen.
        internal: a table for the server's own use, such as a cache of answers. Scoring ignores changes to its rows.
        log: the app's own record of what was changed elsewhere, such as an admin log. People see it. Scoring ignores
            it and judges the changes themselves.
        few: it has few rows however large the account: settings, workspaces, accounts. Any other table grows, and a
            function that reads all of one gives the reason in its docstring: ``Reads all messages: …``.
        seen_by: who sees its columns, unless a column says otherwise.
    """
    for each in items:
        if isinstance(each, Column) and each.info.get("seen_by") is None:
            each.info["seen_by"] = "nobody" if internal else seen_by
    if view is None:
        view = hidden("the server's own") if internal else View("grid")
    view = View(view) if isinstance(view, str) else view
    info = {"view": view, "notifies": notifies, "internal": internal or log, "few": few}
    return Table(name, metadata, *items, sqlite_strict=True, info=info, **options)


def _is_closed(column: Column[Any]) -> bool:
    """Return whether a new row has a known value in a column unless its creator chose another."""
    info = column.info
    if info["role"] in UNJUDGED or info.get("server_managed") or info.get("person") or info["usual"] is OPEN:
        return False
    has_default = column.nullable or column.server_default is not None
    return info["usual"] is not DEFAULT or (has_default and not column.primary_key)


def _usual(column: Column[Any]) -> Any:
    return default(column) if column.info["usual"] is DEFAULT else column.info["usual"]


def _searched(column: Column[Any]) -> bool:
    return bool(column.info.get("searched"))


class Schema:
    """All that the engine derives from one app's ``MetaData``."""

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
                # SQLAlchemy's names are a subclass of str, which the JSON encoder rejects as a key.
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
    def copies(self) -> dict[str, tuple[str, dict[str, str]]]:
        """Table name → its column of ``copies``, and the tables of what belongs to a row → their column for it."""
        found: dict[str, tuple[str, dict[str, str]]] = {}
        for each in self.tables:
            for column in (c for c in each.columns if c.info.get("copies")):
                parts = {
                    str(other.name): str(key.parent.name)
                    for other in self.tables
                    for key in other.foreign_keys
                    if key.column.table is each
                }
                found[str(each.name)] = (str(column.name), parts)
        return found

    @cached_property
    def times(self) -> dict[str, dict[str, TimeForm]]:
        """Table name → its time columns and how they are stored."""
        return {t.name: {c.name: c.info["time"] for c in t.columns if c.info.get("time")} for t in self.tables}

    @cached_property
    def due(self) -> dict[str, list[str]]:
        """Table name → its columns whose moments come due, for tables that have any."""
        found = {str(t.name): [str(c.name) for c in t.columns if c.info.get("due")] for t in self.tables}
        return {name: columns for name, columns in found.items() if columns}

    @cached_property
    def server_managed(self) -> dict[str, list[str]]:
        """Table name → its columns that the app itself sets, for tables that have any."""
        found = {t.name: [str(c.name) for c in t.columns if c.info.get("server_managed")] for t in self.tables}
        return {str(name): columns for name, columns in found.items() if columns}

    @cached_property
    def read_marks(self) -> dict[str, dict[str, bool | str]]:
        """Table name → its columns that say what was read → ``read_mark``, for tables that have any."""
        found = {
            str(t.name): {str(c.name): c.info["read_mark"] for c in t.columns if c.info.get("read_mark")}
            for t in self.tables
        }
        return {name: columns for name, columns in found.items() if columns}

    @cached_property
    def deleted_value(self) -> dict[str, tuple[str, int | str]]:
        """Table name → the column, and its value, that mark a row as deleted, for tables that have one."""
        return {
            str(t.name): (str(c.name), c.info["deleted_value"])
            for t in self.tables
            for c in t.columns
            if c.info.get("deleted_value")
        }

    @cached_property
    def visible_keys(self) -> dict[str, dict[str, list[str]]]:
        """Table name → its JSON columns that are visible in part only → the keys of the visible parts."""
        found = {
            str(t.name): {str(c.name): list(c.info["visible_keys"]) for c in t.columns if c.info.get("visible_keys")}
            for t in self.tables
        }
        return {name: columns for name, columns in found.items() if columns}

    @cached_property
    def roles(self) -> dict[str, dict[str, Role]]:
        """Table name → its columns → their roles, for columns that have one."""
        return {
            str(t.name): {str(c.name): c.info["role"] for c in t.columns if c.info.get("role")} for t in self.tables
        }

    @cached_property
    def formats(self) -> dict[str, dict[str, Format]]:
        """Table name → its columns with a format → their formats, for tables that have any."""
        found = {
            str(t.name): {str(c.name): c.info["format"] for c in t.columns if c.info["format"]} for t in self.tables
        }
        return {name: columns for name, columns in found.items() if columns}

    @cached_property
    def usual(self) -> dict[str, dict[str, Any]]:
        """Table name → its columns that nobody fills by chance → their values in a new row if no caller chose another.

        Keys, columns without a default, and those that change no meaning or that the app works out, are not among them.
        """
        found = {str(t.name): {str(c.name): _usual(c) for c in t.columns if _is_closed(c)} for t in self.tables}
        return {name: columns for name, columns in found.items() if columns}

    @cached_property
    def open_keys(self) -> dict[str, list[str]]:
        """Table name → entries of its JSON columns that the app works out, as ``column.key``, for tables with any."""
        found = {
            str(t.name): [f"{c.name}.{key}" for c in t.columns for key in c.info.get("open_keys", ())]
            for t in self.tables
        }
        return {name: keys for name, keys in found.items() if keys}

    @cached_property
    def notifies(self) -> list[str]:
        """The tables whose changes notify other people."""
        return [str(each.name) for each in self.tables if each.info.get("notifies")]

    @cached_property
    def internal(self) -> list[str]:
        """The tables whose changes are not judged: for the server's own use, and logs of changes made elsewhere."""
        return [str(each.name) for each in self.tables if each.info.get("internal")]

    @cached_property
    def account(self) -> tuple[str, str] | None:
        """Table and key column of the account holders (the table with the ``person()`` column), or None."""
        for each in self.tables:
            if any(c.info.get("person") for c in each.columns):
                return each.name, next(iter(each.primary_key.columns)).name
        return None

    @cached_property
    def admission(self) -> tuple[str, str] | None:
        """Table and column of who can use the app, where not all account holders can (``admits``), or None."""
        for each in self.tables:
            for column in (c for c in each.columns if c.info.get("admits")):
                return str(each.name), str(column.name)
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
        """Return the script that creates the app's tables and indexes."""
        return self._ddl

    @cached_property
    def _ddl(self) -> str:
        dialect = sqlite.dialect()
        parts: list[str] = []
        for each in self.tables:
            parts.append(f"{CreateTable(each).compile(dialect=dialect)};")
            parts += [
                f"{CreateIndex(i).compile(dialect=dialect)};" for i in sorted(each.indexes, key=lambda i: str(i.name))
            ]
        return "\n".join(parts)
