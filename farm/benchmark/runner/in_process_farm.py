"""Episodes in this process: for plays, tests, and the audit, which replays hundreds of scripts."""

from __future__ import annotations

import itertools
import os
import secrets
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from farm import content
from farm._util.json_io import loads
from farm.appkit.app import LATEST
from farm.content import load_app
from farm.context.changes import Changes
from farm.context.episode_request import settings_for
from farm.context.open_contexts import OpenContexts
from farm.context.reference import load_reference
from farm.context.settings import CLOCK_MS_MAX, Settings
from farm.context.store import ROWS_MAX, Store
from farm.context.template import load_world, require_holder
from farm.context.trace import Call, in_order, to_call
from farm.errors import ConflictError, FarmError, NotFoundError
from farm.server.deadline import Alarm
from farm.server.pipeline import Outcome, call

# The start of the clock of an episode without a world.
NOW = "2026-03-09T09:00:00+08:00"
_OPEN_MAX = 1024  # over all apps and farms of a process
_numbers = itertools.count(1)
Menu = str | Mapping[str, str | list[str]]


class LocalSession:
    """One episode, called in process.

    Attributes:
        token: the bearer that its servers require; None if it is not served.
    """

    def __init__(self, farm: LocalFarm, settings: Settings, folder: Path, token: str | None = None) -> None:
        self.id = settings.id
        self.now = settings.now
        self.settings = settings
        self.token = token
        self._farm = farm
        self._lock = farm.lock
        self._folder = folder
        self._stores = {app: farm.store(app, settings.profile) for app in settings.apps}
        self._menus = {app: frozenset(tools) for app, tools in settings.menu.items()}
        self._zone = load_world(settings.world).zone if settings.world else ZoneInfo("UTC")

    def store(self, app: str) -> Store:
        """Return the state engine of one of the episode's apps.

        Raises:
            NotFoundError: the episode does not have the app.
        """
        if app not in self._stores:
            raise NotFoundError(f"episode '{self.id}' has no app '{app}'; it has {', '.join(self._stores)}")
        return self._stores[app]

    @property
    def apps(self) -> tuple[str, ...]:
        """The apps that it has."""
        return self.settings.apps

    @property
    def urls(self) -> Mapping[str, str]:
        """App → URL of its MCP server, which starts on first use; empty if the farm serves none."""
        return {} if self._farm.port is None else {app: self.url(app) for app in self.apps}

    def url(self, app: str) -> str:
        """Return the URL of an app's MCP server on this machine's own address; it starts when first asked for.

        Raises:
            NotFoundError: the episode does not have the app.
        """
        self.store(app)
        assert self._farm.port is not None
        return f"http://127.0.0.1:{self._farm.port(app, self.settings.profile)}/mcp/{self.id}"

    def tools(self, app: str) -> list[dict[str, Any]]:
        """Return the app's tools as ``tools/list`` answers, those of the episode's menu."""
        listed = self.store(app).loaded.tool_schemas
        menu = self._menus.get(app)
        return [tool for tool in listed if menu is None or tool["name"] in menu]

    def outcome(self, app: str, tool: str, arguments: Any) -> Outcome:
        """Run one call as a server would and return its full outcome."""
        with self._lock:
            return call(self.store(app).open(self.id), tool, arguments, self._menus.get(app), alarm=self._farm.alarm)

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call one tool and return its CallToolResult, or ``{"error": …}``."""
        outcome = self.outcome(app, tool, arguments)
        parsed: dict[str, Any] = loads(outcome.result)
        return {"error": parsed} if outcome.is_protocol_error else parsed

    def changes(self, since: str = "start") -> Changes:
        """Return the changes since the start or a snapshot, including reverted ones."""
        with self._farm.opening():
            return Changes(
                {app: rows for app, store in self._stores.items() if (rows := store.diff(self.id, since))},
                {app: rows for app, store in self._stores.items() if (rows := store.reverted(self.id, since))},
            )

    def diff(self, since: str = "start") -> dict[str, Any]:
        """Return app → table → rows that changed since the start or a snapshot, without unchanged apps and tables."""
        with self._farm.opening():
            return {app: rows for app, store in self._stores.items() if (rows := store.diff(self.id, since))}

    def calls(self) -> list[Call]:
        """Return the trace over all apps in order."""
        with self._farm.opening():
            entries = in_order({app: store.calls(self.id) for app, store in self._stores.items()})
            return [to_call(n, app, entry, self._zone) for n, (app, entry) in enumerate(entries, 1)]

    def rows(self, app: str, table: str) -> list[dict[str, Any]]:
        """Return every row of a table, by its key.

        Raises:
            NotFoundError: the app or table does not exist; the message lists the existing ones.
        """
        found: list[dict[str, Any]] = []
        with self._farm.opening():
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
        with self._farm.opening():
            return max(store.clock_ms(self.id) for store in self._stores.values())

    def set_clock(self, to: datetime) -> datetime:
        """Move the simulated time forward, to the same moment in every app, and return it."""
        if to.tzinfo is None:
            raise FarmError(f"{to.isoformat()} needs an offset from UTC, such as {to.isoformat()}+08:00")
        to_ms = (to - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
        with self._farm.opening():
            if to_ms < self._clock_ms():
                raise FarmError("a clock only moves forward; restore a snapshot to go back")
            if to_ms > CLOCK_MS_MAX:
                raise FarmError("simulated time runs from 1970 to 9998; choose a time in between")
            for store in self._stores.values():
                store.set_clock(self.id, to_ms)
        return self.clock()

    def snapshot(self, name: str | None = None) -> str:
        """Save every app's context under a name, and return it."""
        with self._farm.opening():
            taken = {each for store in self._stores.values() for each in store.snapshots(self.id)}
            chosen = name or next(each for n in itertools.count(1) if (each := f"s{n}") not in taken)
            if chosen in taken or chosen == "start":
                raise ConflictError(f"episode '{self.id}' has a snapshot '{chosen}' already; choose another name")
            for store in self._stores.values():
                store.snapshot(self.id, chosen)
        return chosen

    def restore(self, name: str) -> None:
        """Restore rows, calls and clock from a snapshot."""
        with self._farm.opening():
            for store in self._stores.values():
                store.verify(self.id, name)
            for store in self._stores.values():
                store.restore(self.id, name)

    def fork(self, snapshot: str | None = None) -> LocalSession:
        """Return an independent copy of the current episode, or of a snapshot."""
        with self._farm.opening():
            # The same bearer opens both, as whoever holds one may see its copies.
            copy = self._farm.add(replace(self.settings, id=self._farm.free_id()), self.token)
            for store in self._stores.values():
                store.fork(self.id, copy.id, snapshot)
        return copy

    def over_limit(self) -> int:
        """Return the number of calls refused as over the limit."""
        with self._farm.opening():
            opened = (store.open(self.id).limits for store in self._stores.values())
            return sum(limits.refused for limits in opened if limits is not None)

    def close(self) -> None:
        """Drop the episode."""
        with self._lock:
            for store in self._stores.values():
                store.drop(self.id)
            _remove(self._folder)


