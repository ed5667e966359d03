"""The registry: episodes, snapshots and unfinished operations; it survives a restart.

SQLAlchemy async on aiosqlite, off the path of tool calls: a few statements per control request. Frequently read data is
kept in memory, too; the database is written first.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Integer, MetaData, String, Table, Text, delete, event, insert, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from farm.errors import InternalError

_logger = logging.getLogger("gateway")

_METADATA = MetaData()
_EPISODES = Table(
    "episodes",
    _METADATA,
    Column("id", String, primary_key=True),
    Column("apps", Text, nullable=False),
    Column("created_at", String, nullable=False),
)
_SNAPSHOTS = Table(
    "snapshots",
    _METADATA,
    Column("episode_id", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("stored_as", String, nullable=False),
    Column("created_at", String, nullable=False),
)
_INTENTS = Table(
    "intents",
    _METADATA,
    Column("id", Integer, primary_key=True),
    Column("action", String, nullable=False),
    Column("episode_id", String, nullable=False),
    Column("detail", Text, nullable=False),
)


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
        # Every use of a connection commits or rolls back itself, so the pool need not reset it.
        self._engine: AsyncEngine = create_async_engine(f"sqlite+aiosqlite:///{path}", pool_reset_on_return=None)
        event.listen(self._engine.sync_engine, "connect", _prepare)
        self._path = path
        self._done: set[int] = set()  # intents that are done, but could not be deleted yet
        self.apps: dict[str, tuple[str, ...]] = {}
        self._snapshots: dict[str, dict[str, Snapshot]] = {}

    @asynccontextmanager
    async def _changing(self) -> AsyncIterator[AsyncConnection]:
        """Change the database in one transaction.

        Raises:
            UnwritableRegistryError: the disk is full, read-only or broken.
        """
        try:
            async with self._engine.begin() as db:
                yield db
        except OperationalError as problem:
            told = f"{self._path} cannot be written ({problem.orig}); see to its disk, and what 'farm doctor' says"
            _logger.error("%s", told)
            raise UnwritableRegistryError(told) from problem

    async def open(self) -> Sequence[Intent]:
        """Load everything and return the unfinished intents, oldest first."""
        async with self._changing() as db:
            await db.run_sync(_METADATA.create_all)
            episodes = await db.execute(select(_EPISODES).order_by(_EPISODES.c.created_at, _EPISODES.c.id))
            self.apps = {row.id: tuple(json.loads(row.apps)) for row in episodes}
            for row in await db.execute(select(_SNAPSHOTS).order_by(_SNAPSHOTS.c.created_at, _SNAPSHOTS.c.name)):
                found = self._snapshots.setdefault(row.episode_id, {})
                found[row.name] = Snapshot(row.name, row.stored_as, row.created_at)
            intents = await db.execute(select(_INTENTS).order_by(_INTENTS.c.id))
            return [Intent(row.id, row.action, row.episode_id, json.loads(row.detail)) for row in intents]

    async def close(self) -> None:
        """Close the database; its thread would keep the process alive."""
        await self._engine.dispose()

    async def intend(self, action: str, episode_id: str, **detail: Any) -> int:
        """Record an operation before it begins and return the intent's number."""
        async with self._changing() as db:
            done = await db.execute(
                insert(_INTENTS).values(action=action, episode_id=episode_id, detail=json.dumps(detail))
            )
            key = done.inserted_primary_key
            assert key is not None
            return int(key[0])

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
            async with self._changing() as db:
                await db.execute(delete(_INTENTS).where(_INTENTS.c.id.in_(done)))
            self._done -= done

    async def add_episodes(self, episodes: Sequence[tuple[str, tuple[str, ...], str]], *, intent_id: int) -> None:
        """Add episodes (id, apps, creation time) and delete the intent to make them, in one transaction."""
        async with self._changing() as db:
            for episode_id, apps, created_at in episodes:
                values = {"id": episode_id, "apps": json.dumps(apps), "created_at": created_at}
                await db.execute(insert(_EPISODES).values(**values))
            await db.execute(delete(_INTENTS).where(_INTENTS.c.id == intent_id))
        self.apps.update({episode_id: apps for episode_id, apps, _ in episodes})

    async def add_found(self, episodes: Sequence[FoundEpisode]) -> None:
        """Add episodes that were found on the disk, with their snapshots."""
        async with self._changing() as db:
            for each in episodes:
                values = {"id": each.id, "apps": json.dumps(each.apps), "created_at": each.created_at}
                await db.execute(insert(_EPISODES).values(**values))
                for snapshot in each.snapshots:
                    await db.execute(insert(_SNAPSHOTS).values(episode_id=each.id, **asdict(snapshot)))
        for each in episodes:
            self.apps[each.id] = each.apps
            if each.snapshots:
                self._snapshots[each.id] = {snapshot.name: snapshot for snapshot in each.snapshots}

    async def put_episode(self, episode_id: str, apps: tuple[str, ...], created_at: str) -> None:
        """Add an episode, or set the apps of an existing one."""
        async with self._changing() as db:
            await db.execute(delete(_EPISODES).where(_EPISODES.c.id == episode_id))
            values = {"id": episode_id, "apps": json.dumps(apps), "created_at": created_at}
            await db.execute(insert(_EPISODES).values(**values))
        self.apps[episode_id] = apps

    async def drop_episode(self, episode_id: str, *, intent_id: int | None = None) -> None:
        """Delete an episode with its snapshots, and the intent to drop it, in one transaction."""
        async with self._changing() as db:
            await db.execute(delete(_SNAPSHOTS).where(_SNAPSHOTS.c.episode_id == episode_id))
            await db.execute(delete(_EPISODES).where(_EPISODES.c.id == episode_id))
            await db.execute(delete(_INTENTS).where(_INTENTS.c.id == intent_id))
        self.apps.pop(episode_id, None)
        self._snapshots.pop(episode_id, None)

    def snapshots(self, episode_id: str) -> dict[str, Snapshot]:
        """Return name → snapshot of an episode, oldest first."""
        return self._snapshots.get(episode_id, {})

    async def add_snapshot(self, episode_id: str, snapshot: Snapshot, *, intent_id: int) -> None:
        """Add a snapshot that is complete in every app and delete the intent to take it, in one transaction."""
        async with self._changing() as db:
            await db.execute(
                insert(_SNAPSHOTS).values(
                    episode_id=episode_id,
                    name=snapshot.name,
                    stored_as=snapshot.stored_as,
                    created_at=snapshot.created_at,
                )
            )
            await db.execute(delete(_INTENTS).where(_INTENTS.c.id == intent_id))
        self._snapshots.setdefault(episode_id, {})[snapshot.name] = snapshot


def _prepare(connection: Any, _: Any) -> None:
    """Make a commit one append instead of two disk syncs; a killed process loses nothing."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()
