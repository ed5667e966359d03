"""Small ASGI helpers: read a body, send an answer."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.types import Message, Receive, Scope, Send

from farm.errors import FarmError, TooLarge

JSON = (b"content-type", b"application/json")
BODY_BYTES_MAX = 4 * 1024 * 1024
_TOO_LARGE = f"the body is over {BODY_BYTES_MAX >> 20} MiB"
INVALID_REQUEST = -32600


class ClientGone(Exception):
    """The client left before its request was complete."""


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the whole body of a request.

    Raises:
        TooLarge: more than 4 MiB, declared or sent.
        ClientGone: the connection closed before the end.
    """
    declared = header(scope, b"content-length") or b"0"
    if declared.isdigit() and int(declared[:20]) > BODY_BYTES_MAX:
        raise TooLarge(_TOO_LARGE)
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientGone
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > BODY_BYTES_MAX:
            raise TooLarge(_TOO_LARGE)
        parts.append(part)
        if not message.get("more_body", False):
            return parts[0] if len(parts) == 1 else b"".join(parts)


async def send_bytes(
    send: Send, status: int, body: bytes, content_type: bytes = JSON[1], *headers: tuple[bytes, bytes]
) -> None:
    """Send a whole answer."""
    fields = [(JSON[0], content_type), (b"content-length", b"%d" % len(body)), *headers]
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": body})


async def send_json(send: Send, status: int, body: Any) -> None:
    """Send a value as JSON."""
    await send_bytes(send, status, orjson.dumps(body))


async def send_error(send: Send, error: FarmError) -> None:
    """Send an error as the farm's own APIs word it."""
    await send_bytes(send, error.status, orjson.dumps(error.as_json()), JSON[1], *error.headers)


async def send_refusal(send: Send, error: FarmError, request: Any = None) -> None:
    """Send an error to an agent: JSON-RPC, or what the MCP SDK says to a body over the limit."""
    if isinstance(error, TooLarge):
        await send_bytes(send, error.status, b"Request body too large", b"text/plain; charset=utf-8")
    else:
        await send_bytes(send, error.status, rpc_error(str(error), request=request), JSON[1], *error.headers)


def rpc_error(message: str, *, code: int = INVALID_REQUEST, request: Any = None) -> bytes:
    """Return a JSON-RPC error; it names the request's id when the request's body is at hand."""
    request_id = request.get("id") if isinstance(request, dict) else None
    if type(request_id) not in (int, str):
        request_id = None
    return orjson.dumps({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})


def parsed(body: bytes) -> Any:
    """Return the JSON of a body, or None when it is none: for naming the request in a refusal."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None


def replay(message: Message, receive: Receive) -> Receive:
    """Return a receive that gives an already received message first."""
    is_given = False

    async def again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return message

    return again


def header(scope: Scope, name: bytes) -> bytes | None:
    """Return the first value of a header."""
    for key, value in scope["headers"]:
        if key == name:
            found: bytes = value
            return found
    return None
