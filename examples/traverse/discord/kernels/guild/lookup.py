"""Finding what a call names."""

from datetime import datetime, timedelta, timezone
from typing import Any

from farm.appkit import Episode

from . import errors

EPOCH_MS = 1420070400000


def number(text: str) -> str:
    """Return the id that Python's int() reads, as text.

    Raises:
        PythonError: int() cannot read it.
    """
    try:
        return str(int(text))
    except ValueError as error:
        raise errors.PythonError(text=str(error)) from None


def snowflake(text: str, field: str) -> str:
    """Return the id that stands in a request's path, as text.

    Raises:
        InvalidForm: it is negative.
    """
    identifier = number(text)
    if identifier.startswith("-"):
        raise errors.InvalidForm(field=field, text="snowflake value should be greater than or equal to 0.")
    return identifier


def snowflake_time(identifier: str) -> str:
    """Return the moment in an id as isoformat() prints it."""
    moment = datetime(2015, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=int(identifier) >> 22)
    return moment.isoformat()


def require_guild(ep: Episode, server_id: str) -> dict[str, Any]:
    """Return a guild's row, or refuse."""
    row = ep.db.one("SELECT * FROM guilds WHERE guild_id = ?", snowflake(server_id, "guild_id"))
    if row is None:
        raise errors.UnknownGuild()
    return row


def require_channel(ep: Episode, channel_id: str) -> dict[str, Any]:
    """Return a channel's row, or refuse."""
    row = ep.db.one("SELECT * FROM channels WHERE channel_id = ?", snowflake(channel_id, "channel_id"))
    if row is None:
        raise errors.UnknownChannel()
    if row["kind"] == "hidden":
        raise errors.MissingAccess()
    return row


CLASSES = {"category": "CategoryChannel", "forum": "ForumChannel", "dm": "DMChannel"}


def require_texts(channel: dict[str, Any], attribute: str) -> None:
    """Refuse, as Python does, what a channel of this kind cannot do."""
    if channel["kind"] in ("category", "forum"):
        name = CLASSES[channel["kind"]]
        raise errors.PythonError(text=f"'{name}' object has no attribute '{attribute}'")


def require_message(ep: Episode, channel_id: str, message_id: str) -> dict[str, Any]:
    """Return a message's row, or refuse."""
    channel = require_channel(ep, channel_id)
    require_texts(channel, "fetch_message")
    row = ep.db.one(
        "SELECT * FROM messages WHERE message_id = ? AND channel_id = ?",
        snowflake(message_id, "message_id"),
        channel["channel_id"],
    )
    if row is None:
        raise errors.UnknownMessage()
    return row


def draw(ep: Episode, purpose: str) -> int:
    """Count one more new message or channel."""
    drawn_id = ep.next_number("drawn", "drawn_id")
    ep.db.insert("drawn", drawn_id=drawn_id, purpose=purpose)
    return drawn_id


def own_name(ep: Episode) -> str:
    """Return the bot's name as its messages show it."""
    row = ep.db.one("SELECT * FROM users WHERE bot = 1 ORDER BY user_id LIMIT 1")
    if row is None:
        return "Helper#4821"
    if row["discriminator"] == "0":
        return row["name"]
    return f"{row['name']}#{row['discriminator']}"


