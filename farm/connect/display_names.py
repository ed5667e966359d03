"""Display names of an episode's rows: the names behind the ids in calls and changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from farm import content
from farm.appkit.handler_api import Row
from farm.appkit.schema import Schema
from farm.context.template import load_world
from farm.errors import FarmError, NotFoundError

# Columns that contain a row's name, the best first.
_NAMES = ("real_name", "nickname", "name", "summary", "title", "subject", "field_name", "view_name", "text", "content")
# Columns that contain a row's subject, the best first.
_TELLING = ("text", "content", "summary", "title", "name", "field_name", "view_name", "body", "markdown", "fields")
# Accounts that created or own a row, not those that it is about.
_AUTHOR = re.compile(r"creator|owner|organizer|sender|_by$|inviter|operate")
_ROWS_MAX = 1000
_TEXT_MAX = 60
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")

# Table and offset → a page of rows, as the control API answers.
Fetch = Callable[[str, int], Mapping[str, Any]]


@dataclass(frozen=True)
class Column:
    """The schema's facts about one column."""

    time: str | None
    target: tuple[str, str] | None
    is_parent: bool


class DisplayNames:
    """Names of one app's rows; tables are read once, at first use."""

    def __init__(self, app: str, world: str | None, fetch: Fetch) -> None:
        self._fetch = fetch
        self._rows: dict[tuple[str, str], dict[Any, Row]] = {}
        try:
            loaded = content.load_app(app)
        except NotFoundError:  # an app of a remote farm that is not installed here
            self.columns: dict[str, dict[str, Column]] = {}
            self.writes: dict[str, tuple[str, ...]] = {}
            self.internal: frozenset[str] = frozenset()
        else:
            self.columns = _columns(loaded.schema)
            # An older profile may have other tool names; the common names write the same tables.
            known = reversed([*loaded.profiles.values()])
            self.writes = {tool.name: loaded.tables_of(tool) for each in known for tool in each.app.tools}
            self.internal = frozenset(loaded.schema.internal)
        self.zone = _zone(world)

    def place_of(self, table: str, row: Row) -> tuple[str, str] | None:
        """Return table and name of the row to which a row belongs, or None; accounts do not count."""
        links = [
            (not column.is_parent, name, column.target)
            for name, column in self.columns.get(table, {}).items()
            if column.target and row.get(name) is not None and column.target[0] not in ("users", table)
        ]
        for _, name, target in sorted(links, key=lambda link: link[0]):
            found = self.name_of(*target, row[name])
            if found:
                return target[0], found
        return None

    def person_of(self, table: str, row: Row) -> str | None:
        """Return the name of the account that a row is about, or None; its owner does not count."""
        for name, column in self.columns.get(table, {}).items():
            if column.is_parent or _AUTHOR.search(name):
                continue
            if column.target and column.target[0] == "users" and row.get(name) is not None:
                found = self.name_of(*column.target, row[name])
                if found:
                    return found
        return None

    def name_of(self, table: str, key: str, value: Any) -> str | None:
        """Return the name of the row whose ``key`` has this value, or None."""
        row = self._table(table, key).get(value)
        if row is None:
            return None
        for name in _NAMES:
            if row.get(name):
                return short(readable(row[name]))
        # A direct message has no name; it is called after its other member.
        return self.person_of(table, row)

    def _table(self, table: str, key: str) -> dict[Any, Row]:
        known = self._rows.get((table, key))
        if known is None:
            try:
                page = self._fetch(table, 0)
            except FarmError:
                return {}  # names are optional; the call is shown without them
            known = self._rows[table, key] = {row.get(key): row for row in page["rows"][:_ROWS_MAX]}
        return known

    def learn(self, table: str, row: Row) -> None:
        """Record a row that was added or changed."""
        for (known, key), rows in self._rows.items():
            if known == table and row.get(key) is not None:
                rows[row[key]] = row

    def forget(self) -> None:
        """Read every table again at next use: the episode was reset or restored."""
        self._rows.clear()

    def named(self, value: str) -> tuple[str, str] | None:
        """Return table and name of any row read so far that has this id."""
        for (table, key), rows in self._rows.items():
            if value in rows and (found := self.name_of(table, key, value)):
                return table, found
        return None

    def value(self, table: str, column: str, value: Any) -> str:
        """Return a value in readable form; times in the world's zone."""
        form = self.columns.get(table, {}).get(column, Column(None, None, False))
        if value in (None, ""):
            return "nothing"
        if form.target:
            return self.name_of(*form.target, value) or short(str(value))
        at = _moment(form.time, value, self.zone) if form.time else None
        return f"{at.day} {at:%b %H:%M}" if at else short(readable(value))


def _zone(world: str | None) -> ZoneInfo:
    try:
        return load_world(world).zone if world else ZoneInfo("UTC")
    except NotFoundError:
        return ZoneInfo("UTC")


def _columns(schema: Schema) -> dict[str, dict[str, Column]]:
    found: dict[str, dict[str, Column]] = {}
    for table in schema.tables:
        columns = found.setdefault(str(table.name), {})
        for column in table.columns:
            key = next(iter(column.foreign_keys), None)
            target = (str(key.column.table.name), str(key.column.name)) if key else None
            columns[str(column.name)] = Column(column.info.get("time"), target, bool(key and key.info.get("parent")))
    return found


def _moment(form: str, value: Any, zone: ZoneInfo) -> datetime | None:
    units = {"s": 1, "s_text": 1, "ts": 1, "ms": 1_000, "ms_text": 1_000, "us": 1_000_000}
    try:
        if form == "rfc3339":
            return datetime.fromisoformat(value).astimezone(zone)
        return datetime.fromtimestamp(float(value) / units[form], zone) if form in units else None
    except (ValueError, OverflowError, OSError, TypeError):
        return None


def telling(row: Row) -> str | None:
    """Return the text of a row's subject, or None."""
    for name in _TELLING:
        if isinstance(row.get(name), str) and row[name].strip():
            text = readable(row[name])
            if text:
                return short(text)
    return None


def readable(value: Any) -> str:
    """Return a value's text; for a text that holds JSON, the texts in it."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return ", ".join(_texts(orjson.loads(value)))
        except orjson.JSONDecodeError:
            return value
    return str(value)


def _texts(value: Any) -> list[str]:
    match value:
        case dict():
            return [text for each in value.values() for text in _texts(each)]
        case list():
            return [text for each in value for text in _texts(each)]
        case None | "":
            return []
        case _:
            return [str(value)]


def short(text: str, limit: int = _TEXT_MAX) -> str:
    """Return a text truncated to one line, without control characters that could move a terminal's cursor."""
    line = " ".join(_CONTROL.sub(" ", text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
