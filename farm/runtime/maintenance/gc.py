"""Removes expired things: episodes that accept no more calls, and files that nothing refers to."""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from farm import content
from farm._util import temp_folders
from farm._util.sizes import BLOCK_BYTES, disk_usage, files_below
from farm.client import FarmClient
from farm.context.files import EXPORTS
from farm.context.limits import calls_taken
from farm.context.settings import DEFAULT, Settings
from farm.context.template import InitialStates
from farm.errors import FarmError, NotFoundError
from farm.runtime import registry_file
from farm.runtime.maintenance import data_folder
from farm.runtime.maintenance.data_folder import left_files
from farm.runtime.maintenance.work_folders import IMPORTS, abandoned
from farm.runtime.registry_file import Registered
from farm.runtime.supervisor.state import DataLock, FarmState, is_held, is_locked


@dataclass(frozen=True)
class Removal:
    """One thing that can be removed.

    Attributes:
        kind: the kind of thing.
        path: its path.
        size_bytes: its size on the disk.
        remove: removes it.
    """

    kind: str
    path: Path
    size_bytes: int
    remove: Callable[[], object]


def collect(
    data: Path, older_than: timedelta, now: datetime, *, is_dry: bool, client: FarmClient | None = None
) -> list[Removal]:
    """Remove the things that expired long enough ago, or only find them; return them.

    Args:
        data: the data folder; a farm may run on it.
        older_than: the minimum time since they expired.
        now: the current time.
        is_dry: whether to remove nothing.
        client: the farm that runs on the folder, if the folder does not name it.

    Raises:
        FarmError: there is no such folder, a farm is starting or ending there, or something cannot be removed.
    """
    if not data.is_dir():
        raise FarmError(f"no data folder at {data}; name one with --data")
    if client is None:
        state = FarmState.load(data)
        if state is None and is_locked(data):
            raise FarmError(f"the farm on {data} is starting or ending; ask again in a moment")
        if state is None and is_held(data):
            raise FarmError(f"a gateway runs on {data}; name it with --farm and --token-file")
        client = None if state is None else FarmClient(state.operators_url, _token(state))
    lock = None if client is not None or is_dry else DataLock(data)
    try:
        found = list(_Search(data, (now - older_than).timestamp(), client).all())
        for each in found if not is_dry else ():
            try:
                with suppress(FileNotFoundError, NotFoundError):  # removed meanwhile
                    each.remove()
            except (OSError, sqlite3.Error) as problem:
                raise FarmError(f"{each.path} cannot be removed ({problem}); see 'farm doctor'") from None
    finally:
        if client is not None:
            client.close()
        if lock is not None:
            lock.release()
    return found


def freed(removals: list[Removal]) -> tuple[Counter[str], Counter[str]]:
    """Return kind → number of things, and kind → their bytes."""
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for each in removals:
        counts[each.kind] += 1
        sizes[each.kind] += each.size_bytes
    return counts, sizes


def _token(state: FarmState) -> str:
    try:
        return Path(state.token_file).read_text("ascii").strip()
    except OSError as problem:
        raise FarmError(
            f"{state.token_file} cannot be read ({problem.strerror}); end the farm, then ask again"
        ) from None


