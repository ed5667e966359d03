"""A companion over HTTP: its calls wait, ask the client's user and report progress; its resources can be watched.

What a client gets depends on what it declares, and on the revision of the protocol:

- A client without any of it gets one JSON answer a request, as from every app.
- Progress goes to a request with a progress token, as an event stream before its answer, in both eras.
- The client's user is asked if the client declared elicitation by forms: by a result that needs input in the revision
  of 2026, and in those with a handshake by a request on the call's event stream. Only such a client has a session.
- Changed resources are told on the streams of ``subscriptions/listen``, which only the revision of 2026 has: the older
  way needs a stream that a client opens by GET, which the farm does not serve.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import (
    AbstractContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
    suppress,
)
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_REQUEST,
    CallToolRequestParams,
    ClientCapabilities,
    ElicitResult,
    RequestParams,
    SubscriptionFilter,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.types import Message, Receive, Scope, Send

from farm.content import LoadedApp
from farm.context.waiting import Notices, OnStep, find_question, notified, wait_limit_ms
from farm.errors import FarmError
from farm.server._sdk import RequestContext, SdkSide, result_of
from farm.server.app import AppServer, Decision, HandOver
from farm.server.episode_gate import EpisodeGate
from farm.server.fast_path.header_template import HeaderTemplate
from farm.server.http.answer import HttpAnswer, parsed
from farm.server.http.asgi import replay
from farm.server.limits.connection_limits import SMALL_BODY_BYTES
from farm.server.pipeline import Outcome

# Moves an episode's clock to a limit, or to the first notice of a person, and returns the notices.
Mover = Callable[[str, int, str | None, OnStep | None], Awaitable[Notices]]
# Returns what a person was notified of since the episode began.
NoticeLister = Callable[[str, str | None], Awaitable[Notices]]

# The SDK sides: one that answers in JSON, one in event streams, and one for sessions of clients that can be asked.
_PLAIN, _STREAMS, _SESSIONS = "", "streams", "sessions"
_SESSIONS_MAX = 2000  # of 36 KiB each
_ANSWER_S_MAX = 600.0  # how long the client's user may take
_LISTENERS_MAX = 8  # of one episode
_LOOK_S = 0.5  # how often a watched episode is looked at
_MINUTE_MS = 60_000
_ANSWER_KEY, _ANSWER_FIELD = "answer", "answer"
_FORM = {
    "type": "object",
    "properties": {_ANSWER_FIELD: {"type": "string", "title": "Answer"}},
    "required": [_ANSWER_FIELD],
}
_NOT_SERVED = frozenset({404, 503})


@dataclass
class CompanionSide(SdkSide):
    """One of the SDK's sides of a companion.

    Attributes:
        server: the companion's server.
    """

    server: CompanionServer = field(kw_only=True)

    def _add_features(self, server: Any) -> None:
        super()._add_features(server)
        server.add_request_handler("server/discover", RequestParams, self._discover)
        if not self.json_mode and self.loaded.features.resources is not None:
            server.add_request_handler("subscriptions/listen", SubscriptionsListenRequestParams, self._listen)

    async def _discover(self, _: RequestContext, __: RequestParams) -> dict[str, Any]:
        """Declare that resources can be watched; the SDK would declare changes of lists, too."""
        capabilities = dict(self.loaded.features.capabilities)
        if self.loaded.features.resources is not None:
            capabilities["resources"] = {**capabilities.get("resources", {}), "subscribe": True}
        instructions = {"instructions": self.loaded.instructions} if self.loaded.instructions else {}
        return {
            "resultType": "complete",
            "supportedVersions": list(MODERN_PROTOCOL_VERSIONS),
            "capabilities": capabilities,
            **instructions,
        }

    async def _call(self, context: RequestContext, params: CallToolRequestParams) -> dict[str, Any]:
        gate = self._gate(context)
        await gate.wait()
        question = self.server.find_question(gate, params.name, params.arguments)
        answer = None
        if question is not None and _can_be_asked(context.session.client_capabilities):
            if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
                answer = await _ask(context, question)
            elif not params.input_responses:
                return _input_required(question)
            else:
                answer = _find_answer(params.input_responses.get(_ANSWER_KEY))
        async with self.server.turn(gate.id):
            notices = await self.server.wait(gate, params.name, params.arguments, _Progress(context))
            gate = self._gate(context)
            await gate.wait()
            outcome = self.server.run_told(gate, params.name, params.arguments, notices, answer)
        return self._deliver(context, outcome)

    async def _run(self, context: RequestContext, params: Any) -> dict[str, Any]:
        if context.method != "resources/read":
            return await super()._run(context, params)
        gate = self._gate(context)
        notices = await self.server.list_notices(gate)
        await gate.wait()
        return result_of(self.server.run_told_request(gate, context.method, params, notices))

    async def _listen(
        self, context: RequestContext, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Tell a client of changes of the resources that it names, and acknowledge no others."""
        gate = self._gate(context)
        have = {each["uri"] for each in self.loaded.features.resources or ()}
        uris = [uri for uri in params.notifications.resource_subscriptions or () if uri in have]
        bus = InMemorySubscriptionBus()
        listening = ListenHandler(bus)
        with self.server.listener(gate, listening):
            seen = await self.server.list_notices(gate)  # before the client may believe that it listens
            watching = asyncio.create_task(self._watch(context, seen, uris, bus, listening))
            try:
                wanted = SubscriptionFilter(resource_subscriptions=uris or None)
                return await listening(context, params.model_copy(update={"notifications": wanted}))
            finally:
                watching.cancel()

    async def _watch(
        self,
        context: RequestContext,
        seen: Notices,
        uris: list[str],
        bus: InMemorySubscriptionBus,
        listening: ListenHandler,
    ) -> None:
        """Publish changes until the episode can no longer be entered."""
        seen_ms = None
        try:
            while True:
                gate = self._gate(context)
                now_ms = self.server.clock_ms(gate)
                if now_ms != seen_ms:
                    found, seen_ms = await self.server.list_notices(gate), now_ms
                    for uri in uris if found != seen else ():
                        await bus.publish(ResourceUpdated(uri))
                    seen = found
                await asyncio.sleep(_LOOK_S)
        except (FarmError, MCPError):
            listening.close()


