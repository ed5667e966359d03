"""A connection to a real MCP server that hides nothing: what it was asked goes out as given, its answer comes as sent.

A client library checks arguments and results before anybody sees them, so the server's own refusals are lost on it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from farm import __version__
from farm.errors import FarmError
from farm.traverse.calls import Request
from farm.traverse.http_wire import HttpWire
from farm.traverse.source import Source
from farm.traverse.stdio_wire import StdioWire
from farm.traverse.wire import Gone, Message, Wire

PROTOCOL = "2025-11-25"
START_S_MAX = 60.0
ANSWER_S_MAX = 10.0
_TOOL_PAGES_MAX = 1_000


@dataclass(frozen=True)
class ServerInfo:
    """What a server says of itself when a client connects."""

    name: str
    version: str
    protocol: str
    capabilities: Mapping[str, Any]
    instructions: str | None


class Connection:
    """One client's connection to a server."""

    def __init__(self, source: Source, wire: Wire) -> None:
        self._wire = wire
        self._name = source.name
        self._last = 0
        self.server = ServerInfo("", "", "", {}, None)

    async def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, limit_s: float = ANSWER_S_MAX
    ) -> Message:
        """Return the answer to one request: ``{"result": …}`` or ``{"error": {"code", "message", "data"?}}``.

        Raises:
            Gone: the server ended, or did not answer in time.
        """
        self._last += 1
        message: Message = {"jsonrpc": "2.0", "id": self._last, "method": method}
        if params is not None:
            message["params"] = params
        try:
            async with asyncio.timeout(limit_s):
                answer = await self._wire.ask(message)
        except TimeoutError:
            raise Gone(f"{self._name}: no answer to {method} within {limit_s:g} s") from None
        return {key: answer[key] for key in ("result", "error") if key in answer}

    async def call(self, request: Request, *, limit_s: float = ANSWER_S_MAX) -> Message:
        """Call a tool and return its answer as recordings hold it: ``Recorded.result``."""
        try:
            answer = await self.request("tools/call", request.params, limit_s=limit_s)
        except Gone as gone:
            return {"silence": str(gone)}
        if "error" in answer:
            return {"error": answer["error"]}
        result = answer.get("result")
        return result if isinstance(result, dict) else {"silence": f"an answer without a result: {json.dumps(result)}"}

    async def tools(self) -> list[dict[str, Any]]:
        """Return the tools as the server lists them, over all pages.

        Raises:
            FarmError: it lists none.
        """
        found: list[dict[str, Any]] = []
        params: dict[str, Any] = {}
        for _ in range(_TOOL_PAGES_MAX):
            answer = await self.request("tools/list", params)
            result = answer.get("result")
            if not isinstance(result, dict) or not isinstance(result.get("tools"), list):
                raise FarmError(f"{self._name} lists no tools: {_said(answer)}")
            found += result["tools"]
            if not result.get("nextCursor"):
                return found
            params = {"cursor": result["nextCursor"]}
        raise FarmError(f"{self._name} lists tools without end: {_TOOL_PAGES_MAX} pages, and a next one")

    async def shake_hands(self, limit_s: float) -> None:
        """Introduce each other.

        Raises:
            FarmError: it is no MCP server.
        """
        hello = {
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "mcp-farm", "version": __version__},
        }
        answer = await self.request("initialize", hello, limit_s=limit_s)
        result: Any = answer.get("result")
        match result:
            case {"protocolVersion": str() as protocol, "serverInfo": dict() as who}:
                name, version = str(who.get("name", "")), str(who.get("version", ""))
                able, told = result.get("capabilities") or {}, result.get("instructions")
                self.server = ServerInfo(name, version, protocol, able, told)
            case _:
                raise FarmError(f"{self._name} is no MCP server: it answered initialize with {_said(answer)}")
        self._wire.agree(self.server.protocol)
        await self._wire.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})


@asynccontextmanager
async def connect(source: Source, *, start_s: float = START_S_MAX) -> AsyncIterator[Connection]:
    """Connect to a server, starting it where it is a command, and end it with the block.

    Raises:
        FarmError: it does not start, does not answer or is no MCP server; the message says what it printed last.
    """
    wire = HttpWire(source) if source.url else await StdioWire.start(source)
    try:
        connection = Connection(source, wire)
        await connection.shake_hands(start_s)
        yield connection
    finally:
        await wire.close()


def _said(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False)[:300]
