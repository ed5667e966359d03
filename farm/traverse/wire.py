"""What carries messages between a client and a real server, whatever the transport."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from farm.errors import FarmError

# The first revision without a handshake: every request says what one needs to know.
MODERN = "2026-07-28"
_METHOD_NOT_FOUND = -32601

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
    """

    noise = 0
    pid: int | None = None

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


def refusal_of(message: Message) -> Message | None:
    """Return what is answered to a message of the server's own: it may ask for nothing; None where it asks nothing."""
    if "method" not in message or "id" not in message:
        return None
    error = {"code": _METHOD_NOT_FOUND, "message": "Method not found"}
    return {"jsonrpc": "2.0", "id": message["id"], "error": error}