SINGLES = frozenset(
    "©®‼⁉™ℹ↩↪⌨⏏Ⓜ▪▫▶◀☎☑☘☝☠☢☣☦☪☮☯♀♂♟♠♣♥♦♨♻♾⚙⚛⚜⚠⚧⚰⚱⛈⛏⛑⛓⛩✂✈✉✌✍✏✒✔✖✝✡✳✴❄❇❣❤➡⤴⤵⬅⬆⬇〰〽㊗㊙"
    "↔↕↖↗↘↙⏭⏮⏯⏱⏲⏸⏹⏺◻◼☀☁☂☃☄☸☹☺⚒⚔⚕⚖⚗⛰⛱⛴⛷⛸⛹"
)
SHOWN = frozenset(
    "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕"
)
HIGH_TEXT = (
    (0x1F170, 0x1F171), (0x1F17E, 0x1F17F), (0x1F202, 0x1F202), (0x1F237, 0x1F237), (0x1F321, 0x1F321),
    (0x1F324, 0x1F32C), (0x1F336, 0x1F336), (0x1F37D, 0x1F37D), (0x1F396, 0x1F397), (0x1F399, 0x1F39B),
    (0x1F39E, 0x1F39F), (0x1F3CB, 0x1F3CE), (0x1F3D4, 0x1F3DF), (0x1F3F3, 0x1F3F3), (0x1F3F5, 0x1F3F5),
    (0x1F3F7, 0x1F3F7), (0x1F43F, 0x1F43F), (0x1F441, 0x1F441), (0x1F4FD, 0x1F4FD), (0x1F549, 0x1F54A),
    (0x1F56F, 0x1F570), (0x1F573, 0x1F579), (0x1F587, 0x1F587), (0x1F58A, 0x1F58D), (0x1F590, 0x1F590),
    (0x1F5A5, 0x1F5A5), (0x1F5A8, 0x1F5A8), (0x1F5B1, 0x1F5B2), (0x1F5BC, 0x1F5BC), (0x1F5C2, 0x1F5C4),
    (0x1F5D1, 0x1F5D3), (0x1F5DC, 0x1F5DE), (0x1F5E1, 0x1F5E1), (0x1F5E3, 0x1F5E3), (0x1F5E8, 0x1F5E8),
    (0x1F5EF, 0x1F5EF), (0x1F5F3, 0x1F5F3), (0x1F5FA, 0x1F5FA), (0x1F6CB, 0x1F6CB), (0x1F6CD, 0x1F6CF),
    (0x1F6E0, 0x1F6E5), (0x1F6E9, 0x1F6E9), (0x1F6F0, 0x1F6F0), (0x1F6F3, 0x1F6F3),
)
HIGH_SHOWN = (
    (0x1F004, 0x1F004), (0x1F0CF, 0x1F0CF), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A), (0x1F201, 0x1F201),
    (0x1F21A, 0x1F21A), (0x1F22F, 0x1F22F), (0x1F232, 0x1F23A), (0x1F250, 0x1F251), (0x1F300, 0x1F53D),
    (0x1F54B, 0x1F567), (0x1F57A, 0x1F57A), (0x1F595, 0x1F596), (0x1F5A4, 0x1F5A4), (0x1F5FB, 0x1F64F),
    (0x1F680, 0x1F6FC), (0x1F7E0, 0x1F7EB), (0x1F7F0, 0x1F7F0), (0x1F90C, 0x1F9FF), (0x1FA70, 0x1FAF8),
)


def plain_emoji(text: str) -> str | None:
    """Return a Unicode emoji in its full form, or None for any other text."""
    if len(text) in (2, 3) and text[0] in "0123456789#*" and text[1:] in ("\u20e3", "\ufe0f\u20e3"):
        return f"{text[0]}\ufe0f\u20e3"
    if len(text) == 2 and all(0x1F1E6 <= ord(char) <= 0x1F1FF for char in text):
        return text
    parts = [_part(part) for part in text.split("\u200d")]
    if any(part is None for part in parts):
        return None
    return "\u200d".join(part for part in parts if part is not None)


def _part(part: str) -> str | None:
    if not part:
        return None
    base, rest = part[0], part[1:]
    code = ord(base)
    textual = base in SINGLES or any(low <= code <= high for low, high in HIGH_TEXT)
    if not textual and base not in SHOWN and not any(low <= code <= high for low, high in HIGH_SHOWN):
        return None
    if len(rest) == 1 and 0x1F3FB <= ord(rest) <= 0x1F3FF:
        return part
    if rest not in ("", "\ufe0f"):
        return None
    return f"{base}\ufe0f" if textual else base
