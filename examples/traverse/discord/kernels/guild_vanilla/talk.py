"""Messages and reactions."""

import re
from typing import Any

from farm.appkit import Episode, Result, Row

from . import errors, lookup


def send_message(ep: Episode, *, channel_id: str, content: str) -> Result:
    """Send a message to a channel.

    Raises:
        HttpFailed: the channel is unknown or forbidden, or the text is empty or too long.
        PythonFailed: the channel has no messages.
    """
    row = lookup.channel(ep, channel_id)
    lookup.require_messages(row, "send")
    if row["no_send"]:
        raise lookup.missing_permissions()
    if len(content) > 2000:
        raise lookup.invalid_form("content", "Must be 2000 or fewer in length.")
    if not content.strip():
        raise lookup.http("400 Bad Request", 50006, "Cannot send an empty message")
    if row["archived"]:
        if row["locked"]:
            raise lookup.http("400 Bad Request", 50083, "Thread is archived")
        ep.db.update("channels", {"channel_id": row["channel_id"]}, archived=0)
    message_id = lookup.new_snowflake(ep)
    ep.db.insert(
        "messages",
        message_id=message_id,
        channel_id=row["channel_id"],
        author="Helper#4821",
        content=content.strip(),
    )
    return f"Message sent successfully. Message ID: {message_id}"


def read_messages(ep: Episode, *, channel_id: str, limit: float | None = None) -> Result:
    """Read the recent messages of a channel, the newest first.

    Raises:
        HttpFailed: the channel is unknown or forbidden.
        PythonFailed: the channel has no messages.
    """
    row = lookup.channel(ep, channel_id)
    count = min(int(10 if limit is None else limit), 100)
    lookup.require_messages(row, "history")
    found = []
    if not row["no_history"]:
        found = ep.db.all("SELECT * FROM messages WHERE channel_id = ?", row["channel_id"])
        found = sorted(found, key=lambda one: -int(one["message_id"]))[:count]
    lines = []
    for one in found:
        shown = ", ".join(f"{name}({number})" for name, number in _counted(ep, one))
        moment = lookup.created_at(one["message_id"])
        lines.append(f"{one['author']} ({moment}): {one['content']}\nReactions: {shown or 'No reactions'}")
    return f"Retrieved {len(found)} messages:\n\n" + "\n".join(lines)


def add_reaction(ep: Episode, *, channel_id: str, message_id: str, emoji: str) -> Result:
    """React to a message.

    Raises:
        HttpFailed: something is unknown or forbidden.
        PythonFailed: the channel has no messages.
    """
    row = lookup.channel(ep, channel_id)
    _react(ep, row, lookup.message(ep, row, message_id), emoji)
    return f"Added reaction {emoji} to message"


def add_multiple_reactions(ep: Episode, *, channel_id: str, message_id: str, emojis: list[Any]) -> Result:
    """React to a message several times.

    Raises:
        HttpFailed: something is unknown or forbidden.
        PythonFailed: the channel has no messages.
    """
    row = lookup.channel(ep, channel_id)
    message = lookup.message(ep, row, message_id)
    for emoji in emojis:
        _react(ep, row, message, emoji)
    return f"Added reactions: {', '.join(emojis)} to message"


def remove_reaction(ep: Episode, *, channel_id: str, message_id: str, emoji: str) -> Result:
    """Take the bot's own reaction back.

    Raises:
        HttpFailed: something is unknown or forbidden.
        PythonFailed: the channel has no messages.
    """
    row = lookup.channel(ep, channel_id)
    message = lookup.message(ep, row, message_id)
    key = _emoji(ep, message, emoji)[0]
    if row["archived"]:
        raise lookup.http("400 Bad Request", 50083, "Thread is archived")
    ep.db.delete("reactions", message_id=message["message_id"], emoji_key=key, user_id=lookup.BOT_ID)
    return f"Removed reaction {emoji} from message"


def moderate_message(
    ep: Episode,
    *,
    channel_id: str,
    message_id: str,
    reason: str,
    timeout_minutes: float | None = None,
) -> Result:
    """Delete a message. The server gives discord.py a reason, which it does not take.

    Raises:
        HttpFailed: the channel or message is unknown or forbidden.
        PythonFailed: always, else.
    """
    row = lookup.channel(ep, channel_id)
    lookup.message(ep, row, message_id)
    raise errors.PythonFailed("PartialMessage.delete() got an unexpected keyword argument 'reason'")


def _counted(ep: Episode, message: Row) -> list[tuple[str, int]]:
    rows = ep.db.all("SELECT * FROM reactions WHERE message_id = ? ORDER BY row_id", message["message_id"])
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    for row in rows:
        names.setdefault(row["emoji_key"], row["shown"])
        counts[row["emoji_key"]] = counts.get(row["emoji_key"], 0) + 1
    return [(names[key], counts[key]) for key in names]


def _react(ep: Episode, row: Row, message: Row, emoji: str) -> None:
    key, shown = _emoji(ep, message, emoji)
    if row["no_send"]:
        raise lookup.missing_permissions()
    if row["archived"]:
        raise lookup.http("400 Bad Request", 50083, "Thread is archived")
    identifier = message["message_id"]
    own = ep.db.one(
        "SELECT * FROM reactions WHERE message_id = ? AND emoji_key = ? AND user_id = ?",
        identifier,
        key,
        lookup.BOT_ID,
    )
    if own is None:
        ep.db.insert(
            "reactions",
            row_id=ep.next_number("reactions", "row_id"),
            message_id=identifier,
            emoji_key=key,
            shown=shown,
            user_id=lookup.BOT_ID,
        )


def _emoji(ep: Episode, message: Row, emoji: str) -> tuple[str, str]:
    """Return the key of an emoji and what is shown of it, or refuse."""
    text = emoji.strip("<>")
    if not text:
        raise lookup.http("405 Method Not Allowed", 0, "405: Method Not Allowed")
    custom = re.fullmatch(r"(?:a:|:)?\w*:(\d+)", text)
    if custom is not None:
        key = custom.group(1)
        present = ep.db.one(
            "SELECT * FROM reactions WHERE message_id = ? AND emoji_key = ?", message["message_id"], key
        )
        if present is not None:
            return key, present["shown"]
        known = ep.db.one(
            "SELECT e.name FROM emojis e JOIN guilds g ON g.guild_id = e.guild_id"
            " WHERE e.emoji_id = ? AND g.bot_inside = 1",
            key,
        )
        if known is not None:
            return key, known["name"]
    else:
        sign = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
        joint = "\u200d\ufe0f\u20e3\U000e0020-\U000e007f"
        if re.fullmatch(f"[{sign}][{sign}{joint}]*|[0-9#*]\ufe0f?\u20e3", text):
            return text.replace("\ufe0f", ""), text
    raise lookup.http("400 Bad Request", 10014, "Unknown Emoji")
