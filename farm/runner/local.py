"""Episodes in this very process, without servers: for tests, and for the audit, which replays hundreds of scripts."""

from __future__ import annotations

import itertools
import os
import shutil
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from farm import content
from farm.alarm import Alarm
from farm.app import LATEST
from farm.changes import Changes
from farm.content import load_app
from farm.context.reference import load_reference
from farm.context.settings import CLOCK_MS_MAX, Settings
from farm.context.store import ROWS_MAX, Store
from farm.context.template import load_world, require_holder
from farm.create_request import settings_for
from farm.errors import Conflict, FarmError, NotFound
from farm.loose_json import parse_exact
from farm.pipeline import Outcome, call
from farm.trace import Call, in_order, shown

# Without a world an episode begins here.
NOW = "2026-03-09T09:00:00+08:00"
_numbers = itertools.count(1)
Menu = str | Mapping[str, str | list[str]]


class LocalSession:
    """One episode of some apps, called in process."""

    token: str | None = None
    urls: Mapping[str, str] = {}  # never changed: there are none

    def __init__(self, farm: LocalFarm, settings: Settings, folder: Path) -> None:
        self.id = settings.id
        self.now = settings.now
        self.settings = settings
        self._farm = farm
        self._lock = farm.lock
        self._folder = folder
        self._stores = {app: farm.store(app, settings.profile) for app in settings.apps}
        self._menus = {app: frozenset(tools) for app, tools in settings.menu.items()}
        self._zone = load_world(settings.world).zone if settings.world else ZoneInfo("UTC")

    def store(self, app: str) -> Store:
        """Return the state engine of one of the episode's apps.

        Raises:
            NotFound: it has no such app.
        """
        if app not in self._stores:
            raise NotFound(f"episode '{self.id}' has no app '{app}'; it has {', '.join(self._stores)}")
        return self._stores[app]

    def outcome(self, app: str, tool: str, arguments: Any) -> Outcome:
        """Run one call as a server would and return everything it came to."""
        with self._lock:
            return call(self.store(app).open(self.id), tool, arguments, self._menus.get(app), alarm=self._farm.alarm)

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call one tool and return its CallToolResult, or ``{"error": …}``."""
        outcome = self.outcome(app, tool, arguments)
        parsed: dict[str, Any] = parse_exact(outcome.result)
        return {"error": parsed} if outcome.is_protocol_error else parsed

    def changes(self, since: str = "start") -> Changes:
        """Return what changed since the start or a snapshot, and what was done and undone."""
        with self._lock:
            return Changes(
                {app: rows for app, store in self._stores.items() if (rows := store.diff(self.id, since))},
                {app: rows for app, store in self._stores.items() if (rows := store.churn(self.id, since))},
            )

    def diff(self, since: str = "start") -> dict[str, Any]:
        """Return app → table → rows that changed since the start or a snapshot; what did not change is left out."""
        with self._lock:
            return {app: rows for app, store in self._stores.items() if (rows := store.diff(self.id, since))}

    def calls(self) -> list[Call]:
        """Return the trace over all apps in order."""
        with self._lock:
            entries = in_order({app: store.calls(self.id) for app, store in self._stores.items()})
            return [shown(n, app, entry, self._zone) for n, (app, entry) in enumerate(entries, 1)]

    def rows(self, app: str, table: str) -> list[dict[str, Any]]:
        """Return every row of a table, by its key.

        Raises:
            NotFound: there is no such app or table; the message says what there is.
        """
        found: list[dict[str, Any]] = []
        with self._lock:
            after: int | None = 0
            while after is not None:
                page = self.store(app).rows(self.id, table, after=after, limit=ROWS_MAX)
                found += page["rows"]
                after = page["next"]
        return found

    def clock(self) -> datetime:
        """Return the simulated time, in the world's zone."""
        return datetime.fromtimestamp(self._clock_ms() / 1000, self._zone)

    def _clock_ms(self) -> int:
        with self._lock:
            return max(store.clock_ms(self.id) for store in self._stores.values())

    def set_clock(self, to: datetime) -> datetime:
        """Move the simulated time forward, to the same moment in every app, and return it."""
        if to.tzinfo is None:
            raise FarmError(f"{to.isoformat()} needs an offset from UTC, such as {to.isoformat()}+08:00")
        to_ms = (to - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
        with self._lock:
            if to_ms < self._clock_ms():
                raise FarmError("a clock only moves forward; restore a snapshot to go back")
            if to_ms > CLOCK_MS_MAX:
                raise FarmError("simulated time runs from 1970 to 9998; choose a time in between")
            for store in self._stores.values():
                store.set_clock(self.id, to_ms)
        return self.clock()

    def snapshot(self, name: str | None = None) -> str:
        """Save every app's context under a name, and return it."""
        with self._lock:
            taken = {each for store in self._stores.values() for each in store.snapshots(self.id)}
            chosen = name or next(each for n in itertools.count(1) if (each := f"s{n}") not in taken)
            if chosen in taken or chosen == "start":
                raise Conflict(f"episode '{self.id}' has a snapshot '{chosen}' already; choose another name")
            for store in self._stores.values():
                store.snapshot(self.id, chosen)
        return chosen

    def restore(self, name: str) -> None:
        """Bring rows, calls and clock back to a snapshot."""
        with self._lock:
            for store in self._stores.values():
                store.prove(self.id, name)
            for store in self._stores.values():
                store.restore(self.id, name)

    def fork(self, snapshot: str | None = None) -> LocalSession:
        """Return a copy, as the episode stands or as it was at a snapshot; each goes its own way from there."""
        with self._lock:
            copy = self._farm.add(replace(self.settings, id=self._farm.free_id()))
            for store in self._stores.values():
                store.fork(self.id, copy.id, snapshot)
        return copy

    def over_limit(self) -> int:
        """Return how many calls were refused as over the limit."""
        with self._lock:
            opened = (store.open(self.id).limits for store in self._stores.values())
            return sum(limits.refused for limits in opened if limits is not None)

    def close(self) -> None:
        """Drop the episode."""
        with self._lock:
            for store in self._stores.values():
                store.drop(self.id)
            shutil.rmtree(self._folder, ignore_errors=True)


class LocalFarm:
    """Makes episodes below a data folder; several may share one.

    Attributes:
        lock: held by whoever is at a context: servers on another thread may use them, too.
        alarm: what cuts calls that take too long, if anything.
    """

    def __init__(self, data: Path, alarm: Alarm | None = None) -> None:
        self.data = data
        self.alarm = alarm
        self.lock = threading.RLock()
        self._stores: dict[tuple[str, str], Store] = {}

    def store(self, app: str, profile: str = LATEST) -> Store:
        """Return the state engine of an app; one that does not know the profile is as in ``latest``."""
        loaded = load_app(app).in_profile(profile)
        if (app, loaded.profile) not in self._stores:
            if loaded.app.reference is not None:
                # Now, as within a call it would take that call's time.
                load_reference(loaded.app.reference, self.data / "starts")
            self._stores[app, loaded.profile] = Store(loaded, self.data)
        return self._stores[app, loaded.profile]

    def free_id(self) -> str:
        """Return an id that no episode has, in this process or another one on the folder."""
        return f"local{os.getpid()}-{next(_numbers)}"

    def add(self, settings: Settings) -> LocalSession:
        """Write down an episode, whose contexts are yet to be made."""
        folder = self.data / "episodes" / settings.id
        folder.mkdir(parents=True)
        settings.save(folder)
        return LocalSession(self, settings, folder)

    def create(
        self,
        world: str | None,
        apps: Iterable[str],
        *,
        seed: int = 0,
        me: str | None = None,
        now: str | None = None,
        menu: Menu | None = None,
        calls_max: int | None = None,
        profile: str = LATEST,
        token_sha256: str | None = None,
        rows: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    ) -> LocalSession:
        """Return a fresh episode at the world's start, or at the time ``now``; all is checked as a farm checks it.

        Args:
            world: the world, or None for empty contexts.
            me: who it is played as; the world's protagonist when absent.
            now: when the clock starts, or ``live``.
            menu: which tools there are: a menu's name, or app → a menu's name or a list of tools.
            calls_max: how many calls it takes.
            token_sha256: hash of the bearer that a server is to ask for.
            rows: app → rows beside the world's own, each with its ``table``; ``me`` may be of them without a world.

        Raises:
            NotFound: there is no such world, app, tool, menu, profile or person.
            FarmError: a value has the wrong form, or a row does not fit.
        """
        chosen = tuple(sorted(set(apps)))
        for app in chosen:
            content.require_app(app)
        if not chosen:
            raise FarmError(f"an episode has at least one app; have {', '.join(content.app_names())}")
        added = rows or {}
        for app in added:
            if app not in chosen:
                raise NotFound(f"there are rows for '{app}', and no such app here; it has {', '.join(chosen)}")
        is_of_rows = world is None and me is not None and bool(added)
        wishes = {
            "apps": list(chosen),
            "seed": seed,
            "me": None if is_of_rows else me,
            "menu": menu,
            "profile": profile,
            "calls_max": calls_max,
        }
        settings = settings_for(
            {**wishes, "now": now or (NOW if world is None else None)},
            episode_id=self.free_id(),
            world=world,
            apps={*content.app_names(), *chosen},
            token_sha256=token_sha256,
        )
        if me is not None and is_of_rows:
            for app, first in added.items():
                require_holder(load_app(app).schema.account, first, app, me)
            settings = replace(settings, me=me)
        with self.lock:
            # All of them before the first is written, as a row may not fit.
            starts = {
                app: self.store(app, settings.profile).starts.build(world, settings.shift_days, first)
                for app, first in added.items()
            }
            session = self.add(settings)
            for app in chosen:
                session.store(app).create(session.id, starts.get(app))
        return session

    def close(self) -> None:
        """Close what is open."""
        with self.lock:
            for store in self._stores.values():
                store.close_all()
