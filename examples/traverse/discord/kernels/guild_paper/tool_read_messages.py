"""Reading the messages of a channel."""

from farm.appkit import Episode, Result, VendorError

from . import context


class ReadMessagesRefused(VendorError):
    """{message}"""

    code = "read_messages_refused"


def read_messages(ep: Episode, *, channel_id: str, limit: float | None = None) -> Result:
    """Show the newest messages of a channel with their reactions, the newest first.

    Raises:
        ReadMessagesRefused: the channel is not found or has no messages.
    """
    channel, refusal = context.fetch_messageable(ep, channel_id, "history")
    if refusal:
        raise ReadMessagesRefused(message=refusal)
    messages = context.history(ep, channel, min(10 if limit is None else int(limit), 100))
    shown = []
    for message in messages:
        reactions = [f"{row['emoji_name']}({row['total']})" for row in context.reactions_of(ep, message)]
        author = context.author_text(ep, message)
        shown.append(
            f"{author} ({context.created_at(message['message_id'])}): {message['content']}\n"
            f"Reactions: {', '.join(reactions) if reactions else 'No reactions'}"
        )
    return f"Retrieved {len(messages)} messages:\n\n" + "\n".join(shown)
