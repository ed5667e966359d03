"""The start of a world as plain rows, for grading: people's accounts, and the rows that a task refers to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import orjson

from farm import content
from farm._util.json_io import loads
from farm.appkit.formats.html import html_to_text
from farm.appkit.handler_api import Row
from farm.appkit.schema import OPEN, UNJUDGED, TimeForm, default
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.evidence import RowChange
from farm.benchmark.scoring.value_check import check
from farm.context.diff import changed_columns
from farm.context.operators import at_path, seen
from farm.context.settings import Settings
from farm.context.template import World, load_world, read_rows, shift_rows
from farm.errors import FarmError, NotFoundError


class Start:
    """Every app's first rows in one world, moved by ``shift_days``."""

    def __init__(self, world: World, shift_days: int = 0) -> None:
        self.world = world
        self.clock_context = ClockContext(world, shift_days)
        self._tables: dict[str, dict[str, list[Row]]] = {}
        self._account_ids: dict[str, dict[str, str]] = {}
        self._found: dict[bytes, list[Row]] = {}
        self._added: Mapping[str, Sequence[Mapping[str, Any]]] = {}

    def with_rows(self, added: Mapping[str, Sequence[Mapping[str, Any]]]) -> Start:
        """Return the start with additional rows by app, which are not shifted."""
        other = Start(self.world, self.clock_context.shift_days)
        other._added = added
        return other

    def rows(self, app: str, table: str) -> list[Row]:
        """Return the rows of a table, defaults filled in."""
        if app not in self._tables:
            self._tables[app] = self._load(app)
        return self._tables[app].get(table, [])

    def _load(self, app: str) -> dict[str, list[Row]]:
        schema = schema_of(app)
        defaults = {each.name: {column.name: default(column) for column in each.columns} for each in schema.tables}
        tables: dict[str, list[Row]] = {}
        path = content.find_rows(self.world.name, app)
        rows = read_rows(path) if path else []
        moved = shift_rows(schema, rows, self.world, self.clock_context.shift_days)
        for row in chain(moved, map(dict, self._added.get(app, ()))):
            name = row.pop("table")
            tables.setdefault(name, []).append(defaults[name] | row)
        return tables

    def find(self, app: str, table: str, where: Mapping[str, Any]) -> list[Row]:
        """Return the rows that match ``where``, whose values are resolved already."""
        # Cached: a task's lookups are the same in every trial, and the audit grades thousands.
        asked = orjson.dumps([app, table, where], default=str)
        if asked not in self._found:
            self._found[asked] = [
                row for row in self.rows(app, table) if fits(row, where, app, table, self.clock_context)
            ]
        return list(self._found[asked])

    def account(self, app: str, person: str) -> str:
        """Return the id of a person's account.

        Raises:
            NotFoundError: the person has no account in this app.
        """
        accounts = self.accounts(app)
        if person not in accounts:
            raise NotFoundError(f"'{person}' has no account in '{app}' of world '{self.world.name}'")
        return accounts[person]

    def people(self, app: str) -> list[str]:
        """Return the people with an account in an app, in the world's order."""
        accounts = self.accounts(app)
        return [person for person in self.world.people if person in accounts]

    def accounts(self, app: str) -> Mapping[str, str]:
        """Return person → id of the account in an app."""
        if app not in self._account_ids:
            table, key = schema_of(app).account or ("", "")
            rows = self.rows(app, table)
            self._account_ids[app] = {row["person"]: str(row[key]) for row in rows if row["person"]}
        return self._account_ids[app]


@lru_cache(maxsize=8)
def load_start(world: str, shift_days: int = 0) -> Start:
    """Return the start of a world; cached."""
    return Start(load_world(world), shift_days)


def start_of(world: str, settings: Settings) -> Start:
    """Return the start of an episode: its world's, with the rows that its settings add."""
    start = load_start(world, settings.shift_days)
    return start.with_rows(settings.rows) if settings.rows else start


def form_of(app: str, table: str, key: str) -> TimeForm | None:
    """Return how a column stores a time; None for other columns and for values inside JSON."""
    return schema_of(app).times.get(table, {}).get(key)


def deleted_column(app: str, table: str, row: Row) -> str | None:
    """Return the column that marks a remaining row as deleted, or None if it is not deleted."""
    column, value = schema_of(app).deleted_value.get(table, ("", None))
    return column if column and row[column] == value else None