def _remove(folder: Path) -> None:
    """Remove the folder of an episode that has no context any more."""
    try:
        for name in os.listdir(folder):
            os.unlink(f"{folder}/{name}")
        os.rmdir(folder)
    except OSError:  # it has the folders of snapshots, or somebody else removes it as well
        shutil.rmtree(folder, ignore_errors=True)


class _Process:
    """The state that all farms of a process share, as a process has one limit of descriptors.

    Attributes:
        lock: held while a context is used.
        contexts: the open contexts.
    """

    def __init__(self) -> None:
        self.begin()
        if hasattr(os, "register_at_fork"):
            # Another thread of the parent may hold the lock, and SQLite's connections do not survive a fork.
            os.register_at_fork(after_in_child=self.begin)

    def begin(self) -> None:
        """Share a new lock among the farms made from now on, and no open context."""
        self.lock = threading.RLock()
        self.contexts = OpenContexts(_OPEN_MAX)


_process = _Process()


def require_descriptors() -> None:
    """Make sure that this process can open some files; close contexts of any of its farms if necessary.

    Raises:
        DescriptorsExhaustedError: it cannot.
    """
    with _process.lock:
        _process.contexts.require_descriptors()


class LocalFarm:
    """Creates episodes below a data folder, which several farms may share.

    Attributes:
        lock: held while a context is used, as servers on other threads may use it, too. All farms of a process share
            it, as a context of one farm may be closed so that another farm can open its own.
        alarm: the alarm of calls that time out, or None.
        port: returns the port of the server of an app in a profile; None if nothing is served.
    """

    def __init__(self, data: Path, alarm: Alarm | None = None, port: Callable[[str, str], int] | None = None) -> None:
        self.data = data
        self.alarm = alarm
        self.port = port
        self.lock = _process.lock
        self._contexts = _process.contexts
        self._stores: dict[tuple[str, str], Store] = {}

    @contextmanager
    def opening(self) -> Iterator[None]:
        """Hold the lock for something that opens files.

        Raises:
            DescriptorsExhaustedError: the system lets this process open no further file.
        """
        with self.lock:
            self._contexts.require_descriptors()
            yield

    def store(self, app: str, profile: str = LATEST) -> Store:
        """Return the state engine of an app; an app that does not define the profile falls back to ``latest``."""
        loaded = load_app(app).in_profile(profile)
        if (app, loaded.profile) not in self._stores:
            if loaded.app.reference is not None:
                # Loaded here, so that the first call does not pay for it.
                load_reference(loaded.app.reference, self.data / "starts")
            self._stores[app, loaded.profile] = Store(loaded, self.data, contexts=self._contexts, reuses_files=True)
        return self._stores[app, loaded.profile]

    def free_id(self) -> str:
        """Return an id that no episode on the folder has, in this or another process."""
        return f"local{os.getpid()}-{next(_numbers)}"

    def add(self, settings: Settings, token: str | None = None) -> LocalSession:
        """Write an episode's settings; its contexts are created later."""
        folder = self.data / "episodes" / settings.id
        try:
            os.mkdir(folder)
        except FileNotFoundError:
            os.makedirs(folder)
        settings.save(folder)
        return LocalSession(self, settings, folder, token)

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
        expires_at: str | None = None,
        profile: str = LATEST,
        rows: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
        files: Mapping[str, Mapping[str, Mapping[str, str]]] | None = None,
    ) -> LocalSession:
        """Create an episode at the world's start, or at the time ``now``, with the same validation as on a farm.

        Args:
            world: the world, or None for empty contexts.
            me: the person whose accounts the agent uses; None for the world's protagonist.
            now: when the clock starts, or ``live``.
            menu: the tools: a menu's name, or app → a menu's name or a list of tools.
            calls_max: the maximum of calls.
            expires_at: the time, RFC 3339, after which calls are refused.
            rows: app → additional rows, each with its ``table``; without a world, ``me`` may be one of them.
            files: app → path → ``{"text": …}`` or ``{"base64": …}``, as the control API takes them.

        Raises:
            NotFoundError: a world, app, tool, menu, profile or person does not exist.
            FarmError: a value has the wrong form, or a row does not fit.
            DescriptorsExhaustedError: the system lets this process open no further file.
        """
        require_descriptors()
        chosen = tuple(sorted(set(apps)))
        for app in chosen:
            content.require_app(app)
        if not chosen:
            raise FarmError(f"an episode has at least one app; have {', '.join(content.app_names())}")
        is_of_rows = world is None and me is not None and bool(rows)
        wishes = {
            "apps": list(chosen),
            "seed": seed,
            "me": None if is_of_rows else me,
            "menu": menu,
            "profile": profile,
            "calls_max": calls_max,
            "expires_at": expires_at,
            "rows": rows,
            "files": files,
        }
        token = None if self.port is None else secrets.token_urlsafe(24)
        settings = settings_for(
            {**wishes, "now": now or (NOW if world is None else None)},
            episode_id=self.free_id(),
            world=world,
            # Every app of the farm is read only for a profile that the chosen ones may lack.
            apps=chosen if profile == LATEST else {*content.app_names(), *chosen},
            token_sha256=token and sha256(token.encode()).hexdigest(),
        )
        if me is not None and is_of_rows:
            for app, first in settings.rows.items():
                require_holder(load_app(app).schema.account, first, app, me)
            settings = replace(settings, me=me)
        with self.lock:
            # All are built before the first is written, as a row may not fit.
            starts = {
                app: self.store(app, settings.profile).starts.build(world, settings.shift_days, added)
                for app, added in settings.rows.items()
            }
            session = self.add(settings, token)
            # Rows of one's own are read as they were written, for resets.
            known = None if settings.rows else settings
            for app in chosen:
                session.store(app).create(session.id, starts.get(app), known)
        return session

    def close(self) -> None:
        """Close all open contexts."""
        with self.lock:
            for store in self._stores.values():
                store.close_all()
