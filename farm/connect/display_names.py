"""Display names of an episode's rows: the names behind the ids in calls and changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from farm import content
from farm.appkit.handler_api import Row
from farm.appkit.schema import Schema
from farm.appkit.view_model import plural, singular, table_models
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
# Members of rich texts that people do not see, as in ``web/data.js``.
_SILENT = frozenset(
    "tag type href annotations color link id user_id style image_key open_id language".split()  # noqa: SIM905 (a list to read)
)
# Kinds of views whose rows are no names for ids.
_NAMELESS = ("hidden", "cells", "read_mark", "series")
_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ID = re.compile(r"(?:^|_)(?:u?id|guid|token)$")
_SIGNED = re.compile(r"-(?:100)?([0-9]{1,18})")  # chats are told from people by a sign, large ones by -100
_DIGITS_MAX = 20
_WORD = re.compile(r"[A-Za-z]{2,20}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")

# Table and offset → a page of rows, as the control API answers.
Fetch = Callable[[str, int], Mapping[str, Any]]


def find_own_person(people: Sequence[Mapping[str, Any]], me: str | None) -> Mapping[str, Any] | None:
    """Return the person whose accounts the agent uses: without a name the world's protagonist; None if unknown.

    Args:
        people: the people of an episode's world, as the control API lists them.
        me: the person's key, as the episode has it.
    """
    return next((each for each in people if (each["person"] == me if me else each["is_protagonist"])), None)


@dataclass(frozen=True)
class Place:
    """The row to which a row belongs: a channel, a calendar, a note.

    Attributes:
        is_person: it has no name of its own and is called after a person: a direct message.
    """

    table: str
    name: str
    is_person: bool = False


@dataclass(frozen=True)
class Column:
    """The schema's facts about one column."""

    time: str | None
    target: tuple[str, str] | None
    is_parent: bool


