"""What carries messages between a client and a real server, whatever the transport."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Any

from farm.errors import FarmError

# The first revision without a handshake: every request says what one needs to know.
MODERN = "2026-07-28"
_METHOD_NOT_FOUND = -32601
_TOOLS_CHANGED = "notifications/tools/list_changed"

Message = dict[str, Any]


class Gone(FarmError):
    """The server ended, or did not answer in time."""

    code = "server_gone"


class SessionExpired(Gone):
    """The server knows the session no more, and has done nothing."""

    code = "session_expired"


class NotTaken(Gone):
    """Nothing is posted at this URL: it may be one of the older transport's."""

    code = "not_taken"


class Wire(ABC):
    """Carries messages to one server and back.

    Attributes:
        noise: lines of the server's output that are no messages.
        pid: its process, where it was started for us.
        changes: how often the server has said that its tools are others now.
        hears: whether what it says between two answers comes at all.
    """

    noise = 0
    pid: int | None = None
    changes = 0
    hears = True

    def take_note(self, message: Message) -> None:
        """Take note of what the server says unasked, and of no answer."""
        self.changes += message.get("method") == _TOOLS_CHANGED

    @abstractmethod
    async def ask(self, message: Message) -> Message:
        """Send a request and return the answer of its id.

        Raises:
            Gone: there will be none.
        """

    @abstractmethod
    async def tell(self, message: Message) -> None:
        """Send a notification."""

    @abstractmethod
    async def close(self) -> None:
        """End the connection, and the server where it was started for us."""

    @abstractmethod
    def agree(self, protocol: str) -> None:
        """Speak this revision from here on."""


class StreamWire(Wire):
    """A wire on which answers come in any order, on one stream, and find their requests by id."""

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
        """Hand an answer to whoever waits for it; one that nobody waits for is dropped."""
        self.take_note(message)
        answer = self._waiting.get(message.get("id"))
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _give_up(self, gone: Gone) -> None:
        """Tell all who wait that there will be no answer."""
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(gone)


def refusal_of(message: Message) -> Message | None:
    """Return what is answered to a message of the server's own: it may ask for nothing; None where it asks nothing."""
    if "method" not in message or "id" not in message:
        return None
    error = {"code": _METHOD_NOT_FOUND, "message": "Method not found"}
    return {"jsonrpc": "2.0", "id": message["id"], "error": error}
