"""Episodes in this process: for plays, tests, and the audit, which replays hundreds of scripts."""

from __future__ import annotations

import itertools
import os
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from farm import content
from farm._util.json_io import loads
from farm._util.names import list_names
from farm.appkit.app import LATEST
from farm.content import load_app
from farm.context.changes import Changes
from farm.context.clock import Arrivals, list_arrivals, wall_ms
from farm.context.context import Context
from farm.context.episode_request import ClockMove, ClockProgress, rule_checker, settings_for
from farm.context.open_contexts import OpenContexts
from farm.context.people_listing import list_people
from farm.context.reference import load_reference
from farm.context.settings import Settings
from farm.context.store import ROWS_MAX, Store
from farm.context.template import load_world, require_holder
from farm.context.trace import Call, in_order, to_call
from farm.context.waiting import Notices, carry, notices_of, notified, settle, wait_in, wait_limit_ms
from farm.errors import ConflictError, FarmError, NotFoundError
from farm.server.deadline import Alarm
from farm.server.pipeline import Outcome, call

if TYPE_CHECKING:
    from farm.server.episode_gate import EpisodeGates

# The start of the clock of an episode without a world.
NOW = "2026-03-09T09:00:00+08:00"
_OPEN_MAX = 1024  # over all apps and farms of a process
_numbers = itertools.count(1)
Menu = str | Mapping[str, str | list[str]]


