"""All apps of an episode as one MCP server. Every tool is always named ``<app>__<tool>``, so no name ever changes.

Prompts and resources are named alike; a resource keeps its address, which tools' answers repeat.

The gateway answers lists and the handshake itself. A call goes on to its app with the app's own tool name, in the body
and in the ``Mcp-Name`` header together (the 2026 revision refuses a request in which they differ).
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from typing import Any

import orjson
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    CallToolRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    RequestParams,
)
from starlette.types import Receive, Scope, Send

from farm import __version__, content
from farm._util.json_io import loads, may_be_long
from farm.appkit.dialects import InvalidArgumentsError
from farm.appkit.feature_requests import ResourceAddresses
from farm.context.settings import Settings
from farm.errors import NotFoundError
from farm.server.fast_path.header_template import ResponseRecorder
from farm.server.http.asgi import BODY_BYTES_MAX, mcp_place, replay
from farm.server.joint_names import joint_name
from farm.server.tool_menu import MENU_HEADER

from .episodes import Episodes
from .relay import INTERNAL_ERROR, Relay

_TTL_MS = 300_000
# One menu for all episodes of a kind, as operators make them: a list may be tens of kilobytes.
_LISTS_MAX = 64

RequestContext = ServerRequestContext[Any, Any]


@dataclass(frozen=True)
class _ToolList:
    """The menu of one kind of episode: the list as bytes for the wire, and the app and tool behind each name."""

    tools: list[dict[str, Any]]
    targets: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class _FeatureList:
    """The prompts and resources of one kind of episode.

    Attributes:
        prompts, resources, templates: as they are listed; None if no app has their methods.
        targets: name of a prompt → its app and its name there.
        addresses: app → the addresses of its resources.
        varying: the apps whose lists of resources depend on the episode; ``resources`` leaves them out.
        extensions: the extensions of the protocol that an app declares.
    """

    prompts: list[dict[str, Any]] | None
    resources: list[dict[str, Any]] | None
    templates: list[dict[str, Any]] | None
    targets: Mapping[str, tuple[str, str]]
    addresses: Mapping[str, ResourceAddresses]
    varying: tuple[str, ...]
    extensions: Mapping[str, Any]

    def app_of(self, uri: str) -> str | None:
        """Return the app that reads an address: its own, or else the first with resources of that scheme."""
        for app, addresses in self.addresses.items():
            with suppress(InvalidArgumentsError):
                addresses.find(uri)
                return app
        scheme = uri.partition(":")[0].lower()
        return next((app for app, addresses in self.addresses.items() if scheme in addresses.schemes), None)

    def list_of(self, method: str) -> list[dict[str, Any]] | None:
        """Return the list that a method answers, or None if no app has the method."""
        lists = {"prompts/list": self.prompts, "resources/list": self.resources}
        return lists.get(method, self.templates)


_KIND = "farm.kind"  # in a request's scope: the episode's settings and apps, as its address narrows them
# The parameter that names the target of a request, for each method that goes on to an app.
_TARGETS = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_LISTS = {"prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates"}
_PARAMS: Mapping[str, type[RequestParams]] = {
    "prompts/get": GetPromptRequestParams,
    "resources/read": ReadResourceRequestParams,
}


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


def _build_feature_list(settings: Settings, apps: tuple[str, ...]) -> _FeatureList:
    loaded = {app: content.load_app(app).in_profile(settings.profile) for app in apps}
    features = {app: each.features for app, each in loaded.items()}
    extensions: dict[str, Any] = {}
    for each in features.values():
        extensions |= each.capabilities.get("extensions", {})
    reading = {app: each for app, each in features.items() if each.resources is not None}
    varying = tuple(app for app in reading if "resources/list" in loaded[app].requests)
    fixed = {app: each.resources for app, each in reading.items() if app not in varying}
    prompts = {app: each.prompts for app, each in features.items() if each.prompts is not None}
    return _FeatureList(
        _named(prompts) if prompts else None,
        _named(fixed) if reading else None,
        _named({app: each.templates for app, each in reading.items()}) if reading else None,
        {joint_name(app, each["name"]): (app, each["name"]) for app, own in prompts.items() for each in own or ()},
        {app: ResourceAddresses(loaded[app].app, each) for app, each in reading.items()},
        varying,
        extensions,
    )


def _named(lists: Mapping[str, Sequence[Mapping[str, Any]] | None]) -> list[dict[str, Any]]:
    """Return the entries of all apps, each under the name that it has in joint lists."""
    return [{**each, "name": joint_name(app, each["name"])} for app, own in lists.items() for each in own or ()]


def _target(name: str, listed: _ToolList, apps: tuple[str, ...]) -> tuple[str, str] | None:
    """Return app and tool of a name, or None; a tool off the menu still goes to its app, which words the refusal."""
    return listed.targets.get(name) or _split(name, apps)


def _split(name: str, apps: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the app and the rest of a name that begins with an app of the episode, or None."""
    app, separator, rest = name.partition("__")
    return (app, rest) if separator and app in apps and rest.isascii() and rest.isprintable() else None