class _Progress:
    """Reports how much of a wait has passed, in minutes of simulated time; a client without a token gets nothing."""

    def __init__(self, context: RequestContext) -> None:
        self._context = context
        self._begun_ms = self._passed_ms = self._total_ms = 0

    async def begin(self, now_ms: int, until_ms: int) -> None:
        """Report that a wait begins."""
        self._begun_ms, self._total_ms, self._passed_ms = now_ms, until_ms - now_ms, -1
        await self(now_ms)

    async def __call__(self, at_ms: int) -> None:
        """Report a moment on the way."""
        if at_ms - self._begun_ms <= self._passed_ms:
            return  # progress only grows
        self._passed_ms = at_ms - self._begun_ms
        await self._context.session.report_progress(self._passed_ms / _MINUTE_MS, self._total_ms / _MINUTE_MS)


def _can_be_asked(declared: ClientCapabilities | None) -> bool:
    """Return whether a client asks its user by a form; without a mode, a form is meant."""
    elicitation = None if declared is None else declared.elicitation
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


async def _ask(context: RequestContext, question: str) -> str | None:
    """Ask the user of a client with a handshake; None if they do not answer."""
    if not context.session.can_send_request:
        return None
    with suppress(MCPError, TimeoutError):
        async with asyncio.timeout(_ANSWER_S_MAX):
            told = await context.session.elicit_form(question, _FORM, related_request_id=context.request_id)
        return _find_answer(told)
    return None


def _input_required(question: str) -> dict[str, Any]:
    params = {"mode": "form", "message": question, "requestedSchema": _FORM}
    request = {"method": "elicitation/create", "params": params}
    return {"resultType": "input_required", "inputRequests": {_ANSWER_KEY: request}}


