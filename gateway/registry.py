"""The registry: episodes, snapshots and unfinished operations; it survives a restart.

SQLite in a thread of its own, as a slow disk must not delay the tool calls that the event loop relays. Frequently read
data is kept in memory, too; the database is written first.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from farm.errors import InternalError

_logger = logging.getLogger("gateway")

_T = TypeVar("_T")
_Statement = tuple[str, tuple[Any, ...]]

# Write-ahead logging makes a commit one append instead of two disk syncs; a killed process loses nothing.
_OPENING = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
BEGIN;
CREATE TABLE IF NOT EXISTS episodes (
    id VARCHAR NOT NULL,
    apps TEXT NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS snapshots (
    episode_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    stored_as VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (episode_id, name)
);
CREATE TABLE IF NOT EXISTS intents (
    id INTEGER NOT NULL,
    action VARCHAR NOT NULL,
    episode_id VARCHAR NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (id)
);
COMMIT;
"""


class UnwritableRegistryError(InternalError):
    """The registry cannot be changed: the disk is full, read-only or broken."""


@dataclass(frozen=True)
class Snapshot:
    """One snapshot: its name, its files' name and when it was taken."""

    name: str
    stored_as: str
    created_at: str


@dataclass(frozen=True)
class FoundEpisode:
    """An episode as read from its folder."""

    id: str
    apps: tuple[str, ...]
    created_at: str
    snapshots: tuple[Snapshot, ...]


@dataclass(frozen=True)
class Intent:
    """An operation begun on several apps; its row is deleted when it is done."""

    id: int
    action: str
    episode_id: str
    detail: dict[str, Any]


