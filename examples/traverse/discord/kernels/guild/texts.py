"""Messages and reactions."""

import re
from typing import Any

from farm.appkit import Episode, Result

from . import errors
from .lookup import (
    EPOCH_MS,
    draw,
    number,
    own_name,
    plain_emoji,
    require_channel,
    require_message,
    require_texts,
    snowflake_time,
)


def send_message(ep: Episode, *, channel_id: str, content: str) -> Result:
    """Send a message as the bot; it wakes an archived thread that is not locked."""
    channel = _channel(ep, channel_id)
    require_texts(channel, "send")
    if channel["kind"] == "readonly":
        raise errors.MissingPermissions()
    if channel["kind"] == "thread" and channel["topic"] == "locked":
        raise errors.PythonError(text="403 Forbidden (error code: 50083): Thread is archived")
    if len(content) > 2000:
        raise errors.InvalidForm(field="content", text="Must be 2000 or fewer in length.")
    text = content.strip()
    if not text:
        raise errors.EmptyMessage()
    message_id = str(((ep.now_ms - EPOCH_MS) << 22) + draw(ep, "message"))
    ep.db.insert(
        "messages", message_id=message_id, channel_id=channel["channel_id"], author=own_name(ep), content=text
    )
    if channel["kind"] == "thread":
        ep.db.update("channels", {"channel_id": channel["channel_id"]}, topic=None)
    return f"Message sent successfully. Message ID: {message_id}"


def read_messages(ep: Episode, *, channel_id: str, limit: float | None = None) -> Result:
    """Show the newest messages, newest first."""
    channel = _channel(ep, channel_id)
    require_texts(channel, "history")
    count = 10 if limit is None else min(int(limit), 100)
    if channel["kind"] == "no_history":
        count = 0
    rows = ep.db.all("SELECT * FROM messages WHERE channel_id = ?", channel["channel_id"])
    rows = sorted(rows, key=lambda row: int(row["message_id"]), reverse=True)[:count]
    shown = []
    for row in rows:
        reactions = ep.db.all("SELECT * FROM reactions WHERE message_id = ? ORDER BY row_id", row["message_id"])
        counts = ", ".join(f"{each['shown']}({each['by_people'] + each['by_bot']})" for each in reactions)
        shown.append(
            f"{row['author']} ({snowflake_time(row['message_id'])}): {row['content']}\n"
            f"Reactions: {counts or 'No reactions'}"
        )
    return f"Retrieved {len(shown)} messages:\n\n" + "\n".join(shown)


def add_reaction(ep: Episode, *, channel_id: str, message_id: str, emoji: str) -> Result:
    """React to a message."""
    message = _message(ep, channel_id, message_id)
    _react(ep, message, emoji)
    return f"Added reaction {emoji} to message"


def add_multiple_reactions(ep: Episode, *, channel_id: str, message_id: str, emojis: list[Any]) -> Result:
    """React to a message several times; those before a refused one stay."""
    message = _message(ep, channel_id, message_id)
    for emoji in emojis:
        _react(ep, message, emoji)
    return f"Added reactions: {', '.join(emojis)} to message"


def remove_reaction(ep: Episode, *, channel_id: str, message_id: str, emoji: str) -> Result:
    """Take the bot's own reaction back."""
    message = _message(ep, channel_id, message_id)
    key, _ = _emoji(ep, emoji)
    _require_awake(ep, message)
    row = _reaction(ep, message["message_id"], key)
    if row is not None and row["by_bot"]:
        if row["by_people"]:
            ep.db.update("reactions", {"row_id": row["row_id"]}, by_bot=0)
        else:
            ep.db.delete("reactions", row_id=row["row_id"])
    return f"Removed reaction {emoji} from message"


def moderate_message(
    ep: Episode,
    *,
    channel_id: str,
    message_id: str,
    reason: str,
    timeout_minutes: float | None = None,
) -> Result:
    """Fail to delete a message: the library's method takes no reason."""
    _message(ep, channel_id, message_id)
    raise errors.PythonError(text="PartialMessage.delete() got an unexpected keyword argument 'reason'")


def _bounded(text: str, field: str) -> None:
    if int(number(text)) > 9223372036854775807:
        raise errors.InvalidForm(
            field=field, text="snowflake value should be less than or equal to 9223372036854775807."
        )


def _channel(ep: Episode, channel_id: str) -> dict[str, Any]:
    _bounded(channel_id, "channel_id")
    return require_channel(ep, channel_id)


def _message(ep: Episode, channel_id: str, message_id: str) -> dict[str, Any]:
    channel = _channel(ep, channel_id)
    require_texts(channel, "fetch_message")
    _bounded(message_id, "message_id")
    if channel["kind"] == "no_history":
        raise errors.MissingAccess()
    return require_message(ep, channel_id, message_id)


def _require_awake(ep: Episode, message: dict[str, Any]) -> None:
    channel = ep.db.one("SELECT * FROM channels WHERE channel_id = ?", message["channel_id"])
    if channel is not None and channel["kind"] == "thread" and channel["topic"] is not None:
        raise errors.PythonError(text="400 Bad Request (error code: 50083): Thread is archived")


def _react(ep: Episode, message: dict[str, Any], emoji: str) -> None:
    message_id = message["message_id"]
    key, shown = _emoji(ep, emoji)
    _require_awake(ep, message)
    row = _reaction(ep, message_id, key)
    if row is not None:
        ep.db.update("reactions", {"row_id": row["row_id"]}, by_bot=1)
        return
    if ep.db.scalar("SELECT COUNT(*) FROM reactions WHERE message_id = ?", message_id) >= 20:
        raise errors.PythonError(text="403 Forbidden (error code: 30010): Maximum number of reactions reached (20)")
    ep.db.insert(
        "reactions",
        row_id=ep.next_number("reactions", "row_id"),
        message_id=message_id,
        emoji=key,
        shown=shown,
        by_people=0,
        by_bot=1,
    )


def _reaction(ep: Episode, message_id: str, key: str) -> dict[str, Any] | None:
    return ep.db.one("SELECT * FROM reactions WHERE message_id = ? AND emoji = ?", message_id, key)


def _emoji(ep: Episode, emoji: str) -> tuple[str, str]:
    text = emoji.strip("<>")
    if not text:
        raise errors.NoRoute()
    custom = re.fullmatch(r"(?:a?:)?\w+:([0-9]+)", text)
    if custom:
        row = ep.db.one("SELECT * FROM emojis WHERE emoji_id = ?", custom.group(1))
        if row is None:
            raise errors.UnknownEmoji()
        return row["emoji_id"], row["name"]
    full = plain_emoji(text)
    if full is None:
        raise errors.UnknownEmoji()
    return full, full
