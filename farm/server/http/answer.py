"""A complete HTTP answer, identical whether written to a connection directly or sent through ASGI."""

from __future__ import annotations

import logging
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import orjson
from starlette.types import Send

from farm._util.json_io import dumps
from farm.context.corrupt_file import CorruptFileError
from farm.errors import FarmError, Headers, PayloadTooLargeError

INVALID_REQUEST = -32600
INTERNAL_ERROR = -32603
# The message to an agent for a full disk or a broken file: path and reason are only in the farm's log.
CANNOT_BE_USED = "this episode cannot be used just now, and nothing has changed; whoever runs the farm can see why"
JSON_HEADERS: Headers = ((b"content-type", b"application/json"),)
_TEXT_HEADERS: Headers = ((b"content-type", b"text/plain; charset=utf-8"),)


class HttpAnswer:
    """One answer.

    Attributes:
        status: its HTTP status.
        body: its body.
        headers: its headers except Content-Length.
    """

    __slots__ = ("body", "headers", "status")

    def __init__(self, status: int, body: bytes, headers: Headers = JSON_HEADERS) -> None:
        self.status = status
        self.body = body
        self.headers = headers

    def over_http(self) -> bytes:
        """Return the answer as bytes for the wire."""
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


# Template of most answers; the body's length and the body are inserted.
OK_OVER_HTTP = _head(200, JSON_HEADERS) + b"content-length: %d\r\n\r\n%b"


def json_answer(status: int, body: Any) -> HttpAnswer:
    """Return a value as JSON."""
    return HttpAnswer(status, orjson.dumps(body))


def error_answer(error: FarmError) -> HttpAnswer:
    """Return an error in the form of the farm's own APIs."""
    return HttpAnswer(error.status, orjson.dumps(error.as_json()), (*JSON_HEADERS, *error.headers))


def refusal(error: FarmError, request: Any = None) -> HttpAnswer:
    """Return an error in the form for agents: JSON-RPC, or the MCP SDK's message for a body over the limit.

    Args:
        error: the error.
        request: the parsed body, if available; the answer repeats its id.
    """
    if isinstance(error, CorruptFileError):
        _logger.error("%s", error)
        return HttpAnswer(error.status, rpc_error(CANNOT_BE_USED, code=INTERNAL_ERROR, request=request))
    if isinstance(error, PayloadTooLargeError):
        return HttpAnswer(error.status, b"Request body too large", _TEXT_HEADERS)
    return HttpAnswer(error.status, rpc_error(str(error), request=request), (*JSON_HEADERS, *error.headers))


def rpc_error(message: str, *, code: int = INVALID_REQUEST, request: Any = None) -> bytes:
    """Return a JSON-RPC error; it repeats the request's id if the request's body is given."""
    request_id = request.get("id") if isinstance(request, dict) else None
    if type(request_id) not in (int, str):
        request_id = None
    # An id may be an integer beyond 64 bits.
    return dumps({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})


def parsed(body: bytes) -> Any:
    """Return a body's parsed JSON, or None if it is not JSON: for the request's id in an error."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