def held(app: str, table: str, row: Mapping[str, Any], key: str) -> Any:
    """Return the visible part of a column, or the value at a dotted path inside it."""
    value = at_path(row, key)
    keys = schema_of(app).visible_keys.get(table, {}).get(key)
    return seen(value, keys) if keys else value


def is_internal(app: str, table: str) -> bool:
    """Return whether a table is ``internal``, so that changes of its rows are ignored."""
    return table in schema_of(app).internal


def filled_columns(app: str, table: str, row: Row) -> list[str]:
    """Return the columns of a new row that hold something else than if its creator had said nothing about them.

    Of JSON objects, the entries, as ``column.entry``.
    """
    plain = {**row, **schema_of(app).usual.get(table, {})}
    worked_out = schema_of(app).open_keys.get(table, ())
    return [
        each
        for each in changed_columns(plain, row)
        if each not in worked_out
        and not (_is_blank(at_path(row, each)) and _is_blank(at_path(plain, each)))
        and not _repeats(app, table, row, each)
    ]


def _repeats(app: str, table: str, row: Row, column: str) -> bool:
    """Return whether a column with HTML only repeats the same row's plain text, as mail programs send it."""
    formats = schema_of(app).formats.get(table, {})
    if formats.get(column) != "html":
        return False
    words = "".join(html_to_text(row[column]).split())
    return any("".join(str(row[name]).split()) == words for name, form in formats.items() if form == "plain")


def judged_part(app: str, table: str, row: Row) -> Mapping[str, Any]:
    """Return the columns of a new row that count: neither ignored, nor cosmetic, nor worked out by the app."""
    ignored = ignored_columns(app, table) | _unjudged(app).get(table, frozenset())
    keys = schema_of(app).open_keys.get(table, ())
    inside = {name.partition(".")[0] for name in keys}
    return {
        name: _without(value, name, keys) if name in inside else value
        for name, value in row.items()
        if name not in ignored
    }


@lru_cache(maxsize=128)
def _unjudged(app: str) -> Mapping[str, frozenset[str]]:
    tables = schema_of(app).tables
    return {
        each.name: frozenset(c.name for c in each.columns if c.info["role"] in UNJUDGED or c.info.get("usual") is OPEN)
        for each in tables
    }


def _without(value: Any, name: str, keys: Sequence[str]) -> Any:
    parsed = loads(value) if isinstance(value, str) and value.startswith("{") else None
    if not isinstance(parsed, dict):
        return value
    return {key: each for key, each in parsed.items() if f"{name}.{key}" not in keys}


def _is_blank(value: Any) -> bool:
    # An unticked box of a Lark base is as good as one nobody touched.
    return value is None or value is False or value in ("", "[]", "{}", [], {})


def is_read_mark(app: str, table: str, change: RowChange) -> bool:
    """Return whether a created or deleted row only says that its owner has read something."""
    row, op = change["new"] or change["old"], change["op"]
    marks = schema_of(app).read_marks.get(table, {}).items()
    if op == "insert":
        return any(mark is True for _, mark in marks) and not filled_columns(app, table, row)
    return op == "delete" and any(mark is not True and row[column] == mark for column, mark in marks)


def chosen_columns(app: str, table: str, change: RowChange) -> list[str]:
    """Return the changed columns of an updated row without those that the app itself sets or that nobody sees."""
    ignored = ignored_columns(app, table)
    return [each for each in changed_columns(change["old"], change["new"]) if each.partition(".")[0] not in ignored]


@lru_cache(maxsize=512)
def ignored_columns(app: str, table: str) -> frozenset[str]:
    """Return the columns whose changes never count: the app itself sets them, or nobody sees them."""
    schema = schema_of(app)
    roles = schema.roles.get(table, {})
    return frozenset({*schema.server_managed.get(table, ()), *(name for name in roles if roles[name] == "internal")})


def fits(row: Row, where: Mapping[str, Any], app: str, table: str, clock_context: ClockContext) -> bool:
    """Return whether a row matches ``where``."""
    return all(
        finding.ok
        for key, wanted in where.items()
        for finding in check(wanted, held(app, table, row, key), clock_context, form_of(app, table, key))
    )


def one(rows: list[Row], what: str) -> Row:
    """Return the only row.

    Raises:
        FarmError: there is no row, or several.
    """
    if len(rows) != 1:
        raise FarmError(f"{what} means {len(rows) or 'no'} row{'s' * (len(rows) > 1)}; it must mean exactly one")
    return rows[0]
