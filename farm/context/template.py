"""Builds the start of a context: a world's rows of one app as the bytes of an SQLite file."""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import orjson

from farm import content
from farm._util.names import list_names
from farm.appkit.world_spec.facts import Ledger
from farm.appkit.world_spec.placeholders import render_dates
from farm.content import LoadedApp
from farm.context import scheduled_rows
from farm.context.ddl import context_ddl
from farm.context.files import with_checksum, without_checksum
from farm.context.row_problems import find_row_problem
from farm.context.search import SearchIndex
from farm.context.shared_start import HEADER_BYTES, is_unchanged, marked, read_header, shared_start
from farm.errors import FarmError, NotFoundError

if TYPE_CHECKING:
    # Importing the schema loads SQLAlchemy, which is slow; commands that need only a world's dates avoid it.
    from farm.appkit.schema import Schema, TimeForm
    from farm.context.shared_start import SharedStart

# Part of every cached start's name; increment it if the same rows would give other bytes.
FORMAT = 4
_S_PER_DAY = 86_400
_logger = logging.getLogger("farm.context")


@dataclass(frozen=True)
class World:
    """The parts of a world that all apps share. Its clock is read eagerly, its people lazily.

    Attributes:
        folders: the folders of its specification: the one with world.toml, then those that add to it.
    """

    name: str
    title: str
    starts_at: datetime
    zone: ZoneInfo
    protagonist: str
    folders: tuple[Path, ...]

    @cached_property
    def monday(self) -> date:
        """The first day of the week in which the clock starts."""
        start = self.starts_at.astimezone(self.zone).date()
        return start - timedelta(days=start.weekday())

    @property
    def apps(self) -> list[str]:
        """The apps this world has rows for, sorted."""
        return content.world_apps(self.name)

    @cached_property
    def people(self) -> Mapping[str, Mapping[str, Any]]:
        """Key → person: the company's own first, then outsiders. ``accounts`` has app → what that app knows of them."""
        found: dict[str, dict[str, Any]] = {each["key"]: {**each, "accounts": {}} for each in self._entries("people")}
        for path in self._parts("accounts.toml"):
            for each in self._toml(path)["accounts"]:
                if each.get("person") in found:
                    found[each["person"]]["accounts"][path.parent.name] = each
        return found

    def zone_of(self, person: str | None) -> ZoneInfo:
        """Return a person's time zone; the world's own for its protagonist, for None, and where none is written."""
        if person in (None, self.protagonist):
            return self.zone  # without reading the people
        known = self.people.get(str(person), {})
        return ZoneInfo(known["time_zone"]) if known.get("time_zone") else self.zone

    @cached_property
    def organisations(self) -> Mapping[str, Mapping[str, Any]]:
        """Key → organisation, outsiders' included."""
        return {each["key"]: each for each in self._entries("organisations")}

    @property
    def first_apps(self) -> list[str]:
        """The apps to begin with, as the world names them; those its person writes in most."""
        return [app for app in self._toml(self.folders[0] / "world.toml").get("first_apps", ()) if app in self.apps]

    @property
    def prompts(self) -> list[Mapping[str, Any]]:
        """Example prompts from every app's ``prompts.toml``: a ``text``, the ``apps`` and ``tools`` it needs.

        ``me`` is the person who would say it: the protagonist unless the file names another.
        """
        return [
            {
                "text": each["text"],
                "apps": [path.parent.name, *each.get("with", ())],
                "tools": each.get("tools"),
                "me": each.get("me", self.protagonist),
            }
            for path in self._parts("prompts.toml")
            for each in self._toml(path)["prompts"]
        ]

    @property
    def people_files(self) -> list[Path]:
        """The files of rules by which people answer."""
        return [path for folder in self.folders for path in sorted((folder / "people").glob("*.toml"))]

    def _entries(self, kind: str) -> Iterator[Mapping[str, Any]]:
        outsiders = (path for folder in self.folders for path in sorted((folder / "outsiders").glob("*.toml")))
        for path in (self.folders[0] / "world.toml", *outsiders):
            yield from self._toml(path).get(kind, ())

    def _toml(self, path: Path) -> dict[str, Any]:
        """Return a file of the specification with its references to facts rendered."""
        return _toml(path, self.folders)

    def _parts(self, file: str) -> list[Path]:
        """Return this file of every app's part of the specification, in the order of the apps' names."""
        found = (path for folder in self.folders for path in folder.glob(f"spec/*/{file}"))
        return sorted(found, key=lambda path: path.parent.name)

    def shift_to(self, moment: datetime) -> int:
        """Return the shift in days, a multiple of seven, that moves the clock's start to the latest time ≤ ``moment``.

        So all messages of the start are in the past. On a Monday before that hour the previous week continues.
        """
        return (moment.astimezone(UTC) - self.starts_at.astimezone(UTC)) // timedelta(weeks=1) * 7


