"""MCP over Streamable HTTP."""

from __future__ import annotations

import base64
import contextlib
import json

import aiohttp

from farm._util.sse import EventTooLongError, events
from farm.traverse.transport.bounds import ACCEPTED, Bounds, pieces, read_body
from farm.traverse.transport.source import Source
from farm.traverse.transport.wire import (
    MODERN,
    ConnectionGoneError,
    Message,
    NotAcceptedError,
    SessionExpiredError,
    Wire,
    refusal_of,
)

_SESSION = "mcp-session-id"
_LOGIN = (401, 403)
_CLOSE_S_MAX = 3.0
_NOT_TAKEN = (400, 404, 405)
# Methods whose params contain a name that revisions without a handshake also require in a header.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class HttpWire(Wire):
    """One client's connection, with the session id from the server."""

    hears = False  # no stream is open between answers

    def __init__(self, source: Source) -> None:
        assert source.url is not None
        self._name, self._url = source.name, source.url
        self._bounds = Bounds(source.name, source.body_max)
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "accept-encoding": ACCEPTED,
            **source.headers,
        }
        # Decompressed here, where the size of the output is bounded.
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=10)
        self._http = aiohttp.ClientSession(timeout=timeout, auto_decompress=False)

    async def ask(self, message: Message) -> Message:
        """Post a request and return its answer, from a JSON body or an event stream."""
        try:
            async with self._post(message) as answer:
                if session := answer.headers.get(_SESSION):
                    self._headers[_SESSION] = session
                if answer.content_type == "text/event-stream":
                    return await self._from_events(answer, message["id"])
                return self._from_body(answer, await read_body(answer, self._bounds))
        except (aiohttp.ClientError, OSError) as problem:
            raise ConnectionGoneError(f"{self._name}: no answer ({problem or type(problem).__name__})") from None

    async def tell(self, message: Message) -> None:
        """Post a notification; only the status of the response is read."""
        try:
            async with self._post(message):
                pass
        except (aiohttp.ClientError, OSError) as problem:
            raise ConnectionGoneError(f"{self._name}: no answer ({problem or type(problem).__name__})") from None

    async def close(self) -> None:
        """End the session and close."""
        with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError):
            if _SESSION in self._headers:
                timeout = aiohttp.ClientTimeout(total=_CLOSE_S_MAX)
                async with self._http.delete(self._url, headers=self._headers, timeout=timeout):
                    pass
        await self._http.close()

    def agree(self, protocol: str) -> None:
        """Send the revision with every further request."""
        self._headers["mcp-protocol-version"] = protocol

    def _post(self, message: Message) -> aiohttp.client._RequestContextManager:
        headers = dict(self._headers)
        if message.get("method") == "initialize":
            headers.pop(_SESSION, None)
            headers.pop("mcp-protocol-version", None)
        if headers.get("mcp-protocol-version", "") >= MODERN and "method" in message:
            headers["mcp-method"] = message["method"]
            params = message.get("params") or {}
            if (named := _NAMED.get(message["method"])) and isinstance(params.get(named), str):
                headers["mcp-name"] = _header_value(params[named])
        return self._http.post(self._url, data=json.dumps(message).encode(), headers=headers)

    async def _from_events(self, answer: aiohttp.ClientResponse, request_id: object) -> Message:
        try:
            async for raw in events(pieces(answer, self._bounds), self._bounds.body_max):
                self.received += len(raw)
                try:
                    message = self._bounds.parse(raw)
                except ValueError:
                    continue
                if not isinstance(message, dict):
                    continue
                if refused := refusal_of(message):
                    await self.tell(refused)
                elif message.get("id") == request_id:
                    return message
                self.take_note(message)
        except EventTooLongError:
            raise self._bounds.too_long("an event") from None
        raise ConnectionGoneError(f"{self._name} ended its stream without an answer")

    def _from_body(self, answer: aiohttp.ClientResponse, raw: bytes) -> Message:
        if answer.status in _LOGIN:
            raise ConnectionGoneError(
                f"{self._name} wants a login (HTTP {answer.status}); give --header 'Authorization: Bearer …'"
            )
        self.received += len(raw)
        try:
            message = self._bounds.parse(raw)
        except ValueError:
            message = None
        if isinstance(message, dict) and ("result" in message or ("error" in message and "jsonrpc" in message)):
            return message
        shown = raw[:200].decode("utf-8", "replace")
        if answer.status == 404 and _SESSION in answer.request_info.headers:
            raise SessionExpiredError(f"{self._name} has forgotten the session (HTTP 404)")
        kind = NotAcceptedError if answer.status in _NOT_TAKEN else ConnectionGoneError
        raise kind(f"{self._name}: HTTP {answer.status}: {shown}".rstrip(": "))


def _header_value(text: str) -> str:
    """Return the text as a header value: base64 unless it is plain ASCII."""
    if text.isascii() and text.isprintable() and text == text.strip():
        return text
    return f"=?base64?{base64.b64encode(text.encode(errors='surrogatepass')).decode()}?="
