"""One app as an ASGI application: ``/mcp/{episode}`` for both eras of MCP; any other path is rejected.

``AppServer.decide`` routes a request: reject it, answer it, wait, or delegate to the SDK. A request with a known head
reaches ``decide`` directly from the connection; any other comes through ASGI.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp_types import SERVER_INFO_META_KEY
from starlette.types import Receive, Scope, Send

from farm._util.bounded_json import DEPTH_MAX, is_deeper
from farm._util.json_io import loads
from farm.appkit.envelope import protocol_error
from farm.content import LoadedApp
from farm.context.corrupt_file import CorruptFileError
from farm.context.reference import load_reference
from farm.context.store import Store
from farm.errors import FarmError, NotFoundError
from farm.server._sdk import SdkSide
from farm.server.deadline import Alarm
from farm.server.episode_gate import EpisodeGate, EpisodeGates
from farm.server.fast_path.header_template import (
    HeaderTemplate,
    HeaderTemplates,
    ResponseKey,
    ResponseRecorder,
    response_key,
    template_key,
)
from farm.server.fast_path.protocol import AppProtocol, RequestHead, RequestHeads
from farm.server.http.answer import CANNOT_BE_USED, OK_OVER_HTTP, HttpAnswer, error_answer, json_answer, refusal
from farm.server.http.asgi import MCP_PREFIX, ClientDisconnectedError, first_headers, mcp_place, read_body, replay
from farm.server.http.delivered import DELIVERIES, Delivered, DeliveringSend
from farm.server.http.request_guard import RequestGuard
from farm.server.limits.connection_limits import SMALL_BODY_BYTES
from farm.server.pipeline import INTERNAL_ERROR, Outcome, call, request
from farm.server.tool_menu import MENU_HEADER, menu_of

# The SDK holds parsed requests until some turns of the event loop after its answer.
_SDK_ENDS_S = 0.01
_loads, _dumps = orjson.loads, orjson.dumps
_logger = logging.getLogger("farm.server")


@dataclass(frozen=True, slots=True)
class Held:
    """The decision to wait: the episode is locked, and the call runs afterwards."""

    gate: EpisodeGate


@dataclass(frozen=True, slots=True)
class HandOver:
    """The decision to let the SDK answer.

    Attributes:
        profile: the episode's profile: each profile has its own SDK side.
        key: the cache key of the answer, if it is always the same.
        request_id: the request's id as JSON; empty for a notification.
        side: which of a companion's SDK sides answers; empty for the one of every app.
    """

    profile: str
    key: ResponseKey | None = None
    request_id: bytes = b""
    side: str = ""


# Bytes are the body of an ordinary answer, status 200.
Decision = bytes | HttpAnswer | Delivered | Held | HandOver


class _Served:
    """The app in one profile, as its episodes are served.

    Attributes:
        left_to_sdk: the tools whose calls the SDK must handle: those with parameters in headers, those that wait or ask
            the client, and a fixture's.
        modern_tail: the end of every result of the 2026 era.
    """

    __slots__ = ("left_to_sdk", "loaded", "modern_tail", "sdk")

    def __init__(self, loaded: LoadedApp, sdk: SdkSide) -> None:
        self.loaded = loaded
        self.sdk = sdk
        in_headers = {tool["name"] for tool in loaded.tool_schemas if b'"x-mcp-header"' in _dumps(tool["inputSchema"])}
        talking = {tool.name for tool in loaded.app.tools if tool.waits_until or tool.asks}
        self.left_to_sdk = frozenset(in_headers | talking | (set(sdk.protocol.TOOLS) if sdk.protocol else set()))
        self.modern_tail = (
            b',"resultType":"complete","_meta":' + _dumps({SERVER_INFO_META_KEY: sdk.server_info}) + b"}}"
        )


class AppServer:
    """Serves one app's episodes over MCP.

    Attributes:
        loaded: the app.
        store: its contexts.
        gates: the gates of its episodes.
        calls: number of answered calls.
        heads: the known request heads.
        connection: the protocol class that reads its HTTP.
    """

    connection = AppProtocol

    def __init__(
        self,
        loaded: LoadedApp,
        data: Path,
        *,
        allowed_hosts: tuple[str, ...] = (),
        json_mode: bool = True,
        is_fast: bool = True,
        protocol: ModuleType | None = None,
        store: Store | None = None,
        alarm: Alarm | None = None,
    ) -> None:
        """Serve the episodes below ``data``.

        Args:
            loaded: the app.
            data: the data folder.
            allowed_hosts: names accepted besides this machine's own; ``*`` accepts all.
            json_mode: False answers in event streams where the SDK can; for fixtures.
            is_fast: False leaves every request to the SDK; for comparing.
            protocol: the app's ``protocol`` module, if it offers more than tools.
            store: the contexts, if the caller owns and closes them.
            alarm: the alarm that limits calls, if the caller owns the process.
        """
        self.loaded = loaded
        self._words_no_object = loaded.app.dialect.words_no_object
        if loaded.app.reference is not None:
            # Imported here, as within a call it would take that call's time.
            load_reference(loaded.app.reference, data / "starts")
        self.store = store or Store(loaded, data)
        self._owns_store = store is None
        self._alarm = alarm
        self.gates = EpisodeGates(self.store)
        self.calls = 0
        self.heads = RequestHeads()
        self._served = {
            name: _Served(each, self._make_side(each, json_mode, protocol)) for name, each in loaded.profiles.items()
        }
        self._templates = HeaderTemplates(RequestGuard(allowed_hosts), json_mode=json_mode, is_fast=is_fast)
        # Two at once in the SDK would need twice the memory.
        self._long_bodies = asyncio.Lock()
        self._is_ready = False

    def _make_side(self, loaded: LoadedApp, json_mode: bool, protocol: ModuleType | None) -> SdkSide:
        return SdkSide(loaded, self.gates, self.run_call, self.run_request, json_mode, protocol)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve requests while the context is open; close the server's own contexts at the end."""
        try:
            async with AsyncExitStack() as stack:
                for served in self._served.values():
                    # Compiling every check now keeps the first call as fast as the others.
                    assert served.loaded.bound
                    await stack.enter_async_context(served.sdk.running())
                self._is_ready = True
                yield
        finally:
            self._is_ready = False
            self.gates.release_all()
            if self._owns_store:
                self.store.close_all()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        if scope["type"] == "http" and scope["path"].startswith(MCP_PREFIX):
            await self._answer(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] != "http":
            raise ValueError(f"no answer to a {scope['type']} connection; this server speaks HTTP")
        elif scope["path"] == "/healthz" and self._is_ready:
            await json_answer(200, {"app": self.loaded.app.name, "ready": True}).send(send)
        else:
            await error_answer(NotFoundError(f"nothing at {scope['path']}; MCP is at /mcp/EPISODE")).send(send)

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

    def answer_at_once(self, place: bytes, head: RequestHead, body: bytes) -> bytes | Delivered | None:
        """Answer a request whose head and episode are known, unless it has to wait or the SDK must answer."""
        template: HeaderTemplate | None = head.cached
        if template is None:
            template = head.cached = self._templates.known.get(template_key(head.headers))
        episode_id = place.decode("latin-1")
        if template is None or episode_id not in self.gates.known:
            return None
        decision = self.decide(template, episode_id, head.headers, body)
        if type(decision) is bytes:
            return OK_OVER_HTTP % (len(decision), decision)
        if type(decision) is HttpAnswer:
            return decision.over_http()
        return decision if type(decision) is Delivered else None

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that came through ASGI."""
        headers = first_headers(scope)
        template = self._templates.admit(scope, headers)
        if isinstance(template, HttpAnswer):
            await template.send(send)
            return
        try:
            body = await read_body(scope, receive)
        except FarmError as refused:
            await refusal(refused).send(send)
            return
        except ClientDisconnectedError:
            return
        episode_id = mcp_place(scope)
        if scope["query_string"] and (menu := menu_of(scope)) is not None:
            headers[MENU_HEADER] = menu.encode()
            scope = {**scope, "headers": [*scope["headers"], (MENU_HEADER, menu.encode())]}
        while isinstance(decision := self.decide(template, episode_id, headers, body), Held):
            await decision.gate.wait()
        if isinstance(decision, HandOver):
            if len(body) <= SMALL_BODY_BYTES:
                await self._hand_over(decision, scope, replay(body, receive), send)
                return
            async with self._long_bodies:
                await self._hand_over(decision, scope, replay(body, receive), send)
                await asyncio.sleep(_SDK_ENDS_S)
        elif isinstance(decision, bytes):
            await HttpAnswer(200, decision).send(send)
        else:
            await decision.send(send)

    def decide(self, template: HeaderTemplate, episode_id: str, headers: dict[bytes, bytes], body: bytes) -> Decision:
        """Route a request that passed the Host and Origin check, by its episode, bearer and body.

        The hot path: this and ``_fast_call`` are long, because a function call costs as much as the work inside.
        """
        try:
            request, is_parsed = loads(body), True
        except orjson.JSONDecodeError:
            request, is_parsed = None, False
        gate = self.gates.known.get(episode_id)
        # The first check of ``enter``, inlined: for nearly every call the gate is open.
        if gate is None or gate.token_sha256 is not None:
            try:
                gate = self.gates.enter(episode_id, headers.get(b"authorization"))
            except FarmError as refused:
                return refusal(refused, request)
            except OSError as problem:
                return refusal(CorruptFileError(str(problem)), request)
        menu = headers.get(MENU_HEADER)
        if menu is not None:
            try:
                gate = self.gates.narrow(gate, menu)
            except FarmError as refused:
                return refusal(refused, request)
        if (
            not template.is_fast
            or not is_parsed
            # The SDK's parser gives up at 200 levels, so it must reject what might be that deep.
            or (body.count(b"[") + body.count(b"{") > DEPTH_MAX and is_deeper(request))
        ):
            return HandOver(gate.profile)
        decision = self._fast_call(template, gate, headers, request)
        if decision is not None:
            return decision
        key = response_key(template, request, headers, gate.tools_key, self._served[gate.profile].loaded.requests)
        if key is None:
            return HandOver(gate.profile)
        request_id = _printed_id(request["id"]) if "id" in request else b""
        known = self._templates.responses.get(key)
        return HandOver(gate.profile, key, request_id) if known is None else known.answer(request_id)

    def _fast_call(
        self, template: HeaderTemplate, gate: EpisodeGate, headers: dict[bytes, bytes], request: Any
    ) -> bytes | HttpAnswer | Delivered | Held | None:
        """Route a tools/call that the SDK would pass on unchanged; return None for anything else."""
        if type(request) is not dict or len(request) != 4 or request.get("method") != "tools/call":
            return None
        request_id, params = request.get("id"), request.get("params")
        if request.get("jsonrpc") != "2.0" or type(params) is not dict:
            return None
        name, arguments, meta = params.get("name"), params.get("arguments"), params.get("_meta")
        is_modern, is_null = template.is_modern, arguments is None and "arguments" in params
        if type(name) is not str or len(params) != 1 + (arguments is not None or is_null) + (meta is not None):
            return None
        served = self._served[gate.profile]
        if name in served.left_to_sdk:
            return None
        # No real server whose SDK has its own wording for arguments that are not an object supports the 2026 era.
        is_left = is_modern or not self._words_no_object
        if is_left and type(arguments) is not dict and (arguments is not None or is_null):
            return None
        if is_modern and not _names_agree(headers, name):
            return None
        if (is_modern or meta is not None) and not template.accepts_meta(meta):
            return None
        if type(request_id) not in (int, str):
            return None
        shown_id = _printed_id(request_id)
        if gate.held is not None:
            return Held(gate)
        outcome = self.run_call(gate, name, arguments, is_null=is_null)
        if outcome.delivery is not None:
            return Delivered(self._http_answer(served, outcome, shown_id, is_modern), outcome.delivery)
        if outcome.is_protocol_error:
            status = ERROR_CODE_HTTP_STATUS.get(_loads(outcome.result)["code"], 200) if is_modern else 200
            return HttpAnswer(status, b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (shown_id, outcome.result))
        if is_modern:
            return b'{"jsonrpc":"2.0","id":%b,"result":%b%b' % (shown_id, outcome.result[:-1], served.modern_tail)
        return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (shown_id, outcome.result)

    @staticmethod
    def _http_answer(served: _Served, outcome: Outcome, shown_id: bytes, is_modern: bool) -> HttpAnswer:
        """Return the answer to a call whose delivery is planned."""
        if outcome.is_protocol_error:
            return HttpAnswer(200, b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (shown_id, outcome.result))
        tail = (outcome.result[:-1], served.modern_tail) if is_modern else (outcome.result, b"}")
        return HttpAnswer(200, b'{"jsonrpc":"2.0","id":%b,"result":%b%b' % (shown_id, *tail))

    def _side(self, decision: HandOver) -> SdkSide:
        return self._served[decision.profile].sdk

    async def _hand_over(self, decision: HandOver, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the SDK answer, and cache an answer that is always the same."""
        served = self._served[decision.profile]
        if decision.key is None:
            delivering = DeliveringSend(send)
            await self._side(decision)({**scope, DELIVERIES: delivering.deliveries}, receive, delivering)
            return
        recorder = ResponseRecorder()
        await served.sdk(scope, receive, recorder)
        cached = recorder.to_cached_response(decision.request_id, served.loaded.tool_schemas)
        if cached is None:
            for message in recorder.sent:
                await send(message)
            return
        self._templates.keep(decision.key, cached)
        await cached.answer(decision.request_id).send(send)

    def run_call(self, gate: EpisodeGate, name: str, arguments: Any, *, is_null: bool = False) -> Outcome:
        """Run one call in an episode; a tool that is not on the menu does not exist."""
        try:
            context = self.store.open(gate.id)
            outcome = call(context, name, arguments, gate.menu, is_null=is_null, alarm=self._alarm, person=gate.person)
        except (FarmError, OSError, sqlite3.Error) as problem:
            return self._failed(gate, problem)
        self.calls += 1
        if gate.watchers:
            gate.wake_watchers()
        if outcome.delivery is not None and outcome.delivery.expires:
            self.gates.require(gate.id).expire()
        return outcome

    def run_request(self, gate: EpisodeGate, method: str, params: Any) -> Outcome:
        """Run one request of a prompt or a resource in an episode."""
        try:
            outcome = request(self.store.open(gate.id), method, params, alarm=self._alarm, person=gate.person)
        except (FarmError, OSError, sqlite3.Error) as problem:
            return self._failed(gate, problem)
        self.calls += 1
        gate.wake_watchers()
        return outcome

    def _failed(self, gate: EpisodeGate, problem: Exception) -> Outcome:
        """Return the outcome of a call that could not be run."""
        if isinstance(problem, NotFoundError):
            return Outcome(protocol_error(INTERNAL_ERROR, str(problem)), True, True, 0)
        _logger.error("episode %s, app %s: %s", gate.id, self.loaded.app.name, problem)
        # The next call reopens and repairs the context.
        self.store.close(gate.id)
        return Outcome(protocol_error(INTERNAL_ERROR, CANNOT_BE_USED), True, True, 0)


def _printed_id(request_id: Any) -> bytes:
    """Return a request's id as it was sent: an integer may exceed the 64 bits that orjson prints."""
    return b"%d" % request_id if type(request_id) is int else _dumps(request_id)


def _names_agree(headers: dict[bytes, bytes], name: str) -> bool:
    """Return whether the headers of the 2026 era name this call, in the plain form.

    A name that is not valid in a header is sent as ``=?base64?…?=``, which the SDK decodes.
    """
    shown = headers.get(b"mcp-name", b"=?")
    return (
        headers.get(b"mcp-method") == b"tools/call"
        and name.isascii()
        and shown == name.encode()
        and not shown.startswith(b"=?")
    )