class DisplayNames:
    """Names of one app's rows; tables are read once, at first use."""

    def __init__(self, app: str, world: str | None, fetch: Fetch, me: Any = None) -> None:
        """Name the rows of an app.

        Args:
            app: the app.
            world: the world, whose time zone times are shown in.
            fetch: reads a page of a table.
            me: the agent's own account; a conversation of two is called after the other one.
        """
        self.app, self._fetch, self._me = app, fetch, me
        self._rows: dict[tuple[str, str], dict[Any, Row]] = {}
        try:
            loaded = content.load_app(app)
        except NotFoundError:  # an app of a remote farm that is not installed here
            self.columns: dict[str, dict[str, Column]] = {}
            self.writes: dict[str, tuple[str, ...]] = {}
            self.internal: frozenset[str] = frozenset()
            self._views: dict[str, Any] = {}
        else:
            self._views = table_models(loaded.schema)
            self.columns = _columns(loaded.schema)
            # An older profile may have other tool names; the common names write the same tables.
            known = reversed([*loaded.profiles.values()])
            self.writes = {tool.name: loaded.tables_of(tool) for each in known for tool in each.app.tools}
            self.internal = frozenset(loaded.schema.internal)
        self.zone = _zone(world)

    def one(self, table: str) -> str:
        """Return what a row of a table is called."""
        return str(self._views[table]["one"]) if table in self._views else singular(table)

    def many(self, table: str) -> str:
        """Return what rows of a table are called."""
        return str(self._views[table]["many"]) if table in self._views else plural(singular(table))

    def place_of(self, table: str, row: Row) -> Place | None:
        """Return the row to which a row belongs, or None; accounts do not count."""
        above = self._views.get(table, {}).get("parent")
        if above and row.get(above) is not None and (found := self.find(row[above])):
            return Place(*found)
        links = [
            (not column.is_parent, name, column.target)
            for name, column in self.columns.get(table, {}).items()
            if column.target and row.get(name) is not None and not self._is_no_place(column.target[0], table)
        ]
        for _, name, target in sorted(links, key=lambda link: link[0]):
            if called := self.name_of(*target, row[name]):
                return Place(target[0], called, not self._own_name(target[0], self._table(*target).get(row[name], {})))
        return None

    def _is_no_place(self, target: str, table: str) -> bool:
        return target == table or self._is_people(target)

    def _is_people(self, table: str) -> bool:
        return table == "users" or self._views.get(table, {}).get("kind") == "people"

    def kind(self, table: str) -> str:
        """Return the kind of a table's view, or an empty text."""
        return str(self._views.get(table, {}).get("kind", ""))

    def is_owned_by(self, table: str, owner: str) -> bool:
        """Return whether a table's rows are shown only beside the row of another table."""
        targets = [column.target for column in self.columns.get(table, {}).values() if column.is_parent]
        return self.kind(table) == "part" and any(target and target[0] == owner for target in targets)

    def is_held(self, table: str, row: Row, *, by_agent: bool) -> bool:
        """Return whether a row is in what one person holds, such as a mailbox: the agent's person, or somebody else."""
        holders = [
            row.get(name)
            for name, column in self.columns.get(table, {}).items()
            if column.is_parent and column.target and self._is_people(column.target[0])
        ]
        return bool(holders) and self._is_own(holders[0]) == by_agent

    def is_gone(self, table: str, row: Row) -> bool:
        """Return whether a row is kept but counts as deleted."""
        columns = self._views.get(table, {}).get("columns", {})
        return any(
            "deleted_value" in column and row.get(name) == column["deleted_value"] for name, column in columns.items()
        )

    def told(self, table: str, row: Row) -> str | None:
        """Return the words that a row is known by: a message's text, a mail's subject, an event's title."""
        view = self._views.get(table, {})
        parts = ("body", "title") if view.get("kind") in ("chat", "comments") else ("title", "body")
        named = [view[part] for part in parts if part in view and self.columns[table][view[part]].target is None]
        texts = (readable(row[column]) for column in named if isinstance(row.get(column), str))
        return next((short(text) for text in texts if text), None) or telling(row)

    def receivers(self, table: str, row: Row) -> str | None:
        """Return to whom a mail goes, as it is written in it, or None."""
        view = self._views.get(table, {})
        if view.get("kind") != "mail":
            return None
        named = [name for name, column in view["columns"].items() if column.get("role") == "person"]
        return next((short(str(row[name])) for name in named if row.get(name)), None)

    def starts(self, table: str, row: Row) -> str | None:
        """Return when an event begins or something is due, or None for what is neither."""
        view = self._views.get(table, {})
        column = view.get("when", "")
        is_due = "due" in column
        if (view.get("kind") != "calendar" and not is_due) or not row.get(column):
            return None
        return f"{'due ' if is_due else ''}{self.value(table, column, row[column])}"

    def person_of(self, table: str, row: Row) -> str | None:
        """Return the name of the account that a row is about, or None; its author and the agent do not count."""
        for name, column in self.columns.get(table, {}).items():
            is_owner = column.is_parent and self.kind(table) != "part"
            if is_owner or _AUTHOR.search(name) or row.get(name) is None or self._is_own(row[name]):
                continue
            if column.target and self._is_people(column.target[0]):
                found = self.name_of(*column.target, row[name])
                if found:
                    return found
        return None

    def other_of(self, table: str, row: Row) -> str | None:
        """Return the name behind the part of a row's key that is neither its place nor a person's, or None."""
        found = next(self._behind_key(table, row), None)
        return found[1] if found else None

    def other_person(self, table: str, row: Row) -> str | None:
        """Return the name of the account in a row's key where only the key tells it; the agent's does not count."""
        return next((name for target, name in self._behind_key(table, row) if self._is_people(target)), None)

    def _behind_key(self, table: str, row: Row) -> Iterator[tuple[str, str]]:
        """Yield table and name of what the columns of a row's key stand for; a word stands for itself."""
        view = self._views.get(table, {})
        for name in view.get("key", ()):
            value = row.get(name)
            if name == view.get("within") or value is None or self._is_own(value):
                continue
            if found := self.find(value):
                yield found
            elif isinstance(value, str) and _WORD.fullmatch(value):
                yield "", value

    def _is_own(self, account: Any) -> bool:
        return self._me is not None and str(account) == str(self._me)

    def name_of(self, table: str, key: str, value: Any) -> str | None:
        """Return the name of the row whose ``key`` has this value, or None."""
        row = self._table(table, key).get(value)
        if row is None:
            return None
        # A direct message has no name; it is called after its other member.
        return self._own_name(table, row) or self.person_of(table, row)

    def _own_name(self, table: str, row: Row) -> str | None:
        view = self._views.get(table, {})
        titles = [name for name, column in view.get("columns", {}).items() if column.get("role") == "title"]
        named = (*_NAMES, *([view["title"]] if "title" in view else []), *titles)
        texts = (short(readable(row[name])) for name in named if isinstance(row.get(name), str))
        return next((text for text in texts if text), None)

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

    def find(self, value: Any) -> tuple[str, str] | None:
        """Return table and name of any row that has this id as its key; tables are read for it."""
        for table, view in self._views.items():
            if len(view["key"]) == 1 and view["kind"] not in _NAMELESS:
                for each in _forms(value):
                    if found := self.name_of(table, view["key"][0], each):
                        return table, found
        return None

    def argument(self, name: str, value: Any) -> tuple[str, str] | None:
        """Return table and name of the row that an argument names by its id, or None."""
        column = _SNAKE.sub("_", name).lower().removesuffix("s")
        if not _ID.search(column):
            return None
        for table, key in self._keys_called(column):
            for each in _forms(value):
                if found := self.name_of(table, key, each):
                    return table, found
        return self.named(value) or self.find(value)

    def _keys_called(self, column: str) -> Iterator[tuple[str, str]]:
        """Yield table and key that columns of this name refer to, or are."""
        for table, columns in self.columns.items():
            if column in columns and (target := columns[column].target):
                yield target
            elif self._views[table]["key"] == [column]:
                yield table, column

    def value(self, table: str, column: str, value: Any) -> str:
        """Return a value in readable form; times in the world's zone."""
        form = self.columns.get(table, {}).get(column, Column(None, None, False))
        if value in (None, ""):
            return "nothing"
        if form.target:
            return self.name_of(*form.target, value) or short(str(value))
        at = _moment(form.time, value, self.zone) if form.time else None
        return f"{at.day} {at:%b %H:%M}" if at else short(readable(value))


def _forms(value: Any) -> tuple[Any, ...]:
    """Return a value and what it may be in a table: an id is sent as a number or digits, some with a sign."""
    text = str(value)
    signed = _SIGNED.fullmatch(text)
    if signed:
        return value, int(text), int(signed[1]), int(text.removeprefix("-"))
    if isinstance(value, str):
        return (value, int(value)) if value.isdecimal() and len(value) < _DIGITS_MAX else (value,)
    return value, text


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
        case {"plain_text": str(text)}:
            return [text] if text else []
        case dict():
            return [text for name, each in value.items() if name not in _SILENT for text in _texts(each)]
        case list():
            return [text for each in value for text in _texts(each)]
        case None | "" | bool():
            return []
        case _:
            return [str(value)]


def short(text: str, limit: int = _TEXT_MAX) -> str:
    """Return a text truncated to one line, without control characters that could move a terminal's cursor."""
    line = " ".join(_CONTROL.sub(" ", text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
