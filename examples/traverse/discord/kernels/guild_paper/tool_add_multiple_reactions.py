"""Reacting to a message several times."""

from typing import Any

from farm.appkit import Episode, Result, VendorError

from . import context


class AddMultipleReactionsRefused(VendorError):
    """{message}"""

    code = "add_multiple_reactions_refused"


def add_multiple_reactions(ep: Episode, *, channel_id: str, message_id: str, emojis: list[Any]) -> Result:
    """Add reactions of the bot to a message, one after the other.

    Raises:
        AddMultipleReactionsRefused: channel or message are not found, or an emoji is unknown.
    """
    channel, refusal = context.fetch_messageable(ep, channel_id, "fetch_message")
    if refusal:
        raise AddMultipleReactionsRefused(message=refusal)
    message, refusal = context.fetch_message(ep, channel, message_id)
    if refusal:
        raise AddMultipleReactionsRefused(message=refusal)
    for emoji in emojis:
        refusal = context.react(ep, channel, message, emoji)
        if refusal:
            raise AddMultipleReactionsRefused(message=refusal)
    return f"Added reactions: {', '.join(emojis)} to message"
