"""The agents' port, for MCP only. ``/mcp/{episode}/{app}`` is one app, ``/mcp/{episode}`` all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.types import Receive, Scope, Send

from farm._util.bounded_cache import BoundedCache
from farm.errors import FarmError, NotFoundError
from farm.server.episode_gate import EpisodeGate
from farm.server.fast_path.protocol import RequestHead, RequestHeads
from farm.server.http.answer import HttpAnswer, error_answer, json_answer, parsed, refusal
from farm.server.http.asgi import MCP_PREFIX, ClientDisconnectedError, first_headers, mcp_place, read_body
from farm.server.http.request_guard import RequestGuard

from .aggregate import Aggregate
from .episodes import Episodes
from .fast_relay import RelayProtocol
from .relay import Relay, passed_on
from .upstream import Connection, Downstream

_KNOWN_BYTES_MAX = 256 * 1024
_CACHED_BYTES_MAX = 4096  # of one combination of headers; longer ones are checked each time


class McpEndpoint:
    """Answers requests of agents (ASGI; ``connection`` handles requests with known headers)."""

    connection = RelayProtocol

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
        self._guard = RequestGuard(allowed_hosts)
        self._is_ready = is_ready
        # Host, Origin and Content-Type of accepted requests; only a few, as clients repeat themselves.
        self._cache: BoundedCache[tuple[bytes | None, ...], None] = BoundedCache(_KNOWN_BYTES_MAX)
        self._known = self._cache.known
        self.requests = 0
        self.heads = RequestHeads()

    def relay_at_once(
        self, episode_id: str, app: str, head: RequestHead, body: bytes, downstream: Downstream
    ) -> Connection | None:
        """Relay a request whose headers were accepted before; None: the request must go through ASGI."""
        lines: bytes | None = head.cached
        if lines is None:
            if _entry_key(head.headers) not in self._known:
                return None
            lines = head.cached = passed_on(head.headers.items())
        if not self._episodes.has_app(episode_id, app):
            return None
        self.requests += 1
        return self._relay.ask(app, episode_id, lines, body, downstream)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path: str = scope["path"]
        if path.startswith(MCP_PREFIX):
            self.requests += 1
            await self._mcp(scope, receive, send)
        elif path == "/healthz":
            ready = await self._is_ready()
            await json_answer(200 if ready else 503, {"ready": ready}).send(send)
        else:
            message = f"nothing at {path}; MCP is at /mcp/EPISODE/APP, and at /mcp/EPISODE for all apps"
            await error_answer(NotFoundError(message)).send(send)

    async def _mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = first_headers(scope)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await refused.send(send)
            return
        body = b""
        try:
            body = await read_body(scope, receive)
            episode_id, slash, app = mcp_place(scope).partition("/")
            self._episodes.require_known(episode_id)
            if slash and self._episodes.has_app(episode_id, app):
                # The app itself checks the bearer, so that its direct address is guarded equally.
                await self._relay.forward(app, episode_id, scope["headers"], body, receive, send)
                return
            settings = self._episodes.settings(episode_id)
            EpisodeGate(settings).require_open(headers.get(b"authorization"))
            if slash:
                self._episodes.require_app(episode_id, app)
        except ClientDisconnectedError:
            return
        except FarmError as problem:
            await refusal(problem, parsed(body)).send(send)
            return
        await self._aggregate.answer(settings, self._episodes.running(episode_id), body, scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> HttpAnswer | None:
        """Return the rejection of a request by its headers, or None."""
        key = _entry_key(headers)
        is_cacheable = scope["method"] == "POST" and len(headers) == len(scope["headers"])
        if is_cacheable and key in self._known:
            return None
        refused = self._guard.refusal(scope)
        if refused is None and is_cacheable and (size := sum(len(each or b"") for each in key)) <= _CACHED_BYTES_MAX:
            self._cache.keep(key, None, size)
        return refused


def _entry_key(headers: dict[bytes, bytes]) -> tuple[bytes | None, ...]:
    return headers.get(b"host"), headers.get(b"origin"), headers.get(b"content-type")
