"""Sending a message."""

from farm.appkit import Episode, Result, VendorError

from . import context


class SendMessageRefused(VendorError):
    """{message}"""

    code = "send_message_refused"


def send_message(ep: Episode, *, channel_id: str, content: str) -> Result:
    """Send a message to a channel as the bot.

    Raises:
        SendMessageRefused: the channel is not found or has no messages, or the content is refused.
    """
    channel, refusal = context.fetch_messageable(ep, channel_id, "send")
    if refusal:
        raise SendMessageRefused(message=refusal)
    message, refusal = context.post_message(ep, channel, content)
    if refusal:
        raise SendMessageRefused(message=refusal)
    return f"Message sent successfully. Message ID: {message['message_id']}"
