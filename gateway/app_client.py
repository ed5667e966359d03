"""Client of the app processes' control endpoints."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import orjson

from farm._util.json_io import loads
from farm.errors import ConflictError, FarmError, InternalError, UnavailableError
from farm.server.http.asgi import GATEWAY_HEADER

from .config import GatewayConfig, in_url, worker_of

_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=60)
# All other requests are idempotent and may be repeated.
_ONCE = ("/snapshots", "/fork", "/export")
# The supervisor restarts a dead app sooner than this, even after several deaths in a row.
RESTART_S_MAX = 10.0
_AGAIN_S = 0.05
_GIVE_UP_S = 0.5  # less than the gateway's servers wait for requests in progress
# A stopped or busy process counts as one that does not answer: a health request waits no longer than this.
HEALTH_S_MAX = 0.5
_HEALTH_TIMEOUT = aiohttp.ClientTimeout(total=HEALTH_S_MAX)


class NotJsonError(InternalError):
    """An app's answer is not JSON."""


class AppClient:
    """Client of the app processes of this farm.

    Attributes:
        names: every app and every companion.
        apps: the apps, which an episode has unless it names its own.
    """

    def __init__(self, config: GatewayConfig, since_ns: int | None = None) -> None:
        """Act for a gateway that started now, or at ``since_ns`` of the machine's monotonic clock."""
        self.since_ns = time.monotonic_ns() if since_ns is None else since_ns
        self.names = tuple(sorted(config.ports))
        self.apps = tuple(app for app in self.names if app not in config.companions)
        self._control = {
            app: [f"http://{in_url(config.control_host_of(app))}:{control}" for _, control in workers]
            for app, workers in config.ports.items()
        }
        self._headers = {
            "authorization": f"Bearer {config.control_token}",
            GATEWAY_HEADER.decode(): str(self.since_ns),
        }
        self._session: aiohttp.ClientSession | None = None
        self._waiting: set[asyncio.Timeout] = set()
        self._is_ending = False

    async def open(self) -> None:
        """Open the connection pool; needs a running loop."""
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=300)
        self._session = aiohttp.ClientSession(connector=connector, timeout=_TIMEOUT, headers=self._headers)

    async def close(self) -> None:
        """Close the connection pool."""
        if self._session:
            await self._session.close()

    def end(self) -> None:
        """Stop retrying, and give up requests that are still unanswered after ``_GIVE_UP_S``."""
        self._is_ending = True
        asyncio.get_running_loop().call_later(_GIVE_UP_S, self._give_up)

    def _give_up(self) -> None:
        for waiting in self._waiting:
            waiting.reschedule(0)

    async def ask(self, app: str, method: str, path: str, body: Any = None, **query: Any) -> dict[str, Any]:
        """Return the answer of one app's control endpoint, from the worker that has the path's episode.

        Raises:
            FarmError: the app refused; message and class are the app's.
            NotJsonError: the answer is not JSON.
            MemoryError: the answer does not fit this process.
            UnavailableError: the app does not answer and did not restart in time.
        """
        data = None if body is None else orjson.dumps(body)
        params = {name: str(value) for name, value in query.items()}
        status, raw = await self._until_back(app, method, path, data, params)
        try:
            parsed: dict[str, Any] = loads(raw)
        except orjson.JSONDecodeError as problem:
            if "memory" in str(problem):  # orjson's only word for it
                raise MemoryError from None
            raise NotJsonError(f"app '{app}' answered {status} to {method} {path}, and no JSON; see its log") from None
        if status != 200:
            refused = FarmError.from_json(status, parsed)
            raise type(refused)(f"app '{app}': {refused}") if isinstance(refused, InternalError) else refused
        return parsed

    async def _until_back(
        self, app: str, method: str, path: str, data: bytes | None, params: dict[str, str]
    ) -> tuple[int, bytes]:
        """Retry for up to ``RESTART_S_MAX`` while an app restarts, as an agent's call waits, too."""
        until = time.monotonic() + RESTART_S_MAX
        while True:
            try:
                return await self._once(app, method, path, data, params)
            except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, ConnectionError) as problem:
                # The process died. A request that was not sent can be sent again, and so can an idempotent one.
                is_repeatable = not path.endswith(_ONCE) or isinstance(problem, aiohttp.ClientConnectorError)
                # While the farm ends, no app restarts, but the supervisor's open socket would still queue the request.
                if not is_repeatable or self._is_ending or time.monotonic() >= until:
                    raise self._silent(app, problem) from problem
            except (aiohttp.ClientError, TimeoutError) as problem:
                raise self._silent(app, problem) from problem
            await asyncio.sleep(_AGAIN_S)

    async def _once(
        self, app: str, method: str, path: str, data: bytes | None, params: dict[str, str]
    ) -> tuple[int, bytes]:
        assert self._session is not None
        workers = self._control[app]
        url = workers[worker_of(path.split("/")[2], len(workers))] + path
        async with asyncio.timeout(None) as patience:
            self._waiting.add(patience)
            try:
                async with self._session.request(method, url, data=data, params=params) as answer:
                    return answer.status, await answer.read()
            finally:
                self._waiting.discard(patience)

    @staticmethod
    def _silent(app: str, problem: Exception) -> UnavailableError:
        return UnavailableError(f"app '{app}' does not answer ({type(problem).__name__}); it may be restarting")

    async def ask_all(
        self, apps: Iterable[str], method: str, path: str, body: Any = None, **query: Any
    ) -> dict[str, dict[str, Any]]:
        """Ask several apps concurrently and return app → answer; raise the first error after all have answered."""
        found: dict[str, dict[str, Any]] = {}
        for app, answer in (await self.ask_each(apps, method, path, body, **query)).items():
            if isinstance(answer, InternalError):
                raise answer
            found[app] = answer
        return found

    async def ask_each(
        self, apps: Iterable[str], method: str, path: str, body: Any = None, **query: Any
    ) -> dict[str, dict[str, Any] | InternalError]:
        """Ask as ``ask_all`` does, but return an app's error, such as a broken file, in place of its answer."""
        names = tuple(apps)
        asked = (self.ask(app, method, path, body, **query) for app in names)
        answers = dict(zip(names, await asyncio.gather(*asked, return_exceptions=True), strict=True))
        found: dict[str, dict[str, Any] | InternalError] = {}
        for app, answer in answers.items():
            if isinstance(answer, BaseException) and not isinstance(answer, InternalError):
                raise answer
            found[app] = answer
        return found

    @asynccontextmanager
    async def held(self, episode_id: str, apps: tuple[str, ...]) -> AsyncIterator[None]:
        """Lock an episode in all its apps: calls wait, so the changes made inside are one consistent snapshot.

        Raises:
            ConflictError: a lock timed out before the work was done.
        """
        path = f"/episodes/{episode_id}"
        try:
            await self.ask_all(apps, "POST", f"{path}/hold")
            yield
        except BaseException:
            await asyncio.gather(*(self._try_release(app, path) for app in apps))
            raise
        released = await self.ask_all(apps, "POST", f"{path}/release")
        late = [app for app, answer in released.items() if not answer["released"]]
        if late:
            raise ConflictError(f"episode '{episode_id}' was not held to the end in {', '.join(late)}; do it again")

    async def _try_release(self, app: str, path: str) -> None:
        try:
            await self.ask(app, "POST", f"{path}/release")
        except FarmError:
            return  # the lock times out after ten seconds

    async def health(self) -> dict[str, list[dict[str, Any] | None]]:
        """Return app → each worker's health report, or None for a worker that does not answer."""
        asked = (asyncio.gather(*map(self._health_of, self._control[app])) for app in self.apps)
        return dict(zip(self.apps, await asyncio.gather(*asked), strict=True))

    async def _health_of(self, url: str) -> dict[str, Any] | None:
        assert self._session is not None
        try:
            async with self._session.get(f"{url}/healthz", timeout=_HEALTH_TIMEOUT) as answer:
                found: dict[str, Any] = orjson.loads(await answer.read())
                return found if answer.status == 200 else None
        except (aiohttp.ClientError, TimeoutError, ConnectionError, orjson.JSONDecodeError):
            return None

    async def are_ready(self) -> bool:
        """Return whether every worker of every app answers."""
        return all(None not in workers for workers in (await self.health()).values())
