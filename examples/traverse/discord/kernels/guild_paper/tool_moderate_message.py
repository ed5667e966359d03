"""Moderating a message."""

from farm.appkit import Episode, Result, VendorError

from . import context


class ModerateMessageRefused(VendorError):
    """{message}"""

    code = "moderate_message_refused"


def moderate_message(
    ep: Episode, *, channel_id: str, message_id: str, reason: str, timeout_minutes: float | None = None
) -> Result:
    """Fetch a message and fail to delete it, as the library's delete takes no reason.

    Raises:
        ModerateMessageRefused: channel or message are not found, or the message was to be deleted.
    """
    channel, refusal = context.fetch_messageable(ep, channel_id, "fetch_message")
    if refusal:
        raise ModerateMessageRefused(message=refusal)
    refusal = context.fetch_message(ep, channel, message_id)[1]
    if refusal:
        raise ModerateMessageRefused(message=refusal)
    raise ModerateMessageRefused(message="PartialMessage.delete() got an unexpected keyword argument 'reason'")