@lru_cache(maxsize=128)
def _toml(path: Path, folders: tuple[Path, ...] = ()) -> dict[str, Any]:
    try:
        text = path.read_text("utf-8")
        # Most files refer to no fact, so the ledger is loaded only for those that do.
        has_references = "{{fact:" in text or "{{noise:" in text
        return tomllib.loads(load_ledger(folders).render(text, path.name) if has_references else text)
    except ValueError as problem:
        raise FarmError(f"{path}: {problem}") from problem


@lru_cache(maxsize=8)
def load_ledger(folders: tuple[Path, ...]) -> Ledger:
    """Return the facts of a world's folders, loaded once per process.

    Raises:
        FactError: the ledger is invalid.
    """
    return Ledger.load(folders)


def load_world(name: str) -> World:
    """Return the world of this name.

    Raises:
        NotFoundError: the world does not exist.
        FarmError: world.toml is incomplete; the message names the missing part.
    """
    return _load_world(name, content.roots())


@lru_cache(maxsize=32)
def _load_world(name: str, roots: tuple[content.Root, ...]) -> World:
    folders = content.world_dirs(name)
    path = folders[0] / "world.toml"
    try:
        said = _head(path.read_text("utf-8"))
        zone, starts_at = _zone(said["time_zone"]), datetime.fromisoformat(str(said["starts_at"]))
        return World(name, said["title"], starts_at, zone, said["protagonist"], tuple(folders))
    except (ValueError, OSError, ZoneInfoNotFoundError) as problem:
        raise FarmError(f"{path}: {problem.args[0]}") from problem
    except KeyError as missing:
        raise FarmError(f"{path} lacks {missing}") from missing


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except OSError:  # a folder of zones, such as "Asia"
        raise ValueError(f"no time zone found with key {name}") from None


def _head(text: str) -> dict[str, Any]:
    """Return the top-level keys of world.toml.

    An app's process needs only these, and parsing the people takes 7 ms. They precede the first table, which begins at
    the first line with a bracket unless an array spans several lines.
    """
    with suppress(tomllib.TOMLDecodeError):
        head = tomllib.loads(text.partition("\n[")[0])
        if head.keys() >= {"title", "time_zone", "starts_at", "protagonist"}:
            return head
    return tomllib.loads(text)


def account_holders(world: str, app: str) -> frozenset[str]:
    """Return the people of a world who have an account in an app; empty if the world has no rows for the app."""
    return _account_holders(world, app, content.roots())


@lru_cache(maxsize=256)
def _account_holders(world: str, app: str, roots: tuple[content.Root, ...]) -> frozenset[str]:
    account, path = content.load_app(app).schema.account, content.find_rows(world, app)
    if account is None or path is None:
        return frozenset()
    return frozenset(row["person"] for row in read_rows(path) if row["table"] == account[0] and row.get("person"))


def values_of(world: str, app: str, table: str, column: str) -> frozenset[str]:
    """Return the texts in a column of a world's rows; empty if the world has none for the app."""
    return _values_of(world, app, table, column, content.roots())


@lru_cache(maxsize=256)
def _values_of(world: str, app: str, table: str, column: str, roots: tuple[content.Root, ...]) -> frozenset[str]:
    path = content.find_rows(world, app)
    rows = read_rows(path) if path else ()
    return frozenset(row[column] for row in rows if row["table"] == table and row.get(column))


