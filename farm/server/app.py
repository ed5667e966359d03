"""One app as an ASGI application: ``/mcp/{episode}`` for both eras of MCP, everything else refused.

Order of checks: Host and Origin, the episode, its bearer, then the protocol. A request of a known good form takes the
fast path; anything unusual goes to the SDK, whose answer is the reference in every case.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
from mcp.server.transport_security import TransportSecurityMiddleware
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from farm.content import LoadedApp
from farm.context.store import Store
from farm.errors import FarmError, NotFound
from farm.pipeline import INTERNAL_ERROR, Outcome, call, refuse_unknown
from farm.server._http import BodyTooLarge, ClientGone, header, read_body, replay, send_bytes, send_json, send_rpc_error
from farm.server._sdk import Exchange, SdkSide, security
from farm.server.doors import Door, Doors

_PREFIX = "/mcp/"
_logger = logging.getLogger("farm.server")


class AppServer:
    """Serves one app's episodes over MCP.

    Attributes:
        loaded: the app.
        store: its contexts.
        doors: its episodes as seen from outside.
        calls: how many calls were answered.
    """

    def __init__(
        self,
        loaded: LoadedApp,
        data: Path,
        *,
        allowed_hosts: tuple[str, ...] = (),
        json_mode: bool = True,
        is_fast: bool = True,
        protocol: ModuleType | None = None,
    ) -> None:
        self.loaded = loaded
        self.store = Store(loaded, data)
        self.doors = Doors(self.store)
        self.calls = 0
        self._rules = TransportSecurityMiddleware(security(allowed_hosts))
        self._sdk = SdkSide(loaded, self._run, self._rules.settings, json_mode, protocol)
        self._is_fast = is_fast
        self._is_ready = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Be ready for requests inside; close every context at the end."""
        # Compiling every check now keeps the first call as quick as the others.
        assert self.loaded.bound
        try:
            async with self._sdk.manager.run():
                self._is_ready = True
                yield
        finally:
            self._is_ready = False
            self.doors.release_all()
            self.store.close_all()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] != "http":
            raise ValueError(f"no answer to a {scope['type']} connection; this server speaks HTTP")
        elif scope["path"].startswith(_PREFIX):
            await self._mcp(scope, receive, send)
        elif scope["path"] == "/healthz" and self._is_ready:
            await send_json(send, 200, {"app": self.loaded.app.name, "ready": True})
        else:
            await send_json(
                send,
                404,
                {"error": {"code": "not_found", "message": f"nothing at {scope['path']}; MCP is at /mcp/EPISODE"}},
            )

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        async with AsyncExitStack() as stack:
            while True:
                message = await receive()
                if message["type"] == "lifespan.startup":
                    await stack.enter_async_context(self.running())
                    await send({"type": "lifespan.startup.complete"})
                else:
                    await stack.aclose()
                    await send({"type": "lifespan.shutdown.complete"})
                    return

    async def _mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check everything in order, then let the SDK answer."""
        refused = await self._rules.validate_request(Request(scope), is_post=scope["method"] == "POST")
        if refused is not None:
            await refused(scope, receive, send)
            return
        if scope["method"] != "POST":
            await send_rpc_error(
                send, 405, "only POST is served here: every request is answered at once", (b"allow", b"POST")
            )
            return
        try:
            body = await read_body(receive)
        except BodyTooLarge:
            await send_bytes(send, 413, b"Request body too large", b"text/plain; charset=utf-8")
            return
        except ClientGone:
            return
        try:
            request, is_parsed = orjson.loads(body), True
        except orjson.JSONDecodeError:
            request, is_parsed = None, False
        door = await self._enter(scope, send, request)
        if door is None:
            return
        params = request.get("params") if isinstance(request, dict) else None
        arguments = params.get("arguments") if isinstance(params, dict) else None
        await self._sdk(Exchange(door, arguments, is_parsed), scope, replay(body, receive), send)

    async def _enter(self, scope: Scope, send: Send, request: Any) -> Door | None:
        """Return the door of the request's episode, or None after a refusal was sent."""
        try:
            door = self.doors.require(scope["path"][len(_PREFIX) :])
        except NotFound as missing:
            await send_rpc_error(send, 404, str(missing), request=request)
            return None
        if door.admits(header(scope, b"authorization")):
            return door
        message = f"episode '{door.id}' needs its token as 'Authorization: Bearer TOKEN'"
        await send_rpc_error(send, 401, message, (b"www-authenticate", b"Bearer"), request=request)
        return None

    def _run(self, door: Door, name: str, arguments: Any) -> Outcome:
        """Run one call in an episode; what a tool is not shown does not exist."""
        try:
            context = self.store.open(door.id)
        except (FarmError, OSError, sqlite3.Error) as problem:
            if not isinstance(problem, NotFound):
                _logger.error("episode %s cannot be opened: %s", door.id, problem)
            message = orjson.dumps({"code": INTERNAL_ERROR, "message": str(problem)})
            return Outcome(message, True, True, 0)
        if door.menu is None or name in door.menu:
            outcome = call(context, name, arguments)
        else:
            outcome = refuse_unknown(context, name, arguments)
        self.calls += 1
        if door.watchers:
            door.tell_watchers()
        return outcome
