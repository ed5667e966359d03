"""Small ASGI helpers: find a header, read a body, give it again."""

from __future__ import annotations

from starlette.types import Message, Receive, Scope

from farm.errors import FarmError, TooLarge

BODY_BYTES_MAX = 4 * 1024 * 1024
# Commas and opening brackets: parsed, each may take a hundred bytes, where it took one or two of the body.
BODY_VALUES_MAX = 50_000
_BLOCK_BYTES = 64 * 1024
MCP_PREFIX = "/mcp/"


class ClientGone(Exception):
    """The client left before its request was complete."""


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the whole body of a request.

    Raises:
        TooLarge: more than 4 MiB, declared or sent.
        FarmError: more values than may be parsed.
        ClientGone: the connection closed before the end.
    """
    too_large = TooLarge(f"the body is over {BODY_BYTES_MAX >> 20} MiB")
    declared = header(scope, b"content-length") or b"0"
    if declared.isdigit() and int(declared[:20]) > BODY_BYTES_MAX:
        raise too_large
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientGone
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > BODY_BYTES_MAX:
            raise too_large
        parts.append(part)
        if not message.get("more_body", False):
            body = parts[0] if len(parts) == 1 else b"".join(parts)
            if size > BODY_VALUES_MAX and has_many_values(body):
                raise FarmError(f"the body has over {BODY_VALUES_MAX:,} values; send fewer in one call")
            return body


def has_many_values(body: bytes, most: int = BODY_VALUES_MAX) -> bool:
    """Say whether a JSON text has more commas and opening brackets outside its strings, without parsing it."""
    if _count_values(body) <= most:
        return False
    # Outside strings, backslashes make no JSON; inside, they come in the pairs that are taken out first.
    plain = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    number, in_string = 0, False
    for at in range(0, len(plain), _BLOCK_BYTES):
        parts = plain[at : at + _BLOCK_BYTES].split(b'"')
        number += _count_values(b"".join(parts[in_string::2]))
        if number > most:
            return True
        in_string ^= len(parts) % 2 == 0
    # UTF-16, which the standard library would read, has its quotes elsewhere; UTF-8 has no such bytes.
    return b"\0" in body


def _count_values(text: bytes) -> int:
    return text.count(b",") + text.count(b"[") + text.count(b"{")


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a receive that gives a body that was read already, then what comes after it."""
    is_given = False

    async def again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def mcp_place(scope: Scope) -> str:
    """Return what a path says after ``/mcp/``: an episode, and at the gateway perhaps an app."""
    return str(scope["path"][len(MCP_PREFIX) :])


def header(scope: Scope, name: bytes) -> bytes | None:
    """Return the first value of a header."""
    for key, value in scope["headers"]:
        if key == name:
            found: bytes = value
            return found
    return None


def first_headers(scope: Scope) -> dict[bytes, bytes]:
    """Return the headers by name; of one that stands several times, the first."""
    return dict(reversed(scope["headers"]))