@lru_cache(maxsize=256)
def _admitted(world: str, app: str, roots: tuple[content.Root, ...]) -> frozenset[str]:
    """Return the account holders who can use an app: all, or those whom the rows of its ``admits`` column name."""
    schema, path, holders = content.load_app(app).schema, content.find_rows(world, app), account_holders(world, app)
    if schema.account is None or schema.admission is None or path is None:
        return holders
    (accounts, key), (table, column) = schema.account, schema.admission
    rows = read_rows(path)
    admitted = {row[column] for row in rows if row["table"] == table}
    can_use = {row["person"] for row in rows if row["table"] == accounts and row[key] in admitted and row.get("person")}
    return frozenset(can_use) or holders


def require_person(world: World, person: str, apps: Iterable[str]) -> str:
    """Return the person, whose accounts an agent can use in these apps.

    Raises:
        NotFoundError: the person does not exist, or one of the apps has accounts but none of this person.
    """
    require_known(world, person)
    require_accounts(world, [person], apps)
    return person


def require_known(world: World, person: str) -> None:
    """Raise NotFoundError if a person is not of the world."""
    if person not in world.people:
        raise NotFoundError(
            f"no person '{person}' in world '{world.name}'; have {list_names(sorted(world.people), person)}"
        )


def require_accounts(world: World, people: Sequence[str], apps: Iterable[str]) -> None:
    """Raise NotFoundError if an app has accounts but none of these people; the message names the holders."""
    for app in apps:
        if not _is_one_of(account_holders(world.name, app), people):
            who = " and ".join(f"'{person}'" for person in people)
            has = "has" if len(people) == 1 else "have"
            known = list_names(sorted(account_holders(world.name, app)), "")
            raise NotFoundError(f"{who} {has} no account in {app}; have {known}")


def apps_of_people(world: World, people: Sequence[str], apps: Iterable[str]) -> tuple[str, ...]:
    """Return those of the apps that one of the people can use, and those without any account."""
    return tuple(app for app in apps if _is_one_of(_admitted(world.name, app, content.roots()), people))


def _is_one_of(holders: frozenset[str], people: Sequence[str]) -> bool:
    return not holders or not holders.isdisjoint(people)


def require_holder(account: tuple[str, str] | None, rows: Iterable[Mapping[str, Any]], app: str, person: str) -> None:
    """Raise an error if the app has accounts but the rows have none of this person.

    Raises:
        FarmError: the rows have only accounts of others.
    """
    if account is None:
        return
    holders = sorted({str(row["person"]) for row in rows if row.get("table") == account[0] and row.get("person")})
    if holders and person not in holders:
        raise FarmError(f"'{person}' has no account in {app}; the rows have {', '.join(holders)}")


def _shift(value: Any, form: TimeForm, days: int) -> Any:
    if value is None or not days:
        return value
    seconds = days * _S_PER_DAY
    match form:
        case "s" | "ms" | "us":
            # Zero means «never» in several services and is not shifted.
            return value and value + seconds * {"s": 1, "ms": 1_000, "us": 1_000_000}[form]
        case "s_text" | "ms_text":
            return value if value in ("", "0") else str(int(value) + seconds * (1 if form == "s_text" else 1000))
        case "ts":
            whole, dot, micros = value.partition(".")
            return value if not int(whole) else f"{int(whole) + seconds}{dot}{micros}"
        case "date":
            return value and (date.fromisoformat(value) + timedelta(days=days)).isoformat()
        case "rfc3339":
            return value and (datetime.fromisoformat(value) + timedelta(days=days)).isoformat()


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of one ``<app>.jsonl``, each with its ``table``."""
    with path.open("rb") as lines:
        return [orjson.loads(line) for line in lines if line.strip()]


def shift_rows(schema: Schema, rows: Iterable[Mapping[str, Any]], world: World, days: int) -> Iterable[dict[str, Any]]:
    """Yield the rows with times shifted by ``days`` and placeholders rendered."""
    monday = world.monday + timedelta(days=days)
    for row in rows:
        times = schema.times.get(row["table"], {})
        moved = {}
        for name, value in row.items():
            if name in times:
                moved[name] = _shift(value, times[name], days)
            else:
                moved[name] = render_dates(value, monday, world.zone) if isinstance(value, str) else value
        yield moved


def populate(db: sqlite3.Connection, schema: Schema, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows, each a mapping with its ``table``.

    Raises:
        FarmError: a row does not fit the schema; the message shows it.
    """
    shapes = schema.shapes
    for row in rows:
        values = {name: value for name, value in row.items() if name != "table"}
        if "table" not in row:
            raise FarmError(f"a row names its 'table': {_truncated_row(values)}")
        shape = shapes.get(row["table"])
        if shape is None:
            have = list_names(shapes, str(row["table"]))
            raise FarmError(f"no table '{row['table']}'; have {have}: {_truncated_row(values)}")
        if unknown := [name for name in values if name not in shape.columns]:
            have = list_names(shape.columns, unknown[0])
            raise FarmError(f"no column '{unknown[0]}' in '{row['table']}'; have {have}: {_truncated_row(values)}")
        names = ", ".join(f'"{name}"' for name in values)
        marks = ", ".join("?" * len(values))
        try:
            db.execute(f'INSERT INTO "{shape.name}" ({names}) VALUES ({marks})', tuple(values.values()))
        except sqlite3.Error as problem:
            said = find_row_problem(db, shape.name, values, problem)
            raise FarmError(f"{said}: {_truncated_row(values)}") from problem