class LocalSession:
    """One episode, called in process.

    Attributes:
        token: the bearer that its servers require; None if it is not served.
        tokens: person → their bearer, for the people who act beside ``me``.
    """

    def __init__(
        self,
        farm: LocalFarm,
        settings: Settings,
        folder: Path,
        token: str | None = None,
        tokens: Mapping[str, str] | None = None,
    ) -> None:
        self.id = settings.id
        self.now = settings.now
        self.settings = settings
        self.token = token
        self.tokens = tokens or {}
        self._farm = farm
        self._lock = farm.lock
        self._folder = folder
        self._stores = {app: farm.store(app, settings.profile) for app in settings.apps}
        self._menus = {app: frozenset(tools) for app, tools in settings.menu.items()}
        self._zone = _zone_of(settings)

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

    def outcome(self, app: str, tool: str, arguments: Any, person: str | None = None) -> Outcome:
        """Run one call as a server would and return its full outcome.

        Args:
            app: the app.
            tool: the name of its tool.
            arguments: the tool's arguments.
            person: who calls: the key of a person with an account there, or, without a world, an account's id; None
                for the person whom the agent works for.

        Raises:
            NotFoundError: nobody of that name has an account in the app.
        """
        if person == self.settings.me:
            person = None
        store = self.store(app)
        with self._lock:
            context, menu = store.open(self.id), self._menus.get(app)
            if store.loaded.app.companion:
                with self._farm.waited(self.settings, context, tool, arguments, menu, person):
                    return call(context, tool, arguments, menu, alarm=self._farm.alarm, person=person)
            outcome = call(context, tool, arguments, menu, alarm=self._farm.alarm, person=person)
            if context.has_outgoing:
                carry(self._stores, self.id)
        if outcome.delivery is not None:
            time.sleep(outcome.delivery.delay_s)  # other callers use the contexts meanwhile
        return outcome

    def apps_of(self, person: str) -> tuple[str, ...]:
        """Return the apps that a person can use, and those without accounts.

        Raises:
            NotFoundError: nobody of that name has an account in any app with accounts.
        """
        with self._farm.opening():
            contexts = {app: store.open(self.id) for app, store in self._stores.items()}
            found = {app: context.find_account(person) for app, context in contexts.items()}
            can_use = {app for app, account in found.items() if account is not None and contexts[app].admits(account)}
        if not any(found.values()):
            people = sorted({each for store in self._stores.values() for each in store.open(self.id).people()})
            have = list_names(people, person) or "nobody"
            raise NotFoundError(f"'{person}' has no account in {', '.join(self._stores)}; have {have}")
        return tuple(app for app in found if app in can_use)

    def call(self, app: str, tool: str, arguments: Mapping[str, Any], person: str | None = None) -> dict[str, Any]:
        """Call one tool and return its CallToolResult, or ``{"error": …}``."""
        outcome = self.outcome(app, tool, arguments, person)
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
        if to < self.clock():
            raise FarmError("a clock only moves forward; restore a snapshot to go back")
        self.move_clock(to=to.isoformat())
        return self.clock()

    def move_clock(self, **move: Any) -> list[dict[str, Any]]:
        """Move the simulated time in every app, and return what arrived meanwhile, in order.

        Args:
            move: one of ``advance_s`` (seconds), ``to`` (RFC 3339), ``next`` (the next arrival) and ``quiet`` (the
                last), or a ``rate``: seconds of simulated time in a second.
        """
        wish, came = ClockMove.read(move), Arrivals()
        with self._farm.opening():
            progress = ClockProgress(wish, settle(self._stores, self.id))
            while (step := progress.next_step()) is not None:
                at_ms, (to_ms, rate) = wall_ms(), (step.to_ms, step.rate)
                came.add({app: store.set_clock(self.id, to_ms, rate, at_ms) for app, store in self._stores.items()})
                progress.standing = settle(self._stores, self.id)
        return list_arrivals(came.by_app, self._zone)

    def faults(self) -> list[dict[str, Any]]:
        """Return every planned fault with its app and counts."""
        with self._farm.opening():
            return [
                {"app": app, **rule.show()} for app, store in self._stores.items() for rule in store.faults(self.id)
            ]

    def add_fault(self, app: str, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Plan a fault of an app and return it.

        Raises:
            NotFoundError: the episode does not have the app.
            FarmError: the rule is wrong, or the app has no words for it.
        """
        with self._farm.opening():
            return {"app": app, **self.store(app).add_fault(self.id, rule).show()}

    def heal_fault(self, app: str, fault: str) -> dict[str, Any]:
        """End a planned fault and return it."""
        with self._farm.opening():
            for gates in self._farm.gates:
                if (gate := gates.known.get(self.id)) is not None:
                    gate.revive()
            return {"app": app, **self.store(app).heal_fault(self.id, fault).show()}

    def renew_token(self) -> str:
        """Issue a new bearer in place of the episode's, which is refused from then on, and return it.

        Planned faults by which the old one has expired are over.
        """
        with self._farm.opening():
            self.token = secrets.token_urlsafe(24)
            self.settings = self.settings.with_new_bearer(sha256(self.token.encode()).hexdigest())
            self.settings.replace_in(self._folder)
            for store in self._stores.values():
                store.read_settings_again(self.id)
                store.end_expiry(self.id)
            for gates in self._farm.gates:
                if (gate := gates.known.get(self.id)) is not None:
                    gate.let_in(self.settings)
        return self.token

    def people(self) -> dict[str, Any]:
        """Return the ``rules`` of people who answer, what is ``waiting``, and what they have ``acted``, in order."""
        with self._farm.opening():
            carry(self._stores, self.id)
            told = {app: store.people(self.id) for app, store in self._stores.items()}
        return list_people(told, self._zone)

    def add_person_rule(self, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Let a person answer from now on, and return the rule with its id.

        Raises:
            NotFoundError: a person, app, table, column or verb does not exist.
            FarmError: the rule is wrong.
        """
        with self._farm.opening():
            world = load_world(self.settings.world) if self.settings.world else None
            taken = [each for store in self._stores.values() for each in store.person_rules(self.id)]
            made = rule_checker(world, self.apps, self.settings.rows, taken, self.settings.shift_days).add(rule)
            self.store(made["when"]["app"]).add_person_rule(self.id, made)
        return made

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
            copy = self._farm.add(replace(self.settings, id=self._farm.free_id()), self.token, self.tokens)
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


def _zone_of(settings: Settings) -> ZoneInfo:
    return load_world(settings.world).zone if settings.world else ZoneInfo("UTC")


def _hash_of(token: str | None) -> str | None:
    return None if token is None else sha256(token.encode()).hexdigest()


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
        gates: the gates of every server.
    """

    def __init__(self, data: Path, alarm: Alarm | None = None, port: Callable[[str, str], int] | None = None) -> None:
        self.data = data
        self.alarm = alarm
        self.port = port
        self.lock = _process.lock
        self._contexts = _process.contexts
        self._stores: dict[tuple[str, str], Store] = {}
        self.gates: list[EpisodeGates] = []

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

    @contextmanager
    def waited(
        self,
        settings: Settings,
        context: Context,
        tool: str,
        arguments: Any,
        menu: frozenset[str] | None,
        person: str | None,
    ) -> Iterator[None]:
        """Make a companion's call inside after its wait; the lock is held."""
        limit_ms = wait_limit_ms(context, tool, arguments, menu)
        with notified(context, None if limit_ms is None else self.wait(settings, limit_ms, person)):
            yield

    def wait(self, settings: Settings, until_ms: int, person: str | None) -> Notices:
        """Move an episode's clock to a limit, or to the first notice of a person; return what they are notified of."""
        return wait_in(self._stores_of(settings), settings.id, _zone_of(settings), until_ms, person)

    def notices(self, settings: Settings, person: str | None) -> Notices:
        """Return what a person was notified of since an episode began, in order."""
        came = {app: store.arrived(settings.id, person) for app, store in self._stores_of(settings).items()}
        return notices_of(list_arrivals(came, _zone_of(settings)))

    def _stores_of(self, settings: Settings) -> dict[str, Store]:
        return {app: self.store(app, settings.profile) for app in settings.apps}

    def free_id(self) -> str:
        """Return an id that no episode on the folder has, in this or another process."""
        return f"local{os.getpid()}-{next(_numbers)}"

    def add(
        self, settings: Settings, token: str | None = None, tokens: Mapping[str, str] | None = None
    ) -> LocalSession:
        """Write an episode's settings; its contexts are created later."""
        folder = self.data / "episodes" / settings.id
        try:
            os.mkdir(folder)
        except FileNotFoundError:
            os.makedirs(folder)
        settings.save(folder)
        return LocalSession(self, settings, folder, token, tokens)

    def create(
        self,
        world: str | None,
        apps: Iterable[str],
        *,
        seed: int = 0,
        me: str | Sequence[str] | None = None,
        now: str | None = None,
        menu: Menu | None = None,
        calls_max: int | None = None,
        expires_at: str | None = None,
        profile: str = LATEST,
        rows: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
        files: Mapping[str, Mapping[str, Mapping[str, str]]] | None = None,
        faults: Sequence[Mapping[str, Any]] | None = None,
        people: Sequence[Mapping[str, Any]] | None = None,
        world_people: bool | None = None,
        arrivals: bool = False,
        pace: str | None = None,
        user: Mapping[str, Any] | None = None,
    ) -> LocalSession:
        """Create an episode at the world's start, or at the time ``now``, with the same validation as on a farm.

        Args:
            world: the world, or None for empty contexts.
            me: the person whose accounts the agent uses; None for the world's protagonist. Several people act in one
                episode; the agent works for the first.
            now: when the clock starts, or ``live``.
            menu: the tools: a menu's name, or app → a menu's name or a list of tools.
            calls_max: the maximum of calls.
            expires_at: the time, RFC 3339, after which calls are refused.
            rows: app → additional rows, each with its ``table``; without a world, ``me`` may be one of them.
            files: app → path → ``{"text": …}`` or ``{"base64": …}``, as the control API takes them.
            faults: planned faults, each with its ``app``, as the control API takes them.
            people: rules of people who answer, as the control API takes them.
            world_people: whether the world's own people answer; default: if the clock is live.
            arrivals: whether scheduled rows arrive although the clock is frozen.
            pace: how much simulated time a call takes, such as ``30s``.
            user: how the person whom the agent works for answers questions, as the control API takes it.

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
            "me": None if is_of_rows else me if me is None or isinstance(me, str) else list(me),
            "menu": menu,
            "profile": profile,
            "calls_max": calls_max,
            "expires_at": expires_at,
            "rows": rows,
            "files": files,
            "faults": None if faults is None else [*faults],
            "people": None if people is None else [*people],
            "world_people": world_people,
            "arrivals": arrivals,
            "pace": pace,
            "user": user,
        }
        token = None if self.port is None else secrets.token_urlsafe(24)
        further = () if me is None or isinstance(me, str) or token is None else me[1:]
        tokens = {person: secrets.token_urlsafe(24) for person in further}
        settings = settings_for(
            {**wishes, "now": now or (NOW if world is None else None)},
            episode_id=self.free_id(),
            world=world,
            # Every app of the farm is read only for a profile that the chosen ones may lack.
            apps=chosen if profile == LATEST else {*content.app_names(), *chosen},
            token_sha256=_hash_of(token),
            further_sha256=lambda person: _hash_of(tokens.get(person)),
        )
        if me is not None and is_of_rows:
            acting = [me] if isinstance(me, str) else list(dict.fromkeys(me))
            for person in acting:
                for app, first in settings.rows.items():
                    require_holder(load_app(app).schema.account, first, app, person)
            settings = replace(settings, me=acting[0])
        with self.lock:
            # All are built before the first is written, as a row may not fit.
            starts = {
                app: self.store(app, settings.profile).starts.build(world, settings.shift_days, added)
                for app, added in settings.rows.items()
            }
            session = self.add(settings, token, tokens)
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
