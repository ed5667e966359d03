"""Split recorded HTTP connections into conversations: one for each MCP session or each request without one."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from farm._util.sse import EventReader, EventTooLongError
from farm.traverse.proxy.conversation import Conversation, PendingTrace, ServerState, read_messages
from farm.traverse.proxy.http_messages import Data, Head, HttpReader, NotHttpError
from farm.traverse.transport.bounds import BodyDecoder

_SESSION = b"mcp-session-id"
_OLDER = "posted to "
_SHOWN_MAX = 200


class Sessions:
    """The conversations over all connections."""

    def __init__(self, state: ServerState) -> None:
        self._state = self.state = state
        self._sessions: dict[str, Conversation] = {}
        # Without sessions, the beginning of a client's work is unknown, so the proxy's whole run is one trace.
        self._sessionless = PendingTrace()

    def conversation(self, session: str | None) -> Conversation:
        """Return the session's conversation, or one for a single request."""
        if session is None:
            return Conversation(self._state, self._sessionless)
        if session not in self._sessions:
            self._sessions[session] = Conversation(self._state, PendingTrace())
        return self._sessions[session]

    def find_older(self, target: str) -> str | None:
        """Return the session of the 2024-11-05 transport whose messages are posted to this target."""
        return _older(target) if _older(target) in self._sessions else None

    def open_older(self, endpoint: str) -> str:
        """Return a new session of that transport; ``endpoint`` is where the client posts its messages."""
        parts = urlsplit(endpoint)
        session = _older(parts._replace(scheme="", netloc="").geturl())
        self.conversation(session)
        return session

    def end(self, session: str | None, why: str, at: float) -> None:
        """End one session, or all of them."""
        for each in [session] if session is not None else list(self._sessions):
            if each in self._sessions:
                self._sessions.pop(each).end(why, at)


def _older(target: str) -> str:
    return f"{_OLDER}{target}"


@dataclass
class _Exchange:
    """A request and its answer."""

    method: bytes
    session: str | None
    conversation: Conversation
    decoder: BodyDecoder
    body: bytearray = field(default_factory=bytearray)
    is_too_long: bool = False
    calls: list[str] = field(default_factory=list)


