"""From what a gold script changed to what a task checks: lookups, checkpoints and what may change besides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, Table

from farm import content
from farm.appkit.schema import OPEN, TimeForm
from farm.benchmark.scoring.initial_state import (
    Start,
    chosen_columns,
    filled_columns,
    form_of,
    ignored_columns,
    is_internal,
    is_read_mark,
)
from farm.context.operators import at_path
from farm.context.template import World
from farm.errors import FarmError

_OPS = {"insert": "create", "update": "update", "delete": "delete"}
# A longer text is no name of a row.
_NAME_MAX = 160
# What the creator of a row gives, if the column has no default; a time is the creator's unless it is that of the call.
_GIVEN = ("title", "body", "place", "time")
_CALLS_TAKE = timedelta(minutes=10)
_DONE_WITHIN = timedelta(hours=1)


class UnderivableError(FarmError):
    """A change cannot be described; the message says why."""


@dataclass
class Derived:
    """What a task checks.

    Attributes:
        lookups: name → a value from the start.
        checkpoints: one or more for each act.
        allow: what changed besides.
    """

    lookups: dict[str, dict[str, Any]] = field(default_factory=dict)
    checkpoints: list[dict[str, Any]] = field(default_factory=list)
    allow: list[dict[str, Any]] = field(default_factory=list)


class Deriver:
    """Describes changed rows by what people know of them, one act after another.

    Args:
        now: when the acts are done; the first moment of the world if absent.
    """

    def __init__(self, start: Start, me: str, now: datetime | None = None) -> None:
        self._start, self._me, self._now = start, me, now or start.world.starts_at
        self.found = Derived()
        self._made: dict[tuple[str, str], str] = {}  # (app, key of a row made by an act) → its checkpoint
        self._columns: dict[str, str] = {}

    def add(
        self, app: str, aim: str, diff: Mapping[str, Sequence[Mapping[str, Any]]], claims: Mapping[str, Any]
    ) -> None:
        """Describe what one act changed.

        Args:
            aim: the table that the act's tool is for; its rows become checkpoints, others may change.
            diff: table → its changed rows.
            claims: column of that table → the condition that a right value meets.

        Raises:
            UnderivableError: the act changed nothing, or a row that nothing singles out.
        """
        changes = [(table, each) for table, rows in diff.items() for each in rows if self._counts(app, table, each)]
        if not changes:
            raise UnderivableError("nothing changed")
        aims = {table for table, _ in changes}
        main = aim if aim in aims else sorted(aims)[0]
        for table, change in sorted(changes, key=lambda each: each[0] != main):
            if table == main:
                self._checkpoint(app, table, change, claims)
            else:
                self._allow(app, table, change)

    def _counts(self, app: str, table: str, change: Mapping[str, Any]) -> bool:
        if is_internal(app, table) or is_read_mark(app, table, change):
            return False
        return change["op"] != "update" or bool(chosen_columns(app, table, change))

    # -- one row ---------------------------------------------------------------------------------------------------

    def _checkpoint(self, app: str, table: str, change: Mapping[str, Any], claims: Mapping[str, Any]) -> None:
        change_name = _OPS[change["op"]]
        name = self._id(f"{table.replace('_', '-')}-{change_name}d")
        point: dict[str, Any] = {"id": name, "kind": "operate", "change": change_name, "app": app, "table": table}
        point["where"] = self._where(app, table, change)
        after = self._after(app, table, change, claims)
        free = [each for each in after if after[each] is None]
        point |= {"after": kept} if (kept := {c: each for c, each in after.items() if each is not None}) else {}
        point |= {"free": free} if free and change_name == "create" else {}
        self.found.checkpoints.append(point)
        for column in self._table(app, table).primary_key.columns:
            if change["op"] == "insert" and not column.foreign_keys:
                self._made[app, str(change["new"][column.name])] = name
                self._columns[name] = str(column.name)

    def _where(self, app: str, table: str, change: Mapping[str, Any]) -> dict[str, Any]:
        row, declared = change["old"] or change["new"], self._table(app, table)
        where: dict[str, Any] = {}
        if change["op"] != "insert":
            known = self.description(app, table, row)
            if known is not None:
                return known
        for column in declared.columns:
            value = row[column.name]
            if value in (None, "") or str(column.name) in ignored_columns(app, table):
                continue
            is_worked_out = change["op"] == "insert" and column.info.get("usual") is OPEN
            if is_worked_out and not (column.foreign_keys and self._person(app, column, value)):
                continue
            if column.foreign_keys:
                if (expression := self._reference(app, column, value)) is not None:
                    where[str(column.name)] = expression
            elif column.primary_key and (change["op"] != "insert" or column.info["generation"] != "random"):
                where[str(column.name)] = value
        return where

    def _after(self, app: str, table: str, change: Mapping[str, Any], claims: Mapping[str, Any]) -> dict[str, Any]:
        """Return column → what it must hold; None for a column of a new row that may hold anything."""
        if change["op"] == "delete":
            return {}
        names = self._chosen(app, table, change)
        after = {name: each for name, each in claims.items() if name.partition(".")[0] in change["new"]}
        for name in names:
            column = self._table(app, table).columns[name.partition(".")[0]]
            if name not in after and not column.foreign_keys and not any(each.startswith(f"{name}.") for each in after):
                after[name] = self._value(app, table, name, change["new"])
        return after

    def _chosen(self, app: str, table: str, change: Mapping[str, Any]) -> list[str]:
        if change["op"] == "update":
            return chosen_columns(app, table, change)
        return [*self._required(app, table, change["new"]), *filled_columns(app, table, change["new"])]

    def _required(self, app: str, table: str, row: Mapping[str, Any]) -> Iterator[str]:
        """Yield the titles, texts, places and moments of a new row that have no default: its creator gave them."""
        for column in self._table(app, table).columns:
            name = str(column.name)
            has_default = column.nullable or column.server_default is not None or name in _usual(app, table)
            if has_default or column.info["role"] not in _GIVEN or name in ignored_columns(app, table):
                continue
            form = form_of(app, table, name)
            if form is None or not self._is_of_the_call(row[name], form):
                yield name

    def _is_of_the_call(self, value: Any, form: TimeForm) -> bool:
        """Return whether a moment is that of the call, which no agent chooses."""
        return abs(moment_of(value, form, self._start.world) - self._now) < _CALLS_TAKE

    def _value(self, app: str, table: str, name: str, row: Mapping[str, Any]) -> Any:
        """Return the condition that the value of a column meets; None for one that no condition can name."""
        value = at_path(row, name)
        if (form := form_of(app, table, name)) and value is not None:
            return written_time(value, form, self._start.world, of_the_call=self._is_of_the_call(value, form))
        if isinstance(value, dict | list):
            return None
        return {"null": True} if value is None else {"exactly": value} if isinstance(value, str) else value

    def _allow(self, app: str, table: str, change: Mapping[str, Any]) -> None:
        entry: dict[str, Any] = {"app": app, "table": table, "changes": [_OPS[change["op"]]]}
        where = self._where(app, table, change)
        if where:
            entry["where"] = where
        if entry not in self.found.allow:
            self.found.allow.append(entry)

    # -- references ------------------------------------------------------------------------------------------------

    def _reference(self, app: str, column: Column[Any], value: Any) -> Any:
        """Return how a condition names the row that a foreign key leads to; None if it was made beside."""
        target = next(iter(column.foreign_keys)).column
        if (app, str(value)) in self._made:
            made = self._made[app, str(value)]
            return {"checkpoint": made, "column": self._columns[made]}
        table, key = target.table.name, str(target.name)
        row = next((each for each in self._start.rows(app, table) if str(each[key]) == str(value)), None)
        if row is None:
            return None
        if row.get("person"):
            return {"person": "me" if row["person"] == self._me else row["person"]}
        known = self.description(app, table, row)
        return value if known is None else self._lookup(app, table, key, known)

    def _lookup(self, app: str, table: str, key: str, where: Mapping[str, Any]) -> str:
        entry = {"app": app, "table": table, "where": dict(where), "column": key}
        for name, each in self.found.lookups.items():
            if each == entry:
                return f"{{{{{name}}}}}"
        name = f"{table}_{len(self.found.lookups) + 1}"
        self.found.lookups[name] = entry
        return f"{{{{{name}}}}}"

    def description(self, app: str, table: str, row: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return conditions, on what people know of a row, that only this one meets; None if there are none.

        Titles come first, then texts, then who it is about; two of them if one is not enough.
        """
        declared = self._table(app, table)
        rows = self._start.rows(app, table)
        named = [c for role in ("title", "body", "person") for c in declared.columns if c.info["role"] == role]
        named = [c for c in named if not c.foreign_keys and _is_name(c, row[c.name])]
        people = [c for c in declared.columns if c.foreign_keys and self._person(app, c, row[c.name])]
        for column in named:
            if sum(each[column.name] == row[column.name] for each in rows) == 1:
                return {str(column.name): {"exactly": row[column.name]}}
        if people and _alike(rows, row, people) == 1:
            return {str(c.name): self._account(app, c, row[c.name]) for c in people}
        for column in named:
            for other in people:
                if _alike(rows, row, [column, other]) == 1:
                    return {
                        str(column.name): {"exactly": row[column.name]},
                        str(other.name): self._account(app, other, row[other.name]),
                    }
        return None

    def _person(self, app: str, column: Column[Any], value: Any) -> str | None:
        table = next(iter(column.foreign_keys)).column.table
        if not any(c.info.get("person") for c in table.columns):
            return None
        key = str(next(iter(column.foreign_keys)).column.name)
        row = next((each for each in self._start.rows(app, table.name) if str(each[key]) == str(value)), None)
        return str(row["person"]) if row and row["person"] else None

    def _account(self, app: str, column: Column[Any], value: Any) -> dict[str, str]:
        person = self._person(app, column, value)
        return {"person": "me" if person == self._me else str(person)}

    def _table(self, app: str, table: str) -> Table:
        return content.load_app(app).schema.metadata.tables[table]

    def _id(self, wish: str) -> str:
        taken = {each["id"] for each in self.found.checkpoints}
        return next(name for name in _numbered(wish) if name not in taken)


