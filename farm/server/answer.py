"""A whole HTTP answer, the same whether it is written to a connection at once or sent through ASGI."""

from __future__ import annotations

import logging
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import orjson
from starlette.types import Send

from farm.context.broken import Broken
from farm.errors import FarmError, Headers, TooLarge
from farm.loose_json import print_exact

INVALID_REQUEST = -32600
INTERNAL_ERROR = -32603
# What an agent hears of a full disk or a broken file: no path, no reason; those are in the farm's log.
CANNOT_BE_USED = "this episode cannot be used just now, and nothing has changed; whoever runs the farm can see why"
JSON_HEADERS: Headers = ((b"content-type", b"application/json"),)
_TEXT_HEADERS: Headers = ((b"content-type", b"text/plain; charset=utf-8"),)


class HttpAnswer:
    """One answer.

    Attributes:
        status: its HTTP status.
        body: its body.
        headers: its headers but for the body's length.
    """

    __slots__ = ("body", "headers", "status")

    def __init__(self, status: int, body: bytes, headers: Headers = JSON_HEADERS) -> None:
        self.status = status
        self.body = body
        self.headers = headers

    def over_http(self) -> bytes:
        """Return the answer as it goes over the wire."""
        return b"%bcontent-length: %d\r\n\r\n%b" % (_head(self.status, self.headers), len(self.body), self.body)

    async def send(self, send: Send) -> None:
        """Send the answer (ASGI)."""
        fields = [*self.headers, (b"content-length", b"%d" % len(self.body))]
        await send({"type": "http.response.start", "status": self.status, "headers": fields})
        await send({"type": "http.response.body", "body": self.body})


_logger = logging.getLogger("farm.server")


@lru_cache(maxsize=256)
def _head(status: int, headers: Headers) -> bytes:
    lines = [b"%b: %b\r\n" % header for header in headers]
    return b"HTTP/1.1 %d %b\r\n%b" % (status, HTTPStatus(status).phrase.encode(), b"".join(lines))


# What most answers are: their body's length and their body go in.
OK_OVER_HTTP = _head(200, JSON_HEADERS) + b"content-length: %d\r\n\r\n%b"


def json_answer(status: int, body: Any) -> HttpAnswer:
    """Return a value as JSON."""
    return HttpAnswer(status, orjson.dumps(body))


def error_answer(error: FarmError) -> HttpAnswer:
    """Return an error as the farm's own APIs word it."""
    return HttpAnswer(error.status, orjson.dumps(error.as_json()), (*JSON_HEADERS, *error.headers))


def refusal(error: FarmError, request: Any = None) -> HttpAnswer:
    """Return an error as an agent hears it: JSON-RPC, or what the MCP SDK says to a body over the limit.

    Args:
        error: what is wrong.
        request: the parsed body, where it is at hand; the answer names its id.
    """
    if isinstance(error, Broken):
        _logger.error("%s", error)
        return HttpAnswer(error.status, rpc_error(CANNOT_BE_USED, code=INTERNAL_ERROR, request=request))
    if isinstance(error, TooLarge):
        return HttpAnswer(error.status, b"Request body too large", _TEXT_HEADERS)
    return HttpAnswer(error.status, rpc_error(str(error), request=request), (*JSON_HEADERS, *error.headers))


def rpc_error(message: str, *, code: int = INVALID_REQUEST, request: Any = None) -> bytes:
    """Return a JSON-RPC error; it names the request's id when the request's body is at hand."""
    request_id = request.get("id") if isinstance(request, dict) else None
    if type(request_id) not in (int, str):
        request_id = None
    # An id may be an integer beyond 64 bits.
    return print_exact({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})


def parsed(body: bytes) -> Any:
    """Return the JSON of a body, or None when it is none: for naming the request in a refusal."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
