"""All apps of an episode as one MCP server. Every tool is always named ``<app>__<tool>``, so no name ever changes.

The gateway answers lists and the handshake itself. A call goes on to its app with the app's own tool name, in the body
and in the ``Mcp-Name`` header together (the 2026 revision refuses a request in which they differ).
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import orjson
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams
from starlette.types import Receive, Scope, Send

from farm import __version__, content
from farm._util.json_io import loads, may_be_long
from farm.context.settings import Settings
from farm.errors import NotFoundError
from farm.server.http.asgi import BODY_BYTES_MAX, mcp_place, replay

from .episodes import Episodes
from .relay import INTERNAL_ERROR, Relay

NAME_MAX = 64
_TTL_MS = 300_000
# One menu for all episodes of a kind, as operators make them: a list may be tens of kilobytes.
_LISTS_MAX = 64

RequestContext = ServerRequestContext[Any, Any]


def joint_name(app: str, tool: str) -> str:
    """Return a tool's name in the joint list; a name too long for clients is truncated and ends in a hash."""
    name = f"{app}__{tool}"
    if len(name) <= NAME_MAX:
        return name
    return f"{name[: NAME_MAX - 9]}_{blake2b(name.encode(), digest_size=4).hexdigest()}"


@dataclass(frozen=True)
class _ToolList:
    """The menu of one kind of episode: the list as bytes for the wire, and the app and tool behind each name."""

    tools: list[dict[str, Any]]
    targets: Mapping[str, tuple[str, str]]


def _build_tool_list(settings: Settings, apps: tuple[str, ...]) -> _ToolList:
    tools, targets = [], {}
    for app in apps:
        menu = settings.menu.get(app)
        for tool in content.load_app(app).in_profile(settings.profile).tool_schemas:
            if menu is None or tool["name"] in menu:
                name = joint_name(app, tool["name"])
                tools.append({**tool, "name": name})
                targets[name] = (app, tool["name"])
    return _ToolList(tools, targets)


def _target(name: str, listed: _ToolList, apps: tuple[str, ...]) -> tuple[str, str] | None:
    """Return app and tool of a name, or None; a tool off the menu still goes to its app, which words the refusal."""
    if name in listed.targets:
        return listed.targets[name]
    app, separator, tool = name.partition("__")
    return (app, tool) if separator and app in apps and tool.isascii() and tool.isprintable() else None


class Aggregate:
    """The joint server of every episode."""

    def __init__(self, episodes: Episodes, relay: Relay) -> None:
        self._episodes = episodes
        self._relay = relay
        self._lists: dict[Hashable, _ToolList] = {}
        server: Server[Any] = Server(
            "mcp-farm",
            version=__version__,
            instructions="Several simulated apps. A tool's name begins with its app and two underscores.",
            cache_hints={
                "tools/list": CacheHint(ttl_ms=_TTL_MS, scope="private"),
                "server/discover": CacheHint(ttl_ms=_TTL_MS, scope="private"),
            },
            # No tool here declares parameters in headers; without this the SDK lists all tools before every call.
            get_tool_input_schema=lambda _: {},
        )
        server.middleware.clear()  # opens an OpenTelemetry span per message
        server.add_request_handler("tools/list", PaginatedRequestParams, self._list)
        server.add_request_handler("tools/call", CallToolRequestParams, self._call_unknown)
        self._sdk = StreamableHTTPSessionManager(
            server,
            json_response=True,
            stateless=True,
            max_request_body_size=BODY_BYTES_MAX,
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        """Serve requests while the context is open."""
        return self._sdk.run()

    async def answer(
        self, settings: Settings, apps: tuple[str, ...], body: bytes, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer one request to an episode's joint server."""
        listed = self._tool_list(settings, apps)
        found = _call_of(body, scope)
        target = _target(found[1], listed, apps) if found is not None else None
        renamed = _renamed(found[0], target[1]) if found is not None and target is not None else None
        if target is not None and renamed is not None:
            app, tool = target
            headers = [(k, tool.encode() if k == b"mcp-name" else v) for k, v in scope["headers"]]
            await self._relay.forward(app, settings.id, headers, renamed, receive, send)
            return
        await self._sdk.handle_request(scope, replay(body, receive), send)

    def _tool_list(self, settings: Settings, apps: tuple[str, ...]) -> _ToolList:
        kind = apps, settings.profile, tuple(settings.menu.items())
        listed = self._lists.get(kind)
        if listed is None:
            if len(self._lists) >= _LISTS_MAX:
                del self._lists[next(iter(self._lists))]
            listed = self._lists[kind] = _build_tool_list(settings, apps)
        return listed

    def _tool_list_of(self, context: RequestContext) -> _ToolList:
        """Return the menu of the request's episode; the caller has already checked the bearer."""
        assert context.request is not None
        episode_id = mcp_place(context.request.scope)
        try:
            self._episodes.require_known(episode_id)
            return self._tool_list(self._episodes.settings(episode_id), self._episodes.running(episode_id))
        except NotFoundError as missing:
            raise MCPError(code=INTERNAL_ERROR, message=str(missing)) from missing

    async def _list(self, context: RequestContext, params: PaginatedRequestParams) -> dict[str, Any]:
        if params.cursor is not None:
            raise MCPError(code=INVALID_PARAMS, message="Invalid cursor: the list of tools has one page")
        return {"resultType": "complete", "tools": self._tool_list_of(context).tools}

    async def _call_unknown(self, context: RequestContext, params: CallToolRequestParams) -> dict[str, Any]:
        if params.name in self._tool_list_of(context).targets:
            # The SDK accepts requests that were not safe to forward, such as a call with a body that did not parse.
            raise MCPError(code=INVALID_PARAMS, message=f"Call {params.name} with plain name and arguments")
        raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {params.name}")


def _call_of(body: bytes, scope: Scope) -> tuple[dict[str, Any], str] | None:
    """Return the request and tool name of a plain tools/call whose headers agree with it, else None."""
    request = _parsed(body)
    if not isinstance(request, dict) or request.get("method") != "tools/call":
        return None
    params = request.get("params")
    name = params.get("name") if isinstance(params, dict) else None
    if not isinstance(name, str):
        return None
    named = [value for key, value in scope["headers"] if key == b"mcp-name"]
    return (request, name) if all(value == name.encode("utf-8", "surrogatepass") for value in named) else None


def _parsed(body: bytes) -> Any:
    try:
        request, is_loose = loads(body), may_be_long(body)
    except orjson.JSONDecodeError:
        try:
            # The SDK accepts JSON that orjson rejects: numbers beyond a double, NaN, half a surrogate pair.
            # Decoded first, as the standard library would also accept bytes in encodings that no app accepts.
            request, is_loose = json.loads(body.decode()), True
        except (ValueError, RecursionError):
            return None
    return _Loose(request) if is_loose and isinstance(request, dict) else request


class _Loose(dict[str, Any]):
    """A request that only the standard library can serialize again."""


def _renamed(request: dict[str, Any], tool: str) -> bytes | None:
    """Return the request as its app gets it; None if it is nested so deeply that the app's parser would fail, too."""
    request["params"]["name"] = tool
    try:
        return json.dumps(request).encode() if isinstance(request, _Loose) else orjson.dumps(request)
    except (orjson.JSONEncodeError, RecursionError):
        return None