def _feature_target(method: str, name: str, listed: _FeatureList) -> tuple[str, str] | None:
    """Return app and name, or address, of a prompt or resource; None if no app has it."""
    if method == "prompts/get":
        return listed.targets.get(name)
    app = listed.app_of(name)
    return None if app is None else (app, name)


class Aggregate:
    """The joint server of every episode."""

    def __init__(self, episodes: Episodes, relay: Relay) -> None:
        self._episodes = episodes
        self._relay = relay
        self._lists: dict[Hashable, _ToolList] = {}
        self._features: dict[Hashable, _FeatureList] = {}
        server: Server[Any] = Server(
            "mcp-farm",
            version=__version__,
            instructions="Several simulated apps. A tool's name begins with its app and two underscores.",
            cache_hints={
                "tools/list": CacheHint(ttl_ms=_TTL_MS, scope="private"),
                "prompts/list": CacheHint(ttl_ms=_TTL_MS, scope="private"),
                "resources/list": CacheHint(ttl_ms=0, scope="private"),
                "resources/templates/list": CacheHint(ttl_ms=_TTL_MS, scope="private"),
                "server/discover": CacheHint(ttl_ms=_TTL_MS, scope="private"),
            },
            # No tool here declares parameters in headers; without this the SDK lists all tools before every call.
            get_tool_input_schema=lambda _: {},
        )
        server.middleware[:] = [self._with_features]  # the SDK's own opens an OpenTelemetry span per message
        server.add_request_handler("tools/list", PaginatedRequestParams, self._list)
        server.add_request_handler("tools/call", CallToolRequestParams, self._call_unknown)
        for method in _LISTS:
            server.add_request_handler(method, PaginatedRequestParams, self._list_features)
        for method, params in _PARAMS.items():
            server.add_request_handler(method, params, self._refuse_unknown)
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
        found = _call_of(body, scope)
        target = self._find_target(found, settings, apps) if found is not None else None
        renamed = _renamed(found.request, target[1]) if found is not None and target is not None else None
        if target is not None and renamed is not None:
            app, name = target
            headers = [(k, name.encode() if k == b"mcp-name" else v) for k, v in scope["headers"]]
            if scope["query_string"] and app in settings.menu:
                # A tool off the client's menu does not exist for it; the app words the refusal.
                headers.append((MENU_HEADER, f"={','.join(settings.menu[app])}".encode()))
            await self._relay.forward(app, settings.id, headers, renamed, receive, send)
            return
        await self._sdk.handle_request({**scope, _KIND: (settings, apps)}, replay(body, receive), send)

    def _find_target(self, found: _Call, settings: Settings, apps: tuple[str, ...]) -> tuple[str, str] | None:
        """Return the app that answers a request, and the request's target there; None if there is none."""
        if found.method == "tools/call":
            return _target(found.name, self._tool_list(settings, apps), apps)
        return _feature_target(found.method, found.name, self._feature_list(settings, apps))

    def _feature_list(self, settings: Settings, apps: tuple[str, ...]) -> _FeatureList:
        kind = apps, settings.profile
        listed = self._features.get(kind)
        if listed is None:
            if len(self._features) >= _LISTS_MAX:
                del self._features[next(iter(self._features))]
            listed = self._features[kind] = _build_feature_list(settings, apps)
        return listed

    async def _with_features(self, ctx: RequestContext, call_next: CallNext) -> HandlerResult:
        """Declare prompts, resources and extensions only where an app of the episode has any."""
        result = await call_next(ctx)
        if ctx.method not in ("initialize", "server/discover") or not isinstance(result, dict):
            return result
        listed = self._features_of(ctx)
        capabilities = {**result["capabilities"]}
        if listed.prompts is None:
            capabilities.pop("prompts", None)
        if listed.resources is None:
            capabilities.pop("resources", None)
        if listed.extensions:
            capabilities["extensions"] = dict(listed.extensions)
        return {**result, "capabilities": capabilities}

    async def _list_features(self, context: RequestContext, params: PaginatedRequestParams) -> dict[str, Any]:
        listed = self._features_of(context)
        entries = listed.list_of(context.method)
        if entries is None:
            raise MCPError(code=METHOD_NOT_FOUND, message="Method not found", data=context.method)
        if params.cursor is not None:
            raise MCPError(code=INVALID_PARAMS, message="Invalid cursor: the list has one page")
        more: list[dict[str, Any]] = []
        if context.method == "resources/list":
            for app in listed.varying:
                more += _named({app: await self._resources_now(app, context)})
        return {"resultType": "complete", _LISTS[context.method]: [*entries, *more]}

    async def _resources_now(self, app: str, context: RequestContext) -> list[dict[str, Any]]:
        """Return an app's resources as the app lists them now; none if it does not answer."""
        assert context.request is not None
        scope = context.request.scope
        asked = {"jsonrpc": "2.0", "id": 0, "method": context.method, "params": dict(context.params or {})}
        recorder = ResponseRecorder()
        body = orjson.dumps(asked)
        await self._relay.forward(app, mcp_place(scope), scope["headers"], body, context.request.receive, recorder)
        answered = b"".join(message.get("body", b"") for message in recorder.sent)
        with suppress(orjson.JSONDecodeError, KeyError, TypeError):
            return list(orjson.loads(answered)["result"]["resources"])
        return []

    async def _refuse_unknown(self, context: RequestContext, params: RequestParams) -> dict[str, Any]:
        listed = self._features_of(context)
        is_prompt = isinstance(params, GetPromptRequestParams)
        if (listed.prompts if is_prompt else listed.resources) is None:
            raise MCPError(code=METHOD_NOT_FOUND, message="Method not found", data=context.method)
        if isinstance(params, ReadResourceRequestParams):
            uri = str(params.uri)
            raise MCPError(code=INVALID_PARAMS, message=f"Resource not found: {uri}", data={"uri": uri})
        raise MCPError(code=INVALID_PARAMS, message=f"Unknown prompt: {(context.params or {}).get('name')}")

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
        return self._tool_list(*self._kind_of(context))

    def _features_of(self, context: RequestContext) -> _FeatureList:
        """Return the prompts and resources of the request's episode; the caller has already checked the bearer."""
        return self._feature_list(*self._kind_of(context))

    def _kind_of(self, context: RequestContext) -> tuple[Settings, tuple[str, ...]]:
        assert context.request is not None
        kind: tuple[Settings, tuple[str, ...]] = context.request.scope[_KIND]
        try:
            self._episodes.require_known(kind[0].id)
        except NotFoundError as missing:
            raise MCPError(code=INTERNAL_ERROR, message=str(missing)) from missing
        return kind

    async def _list(self, context: RequestContext, params: PaginatedRequestParams) -> dict[str, Any]:
        if params.cursor is not None:
            raise MCPError(code=INVALID_PARAMS, message="Invalid cursor: the list of tools has one page")
        return {"resultType": "complete", "tools": self._tool_list_of(context).tools}

    async def _call_unknown(self, context: RequestContext, params: CallToolRequestParams) -> dict[str, Any]:
        if params.name in self._tool_list_of(context).targets:
            # The SDK accepts requests that were not safe to forward, such as a call with a body that did not parse.
            raise MCPError(code=INVALID_PARAMS, message=f"Call {params.name} with plain name and arguments")
        raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {params.name}")


@dataclass(frozen=True)
class _Call:
    """A request with a target: a tool, a prompt or a resource."""

    request: dict[str, Any]
    method: str
    name: str


def _call_of(body: bytes, scope: Scope) -> _Call | None:
    """Return a plain request with a target whose headers agree with it, else None."""
    request = _parsed(body)
    method = request.get("method") if isinstance(request, dict) else None
    if not isinstance(method, str) or method not in _TARGETS:
        return None
    params = request.get("params")
    name = params.get(_TARGETS[method]) if isinstance(params, dict) else None
    if not isinstance(name, str):
        return None
    named = [value for key, value in scope["headers"] if key == b"mcp-name"]
    is_agreed = all(value == name.encode("utf-8", "surrogatepass") for value in named)
    return _Call(request, method, name) if is_agreed else None


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


def _renamed(request: dict[str, Any], name: str) -> bytes | None:
    """Return the request as its app gets it; None if it is nested so deeply that the app's parser would fail, too."""
    request["params"][_TARGETS[request["method"]]] = name
    try:
        return json.dumps(request).encode() if isinstance(request, _Loose) else orjson.dumps(request)
    except (orjson.JSONEncodeError, RecursionError):
        return None
