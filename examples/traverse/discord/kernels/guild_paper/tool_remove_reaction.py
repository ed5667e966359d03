"""Taking back a reaction."""

from farm.appkit import Episode, Result, VendorError

from . import context


class RemoveReactionRefused(VendorError):
    """{message}"""

    code = "remove_reaction_refused"


def remove_reaction(ep: Episode, *, channel_id: str, message_id: str, emoji: str) -> Result:
    """Remove the bot's reaction from a message.

    Raises:
        RemoveReactionRefused: channel or message are not found, or an emoji is unknown.
    """
    channel, refusal = context.fetch_messageable(ep, channel_id, "fetch_message")
    if refusal:
        raise RemoveReactionRefused(message=refusal)
    message, refusal = context.fetch_message(ep, channel, message_id)
    if refusal:
        raise RemoveReactionRefused(message=refusal)
    refusal = context.unreact(ep, channel, message, emoji)
    if refusal:
        raise RemoveReactionRefused(message=refusal)
    return f"Removed reaction {emoji} from message"
