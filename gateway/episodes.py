"""The operations on episodes, each over all their apps at once."""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
import secrets
import shutil
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from farm import __version__, content
from farm.context import limits, person_acts
from farm.context.changes import begin_of
from farm.context.clock import Arrivals, Standing, list_arrivals, wall_ms
from farm.context.corrupt_file import CorruptFileError
from farm.context.episode_request import (
    HOLDERS_MAX,
    ClockMove,
    ClockProgress,
    apps_of_further,
    profile_of,
    require_shift,
    rule_checker,
    settings_for,
)
from farm.context.files import EXPORTS, EpisodeFiles
from farm.context.log import Sealed
from farm.context.people_listing import list_people
from farm.context.settings import DEFAULT, LIVE, Settings, bearer, bearer_sha256, wall_time
from farm.context.template import load_world
from farm.context.trace import Call
from farm.context.waiting import Notices, OnStep, notices_of
from farm.errors import ConflictError, FarmError, InternalError, NotFoundError, UnauthorizedError, UnavailableError
from farm.runtime.maintenance.work_folders import IMPORTS

from .app_client import AppClient
from .config import GatewayConfig, worker_of
from .judging import CheckJob, Judging
from .merge_trace import Orders, trace
from .quotas import Quotas
from .recovery import find_episodes
from .registry import Intent, Registry, Snapshot, UnwritableRegistryError

FORKS_MAX = 1000
_MADE_HERE = ("episode.json", "episode.json.tmp", limits.FILE)  # an import does not contain these
_TABLE = re.compile(r"[A-Za-z0-9_]{1,128}")
_LOOKED_AT_ONCE = 100
_STALE_BEARERS_MAX = 1000
_VERIFIED_MAX = 20  # newest snapshots that are tried: verifying one reads it
_logger = logging.getLogger("gateway")

View = dict[str, Any]


