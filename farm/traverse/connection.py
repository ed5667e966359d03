"""A connection to a real MCP server that hides nothing: what it was asked goes out as given, its answer comes as sent.

A client library checks arguments and results before anybody sees them, so the server's own refusals are lost on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from farm import __version__
from farm.errors import FarmError
from farm.traverse.calls import Request, result_of
from farm.traverse.http_wire import HttpWire
from farm.traverse.source import Source
from farm.traverse.sse_wire import SseWire
from farm.traverse.stdio_wire import StdioWire
from farm.traverse.wire import MODERN, Gone, Message, NotTaken, SessionExpired, Wire

PROTOCOL = "2025-11-25"
START_S_MAX = 60.0
ANSWER_S_MAX = 10.0
_PAGES_MAX = 1_000
_CANCEL_S_MAX = 2.0
_METHOD_NOT_FOUND = -32601
_UNSUPPORTED_PROTOCOL = -32022
_CLIENT = {"name": "mcp-farm", "version": __version__}


@dataclass(frozen=True)
class ServerInfo:
    """What a server says of itself when a client connects."""

    name: str
    version: str
    protocol: str
    capabilities: Mapping[str, Any]
    instructions: str | None


class Connection:
    """One client's connection to a server.

    Attributes:
        hello: what the server answered when it was greeted.
        sessions: how many there were: a server that forgets one is greeted anew, and its state may be lost.
        before_again: done before a call is made again to a server that had forgotten the session.
    """

    def __init__(self, source: Source, wire: Wire) -> None:
        self._wire = wire
        self._name = source.name
        self._last = 0
        self._meta: dict[str, Any] | None = None
        self.server = ServerInfo("", "", "", {}, None)
        self.hello: dict[str, Any] = {}
        self.sessions = 0
        self.before_again: Callable[[], Awaitable[None]] | None = None

    @property
    def tools_known_by(self) -> tuple[int, int] | None:
        """What stays the same as long as the server's tools do; None where it would tell of others and nobody hears."""
        able = self.server.capabilities.get("tools") if isinstance(self.server.capabilities, Mapping) else None
        tells = isinstance(able, Mapping) and able.get("listChanged") is True
        return None if tells and not self._wire.hears else (self.sessions, self._wire.changes)

    @property
    def noise(self) -> int:
        """How many lines of the server's output were no messages."""
        return self._wire.noise

    @property
    def pid(self) -> int | None:
        """The server's process, where it was started for us."""
        return self._wire.pid

    async def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, limit_s: float = ANSWER_S_MAX
    ) -> Message:
        """Return the answer to one request: ``{"result": …}`` or ``{"error": {"code", "message", "data"?}}``.

        Raises:
            Gone: the server ended, or did not answer in time.
        """
        try:
            return await self._request(method, params, limit_s)
        except SessionExpired:
            await self.shake_hands(limit_s)
            if method == "tools/call" and self.before_again is not None:
                await self.before_again()
            return await self._request(method, params, limit_s)

    async def _request(self, method: str, params: Mapping[str, Any] | None, limit_s: float) -> Message:
        self._last += 1
        message: Message = {"jsonrpc": "2.0", "id": self._last, "method": method}
        if self._meta is not None:
            message["params"] = {**(params or {}), "_meta": self._meta}
        elif params is not None:
            message["params"] = params
        try:
            async with asyncio.timeout(limit_s):
                answer = await self._wire.ask(message)
        except TimeoutError:
            await self._cancel(message)
            raise Gone(f"{self._name}: no answer to {method} within {limit_s:g} s") from None
        return {key: answer[key] for key in ("result", "error") if key in answer}

    async def _cancel(self, message: Message) -> None:
        """Tell the server not to go on; over HTTP a modern one knows by the closed stream."""
        if message["method"] == "initialize" or (self._meta is not None and self.pid is None):
            return
        told = {"requestId": message["id"], "reason": "no answer in time"}
        with contextlib.suppress(Gone, TimeoutError):
            async with asyncio.timeout(_CANCEL_S_MAX):
                cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": told}
                await self._wire.tell(cancelled)

    async def call(self, request: Request, *, limit_s: float = ANSWER_S_MAX) -> Message:
        """Call a tool and return its answer as recordings hold it: ``Recorded.result``."""
        try:
            answer = await self.request("tools/call", request.params, limit_s=limit_s)
        except Gone as gone:
            return {"silence": str(gone)}
        return result_of(answer)

    async def tools(self) -> list[dict[str, Any]]:
        """Return the tools as the server lists them, over all pages.

        Raises:
            FarmError: it lists none.
        """
        return await self.listed("tools/list", "tools")

    async def listed(self, method: str, key: str, *, or_none: bool = False) -> list[dict[str, Any]]:
        """Return what the server lists, over all pages.

        Args:
            key: what the list is called in its answer.
            or_none: whether an answer without one is an empty list.

        Raises:
            FarmError: it does not list any, or lists without end.
        """
        found: list[dict[str, Any]] = []
        params: dict[str, Any] = {}
        for _ in range(_PAGES_MAX):
            answer = await self.request(method, params)
            result = answer.get("result")
            each = result.get(key) if isinstance(result, dict) else None
            if not isinstance(each, list) or not all(isinstance(one, dict) for one in each):
                if or_none:
                    return found
                raise FarmError(f"{self._name} lists no {key}: {_said(answer)}")
            found += each
            assert isinstance(result, dict)
            if not result.get("nextCursor"):
                return found
            params = {"cursor": result["nextCursor"]}
        raise FarmError(f"{self._name} lists {key} without end: {_PAGES_MAX} pages, and a next one")

    async def shake_hands(self, limit_s: float, protocol: str = PROTOCOL) -> None:
        """Introduce each other, in the way of the revision's era.

        Raises:
            FarmError: it is no MCP server, or does not speak that revision.
        """
        if self._meta is not None or protocol >= MODERN:
            await self._discover(limit_s, protocol)
            return
        hello = {"protocolVersion": protocol, "capabilities": {}, "clientInfo": _CLIENT}
        answer = await self.request("initialize", hello, limit_s=limit_s)
        result: Any = answer.get("result")
        match result:
            case {"protocolVersion": str() as spoken, "serverInfo": dict() as who}:
                self._meet(result, who, spoken)
            case _:
                no_server = FarmError(f"{self._name} is no MCP server: it answered initialize with {_said(answer)}")
                if not _is_modern(answer):
                    raise no_server
                try:
                    await self._discover(limit_s, MODERN)
                except FarmError:
                    raise no_server from None
                return
        self._wire.agree(self.server.protocol)
        await self._wire.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def _discover(self, limit_s: float, protocol: str) -> None:
        prefix = "io.modelcontextprotocol"
        told = {"protocolVersion": protocol, "clientCapabilities": {}, "clientInfo": _CLIENT}
        self._meta = {f"{prefix}/{key}": value for key, value in told.items()}
        self._wire.agree(protocol)
        answer = await self.request("server/discover", limit_s=limit_s)
        result: Any = answer.get("result")
        match result:
            case {"supportedVersions": [*known]} if protocol in known:
                meta = result.get("_meta") or {}
                who = result.get("serverInfo") or meta.get(f"{prefix}/serverInfo") or {}
                self._meet({**result, "serverInfo": who}, who, protocol)
            case {"supportedVersions": [*known]}:
                raise FarmError(f"{self._name} does not speak {protocol}; it knows {', '.join(map(str, known))}")
            case _:
                raise FarmError(
                    f"{self._name} does not speak {protocol}: it answered server/discover with {_said(answer)}"
                )

    def _meet(self, result: Mapping[str, Any], who: Mapping[str, Any], protocol: str) -> None:
        able, told = result.get("capabilities") or {}, result.get("instructions")
        self.hello = dict(result)
        self.server = ServerInfo(str(who.get("name", "")), str(who.get("version", "")), protocol, able, told)
        self.sessions += 1


