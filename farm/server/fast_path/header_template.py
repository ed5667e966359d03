"""Caches of validated headers, metadata and constant answers, so that they are not checked for every request.

A ``HeaderTemplate`` is one combination of the headers that decide how a request is handled; it is made only after Host,
Origin and Content-Type were accepted. Metadata that the SDK accepted, and its answers that are always the same (lists,
handshakes), are cached by their inputs, above all the revision, and shared by all templates. The SDK handles anything
that is not cached.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
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

from farm._util.bounded_cache import BoundedCache, compact_bytes
from farm.errors import Headers
from farm.server.http.answer import JSON_HEADERS, HttpAnswer
from farm.server.http.request_guard import RequestGuard

# Limits of the caches of templates, metadata and answers. A list of tools has a tenth of a megabyte, and few differ.
# An app has several lists, and a process should stay near its initial size.
TEMPLATES_BYTES_MAX = 256 * 1024
METAS_BYTES_MAX = 256 * 1024
RESPONSES_BYTES_MAX = 3 * 1024 * 1024
# Longer inputs are checked each time, so that a client cannot fill the memory.
_CACHED_BYTES_MAX = 4096
# The revision of a request without the header.
_DEFAULT_VERSION = "2025-03-26"
# Requests whose answers depend only on the request and the tools shown, and the one notification that every client
# sends.
CONSTANT_METHODS = frozenset(
    {
        *("initialize", "notifications/initialized", "ping", "server/discover"),
        *("tools/list", "prompts/list", "resources/list", "resources/templates/list"),
    }
)
_CALL: Mapping[str, Any] = {"name": "x"}
_REQUEST_KEYS = frozenset({"jsonrpc", "id", "method", "params"})

TemplateKey = tuple[bytes | None, bytes | None, bytes | None, bytes | None, bytes | None]
MetaKey = tuple[str, str, bytes]
ResponseKey = tuple[Any, ...]


def template_key(headers: dict[bytes, bytes]) -> TemplateKey:
    """Return the values of the headers that decide how a request is handled."""
    get = headers.get
    return get(b"host"), get(b"origin"), get(b"content-type"), get(b"accept"), get(b"mcp-protocol-version")


class HeaderTemplate:
    """An accepted combination of headers.

    Attributes:
        is_fast: whether the SDK accepts these headers; if not, the SDK itself has to refuse the request.
        is_modern: whether it is of the 2026 era.
        version: the protocol revision.
    """

    __slots__ = ("_metas", "is_fast", "is_modern", "version")

    def __init__(self, version: str, metas: BoundedCache[MetaKey, None], *, is_fast: bool) -> None:
        self.version = version
        self.is_fast = is_fast
        self.is_modern = version in MODERN_PROTOCOL_VERSIONS
        self._metas = metas

    def accepts_meta(self, meta: Any, method: str = "tools/call", others: Mapping[str, Any] = _CALL) -> bool:
        """Return whether the SDK accepts this ``_meta`` of a request; the SDK checks each only once.

        Args:
            meta: the metadata.
            method: the request's method.
            others: the other params; any that the result depends on must not vary with the metadata.
        """
        if type(meta) is not dict:
            return False
        if "progressToken" in meta:
            # Differs from call to call; the rest stays the same.
            if type(meta["progressToken"]) not in (int, str):
                return False
            meta = {key: value for key, value in meta.items() if key != "progressToken"}
        key = self.version, method, orjson.dumps(meta)
        if key in self._metas.known:
            return True
        if not self._is_valid(method, {**others, "_meta": meta}):
            return False
        if len(key[2]) <= _CACHED_BYTES_MAX:
            self._metas.keep((self.version, method, compact_bytes(key[2])), None, len(key[2]))
        return True

    def _is_valid(self, method: str, params: dict[str, Any]) -> bool:
        try:
            validate_client_request(method, self.version, params)
            CallToolRequestParams.model_validate({**_CALL, "_meta": params["_meta"]}, by_name=False)
        except (ValidationError, KeyError):
            return False  # invalid metadata, or no such method in this revision
        if not self.is_modern:
            return True
        route = classify_inbound_request({"method": method, "params": params})
        return isinstance(route, InboundModernRoute) and route.protocol_version == self.version


def response_key(
    template: HeaderTemplate,
    request: Any,
    headers: dict[bytes, bytes],
    tools_key: tuple[str, str | None],
    varying: Container[str] = (),
) -> ResponseKey | None:
    """Return the cache key of the answer to a constant request, or None for any other request.

    Args:
        tools_key: profile and menu of the episode, as in its gate.
        varying: methods whose answers depend on the episode.
    """
    if type(request) is not dict or request.get("jsonrpc") != "2.0" or not request.keys() <= _REQUEST_KEYS:
        return None
    method = request.get("method")
    if type(method) is not str or method not in CONSTANT_METHODS or method in varying:
        return None
    is_notification = method.startswith("notifications/")
    if ("id" in request) is is_notification or (not is_notification and type(request["id"]) not in (int, str)):
        return None
    params = request.get("params")
    has_meta = False
    if type(params) is dict and "_meta" in params and not is_notification:
        has_meta = True
        meta, params = params["_meta"], {key: value for key, value in params.items() if key != "_meta"}
        # Metadata that the SDK accepts affects no constant answer; the SDK has to refuse other metadata.
        if not template.accepts_meta(meta, method, params):
            return None
    printed = orjson.dumps(params) if "params" in request else b""
    named = headers.get(b"mcp-method", b""), headers.get(b"mcp-name", b"")
    if len(printed) + len(named[0]) + len(named[1]) > _CACHED_BYTES_MAX:
        return None
    is_named = b"mcp-method" in headers, b"mcp-name" in headers
    return template.version, method, printed, has_meta, tools_key, is_named, named


class CachedResponse:
    """An answer of the SDK that is valid for every request of the same template, whatever its id."""

    __slots__ = ("_headers", "_rest", "_status")

    def __init__(self, status: int, headers: Headers, rest: bytes | None) -> None:
        self._status = status
        self._headers = headers
        self._rest = rest

    @property
    def size_bytes(self) -> int:
        """The size of its texts."""
        return len(self._rest or b"")

    def answer(self, request_id: bytes) -> HttpAnswer:
        """Return the answer to a request with this id."""
        body = b"" if self._rest is None else id_prefix(request_id) + self._rest
        return HttpAnswer(self._status, body, self._headers)


def id_prefix(request_id: bytes) -> bytes:
    """Return the beginning of every answer to a request."""
    return b'{"jsonrpc":"2.0","id":' + request_id


class ResponseRecorder:
    """Records an answer of the SDK in a client's place."""

    def __init__(self) -> None:
        self.sent: list[Message] = []

    async def __call__(self, message: Message) -> None:
        """Take one message (ASGI send)."""
        self.sent.append(message)

    def to_cached_response(self, request_id: bytes, tool_schemas: tuple[dict[str, Any], ...]) -> CachedResponse | None:
        """Return the answer without its id, or None if it is not one complete success.

        Args:
            request_id: the id as it was sent, empty for a notification.
            tool_schemas: the app's tools; if the answer lists some or all of them unchanged, keys keep their order.
        """
        if len(self.sent) != 2 or self.sent[1].get("more_body"):
            return None
        start, body = self.sent[0], self.sent[1].get("body", b"")
        headers = tuple((name, value) for name, value in start["headers"] if name != b"content-length")
        if headers == JSON_HEADERS:
            headers = JSON_HEADERS
        if not request_id:
            return CachedResponse(202, headers, None) if start["status"] == 202 and not body else None
        prefix = id_prefix(request_id)
        if start["status"] != 200 or not body.startswith(prefix + b',"result":'):
            return None
        result = orjson.loads(body)["result"]
        tools = result.get("tools")
        if tools:
            named = {tool["name"]: tool for tool in tools}
            # A revision that does not define a key, such as how a tool is run, does not get it.
            ours = [
                {key: value for key, value in tool.items() if key in named[tool["name"]]}
                for tool in tool_schemas
                if tool["name"] in named
            ]
            if ours == tools:
                rest = orjson.dumps({**result, "tools": ours})
                return CachedResponse(200, headers, b',"result":' + rest + b"}")
        return CachedResponse(200, headers, body[len(prefix) :])


