"""A snapshot of a data folder for maintenance, read once: the registry's lists and the episodes' folders."""

from __future__ import annotations

import fnmatch
import os
import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from farm.context.corrupt_file import CorruptFileError
from farm.context.files import EpisodeFiles
from farm.context.settings import Settings
from farm.errors import NotFoundError
from farm.runtime import registry_file
from farm.runtime.registry_file import Registered

# All names that a farm writes into its data folder, which may contain other files, too.
_OURS = (
    ".writable.*",
    "control.token*",
    "episodes",
    "expected",
    "exports",
    "farm.docker",
    "farm.json*",
    "farm.lock",
    "farm.log*",
    "farm.secret*",
    "gateway.lock",
    "imports",
    "format*",
    "operator.token*",
    "operators.log*",
    "outgoing",
    "registry.db*",
    "starts",
)
# Names that a killed process may leave there.
_LEFT = (
    ".writable.*",
    "control.token.*",
    "episodes/*/episode.json.new",
    "episodes/*/episode.json.tmp",
    "expected/*/*.tmp",
    "farm.json.*",
    "farm.secret.*",
    "format.*.tmp",
    "operator.token.*",
    "starts/*.tmp",
)


@dataclass(frozen=True)
class EpisodeFolder:
    """A folder below ``episodes``.

    Attributes:
        path: its path.
        settings: the settings that the episode was created with; None if unknown.
        problem: why they are unknown; None if there is no ``episode.json``.
    """

    path: Path
    settings: Settings | None = None
    problem: str | None = None


@dataclass(frozen=True)
class DataFolder:
    """The contents of a data folder.

    Attributes:
        path: its path.
        registered: the registry's contents; None if it cannot be read.
        registry_problem: the defect of an existing registry.
        episodes: every folder of an episode, by name.
    """

    path: Path
    registered: Registered | None
    registry_problem: str | None
    episodes: tuple[EpisodeFolder, ...]

    @property
    def settings(self) -> list[Settings]:
        """The settings of the episodes whose settings are valid."""
        return [each.settings for each in self.episodes if each.settings is not None]


def read(data: Path) -> DataFolder:
    """Read a data folder; an unreadable part does not hide the others."""
    registered, problem, registry = None, None, data / registry_file.NAME
    if registry.exists() and not registry.is_file():
        problem = "it is no file"
    elif registry.exists():
        try:
            problem = registry_file.problem(registry)
            registered = registry_file.read(registry) if problem is None else None
        except (sqlite3.Error, ValueError, TypeError, OSError) as unreadable:
            problem = " ".join(str(unreadable).split())
    return DataFolder(data, registered, problem, tuple(_episodes(data / "episodes")))


def _episodes(folder: Path) -> Iterator[EpisodeFolder]:
    for path in sorted(each for each in folder.glob("*") if each.is_dir()):
        if odd := _odd_below(path):
            yield EpisodeFolder(path, problem=f"{odd} is neither a file nor a folder")
            continue
        try:
            settings = Settings.load(path)
        except NotFoundError:
            yield EpisodeFolder(path)
        except CorruptFileError as broken:
            yield EpisodeFolder(path, problem=str(broken.__cause__ or broken))
        else:
            # A folder that was copied by hand is not the episode whose id it contains.
            is_its_own = settings.id == path.name
            problem = None if is_its_own else f"it is of another episode, {settings.id[:64]!r}"
            yield EpisodeFolder(path, settings if is_its_own else None, problem)


def _odd_below(folder: Path) -> str | None:
    """Return an entry that would block its reader forever, or that leads out of the folder."""
    for parent, _, names in os.walk(folder):
        for name in names:
            path = f"{parent}/{name}"
            try:
                if not stat.S_ISREG(os.lstat(path).st_mode):
                    return path
            except FileNotFoundError:
                continue
    return None


def everything(data: Path) -> Iterator[Path]:
    """Yield everything that a farm keeps in its data folder, by name; other files are ignored."""
    with os.scandir(data) as entries:
        names = sorted(entry.name for entry in entries)
    for name in names:
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in _OURS):
            yield data / name
            for parent, folders, files in os.walk(data / name):
                yield from (Path(parent, each) for each in sorted((*folders, *files)))


def left_files(found: DataFolder) -> list[Path]:
    """Return the files that killed processes left in a folder on which no farm runs."""
    left = [path for pattern in _LEFT for path in found.path.glob(pattern) if path.is_file()]
    for settings in found.settings:
        for app in settings.apps:
            left += _left_of(EpisodeFiles(str(found.path / "episodes" / settings.id), app))
    return left


def _left_of(files: EpisodeFiles) -> list[Path]:
    generations = files.generations()
    names = {files.db_name(older) for older in generations[:-1]} | {
        files.journal_name(older) for older in generations[:-1]
    }
    names |= {name for name in files.names() if name.startswith(f"{files.app}.") and name.endswith(".tmp")}
    return [files.folder / name for name in sorted(names & {*files.names()})]