@asynccontextmanager
async def connect(
    source: Source, *, start_s: float = START_S_MAX, protocol: str | None = None
) -> AsyncIterator[Connection]:
    """Connect to a server, starting it where it is a command, and end it with the block.

    Args:
        protocol: the revision to speak; when not given, the last one with a handshake, or one without where the
            server knows no handshake.

    Raises:
        FarmError: it does not start, does not answer or is no MCP server; the message says what it printed last.
    """
    wire: Wire = HttpWire(source) if source.url else await StdioWire.start(source)
    try:
        connection = Connection(source, wire)
        try:
            await connection.shake_hands(start_s, protocol or PROTOCOL)
        except NotTaken as not_taken:
            # What the protocol has clients do: where nothing is posted, there may be a stream of the older transport.
            older = await _older(source, not_taken)
            await wire.close()
            wire, connection = older, Connection(source, older)
            await connection.shake_hands(start_s, protocol or PROTOCOL)
        yield connection
    finally:
        await wire.close()


async def _older(source: Source, not_taken: NotTaken) -> SseWire:
    try:
        return await SseWire.start(source)
    except Gone:
        raise not_taken from None


def _is_modern(answer: Message) -> bool:
    """Say whether a server refuses a handshake because it knows none."""
    error = answer.get("error")
    return isinstance(error, dict) and error.get("code") in (_METHOD_NOT_FOUND, _UNSUPPORTED_PROTOCOL)


def _said(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False)[:300]
