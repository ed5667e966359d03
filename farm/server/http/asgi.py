"""Small ASGI helpers: find a header, read a body, replay it."""

from __future__ import annotations

from starlette.types import Message, Receive, Scope

from farm._util.bounded_json import has_many_values
from farm.errors import FarmError, PayloadTooLargeError

BODY_BYTES_MAX = 4 * 1024 * 1024
# Commas and opening brackets: each parsed value may take a hundred bytes, against one or two in the body.
BODY_VALUES_MAX = 50_000
MCP_PREFIX = "/mcp/"
_APPENDED = ("mcp", "/")
# The gateway's start time by the machine's monotonic clock; it identifies one gateway.
GATEWAY_HEADER = b"farm-gateway"


class ClientDisconnectedError(Exception):
    """The client disconnected before its request was complete."""


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the whole body of a request.

    Raises:
        PayloadTooLargeError: more than 4 MiB, declared or sent.
        FarmError: more values than may be parsed.
        ClientDisconnectedError: the connection closed before the end.
    """
    too_large = PayloadTooLargeError(f"the body is over {BODY_BYTES_MAX >> 20} MiB")
    declared = header(scope, b"content-length") or b"0"
    if declared.isdigit() and int(declared[:20]) > BODY_BYTES_MAX:
        raise too_large
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientDisconnectedError
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > BODY_BYTES_MAX:
            raise too_large
        parts.append(part)
        if not message.get("more_body", False):
            body = parts[0] if len(parts) == 1 else b"".join(parts)
            if size > BODY_VALUES_MAX and has_many_values(body, BODY_VALUES_MAX):
                raise FarmError(f"the body has over {BODY_VALUES_MAX:,} values; send fewer in one call")
            return body


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a receive callable that replays a body, then returns the messages after it."""
    is_given = False

    async def again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def mcp_place(scope: Scope) -> str:
    """Return the part of a path after ``/mcp/``: an episode, and at the gateway perhaps an app.

    Some clients append ``/mcp`` or ``/`` to every address; both are ignored.
    """
    place = str(scope["path"][len(MCP_PREFIX) :])
    if place.endswith(_APPENDED):
        place = f"/{place}".removesuffix("/").removesuffix("/mcp")[1:]
    return place


def header(scope: Scope, name: bytes) -> bytes | None:
    """Return the first value of a header."""
    for key, value in scope["headers"]:
        if key == name:
            found: bytes = value
            return found
    return None


def first_headers(scope: Scope) -> dict[bytes, bytes]:
    """Return the headers by name; of a repeated one, the first value."""
    return dict(reversed(scope["headers"]))