def _find_answer(told: Any) -> str | None:
    """Return what the client's user answered; None if they declined, or closed the form."""
    if not isinstance(told, ElicitResult) or told.action != "accept":
        return None
    answer = (told.content or {}).get(_ANSWER_FIELD)
    return answer if isinstance(answer, str) and answer.strip() else None


class CompanionServer(AppServer):
    """Serves a companion."""

    def __init__(self, loaded: LoadedApp, data: Path, move: Mover, notices: NoticeLister, **options: Any) -> None:
        """Serve the episodes below ``data``.

        Args:
            loaded: the companion.
            data: the data folder.
            move: moves the clocks of an episode.
            notices: lists what a person was notified of.
            options: those of ``AppServer``.
        """
        self._move, self._notices = move, notices
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners: dict[ListenHandler, str] = {}
        super().__init__(loaded, data, **options)
        self._streams = {name: self._new_side(each) for name, each in loaded.profiles.items()}
        self._sessions = {name: self._new_side(each, _SESSIONS_MAX) for name, each in loaded.profiles.items()}

    def _make_side(self, loaded: LoadedApp, json_mode: bool, protocol: ModuleType | None) -> SdkSide:
        return CompanionSide(loaded, self.gates, self.run_call, self.run_request, json_mode, protocol, server=self)

    def _new_side(self, loaded: LoadedApp, sessions_max: int = 0) -> CompanionSide:
        return CompanionSide(
            *(loaded, self.gates, self.run_call, self.run_request),
            json_mode=False,
            sessions_max=sessions_max,
            server=self,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve requests while the context is open; close the server's own contexts at the end."""
        async with super().running(), AsyncExitStack() as stack:
            for side in (*self._streams.values(), *self._sessions.values()):
                await stack.enter_async_context(side.running())
            yield

    def decide(self, template: HeaderTemplate, episode_id: str, headers: dict[bytes, bytes], body: bytes) -> Decision:
        """Route a request as every app does, and then to the SDK's side that can give the client what it declared."""
        decision = super().decide(template, episode_id, headers, body)
        side = _find_side(template, headers, body)
        if not side:
            return decision
        if isinstance(decision, HandOver):
            return replace(decision, key=None, side=side)
        # A cached handshake has no session.
        is_admitted = isinstance(decision, HttpAnswer) and decision.status == 200
        return HandOver(self.gates.known[episode_id].profile, side=side) if is_admitted else decision

    def _side(self, decision: HandOver) -> SdkSide:
        sides = {_STREAMS: self._streams, _SESSIONS: self._sessions}.get(decision.side)
        return super()._side(decision) if sides is None else sides[decision.profile]

    async def _hand_over(self, decision: HandOver, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the SDK answer; without a session, such as one of a gateway that ended, a request is by itself."""
        if decision.side != _SESSIONS:
            await super()._hand_over(decision, scope, receive, send)
            return
        body, trying = (await receive())["body"], _UnlessRefused(send)
        await super()._hand_over(decision, scope, replay(body, receive), trying)
        if trying.is_refused:
            await super()._hand_over(HandOver(decision.profile), scope, replay(body, receive), send)

    # -- for the sides

    def find_question(self, gate: EpisodeGate, tool: str, arguments: Any) -> str | None:
        """Return what a call asks the person at the client; None for a call that asks nothing."""
        try:
            return find_question(self.store.open(gate.id), tool, arguments, gate.menu)
        except FarmError:
            return None  # the call itself words the refusal

    def turn(self, episode_id: str) -> asyncio.Lock:
        """Return the lock of an episode's calls: each hears of the notices of its own wait."""
        lock = self._turns.get(episode_id)
        if lock is None:
            lock = self._turns[episode_id] = asyncio.Lock()
        return lock

    async def wait(self, gate: EpisodeGate, tool: str, arguments: Any, progress: _Progress) -> Notices | None:
        """Move the clocks as far as a call waits, and return the notices; None for a call that does not wait."""
        with suppress(FarmError):  # the call itself words the refusal
            limit_ms = self.find_limit_ms(gate, tool, arguments)
            if limit_ms is not None:
                await progress.begin(self.clock_ms(gate), limit_ms)
                return await self._move(gate.id, limit_ms, gate.person, progress)
        return None

    def find_limit_ms(self, gate: EpisodeGate, tool: str, arguments: Any) -> int | None:
        """Return the simulated time until which a call waits; None for a call that does not wait or is refused."""
        return wait_limit_ms(self.store.open(gate.id), tool, arguments, gate.menu)

    def run_told(
        self, gate: EpisodeGate, tool: str, arguments: Any, notices: Notices | None, answer: str | None
    ) -> Outcome:
        """Run a call that finds what the person was notified of, and what they answered."""
        with self._told(gate, notices, answer):
            return self.run_call(gate, tool, arguments)

    def run_told_request(self, gate: EpisodeGate, method: str, params: Any, notices: Notices) -> Outcome:
        """Run the request of a resource that finds what the person was notified of."""
        with self._told(gate, notices):
            return self.run_request(gate, method, params)

    def _told(
        self, gate: EpisodeGate, notices: Notices | None, answer: str | None = None
    ) -> AbstractContextManager[None]:
        try:
            return notified(self.store.open(gate.id), notices, answer)
        except FarmError:
            return nullcontext()  # the call itself words the refusal

    async def list_notices(self, gate: EpisodeGate) -> Notices:
        """Return what whoever entered was notified of since the episode began."""
        return await self._notices(gate.id, gate.person)

    def clock_ms(self, gate: EpisodeGate) -> int:
        """Return the simulated time."""
        return self.store.open(gate.id).now_ms(False)

    @contextmanager
    def listener(self, gate: EpisodeGate, listening: ListenHandler) -> Iterator[None]:
        """Count a stream of changes inside.

        Raises:
            MCPError: the episode has too many.
        """
        if Counter(self._listeners.values())[gate.id] >= _LISTENERS_MAX:
            raise MCPError(INVALID_REQUEST, f"an episode has at most {_LISTENERS_MAX} streams of changes")
        self._listeners[listening] = gate.id
        try:
            yield
        finally:
            del self._listeners[listening]

    def end_streams(self) -> None:
        """End the streams of changes, which would outlast every other request."""
        for listening in self._listeners:
            listening.close()


def _find_side(template: HeaderTemplate, headers: dict[bytes, bytes], body: bytes) -> str:
    """Return the SDK's side for a request: the plain one, unless the client declares more than it gives."""
    if b"text/event-stream" not in headers.get(b"accept", b""):
        return _PLAIN
    request = parsed(body)
    if not isinstance(request, dict):
        return _PLAIN
    method, params = request.get("method"), request.get("params")
    params = params if isinstance(params, dict) else {}
    if not template.is_modern and (b"mcp-session-id" in headers or (method == "initialize" and _declares(params))):
        # A long question would keep other long requests waiting, but a long answer has to arrive.
        return _PLAIN if method == "tools/call" and len(body) > SMALL_BODY_BYTES else _SESSIONS
    meta = params.get("_meta")
    has_token = method == "tools/call" and isinstance(meta, dict) and "progressToken" in meta
    is_stream = has_token or (template.is_modern and method == "subscriptions/listen")
    return _STREAMS if is_stream and len(body) <= SMALL_BODY_BYTES else _PLAIN


def _declares(params: Mapping[str, Any]) -> bool:
    """Return whether a client declares in its handshake that it can ask its user."""
    capabilities = params.get("capabilities")
    elicitation = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
    return isinstance(elicitation, dict) and ("form" in elicitation or "url" not in elicitation)


class _UnlessRefused:
    """Sends an answer, unless it says that there is no such session, or no room for one (ASGI send)."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_refused = False

    async def __call__(self, message: Message) -> None:
        """Take one message."""
        if message["type"] == "http.response.start":
            self.is_refused = message["status"] in _NOT_SERVED
        if not self.is_refused:
            await self._send(message)
