"""What was found out once about a client's headers and metadata, so that it is not asked for every request.

A ``RequestForm`` stands for one combination of the headers that decide how a request is taken; there is none before its
Host, Origin and Content-Type were let in. Metadata that the SDK accepted and its answers to requests that always come
out the same (lists, handshakes) are remembered by what decides about them, the revision above all, and for all forms
together. What was not seen before goes to the SDK.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from mcp.server.streamable_http import check_accept_headers
from mcp.shared.inbound import InboundModernRoute, classify_inbound_request
from mcp_types import CallToolRequestParams
from mcp_types.methods import validate_client_request
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.requests import Request
from starlette.types import Message, Scope

from farm.errors import Headers
from farm.server.answer import JSON_HEADERS, HttpAnswer
from farm.server.kept import Kept, exact
from farm.server.security import Entrance

# What all forms, metadata and answers may take that are kept. A list of tools has a tenth of a megabyte, and there are
# few that differ; an app has some, and a process is to stay near the size it starts with.
FORMS_BYTES_MAX = 256 * 1024
METAS_BYTES_MAX = 256 * 1024
RESPONSES_BYTES_MAX = 3 * 1024 * 1024
# Whatever a client makes long is looked at anew each time: it must not fill the memory.
_KEPT_BYTES_MAX = 4096
# A request without the header is taken as this revision.
_DEFAULT_VERSION = "2025-03-26"
# Requests whose answers depend on nothing but the request and what is shown, and the one notification every client
# sends.
LASTING = frozenset({"initialize", "notifications/initialized", "ping", "server/discover", "tools/list"})
_CALL: Mapping[str, Any] = {"name": "x"}
_REQUEST_KEYS = frozenset({"jsonrpc", "id", "method", "params"})

FormKey = tuple[bytes | None, bytes | None, bytes | None, bytes | None, bytes | None]
MetaKey = tuple[str, str, bytes]
ResponseKey = tuple[Any, ...]


def form_key(headers: dict[bytes, bytes]) -> FormKey:
    """Return the values of the headers that decide how a request is taken."""
    get = headers.get
    return get(b"host"), get(b"origin"), get(b"content-type"), get(b"accept"), get(b"mcp-protocol-version")


class RequestForm:
    """A combination of headers that was let in.

    Attributes:
        is_plain: whether the SDK takes what stands in them; what it does not, it has to refuse itself.
        is_modern: whether it is of the 2026 era.
        version: the protocol revision.
    """

    __slots__ = ("_metas", "is_modern", "is_plain", "version")

    def __init__(self, version: str, metas: Kept[MetaKey, None], *, is_plain: bool) -> None:
        self.version = version
        self.is_plain = is_plain
        self.is_modern = version in MODERN_PROTOCOL_VERSIONS
        self._metas = metas

    def takes_meta(self, meta: Any, method: str = "tools/call", others: Mapping[str, Any] = _CALL) -> bool:
        """Say whether the SDK takes this ``_meta`` of a request; each is put to it once.

        Args:
            meta: the metadata.
            method: the request's method.
            others: the params beside it; what the answer depends on of them must not depend on the metadata.
        """
        if type(meta) is not dict:
            return False
        if "progressToken" in meta:
            # Differs from call to call; everything else in it stays the same.
            if type(meta["progressToken"]) not in (int, str):
                return False
            meta = {key: value for key, value in meta.items() if key != "progressToken"}
        key = self.version, method, orjson.dumps(meta)
        if key in self._metas.known:
            return True
        if not self._is_valid(method, {**others, "_meta": meta}):
            return False
        if len(key[2]) <= _KEPT_BYTES_MAX:
            self._metas.keep((self.version, method, exact(key[2])), None, len(key[2]))
        return True

    def _is_valid(self, method: str, params: dict[str, Any]) -> bool:
        try:
            validate_client_request(method, self.version, params)
            CallToolRequestParams.model_validate({**_CALL, "_meta": params["_meta"]}, by_name=False)
        except (ValidationError, KeyError):
            return False  # no such metadata, or no such method in this revision
        if not self.is_modern:
            return True
        route = classify_inbound_request({"method": method, "params": params})
        return isinstance(route, InboundModernRoute) and route.protocol_version == self.version


def response_key(
    form: RequestForm, request: Any, headers: dict[bytes, bytes], shown: tuple[str, str | None]
) -> ResponseKey | None:
    """Return what identifies the answer to a lasting request, or None for any other request.

    Args:
        shown: profile and menu of the episode, as its gate has them.
    """
    if type(request) is not dict or request.get("jsonrpc") != "2.0" or not request.keys() <= _REQUEST_KEYS:
        return None
    method = request.get("method")
    if type(method) is not str or method not in LASTING:
        return None
    is_notification = method.startswith("notifications/")
    if ("id" in request) is is_notification or (not is_notification and type(request["id"]) not in (int, str)):
        return None
    params = request.get("params")
    has_meta = False
    if type(params) is dict and "_meta" in params and not is_notification:
        has_meta = True
        meta, params = params["_meta"], {key: value for key, value in params.items() if key != "_meta"}
        # What the SDK takes of it shows in no lasting answer; what it does not take is for the SDK to refuse.
        if not form.takes_meta(meta, method, params):
            return None
    printed = orjson.dumps(params) if "params" in request else b""
    named = headers.get(b"mcp-method", b""), headers.get(b"mcp-name", b"")
    if len(printed) + len(named[0]) + len(named[1]) > _KEPT_BYTES_MAX:
        return None
    is_named = b"mcp-method" in headers, b"mcp-name" in headers
    return form.version, method, printed, has_meta, shown, is_named, named


class LastingResponse:
    """An answer of the SDK that holds for every request of the same form, whatever its id."""

    __slots__ = ("_headers", "_rest", "_status")

    def __init__(self, status: int, headers: Headers, rest: bytes | None) -> None:
        self._status = status
        self._headers = headers
        self._rest = rest

    @property
    def size_bytes(self) -> int:
        """What the texts in it take."""
        return len(self._rest or b"")

    def answer(self, request_id: bytes) -> HttpAnswer:
        """Return the answer to a request with this id."""
        body = b"" if self._rest is None else id_prefix(request_id) + self._rest
        return HttpAnswer(self._status, body, self._headers)


def id_prefix(request_id: bytes) -> bytes:
    """Return how every answer to a request begins."""
    return b'{"jsonrpc":"2.0","id":' + request_id


class ResponseRecorder:
    """Takes an answer of the SDK instead of a client."""

    def __init__(self) -> None:
        self.sent: list[Message] = []

    async def __call__(self, message: Message) -> None:
        """Take one message (ASGI send)."""
        self.sent.append(message)

    def lasting(self, request_id: bytes, contract: tuple[dict[str, Any], ...]) -> LastingResponse | None:
        """Return the answer without its id, or None when it is not one whole good answer.

        Args:
            request_id: the id as it was sent, empty for a notification.
            contract: the app's tools; where the answer shows exactly these, or some, keys keep the contract's order.
        """
        if len(self.sent) != 2 or self.sent[1].get("more_body"):
            return None
        start, body = self.sent[0], self.sent[1].get("body", b"")
        headers = tuple((name, value) for name, value in start["headers"] if name != b"content-length")
        if headers == JSON_HEADERS:
            headers = JSON_HEADERS
        if not request_id:
            return LastingResponse(202, headers, None) if start["status"] == 202 and not body else None
        prefix = id_prefix(request_id)
        if start["status"] != 200 or not body.startswith(prefix + b',"result":'):
            return None
        result = orjson.loads(body)["result"]
        tools = result.get("tools")
        if tools:
            named = {tool["name"]: tool for tool in tools}
            # A revision that does not know a key, such as how a tool is run, is not told of it.
            ours = [
                {key: value for key, value in tool.items() if key in named[tool["name"]]}
                for tool in contract
                if tool["name"] in named
            ]
            if ours == tools:
                rest = orjson.dumps({**result, "tools": ours})
                return LastingResponse(200, headers, b',"result":' + rest + b"}")
        return LastingResponse(200, headers, body[len(prefix) :])


class RequestForms:
    """The forms that were let in, and what is known of requests in them.

    Attributes:
        known: the forms.
        responses: whole answers of the SDK to lasting requests.
    """

    def __init__(self, entrance: Entrance, *, json_mode: bool, is_fast: bool) -> None:
        self._entrance = entrance
        self._json_mode = json_mode
        self._is_fast = is_fast
        self._forms: Kept[FormKey, RequestForm] = Kept(FORMS_BYTES_MAX)
        self._metas: Kept[MetaKey, None] = Kept(METAS_BYTES_MAX)
        self._responses: Kept[ResponseKey, LastingResponse] = Kept(RESPONSES_BYTES_MAX)
        self.known = self._forms.known
        self.responses = self._responses.known

    def keep(self, key: ResponseKey, response: LastingResponse) -> None:
        """Keep the SDK's answer to a lasting request."""
        version, method, params, has_meta, shown, is_named, named = key
        size = response.size_bytes + len(params) + len(shown[1] or "") + sum(map(len, named))
        kept = version, method, exact(params), has_meta, shown, is_named, named
        self._responses.keep(kept, response, size)

    def admit(self, scope: Scope, headers: dict[bytes, bytes]) -> RequestForm | HttpAnswer:
        """Return the form of a request, or what it is refused with.

        Args:
            scope: the request (ASGI).
            headers: its headers by name.
        """
        has_repeated = len(headers) != len(scope["headers"])
        key = form_key(headers)
        known = self.known.get(key)
        if known is not None and scope["method"] == "POST" and not has_repeated:
            return known
        refused = self._entrance.refusal(scope)
        if refused is not None:
            return refused
        form = self._look_at(Request(scope), has_repeated=has_repeated)
        if form.is_plain and (size := sum(len(value or b"") for value in key)) <= _KEPT_BYTES_MAX:
            self._forms.keep(key, form, size)
        return form

    def _look_at(self, request: Request, *, has_repeated: bool) -> RequestForm:
        version = request.headers.get("mcp-protocol-version", _DEFAULT_VERSION)
        has_json, has_sse = check_accept_headers(request)
        media_type = request.headers.get("content-type", "").split(";")[0].strip()
        is_plain = (
            self._is_fast
            and not has_repeated
            and (version in HANDSHAKE_PROTOCOL_VERSIONS or version in MODERN_PROTOCOL_VERSIONS)
            and has_json
            and (self._json_mode or has_sse)
            and media_type == "application/json"
        )
        return RequestForm(version, self._metas, is_plain=is_plain)
