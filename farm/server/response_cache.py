"""What the SDK said once about a client's headers and metadata, kept so that it need not say it for every request.

An ``Envelope`` stands for one combination of the headers that decide how a request is taken. Within it, metadata that
the SDK accepted and its answers to requests that always come out the same (lists, handshakes) are remembered. Nothing
here decides by itself: what was not seen in this very form goes to the SDK.
"""

from __future__ import annotations

from typing import Any

import orjson
from mcp.server.streamable_http import check_accept_headers
from mcp.shared.inbound import InboundModernRoute, classify_inbound_request
from mcp_types import CallToolRequestParams
from mcp_types.methods import validate_client_request
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.requests import Request
from starlette.types import Message
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

_METAS_MAX = 256
_ANSWERS_MAX = 256
_ENVELOPES_MAX = 1024
# Whatever a client makes long is looked at anew each time: it must not fill the memory.
_KEPT_BYTES_MAX = 4096
# A request without the header is taken as this revision.
_DEFAULT_VERSION = "2025-03-26"
# Requests whose answers depend on nothing but the request and what is shown, and the one notification every client
# sends.
LASTING = frozenset({"initialize", "notifications/initialized", "ping", "server/discover", "tools/list"})
_REQUEST_KEYS = frozenset({"jsonrpc", "id", "method", "params"})

EnvelopeKey = tuple[bytes | None, bytes | None, bytes | None, bytes | None, bytes | None]
AnswerKey = tuple[Any, ...]


def envelope_key(headers: dict[bytes, bytes]) -> EnvelopeKey:
    """Return the values of the headers that decide how a request is taken."""
    get = headers.get
    return get(b"host"), get(b"origin"), get(b"content-type"), get(b"accept"), get(b"mcp-protocol-version")


class Envelope:
    """A combination of headers that the SDK takes.

    Attributes:
        is_modern: whether it is of the 2026 era.
        version: the protocol revision.
        answers: whole answers of the SDK to lasting requests: status, headers, and the body after the id.
    """

    __slots__ = ("_metas", "answers", "is_modern", "version")

    def __init__(self, version: str) -> None:
        self.version = version
        self.is_modern = version in MODERN_PROTOCOL_VERSIONS
        self._metas: set[bytes] = set()
        self.answers: dict[AnswerKey, LastingAnswer] = {}

    def takes_meta(self, meta: Any) -> bool:
        """Say whether the SDK takes this ``_meta`` of a tools/call; each is put to it once."""
        if type(meta) is not dict:
            return False
        if "progressToken" in meta:
            # Differs from call to call; everything else in it stays the same.
            if type(meta["progressToken"]) not in (int, str):
                return False
            meta = {key: value for key, value in meta.items() if key != "progressToken"}
        known = orjson.dumps(meta)
        if known in self._metas:
            return True
        if not self._is_valid(meta):
            return False
        if len(known) <= _KEPT_BYTES_MAX:
            if len(self._metas) >= _METAS_MAX:
                self._metas.clear()
            self._metas.add(known)
        return True

    def keep(self, key: AnswerKey, answer: LastingAnswer | None) -> None:
        """Keep the SDK's answer to a lasting request, if it is one to keep."""
        if answer is None:
            return
        if len(self.answers) >= _ANSWERS_MAX:
            self.answers.clear()
        self.answers[key] = answer

    def _is_valid(self, meta: dict[str, Any]) -> bool:
        params = {"name": "x", "_meta": meta}
        try:
            validate_client_request("tools/call", self.version, params)
            CallToolRequestParams.model_validate(params, by_name=False)
        except ValidationError:
            return False
        if not self.is_modern:
            return True
        route = classify_inbound_request({"method": "tools/call", "params": params})
        return isinstance(route, InboundModernRoute) and route.protocol_version == self.version


def answer_key(request: Any, headers: dict[bytes, bytes], shown: tuple[str, str | None]) -> AnswerKey | None:
    """Return what identifies the answer to a lasting request, or None for any other request.

    Args:
        shown: profile and menu of the episode, as its gate has them.
    """
    if type(request) is not dict or request.get("jsonrpc") != "2.0" or not request.keys() <= _REQUEST_KEYS:
        return None
    method = request.get("method")
    if type(method) is not str or method not in LASTING:
        return None
    has_id = "id" in request
    if has_id is method.startswith("notifications/") or (has_id and type(request["id"]) not in (int, str)):
        return None
    params = orjson.dumps(request["params"]) if "params" in request else b""
    named = headers.get(b"mcp-method", b""), headers.get(b"mcp-name", b"")
    if len(params) + len(named[0]) + len(named[1]) > _KEPT_BYTES_MAX:
        return None
    return method, has_id, params, shown, b"mcp-method" in headers, b"mcp-name" in headers, named