class _Search:
    """Finds things that can be removed.

    Attributes:
        over_s: things that expired before this time, in seconds since 1970, are removed.
    """

    def __init__(self, data: Path, over_s: float, client: FarmClient | None) -> None:
        self._data = data
        self._over_s = over_s
        self._client = client
        self._found = data_folder.read(data)

    def all(self) -> Iterator[Removal]:
        registered, settings = self._found.registered, self._found.settings
        gone = {each.id for each in settings if self._is_over(each)}
        for episode_id in sorted(gone):
            yield self._episode(episode_id, is_registered=registered is not None)
        for each in settings:
            if each.id not in gone:
                yield from self._parts(each.id, registered)
        yield from self._starts([each for each in settings if each.id not in gone])
        yield from self._quarantined((self._data / "starts").glob("*.broken"))
        yield from self._quarantined(self._data.glob(f"{registry_file.NAME}*.broken"))
        if self._client is None:
            for path in left_files(self._found):
                yield Removal("leftovers", path, _size(path), path.unlink)
        yield from self._left_work(EXPORTS, float("inf"))
        # An interrupted import may be continued, and then downloads nothing twice.
        yield from self._left_work(IMPORTS, self._over_s)
        for folder in temp_folders.left():
            yield Removal("leftovers", folder, disk_usage(folder), partial(temp_folders.remove_left, folder))

    def _left_work(self, name: str, over_s: float) -> Iterator[Removal]:
        """Yield the folders of exports and imports that no process uses any more."""
        for folder in sorted((self._data / name).glob("*")):
            with abandoned(folder) as is_left:
                is_over = is_left and _changed_s(folder) < over_s
            if is_over:
                yield Removal("leftovers", folder, disk_usage(folder), partial(_remove_left, folder))

    def _is_over(self, settings: Settings) -> bool:
        """Whether an episode has accepted no more calls for long enough."""
        if settings.id == DEFAULT:
            return False
        if settings.expires_s is not None and settings.expires_s < self._over_s:
            return True
        if settings.calls_max is None:
            return False
        folder = self._data / "episodes" / settings.id
        return calls_taken(folder, settings) >= settings.calls_max and _changed_s(folder) < self._over_s

    def _episode(self, episode_id: str, *, is_registered: bool) -> Removal:
        folder, client = self._data / "episodes" / episode_id, self._client

        def remove() -> None:
            if client is not None:
                client.drop(episode_id)
                return
            shutil.rmtree(folder)
            if is_registered:
                registry_file.forget(self._data / registry_file.NAME, [episode_id])

        return Removal("episodes", folder, disk_usage(folder), remove)

    def _parts(self, episode_id: str, registered: Registered | None) -> Iterator[Removal]:
        """Yield the set-aside files of an episode that stays, and copies that belong to no snapshot."""
        folder = self._data / "episodes" / episode_id
        yield from self._quarantined(itertools.chain(folder.glob("*.broken"), folder.glob("snapshots/*/*.broken")))
        # An unfinished operation may become a snapshot, and the snapshots of an unlisted episode are unknown.
        if registered is None or registered.has_intents or episode_id not in registered.episodes:
            return
        listed = {*registered.snapshots.get(episode_id, {}).values()}
        for path in sorted((folder / "snapshots").glob("*")):
            if path.name not in listed and path.stat().st_mtime < self._over_s:
                yield Removal("snapshots", path, disk_usage(path), _removing(path))

    def _quarantined(self, paths: Iterator[Path]) -> Iterator[Removal]:
        for path in sorted(paths):
            if path.is_file() and path.stat().st_ctime < self._over_s:
                yield Removal("quarantined", path, _size(path), path.unlink)

    def _starts(self, settings: list[Settings]) -> Iterator[Removal]:
        """Yield the starts that no episode was created from and that no new episode would use today."""
        cache = self._data / "starts"
        old = [path for path in sorted(cache.glob("*.db")) if path.is_file() and path.stat().st_mtime < self._over_s]
        if not old:
            return  # the check needs every app to load
        needed = {(each.world, each.shift_days, app) for each in settings for app in each.apps}
        needed |= {(world, 0, app) for world, _, app in needed}
        known = {*content.app_names()}
        names = {
            InitialStates(content.load_app(app), cache).cached(world, shift_days).name
            for world, shift_days, app in needed
            if app in known and (world is None or world in content.world_names())
        }
        for path in old:
            if path.name not in names:
                yield Removal("starts", path, _size(path), path.unlink)


def _remove_left(folder: Path) -> None:
    with abandoned(folder) as is_left:
        if is_left:  # and not in use again
            shutil.rmtree(folder)


def _removing(folder: Path) -> Callable[[], object]:
    return partial(shutil.rmtree, folder)


def _size(path: Path) -> int:
    return path.lstat().st_blocks * BLOCK_BYTES


def _changed_s(folder: Path) -> float:
    """Return when a file in an episode's folder was last written."""
    found = [os.stat(folder).st_mtime]
    for entry in files_below(folder):
        with suppress(FileNotFoundError):
            found.append(entry.stat(follow_symlinks=False).st_mtime)
    return max(found)