class Registry:
    """The registry of one farm.

    Attributes:
        apps: episode id → its apps, in the order of creation: the routing table.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, "registry")
        self._db: sqlite3.Connection | None = None
        self._done: set[int] = set()  # intents that are done, but could not be deleted yet
        self.apps: dict[str, tuple[str, ...]] = {}
        self._snapshots: dict[str, dict[str, Snapshot]] = {}

    async def _run(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Use the database in one transaction.

        Raises:
            UnwritableRegistryError: the disk is full, read-only or broken.
        """

        def transaction() -> _T:
            if self._db is None:
                self._db = sqlite3.connect(self._path, check_same_thread=False)
            with self._db:
                return work(self._db)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, transaction)
        except sqlite3.OperationalError as problem:
            told = f"{self._path} cannot be written ({problem}); see to its disk, and what 'farm doctor' says"
            _logger.error("%s", told)
            raise UnwritableRegistryError(told) from problem

    async def _change(self, *statements: _Statement) -> None:
        """Execute statements in one transaction."""

        def execute(db: sqlite3.Connection) -> None:
            for sql, values in statements:
                db.execute(sql, values)

        await self._run(execute)

    async def open(self) -> Sequence[Intent]:
        """Load everything and return the unfinished intents, oldest first."""
        return await self._run(self._load)

    def _load(self, db: sqlite3.Connection) -> list[Intent]:
        db.executescript(_OPENING)
        episodes = db.execute("SELECT id, apps FROM episodes ORDER BY created_at, id")
        self.apps = {episode_id: tuple(json.loads(apps)) for episode_id, apps in episodes}
        snapshots = "SELECT episode_id, name, stored_as, created_at FROM snapshots ORDER BY created_at, name"
        for episode_id, *snapshot in db.execute(snapshots):
            self._remember(episode_id, Snapshot(*snapshot))
        intents = db.execute("SELECT id, action, episode_id, detail FROM intents ORDER BY id")
        return [
            Intent(number, action, episode_id, json.loads(detail)) for number, action, episode_id, detail in intents
        ]

    def _remember(self, episode_id: str, snapshot: Snapshot) -> None:
        self._snapshots.setdefault(episode_id, {})[snapshot.name] = snapshot

    async def close(self) -> None:
        """Close the database."""
        self._thread.shutdown()
        if self._db is not None:
            self._db.close()

    async def intend(self, action: str, episode_id: str, **detail: Any) -> int:
        """Record an operation before it begins and return the intent's number."""
        sql = "INSERT INTO intents (action, episode_id, detail) VALUES (?, ?, ?) RETURNING id"
        (number,) = await self._run(lambda db: db.execute(sql, (action, episode_id, json.dumps(detail))).fetchone())
        return int(number)

    async def done(self, intent_id: int) -> None:
        """Delete an intent that was completed or undone; on a full disk ``tidy`` does so later."""
        self._done.add(intent_id)
        with suppress(UnwritableRegistryError):
            await self.tidy()

    async def tidy(self) -> None:
        """Delete the intents whose deletion failed: otherwise the next gateway would repeat them.

        Raises:
            UnwritableRegistryError: they still cannot be deleted.
        """
        if done := self._done.copy():
            await self._change(*map(_end_intent, done))
            self._done -= done

    async def add_episodes(self, episodes: Sequence[tuple[str, tuple[str, ...], str]], *, intent_id: int) -> None:
        """Add episodes (id, apps, creation time) and delete the intent to make them, in one transaction."""
        await self._change(*(_add_episode(*each) for each in episodes), _end_intent(intent_id))
        self.apps.update({episode_id: apps for episode_id, apps, _ in episodes})

    async def add_found(self, episodes: Sequence[FoundEpisode]) -> None:
        """Add episodes that were found on the disk, with their snapshots."""
        await self._change(
            *(_add_episode(each.id, each.apps, each.created_at) for each in episodes),
            *(_add_snapshot(each.id, snapshot) for each in episodes for snapshot in each.snapshots),
        )
        for each in episodes:
            self.apps[each.id] = each.apps
            for snapshot in each.snapshots:
                self._remember(each.id, snapshot)

    async def put_episode(self, episode_id: str, apps: tuple[str, ...], created_at: str) -> None:
        """Add an episode, or set the apps of an existing one."""
        await self._change(_drop_episode(episode_id), _add_episode(episode_id, apps, created_at))
        self.apps[episode_id] = apps

    async def drop_episode(self, episode_id: str, *, intent_id: int | None = None) -> None:
        """Delete an episode with its snapshots, and the intent to drop it, in one transaction."""
        drop_snapshots = ("DELETE FROM snapshots WHERE episode_id = ?", (episode_id,))
        await self._change(drop_snapshots, _drop_episode(episode_id), _end_intent(intent_id))
        self.apps.pop(episode_id, None)
        self._snapshots.pop(episode_id, None)

    def snapshots(self, episode_id: str) -> dict[str, Snapshot]:
        """Return name → snapshot of an episode, oldest first."""
        return self._snapshots.get(episode_id, {})

    async def add_snapshot(self, episode_id: str, snapshot: Snapshot, *, intent_id: int) -> None:
        """Add a snapshot that is complete in every app and delete the intent to take it, in one transaction."""
        await self._change(_add_snapshot(episode_id, snapshot), _end_intent(intent_id))
        self._remember(episode_id, snapshot)


def _add_episode(episode_id: str, apps: tuple[str, ...], created_at: str) -> _Statement:
    return "INSERT INTO episodes (id, apps, created_at) VALUES (?, ?, ?)", (episode_id, json.dumps(apps), created_at)


def _drop_episode(episode_id: str) -> _Statement:
    return "DELETE FROM episodes WHERE id = ?", (episode_id,)


def _add_snapshot(episode_id: str, snapshot: Snapshot) -> _Statement:
    sql = "INSERT INTO snapshots (episode_id, name, stored_as, created_at) VALUES (?, ?, ?, ?)"
    return sql, (episode_id, snapshot.name, snapshot.stored_as, snapshot.created_at)


def _end_intent(intent_id: int | None) -> _Statement:
    return "DELETE FROM intents WHERE id = ?", (intent_id,)