def _truncated_row(values: Mapping[str, Any]) -> str:
    """Return a truncated row for a message; it may contain values that no database accepts."""
    return orjson.dumps(values, default=str).decode()[:200]


def shift_scheduled_rows(
    schema: Schema, rows: Iterable[Mapping[str, Any]], world: World, days: int
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each scheduled row with its due time in milliseconds, shifted by ``days``."""
    for row in rows:
        at_ms = (row["due_at_s"] + days * _S_PER_DAY) * 1000
        (moved,) = shift_rows(schema, [{k: v for k, v in row.items() if k != "due_at_s"}], world, days)
        yield at_ms, moved


def build(
    schema: Schema, rows: Iterable[Mapping[str, Any]], scheduled: Iterable[tuple[int, Mapping[str, Any]]] = ()
) -> bytes:
    """Return the bytes of a context with these rows and an empty journal; seed and clock are not set.

    Args:
        schema: the app's schema.
        rows: the rows.
        scheduled: scheduled rows with their due times in milliseconds.
    """
    with _written() as (db, read):
        db.execute("PRAGMA page_size=4096")
        db.executescript(f"BEGIN;\n{context_ddl(schema)}")
        populate(db, schema, rows)
        scheduled_rows.store(db, scheduled)
        db.execute("COMMIT")
        # No ANALYZE: statistics of a small start mislead the planner once an episode has grown.
        db.execute("VACUUM")
        # The index refers to rowids, which VACUUM may change.
        if schema.searched:
            SearchIndex(db, schema.searched).build()
        return read()


def with_rows(start: bytes, schema: Schema, rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return the bytes of a start with further rows.

    Raises:
        FarmError: a row conflicts with the schema or with other rows; the message shows it.
    """
    with _written(start) as (db, read):
        index = SearchIndex(db, schema.searched)
        known = index.rowids()
        db.execute("BEGIN")
        populate(db, schema, rows)
        if schema.searched:
            index.add_rows_besides(known)
        db.execute("COMMIT")
        return read()


@contextmanager
def _written(start: bytes = b"") -> Iterator[tuple[sqlite3.Connection, Callable[[], bytes]]]:
    """Open a context in a file that is deleted afterwards; yield it, and what closes it and returns its bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "start.db")
        path.write_bytes(start)
        db = sqlite3.connect(path, isolation_level=None)
        try:
            for pragma in ("synchronous=OFF", "journal_mode=OFF", "foreign_keys=ON"):
                db.execute(f"PRAGMA {pragma}")

            def read() -> bytes:
                db.close()
                return path.read_bytes()

            yield db, read
        finally:
            db.close()


_Key = tuple[str | None, int]  # a world, and its shift in days


class InitialStates:
    """The starts of one app by world and shift; built once, cached in memory and in a folder."""

    def __init__(self, loaded: LoadedApp, cache: Path) -> None:
        self._loaded = loaded
        self._cache = cache
        self._bytes: dict[_Key, bytes] = {}
        self._shared: dict[_Key, SharedStart | None] = {}

    def get(self, world: str | None, shift_days: int = 0) -> bytes:
        """Return the start of this app in a world (None, or a world without rows for it: the empty context)."""
        key = (world, shift_days)
        if key not in self._bytes:
            self.keep(world, shift_days, self._load(world, shift_days))
        return self._bytes[key]

    def keep(self, world: str | None, shift_days: int, start: bytes) -> None:
        """Use these bytes as the start of this world from now on."""
        key = (world, shift_days)
        self._bytes[key] = marked(start)
        self._shared.pop(key, None)

    def shared(self, world: str | None, shift_days: int, file: str) -> SharedStart | None:
        """Return a reader of the start if the file is still unchanged, else None."""
        header = read_header(file)
        if not is_unchanged(header):
            return None
        try:
            start = self.get(world, shift_days)
        except FarmError:
            return None  # the world was deleted or damaged; the context has its own file
        key = (world, shift_days)
        if header != start[:HEADER_BYTES]:
            return None  # the world's start has changed
        if key not in self._shared:
            self._shared[key] = shared_start(start, self._loaded.schema.searched)
        return self._shared[key]

    def build(self, world: str | None, shift_days: int, added: Iterable[Mapping[str, Any]]) -> bytes:
        """Build the start of a world with additional rows; it is not cached.

        Raises:
            FarmError: a row conflicts with the schema or with other rows; the message shows it.
        """
        return with_rows(self.get(world, shift_days), self._loaded.schema, added)

    def _build(self, world: str | None, shift_days: int) -> bytes:
        app, schema = self._loaded.app.name, self._loaded.schema
        path = content.find_rows(world, app) if world else None
        known = load_world(world) if world and path else None
        rows: Iterable[Mapping[str, Any]] = ()
        scheduled: Iterable[tuple[int, Mapping[str, Any]]] = ()
        if known and path:
            rows = shift_rows(schema, read_rows(path), known, shift_days)
            if scheduled_path := content.find_scheduled_rows(known.name, app):
                scheduled = shift_scheduled_rows(schema, read_rows(scheduled_path), known, shift_days)
        return build(schema, rows, scheduled)

    def cached(self, world: str | None, shift_days: int) -> Path:
        """Return the path of a world's cached start, which may not exist yet."""
        app, schema = self._loaded.app.name, self._loaded.schema
        path = content.find_rows(world, app) if world else None
        scheduled = content.find_scheduled_rows(world, app) if world else None
        source = b"".join(each.read_bytes() for each in (path, scheduled) if each)
        known = load_world(world) if world and source else None
        return self._cache / f"{app}-{_stamp(schema, source, known, shift_days)}.db"

    def _load(self, world: str | None, shift_days: int) -> bytes:
        cached = self.cached(world, shift_days)
        if cached.is_file():
            kept = without_checksum(cached.read_bytes())
            if kept is not None:
                return kept
            aside = cached.with_name(f"{cached.name}.broken")
            with suppress(FileNotFoundError):  # another worker was first
                cached.replace(aside)
            _logger.error("%s was not what was written; it is kept as %s and made anew", cached, aside.name)
        made = self._build(world, shift_days)
        self._cache.mkdir(parents=True, exist_ok=True)
        # Two processes may build the same start at once: each writes its own file, and the last rename wins.
        temporary = cached.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_bytes(with_checksum(made))
        temporary.replace(cached)
        return made


def _stamp(schema: Schema, source: bytes, world: World | None, shift_days: int) -> str:
    """Return the cache key of a start: a hash of all that its bytes depend on, without data of other apps."""
    times = sorted(
        f"{table}.{name}:{form}" for table, columns in schema.times.items() for name, form in columns.items()
    )
    searched = sorted(
        f"{table}.{name}:{at}" for table, each in schema.searched.items() for name, at in each.columns.items()
    )
    clock = (world.monday, world.zone.key) if world else ()
    made_of = f"{FORMAT}:{shift_days}:{sqlite3.sqlite_version}:{clock}:{times}:{searched}"
    return hashlib.blake2b(source + context_ddl(schema).encode() + made_of.encode(), digest_size=12).hexdigest()
