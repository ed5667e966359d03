"""Episodes and worlds that leave a farm and come to another: exported, proved, and made there anew."""

from __future__ import annotations

import re
import secrets
import shutil
import sqlite3
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from farm import content
from farm.client import FarmClient
from farm.context.files import EpisodeFiles
from farm.context.log import Sealed, read_lines, read_parts
from farm.context.settings import CLOCK_MS_MAX
from farm.context.template import build
from farm.errors import Conflict, FarmError, NotFound
from farm.trace import shown
from farm.upkeep import archive
from farm.upkeep.archive import shown as told_by_others
from farm.upkeep.episode_check import context_problem
from farm.upkeep.work_folder import EXPORTS, IMPORTS, taken

# What makes an episode anew; its id, token and time are the other farm's, and its end was that of an attempt here.
_CARRIED = ("world", "apps", "seed", "now", "me", "menu", "profile", "label", "calls_max")
# https://www.sqlite.org/fileformat.html#the_database_header: size of pages, kind of journal, text encoding.
_HEADER_BYTES = 100
_FORM = (*range(16, 21), *range(56, 60))
_APP = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_FILE = re.compile(r"(?P<app>[a-z][a-z0-9_-]*)\.(?:0\.db|0\.log|part\d+\.log)")


def export_episode(client: FarmClient, data: Path, episode_id: str, snapshot: str | None, url: str) -> archive.Manifest:
    """Write an episode, as it stands or as it was at a snapshot, to a folder or URL.

    Args:
        client: the farm.
        data: its data folder.
        episode_id: the episode.
        snapshot: the snapshot; None: as it stands.
        url: where to.

    Raises:
        FarmError: the farm refuses, or the place cannot be written.
    """
    _require_data(data)
    archive.require_outside(url, [data / name for name in (EXPORTS, IMPORTS, "episodes", "starts", "expected")])
    with taken(data / EXPORTS, secrets.token_hex(8)) as folder:
        try:
            # A copy of one consistent cut: whatever is done to the episode, these files do not change meanwhile.
            found = client.export(episode_id, folder.name, snapshot=snapshot)
            told = {name: found[name] for name in _CARRIED}
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
    # A part may have grown since; so much of it belongs to the copy.
    parts = [(name, files.folder / name, size) for name, size in sealed.parts]
    return [(db.name, db, db.stat().st_size), (log.name, log, log.stat().st_size), *parts]


def import_episode(client: FarmClient, data: Path, url: str) -> dict[str, Any]:
    """Make an episode of what was exported, and return how to reach it.

    Args:
        client: the farm.
        data: its data folder.
        url: where the export is.

    Raises:
        FarmError: the export is not whole, or does not fit this farm; nothing was made then.
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
    # What came whole stays for the next try, also where this one was killed; gc removes what nobody came back for.
    with taken(data / IMPORTS, manifest.key) as folder:
        archive.fetch(url, manifest, folder, client.require_room)
        try:
            for app in apps:
                _require_sound(url, folder, app)
        except FarmError:
            shutil.rmtree(folder)  # it would not be sound the next time
            raise
        wished = {key: wishes.get(key) for key in _CARRIED if wishes.get(key) is not None}
        return client.bring(folder.name, wished, shift_days)


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
    """See to it that a context and its calls are whole, and of the app as it is here.

    Raises:
        FarmError: they are not.
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
        # Also for safety: a database may bring triggers and views of its own.
        if _objects(own) != _objects(brought):
            raise Conflict(
                f"{url} has the tables of another version of {app}; export it with the version that runs here"
            )
        clocks = [clock for (clock,) in brought.execute("SELECT clock_ms FROM _meta")]
    if len(clocks) != 1 or clocks[0] is None or not 0 <= clocks[0] <= CLOCK_MS_MAX:
        raise FarmError(f"{url} holds no sound context of {app}: its clock is at no time from 1970 to 9998")
    _require_readable(url, files, app)


def _require_readable(url: str, files: EpisodeFiles, app: str) -> None:
    """See to it that every call can be shown as those that were made here."""
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
                shown(entry["n"], app, entry, zone)
    except (ValueError, TypeError, KeyError, OverflowError, OSError) as problem:
        raise FarmError(f"{url} holds no sound calls of {app} ({type(problem).__name__}: {problem})") from problem


def _objects(db: sqlite3.Connection) -> set[tuple[str, ...]]:
    return set(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


def export_world(name: str, url: str) -> archive.Manifest:
    """Write a world, with what other content folders add to it, to a folder or URL."""
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
    """Make a world of what was exported in a content folder, and return its name.

    Raises:
        Conflict: a world of this name is there already.
        FarmError: the export is not whole.
    """
    manifest = archive.load(url, "world")
    name = str(manifest.about.get("world"))
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,63}", name):
        raise FarmError(f"{url} does not say which world it is")
    worlds = root / "contexts" / "worlds"
    target = worlds / name
    if target.exists() or name in content.world_names():
        raise Conflict(f"there is a world '{name}' already; two of one name cannot be told apart")
    with taken(worlds, f".{name}.{manifest.key}") as begun:
        archive.fetch(url, manifest, begun)
        if not (begun / "world.toml").is_file():
            shutil.rmtree(begun)
            raise NotFound(f"{url} has no world.toml")
        begun.rename(target)
    return name
