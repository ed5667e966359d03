"""Reacting to a message."""

from farm.appkit import Episode, Result, VendorError

from . import context


class AddReactionRefused(VendorError):
    """{message}"""

    code = "add_reaction_refused"


def add_reaction(ep: Episode, *, channel_id: str, message_id: str, emoji: str) -> Result:
    """Add a reaction of the bot to a message.

    Raises:
        AddReactionRefused: channel or message are not found, or an emoji is unknown.
    """
    channel, refusal = context.fetch_messageable(ep, channel_id, "fetch_message")
    if refusal:
        raise AddReactionRefused(message=refusal)
    message, refusal = context.fetch_message(ep, channel, message_id)
    if refusal:
        raise AddReactionRefused(message=refusal)
    refusal = context.react(ep, channel, message, emoji)
    if refusal:
        raise AddReactionRefused(message=refusal)
    return f"Added reaction {emoji} to message"
