"""Refusals: Discord's codes as discord.py words them, and what Python says where nobody looked at an argument.

Discord's class is its code and the docstring its message; (inferred) marks what nobody recorded.
"""

from __future__ import annotations

from typing import ClassVar

from farm.appkit import VendorError

_REASONS = {400: "Bad Request", 403: "Forbidden", 404: "Not Found"}


class ClientNotReady(VendorError):
    """Discord client not ready"""

    code = "not_ready"


class PythonError(VendorError):
    """An exception that the server's own code does not catch; its text is the answer."""

    code = "python"


class KeyMissing(PythonError):
    """An argument that the code reads is not there."""

    def __init__(self, name: str) -> None:
        super().__init__(repr(name))


class NoSuchAttribute(PythonError):
    """A kind of channel cannot do what was asked of it."""

    def __init__(self, class_name: str, attribute: str) -> None:
        super().__init__(f"'{class_name}' object has no attribute '{attribute}'")


class DiscordError(VendorError):
    """Discord refuses."""

    code: ClassVar[int]
    status: ClassVar[int]

    def __init__(self, **wrong: str) -> None:
        said = "\n".join([(type(self).__doc__ or "").strip(), *(f"In {key}: {text}" for key, text in wrong.items())])
        super().__init__(f"{self.status} {_REASONS[self.status]} (error code: {self.code}): {said}", **wrong)


class NotFound(DiscordError):
    """404: Not Found"""

    code, status = 0, 404


class UnknownChannel(DiscordError):
    """Unknown Channel"""

    code, status = 10003, 404


class UnknownGuild(DiscordError):
    """Unknown Guild"""

    code, status = 10004, 404


class UnknownMember(DiscordError):
    """Unknown Member"""

    code, status = 10007, 404


class UnknownMessage(DiscordError):
    """Unknown Message"""

    code, status = 10008, 404


class UnknownRole(DiscordError):
    """Unknown Role"""

    code, status = 10011, 404


class UnknownUser(DiscordError):
    """Unknown User"""

    code, status = 10013, 404


class UnknownEmoji(DiscordError):
    """Unknown Emoji"""

    code, status = 10014, 400


class TooManyReactions(DiscordError):
    """Maximum number of reactions reached (20)"""

    code, status = 30010, 403


class TooManyChannels(DiscordError):
    """Maximum number of server channels reached (500)"""

    code, status = 30013, 400


class MissingAccess(DiscordError):
    """Missing Access"""

    code, status = 50001, 403


class EmptyMessage(DiscordError):
    """Cannot send an empty message"""

    code, status = 50006, 400


class MissingPermissions(DiscordError):
    """Missing Permissions"""

    code, status = 50013, 403


class InvalidFormBody(DiscordError):
    """Invalid Form Body"""

    code, status = 50035, 400


class RequiredForCommunity(DiscordError):
    """Cannot delete a channel required for Community guilds"""

    code, status = 50074, 400


class ThreadArchived(DiscordError):
    """Thread is archived"""

    code, status = 50083, 400


class ThreadClosed(ThreadArchived):
    """Thread is archived"""

    status = 403


class ThreadLocked(DiscordError):  # (inferred)
    """Thread is locked"""

    code, status = 160005, 403
