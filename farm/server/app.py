"""One app as an ASGI application: ``/mcp/{episode}`` for both eras of MCP, everything else refused.

Order of checks: Host and Origin, the episode, its bearer, then the protocol. A request of a known good form is answered
at once, before it has become one of ASGI's; anything unusual goes to the SDK, whose answer is the reference.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
from mcp.server.transport_security import TransportSecurityMiddleware
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp_types import SERVER_INFO_META_KEY
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from farm.content import LoadedApp
from farm.context.store import Store
from farm.envelope import protocol_error
from farm.errors import FarmError, MethodNotAllowed, NotFound, TooLarge, Unauthorized
from farm.pipeline import INTERNAL_ERROR, Outcome, call
from farm.server._sdk import Exchange, SdkSide
from farm.server.asgi import (
    ClientGone,
    header,
    read_body,
    replay,
    send_bytes,
    send_error,
    send_json,
    send_refusal,
)
from farm.server.episode_gate import EpisodeGate, EpisodeGates
from farm.server.fast_path import AppHttp, Head, Heads, http_answer
from farm.server.response_cache import Envelope, Envelopes, Recorder, answer_key, envelope_key
from farm.server.security import security

_PREFIX = "/mcp/"
_PREFIX_LENGTH = len(_PREFIX)
# The SDK's parser gives up at 200 levels; a body with fewer brackets cannot be that deep.
_BRACKETS_MAX = 190
_loads, _dumps = orjson.loads, orjson.dumps
_logger = logging.getLogger("farm.server")


class _Served:
    """The app in one profile, as its episodes are served.

    Attributes:
        left_to_sdk: the tools whose calls the SDK must see: those with parameters in headers, and those of a fixture.
        modern_tail: how every result of the 2026 era ends.
    """

    __slots__ = ("left_to_sdk", "loaded", "modern_tail", "sdk")

    def __init__(self, loaded: LoadedApp, sdk: SdkSide) -> None:
        self.loaded = loaded
        self.sdk = sdk
        in_headers = {tool["name"] for tool in loaded.contract if b'"x-mcp-header"' in _dumps(tool["inputSchema"])}
        self.left_to_sdk = frozenset(in_headers | (set(sdk.protocol.TOOLS) if sdk.protocol else set()))
        self.modern_tail = (
            b',"resultType":"complete","_meta":' + _dumps({SERVER_INFO_META_KEY: sdk.server_info}) + b"}}"
        )


class AppServer:
    """Serves one app's episodes over MCP.

    Attributes:
        loaded: the app.
        store: its contexts.
        gates: its episodes as seen from outside.
        calls: how many calls were answered.
        heads: the request heads it has seen.
        connection: what reads its HTTP.
    """

    connection = AppHttp

    def __init__(
        self,
        loaded: LoadedApp,
        data: Path,
        *,
        allowed_hosts: tuple[str, ...] = (),
        json_mode: bool = True,
        is_fast: bool = True,
        protocol: ModuleType | None = None,
    ) -> None:
        """Serve the episodes below ``data``.

        Args:
            loaded: the app.
            data: the data folder.
            allowed_hosts: names let in beside this machine's own; ``*`` lets in all.
            json_mode: False answers in event streams where the SDK can; for fixtures.
            is_fast: False leaves every request to the SDK; for comparing.
            protocol: the app's ``protocol`` module, when it offers more than tools.
        """
        self.loaded = loaded
        self.store = Store(loaded, data)
        self.gates = EpisodeGates(self.store)
        self.calls = 0
        self.heads = Heads()
        self._rules = TransportSecurityMiddleware(security(allowed_hosts))
        self._served = {
            name: _Served(each, SdkSide(each, self.run_call, self._rules.settings, json_mode, protocol))
            for name, each in loaded.profiles.items()
        }
        self._envelopes = Envelopes(json_mode)
        self._is_fast = is_fast
        self._is_ready = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Be ready for requests inside; close every context at the end."""
        try:
            async with AsyncExitStack() as stack:
                for served in self._served.values():
                    # Compiling every check now keeps the first call as quick as the others.
                    assert served.loaded.bound
                    await stack.enter_async_context(served.sdk.running())
                self._is_ready = True
                yield
        finally:
            self._is_ready = False
            self.gates.release_all()
            self.store.close_all()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        if scope["type"] == "http" and scope["path"].startswith(_PREFIX):
            await self._check(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] != "http":
            raise ValueError(f"no answer to a {scope['type']} connection; this server speaks HTTP")
        elif scope["path"] == "/healthz" and self._is_ready:
            await send_json(send, 200, {"app": self.loaded.app.name, "ready": True})
        else:
            await send_error(send, NotFound(f"nothing at {scope['path']}; MCP is at /mcp/EPISODE"))

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        async with AsyncExitStack() as stack:
            while True:
                message = await receive()
                if message["type"] == "lifespan.startup":
                    await stack.enter_async_context(self.running())
                    await send({"type": "lifespan.startup.complete"})
                else:
                    await stack.aclose()
                    await send({"type": "lifespan.shutdown.complete"})
                    return

    def answer_at_once(self, place: bytes, head: Head, body: bytes) -> bytes | None:
        """Answer a request whose headers and episode are known, when nothing about it needs to wait or to be checked.

        The hot path: this and ``_plain_call`` are long, because a frame costs as much as the work it would name.
        """
        headers = head.headers
        envelope = head.kept
        if envelope is None:
            envelope = head.kept = self._envelopes.known.get(envelope_key(headers))
        gate = self.gates.known.get(place.decode("latin-1"))
        if (
            envelope is None
            or gate is None
            or gate.held is not None
            or (gate.token_sha256 is not None and not gate.admits(headers.get(b"authorization")))
            or (gate.expires_s is not None and gate.is_expired)
            or body.count(b"[") + body.count(b"{") > _BRACKETS_MAX
        ):
            return None
        try:
            request = _loads(body)
        except orjson.JSONDecodeError:
            return None
        answer = self._plain_call(envelope, gate, headers, request)
        if answer is not None:
            return http_answer(*answer)
        key = answer_key(request, headers, gate.shown)
        known = None if key is None else envelope.answers.get(key)
        return None if known is None else known.over_http(_dumps(request["id"]) if "id" in request else b"")

    def _plain_call(
        self, envelope: Envelope, gate: EpisodeGate, headers: dict[bytes, bytes], request: Any
    ) -> tuple[int, bytes] | None:
        """Run a tools/call that the SDK would pass on unchanged; return status and body, or None for anything else."""
        if type(request) is not dict or len(request) != 4 or request.get("method") != "tools/call":
            return None
        request_id, params = request.get("id"), request.get("params")
        if request.get("jsonrpc") != "2.0" or type(params) is not dict:
            return None
        name, arguments, meta = params.get("name"), params.get("arguments"), params.get("_meta")
        if type(name) is not str or len(params) != 1 + (arguments is not None) + (meta is not None):
            return None
        served = self._served[gate.profile]
        if (arguments is not None and type(arguments) is not dict) or name in served.left_to_sdk:
            return None
        is_modern = envelope.is_modern
        if is_modern and not _names_agree(headers, name):
            return None
        if (is_modern or meta is not None) and not envelope.takes_meta(meta):
            return None
        if type(request_id) is int:
            shown_id = b"%d" % request_id
        elif type(request_id) is str:
            shown_id = _dumps(request_id)
        else:
            return None
        outcome = self.run_call(gate, name, arguments)
        if outcome.is_protocol_error:
            status = ERROR_CODE_HTTP_STATUS.get(_loads(outcome.result)["code"], 200) if is_modern else 200
            return status, b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (shown_id, outcome.result)
        if is_modern:
            return 200, b'{"jsonrpc":"2.0","id":%b,"result":%b%b' % (shown_id, outcome.result[:-1], served.modern_tail)
        return 200, b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (shown_id, outcome.result)

    async def _other(
        self,
        envelope: Envelope,
        gate: EpisodeGate,
        headers: dict[bytes, bytes],
        request: Any,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Answer what always comes out the same as the SDK did before; leave everything else to it."""
        exchange = Exchange(gate, _arguments(request), is_parsed=True)
        key = answer_key(request, headers, gate.shown)
        if key is None:
            await self._sdk(exchange, scope, receive, send)
            return
        request_id = _dumps(request["id"]) if "id" in request else b""
        known = envelope.answers.get(key)
        messages: Sequence[Message]
        if known is None:
            recorder = Recorder()
            await self._sdk(exchange, scope, receive, recorder)
            known = recorder.lasting(request_id, self._served[gate.profile].loaded.contract)
            envelope.keep(key, known)
            messages = recorder.sent
        if known is not None:
            messages = known.messages(request_id)
        for message in messages:
            await send(message)

    async def _sdk(self, exchange: Exchange, scope: Scope, receive: Receive, send: Send) -> None:
        await self._served[exchange.gate.profile].sdk(exchange, scope, receive, send)

    async def _check(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check everything about a request in order, then answer it."""
        checked = Request(scope)
        foreign = await self._rules.validate_request(checked, is_post=scope["method"] == "POST")
        if foreign is not None:
            await foreign(scope, receive, send)
            return
        if scope["method"] != "POST":
            await send_refusal(send, MethodNotAllowed("only POST is served here; every request is answered at once"))
            return
        try:
            body = await read_body(scope, receive)
        except TooLarge as refused:
            await send_refusal(send, refused)
            return
        except ClientGone:
            return
        try:
            request, is_parsed = _loads(body), True
        except orjson.JSONDecodeError:
            request, is_parsed = None, False
        gate = await self._enter(scope, send, request)
        if gate is None:
            return
        receive = replay({"type": "http.request", "body": body, "more_body": False}, receive)
        headers = dict(scope["headers"])
        envelope = None
        is_flat = body.count(b"[") + body.count(b"{") <= _BRACKETS_MAX
        if self._is_fast and is_parsed and is_flat and len(headers) == len(scope["headers"]):
            envelope = self._envelopes.learn(checked, headers)
        if envelope is None:
            await self._sdk(Exchange(gate, _arguments(request), is_parsed), scope, receive, send)
            return
        await gate.wait()
        answer = self._plain_call(envelope, gate, headers, request)
        if answer is None:
            await self._other(envelope, gate, headers, request, scope, receive, send)
        else:
            await send_bytes(send, *answer)

    async def _enter(self, scope: Scope, send: Send, request: Any) -> EpisodeGate | None:
        """Return the gate of the request's episode, or None after a refusal was sent."""
        try:
            gate = self.gates.require(scope["path"][_PREFIX_LENGTH:])
            if not gate.admits(header(scope, b"authorization")):
                raise Unauthorized(f"episode '{gate.id}' needs its token as 'Authorization: Bearer TOKEN'")
        except (NotFound, Unauthorized) as refused:
            await send_refusal(send, refused, request)
            return None
        return gate

    def run_call(self, gate: EpisodeGate, name: str, arguments: Any) -> Outcome:
        """Run one call in an episode; what a tool is not shown does not exist."""
        try:
            context = self.store.open(gate.id)
        except (FarmError, OSError, sqlite3.Error) as problem:
            if not isinstance(problem, NotFound):
                _logger.error("episode %s cannot be opened: %s", gate.id, problem)
            return Outcome(protocol_error(INTERNAL_ERROR, str(problem)), True, True, 0)
        outcome = call(context, name, arguments, gate.menu)
        self.calls += 1
        if gate.watchers:
            gate.tell_watchers()
        return outcome


def _names_agree(headers: dict[bytes, bytes], name: str) -> bool:
    """Say whether the headers of the 2026 era name this call, in the plain form.

    A name that cannot stand in a header is sent encoded, as ``=?base64?…?=``; that is for the SDK to read.
    """
    shown = headers.get(b"mcp-name", b"=?")
    return (
        headers.get(b"mcp-method") == b"tools/call"
        and name.isascii()
        and shown == name.encode()
        and not shown.startswith(b"=?")
    )


def _arguments(request: Any) -> Any:
    params = request.get("params") if isinstance(request, dict) else None
    return params.get("arguments") if isinstance(params, dict) else None
