"""A whole farm in the process of a test: real apps and a real gateway, which speak HTTP to each other over loopback."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import gateway.__main__ as gateway_process
from farm._util.sockets import bind
from farm.client import FarmClient, mcp_call, mcp_tools
from farm.content import load_app
from farm.server.app import AppServer
from farm.server.control import ControlApp
from farm.server.listener import HttpServer, http_server
from gateway.config import GatewayConfig

OPERATOR_TOKEN, CONTROL_TOKEN = "operator-token", "control-token"


class Farm:
    """A running farm.

    Attributes:
        agents_url: where agents reach it.
        operators_url: where operators do.
        apps: app → its server.
    """

    def __init__(self, raw: dict[str, Any], apps: dict[str, AppServer], ends: Sequence[Callable[[], None]]) -> None:
        self.agents_url: str = raw["agents_url"]
        self.operators_url: str = raw["operators_url"]
        self.apps = apps
        self._ends: Sequence[Callable[[], None]] = ends
        self._client = FarmClient(self.operators_url, OPERATOR_TOKEN)

    async def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Return what the control API answers; its refusals are raised."""
        return await asyncio.to_thread(self._client.request, method, path, body, **query)

    async def create(self, **wishes: Any) -> Any:
        """Create an episode without a world."""
        return await self.ask("POST", "/v1/episodes", {"world": None, "now": "2026-03-09T09:00:00+08:00", **wishes})

    async def call(self, episode: dict[str, Any], app: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool through the gateway."""
        return await asyncio.to_thread(mcp_call, episode["mcp"][app], tool, arguments, episode["token"])

    async def tools(self, url: str, token: str | None) -> list[str]:
        """Return the names of the tools an address lists."""
        return [tool["name"] for tool in await asyncio.to_thread(mcp_tools, url, token)]

    def end(self) -> None:
        """Let the gateway end, as a signal does."""
        for end in self._ends:
            end()

    def close(self) -> None:
        """Close the connection to the control API."""
        self._client.close()


def settings_of(data: Path, ports: dict[str, Any], *bound: socket.socket, **options: Any) -> dict[str, Any]:
    """Return what the supervisor would tell the gateway."""
    agents, operators = bound
    return {
        "data": str(data),
        "agents_url": f"http://127.0.0.1:{agents.getsockname()[1]}",
        "operators_url": f"http://127.0.0.1:{operators.getsockname()[1]}",
        "world": None,
        "operator_token": OPERATOR_TOKEN,
        "secret": "a-secret",
        "control_token": CONTROL_TOKEN,
        "ports": ports,
        "allowed_hosts": [],
        "has_default": True,
        "guards_default": False,
        "has_public_url": False,
        "behind_proxy": False,
        "agents_fd": agents.fileno(),
        "operators_fd": operators.fileno(),
        **options,
    }


@asynccontextmanager
async def farm(data: Path, *names: str, monkeypatch: pytest.MonkeyPatch, **options: Any) -> AsyncIterator[Farm]:
    """Serve these apps and a gateway inside."""
    ends: list[Callable[[], None]] = []
    monkeypatch.setattr(gateway_process, "on_signals", ends.append)
    agents, operators = bind("127.0.0.1", 0, "port"), bind("127.0.0.1", 0, "port")
    ports: dict[str, list[tuple[int, int]]] = {}
    apps: dict[str, AppServer] = {}
    servers: list[tuple[HttpServer, socket.socket]] = []
    async with AsyncExitStack() as stack:
        for name in names:
            app = apps[name] = AppServer(load_app(name), data)
            await stack.enter_async_context(app.running())
            listening, control = bind("127.0.0.1", 0, "port"), bind("127.0.0.1", 0, "port")
            ports[name] = [(listening.getsockname()[1], control.getsockname()[1])]
            operated = ControlApp(app, CONTROL_TOKEN)
            servers += [(http_server(app), listening), (http_server(operated, for_operators=True), control)]
        raw = settings_of(data, ports, agents, operators, **options)
        serving = [asyncio.create_task(server.serve([bound])) for server, bound in servers]
        main = asyncio.create_task(
            gateway_process._serve(GatewayConfig.load(raw), agents, operators, watches_stdin=False)
        )
        running = Farm(raw, apps, ends)
        try:
            while not ends and not main.done():
                await asyncio.sleep(0)
            yield running
        finally:
            running.close()
            running.end()
            await asyncio.wait_for(main, 60)
            for server, _ in servers * 2:
                server.end()  # told twice, it waits for nobody
            await asyncio.gather(*serving)
