"""Deleting a channel."""

from farm.appkit import Episode, Result, VendorError

from . import context


class DeleteChannelRefused(VendorError):
    """{message}"""

    code = "delete_channel_refused"


def delete_channel(ep: Episode, *, channel_id: str, reason: str | None = None) -> Result:
    """Delete a channel with its messages.

    Raises:
        DeleteChannelRefused: the id is no number or no channel's.
    """
    channel, refusal = context.fetch_channel(ep, channel_id)
    if refusal:
        raise DeleteChannelRefused(message=refusal)
    context.remove_channel(ep, channel)
    return "Deleted channel successfully"
