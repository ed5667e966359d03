"""Rebuilds a lost registry from the episodes' folders."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from farm.context.corrupt_file import CorruptFileError
from farm.context.settings import Settings

from .registry import FoundEpisode, Snapshot

_logger = logging.getLogger("gateway")


def find_episodes(folder: Path) -> list[FoundEpisode]:
    """Return the complete episodes below a folder, oldest first; one that lacks an app's context was never finished."""
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        if not (path / "episode.json").is_file():
            continue
        try:
            settings = Settings.load(path)
        except CorruptFileError as problem:
            _logger.error("%s", problem)
            continue
        if settings.id == path.name and all(any(path.glob(f"{app}.*.db")) for app in settings.apps):
            snapshots = tuple(_snapshots(path / "snapshots", settings.apps))
            found.append(FoundEpisode(settings.id, settings.apps, settings.created_at or _at(path), snapshots))
    return sorted(found, key=lambda each: (each.created_at, each.id))


def _snapshots(folder: Path, apps: tuple[str, ...]) -> Iterator[Snapshot]:
    taken: set[str] = set()
    kept = [path for path in folder.glob("*") if all((path / f"{app}.db").is_file() for app in apps)]
    for path in sorted(kept, key=lambda each: (_at(each), each.name)):
        # Folders are called NAME.HASH; the hash distinguishes names that were truncated or reused.
        name = path.name.rpartition(".")[0]
        chosen = path.name if not name or name in taken else name
        taken.add(chosen)
        yield Snapshot(chosen, path.name, _at(path))


def _at(path: Path) -> str:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="milliseconds")