class HttpConnection:
    """One connection of a client."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions, self._state = sessions, sessions.state
        self._requests, self._answers = HttpReader(is_answers=False), HttpReader(is_answers=True)
        self._open: deque[_Exchange] = deque()
        self._answer: _Answer | None = None
        self._is_lost = False

    def from_client(self, data: bytes, at: float) -> None:
        """Process bytes from the client."""
        if self._is_lost:
            return
        try:
            for part in self._requests.feed(data):
                if isinstance(part, Head):
                    session = part.get(_SESSION) or self._sessions.find_older(part.target)
                    decoder = BodyDecoder(part.get(b"content-encoding"))
                    conversation = self._sessions.conversation(session)
                    self._open.append(_Exchange(part.method, session, conversation, decoder))
                    self._answers.expect(part.method)
                elif isinstance(part, Data):
                    self._take_request(self._open[-1], part.body)
                elif self._open[-1].method == b"POST":
                    exchange = self._open[-1]
                    exchange.calls = exchange.conversation.from_client(bytes(exchange.body), at)
                    exchange.body.clear()
        except NotHttpError as problem:
            self.end(f"the client's bytes cannot be followed: {problem}", at)

    def _take_request(self, exchange: _Exchange, data: bytes) -> None:
        for piece in exchange.decoder.decode(data):
            if exchange.is_too_long:
                return
            exchange.body += piece
            if len(exchange.body) > self._state.body_max:
                exchange.is_too_long = True
                exchange.body.clear()
                self._state.count_oversized("a request")

    def from_server(self, data: bytes, at: float) -> None:
        """Process bytes from the server."""
        if self._is_lost:
            return
        try:
            for part in self._answers.feed(data):
                self._take(part, at)
        except NotHttpError as problem:
            self.end(f"the server's bytes cannot be followed: {problem}", at)

    def end(self, why: str, at: float) -> None:
        """Process the end of the connection."""
        if self._answer is None or self._answer.events is None:  # all received events are already processed
            for part in self._answers.end():
                self._take(part, at)
        while self._open:
            exchange = self._open.popleft()
            is_stream = self._answer is not None and self._answer.events is not None
            # A session's open calls may still be answered on another of its streams.
            if not (is_stream and exchange.session):
                exchange.conversation.silence(exchange.calls, why, at)
            elif exchange.session.startswith(_OLDER):
                self._sessions.end(exchange.session, why, at)
            self._answer = None
        self._is_lost = True

    def _take(self, part: object, at: float) -> None:
        if isinstance(part, Head):
            if not (100 <= part.status < 200):
                self._answer = _Answer(part, self._state)
        elif self._answer is None or not self._open:
            return
        elif isinstance(part, Data):
            for message in self._answer.take(part.body):
                self._event(self._open[0], message, at)
        else:
            self._finish(self._open.popleft(), self._answer, at)
            self._answer = None

    def _event(self, exchange: _Exchange, message: bytes, at: float) -> None:
        if exchange.method == b"GET" and exchange.session is None and not message.lstrip().startswith((b"{", b"[")):
            exchange.session = self._sessions.open_older(message.decode("utf-8", "replace").strip())
            exchange.conversation = self._sessions.conversation(exchange.session)
            return
        exchange.conversation.from_server(message, at)

    def _finish(self, exchange: _Exchange, answer: _Answer, at: float) -> None:
        why = answer.finish(exchange.conversation, exchange.calls, at)
        is_older = exchange.session is not None and exchange.session.startswith(_OLDER)
        if is_older and exchange.method == b"GET":
            self._sessions.end(exchange.session, "the stream ended before the answer", at)
        if exchange.session and (answer.events is not None or (is_older and answer.status < 300)):
            return
        exchange.conversation.silence(exchange.calls, why, at)
        if exchange.session and (answer.status == 404 or (exchange.method == b"DELETE" and answer.status < 300)):
            self._sessions.end(exchange.session, "the session ended before the answer", at)


class _Answer:
    """An answer that is being received."""

    def __init__(self, head: Head, state: ServerState) -> None:
        self._state = state
        self._lost: str | None = None  # why the rest of it is ignored
        self.status = head.status
        kind = (head.get(b"content-type") or "").partition(";")[0].strip().lower()
        self.events = EventReader(state.body_max) if kind == "text/event-stream" else None
        self._decoder = BodyDecoder(head.get(b"content-encoding"))
        self._body = bytearray()

    def take(self, data: bytes) -> list[bytes]:
        """Process part of the body, and return the events that it completes."""
        found: list[bytes] = []
        for piece in self._decoder.decode(data):
            if self._lost:
                break
            try:
                self._take(piece, found)
            except EventTooLongError:
                self._lose("an event")
        return found

    def _take(self, piece: bytes, found: list[bytes]) -> None:
        if self.events is not None:
            found += self.events.feed(piece)
            return
        self._body += piece
        if len(self._body) > self._state.body_max:
            self._lose("an answer")

    def _lose(self, what: str) -> None:
        self._lost = self._state.count_oversized(what)
        self._body.clear()

    def finish(self, conversation: Conversation, calls: list[str], at: float) -> str:
        """Process the end of the body, and return why calls that are still open have no answer."""
        body = bytes(self._body)
        if body and self.events is None:
            messages, _ = read_messages(body)
            if messages:
                conversation.from_server(body, at)
            for message in messages:
                conversation.answer_only(calls, message, at)
        if self._lost:
            return self._lost
        if not self._decoder.is_readable:
            return f"an answer in the encoding '{self._decoder.encoding}', which the recorder cannot read"
        if self.events is not None:
            return "the stream ended without an answer"
        return f"HTTP {self.status}: {body[:_SHOWN_MAX].decode('utf-8', 'replace').strip()}".rstrip(": ")