def written_time(value: Any, form: TimeForm, world: World, *, of_the_call: bool = False) -> Any:
    """Return a stored time as tasks write it: relative to the world's first day.

    A time with seconds is the moment of the call, which no agent chooses: any time of that day is right.

    Args:
        of_the_call: it is near to now, such as when a task is completed: any time until an hour later is right.
    """
    at = moment_of(value, form, world)
    day = (at.date() - world.monday).days
    if form != "date" and of_the_call:
        until = at + _DONE_WITHIN
        return {"min": f"{{{{rfc3339:{day:+d} 00:00}}}}", "max": f"{{{{rfc3339:{day:+d} {until:%H:%M}}}}}"}
    if at.second or at.microsecond:
        return {"min": f"{{{{rfc3339:{day:+d} 00:00}}}}", "max": f"{{{{rfc3339:{day:+d} 23:59}}}}"}
    return f"{{{{date:{day:+d} iso}}}}" if form == "date" else f"{{{{rfc3339:{day:+d} {at:%H:%M}}}}}"


def moment_of(value: Any, form: TimeForm, world: World) -> datetime:
    """Return a stored time with the world's zone."""
    if form in ("date", "rfc3339"):
        at = datetime.fromisoformat(str(value))
        return at.astimezone(world.zone) if at.tzinfo else at.replace(tzinfo=world.zone)
    divisor = {"ms": 1e3, "ms_text": 1e3, "us": 1e6}.get(form, 1)
    return datetime.fromtimestamp(float(value) / divisor, world.zone)


def _usual(app: str, table: str) -> Mapping[str, Any]:
    return content.load_app(app).schema.usual.get(table, {})


def _numbered(wish: str) -> Iterator[str]:
    yield wish
    number = 2
    while True:
        yield f"{wish}-{number}"
        number += 1


def _is_name(column: Column[Any], value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _NAME_MAX and not column.info.get("json")


def _alike(rows: Sequence[Mapping[str, Any]], row: Mapping[str, Any], columns: Sequence[Column[Any]]) -> int:
    return sum(all(each[c.name] == row[c.name] for c in columns) for each in rows)
