"""Convert the messages between a client and a server into calls of a recording."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from farm._util.bounded_json import OversizedError, parse_bounded
from farm.traverse.recordings.calls import Request, result_of
from farm.traverse.recordings.recording import SEED_MEANING, Begun, Recording
from farm.traverse.transport.bounds import BODY_BYTES_MAX, format_size, values_max

_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
_TELLING = ("initialize", "server/discover", "tools/list")

Message = dict[str, Any]
ListedCallback = Callable[[Mapping[str, Any], list[Any]], None]


@dataclass
class PendingTrace:
    """A trace that is created with its first call: a connection without calls leaves none."""

    number: int | None = None


@dataclass
class ServerState:
    """The state shared by all conversations with one server.

    Attributes:
        hello: the server's description of itself, from revisions with or without a handshake.
        on_listed: is called with the description and the tools each time a client has read the whole list.
        calls: the number of recorded calls.
        noise: lines of the server that are not messages.
        unnamed_calls: calls without a tool's name, which cannot be recorded.
        too_long: messages of more than ``body_max`` bytes, which are not recorded.
    """

    recording: Recording
    on_listed: ListedCallback
    hello: dict[str, Any] = field(default_factory=dict)
    calls: int = 0
    noise: int = 0
    unnamed_calls: int = 0
    too_long: int = 0
    body_max: int = BODY_BYTES_MAX

    def count_oversized(self, what: str) -> str:
        """Count a message that is too long, and return why it is not recorded."""
        self.too_long += 1
        return f"{what} of over {format_size(self.body_max)}, which is not recorded; --body-max records more"

    def store_hello(self, result: Mapping[str, Any]) -> None:
        """Store the server's description of itself from a result."""
        meta = result.get("_meta")
        who = result.get("serverInfo") or (meta.get(_SERVER_INFO) if isinstance(meta, dict) else None)
        if isinstance(who, dict):
            kept = ("protocolVersion", "supportedVersions", "capabilities", "instructions")
            self.hello |= {key: result[key] for key in kept if key in result} | {"serverInfo": who}

    @property
    def identity(self) -> tuple[str | None, str | None]:
        """The server's name and version, as far as they are known."""
        who = self.hello.get("serverInfo", {})
        return _text(who.get("name")), _text(who.get("version"))


class Conversation:
    """The messages of one client; ids belong to this client only."""

    def __init__(self, state: ServerState, trace: PendingTrace) -> None:
        self._state = state
        self._trace = trace
        self._calls: dict[str, Begun] = {}
        self._replaced: set[str] = set()  # calls whose bytes were not valid UTF-8
        self._asked: dict[str, tuple[str, Any]] = {}
        self._pages: list[Any] = []

    def from_client(self, raw: bytes, at: float) -> list[str]:
        """Process bytes from the client, and return the ids of the calls in them."""
        messages, is_whole = read_messages(raw)
        begun = []
        for message in messages:
            method, params = message.get("method"), message.get("params")
            if method == "notifications/cancelled" and isinstance(params, dict):
                self.silence([_key(params.get("requestId"))], "cancelled by the client", at)
            elif "id" in message and method == "tools/call":
                if self._begin(message, params, at, is_whole):
                    begun.append(_key(message["id"]))
            elif "id" in message and method in _TELLING:
                self._asked[_key(message["id"])] = method, params
        return begun

    def from_server(self, raw: bytes, at: float) -> None:
        """Process bytes from the server."""
        messages, _ = read_messages(raw)
        if not messages and raw.strip():
            self._state.noise += 1
        for message in messages:
            if "method" not in message and ("result" in message or "error" in message):
                self._answered(message, at)

    def silence(self, ids: list[str], why: str, at: float) -> None:
        """Record that calls without an answer will get none, and why."""
        for each in ids:
            if each in self._calls:
                self._end(each, {"silence": why}, at)

    def answer_only(self, ids: list[str], message: Message, at: float) -> bool:
        """Assign an error without an id to the only open call: servers reject a whole HTTP request like that."""
        open_calls = [each for each in ids if each in self._calls]
        if len(open_calls) != 1 or message.get("id") is not None or "error" not in message:
            return False
        self._end(open_calls[0], result_of(message), at)
        return True

    def lose(self, why: str, at: float) -> None:
        """Record why the only open call has no answer; with several open calls, the affected one is unknown."""
        if len(self._calls) == 1:
            self.end(why, at)

    def end(self, why: str, at: float) -> None:
        """Record that all open calls have no answer."""
        self.silence(list(self._calls), why, at)

    def _begin(self, message: Message, params: Any, at: float, is_whole: bool) -> bool:
        if not isinstance(params, dict) or not isinstance(params.get("name"), str):
            self._state.unnamed_calls += 1
            return False
        key = _key(message["id"])
        self.silence([key], "its id was given to another call", at)
        if self._trace.number is None:
            self._trace.number = self._state.recording.begin_trace(*self._state.identity)
        request = Request(params["name"], params.get("arguments", {}), "arguments" not in params)
        trace, recording = self._trace.number, self._state.recording
        sent = datetime.now(UTC) - timedelta(seconds=time.monotonic() - at)
        self._calls[key] = Begun(trace, recording.next_step(trace), request, SEED_MEANING, sent, at)
        recording.note(self._calls[key])
        if not is_whole:
            self._replaced.add(key)
        return True

    def _answered(self, message: Message, at: float) -> None:
        key = _key(message.get("id"))
        result = message.get("result")
        if isinstance(result, dict):
            self._state.store_hello(result)
        if key in self._calls:
            self._end(key, result_of(message), at, result)
        elif key in self._asked:
            method, params = self._asked.pop(key)
            if method == "tools/list" and isinstance(result, dict) and isinstance(result.get("tools"), list):
                self._list(params, result)

    def _list(self, params: Any, result: Mapping[str, Any]) -> None:
        if not (isinstance(params, dict) and params.get("cursor")):
            self._pages = []
        self._pages += result["tools"]
        if not result.get("nextCursor"):
            self._state.on_listed(self._state.hello, self._pages)

    def _end(self, key: str, result: dict[str, Any], at: float, said: Any = None) -> None:
        begun = self._calls.pop(key)
        more: dict[str, Any] = {}
        if "silence" in result and said is not None:
            more["said"] = said
        if key in self._replaced:
            self._replaced.discard(key)
            more["bytes_replaced"] = True
        recording = self._state.recording
        recording.name(begun.trace, *self._state.identity)
        recording.end(begun, result, elapsed_ms=(at - begun.started) * 1000, **more)
        self._state.calls += 1


def read_messages(raw: bytes) -> tuple[list[Message], bool]:
    """Return the messages in a line or body, and whether all its bytes were valid text."""
    is_whole = True
    try:
        raw.decode()
    except UnicodeDecodeError:
        raw, is_whole = raw.decode(errors="replace").encode(), False
    try:
        said = parse_bounded(raw, values_max=values_max(len(raw)))
    except (ValueError, OversizedError):
        return [], is_whole
    batch = said if isinstance(said, list) else [said]
    return [each for each in batch if isinstance(each, dict)], is_whole


def _key(request_id: Any) -> str:
    return json.dumps(request_id)  # 1 and "1" are different ids


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
