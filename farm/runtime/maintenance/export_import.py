"""Exports and imports of episodes and worlds, for another farm."""

from __future__ import annotations

import re
import secrets
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import orjson

from farm import content
from farm.appkit.schema import Schema
from farm.client import FarmClient
from farm.context import person_acts
from farm.context.files import EXPORTS, EpisodeFiles
from farm.context.log import Sealed, read_lines, read_parts
from farm.context.settings import CLOCK_MS_MAX
from farm.context.template import build
from farm.context.trace import to_call
from farm.errors import ConflictError, FarmError, NotFoundError
from farm.runtime.maintenance import archive
from farm.runtime.maintenance.archive import one_line as told_by_others
from farm.runtime.maintenance.episode_check import context_problem
from farm.runtime.maintenance.work_folders import IMPORTS, taken

# The settings that are exported; id, token and time belong to the other farm, and the expiry to the attempt here.
_CARRIED = ("world", "apps", "seed", "now", "me", "menu", "profile", "label", "calls_max", "rows", "faults", "people")
# https://www.sqlite.org/fileformat.html#the_database_header: page size, journal mode, text encoding.
_HEADER_BYTES = 100
_FORM = (*range(16, 21), *range(56, 60))
_APP = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_TIME_MAX = CLOCK_MS_MAX * 1000  # a column's unit is a microsecond at the finest
_NOT_JSON = object()
_FILE = re.compile(r"(?P<app>[a-z][a-z0-9_-]*)\.(?:0\.db|0\.log|part\d+\.log)")


def export_episode(client: FarmClient, data: Path, episode_id: str, snapshot: str | None, url: str) -> archive.Manifest:
    """Write an episode, as it is now or as it was at a snapshot, to a folder or URL.

    Args:
        client: the farm.
        data: its data folder.
        episode_id: the episode.
        snapshot: the snapshot; None: the current state.
        url: the target.

    Raises:
        FarmError: the farm refuses, or the target cannot be written.
    """
    _require_data(data)
    archive.require_outside(url, [data / name for name in (EXPORTS, IMPORTS, "episodes", "starts", "expected")])
    with taken(data / EXPORTS, secrets.token_hex(8)) as folder:
        try:
            # A copy of one consistent snapshot: these files do not change, whatever happens to the episode.
            found = client.export(episode_id, folder.name, snapshot=snapshot)
            told = {name: found[name] for name in _CARRIED if name in found}
            about = {"id": episode_id, "snapshot": snapshot, "shift_days": found["shift_days"], "episode": told}
            files = [file for app in found["apps"] for file in _files_of(EpisodeFiles(str(folder), app))]
            return archive.save(url, "episode", about, files)
        finally:
            for path in folder.iterdir():
                path.unlink()


def _require_data(data: Path) -> None:
    if not (data / "episodes").is_dir():
        raise FarmError(f"{data} is not that farm's data folder; name it with --data, on the machine where it is")


def _files_of(files: EpisodeFiles) -> list[tuple[str, Path, int]]:
    log, db = files.log(0), files.db(0)
    with log.open("rb") as file:
        sealed = Sealed.load(file.readline())
    # A part of a log may have grown since; only this many bytes belong to the copy.
    parts = [(name, files.folder / name, size) for name, size in sealed.parts]
    return [(db.name, db, db.stat().st_size), (log.name, log, log.stat().st_size), *parts]


def import_episode(client: FarmClient, data: Path, url: str) -> dict[str, Any]:
    """Make an episode from an export, and return its URLs.

    Args:
        client: the farm.
        data: its data folder.
        url: the place of the export.

    Raises:
        FarmError: the export is damaged, or does not fit this farm; then nothing was made.
    """
    manifest = archive.load(url, "episode")
    _require_data(data)
    try:
        wishes, shift_days = dict(manifest.about["episode"]), manifest.about["shift_days"]
        apps = wishes["apps"]
        if type(apps) is not list or not apps or not all(type(app) is str for app in apps):
            raise TypeError("'apps' is no list of names")
        if type(shift_days) is not int:
            raise TypeError(f"'shift_days' is {told_by_others(shift_days)}")
    except (KeyError, TypeError, ValueError) as problem:
        raise FarmError(f"{url} does not say which episode it is ({problem})") from None
    _require_apps(url, manifest, apps)
    # Complete files stay for another attempt, even if this process is killed; gc removes abandoned ones.
    with taken(data / IMPORTS, manifest.key) as folder:
        archive.fetch(url, manifest, folder, client.require_capacity)
        try:
            for app in apps:
                _require_sound(url, folder, app)
        except FarmError:
            shutil.rmtree(folder)  # another attempt would fail, too
            raise
        wished = {key: wishes.get(key) for key in _CARRIED if wishes.get(key) is not None}
        return client.import_episode(folder.name, wished, shift_days)


def _require_apps(url: str, manifest: archive.Manifest, apps: list[str]) -> None:
    for app in apps:
        if not _APP.fullmatch(app):
            raise FarmError(f"{url} has an app {told_by_others(app)}, which is no app's name")
        content.require_app(app)
    for entry in manifest.files:
        match = _FILE.fullmatch(entry.name)
        if match is None or match["app"] not in apps:
            raise FarmError(f"{url} has a file '{entry.name}', which no episode of {', '.join(apps)} has")


