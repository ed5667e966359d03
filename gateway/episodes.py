"""What can be done with episodes, over all their apps at once."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import logging
import secrets
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from farm.context.settings import LIVE, Settings
from farm.context.template import load_world
from farm.errors import Conflict, FarmError, NotFound

from .apps import Apps
from .orders import Orders
from .registry import Intent, Registry, Snapshot
from .wishes import parse_time, settings_for

DEFAULT = "default"
FORKS_MAX = 1000
_logger = logging.getLogger("gateway")

Answer = dict[str, Any]


class Episodes:
    """The episodes of this farm."""

    def __init__(self, orders: Orders, registry: Registry, apps: Apps) -> None:
        self._orders = orders
        self._registry = registry
        self._apps = apps
        self._folder = orders.data / "episodes"
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._settings: dict[str, Settings] = {}

    async def start(self) -> None:
        """Load the registry, finish what a crash interrupted, and see to it that there is a default episode."""
        for intent in await self._registry.open():
            await self._finish(intent)
        if DEFAULT not in self._registry.apps:
            await self._make_default()

    async def _make_default(self) -> None:
        folder = self._folder / DEFAULT
        if folder.exists():
            # An app served on its own made it, or a registry was lost: take it over as it is.
            settings = Settings.load(folder)
            intent_id = await self._registry.intend("create", DEFAULT, apps=settings.apps)
        else:
            settings = settings_for(
                {"now": LIVE}, episode_id=DEFAULT, world=self._orders.world, apps=self._apps.names, token_sha256=None
            )
            intent_id = await self._registry.intend("create", DEFAULT, apps=settings.apps)
            self._write(settings)
        missing = [app for app in settings.apps if app not in self._apps.names]
        if missing:
            _logger.warning("the default episode has apps this farm does not run: %s", ", ".join(missing))
        here = tuple(app for app in settings.apps if app in self._apps.names)
        await self._apps.ask_all(here, "POST", f"/episodes/{DEFAULT}/create")
        created_at = settings.created_at or datetime.now(UTC).isoformat()
        await self._registry.add_episodes([(DEFAULT, here, created_at)], intent_id=intent_id)

    async def _finish(self, intent: Intent) -> None:
        """Complete or undo one thing that a killed gateway left half done."""
        episode_id = intent.episode_id
        _logger.warning("finishing '%s' of episode %s, which was interrupted", intent.action, episode_id)
        match intent.action:
            case "create" | "fork":
                # Nobody was told of them, so they go.
                for made in intent.detail.get("targets", [episode_id]):
                    if made != DEFAULT:
                        await self._remove(made, tuple(intent.detail["apps"]))
            case "drop":
                await self._remove(episode_id, tuple(intent.detail["apps"]))
                await self._registry.drop_episode(episode_id)
            case "reset" | "restore" if episode_id in self._registry.apps:
                body = {"snapshot": intent.detail["snapshot"]} if intent.action == "restore" else None
                await self._everywhere(episode_id, "POST", intent.action, body)
        await self._registry.done(intent.id)

    # -- reading -------------------------------------------------------------------------------------------------

    def every(self) -> list[Answer]:
        """Return every episode, oldest first."""
        return [self._view(self.settings(episode_id)) for episode_id in self._registry.apps]

    async def get(self, episode_id: str) -> Answer:
        """Return one episode with its clock."""
        view = self._view(self.settings(episode_id))
        return view | await self.clock(episode_id)

    def settings(self, episode_id: str) -> Settings:
        """Return what an episode was created with.

        Raises:
            NotFound: there is no such episode.
        """
        self.apps_of(episode_id)
        if episode_id not in self._settings:
            self._settings[episode_id] = Settings.load(self._folder / episode_id)
        return self._settings[episode_id]

    def apps_of(self, episode_id: str) -> tuple[str, ...]:
        """Return the apps of an episode.

        Raises:
            NotFound: there is no such episode.
        """
        apps = self._registry.apps.get(episode_id)
        if apps is None:
            count = len(self._registry.apps)
            some = ", ".join(list(self._registry.apps)[:5])
            raise NotFound(f"no episode '{episode_id}'; have {some}{', …' if count > 5 else ''} ({count})")
        return apps

    def token(self, settings: Settings) -> str | None:
        """Return an episode's bearer; made from the farm's secret, so it is stored nowhere and can be told again."""
        if settings.id == DEFAULT:
            return None
        digest = hmac.digest(self._orders.secret.encode(), settings.id.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def _view(self, settings: Settings) -> Answer:
        agents = self._orders.agents_url
        direct = {app: f"http://{self._orders.host}:{port}" for app, (port, _) in self._orders.ports.items()}
        apps = self._registry.apps[settings.id]
        return {
            "id": settings.id,
            "token": self.token(settings),
            "world": settings.world,
            "seed": settings.seed,
            "now": settings.now,
            "me": settings.me,
            "apps": apps,
            "menu": settings.menu,
            "profile": settings.profile,
            "label": settings.label,
            "created_at": settings.created_at,
            "expires_at": settings.expires_at,
            "mcp": {app: f"{agents}/mcp/{settings.id}/{app}" for app in apps},
            "mcp_all": f"{agents}/mcp/{settings.id}",
            "direct": {app: f"{direct[app]}/mcp/{settings.id}" for app in apps},
        }

    async def diff(self, episode_id: str, since: str) -> Answer:
        """Return what changed since the start or a snapshot, app by app."""
        stored = since if since == "start" else self._snapshot(episode_id, since).stored_as
        answers = await self._ask(episode_id, "GET", "diff", since=stored)
        return {"apps": {app: answer["changes"] for app, answer in answers.items()}}

    async def calls(self, episode_id: str, *, after: int, limit: int, results: bool) -> list[Answer]:
        """Return the trace over all apps, ordered by monotonic start, app and number within the app."""
        merged: list[tuple[int, str, Answer]] = []
        for app, answer in (await self._ask(episode_id, "GET", "calls", limit=10_000, results=int(results))).items():
            merged += [(entry["started_ns"], app, entry) for entry in answer["calls"]]
        merged.sort(key=lambda each: (each[0], each[1], each[2]["n"]))
        page = list(enumerate(merged, 1))[after : after + limit]
        zone = self._zone(self.settings(episode_id))
        return [_call(position, app, entry, zone) for position, (_, app, entry) in page]

    async def rows(self, episode_id: str, app: str, table: str, query: Mapping[str, str]) -> Answer:
        """Return rows of one table, now or at a snapshot."""
        apps = self.apps_of(episode_id)
        if app not in apps:
            raise NotFound(f"episode '{episode_id}' has no app '{app}'; it has {', '.join(apps)}")
        given = dict(query)
        if "at" in given:
            given["at"] = self._snapshot(episode_id, given["at"]).stored_as
        return await self._apps.ask(app, "GET", f"/episodes/{episode_id}/state/{table}", **given)

    async def watch(self, episode_id: str, app: str, after: str | None) -> Answer:
        """Wait for the next calls of one app and return them with the rows each changed."""
        if app not in self.apps_of(episode_id):
            raise NotFound(f"episode '{episode_id}' has no app '{app}'; it has {', '.join(self.apps_of(episode_id))}")
        query = {} if after is None else {"after": after}
        return await self._apps.ask(app, "GET", f"/episodes/{episode_id}/watch", **query)

    async def clock(self, episode_id: str) -> Answer:
        """Return the simulated time."""
        answers = await self._ask(episode_id, "GET", "clock")
        latest = max(answers.values(), key=lambda answer: int(answer["clock_ms"]))
        return self._clock(episode_id, latest)

    def _clock(self, episode_id: str, answer: Mapping[str, Any]) -> Answer:
        zone = self._zone(self.settings(episode_id))
        now = datetime.fromtimestamp(answer["clock_ms"] / 1000, zone)
        return {"now": now.isoformat(timespec="milliseconds"), "live": answer["live"]}

    @staticmethod
    def _zone(settings: Settings) -> ZoneInfo:
        return load_world(settings.world).zone if settings.world else ZoneInfo("UTC")

    # -- changing ------------------------------------------------------------------------------------------------

    async def create(self, body: Mapping[str, Any]) -> Answer:
        """Create an episode and return how to reach it."""
        episode_id = self._new_id()
        settings = self._with_token(
            settings_for(
                body, episode_id=episode_id, world=self._orders.world, apps=self._apps.names, token_sha256=None
            )
        )
        intent_id = await self._registry.intend("create", episode_id, apps=settings.apps)
        try:
            self._write(settings)
            await self._apps.ask_all(settings.apps, "POST", f"/episodes/{episode_id}/create")
        except FarmError:
            await self._remove(episode_id, settings.apps)
            await self._registry.done(intent_id)
            raise
        created_at = settings.created_at or ""
        await self._registry.add_episodes([(episode_id, settings.apps, created_at)], intent_id=intent_id)
        self._settings[episode_id] = settings
        return self._view(settings)

    async def drop(self, episode_id: str) -> None:
        """Remove an episode with its contexts, calls and snapshots."""
        apps = self.apps_of(episode_id)
        if episode_id == DEFAULT:
            raise Conflict("the default episode stays; reset it instead")
        async with self._locks[episode_id]:
            intent_id = await self._registry.intend("drop", episode_id, apps=apps)
            await self._remove(episode_id, apps)
            await self._registry.drop_episode(episode_id)
            await self._registry.done(intent_id)
        self._locks.pop(episode_id, None)
        self._settings.pop(episode_id, None)

    async def reset(self, episode_id: str) -> Answer:
        """Bring every app back to the start."""
        await self._locked(episode_id, "reset", None)
        return {"id": episode_id, "calls": 0}

    async def restore(self, episode_id: str, name: str) -> Answer:
        """Bring every app back to a snapshot."""
        await self._locked(episode_id, "restore", {"snapshot": self._snapshot(episode_id, name).stored_as})
        return await self.get(episode_id)

    async def _locked(self, episode_id: str, action: str, body: Mapping[str, str] | None) -> None:
        self.apps_of(episode_id)
        async with self._locks[episode_id]:
            intent_id = await self._registry.intend(action, episode_id, **(body or {}))
            try:
                await self._everywhere(episode_id, "POST", action, body)
            finally:
                await self._registry.done(intent_id)

    async def snapshot(self, episode_id: str, name: str | None) -> Answer:
        """Save one consistent cut over all apps.

        Raises:
            Conflict: the name is taken.
        """
        taken = self._registry.snapshots(episode_id)
        chosen = name or f"s{len(taken) + 1}"
        self.apps_of(episode_id)
        if chosen in taken or chosen == "start":
            raise Conflict(f"episode '{episode_id}' has a snapshot '{chosen}' already; choose another name")
        async with self._locks[episode_id]:
            # Files carry a name of their own: what an interrupted snapshot leaves never stands in the way of the next.
            stored_as = f"{chosen[:48]}.{secrets.token_hex(4)}"
            await self._everywhere(episode_id, "POST", "snapshots", {"name": stored_as})
            taken_at = datetime.now(UTC).isoformat(timespec="milliseconds")
            await self._registry.add_snapshot(episode_id, Snapshot(chosen, stored_as, taken_at))
        return {"snapshot": chosen, "created_at": taken_at}

    def snapshots(self, episode_id: str) -> list[Answer]:
        """Return an episode's snapshots, oldest first."""
        self.apps_of(episode_id)
        return [
            {"snapshot": each.name, "created_at": each.created_at}
            for each in self._registry.snapshots(episode_id).values()
        ]

    async def fork(self, episode_id: str, name: str | None, count: int) -> list[Answer]:
        """Make copies of an episode, as it stands or as it was at a snapshot; each goes its own way from there."""
        if not 1 <= count <= FORKS_MAX:
            raise FarmError(f"'count' must be from 1 to {FORKS_MAX}, not {count}")
        source, apps = self.settings(episode_id), self.apps_of(episode_id)
        stored = None if name is None else self._snapshot(episode_id, name).stored_as
        created_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        copies = [
            self._with_token(replace(source, id=self._new_id(), created_at=created_at, apps=apps)) for _ in range(count)
        ]
        targets = [copy.id for copy in copies]
        async with self._locks[episode_id]:
            intent_id = await self._registry.intend("fork", episode_id, targets=targets, apps=apps)
            try:
                for copy in copies:
                    self._write(copy)
                async with self._apps.held(episode_id, apps):
                    for target in targets:
                        body = {"target": target} if stored is None else {"target": target, "snapshot": stored}
                        await self._apps.ask_all(apps, "POST", f"/episodes/{episode_id}/fork", body)
            except FarmError:
                for target in targets:
                    await self._remove(target, apps)
                await self._registry.done(intent_id)
                raise
            await self._registry.add_episodes([(target, apps, created_at) for target in targets], intent_id=intent_id)
        return [self._view(copy) for copy in copies]

    async def set_clock(self, episode_id: str, *, advance_s: float | None, to: str | None) -> Answer:
        """Move the clock to the same time in every app."""
        if (advance_s is None) == (to is None):
            raise FarmError("give either 'advance_s' or 'to'")
        apps = self.apps_of(episode_id)
        async with self._locks[episode_id], self._apps.held(episode_id, apps):
            answers = await self._ask(episode_id, "GET", "clock")
            latest = max(int(answer["clock_ms"]) for answer in answers.values())
            to_ms = latest + _milliseconds(advance_s) if to is None else int(parse_time(to, "to").timestamp() * 1000)
            if to_ms < latest:
                raise FarmError("a clock only moves forward; reset the episode to go back")
            moved = await self._ask(episode_id, "POST", "clock", {"to_ms": to_ms})
        return self._clock(episode_id, next(iter(moved.values())))

    # -- pieces --------------------------------------------------------------------------------------------------

    def _new_id(self) -> str:
        return f"{self._orders.cell}-0-{secrets.token_hex(16)}"

    def _with_token(self, settings: Settings) -> Settings:
        token = self.token(settings)
        hashed = None if token is None else hashlib.sha256(token.encode()).hexdigest()
        return replace(settings, token_sha256=hashed)

    def _write(self, settings: Settings) -> None:
        folder = self._folder / settings.id
        folder.mkdir(parents=True, exist_ok=True)
        settings.save(folder)

    async def _remove(self, episode_id: str, apps: Sequence[str]) -> None:
        here = [app for app in apps if app in self._apps.names]
        await self._apps.ask_all(here, "DELETE", f"/episodes/{episode_id}")
        shutil.rmtree(self._folder / episode_id, ignore_errors=True)

    def _snapshot(self, episode_id: str, name: str) -> Snapshot:
        self.apps_of(episode_id)
        found = self._registry.snapshots(episode_id)
        if name not in found:
            raise NotFound(f"no snapshot '{name}' of episode '{episode_id}'; have {', '.join(found) or 'none'}")
        return found[name]

    async def _ask(
        self, episode_id: str, method: str, action: str, body: Any = None, **query: Any
    ) -> dict[str, Answer]:
        path = f"/episodes/{episode_id}/{action}"
        return await self._apps.ask_all(self.apps_of(episode_id), method, path, body, **query)

    async def _everywhere(self, episode_id: str, method: str, action: str, body: Any = None) -> None:
        """Do one thing in every app while calls wait."""
        async with self._apps.held(episode_id, self.apps_of(episode_id)):
            await self._ask(episode_id, method, action, body)


def _milliseconds(seconds: Any) -> int:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= 3.2e9:
        raise FarmError(f"'advance_s' must be a number of seconds from 0 on, not {seconds!r}")
    return int(timedelta(seconds=seconds) / timedelta(milliseconds=1))


def _call(position: int, app: str, entry: Answer, zone: ZoneInfo) -> Answer:
    """Return one entry of the trace as the control API shows it."""
    ended_ms = entry["at_ms"]
    took_ms = (entry["ended_ns"] - entry["started_ns"]) / 1e6
    shown: Answer = {
        "n": position,
        "app": app,
        "call": entry["n"],
        "tool": entry["tool"],
        "arguments": entry["arguments"],
        "refused": entry.get("refused", False),
        "cut": entry.get("cut", False),
        "wrote": entry.get("wrote", False),
        "started_at": datetime.fromtimestamp((ended_ms - took_ms) / 1000, UTC).isoformat(timespec="microseconds"),
        "ended_at": datetime.fromtimestamp(ended_ms / 1000, UTC).isoformat(timespec="microseconds"),
        "now": datetime.fromtimestamp(entry["now_ms"] / 1000, zone).isoformat(timespec="milliseconds"),
    }
    if "result" in entry:
        shown["result"] = entry["result"]
    return shown
