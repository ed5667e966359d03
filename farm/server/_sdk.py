"""The SDK's side of an app: a lowlevel MCP server with the contract's tools, whose calls run the pipeline.

It answers the requests that the fast path does not handle, so it is also the reference for the fast path. Requests that
arrive here have passed the checks of Host, Origin, episode and bearer.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    GetPromptRequestParams,
    Icon,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    RequestParams,
    SetLevelRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.types import Receive, Scope, Send

from farm._util.json_io import loads
from farm.appkit.dialects import InvalidArgumentsError
from farm.content import LoadedApp
from farm.errors import NotFoundError
from farm.server.episode_gate import EpisodeGate, EpisodeGates
from farm.server.http.asgi import BODY_BYTES_MAX, header, mcp_place
from farm.server.http.delivered import DELIVERIES
from farm.server.pipeline import INTERNAL_ERROR, Outcome
from farm.server.tool_menu import MENU_HEADER

RequestContext = ServerRequestContext[Any, Any]
LIST_TTL_MS = 300_000
# Some clients open a session for every call, and the farm takes no request to close one.
SESSION_IDLE_S = 600.0


RunCall = Callable[[EpisodeGate, str, Any], Outcome]
# Lists, which have one page each: the method, the key of the result, the attribute of the features.
_LISTS = {
    "prompts/list": ("prompts", "prompts"),
    "resources/list": ("resources", "resources"),
    "resources/templates/list": ("resourceTemplates", "templates"),
}
_PARAMS: Mapping[str, type[RequestParams]] = {
    "prompts/get": GetPromptRequestParams,
    "resources/read": ReadResourceRequestParams,
    "logging/setLevel": SetLevelRequestParams,
}
# The methods whose answers are the SDK's own in every revision.
_OF_THE_SDK = frozenset({"ping", "tools/list", "tools/call"})


@dataclass
class SdkSide:
    """The SDK's server for one app.

    Attributes:
        loaded: the app.
        gates: its episodes.
        call: runs one call through the pipeline.
        ask: runs one request of a prompt or a resource through the pipeline.
        json_mode: answer in JSON; otherwise as event streams, which only fixtures and companions use.
        protocol: the app's ``protocol`` module, if it offers more than tools.
        sessions_max: the number of sessions of clients with a handshake; 0: each of their requests is by itself.
    """

    loaded: LoadedApp
    gates: EpisodeGates
    call: RunCall
    ask: RunCall
    json_mode: bool = True
    protocol: ModuleType | None = None
    sessions_max: int = 0
    manager: StreamableHTTPSessionManager = field(init=False)
    server_info: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        schemas: dict[str, Mapping[str, Any]] = {tool["name"]: tool["inputSchema"] for tool in self.loaded.tool_schemas}
        identity = self.loaded.server
        server: Server[Any] = Server(
            identity["name"],
            version=identity["version"],
            title=identity.get("title"),
            description=identity.get("description"),
            website_url=identity.get("websiteUrl"),
            icons=[Icon.model_validate(each) for each in identity.get("icons", ())] or None,
            instructions=self.loaded.instructions,
            # A list is the same for every client with the episode's URL, but a shared cache must not mix episodes.
            cache_hints={
                "tools/list": CacheHint(ttl_ms=LIST_TTL_MS, scope="private"),
                "server/discover": CacheHint(ttl_ms=LIST_TTL_MS, scope="private"),
            },
            # Without it the SDK lists all tools before every call of the 2026 revision.
            get_tool_input_schema=schemas.get,
        )
        server.middleware.clear()  # opens an OpenTelemetry span per message
        server.add_request_handler("tools/list", PaginatedRequestParams, self._list)
        server.add_request_handler("tools/call", CallToolRequestParams, self._call)
        if self.protocol is not None:
            self.protocol.extend(server)
        else:
            self._add_features(server)
        self.server_info = server.server_info_stamp
        self.manager = StreamableHTTPSessionManager(
            server,
            json_response=self.json_mode,
            stateless=not self.sessions_max,
            max_request_body_size=BODY_BYTES_MAX,
            max_sessions=self.sessions_max or None,
            session_idle_timeout=SESSION_IDLE_S if self.sessions_max else None,
        )

    def _add_features(self, server: Server[Any]) -> None:
        """Add the methods of prompts and resources, and what the real server says in the revisions that it speaks."""
        hint = CacheHint(ttl_ms=LIST_TTL_MS, scope="private")
        for method in self.loaded.features.served_methods:
            if method in self.loaded.requests:
                server.add_request_handler(method, _PARAMS.get(method, PaginatedRequestParams), self._ask)
                server.cache_hints[method] = CacheHint(ttl_ms=0, scope="private")
            elif method in _LISTS:
                server.add_request_handler(method, PaginatedRequestParams, self._list_features)
                server.cache_hints[method] = hint
        server.extensions.update(self.loaded.features.capabilities.get("extensions", {}))
        server.middleware.append(self._as_the_real_server)

    async def _as_the_real_server(self, ctx: RequestContext, call_next: CallNext) -> HandlerResult:
        """Answer a request of a revision with a handshake as the real server does.

        The 2026 revision is the SDK's: no real server speaks it yet.
        """
        method, features = ctx.method, self.loaded.features
        if ctx.request_id is None or ctx.protocol_version in MODERN_PROTOCOL_VERSIONS or method in _OF_THE_SDK:
            return await call_next(ctx)
        if method == "initialize":
            told: Any = await call_next(ctx)
            asked = (ctx.params or {}).get("protocolVersion", "")
            identity = self.loaded.server
            instructions = {"instructions": self.loaded.instructions} if self.loaded.instructions else {}
            return {
                **{key: value for key, value in told.items() if key.startswith("_")},
                "protocolVersion": features.agreed_protocol(asked),
                "capabilities": dict(features.capabilities),
                "serverInfo": identity,
                **instructions,
            }
        params = _without_meta(ctx.params)
        wording = self.loaded.app.dialect.requests
        if method not in features.served_methods:
            raise _mcp_error(wording.unknown_method(method, params))
        if method in self.loaded.requests:
            return await self._run(ctx, params)
        if (refused := wording.malformed(method, params)) is not None:
            raise _mcp_error(refused)
        return self._listed(method) if method in _LISTS else {}

    async def _ask(self, context: RequestContext, _: RequestParams) -> dict[str, Any]:
        try:
            return {"resultType": "complete", **await self._run(context, _without_meta(context.params))}
        except MCPError as refused:
            # The Python SDK's code for refusals of handlers, 0, is none of this revision's.
            if refused.error.code:
                raise
            raise MCPError(INVALID_PARAMS, refused.error.message, refused.error.data) from None

    async def _run(self, context: RequestContext, params: Any) -> dict[str, Any]:
        gate = self._gate(context)
        await gate.wait()
        return result_of(self.ask(gate, context.method, params))

    async def _list_features(self, context: RequestContext, _: PaginatedRequestParams) -> dict[str, Any]:
        return {"resultType": "complete", **self._listed(context.method)}

    def _listed(self, method: str) -> dict[str, Any]:
        key, attribute = _LISTS[method]
        return {key: list(getattr(self.loaded.features, attribute))}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve inside, in a separate task: the context may be left in another task, as test fixtures do."""
        ready, ending = asyncio.Event(), asyncio.Event()

        async def run() -> None:
            async with self.manager.run():
                ready.set()
                await ending.wait()

        task = asyncio.create_task(run())
        starting = asyncio.create_task(ready.wait())
        await asyncio.wait((task, starting), return_when=asyncio.FIRST_COMPLETED)
        starting.cancel()
        try:
            if not task.done():
                yield
        finally:
            ending.set()
            await task

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the SDK answer a request that passed the checks."""
        await self.manager.handle_request(scope, receive, send)

    def _gate(self, context: RequestContext) -> EpisodeGate:
        """Return the gate of the request's episode; the caller has already checked the bearer."""
        assert context.request is not None
        try:
            scope = context.request.scope
            gate = self.gates.enter(mcp_place(scope), header(scope, b"authorization"))
            menu = header(scope, MENU_HEADER)
            return gate if menu is None else self.gates.narrow(gate, menu)
        except NotFoundError as missing:
            raise MCPError(code=INTERNAL_ERROR, message=str(missing)) from missing

    async def _list(self, context: RequestContext, params: PaginatedRequestParams) -> dict[str, Any]:
        if params.cursor is not None:
            raise MCPError(code=INVALID_PARAMS, message="Invalid cursor: the list of tools has one page")
        gate = self._gate(context)
        # The 2026 revision requires a result's type; for the others the SDK removes it again.
        return {
            "resultType": "complete",
            "tools": [tool for tool in self.loaded.tool_schemas if gate.shows(tool["name"])],
        }

    async def _call(self, context: RequestContext, params: CallToolRequestParams) -> dict[str, Any]:
        gate = self._gate(context)
        await gate.wait()
        return self._deliver(context, self.call(gate, params.name, params.arguments))

    @staticmethod
    def _deliver(context: RequestContext, outcome: Outcome) -> dict[str, Any]:
        """Return the result of a call; how it reaches its client is left to whoever sends it."""
        if outcome.delivery is not None and context.request is not None:
            context.request.scope[DELIVERIES].append(outcome.delivery)
        return {"resultType": "complete", **result_of(outcome)}


def result_of(outcome: Outcome) -> dict[str, Any]:
    """Return the result of an outcome.

    Raises:
        MCPError: it is a JSON-RPC error.
    """
    answer: dict[str, Any] = loads(outcome.result)
    if outcome.is_protocol_error:
        raise MCPError(code=answer["code"], message=answer["message"], data=answer.get("data"))
    return answer


def _mcp_error(refused: InvalidArgumentsError) -> MCPError:
    assert refused.code is not None, "requests are refused by JSON-RPC errors"
    return MCPError(code=refused.code, message=refused.message, data=refused.data)


def _without_meta(params: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if params is None else {key: value for key, value in params.items() if key != "_meta"}