def _require_sound(url: str, folder: Path, app: str) -> None:
    """Require that a context and its calls are intact, and fit the app of this farm.

    Raises:
        FarmError: they do not.
    """
    files = EpisodeFiles(str(folder), app)
    problem = context_problem(files)
    if problem is not None:
        raise FarmError(f"{url} holds no sound context of {app}: {problem}")
    built = build(content.load_app(app).schema, ())
    with files.db(0).open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if any(header[at] != built[at] for at in _FORM):
        raise FarmError(f"{url} holds no sound context of {app}: it is a database of another form than a farm writes")
    uri = f"file:{quote(str(files.db(0)))}?immutable=1"
    with closing(sqlite3.connect(":memory:")) as own, closing(sqlite3.connect(uri, uri=True)) as brought:
        own.deserialize(built)
        # Also for safety: a database may contain its own triggers and views.
        if _objects(brought) != _objects(own):
            raise ConflictError(
                f"{url} has the tables of another version of {app}; export it with the version that runs here"
            )
        clocks = [clock for (clock,) in brought.execute("SELECT clock_ms FROM _meta")]
        _require_values(url, brought, content.load_app(app).schema, app)
    if len(clocks) != 1 or clocks[0] is None or not 0 <= clocks[0] <= CLOCK_MS_MAX:
        raise FarmError(f"{url} holds no sound context of {app}: its clock is at no time from 1970 to 9998")
    _require_readable(url, files, app)


def _require_values(url: str, db: sqlite3.Connection, schema: Schema, app: str) -> None:
    """Require that handlers can read each value: texts are UTF-8, JSON is JSON, times and scheduled rows are such.

    Raises:
        FarmError: one is not.
    """
    for name, table in schema.metadata.tables.items():
        columns = list(table.columns)
        listed = ", ".join(f'"{column.name}"' for column in columns)
        try:
            for row in db.execute(f'SELECT {listed} FROM "{name}"'):
                for column, value in zip(columns, row, strict=True):
                    problem = None if value is None else _value_problem(column.info, value)
                    if problem is not None:
                        raise FarmError(f"{url} holds no sound context of {app}: {name}.{column.name} {problem}")
        except sqlite3.OperationalError as problem:
            raise FarmError(f"{url} holds no sound context of {app}: {name}: {problem}") from problem
    for name, text in db.execute('SELECT "table", row FROM _scheduled'):
        known = schema.metadata.tables.get(name)
        row = _parsed(text)
        if person_acts.is_act(name, row):
            continue
        if known is None or not isinstance(row, dict) or not row or not row.keys() <= {*known.columns.keys()}:
            raise FarmError(f"{url} holds no sound context of {app}: a scheduled row does not fit a table '{name}'")


def _value_problem(info: Mapping[str, Any], value: Any) -> str | None:
    if info.get("json") and _parsed(value) is _NOT_JSON:
        return "holds a text that is not JSON"
    if info.get("time") and isinstance(value, int) and not 0 <= value <= _TIME_MAX:
        return f"holds {value}, which is not a time"
    return None


def _parsed(text: Any) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return _NOT_JSON


def _require_readable(url: str, files: EpisodeFiles, app: str) -> None:
    """Require that every call can be shown like a call that was made here."""
    with files.log(0).open("rb") as log:
        sealed = Sealed.load(log.readline())
    parts = [name for name, _ in sealed.parts]
    others = {path.name for path in files.folder.glob(f"{app}.*")} - {files.db_name(0), files.log_name(0), *parts}
    if others or len(parts) != len({*parts}):
        odd = min(others, default=None) or next(name for name in parts if parts.count(name) > 1)
        raise FarmError(f"{url} holds no sound calls of {app}: {odd} is named more often or less than once")
    zone = ZoneInfo("UTC")
    try:
        for entry in chain(read_parts(files.folder, sealed.parts), read_lines(files.log(0))):
            if "n" in entry:
                if type(entry["n"]) is not int:
                    raise ValueError(f"a call has the number {entry['n']!r}")
                to_call(entry["n"], app, entry, zone)
    except (ValueError, TypeError, KeyError, OverflowError, OSError) as problem:
        raise FarmError(f"{url} holds no sound calls of {app} ({type(problem).__name__}: {problem})") from problem


def _objects(db: sqlite3.Connection) -> set[tuple[str, ...]]:
    return set(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


def export_world(name: str, url: str) -> archive.Manifest:
    """Write a world, with the parts that other content folders add to it, to a folder or URL."""
    files: dict[str, Path] = {}
    for folder in content.world_dirs(name):
        for path in sorted(folder.rglob("*")):
            parts = path.relative_to(folder).parts
            if path.is_file() and "__pycache__" not in parts and not any(part.startswith(".") for part in parts):
                files.setdefault("/".join(parts), path)
    return archive.save(
        url, "world", {"world": name}, [(name, path, path.stat().st_size) for name, path in files.items()]
    )


def import_world(url: str, root: Path) -> str:
    """Make a world from an export in a content folder, and return its name.

    Raises:
        ConflictError: there is a world of this name already.
        FarmError: the export is damaged.
    """
    manifest = archive.load(url, "world")
    name = str(manifest.about.get("world"))
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,63}", name):
        raise FarmError(f"{url} does not say which world it is")
    worlds = root / "contexts" / "worlds"
    target = worlds / name
    if target.exists() or name in content.world_names():
        raise ConflictError(f"there is a world '{name}' already; two of one name cannot be told apart")
    with taken(worlds, f".{name}.{manifest.key}") as begun:
        archive.fetch(url, manifest, begun)
        if not (begun / "world.toml").is_file():
            shutil.rmtree(begun)
            raise NotFoundError(f"{url} has no world.toml")
        begun.rename(target)
    return name
