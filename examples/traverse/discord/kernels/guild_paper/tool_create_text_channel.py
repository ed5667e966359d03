"""Making a text channel."""

from farm.appkit import Episode, Result, VendorError

from . import context


class CreateTextChannelRefused(VendorError):
    """{message}"""

    code = "create_text_channel_refused"


def create_text_channel(
    ep: Episode, *, server_id: str, name: str, category_id: str | None = None, topic: str | None = None
) -> Result:
    """Create a text channel; a fetched server knows no channels, so that none is put into a category.

    Raises:
        CreateTextChannelRefused: the server is not found, an id is no number, or the form is invalid.
    """
    guild, refusal = context.fetch_guild(ep, server_id)
    if refusal:
        raise CreateTextChannelRefused(message=refusal)
    if category_id is not None:
        refusal = context.parsed_id(category_id)[1]
        if refusal:
            raise CreateTextChannelRefused(message=refusal)
    channel, refusal = context.make_text_channel(ep, guild, name, topic)
    if refusal:
        raise CreateTextChannelRefused(message=refusal)
    return f"Created text channel #{channel['name']} (ID: {channel['channel_id']})"
