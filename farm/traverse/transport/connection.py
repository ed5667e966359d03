"""An unfiltered connection to a real MCP server: requests are sent as given, and answers are returned as received.

A client library validates arguments and results first, and so hides the server's own refusals.
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
from farm.traverse.recordings.calls import Request, result_of
from farm.traverse.transport.bounds import Bounds
from farm.traverse.transport.http import HttpWire
from farm.traverse.transport.source import Source
from farm.traverse.transport.sse import SseWire
from farm.traverse.transport.stdio import StdioWire
from farm.traverse.transport.wire import (
    MODERN,
    ConnectionGoneError,
    Message,
    NotAcceptedError,
    SessionExpiredError,
    Wire,
)

PROTOCOL = "2025-11-25"
START_S_MAX = 60.0
ANSWER_S_MAX = 10.0
_PAGES_MAX = 1_000
_CANCEL_S_MAX = 2.0
_METHOD_NOT_FOUND = -32601
_UNSUPPORTED_PROTOCOL = -32022
_CLIENT = {"name": "mcp-farm", "version": __version__}


class NotListedError(FarmError):
    """A server does not provide a list."""


@dataclass(frozen=True)
class ServerInfo:
    """The server's description of itself from the handshake."""

    name: str
    version: str
    protocol: str
    capabilities: Mapping[str, Any]
    instructions: str | None


class Connection:
    """One client's connection to a server.

    Attributes:
        hello: the server's answer to the handshake.
        sessions: the number of sessions: a server that forgets one gets a new handshake, and its state may be lost.
        before_again: is awaited before a call is repeated on a server that had forgotten the session.
    """

    def __init__(self, source: Source, wire: Wire) -> None:
        self._wire = wire
        self._name = source.name
        self._bounds = Bounds(source.name, source.body_max)
        self._last = 0
        self._meta: dict[str, Any] | None = None
        self.server = ServerInfo("", "", "", {}, None)
        self.hello: dict[str, Any] = {}
        self.sessions = 0
        self.before_again: Callable[[], Awaitable[None]] | None = None

    @property
    def tools_known_by(self) -> tuple[int, int] | None:
        """A value that stays equal while the server's tools do; None if its change notifications are not received."""
        able = self.server.capabilities.get("tools") if isinstance(self.server.capabilities, Mapping) else None
        tells = isinstance(able, Mapping) and able.get("listChanged") is True
        return None if tells and not self._wire.hears else (self.sessions, self._wire.changes)

    @property
    def noise(self) -> int:
        """The number of lines in the server's output that were not messages."""
        return self._wire.noise

    @property
    def pid(self) -> int | None:
        """The server's process, if this program started it."""
        return self._wire.pid

    async def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, limit_s: float = ANSWER_S_MAX
    ) -> Message:
        """Return the answer to one request: ``{"result": …}`` or ``{"error": {"code", "message", "data"?}}``.

        Raises:
            ConnectionGoneError: the server ended, or did not answer in time.
        """
        try:
            return await self._request(method, params, limit_s)
        except SessionExpiredError:
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
            raise ConnectionGoneError(f"{self._name}: no answer to {method} within {limit_s:g} s") from None
        return {key: answer[key] for key in ("result", "error") if key in answer}

    async def _cancel(self, message: Message) -> None:
        """Cancel a request on the server; over HTTP, closing the stream does this for a server without a handshake."""
        if message["method"] == "initialize" or (self._meta is not None and self.pid is None):
            return
        told = {"requestId": message["id"], "reason": "no answer in time"}
        with contextlib.suppress(ConnectionGoneError, TimeoutError):
            async with asyncio.timeout(_CANCEL_S_MAX):
                cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": told}
                await self._wire.tell(cancelled)

    async def call(self, request: Request, *, limit_s: float = ANSWER_S_MAX) -> Message:
        """Call a tool and return its answer in the form of recordings: ``Recorded.result``."""
        try:
            answer = await self.request("tools/call", request.params, limit_s=limit_s)
        except ConnectionGoneError as gone:
            return {"silence": str(gone)}
        return result_of(answer)

    async def tools(self) -> list[dict[str, Any]]:
        """Return all pages of the server's tool list.

        Raises:
            FarmError: the server lists no tools.
        """
        return await self.listed("tools/list", "tools")

    async def listed(self, method: str, key: str) -> list[dict[str, Any]]:
        """Return all pages of a list.

        Args:
            key: the list's key in the answer.

        Raises:
            NotListedError: the server does not provide the list.
            FarmError: the list does not end.
        """
        found: list[dict[str, Any]] = []
        params: dict[str, Any] = {}
        before = self._wire.received
        for _ in range(_PAGES_MAX):
            answer = await self.request(method, params)
            result = answer.get("result")
            each = result.get(key) if isinstance(result, dict) else None
            if not isinstance(each, list) or not all(isinstance(one, dict) for one in each):
                raise NotListedError(f"{self._name} lists no {key}: {_said(answer)}")
            if self._wire.received - before > self._bounds.body_max:
                raise self._bounds.too_long(f"a list of {key}")
            found += each
            assert isinstance(result, dict)
            if not result.get("nextCursor"):
                return found
            params = {"cursor": result["nextCursor"]}
        raise FarmError(f"{self._name} lists {key} without end: {_PAGES_MAX} pages, and a next one")

    async def shake_hands(self, limit_s: float, protocol: str = PROTOCOL) -> None:
        """Perform the handshake of the revision.

        Raises:
            FarmError: this is not an MCP server, or it does not speak that revision.
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
async def connect(source: Source, *, protocol: str | None = None) -> AsyncIterator[Connection]:
    """Connect to a server, start it if it is a command, and end it with the block.

    Args:
        protocol: the revision to speak; by default, the last one with a handshake, or one without a handshake if the
            server supports only those.

    Raises:
        FarmError: the server does not start, does not answer or is not an MCP server; the message has its last output.
    """
    wire: Wire = HttpWire(source) if source.url else await StdioWire.start(source)
    try:
        connection = Connection(source, wire)
        try:
            await connection.shake_hands(START_S_MAX, protocol or PROTOCOL)
        except NotAcceptedError as not_taken:
            # The protocol's fallback: a URL that rejects POST may offer a stream of the older transport.
            older = await _older(source, not_taken)
            await wire.close()
            wire, connection = older, Connection(source, older)
            await connection.shake_hands(START_S_MAX, protocol or PROTOCOL)
        yield connection
    finally:
        await wire.close()


async def _older(source: Source, not_taken: NotAcceptedError) -> SseWire:
    try:
        return await SseWire.start(source)
    except ConnectionGoneError:
        raise not_taken from None


def _is_modern(answer: Message) -> bool:
    """Return whether a server rejects the handshake because its revision has none."""
    error = answer.get("error")
    return isinstance(error, dict) and error.get("code") in (_METHOD_NOT_FOUND, _UNSUPPORTED_PROTOCOL)


def _said(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False)[:300]
