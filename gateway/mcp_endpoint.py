"""The agents' port, for MCP only. ``/mcp/{episode}/{app}`` is one app, ``/mcp/{episode}`` all of them.

``/mcp/{app}`` is the app in the episode that the bearer opens, and ``/mcp`` all apps there; without a bearer, both are
those of ``default``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.types import Receive, Scope, Send

from farm._util.bounded_cache import BoundedCache
from farm.errors import FarmError, NotFoundError, UnauthorizedError
from farm.server.episode_gate import EpisodeGate
from farm.server.fast_path.protocol import RequestHead, RequestHeads
from farm.server.http.answer import HttpAnswer, error_answer, json_answer, parsed, refusal
from farm.server.http.asgi import MCP_PREFIX, ClientDisconnectedError, first_headers, header, mcp_place, read_body
from farm.server.http.request_guard import RequestGuard
from farm.server.tool_menu import MENU_HEADER, menu_of, narrow

from .addresses import Addresses
from .aggregate import Aggregate
from .episodes import Episodes
from .fast_relay import RelayProtocol
from .oauth_answers import challenge, oauth_answer
from .relay import Relay, passed_on
from .upstream import Connection, Downstream

_KNOWN_BYTES_MAX = 256 * 1024
_CACHED_BYTES_MAX = 4096  # of one combination of headers; longer ones are checked each time
_BROWSER_HINT = HttpAnswer(
    200,
    b"This is the port for agents of an mcp-farm; it speaks MCP, and has no pages.\n\n"
    b"In a terminal on the farm's machine:\n"
    b"  farm connect   connects the MCP clients that are installed\n"
    b"  farm watch     shows what agents do\n"
    b"  farm status    shows the apps and their ports\n",
    ((b"content-type", b"text/plain; charset=utf-8"),),
)


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
        addresses: Addresses,
    ) -> None:
        self._episodes = episodes
        self._relay = relay
        self._aggregate = aggregate
        self._guard = RequestGuard(allowed_hosts)
        self._is_ready = is_ready
        self._addresses = addresses
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
        # A client without the bearer is told where to look for it.
        if b"authorization" not in head.headers and not self._episodes.is_open(episode_id):
            return None
        self.requests += 1
        return self._relay.ask(app, episode_id, lines, body, downstream)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path: str = scope["path"]
        if path.startswith(MCP_PREFIX) or path == MCP_PREFIX[:-1]:
            self.requests += 1
            await self._mcp(scope, receive, send)
        elif path == "/healthz":
            ready = await self._is_ready()
            await json_answer(200 if ready else 503, {"ready": ready}).send(send)
        else:
            await self._other(path, scope).send(send)

    def _other(self, path: str, scope: Scope) -> HttpAnswer:
        """Answer a request outside of ``/mcp``: a browser's, an OAuth client's, or a mistaken one."""
        message = f"nothing at {path}; MCP is at /mcp/EPISODE/APP, and at /mcp/EPISODE for all apps"
        if (refused := self._guard.refused_host(scope)) is not None:
            return refused
        if _is_browser(scope):
            return _BROWSER_HINT
        return oauth_answer(path, self._addresses.seen_by(scope).agents) or error_answer(NotFoundError(message))

    async def _mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = first_headers(scope)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await refused.send(send)
            return
        body = b""
        try:
            body = await read_body(scope, receive)
            authorization, fields = headers.get(b"authorization"), _with_menu(scope)
            episode_id, app = self._find(mcp_place(scope), authorization)
            self._episodes.require_known(episode_id)
            if app is not None and authorization is not None and self._episodes.has_app(episode_id, app):
                # The app itself checks the bearer, so that its direct address is guarded equally.
                await self._relay.forward(app, episode_id, fields, body, receive, send)
                return
            settings = self._episodes.settings(episode_id)
            person = EpisodeGate(settings).admit(authorization).person
            if app is not None:
                self._episodes.require_app(episode_id, app)
                await self._relay.forward(app, episode_id, fields, body, receive, send)
                return
            apps = self._episodes.apps_for(settings, person)
            settings, apps = narrow(settings, apps, scope)
        except ClientDisconnectedError:
            return
        except UnauthorizedError as problem:
            problem.headers = ((b"www-authenticate", self._challenge(scope, str(problem))),)
            await refusal(problem, parsed(body)).send(send)
            return
        except FarmError as problem:
            await refusal(problem, parsed(body)).send(send)
            return
        here = {**scope, "path": MCP_PREFIX + episode_id}
        await self._aggregate.answer(settings, apps, body, here, receive, send)

    def _find(self, place: str, authorization: bytes | None) -> tuple[str, str | None]:
        """Return the episode at a place, and the app there or None for all apps."""
        name, slash, app = place.partition("/")
        if slash:
            return name, app
        if not name:
            return self._episodes.of_bearer(authorization), None
        # No episode has the name of an app.
        return (self._episodes.of_bearer(authorization), name) if self._episodes.is_app(name) else (name, None)

    def _challenge(self, scope: Scope, message: str) -> bytes:
        return challenge(scope["path"], self._addresses.seen_by(scope).agents, message)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> HttpAnswer | None:
        """Return the rejection of a request by its headers, or None."""
        if _is_browser(scope):
            return self._guard.refused_host(scope) or _BROWSER_HINT
        key = _entry_key(headers)
        is_cacheable = scope["method"] == "POST" and len(headers) == len(scope["headers"])
        if is_cacheable and key in self._known:
            return None
        refused = self._guard.refusal(scope)
        if refused is None and is_cacheable and (size := sum(len(each or b"") for each in key)) <= _CACHED_BYTES_MAX:
            self._cache.keep(key, None, size)
        return refused


def _with_menu(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Return a request's headers, with the menu in its address as a header."""
    menu = menu_of(scope)
    return [*scope["headers"]] if menu is None else [*scope["headers"], (MENU_HEADER, menu.encode())]


def _is_browser(scope: Scope) -> bool:
    """Return whether a person looks at this port: MCP clients do not ask for HTML."""
    return scope["method"] == "GET" and b"text/html" in (header(scope, b"accept") or b"")


def _entry_key(headers: dict[bytes, bytes]) -> tuple[bytes | None, ...]:
    return headers.get(b"host"), headers.get(b"origin"), headers.get(b"content-type")
