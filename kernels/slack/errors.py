"""Slack's error codes. The Web API sends no message beside the code; the docstrings say when each one comes."""

from __future__ import annotations

from farm.appkit import Answer, VendorError

MISSING_CHARSET = {"warning": "missing_charset", "response_metadata": {"warnings": ["missing_charset"]}}


class SlackError(VendorError):
    """A refusal of the Web API. ``post=True`` when the method is a POST, whose answers all carry a warning."""


class ChannelNotFound(SlackError):
    """The id is unknown or malformed, or names a private conversation the caller is not in."""

    code = "channel_not_found"


class NotInChannel(SlackError):
    """The channel is visible, but the caller is not a member."""

    code = "not_in_channel"


class IsArchived(SlackError):
    """The channel is archived and takes no messages or reactions any more."""

    code = "is_archived"


class NoText(SlackError):
    """The message has no text."""

    code = "no_text"


class InvalidThreadTs(SlackError):
    """The thread's ts, ``ts``, is not of the form seconds, dot, digits."""

    code = "invalid_thread_ts"


class ThreadNotFound(SlackError):
    """No message of the channel has this ts."""

    code = "thread_not_found"


class BadTimestamp(SlackError):
    """The timestamp is not of the form seconds, dot, six digits."""

    code = "bad_timestamp"


class NoItemSpecified(SlackError):
    """The timestamp is empty."""

    code = "no_item_specified"


class MessageNotFound(SlackError):
    """No message of the channel has this timestamp."""

    code = "message_not_found"


class InvalidName(SlackError):
    """There is no emoji of this name, or it was given with colons."""

    code = "invalid_name"


class AlreadyReacted(SlackError):
    """The caller has put this emoji on this message before."""

    code = "already_reacted"


class NotReactable(SlackError):
    """Messages of this kind take no reactions."""

    code = "not_reactable"


class TooManyEmoji(SlackError):
    """The message carries as many different emoji as one may."""

    code = "too_many_emoji"


class TooManyReactions(SlackError):
    """The caller has put as many emoji on this message as one may."""

    code = "too_many_reactions"


class InvalidCursor(SlackError):
    """The cursor is not one that a page ended with."""

    code = "invalid_cursor"


class InvalidLimit(SlackError):
    """The limit is not a whole number in the allowed range."""

    code = "invalid_limit"


class UserNotFound(SlackError):
    """No user of the workspace has this id."""

    code = "user_not_found"


def answer(tool: str, error: VendorError) -> Answer:
    """Return what Slack says: an ordinary body with ``ok: false``."""
    body: dict[str, object] = {"ok": False, "error": error.code}
    if error.details.get("post"):
        body.update(MISSING_CHARSET)
    if isinstance(error, InvalidThreadTs):
        told = [f"[ERROR] {error.details['ts']} is not a valid thread_ts"]
        body["response_metadata"] = {"messages": told, "warnings": ["missing_charset"]}
    return Answer(body)
