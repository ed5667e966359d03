"""Episodes and worlds that leave a farm and come to another: exported, proved, and made there anew."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from farm import content
from farm.client import FarmClient
from farm.context.files import EpisodeFiles
from farm.context.log import Sealed, read_lines, read_parts
from farm.context.settings import CLOCK_MS_MAX, Settings
from farm.context.template import build
from farm.errors import Conflict, FarmError, NotFound
from farm.trace import shown
from farm.upkeep import archive
from farm.upkeep.episode_check import context_problem

IMPORTS = "imports"
# What makes an episode anew; its id, token and time are the other farm's, and its end was that of an attempt here.
_CARRIED = ("world", "apps", "seed", "now", "me", "menu", "profile", "label", "calls_max")
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
    # A copy of one consistent cut that nobody can call: its files do not change while they are read.
    copy_id = client.fork(episode_id, snapshot=snapshot)[0]["id"]
    try:
        folder = data / "episodes" / copy_id
        if not (folder / "episode.json").is_file():
            raise FarmError(f"{data} is not that farm's data folder; name it with --data, on the machine where it is")
        settings = Settings.load(folder)
        told = {name: getattr(settings, name) for name in _CARRIED}
        about = {"id": episode_id, "snapshot": snapshot, "shift_days": settings.shift_days, "episode": told}
        files = [file for app in settings.apps for file in _files_of(EpisodeFiles(str(folder), app))]
        return archive.save(url, "episode", about, files)
    finally:
        client.drop(copy_id)


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
    if not (data / "episodes").is_dir():
        raise FarmError(f"{data} is not that farm's data folder; name it with --data, on the machine where it is")
    try:
        wishes, shift_days = dict(manifest.about["episode"]), manifest.about["shift_days"]
        apps = [str(app) for app in wishes["apps"]]
        if type(shift_days) is not int:
            raise TypeError(f"'shift_days' is {shift_days!r}")
    except (KeyError, TypeError, ValueError) as problem:
        raise FarmError(f"{url} does not say which episode it is ({problem})") from None
    _require_apps(url, manifest, apps)
    with importing(data) as folder:
        archive.fetch(url, manifest, folder)
        for app in apps:
            _require_sound(url, folder, app)
        wished = {key: wishes.get(key) for key in _CARRIED if wishes.get(key) is not None}
        return client.bring(folder.name, wished, shift_days)


@contextmanager
def importing(data: Path) -> Iterator[Path]:
    """Make a folder to prove an import in; it is locked for as long as it is ours, and goes at the end."""
    folder = data / IMPORTS / secrets.token_hex(8)
    folder.mkdir(mode=0o700, parents=True)
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def is_importing(folder: Path) -> bool:
    """Say whether somebody is proving an import in a folder just now."""
    try:
        lock = os.open(folder, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def _require_apps(url: str, manifest: archive.Manifest, apps: list[str]) -> None:
    for entry in manifest.files:
        match = _FILE.fullmatch(entry.name)
        if match is None or match["app"] not in apps:
            raise FarmError(f"{url} has a file '{entry.name}', which no episode of {', '.join(apps)} has")
    for app in apps:
        content.require_app(app)


def _require_sound(url: str, folder: Path, app: str) -> None:
    """See to it that a context and its calls are whole, and of the app as it is here.

    Raises:
        FarmError: they are not.
    """
    files = EpisodeFiles(str(folder), app)
    problem = context_problem(files)
    if problem is not None:
        raise FarmError(f"{url} holds no sound context of {app}: {problem}")
    with closing(sqlite3.connect(":memory:")) as own, closing(sqlite3.connect(files.db(0))) as brought:
        own.deserialize(build(content.load_app(app).schema, ()))
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
    zone = ZoneInfo("UTC")
    try:
        for entry in (*read_parts(files.folder, sealed.parts), *read_lines(files.log(0))):
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
            if path.is_file() and "__pycache__" not in path.parts:
                files.setdefault(path.relative_to(folder).as_posix(), path)
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
    target, begun = worlds / name, worlds / f".{name}.{secrets.token_hex(4)}"
    if target.exists() or name in content.world_names():
        raise Conflict(f"there is a world '{name}' already; two of one name cannot be told apart")
    begun.mkdir(parents=True)
    try:
        archive.fetch(url, manifest, begun)
        if not (begun / "world.toml").is_file():
            raise NotFound(f"{url} has no world.toml")
        begun.rename(target)
    finally:
        shutil.rmtree(begun, ignore_errors=True)
    return name
