"""Carries MCP messages between stdin/stdout and one HTTP endpoint, unchanged.

Clients that start a program and exchange lines with it reach the farm through this bridge. It parses a message only for
HTTP's headers (method, tool name, protocol revision); the bytes of messages and answers are passed on unchanged.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

import aiohttp
import orjson

from farm._util.sse import EVENT_BYTES_MAX, EventTooLongError, events
from farm.errors import FarmError

_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
# Requests whose target is repeated in an HTTP header, and the parameter that holds it (2026-07-28).
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PARSE_ERROR = -32700
_INTERNAL_ERROR = -32603
_END_S_MAX = 10.0
_LINE_BYTES_MAX = 16 * 1024 * 1024


@dataclass(frozen=True)
class EndpointAddress:
    """The address of the endpoint."""

    url: str
    token: str | None


class StdioBridge:
    """One client's session over stdio."""

    def __init__(
        self,
        find: Callable[[], Awaitable[EndpointAddress]],
        source: BinaryIO | None = None,
        target: BinaryIO | None = None,
    ) -> None:
        """Make a bridge.

        Args:
            find: returns the endpoint; called at the start, and again if nothing listens there any more.
            source, target: instead of stdin and stdout.
        """
        self._find = find
        self._source = source or sys.stdin.buffer
        self._target = target or sys.stdout.buffer
        self._endpoint: EndpointAddress | None = None
        self._version: str | None = None
        self._running: dict[Any, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve until stdin ends, then let calls in progress finish."""
        self._endpoint = await self._find()
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=10)
        async with aiohttp.ClientSession(timeout=timeout, read_bufsize=2**20) as session:
            async for line in _lines(self._source):
                if line.strip():
                    await self._take(session, line)
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=_END_S_MAX)
            for task in self._tasks:
                task.cancel()

    async def _take(self, session: aiohttp.ClientSession, line: bytes) -> None:
        try:
            message = orjson.loads(line)
        except orjson.JSONDecodeError as problem:
            self._write(_error(None, _PARSE_ERROR, f"Parse error: {problem}"))
            return
        method = message.get("method") if isinstance(message, dict) else None
        request_id = message.get("id") if isinstance(message, dict) else None
        task = asyncio.create_task(self._pass_on(session, line, message, request_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if method == "initialize":
            # Later requests must carry the negotiated revision.
            await task
        elif method == "notifications/cancelled":
            self._cancel(message)
        elif isinstance(request_id, (int, str)):
            self._running[request_id] = task
            task.add_done_callback(lambda _: self._running.pop(request_id, None))

    def _cancel(self, message: dict[str, Any]) -> None:
        """Abandon an answer that the client no longer wants: over HTTP, disconnecting cancels a request."""
        params = message.get("params")
        running = self._running.get(params.get("requestId")) if isinstance(params, dict) else None
        if running is not None:
            running.cancel()

    async def _pass_on(self, session: aiohttp.ClientSession, line: bytes, message: Any, request_id: Any) -> None:
        try:
            await self._post(session, line, message, request_id)
        except (aiohttp.ClientError, TimeoutError, OSError) as problem:
            assert self._endpoint is not None
            self._fail(request_id, f"no answer from {self._endpoint.url} ({_reason(problem)}); is the farm running?")
        except EventTooLongError:
            self._fail(request_id, f"the answer is over {EVENT_BYTES_MAX >> 20} MiB, more than a farm answers")
        except FarmError as problem:
            self._fail(request_id, str(problem))

    async def _post(self, session: aiohttp.ClientSession, line: bytes, message: Any, request_id: Any) -> None:
        assert self._endpoint is not None
        try:
            answer = await self._send(session, line, message)
        except aiohttp.ClientConnectorError:
            # Nothing was sent. The farm may have moved to another port, or may have to be started.
            self._endpoint = await self._find()
            answer = await self._send(session, line, message)
        async with answer:
            if answer.content_type == "text/event-stream":
                async for event in events(answer.content.iter_any()):
                    self._answered(message, event)
                return
            body = (await _body(answer)).strip()
            if answer.status == 202 or (not body and request_id is None):
                return
            if _is_message(body):
                self._answered(message, _with_id(body, request_id))
            else:
                self._fail(request_id, f"{self._endpoint.url} answered {answer.status} without a message")

    async def _send(self, session: aiohttp.ClientSession, line: bytes, message: Any) -> aiohttp.ClientResponse:
        assert self._endpoint is not None
        return await session.post(
            self._endpoint.url, data=line.strip(), headers=self._headers(message), allow_redirects=False
        )

    def _headers(self, message: Any) -> dict[str, str]:
        assert self._endpoint is not None
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        if self._endpoint.token:
            headers["authorization"] = f"Bearer {self._endpoint.token}"
        params = message.get("params") if isinstance(message, dict) else None
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        modern = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
        if isinstance(modern, str):
            headers |= {"mcp-protocol-version": modern, "mcp-method": str(message.get("method", ""))}
            target = params.get(_NAMED.get(headers["mcp-method"], ""))
            if isinstance(target, str):
                headers["mcp-name"] = target
        elif self._version:
            headers["mcp-protocol-version"] = self._version
        return headers

    def _answered(self, message: Any, raw: bytes) -> None:
        if isinstance(message, dict) and message.get("method") == "initialize":
            result = orjson.loads(raw).get("result")
            self._version = result.get("protocolVersion") if isinstance(result, dict) else None
        self._write(raw)

    def _fail(self, request_id: Any, problem: str) -> None:
        if request_id is None:
            print(f"farm: {problem}", file=sys.stderr, flush=True)  # noqa: T201 # a notification gets no answer
        else:
            self._write(_error(request_id, _INTERNAL_ERROR, problem))

    def _write(self, raw: bytes) -> None:
        # JSON has line breaks only between its parts, where a blank is equivalent.
        self._target.write(raw.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n")
        self._target.flush()


async def _body(answer: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for data in answer.content.iter_any():
        body += data
        if len(body) > EVENT_BYTES_MAX:
            raise EventTooLongError
    return bytes(body)


def _reason(problem: BaseException) -> str:
    return str(problem) or type(problem).__name__


def _error(request_id: Any, code: int, message: str) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})


def _is_message(body: bytes) -> bool:
    try:
        return isinstance(orjson.loads(body), (dict, list))
    except orjson.JSONDecodeError:
        return False


def _with_id(body: bytes, request_id: Any) -> bytes:
    """Return an answer with its request's id: an endpoint that refused before it read the body does not know it."""
    parsed = orjson.loads(body)
    if request_id is None or not isinstance(parsed, dict) or parsed.get("id") == request_id:
        return body
    if "jsonrpc" not in parsed:
        refused = parsed.get("error")
        message = refused.get("message") if isinstance(refused, dict) else None
        return _error(request_id, _INTERNAL_ERROR, str(message or body.decode("utf-8", "replace")))
    return orjson.dumps({**parsed, "id": request_id})


async def _lines(source: BinaryIO) -> AsyncIterator[bytes]:
    """Yield lines as they come; read in a thread, because a loop cannot wait for stdin on every system."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def read() -> None:
        while line := source.readline(_LINE_BYTES_MAX):
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    # A daemon: a read that never returns must not keep the process from ending.
    threading.Thread(target=read, daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line