class HeaderTemplates:
    """The accepted header templates, and the caches of requests in them.

    Attributes:
        known: the templates.
        responses: whole answers of the SDK to constant requests.
    """

    def __init__(self, guard: RequestGuard, *, json_mode: bool, is_fast: bool) -> None:
        self._guard = guard
        self._json_mode = json_mode
        self._is_fast = is_fast
        self._templates: BoundedCache[TemplateKey, HeaderTemplate] = BoundedCache(TEMPLATES_BYTES_MAX)
        self._metas: BoundedCache[MetaKey, None] = BoundedCache(METAS_BYTES_MAX)
        self._responses: BoundedCache[ResponseKey, CachedResponse] = BoundedCache(RESPONSES_BYTES_MAX)
        self.known = self._templates.known
        self.responses = self._responses.known

    def keep(self, key: ResponseKey, response: CachedResponse) -> None:
        """Cache the SDK's answer to a constant request."""
        version, method, params, has_meta, tools_key, is_named, named = key
        size = response.size_bytes + len(params) + len(tools_key[1] or "") + sum(map(len, named))
        cached = version, method, compact_bytes(params), has_meta, tools_key, is_named, named
        self._responses.keep(cached, response, size)

    def admit(self, scope: Scope, headers: dict[bytes, bytes]) -> HeaderTemplate | HttpAnswer:
        """Return the header template of a request, or its rejection.

        Args:
            scope: the request (ASGI).
            headers: its headers by name.
        """
        has_repeated = len(headers) != len(scope["headers"])
        key = template_key(headers)
        known = self.known.get(key)
        if known is not None and scope["method"] == "POST" and not has_repeated:
            return known
        refused = self._guard.refusal(scope)
        if refused is not None:
            return refused
        template = self._make_template(Request(scope), has_repeated=has_repeated)
        if template.is_fast and (size := sum(len(value or b"") for value in key)) <= _CACHED_BYTES_MAX:
            self._templates.keep(key, template, size)
        return template

    def _make_template(self, request: Request, *, has_repeated: bool) -> HeaderTemplate:
        version = request.headers.get("mcp-protocol-version", _DEFAULT_VERSION)
        has_json, has_sse = check_accept_headers(request)
        media_type = request.headers.get("content-type", "").split(";")[0].strip()
        is_fast = (
            self._is_fast
            and not has_repeated
            and (version in HANDSHAKE_PROTOCOL_VERSIONS or version in MODERN_PROTOCOL_VERSIONS)
            and has_json
            and (self._json_mode or has_sse)
            and media_type == "application/json"
        )
        return HeaderTemplate(version, self._metas, is_fast=is_fast)