class Episodes:
    """The episodes of this farm."""

    def __init__(
        self, config: GatewayConfig, registry: Registry, apps: AppClient, judging: Judging | None = None
    ) -> None:
        self._config = config
        self._registry = registry
        self._apps = apps
        self._folder = config.data / "episodes"
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._settings: dict[str, Settings] = {}
        self._by_bearer: dict[str, str] = {}  # hash of a bearer → its episode
        self._indexed: set[str] = set()
        self._searched: set[str] = set()  # episodes whose further people's bearers are indexed
        self._left: list[Intent] = []
        self._quotas = Quotas(config.data, config.episodes_max, config.disk_max)
        self._orders = Orders()
        # New episodes go to the workers in turn.
        self._workers = itertools.cycle(range(config.workers))
        # Started by the first check: a farm without checks has no such process.
        self.judging = judging or Judging(config, apps.since_ns)

    async def load(self) -> None:
        """Load the registry, or rebuild a lost one from the folders; episodes can be reached from here on."""
        self._left = list(await self._registry.open())
        # An empty registry is new, or belonged to a gateway that was killed before it read the folders.
        knows_nothing = not self._registry.apps and not self._left
        if knows_nothing and (found := find_episodes(self._folder)):
            await self._registry.add_found(found)
            _logger.warning("registry.db had no episodes; found %d in their folders", len(found))

    async def recover(self) -> None:
        """Finish what a crash interrupted and create the default episode if configured; may be called again.

        Raises:
            UnavailableError: an app does not answer, so work remains.
        """
        while self._left:
            await self._finish(self._left[0])
            self._left.pop(0)
        if self._config.has_default:
            try:
                await self._require_default()
            except UnavailableError:
                raise
            except (FarmError, OSError) as problem:
                _logger.error("there is no default episode: %s", problem)

    async def _require_default(self) -> None:
        """Create the default episode if it is missing, and add every app of this farm that it lacks."""
        folder, here = self._folder / DEFAULT, self._apps.apps
        if not (folder / "episode.json").is_file():
            self._write(
                settings_for(
                    {"now": LIVE},
                    episode_id=DEFAULT,
                    world=self._config.world,
                    apps=here,
                    token_sha256=self._token_sha256(DEFAULT) if self._config.guards_default else None,
                )
            )
        # The episode may exist: an app served alone made it, the registry was lost, or an app is new. Keep its files.
        settings, known = Settings.load(folder), self._registry.apps.get(DEFAULT)
        missing = [app for app in here if known is None or app not in known]
        if known is None or missing:
            await self._apps.ask_all(missing, "POST", f"/episodes/{DEFAULT}/create")
            apps = tuple(sorted({*settings.apps, *(known or ()), *here}))
            await self._registry.put_episode(DEFAULT, apps, settings.created_at or wall_time())

    async def _finish(self, intent: Intent) -> None:
        """Complete or undo one operation that a killed gateway left unfinished."""
        _logger.warning("finishing '%s' of episode %s, which was interrupted", intent.action, intent.episode_id)
        try:
            await self._complete(intent)
        except UnavailableError:
            raise
        except ConflictError as conflict:
            # This farm lacks some of its apps; a farm that has them finishes it.
            _logger.warning("left for another start: %s", conflict)
            return
        except (FarmError, OSError) as problem:
            _logger.error("'%s' of episode %s cannot be finished: %s", intent.action, intent.episode_id, problem)
        await self._registry.done(intent.id)

    async def _complete(self, intent: Intent) -> None:
        episode_id, detail = intent.episode_id, intent.detail
        match intent.action:
            case "create" | "fork":
                # No client has received their ids, so they are removed.
                for made in detail.get("targets", [episode_id]):
                    await self._remove(made, tuple(detail["apps"]))
            case "import" if episode_id not in self._registry.apps:
                self._give_back(episode_id, self._config.data / IMPORTS / detail["folder"])
            case "drop":
                await self._remove(episode_id, tuple(detail["apps"]))
                await self._registry.drop_episode(episode_id)
            case "snapshot":
                # Once every app has seen this gateway's start, no app still writes its part for the old gateway.
                with suppress(NotFoundError, CorruptFileError):
                    await self._apps.ask_all(self.running(episode_id), "POST", f"/episodes/{episode_id}/release")
                self._remove_snapshot(episode_id, detail["stored_as"])
            case "clock" if episode_id in self._registry.apps:
                async with self._locked(episode_id) as apps, self._apps.held(episode_id, apps):
                    # Calls may have come after some apps' clocks were moved, so those clocks may be later by now.
                    told = await self._ask(episode_id, "GET", "clock")
                    rate = detail.get("rate")
                    behind = [
                        app
                        for app, answer in told.items()
                        if int(answer["clock_ms"]) < detail["to_ms"] or rate not in (None, answer["rate"])
                    ]
                    await self._apps.ask_all(behind, "POST", f"/episodes/{episode_id}/clock", detail)
            case "reset" | "restore" if episode_id in self._registry.apps:
                body = {"snapshot": detail["snapshot"]} if intent.action == "restore" else None
                async with self._locked(episode_id) as apps:
                    await self._ask_all_apps(episode_id, apps, intent.action, body)

    async def run_maintenance(self) -> None:
        """Remove expired episodes, and do what failed while the disk was full; called periodically."""
        with suppress(UnwritableRegistryError):
            await self._registry.tidy()
        await self._carry_called()
        latest = time.time() - self._config.expired_retention_s
        for number, episode_id in enumerate([*self._registry.apps]):
            if not number % _LOOKED_AT_ONCE:
                await asyncio.sleep(0)
            with suppress(FarmError, OSError):  # dropped meanwhile, broken, or an app is down: tried again next time
                expires_s = self.settings(episode_id).expires_s
                if expires_s is not None and expires_s < latest and episode_id != DEFAULT:
                    await self.drop(episode_id)
                    _logger.warning("episode %s is removed: it expired %.0f s ago", episode_id, time.time() - expires_s)

    def _own_count(self) -> int:
        return len(self._registry.apps.keys() - {DEFAULT})

    # -- reading -------------------------------------------------------------------------------------------------

    async def status(self) -> View:
        """Return the farm's settings and the health of every worker of every app."""
        found = await self._apps.health()
        apps = [
            {"app": app, "worker": worker, "ready": told is not None, "tools": content.tool_count(app)}
            for app, workers in found.items()
            for worker, told in enumerate(workers)
        ]
        return {
            "version": __version__,
            "cell": self._config.cell,
            "episodes": len(self._registry.apps),
            "apps": apps,
        }

    def every(self) -> Iterator[View]:
        """Yield every episode, oldest first."""
        for episode_id in list(self._registry.apps):
            # A folder that was deleted by hand, damaged or dropped meanwhile must not hide the other episodes.
            with suppress(NotFoundError, CorruptFileError):
                yield self._view(self.settings(episode_id))

    async def get(self, episode_id: str) -> View:
        """Return one episode with its clock and its number of calls; ``now`` is the time that it was created with.

        An app with a broken or unreadable file is listed as broken and does not hide the others.

        Raises:
            InternalError: no app can be shown.
        """
        told = await self._apps.ask_each(self._here(episode_id), "GET", f"/episodes/{episode_id}")
        broken = {app: answer for app, answer in told.items() if isinstance(answer, InternalError)}
        answers = {app: answer for app, answer in told.items() if not isinstance(answer, InternalError)}
        if not answers:
            raise next(iter(broken.values()))
        calls = {app: answer["calls"] for app, answer in answers.items()}
        return {
            **self._view(self.settings(episode_id)),
            "calls": sum(calls.values()),
            "calls_by_app": calls,
            "over_limit": sum(answer["over_limit"] for answer in answers.values()),
            "broken": {app: str(problem) for app, problem in broken.items()},
            "clock": self._latest_clock(episode_id, answers),
        }

    async def with_recovery_hint(self, episode_id: str, broken: CorruptFileError) -> CorruptFileError:
        """Return the error, with the newest snapshot that provably restores the episode, if there is one."""
        with suppress(FarmError):
            Settings.load(self._folder / episode_id)  # without its settings an episode cannot be restored
            apps, taken = self.apps_of(episode_id), self._registry.snapshots(episode_id)
            for name in [*taken][: -_VERIFIED_MAX - 1 : -1] if self.running(episode_id) == apps else ():
                with suppress(CorruptFileError):
                    await self._verify_snapshot(episode_id, apps, taken[name].stored_as, reads_calls=True)
                    return CorruptFileError(f"{broken}; snapshot '{name}' can be restored")
        return broken

    def settings(self, episode_id: str) -> Settings:
        """Return the settings that an episode was created with.

        Raises:
            NotFoundError: there is no such episode.
        """
        self.apps_of(episode_id)
        if episode_id not in self._settings:
            self._settings[episode_id] = Settings.load(self._folder / episode_id)
        return self._settings[episode_id]

    def apps_of(self, episode_id: str) -> tuple[str, ...]:
        """Return the apps of an episode.

        Raises:
            NotFoundError: there is no such episode.
        """
        apps = self._registry.apps.get(episode_id)
        if apps is None:
            if labelled := self._labelled(episode_id):
                raise NotFoundError(
                    f"no episode '{episode_id}'; that is a label of {labelled}, and episodes go by their ids"
                )
            count = len(self._registry.apps)
            some = ", ".join(list(self._registry.apps)[:5]) or "none"
            raise NotFoundError(f"no episode '{episode_id}'; have {some}{', …' if count > 5 else ''} ({count})")
        return apps

    def _labelled(self, label: str) -> str | None:
        """Return the newest episode with this label, or None. Labels are free text: shown, but never used as an id."""
        for episode_id in reversed(list(self._registry.apps)):
            # The doctor reports unreadable files; here such an episode has no label.
            with suppress(FarmError):
                if self.settings(episode_id).label == label:
                    return episode_id
        return None

    def is_app(self, name: str) -> bool:
        """Return whether this farm runs an app of this name."""
        return name in self._apps.names

    def is_open(self, episode_id: str) -> bool:
        """Return whether an episode is known to require no bearer."""
        known = self._settings.get(episode_id)
        return known is not None and known.token_sha256 is None

    def of_bearer(self, authorization: bytes | None) -> str:
        """Return the episode that an Authorization header opens; without a header, ``default``.

        Raises:
            UnauthorizedError: the header opens no episode.
        """
        if authorization is None:
            return DEFAULT
        self._learn_bearers()
        scheme, _, token = authorization.partition(b" ")
        episode_id = self._find_bearer(sha256(token.strip()).hexdigest()) if scheme.lower() == b"bearer" else None
        if episode_id is None or episode_id not in self._registry.apps:
            raise UnauthorizedError(
                "no episode has this bearer; 'farm connect' prints an episode's URLs and its bearer"
            )
        return episode_id

    def _find_bearer(self, token_sha256: str) -> str | None:
        found = self._by_bearer.get(token_sha256)
        if found is None:
            # Further people's bearers depend on the settings, which are read only for a bearer that is no episode's.
            self._learn_holders()
            found = self._by_bearer.get(token_sha256)
        return found

    def _learn_holders(self) -> None:
        """Index the bearers of further people in episodes that were not looked at before."""
        for episode_id in self._registry.apps.keys() - self._searched:
            self._searched.add(episode_id)
            with suppress(FarmError):
                settings = self.settings(episode_id)
                if settings.token_turn and settings.token_sha256 is not None:
                    self._by_bearer[settings.token_sha256] = episode_id
                for each in settings.holders.values():
                    if each.token_sha256 is not None:
                        self._by_bearer[each.token_sha256] = episode_id
        self._searched &= self._registry.apps.keys()

    def _learn_bearers(self) -> None:
        """Index the bearers of episodes made since the last call: new ones stand last in the registry."""
        for episode_id in reversed(self._registry.apps):
            if episode_id in self._indexed:
                break
            self._indexed.add(episode_id)
            self._by_bearer[self._token_sha256(episode_id)] = episode_id
        if len(self._indexed) > 2 * len(self._registry.apps) + _STALE_BEARERS_MAX:
            self._indexed.clear()
            self._searched.clear()
            self._by_bearer.clear()
            self._learn_bearers()

    def require_known(self, episode_id: str) -> None:
        """Raise NotFoundError if there is no such episode, worded for an agent: knowing an id may suffice to enter."""
        if episode_id not in self._registry.apps:
            raise NotFoundError(f"no episode '{episode_id}'")

    def running(self, episode_id: str) -> tuple[str, ...]:
        """Return the apps of an episode that this farm runs.

        Raises:
            NotFoundError: there is no such episode.
        """
        return tuple(app for app in self.apps_of(episode_id) if app in self._apps.names)

    def apps_for(self, settings: Settings, person: str | None) -> tuple[str, ...]:
        """Return the apps of an episode that a person sees; None is the person whom the agent works for."""
        apps, who = self.running(settings.id), person or settings.me
        if who is None or not settings.holders:
            return apps
        seen = settings.holders[who].apps
        return tuple(app for app in apps if app in seen)

    def has_app(self, episode_id: str, app: str) -> bool:
        """Return whether an episode has an app that this farm runs."""
        return app in self._registry.apps.get(episode_id, ()) and app in self._apps.names

    def require_app(self, episode_id: str, app: str) -> str:
        """Return the app if the episode has it and this farm runs it.

        Raises:
            NotFoundError: otherwise; the message lists the available apps.
        """
        if self.has_app(episode_id, app):
            return app
        apps = self.apps_of(episode_id)
        here = self.running(episode_id)
        if app in apps:
            raise NotFoundError(f"app '{app}' does not run in this farm; episode '{episode_id}' has {', '.join(here)}")
        raise NotFoundError(f"episode '{episode_id}' has no app '{app}'; it has {', '.join(here)}")

    @asynccontextmanager
    async def _locked(self, episode_id: str) -> AsyncIterator[tuple[str, ...]]:
        """Lock an episode for a change; yield its apps.

        Raises:
            NotFoundError: there is no such episode, or it was dropped during the wait.
            ConflictError: it has apps that this farm does not run, which the change would miss.
        """
        self.apps_of(episode_id)
        async with self._locks[episode_id]:
            apps = self.apps_of(episode_id)
            if self.running(episode_id) != apps:
                raise self._away(episode_id, apps)
            yield apps

    def _away(self, episode_id: str, apps: Sequence[str]) -> ConflictError:
        """Return the error for an operation that needs apps that this farm does not run."""
        away = [app for app in apps if app not in self._apps.names]
        return ConflictError(
            f"episode '{episode_id}' has apps this farm does not run: {', '.join(away)}; "
            f"start it with --apps {','.join(sorted({*apps, *self._apps.apps} - {*self._config.companions}))}"
        )

    def token(self, settings: Settings) -> str | None:
        """Return the bearer that an episode requires, or None."""
        if settings.token_sha256 is None:
            return None
        return bearer(self._config.secret, settings.id, turn=settings.token_turn)

    def _holders(self, settings: Settings) -> View:
        """Return person → their bearer and apps, for everybody who acts in an episode, ``me`` first."""
        if settings.me is None:
            return {}
        secret, here = self._config.secret, self.running(settings.id)
        people = settings.holders or {settings.me: settings.require_holder(settings.me)}
        tokens = {person: bearer(secret, settings.id, person) for person in people if person != settings.me}
        tokens[settings.me] = self.token(settings)  # type: ignore[assignment] # a farm's default episode may have none
        return {
            person: {"token": tokens[person], "apps": [app for app in here if app in each.apps or not settings.holders]}
            for person, each in people.items()
        }

    def _view(self, settings: Settings) -> View:
        apps, here = self.apps_of(settings.id), self.running(settings.id)
        return {
            "id": settings.id,
            "token": self.token(settings),
            "world": settings.world,
            "seed": settings.seed,
            "now": settings.now,
            "me": settings.me,
            "holders": self._holders(settings),
            "apps": apps,
            "menu": settings.menu,
            "profile": settings.profile,
            # An app that does not define the episode's profile uses `latest`.
            "profiles": {app: profile_of(app, settings.profile) for app in here},
            "label": settings.label,
            "created_at": settings.created_at,
            "expires_at": settings.expires_at,
            "calls_max": settings.calls_max,
        }

    async def diff(self, episode_id: str, since: str, *, reverted: bool = False) -> View:
        """Return the diff of each app since the start or a snapshot, and on request the reverted changes."""
        stored = since if since == "start" else self._snapshot(episode_id, since).stored_as
        answers = await self._ask(episode_id, "GET", "diff", since=stored, reverted=int(reverted))
        found = {"apps": {app: answer["changes"] for app, answer in answers.items()}}
        if reverted:
            found["reverted"] = {app: answer["reverted"] for app, answer in answers.items() if answer["reverted"]}
        return found

    async def calls(
        self, episode_id: str, *, after: int, limit: int, results: bool, app: str | None = None
    ) -> list[Call]:
        """Return the trace of all apps, ordered by monotonic start, app and number within the app; or of one app."""
        names = self.running(episode_id) if app is None else (self.require_app(episode_id, app),)
        zone = self._zone(self.settings(episode_id))
        return await trace(self._apps, names, episode_id, zone, self._orders, after=after, limit=limit, results=results)

    async def rows(self, episode_id: str, app: str, table: str, query: Mapping[str, str]) -> View:
        """Return rows of one table, now or at a snapshot."""
        self.require_app(episode_id, app)
        if not _TABLE.fullmatch(table):
            # The table's name becomes part of a path, which must not lead elsewhere.
            raise NotFoundError(f"no table {table!r} in {app}; a table's name is letters, digits and '_'")
        given = dict(query)
        if "at" in given:
            given["at"] = self._snapshot(episode_id, given["at"]).stored_as
        return await self._apps.ask(app, "GET", f"/episodes/{episode_id}/state/{table}", **given)

    async def people(self, episode_id: str) -> View:
        """Return the people of an episode's world with the ids of their accounts in the episode's apps."""
        settings = self.settings(episode_id)
        if settings.world is None:
            return {"people": []}
        found: View = orjson.loads(
            await self.judging.ask("people", (settings.world, settings.shift_days, settings.apps))
        )
        return found

    async def check(self, episode_id: str, body: View) -> orjson.Fragment:
        """Judge an episode by checkpoints, as for a task; the verdict is already JSON."""
        settings, since = self.settings(episode_id), begin_of(body)
        stored = since if since == "start" else self._snapshot(episode_id, since).stored_as
        over_limit = (await self.get(episode_id))["over_limit"] if "task" in body else 0
        job = CheckJob(settings, self._here(episode_id), stored, self._zone(settings).key, body, over_limit)
        return orjson.Fragment(await self.judging.check(job))

    async def suites(self) -> orjson.Fragment:
        """Return every suite's name, title and number of tasks as JSON."""
        return orjson.Fragment(await self.judging.ask("suites", None))

    async def tasks(self, suite: str, query: Mapping[str, str]) -> orjson.Fragment:
        """Return the cards of a suite's tasks as JSON."""
        return orjson.Fragment(await self.judging.ask("tasks", (suite, dict(query))))

    async def task(self, name: str, query: Mapping[str, str]) -> orjson.Fragment:
        """Return a task's card and the request for its episode as JSON."""
        return orjson.Fragment(await self.judging.ask("task", (name, dict(query))))

    async def watch(self, episode_id: str, app: str, after: str | None) -> View:
        """Wait for the next calls of one app and return them with the rows that each changed."""
        self.require_app(episode_id, app)
        query = {} if after is None else {"after": after}
        return await self._apps.ask(app, "GET", f"/episodes/{episode_id}/watch", **query)

    async def views(self, episode_id: str) -> orjson.Fragment:
        """Return how a page shows each app of an episode, and whose accounts the agent uses, as JSON."""
        settings = self.settings(episode_id)
        job = settings.world, settings.shift_days, settings.me, self.running(episode_id)
        return orjson.Fragment(await self.judging.ask("views", job))

    async def sentences(self, episode_id: str, app: str, calls: Sequence[Mapping[str, Any]]) -> list[str]:
        """Return a sentence for each call: what was asked, and what it changed."""
        settings = self.settings(episode_id)
        whose = settings.world, settings.shift_days, settings.me
        found: list[str] = orjson.loads(await self.judging.ask("sentences", (episode_id, whose, app, calls)))
        return found

    async def clock(self, episode_id: str) -> View:
        """Return the simulated time."""
        return self._latest_clock(episode_id, await self._ask(episode_id, "GET", "clock"))

    def _latest_clock(self, episode_id: str, answers: Mapping[str, View]) -> View:
        return self._clock(episode_id, max(answers.values(), key=lambda answer: int(answer["clock_ms"])))

    def _clock(self, episode_id: str, answer: Mapping[str, Any]) -> View:
        zone = self._zone(self.settings(episode_id))
        now = datetime.fromtimestamp(answer["clock_ms"] / 1000, zone)
        return {"now": now.isoformat(timespec="milliseconds"), "live": answer["live"], "rate": answer["rate"]}

    @staticmethod
    def _zone(settings: Settings) -> ZoneInfo:
        return load_world(settings.world).zone if settings.world else ZoneInfo("UTC")

    # -- changing ------------------------------------------------------------------------------------------------

    async def create(self, body: Mapping[str, Any]) -> View:
        """Create an episode and return its URLs."""
        episode_id = self._new_id(next(self._workers))
        settings = settings_for(
            body,
            episode_id=episode_id,
            world=self._config.world,
            apps=self._apps.apps,
            token_sha256=self._token_sha256(episode_id),
            further_sha256=partial(self._token_sha256, episode_id),
        )
        await self._quotas.require_disk()
        with self._quotas.episodes(self._own_count(), 1):
            await self._create(settings)
        self._settings[episode_id] = settings
        return self._view(settings)

    async def import_episode(self, name: str, wishes: Mapping[str, Any], shift_days: int) -> View:
        """Make an episode of the files in a folder below ``imports``, which the importing command has validated.

        Raises:
            NotFoundError: there is no such folder, or the farm lacks the world or an app.
            FarmError: the folder lacks files.
        """
        await self._quotas.require_disk()
        episode_id, folder = self._new_id(next(self._workers)), self._config.data / IMPORTS / name
        self._require_folder(folder)
        world, apps, token = self._config.world, self._apps.apps, self._token_sha256(episode_id)
        wished = settings_for(
            wishes,
            episode_id=episode_id,
            world=world,
            apps=apps,
            token_sha256=token,
            further_sha256=partial(self._token_sha256, episode_id),
        )
        require_shift(wished.world, shift_days)
        settings = replace(wished, shift_days=shift_days)
        with self._quotas.episodes(self._own_count(), 1):
            intent_id = await self._registry.intend("import", episode_id, folder=name)
            try:
                self._take_over(folder, settings)
                made = episode_id, settings.apps, settings.created_at or wall_time()
                await self._registry.add_episodes([made], intent_id=intent_id)
            except (FarmError, OSError):
                with suppress(OSError):  # if the files cannot be moved back now, the next start does so
                    self._give_back(episode_id, folder)
                    await self._registry.done(intent_id)
                raise
        self._settings[episode_id] = settings
        return self._view(settings)

    async def require_capacity(self, size_bytes: int) -> None:
        """Require that the data folder may grow by so many bytes.

        Raises:
            QuotaExceededError: it may not.
        """
        await self._quotas.require_disk(size_bytes)

    @staticmethod
    def _require_folder(folder: Path) -> None:
        if not folder.is_dir():
            raise NotFoundError(f"no folder {folder}; name this farm's own data folder with --data, on its machine")

    def _take_over(self, folder: Path, settings: Settings) -> None:
        """Turn a folder into an episode's by one rename, so that no episode is ever incomplete."""
        self._require_folder(folder)  # two imports may name the same folder
        for name in _MADE_HERE:
            (folder / name).unlink(missing_ok=True)
        names = {path.name for path in folder.iterdir() if path.is_file() and not path.is_symlink()}
        for app in settings.apps:
            if not {f"{app}.0.db", f"{app}.0.log"} <= names:
                raise FarmError(f"{folder} has no context and log of {app}")
        for path in folder.iterdir():
            if path.name not in names or path.name.partition(".")[0] not in settings.apps:
                raise FarmError(f"{folder} has {path.name}, which no episode of {', '.join(settings.apps)} has")
        settings.save(folder)
        for app in settings.apps:
            files = EpisodeFiles(str(folder), app)
            try:
                with files.log(0).open("rb") as log:
                    calls = Sealed.load(log.readline()).calls
            except (ValueError, TypeError, KeyError) as problem:
                raise FarmError(f"{files.log(0)} does not begin as a call log") from problem
            limits.begin_anew(files, settings, calls)
        folder.rename(self._folder / settings.id)

    def _give_back(self, episode_id: str, folder: Path) -> None:
        """Undo ``_take_over``: move the imported files back for another attempt."""
        made = self._folder / episode_id
        if folder.exists():  # the folder was never moved, or a client is uploading it again
            shutil.rmtree(made, ignore_errors=True)
        elif made.is_dir():
            made.rename(folder)
        for name in _MADE_HERE:
            (folder / name).unlink(missing_ok=True)

    async def _create(self, settings: Settings) -> None:
        intent_id = await self._registry.intend("create", settings.id, apps=settings.apps)
        try:
            self._write(settings)
            await self._apps.ask_all(settings.apps, "POST", f"/episodes/{settings.id}/create")
            made = settings.id, settings.apps, settings.created_at or wall_time()
            await self._registry.add_episodes([made], intent_id=intent_id)
        except (FarmError, OSError):
            await self._undo_new([settings.id], settings.apps, intent_id)
            raise

    async def drop(self, episode_id: str) -> None:
        """Remove an episode with its contexts, calls and snapshots."""
        self.apps_of(episode_id)
        if episode_id == DEFAULT:
            raise ConflictError("the default episode stays; reset it instead")
        async with self._locks[episode_id]:
            apps = self.apps_of(episode_id)
            try:
                intent_id = await self._registry.intend("drop", episode_id, apps=apps)
            except UnwritableRegistryError:
                # Dropping frees a full disk, so it must not need space. If interrupted, it can be requested again.
                intent_id = None
            await self._remove(episode_id, apps)
            await self._registry.drop_episode(episode_id, intent_id=intent_id)
        self._locks.pop(episode_id, None)
        self._settings.pop(episode_id, None)

    async def add_holder(self, episode_id: str, person: str) -> View:
        """Let a further person act in an episode, and return their bearer and the apps that they see.

        Asked again, it answers the same.

        Raises:
            NotFoundError: the person does not exist, or has no account in the episode's apps.
            ConflictError: the episode requires no bearer, so that people cannot be told apart.
        """
        async with self._locked(episode_id) as apps:
            settings = self.settings(episode_id)
            if settings.token_sha256 is None:
                raise ConflictError(
                    f"episode '{episode_id}' asks for no token; make one: farm episode create --me {person}"
                )
            if person != settings.me and person not in settings.holders:
                if len(settings.holders) >= HOLDERS_MAX:
                    raise ConflictError(f"episode '{episode_id}' has {HOLDERS_MAX} people already")
                token = self._token_sha256(episode_id, person)
                settings = settings.with_holder(person, apps_of_further(settings, person), token)
                settings.replace_in(self._folder / episode_id)
                self._settings[episode_id] = settings
                self._searched.discard(episode_id)
            # Also if the person is known already: an earlier request may have been interrupted here.
            await self._apps.ask_all(apps, "POST", f"/episodes/{episode_id}/holders")
            return {"me": person, **self._holders(settings)[person]}

    async def renew_token(self, episode_id: str) -> View:
        """Issue a new bearer in place of the episode's, which is refused from then on, and return it.

        Planned faults by which the old one has expired are over.

        Raises:
            ConflictError: the episode requires no bearer.
        """
        async with self._locked(episode_id) as apps:
            settings = self.settings(episode_id)
            if settings.token_sha256 is None:
                raise ConflictError(f"episode '{episode_id}' asks for no token; end its fault with --heal instead")
            turn = settings.token_turn + 1
            renewed = settings.with_new_bearer(bearer_sha256(self._config.secret, episode_id, turn=turn))
            renewed.replace_in(self._folder / episode_id)
            self._settings[episode_id] = renewed
            self._searched.discard(episode_id)
            await self._apps.ask_all(apps, "POST", f"/episodes/{episode_id}/holders", {"renewed": True})
            return {"id": episode_id, "token": self.token(renewed)}

    async def reset(self, episode_id: str) -> View:
        """Return every app to the start."""
        await self._roll_back(episode_id, "reset", {})
        return {"id": episode_id, "calls": 0}

    async def restore(self, episode_id: str, name: str) -> View:
        """Return every app to a snapshot."""
        await self._roll_back(episode_id, "restore", {"snapshot": self._snapshot(episode_id, name).stored_as})
        return await self.get(episode_id)

    async def rewind(self, episode_id: str, calls: int) -> View:
        """Undo every call after the first ``calls`` of the trace, in every app, after a snapshot; return its name too.

        Raises:
            NotFoundError: there are not so many calls.
        """
        kept = await self._counts(episode_id, calls)
        taken = {each["snapshot"] for each in self.snapshots(episode_id)}
        name = next(f"before-undo-{n}" for n in itertools.count(1) if f"before-undo-{n}" not in taken)
        await self.snapshot(episode_id, name)
        try:
            await self._rewind_apps(episode_id, kept)
        except (FarmError, OSError):
            await self.restore(episode_id, name)  # no app may be ahead of another
            raise
        return {**await self.get(episode_id), "snapshot": name}

    async def fork_at(self, episode_id: str, calls: int) -> View:
        """Copy an episode as it was after the first ``calls`` of its trace."""
        kept = await self._counts(episode_id, calls)
        (copy,) = await self.fork(episode_id, None, 1)
        try:
            await self._rewind_apps(copy["id"], kept)
        except (FarmError, OSError):
            await self.drop(copy["id"])
            raise
        return copy

    async def _counts(self, episode_id: str, calls: int) -> dict[str, int]:
        """Return app → how many of the first calls of the trace are its own."""
        found = dict.fromkeys(self._here(episode_id), 0)
        read = 0
        while read < calls:
            page = await self.calls(episode_id, after=read, limit=calls - read, results=False)
            if not page:
                raise NotFoundError(f"no call {calls} in episode '{episode_id}'; it has {read}")
            read += len(page)
            for each in page:
                found[each["app"]] += 1
        return found

    async def _rewind_apps(self, episode_id: str, kept: Mapping[str, int]) -> None:
        async with self._locked(episode_id) as apps, self._apps.held(episode_id, apps):
            path = f"/episodes/{episode_id}/rewind"
            for app in apps:
                await self._apps.ask(app, "POST", path, {"calls": kept[app], "kept": kept})

    async def _roll_back(self, episode_id: str, action: str, body: Mapping[str, str]) -> None:
        async with self._locked(episode_id) as apps:
            if action == "restore":
                await self._verify_snapshot(episode_id, apps, body["snapshot"])
            intent_id = await self._registry.intend(action, episode_id, **body)
            try:
                await self._ask_all_apps(episode_id, apps, action, body)
            except FarmError:
                # The client gets the error and can retry; a start of the gateway days later must not do it unasked.
                await self._registry.done(intent_id)
                raise
            await self._registry.done(intent_id)

    async def snapshot(self, episode_id: str, name: str | None) -> View:
        """Save one consistent snapshot of all apps.

        Raises:
            ConflictError: the name is taken.
        """
        await self._quotas.require_disk()
        async with self._locked(episode_id) as apps:
            taken = self._registry.snapshots(episode_id)
            chosen = name or next(f"s{n}" for n in itertools.count(len(taken) + 1) if f"s{n}" not in taken)
            if chosen in taken or chosen == "start":
                raise ConflictError(f"episode '{episode_id}' has a snapshot '{chosen}' already; choose another name")
            # Files have a name of their own, so that leftovers of an interrupted snapshot never block the next one.
            stored_as = f"{chosen[:48]}.{secrets.token_hex(4)}"
            intent_id = await self._registry.intend("snapshot", episode_id, stored_as=stored_as)
            try:
                await self._ask_all_apps(episode_id, apps, "snapshots", {"name": stored_as})
            except FarmError:
                self._remove_snapshot(episode_id, stored_as)
                await self._registry.done(intent_id)
                raise
            made = Snapshot(chosen, stored_as, wall_time())
            try:
                await self._registry.add_snapshot(episode_id, made, intent_id=intent_id)
            except UnwritableRegistryError:
                self._remove_snapshot(episode_id, stored_as)
                await self._registry.done(intent_id)
                raise
        return {"snapshot": chosen, "created_at": made.created_at}

    def snapshots(self, episode_id: str) -> list[View]:
        """Return an episode's snapshots, oldest first."""
        self.apps_of(episode_id)
        return [
            {"snapshot": each.name, "created_at": each.created_at}
            for each in self._registry.snapshots(episode_id).values()
        ]

    async def fork(self, episode_id: str, name: str | None, count: int) -> list[View]:
        """Make independent copies of an episode, as it is now or as it was at a snapshot."""
        if not 1 <= count <= FORKS_MAX:
            raise FarmError(f"'count' must be from 1 to {FORKS_MAX}, not {count}")
        await self._quotas.require_disk()
        async with self._locked(episode_id) as apps:
            source, created_at = self.settings(episode_id), wall_time()
            # A process copies its own open files, so copies belong to the worker of the original.
            worker = worker_of(episode_id, self._config.workers)
            stored = None if name is None else self._snapshot(episode_id, name).stored_as
            if stored is not None:
                await self._verify_snapshot(episode_id, apps, stored)
            copies = [
                replace(source, created_at=created_at, apps=apps).with_id(copy_id, self._token_sha256)
                for copy_id in (self._new_id(worker) for _ in range(count))
            ]
            targets = [copy.id for copy in copies]
            with self._quotas.episodes(self._own_count(), count):
                intent_id = await self._registry.intend("fork", episode_id, targets=targets, apps=apps)
                try:
                    for copy in copies:
                        self._write(copy)
                    await self._copy(episode_id, apps, targets, stored)
                    made = [(target, apps, created_at) for target in targets]
                    await self._registry.add_episodes(made, intent_id=intent_id)
                except (FarmError, OSError):
                    await self._undo_new(targets, apps, intent_id)
                    raise
        return [self._view(copy) for copy in copies]

    async def export(self, episode_id: str, folder: str, name: str | None) -> View:
        """Copy an episode's files, as they are now or as they were at a snapshot, into a folder below ``exports``.

        The copy is not an episode: it does not count against the quota and is not registered.

        Returns:
            The settings that the episode was created with, and the number of days by which its world was shifted.

        Raises:
            NotFoundError: there is no such folder, episode or snapshot.
        """
        self._require_folder(self._config.data / EXPORTS / folder)
        async with self._locked(episode_id) as apps:
            path, body = f"/episodes/{episode_id}/export", {"folder": folder}
            if name is None:
                async with self._apps.held(episode_id, apps):
                    await self._apps.ask_all(apps, "POST", path, body)
            else:
                stored = self._snapshot(episode_id, name).stored_as
                await self._apps.ask_all(apps, "POST", path, {**body, "snapshot": stored})
            settings = self.settings(episode_id)
            added: View = {"rows": settings.rows} if settings.rows else {}
            if settings.faults:
                added["faults"] = settings.faults
            if settings.people:
                added["people"] = settings.people
            if settings.holders:
                added["me"] = [*settings.holders]
            return {**self._view(settings), "shift_days": settings.shift_days, **added}

    async def _verify_snapshot(
        self, episode_id: str, apps: tuple[str, ...], stored: str, *, reads_calls: bool = False
    ) -> None:
        """Verify that a snapshot is intact in every app before any app uses it.

        Args:
            reads_calls: whether its calls are read, too; slow if there are many.

        Raises:
            CorruptFileError: it is damaged; nothing was changed.
        """
        body: dict[str, Any] = {"snapshot": stored, **({"reads_calls": True} if reads_calls else {})}
        await self._apps.ask_all(apps, "POST", f"/episodes/{episode_id}/verify", body)

    async def _copy(self, source: str, apps: tuple[str, ...], targets: Sequence[str], stored: str | None) -> None:
        """Copy contexts. Calls to the source wait for the first copy only; no client knows a copy yet."""
        first, *others = targets
        if stored is None:
            async with self._apps.held(source, apps):
                await self._apps.ask_all(apps, "POST", f"/episodes/{source}/fork", {"target": first})
            source = first
        else:
            others = [first, *others]
        for target in others:
            body = {"target": target} if stored is None else {"target": target, "snapshot": stored}
            await self._apps.ask_all(apps, "POST", f"/episodes/{source}/fork", body)

    async def set_clock(self, episode_id: str, body: View) -> View:
        """Move the clock to the same time in every app, and return what arrived meanwhile."""
        move, came = ClockMove.read(body), Arrivals()
        async with self._locked(episode_id) as apps, self._apps.held(episode_id, apps):
            told = await self._settle(episode_id)
            progress = ClockProgress(move, Standing.of(told.values()))
            intent_id = await self._registry.intend(
                "clock", episode_id, to_ms=progress.to_ms, rate=move.rate, at_ms=wall_ms()
            )
            try:
                while (step := progress.next_step()) is not None:
                    detail = {"to_ms": step.to_ms, "rate": step.rate, "at_ms": wall_ms()}
                    told = await self._ask(episode_id, "POST", "clock", detail)
                    came.add({app: answer["came"] for app, answer in told.items()})
                    told = await self._carry(episode_id, told)
                    progress.standing = Standing.of(told.values())
            except FarmError:
                await self._registry.done(intent_id)
                raise
            await self._registry.done(intent_id)
        arrived = list_arrivals(came.by_app, self._zone(self.settings(episode_id)))
        return {**self._clock(episode_id, next(iter(told.values()))), "came": arrived}

    async def _settle(self, episode_id: str) -> dict[str, View]:
        """Carry what people are going to do to its apps, and return what each app says of its clock."""
        return await self._carry(episode_id, await self._ask(episode_id, "GET", "clock"))

    async def _carry(self, episode_id: str, told: dict[str, View]) -> dict[str, View]:
        """Bring what people are going to do in other apps than that of its cause to those apps.

        Args:
            told: what each app said of its clock.

        Returns:
            The same, as the apps say it afterwards.
        """
        path = f"/episodes/{episode_id}"
        senders = [app for app, answer in told.items() if answer.get("outgoing")]
        for app in senders:
            outgoing = (await self._apps.ask(app, "GET", f"{path}/outgoing"))["acts"]
            by_app: defaultdict[str, list[View]] = defaultdict(list)
            for each in outgoing:
                by_app[each["act"]["app"]].append({"at_ms": each["at_ms"], "act": each["act"]})
            for target, acts in by_app.items():
                await self._apps.ask(target, "POST", f"{path}/acts", {"acts": acts})
            # An act that was brought and is not dropped here, since a process was killed, is known when brought again.
            await self._apps.ask(app, "POST", f"{path}/carried", {"ids": [each["id"] for each in outgoing]})
        return await self._ask(episode_id, "GET", "clock") if senders else told

    async def person_rules(self, episode_id: str) -> View:
        """Return the rules of people who answer, what is waiting, and what people have done."""
        await self.carry(episode_id)
        told = await self._ask(episode_id, "GET", "people")
        return list_people(told, self._zone(self.settings(episode_id)))

    async def _carry_called(self) -> None:
        """Carry the acts of episodes whose clock moves by itself: an app has left a file there for each."""
        folder = self._config.data / person_acts.OUTGOING
        for called in sorted(folder.iterdir()) if folder.is_dir() else ():
            called.unlink(missing_ok=True)  # before it is asked: a later act calls again
            try:
                await self.carry(called.name)
            except NotFoundError:
                pass  # dropped meanwhile
            except (FarmError, OSError):
                called.touch()  # an app is down

    async def carry(self, episode_id: str) -> None:
        """Bring what people are going to do to the apps where they do it."""
        async with self._locked(episode_id):
            await self._settle(episode_id)

    async def add_person_rule(self, episode_id: str, body: View) -> View:
        """Let a person answer from now on, by a rule."""
        async with self._locked(episode_id):
            settings = self.settings(episode_id)
            world = load_world(settings.world) if settings.world else None
            told = await self._ask(episode_id, "GET", "people")
            taken = [rule for answer in told.values() for rule in answer["raw"]]
            made = rule_checker(world, self._here(episode_id), settings.rows, taken, settings.shift_days).add(body)
            await self._apps.ask(made["when"]["app"], "POST", f"/episodes/{episode_id}/people", made)
        return made

    async def notices(self, episode_id: str, person: str | None = None) -> Notices:
        """Return what a person was notified of since the episode began, in order."""
        told = await self._ask(episode_id, "GET", "arrived", **({} if person is None else {"person": person}))
        came = {app: answer["came"] for app, answer in told.items()}
        return notices_of(list_arrivals(came, self._zone(self.settings(episode_id))))

    async def wait_until(
        self, episode_id: str, until_ms: int, person: str | None = None, on_step: OnStep | None = None
    ) -> Notices:
        """Move the clock to a limit, or to the first notice of a person, and return what the person is notified of.

        Args:
            episode_id: the episode.
            until_ms: the limit.
            person: who is notified; None for the person whom the agent works for.
            on_step: is called with the simulated time of each step on the way.
        """
        async with self._locked(episode_id) as apps:
            while True:
                async with self._apps.held(episode_id, apps):
                    told = await self._settle(episode_id)
                    to_ms = Standing.of(told.values()).step_ms(until_ms)
                    notices = notices_of(await self._step_clock(episode_id, to_ms, person))
                if on_step is not None:
                    await on_step(to_ms)
                if notices or to_ms >= until_ms:
                    return notices

    async def _step_clock(self, episode_id: str, to_ms: int, person: str | None) -> list[View]:
        """Move the clock of all apps while calls wait, and return what came, in order."""
        detail = {"to_ms": to_ms, "rate": None, "at_ms": wall_ms()}
        intent_id = await self._registry.intend("clock", episode_id, **detail)
        try:
            body = detail if person is None else {**detail, "person": person}
            moved = await self._ask(episode_id, "POST", "clock", body)
        except FarmError:
            await self._registry.done(intent_id)
            raise
        await self._registry.done(intent_id)
        came = {app: answer["came"] for app, answer in moved.items()}
        return list_arrivals(came, self._zone(self.settings(episode_id)))

    async def faults(self, episode_id: str) -> View:
        """Return every planned fault with its counts."""
        told = await self._ask(episode_id, "GET", "faults")
        return {"faults": [{"app": app, **each} for app, answer in told.items() for each in answer["faults"]]}

    async def add_fault(self, episode_id: str, body: View) -> View:
        """Plan a fault in one app of an episode."""
        app = self._require_app(episode_id, body.get("app"))
        async with self._locked(episode_id):
            made = await self._apps.ask_all((app,), "POST", f"/episodes/{episode_id}/faults", body)
        return {"app": app, **made[app]}

    async def heal_fault(self, episode_id: str, app: str, rule_id: str) -> View:
        """End a planned fault."""
        self._require_app(episode_id, app)
        async with self._locked(episode_id):
            healed = await self._apps.ask_all((app,), "POST", f"/episodes/{episode_id}/heal", {"id": rule_id})
        return {"app": app, **healed[app]}

    def _require_app(self, episode_id: str, app: Any) -> str:
        have = self._here(episode_id)
        if not isinstance(app, str) or app not in have:
            raise NotFoundError(f"no app {app!r} in episode '{episode_id}'; have {', '.join(have)}")
        return app

    # -- pieces --------------------------------------------------------------------------------------------------

    def _new_id(self, worker: int) -> str:
        return f"{self._config.cell}-{worker}-{secrets.token_hex(16)}"

    def _token_sha256(self, episode_id: str, person: str | None = None) -> str:
        return bearer_sha256(self._config.secret, episode_id, person)

    def _write(self, settings: Settings) -> None:
        folder = self._folder / settings.id
        folder.mkdir(parents=True, exist_ok=True)
        settings.save(folder)

    async def _remove(self, episode_id: str, apps: Sequence[str]) -> None:
        here = [app for app in apps if app in self._apps.names]
        await self._apps.ask_all(here, "DELETE", f"/episodes/{episode_id}")
        shutil.rmtree(self._folder / episode_id, ignore_errors=True)

    async def _undo_new(self, episode_ids: Sequence[str], apps: Sequence[str], intent_id: int) -> None:
        """Remove episodes whose creation failed; the next start removes what cannot be removed now."""
        with suppress(FarmError):
            for episode_id in episode_ids:
                await self._remove(episode_id, apps)
            await self._registry.done(intent_id)

    def _remove_snapshot(self, episode_id: str, stored_as: str) -> None:
        shutil.rmtree(self._folder / episode_id / "snapshots" / stored_as, ignore_errors=True)

    def _snapshot(self, episode_id: str, name: str) -> Snapshot:
        self.apps_of(episode_id)
        found = self._registry.snapshots(episode_id)
        if name not in found:
            raise NotFoundError(f"no snapshot '{name}' of episode '{episode_id}'; have {', '.join(found) or 'none'}")
        return found[name]

    async def _ask(
        self, episode_id: str, method: str, action: str = "", body: Any = None, **query: Any
    ) -> dict[str, View]:
        path = f"/episodes/{episode_id}/{action}".rstrip("/")
        return await self._apps.ask_all(self._here(episode_id), method, path, body, **query)

    def _here(self, episode_id: str) -> tuple[str, ...]:
        """Return the apps of an episode that this farm runs, at least one."""
        here = self.running(episode_id)
        if not here:
            raise self._away(episode_id, self.apps_of(episode_id))
        return here

    async def _ask_all_apps(self, episode_id: str, apps: tuple[str, ...], action: str, body: Any) -> None:
        """Send one operation to every app while calls wait."""
        async with self._apps.held(episode_id, apps):
            await self._apps.ask_all(apps, "POST", f"/episodes/{episode_id}/{action}", body)
