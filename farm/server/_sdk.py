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
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams
from starlette.types import Receive, Scope, Send

from farm._util.json_io import loads
from farm.content import LoadedApp
from farm.errors import NotFoundError
from farm.server.episode_gate import EpisodeGate, EpisodeGates
from farm.server.http.asgi import BODY_BYTES_MAX, mcp_place
from farm.server.pipeline import INTERNAL_ERROR, Outcome

RequestContext = ServerRequestContext[Any, Any]
LIST_TTL_MS = 300_000


RunCall = Callable[[EpisodeGate, str, Any], Outcome]


@dataclass
class SdkSide:
    """The SDK's server for one app.

    Attributes:
        loaded: the app.
        gates: its episodes.
        call: runs one call through the pipeline.
        json_mode: answer in JSON; otherwise as event streams, which only fixtures use.
        protocol: the app's ``protocol`` module, if it offers more than tools.
    """

    loaded: LoadedApp
    gates: EpisodeGates
    call: RunCall
    json_mode: bool = True
    protocol: ModuleType | None = None
    manager: StreamableHTTPSessionManager = field(init=False)
    server_info: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        schemas: dict[str, Mapping[str, Any]] = {tool["name"]: tool["inputSchema"] for tool in self.loaded.tool_schemas}
        identity = self.loaded.server
        server: Server[Any] = Server(
            identity["name"],
            version=identity["version"],
            title=identity.get("title"),
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
        self.server_info = server.server_info_stamp
        self.manager = StreamableHTTPSessionManager(
            server,
            json_response=self.json_mode,
            stateless=True,
            max_request_body_size=BODY_BYTES_MAX,
        )

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
            return self.gates.require(mcp_place(context.request.scope))
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
        outcome = self.call(gate, params.name, params.arguments)
        answer: dict[str, Any] = loads(outcome.result)
        if outcome.is_protocol_error:
            raise MCPError(code=answer["code"], message=answer["message"], data=answer.get("data"))
        return {"resultType": "complete", **answer}
