"""App processes that are not there: they answer the gateway as told and remember what they were asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from farm.errors import FarmError
from gateway.app_client import AppClient
from gateway.config import GatewayConfig
from gateway.episodes import Episodes
from gateway.judge_process import Judge
from gateway.judging import Judging
from gateway.registry import Intent, Registry


def _clock(clock_ms: int) -> dict[str, Any]:
    return {"clock_ms": clock_ms, "live": True, "rate": 1, "next_ms": None, "last_ms": None}


class FakeApps(AppClient):
    """AppClient in memory.

    Attributes:
        asked: every request as (app, method, path, body).
        fails: (app, end of path, or method and that) → what is raised once instead of an answer.
        clocks_ms: app → its simulated time; the others' is 0.
    """

    def __init__(self, *names: str) -> None:
        super().__init__(config(Path("/nowhere"), *names))
        self.asked: list[tuple[str, str, str, Any]] = []
        self.fails: dict[tuple[str, str], BaseException] = {}
        self.lost_holds: set[str] = set()
        self.clocks_ms: dict[str, int] = {}

    async def ask(self, app: str, method: str, path: str, body: Any = None, **query: Any) -> dict[str, Any]:
        # A method has its case (RFC 9110): an app knows no "post".
        assert method in ("GET", "POST", "PUT", "DELETE"), method
        self.asked.append((app, method, path, body))
        action = path.rsplit("/", 1)[1]
        for what in (action, f"{method} {action}"):
            if (app, what) in self.fails:
                raise self.fails.pop((app, what))
        if action == "release":
            return {"released": app not in self.lost_holds}
        clock_ms = self.clocks_ms.get(app, 0)
        if method == "GET" and path.count("/") == 2:
            return {**_clock(clock_ms), "calls": 3, "over_limit": 1}
        rows = {
            "changes": {},
            "reverted": {},
            "last": 0,
            "calls": [],
            "rows": [],
            "faults": [],
            "rules": [],
            "waiting": [],
            "acted": [],
            "raw": [],
            "total": 0,
            "next": None,
        }
        return {**_clock(clock_ms), "came": [], **rows}

    async def health(self) -> dict[str, list[dict[str, Any] | None]]:
        return {app: [{"calls": 0}] for app in self.names}

    def paths(self, app: str) -> list[str]:
        """Return method and last part of the path of what one app was asked."""
        return [f"{method} {path.rsplit('/', 1)[1]}" for of, method, path, _ in self.asked if of == app]


def config(data: Path, *apps: str, workers: int = 1, **options: Any) -> GatewayConfig:
    """Return the config of a farm without a world."""
    ports = {app: ((1000 + n, 2000 + n),) * workers for n, app in enumerate(apps)}
    return GatewayConfig(data, "http://a", "http://o", None, "token", "secret", "control", ports, **options)


class JudgingHere(Judging):
    """Judging in this process, which is where the apps are."""

    def __init__(self, config: GatewayConfig, apps: AppClient) -> None:
        super().__init__(config, 0)
        self._judge = Judge(apps)

    async def ask(self, kind: str, job: Any) -> bytes:
        status, raw = await self._judge.answer(kind, job, lambda: None)
        if status != 200:
            raise FarmError.from_json(status, orjson.loads(raw))
        return raw


class Gateway:
    """Everything of a gateway but its ports; a new one on the same folder is a restart."""

    def __init__(self, data: Path, *apps: str, **options: Any) -> None:
        self.data = data
        self.apps = FakeApps(*apps)
        self.registry = Registry(data / "registry.db")
        made = config(data, *apps, **options)
        self.episodes = Episodes(made, self.registry, self.apps, JudgingHere(made, self.apps))

    async def __aenter__(self) -> Gateway:
        await self.episodes.load()
        await self.episodes.recover()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.registry.close()

    async def left(self) -> list[Intent]:
        """Return what a gateway that started now would find undone."""
        other = Registry(self.data / "registry.db")
        try:
            return list(await other.open())
        finally:
            await other.close()

    async def intents(self) -> list[str]:
        """Return the actions of what is left undone."""
        return [intent.action for intent in await self.left()]


class Killed(BaseException):
    """Stands for the moment a process is killed: nothing may catch it."""


def refusal(message: str = "the disk is full") -> FarmError:
    """Return what an app refuses with."""
    return FarmError(message)
