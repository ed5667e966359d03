"""The agents' port: MCP and nothing else. ``/mcp/{episode}/{app}`` is one app, ``/mcp/{episode}`` all of them."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from mcp.server.transport_security import TransportSecurityMiddleware
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from farm.context.settings import Settings, is_bearer
from farm.errors import MethodNotAllowed, NotFound, TooLarge, Unauthorized
from farm.server.asgi import (
    BODY_BYTES_MAX,
    ClientGone,
    header,
    parsed,
    read_body,
    replay,
    send_error,
    send_json,
    send_refusal,
)
from farm.server.fast_path import Head, Heads
from farm.server.security import security

from .aggregate import Aggregate
from .episodes import Episodes
from .fast_relay import RelayHttp
from .relay import Relay, passed_on
from .upstream import Asker, Connection, Pool

_PREFIX = "/mcp/"
_KNOWN_MAX = 256


class McpEndpoint:
    """Answers requests of agents (ASGI; those it has seen the like of are taken by ``connection``)."""

    connection = RelayHttp

    def __init__(
        self,
        episodes: Episodes,
        relay: Relay,
        aggregate: Aggregate,
        allowed_hosts: tuple[str, ...],
        is_ready: Callable[[], Awaitable[bool]],
    ) -> None:
        self._episodes = episodes
        self._relay = relay
        self._aggregate = aggregate
        self._rules = TransportSecurityMiddleware(security(allowed_hosts))
        self._is_ready = is_ready
        # Host, Origin and Content-Type of requests that were let in; a handful, as clients repeat themselves.
        self._known: set[tuple[bytes | None, ...]] = set()
        self.requests = 0
        self.heads = Heads()

    def forward_at_once(
        self, episode_id: str, app: str, head: Head, body: bytes, asker: Asker
    ) -> tuple[Pool, Connection] | None:
        """Send a request on to its app if its like was let in before and nothing has to be waited for."""
        lines = head.kept
        if lines is None:
            if _entry_key(head.headers) not in self._known:
                return None
            lines = head.kept = passed_on(head.headers.items())
        if not self._episodes.has_app(episode_id, app):
            return None
        asked = self._relay.forward_at_once(app, episode_id, lines, body, asker)
        self.requests += asked is not None
        return asked

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
            await send_error(send, NotFound(message))

    async def _mcp(self, place: str, scope: Scope, receive: Receive, send: Send) -> None:
        if not await self._let_in(scope, receive, send):
            return
        try:
            message = await receive()
            body: bytes = message.get("body", b"")
            if message["type"] != "http.request" or message.get("more_body") or len(body) > BODY_BYTES_MAX:
                body = await read_body(scope, replay(message, receive))
        except TooLarge as refused:
            await send_refusal(send, refused)
            return
        except ClientGone:
            return
        episode_id, slash, app = place.partition("/")
        try:
            if slash:
                self._episodes.require_app(episode_id, app)
                # The app itself asks for the bearer, so that its direct address is guarded alike.
                await self._relay.forward(app, episode_id, scope["headers"], body, receive, send)
                return
            settings = self._episodes.settings(episode_id)
            _require_unexpired(settings)
            token = settings.token_sha256
            if token is not None and not is_bearer(header(scope, b"authorization"), token):
                raise Unauthorized(f"episode '{episode_id}' needs its token as 'Authorization: Bearer TOKEN'")
        except (NotFound, Unauthorized) as refused:
            await send_refusal(send, refused, parsed(body))
            return
        await self._aggregate.answer(settings, self._episodes.running(episode_id), body, scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Check Host, Origin, Content-Type and method; a refusal has been sent when the answer is False."""
        headers = dict(scope["headers"])
        key = _entry_key(headers)
        if scope["method"] == "POST" and key in self._known and len(headers) == len(scope["headers"]):
            return True
        foreign = await self._rules.validate_request(Request(scope), is_post=scope["method"] == "POST")
        if foreign is not None:
            await foreign(scope, receive, send)
            return False
        if scope["method"] != "POST":
            await send_refusal(send, MethodNotAllowed("only POST is served here; every request is answered at once"))
            return False
        if len(self._known) < _KNOWN_MAX and len(headers) == len(scope["headers"]):
            self._known.add(key)
        return True


def _entry_key(headers: dict[bytes, bytes]) -> tuple[bytes | None, ...]:
    return headers.get(b"host"), headers.get(b"origin"), headers.get(b"content-type")


def _require_unexpired(settings: Settings) -> None:
    if settings.expires_s is not None and time.time() > settings.expires_s:
        raise NotFound(f"episode '{settings.id}' has expired; create a new one")
