"""Refusals. None is an error to MCP: each is a sentence like any other.

``Said`` is a sentence of the server's own. Whatever else goes wrong is one sentence with a code made of the tool's
name, whichever ``Failed`` was raised; ``code`` is what Telegram calls it, and the docstring what Telethon says of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import ClassVar

from farm.appkit import Answer, VendorError

_CATEGORIES = ("CHAT", "MSG", "CONTACT", "GROUP", "MEDIA", "PROFILE", "AUTH", "ADMIN")
_WORD = 0xFFFFFFFFFFFFFFFF


ToolMessage = VendorError.define("said", "The server says so itself.")


class Failed(VendorError):
    """Something went wrong."""

    code: ClassVar[str] = "FAILED"


def refuse(tool: str, error: VendorError) -> Answer:
    """Return the answer to a refused call."""
    if isinstance(error, ContactUnclearError):
        return Answer(error.message)
    if isinstance(error, Failed):
        return Answer(f"An error occurred (code: {error_code(tool)}). Check mcp_errors.log for details.")
    return Answer(error.message)


def error_code(tool: str) -> str:
    """Return the code of a tool: a category that its name holds, and three digits of the hash of that name.

    Python draws the key of its hashes when it starts; this is the one of ``PYTHONHASHSEED=0``, which is all zeros.
    """
    # Tools of folders name their category themselves, and no other tool has the word in its name.
    category = next((each for each in ("FOLDER", *_CATEGORIES) if each.lower() in tool), "GEN")
    number = _siphash(tool.encode())
    number = number - (1 << 64) if number >> 63 else number
    return f"{category}-ERR-{abs(number) % 1000:03d}"


def _siphash(data: bytes) -> int:
    """Return SipHash-1-3 under a key of zeros, as Python hashes texts since 3.11."""
    state = [0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573]
    whole = len(data) // 8 * 8
    words = [int.from_bytes(data[at : at + 8], "little") for at in range(0, whole, 8)]
    words.append(int.from_bytes(data[whole:], "little") | (len(data) & 0xFF) << 56)
    for word in words:
        state[3] ^= word
        _round(state)
        state[0] ^= word
    state[2] ^= 0xFF
    for _ in range(3):
        _round(state)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def _round(state: list[int]) -> None:
    for a, b, left, turned in ((0, 1, 13, True), (2, 3, 16, False), (0, 3, 21, False), (2, 1, 17, True)):
        state[a] = (state[a] + state[b]) & _WORD
        state[b] = _turn(state[b], left) ^ state[a]
        if turned:
            state[a] = _turn(state[a], 32)


def _turn(word: int, left: int) -> int:
    return (word << left | word >> 64 - left) & _WORD


class NotFound(Failed):
    """Telethon's session knows no such peer, and Telegram has no such name.

    Attributes:
        is_value_error: Telethon says so itself; of a group's number Telegram does.
    """

    code = "NOT_FOUND"

    def __init__(self, message: str = "", *, is_value_error: bool = True) -> None:
        super().__init__(message)
        self.is_value_error = is_value_error


class ContactUnclearError(Failed):
    """A name that the user gave somebody is not saved, or leads nowhere any more; the message asks who is meant."""

    code = "CONTACT_UNCLEAR"


Why = Callable[[object, NotFound], str | None]


def unresolved(given: object, problem: NotFound, kind: str = "entity") -> str | None:
    """Return what the server says of an id that nobody has, or None where Telegram refuses it.

    A positive number is tried as a group's at last, of which Telethon knows nothing and Telegram says that it is none.
    """
    if not problem.is_value_error or (isinstance(given, int) and given > 0):
        return None
    return f"Could not resolve {kind} for {given!r}, including marked variants []"


def said_by_telethon(given: object, problem: NotFound) -> str | None:
    """Return what the server of December 2025 said of an id that nobody has: Telethon's own words."""
    return problem.message if problem.is_value_error else None


NotConnected = Failed.define("NOT_CONNECTED", "Cannot send requests while disconnected")
NotFitting = Failed.define("NOT_FITTING", "Telethon cannot make of a peer, a file or a number what the request wants.")
ChannelPrivate = Failed.define("CHANNEL_PRIVATE", "It is private, or keeps this account out.")
InviteHashEmpty = Failed.define("INVITE_HASH_EMPTY", "The invite hash is empty")
InviteHashExpired = Failed.define(
    "INVITE_HASH_EXPIRED", "The chat the user tried to join has expired and is not valid anymore"
)
InviteHashInvalid = Failed.define("INVITE_HASH_INVALID", "The invite hash is invalid")
InviteRequestSent = Failed.define("INVITE_REQUEST_SENT", "You have successfully requested to join this chat or channel")


class Refused(Failed):
    """Telegram refuses with a name of its own that no tool shows."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@contextmanager
def reworded(**sentences: str) -> Iterator[None]:
    """Raise the server's own sentence for what Telegram refuses under one of these names."""
    try:
        yield
    except Refused as problem:
        if problem.name in sentences:
            raise ToolMessage(sentences[problem.name]) from None
        raise


def only_admins(sentence: str) -> AbstractContextManager[None]:
    """Raise a sentence where Telegram says that only admins may do it."""
    return reworded(CHAT_ADMIN_REQUIRED=sentence)