class LastingAnswer:
    """An answer of the SDK that holds for every request of the same form, whatever its id."""

    __slots__ = ("_headers", "_rest", "_status", "_wire_head")

    def __init__(self, status: int, headers: list[tuple[bytes, bytes]], rest: bytes | None) -> None:
        self._status = status
        self._headers = headers
        self._rest = rest
        self._wire_head = STATUS_LINE[status] + b"".join([b"%b: %b\r\n" % pair for pair in headers])

    def messages(self, request_id: bytes) -> tuple[Message, Message]:
        """Return the two ASGI messages of the answer to a request with this id."""
        body = self._body(request_id)
        headers = [*self._headers, (b"content-length", b"%d" % len(body))]
        start = {"type": "http.response.start", "status": self._status, "headers": headers}
        return start, {"type": "http.response.body", "body": body}

    def over_http(self, request_id: bytes) -> bytes:
        """Return the answer to a request with this id as it goes over the wire."""
        body = self._body(request_id)
        return b"%bcontent-length: %d\r\n\r\n%b" % (self._wire_head, len(body), body)

    def _body(self, request_id: bytes) -> bytes:
        return b"" if self._rest is None else id_prefix(request_id) + self._rest


def id_prefix(request_id: bytes) -> bytes:
    """Return how every answer to a request begins."""
    return b'{"jsonrpc":"2.0","id":' + request_id


class Recorder:
    """Takes an answer of the SDK instead of a client."""

    def __init__(self) -> None:
        self.sent: list[Message] = []

    async def __call__(self, message: Message) -> None:
        """Take one message (ASGI send)."""
        self.sent.append(message)

    def lasting(self, request_id: bytes, contract: tuple[dict[str, Any], ...]) -> LastingAnswer | None:
        """Return the answer without its id, or None when it is not one whole good answer.

        Args:
            request_id: the id as it was sent, empty for a notification.
            contract: the app's tools; where the answer shows exactly these, or some, keys keep the contract's order.
        """
        if len(self.sent) != 2 or self.sent[1].get("more_body"):
            return None
        start, body = self.sent[0], self.sent[1].get("body", b"")
        headers = [pair for pair in start["headers"] if pair[0] != b"content-length"]
        if not request_id:
            return LastingAnswer(202, headers, None) if start["status"] == 202 and not body else None
        prefix = id_prefix(request_id)
        if start["status"] != 200 or not body.startswith(prefix + b',"result":'):
            return None
        result = orjson.loads(body)["result"]
        tools = result.get("tools")
        if tools:
            names = {tool["name"] for tool in tools}
            ours = [tool for tool in contract if tool["name"] in names]
            if ours == tools:
                rest = orjson.dumps({**result, "tools": ours})
                return LastingAnswer(200, headers, b',"result":' + rest + b"}")
        return LastingAnswer(200, headers, body[len(prefix) :])


class Envelopes:
    """Every envelope seen so far."""

    def __init__(self, json_mode: bool) -> None:
        self._json_mode = json_mode
        self.known: dict[EnvelopeKey, Envelope] = {}

    def learn(self, request: Request, headers: dict[bytes, bytes]) -> Envelope | None:
        """Return the envelope of a request that passed Host, Origin and Content-Type; None: leave it to the SDK."""
        key = envelope_key(headers)
        found = self.known.get(key)
        if found is not None:
            return found
        version = request.headers.get("mcp-protocol-version", _DEFAULT_VERSION)
        if version not in HANDSHAKE_PROTOCOL_VERSIONS and version not in MODERN_PROTOCOL_VERSIONS:
            return None
        has_json, has_sse = check_accept_headers(request)
        media_type = request.headers.get("content-type", "").split(";")[0].strip()
        if not has_json or not (self._json_mode or has_sse) or media_type != "application/json":
            return None
        made = Envelope(version)
        if sum(len(value or b"") for value in key) <= _KEPT_BYTES_MAX:
            if len(self.known) >= _ENVELOPES_MAX:
                self.known.clear()
            self.known[key] = made
        return made
