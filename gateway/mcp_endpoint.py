"""The agents' port: MCP and nothing else. ``/mcp/{episode}/{app}`` is one app, ``/mcp/{episode}`` all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.types import Receive, Scope, Send

from farm.errors import FarmError, NotFound
from farm.server.answer import HttpAnswer, error_answer, json_answer, parsed, refusal
from farm.server.asgi import MCP_PREFIX, ClientGone, first_headers, mcp_place, read_body
from farm.server.episode_gate import EpisodeGate
from farm.server.fast_path import RequestHead, RequestHeads
from farm.server.kept import Kept
from farm.server.security import Entrance

from .aggregate import Aggregate
from .episodes import Episodes
from .fast_relay import RelayProtocol
from .relay import Relay, passed_on
from .upstream import Connection, Downstream

_KNOWN_BYTES_MAX = 256 * 1024
_KEPT_BYTES_MAX = 4096  # of one; whatever a client makes longer is looked at anew each time


class McpEndpoint:
    """Answers requests of agents (ASGI; those it has seen the like of are taken by ``connection``)."""

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
        self._entrance = Entrance(allowed_hosts)
        self._is_ready = is_ready
        # Host, Origin and Content-Type of requests that were let in; a handful, as clients repeat themselves.
        self._kept: Kept[tuple[bytes | None, ...], None] = Kept(_KNOWN_BYTES_MAX)
        self._known = self._kept.known
        self.requests = 0
        self.heads = RequestHeads()

    def relay_at_once(
        self, episode_id: str, app: str, head: RequestHead, body: bytes, downstream: Downstream
    ) -> Connection | None:
        """Send a request on to its app if its like was let in before; None: it comes again, by ASGI."""
        lines: bytes | None = head.kept
        if lines is None:
            if _entry_key(head.headers) not in self._known:
                return None
            lines = head.kept = passed_on(head.headers.items())
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
            await error_answer(NotFound(message)).send(send)

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
                # The app itself asks for the bearer, so that its direct address is guarded alike.
                await self._relay.forward(app, episode_id, scope["headers"], body, receive, send)
                return
            settings = self._episodes.settings(episode_id)
            EpisodeGate(settings).require_open(headers.get(b"authorization"))
            if slash:
                self._episodes.require_app(episode_id, app)
        except ClientGone:
            return
        except FarmError as problem:
            await refusal(problem, parsed(body)).send(send)
            return
        await self._aggregate.answer(settings, self._episodes.running(episode_id), body, scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> HttpAnswer | None:
        """Return what a request is refused with before anything else is asked."""
        key = _entry_key(headers)
        is_plain = scope["method"] == "POST" and len(headers) == len(scope["headers"])
        if is_plain and key in self._known:
            return None
        refused = self._entrance.refusal(scope)
        if refused is None and is_plain and (size := sum(len(each or b"") for each in key)) <= _KEPT_BYTES_MAX:
            self._kept.keep(key, None, size)
        return refused


def _entry_key(headers: dict[bytes, bytes]) -> tuple[bytes | None, ...]:
    return headers.get(b"host"), headers.get(b"origin"), headers.get(b"content-type")
