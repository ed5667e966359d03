"""Refusals: Discord's codes as discord.py words them, and what Python says where nobody looked at an argument.

Discord's have its code, message and HTTP status; (inferred) marks what nobody recorded.
"""

from __future__ import annotations

from typing import ClassVar

from farm.appkit import VendorError

_REASONS = {400: "Bad Request", 403: "Forbidden", 404: "Not Found"}


ClientNotReady = VendorError.define("not_ready", "Discord client not ready")


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


NotFound = DiscordError.define(0, "404: Not Found", status=404)
UnknownChannel = DiscordError.define(10003, "Unknown Channel", status=404)
UnknownGuild = DiscordError.define(10004, "Unknown Guild", status=404)
UnknownMember = DiscordError.define(10007, "Unknown Member", status=404)
UnknownMessage = DiscordError.define(10008, "Unknown Message", status=404)
UnknownRole = DiscordError.define(10011, "Unknown Role", status=404)
UnknownUser = DiscordError.define(10013, "Unknown User", status=404)
UnknownEmoji = DiscordError.define(10014, "Unknown Emoji", status=400)
TooManyReactions = DiscordError.define(30010, "Maximum number of reactions reached (20)", status=403)
TooManyChannels = DiscordError.define(30013, "Maximum number of server channels reached (500)", status=400)
MissingAccess = DiscordError.define(50001, "Missing Access", status=403)
EmptyMessage = DiscordError.define(50006, "Cannot send an empty message", status=400)
MissingPermissions = DiscordError.define(50013, "Missing Permissions", status=403)
InvalidFormBody = DiscordError.define(50035, "Invalid Form Body", status=400)
RequiredForCommunity = DiscordError.define(50074, "Cannot delete a channel required for Community guilds", status=400)


class ThreadArchived(DiscordError):
    """Thread is archived"""

    code, status = 50083, 400


class ThreadClosed(ThreadArchived):
    """Thread is archived"""

    status = 403


ThreadLocked = DiscordError.define(160005, "Thread is locked", status=403)  # (inferred)
