"""The farm's own servers beside the apps, in the gateway's process: whoever waits in one moves the clocks of all apps.

Each is an app to the rest of the farm, with a port for MCP and one for control on the loopback address. It is loaded
with the first request for it, so a farm whose episodes name none pays for two sockets.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import orjson
from starlette.types import Receive, Scope, Send

from farm import content
from farm._util.sockets import bind
from farm.context.waiting import Notices, notified, wait_limit_ms
from farm.errors import FarmError
from farm.server.http.asgi import MCP_PREFIX, ClientDisconnectedError, header, mcp_place, read_body, replay
from farm.server.listener import HttpServer, http_server

from .config import GatewayConfig

if TYPE_CHECKING:
    # An app's server is imported with the first request for a companion: most farms never have one.
    from farm.server.app import AppServer
    from farm.server.control import ControlApp

# Moves an episode's clock to a limit, or to the first notice of a person, and returns the notices.
Mover = Callable[[str, int, str | None], Awaitable[Notices]]


class WaitingServer:
    """One companion's MCP server and control endpoints, which are made when they are first asked for (ASGI)."""

    def __init__(self, app: str, config: GatewayConfig, move: Mover) -> None:
        self._app, self._config, self._move = app, config, move
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._begun: asyncio.Task[tuple[AppServer, ControlApp]] | None = None
        self._running: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request to the MCP endpoint, after its wait if it is a call that waits."""
        server, _ = await self._begin()
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].startswith(MCP_PREFIX):
            await server(scope, receive, send)
            return
        try:
            body = await read_body(scope, receive)
        except ClientDisconnectedError:
            return
        except FarmError:
            await server(scope, receive, send)
            return
        episode_id = mcp_place(scope)
        params = _called(body)
        if params is None:
            await server(scope, replay(body, receive), send)
            return
        async with self._turn(episode_id):
            notices = await self._wait(server, episode_id, header(scope, b"authorization"), params)
            with suppress(FarmError):
                with notified(server.store.open(episode_id), notices):
                    await server(scope, replay(body, receive), send)
                return
        await server(scope, replay(body, receive), send)

    def _turn(self, episode_id: str) -> asyncio.Lock:
        """Return the lock of an episode's calls: each hears of the notices of its own wait."""
        lock = self._turns.get(episode_id)
        if lock is None:
            lock = self._turns[episode_id] = asyncio.Lock()
        return lock

    async def _wait(
        self, server: AppServer, episode_id: str, authorization: bytes | None, params: Mapping[str, Any]
    ) -> Notices | None:
        """Move the clocks as far as a call waits, and return the notices; None for a call that does not wait."""
        with suppress(FarmError):  # the server itself words the refusal
            gate = server.gates.enter(episode_id, authorization)
            context = server.store.open(episode_id)
            limit_ms = wait_limit_ms(context, str(params.get("name")), params.get("arguments"), gate.menu)
            if limit_ms is not None:
                return await self._move(episode_id, limit_ms, gate.person)
        return None

    async def control(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request to the control endpoints."""
        _, control = await self._begin()
        await control(scope, receive, send)

    async def _begin(self) -> tuple[AppServer, ControlApp]:
        if self._begun is None:
            self._begun = asyncio.create_task(self._load())
        return await asyncio.shield(self._begun)

    async def _load(self) -> tuple[AppServer, ControlApp]:
        from farm.server.app import AppServer
        from farm.server.control import ControlApp
        from farm.server.pipeline import install_deadline

        loaded = content.load_app(self._app)
        loaded.remember_schema(self._config.data / "starts")
        server = AppServer(loaded, self._config.data, allowed_hosts=self._config.allowed_hosts)
        install_deadline()
        ready = asyncio.Event()
        self._running = asyncio.create_task(self._run(server, ready))
        await ready.wait()
        return server, ControlApp(server, self._config.control_token)

    async def _run(self, server: AppServer, ready: asyncio.Event) -> None:
        async with server.running():
            ready.set()
            await self._ending.wait()

    async def end(self) -> None:
        """Close the contexts, and leave the process's signals as they were."""
        self._ending.set()
        if self._running is not None:
            from farm.server.pipeline import remove_deadline

            await self._running
            remove_deadline()


def _called(body: bytes) -> Mapping[str, Any] | None:
    """Return the parameters of a tools/call, or None."""
    try:
        request = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    params = request.get("params") if isinstance(request, dict) else None
    return params if isinstance(params, dict) and request.get("method") == "tools/call" else None


class Companions:
    """Every companion of this farm.

    Attributes:
        config: the gateway's configuration, with the ports of the companions.
    """

    def __init__(self, config: GatewayConfig) -> None:
        """Bind the sockets of each companion; ``serve`` answers on them."""
        self._sockets = {
            app: (bind("127.0.0.1", 0, "port"), bind("127.0.0.1", 0, "port"))
            for app in content.companion_names()
            if app not in config.ports
        }
        ports = {
            app: ((mcp.getsockname()[1], control.getsockname()[1]),) for app, (mcp, control) in self._sockets.items()
        }
        self.config = replace(config, ports={**config.ports, **ports}, companions=tuple(self._sockets))
        self._servers: dict[str, WaitingServer] = {}

    def open(self, move: Mover) -> Sequence[tuple[HttpServer, socket.socket]]:
        """Return a server for each socket.

        Args:
            move: moves an episode's clock.
        """
        pairs = []
        for app, (mcp, control) in self._sockets.items():
            server = self._servers[app] = WaitingServer(app, self.config, move)
            pairs += [(http_server(server), mcp), (http_server(server.control, for_operators=True), control)]
        return pairs

    async def end(self) -> None:
        """Close the contexts of all companions, and the sockets."""
        for server in self._servers.values():
            await server.end()
        for pair in self._sockets.values():
            for bound in pair:
                bound.close()
