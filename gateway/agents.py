"""The agents' port: MCP and nothing else. ``/mcp/{episode}/{app}`` is one app, ``/mcp/{episode}`` all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from hmac import compare_digest

from mcp.server.transport_security import TransportSecurityMiddleware
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from farm.context.settings import Settings
from farm.errors import NotFound
from farm.server._http import BodyTooLarge, ClientGone, header, read_body, send_bytes, send_json, send_rpc_error
from farm.server._sdk import security

from .episodes import Episodes
from .relay import Relay
from .together import Together

_PREFIX = "/mcp/"


class Agents:
    """Answers requests of agents (ASGI)."""

    def __init__(
        self,
        episodes: Episodes,
        relay: Relay,
        together: Together,
        allowed_hosts: tuple[str, ...],
        is_ready: Callable[[], Awaitable[bool]],
    ) -> None:
        self._episodes = episodes
        self._relay = relay
        self._together = together
        self._rules = TransportSecurityMiddleware(security(allowed_hosts))
        self._is_ready = is_ready
        self.requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path: str = scope["path"]
        if path.startswith(_PREFIX):
            self.requests += 1
            await self._mcp(path[len(_PREFIX) :], scope, receive, send)
        elif path == "/healthz":
            ready = await self._is_ready()
            await send_json(send, 200 if ready else 503, {"ready": ready})
        else:
            message = f"nothing at {path}; MCP is at /mcp/EPISODE/APP, and at /mcp/EPISODE for all apps"
            await send_json(send, 404, {"error": {"code": "not_found", "message": message}})

    async def _mcp(self, place: str, scope: Scope, receive: Receive, send: Send) -> None:
        refused = await self._rules.validate_request(Request(scope), is_post=scope["method"] == "POST")
        if refused is not None:
            await refused(scope, receive, send)
            return
        if scope["method"] != "POST":
            message = "only POST is served here: every request is answered at once"
            await send_rpc_error(send, 405, message, (b"allow", b"POST"))
            return
        episode_id, _, app = place.partition("/")
        try:
            apps = self._episodes.apps_of(episode_id)
            if app and app not in apps:
                raise NotFound(f"episode '{episode_id}' has no app '{app}'; it has {', '.join(apps)}")
        except NotFound as missing:
            await send_rpc_error(send, 404, str(missing))
            return
        if app:
            # The app itself asks for the bearer, so that its direct address is guarded alike.
            await self._relay.forward(app, episode_id, scope, receive, send)
            return
        await self._all(self._episodes.settings(episode_id), apps, scope, receive, send)

    async def _all(self, settings: Settings, apps: tuple[str, ...], scope: Scope, receive: Receive, send: Send) -> None:
        if not _admits(settings, header(scope, b"authorization")):
            message = f"episode '{settings.id}' needs its token as 'Authorization: Bearer TOKEN'"
            await send_rpc_error(send, 401, message, (b"www-authenticate", b"Bearer"))
            return
        try:
            body = await read_body(scope, receive)
        except BodyTooLarge:
            await send_bytes(send, 413, b"Request body too large", b"text/plain; charset=utf-8")
            return
        except ClientGone:
            return
        await self._together.answer(settings, apps, body, scope, receive, send)


def _admits(settings: Settings, authorization: bytes | None) -> bool:
    if settings.token_sha256 is None:
        return True
    if authorization is None or authorization[:7].lower() != b"bearer ":
        return False
    return compare_digest(sha256(authorization[7:].strip()).hexdigest(), settings.token_sha256)
