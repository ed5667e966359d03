"""Slack's error codes. The Web API sends no message beside the code; the docstrings say when each one comes."""

from __future__ import annotations

from farm.appkit import Answer, VendorError

MISSING_CHARSET = {"warning": "missing_charset", "response_metadata": {"warnings": ["missing_charset"]}}


class SlackError(VendorError):
    """A refusal of the Web API. ``post=True`` when the method is a POST, whose answers all carry a warning."""


class FetchFailed(VendorError):
    """fetch failed"""

    code = "fetch_failed"


ChannelNotFound = SlackError.define(
    "channel_not_found", "The id is unknown or malformed, or names a private conversation the caller is not in."
)
NotInChannel = SlackError.define("not_in_channel", "The channel is visible, but the caller is not a member.")
IsArchived = SlackError.define("is_archived", "The channel is archived and takes no messages or reactions any more.")
NoText = SlackError.define("no_text", "The message has no text.")
InvalidThreadTs = SlackError.define(
    "invalid_thread_ts", "The thread's ts, ``ts``, is not of the form seconds, dot, digits."
)
ThreadNotFound = SlackError.define("thread_not_found", "No message of the channel has this ts.")
BadTimestamp = SlackError.define("bad_timestamp", "The timestamp is not of the form seconds, dot, six digits.")
NoItemSpecified = SlackError.define("no_item_specified", "The timestamp is empty.")
MessageNotFound = SlackError.define("message_not_found", "No message of the channel has this timestamp.")
InvalidName = SlackError.define("invalid_name", "There is no emoji of this name, or it was given with colons.")
AlreadyReacted = SlackError.define("already_reacted", "The caller has put this emoji on this message before.")
NotReactable = SlackError.define("not_reactable", "Messages of this kind take no reactions.")
TooManyEmoji = SlackError.define("too_many_emoji", "The message carries as many different emoji as one may.")
TooManyReactions = SlackError.define(
    "too_many_reactions", "The caller has put as many emoji on this message as one may."
)
InvalidCursor = SlackError.define("invalid_cursor", "The cursor is not one that a page ended with.")
InvalidLimit = SlackError.define("invalid_limit", "The limit is not a whole number in the allowed range.")
UserNotFound = SlackError.define("user_not_found", "No user of the workspace has this id.")


def answer(tool: str, error: VendorError) -> Answer:
    """Return what Slack says: an ordinary body with ``ok: false``."""
    if isinstance(error, FetchFailed):
        # An exception in the server itself, which its SDK turns into a text.
        return Answer(error.message, is_error=True)
    body: dict[str, object] = {"ok": False, "error": error.code}
    if error.details.get("post"):
        body.update(MISSING_CHARSET)
    if isinstance(error, InvalidThreadTs):
        told = [f"[ERROR] {error.details['ts']} is not a valid thread_ts"]
        body["response_metadata"] = {"messages": told, "warnings": ["missing_charset"]}
    return Answer(body)
