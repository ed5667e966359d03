"""Episodes in this very process, without servers: what the audit replays hundreds of scripts on."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from farm.changes import Changes
from farm.content import load_app
from farm.context.settings import Settings
from farm.context.store import Store
from farm.context.template import load_world
from farm.pipeline import call
from farm.trace import Call, in_order, shown


class LocalSession:
    """One episode of some apps, called in process."""

    token: str | None = None
    urls: Mapping[str, str] = {}  # never changed: there are none

    def __init__(self, episode_id: str, now: str, zone: ZoneInfo, stores: Mapping[str, Store], folder: Path) -> None:
        self.id = episode_id
        self.now = now
        self._zone = zone
        self._stores = stores
        self._folder = folder

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call one tool and return its CallToolResult, or ``{"error": …}``."""
        outcome = call(self._stores[app].open(self.id), tool, arguments)
        parsed: dict[str, Any] = orjson.loads(outcome.result)
        return {"error": parsed} if outcome.is_protocol_error else parsed

    def changes(self) -> Changes:
        """Return what changed since the start, and what was done and undone."""
        return Changes(
            {app: rows for app, store in self._stores.items() if (rows := store.diff(self.id))},
            {app: rows for app, store in self._stores.items() if (rows := store.churn(self.id))},
        )

    def calls(self) -> list[Call]:
        """Return the trace over all apps in order."""
        entries = in_order({app: store.calls(self.id) for app, store in self._stores.items()})
        return [shown(n, app, entry, self._zone) for n, (app, entry) in enumerate(entries, 1)]

    def over_limit(self) -> int:
        """Return how many calls were refused as over the limit."""
        opened = (store.open(self.id).limits for store in self._stores.values())
        return sum(limits.refused for limits in opened if limits is not None)

    def close(self) -> None:
        """Drop the episode."""
        for store in self._stores.values():
            store.drop(self.id)
        shutil.rmtree(self._folder, ignore_errors=True)


class LocalFarm:
    """Makes episodes below a data folder of its own."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._stores: dict[str, Store] = {}
        self._numbers = itertools.count(1)

    def create(
        self,
        world: str,
        apps: Iterable[str],
        *,
        seed: int = 0,
        me: str | None = None,
        now: str | None = None,
        calls_max: int | None = None,
    ) -> LocalSession:
        """Return a fresh episode at the world's start, or at the time ``now``, that takes ``calls_max`` calls."""
        known = load_world(world)
        # Several processes may share the folder, for the starts they read.
        episode_id = f"local{os.getpid()}-{next(self._numbers)}"
        folder = self._data / "episodes" / episode_id
        folder.mkdir(parents=True)
        chosen = tuple(sorted(apps))
        now = now or known.starts_at.isoformat()
        Settings(episode_id, world, chosen, seed=seed, now=now, me=me or known.protagonist, calls_max=calls_max).save(
            folder
        )
        for app in chosen:
            if app not in self._stores:
                self._stores[app] = Store(load_app(app), self._data)
            self._stores[app].create(episode_id)
        return LocalSession(episode_id, now, known.zone, {app: self._stores[app] for app in chosen}, folder)

    def close(self) -> None:
        """Close what is open."""
        for store in self._stores.values():
            store.close_all()
