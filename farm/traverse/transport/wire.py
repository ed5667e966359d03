"""The common interface of all transports between a client and a real server."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Any

from farm.errors import FarmError

# The first revision without a handshake: every request carries its data.
MODERN = "2026-07-28"
_METHOD_NOT_FOUND = -32601
_TOOLS_CHANGED = "notifications/tools/list_changed"

Message = dict[str, Any]


class ConnectionGoneError(FarmError):
    """The server ended, or did not answer in time."""

    code = "server_gone"


class SessionExpiredError(ConnectionGoneError):
    """The server no longer knows the session, and has not executed the request."""

    code = "session_expired"


class NotAcceptedError(ConnectionGoneError):
    """This URL does not accept POST: the server may use the older transport."""

    code = "not_taken"


class Wire(ABC):
    """Carries messages to one server and back.

    Attributes:
        noise: lines of the server's output that are not messages.
        pid: its process, if this program started it.
        changes: the number of tool list change notifications.
        hears: whether messages between two answers are received at all.
        received: bytes of all messages so far.
    """

    noise = 0
    pid: int | None = None
    changes = 0
    hears = True
    received = 0

    def take_note(self, message: Message) -> None:
        """Process a message that is not an answer."""
        self.changes += message.get("method") == _TOOLS_CHANGED

    @abstractmethod
    async def ask(self, message: Message) -> Message:
        """Send a request and return the answer with its id.

        Raises:
            ConnectionGoneError: there will be no answer.
        """

    @abstractmethod
    async def tell(self, message: Message) -> None:
        """Send a notification."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connection, and end the server if this program started it."""

    @abstractmethod
    def agree(self, protocol: str) -> None:
        """Use this revision from now on."""


class StreamWire(Wire):
    """A wire with one stream of answers in any order, which are matched to requests by id."""

    def __init__(self) -> None:
        self._waiting: dict[object, asyncio.Future[Message]] = {}

    async def ask(self, message: Message) -> Message:
        """Send a request and return its answer."""
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[message["id"]] = answer
        try:
            await self.tell(message)
            return await answer
        finally:
            self._waiting.pop(message["id"], None)

    def _answered(self, message: Message) -> None:
        """Deliver an answer to its request; an answer without a waiting request is dropped."""
        self.take_note(message)
        answer = self._waiting.get(message.get("id"))
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _give_up(self, gone: ConnectionGoneError) -> None:
        """Fail all waiting requests."""
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(gone)


def refusal_of(message: Message) -> Message | None:
    """Return the answer to a server's own message, which rejects any request; None if it is not a request."""
    if "method" not in message or "id" not in message:
        return None
    error = {"code": _METHOD_NOT_FOUND, "message": "Method not found"}
    return {"jsonrpc": "2.0", "id": message["id"], "error": error}
