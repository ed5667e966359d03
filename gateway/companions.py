"""The farm's own servers beside the apps, in the gateway's process: whoever waits in one moves the clocks of all apps.

Each is an app to the rest of the farm, with a port for MCP and one for control on the loopback address. It is loaded
with the first request for it, so a farm whose episodes name none pays for two sockets.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from farm import content
from farm._util.sockets import bind
from farm.server.listener import HttpServer, http_server

from .config import GatewayConfig
from .episodes import Episodes

if TYPE_CHECKING:
    # An app's server is imported with the first request for a companion: most farms never have one.
    from farm.server.companion import CompanionServer
    from farm.server.control import ControlApp


class WaitingServer:
    """One companion's MCP server and control endpoints, which are made when they are first asked for (ASGI)."""

    def __init__(self, app: str, config: GatewayConfig, episodes: Episodes) -> None:
        self._app, self._config, self._episodes = app, config, episodes
        self._begun: asyncio.Task[tuple[CompanionServer, ControlApp]] | None = None
        self._server: CompanionServer | None = None
        self._running: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request to the MCP endpoint."""
        server, _ = await self._begin()
        await server(scope, receive, send)

    async def control(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request to the control endpoints."""
        _, control = await self._begin()
        await control(scope, receive, send)

    async def _begin(self) -> tuple[CompanionServer, ControlApp]:
        if self._begun is None:
            self._begun = asyncio.create_task(self._load())
        return await asyncio.shield(self._begun)

    async def _load(self) -> tuple[CompanionServer, ControlApp]:
        from farm.server.companion import CompanionServer
        from farm.server.control import ControlApp
        from farm.server.pipeline import install_deadline

        loaded = content.load_app(self._app)
        loaded.remember_schema(self._config.data / "starts")
        server = CompanionServer(
            *(loaded, self._config.data, self._episodes.wait_until, self._episodes.notices),
            allowed_hosts=self._config.allowed_hosts,
        )
        self._server = server
        install_deadline()
        ready = asyncio.Event()
        self._running = asyncio.create_task(self._run(server, ready))
        await ready.wait()
        return server, ControlApp(server, self._config.control_token)

    async def _run(self, server: CompanionServer, ready: asyncio.Event) -> None:
        async with server.running():
            ready.set()
            await self._ending.wait()

    def end_streams(self) -> None:
        """End the streams that last as long as their clients, as the farm ends."""
        if self._server is not None:
            self._server.end_streams()

    async def end(self) -> None:
        """Close the contexts, and leave the process's signals as they were."""
        self._ending.set()
        if self._running is not None:
            from farm.server.pipeline import remove_deadline

            await self._running
            remove_deadline()


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

    def open(self, episodes: Episodes) -> Sequence[tuple[HttpServer, socket.socket]]:
        """Return a server for each socket, whose calls wait in these episodes."""
        pairs = []
        for app, (mcp, control) in self._sockets.items():
            server = self._servers[app] = WaitingServer(app, self.config, episodes)
            pairs += [(http_server(server), mcp), (http_server(server.control, for_operators=True), control)]
        return pairs

    def end_streams(self) -> None:
        """End the streams that last as long as their clients, as the farm ends."""
        for server in self._servers.values():
            server.end_streams()

    async def end(self) -> None:
        """Close the contexts of all companions, and the sockets."""
        for server in self._servers.values():
            await server.end()
        for pair in self._sockets.values():
            for bound in pair:
                bound.close()
