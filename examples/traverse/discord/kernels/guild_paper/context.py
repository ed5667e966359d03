"""Discord as a bot sees it: fetching servers, members, channels and messages, and changing them.

Ids arrive as texts and are read as Python's int() reads them. Functions that may fail return what was
asked for and the text of a refusal, which is empty on success; functions that only change something
return the refusal alone.
"""

import re
import unicodedata
from datetime import datetime, timedelta, timezone

from farm.appkit import Episode, Row

EPOCH_MS = 1420070400000
WORKER_BITS = 1376256
FIRST_CHANNEL_ID = 1490000000000000000

UNKNOWN_CHANNEL = "404 Not Found (error code: 10003): Unknown Channel"
UNKNOWN_GUILD = "404 Not Found (error code: 10004): Unknown Guild"
UNKNOWN_MEMBER = "404 Not Found (error code: 10007): Unknown Member"
UNKNOWN_MESSAGE = "404 Not Found (error code: 10008): Unknown Message"
UNKNOWN_ROLE = "404 Not Found (error code: 10011): Unknown Role"
UNKNOWN_USER = "404 Not Found (error code: 10013): Unknown User"
UNKNOWN_EMOJI = "400 Bad Request (error code: 10014): Unknown Emoji"
MISSING_PERMISSIONS = "403 Forbidden (error code: 50013): Missing Permissions"
EMPTY_MESSAGE = "400 Bad Request (error code: 50006): Cannot send an empty message"
INVALID_FORM = "400 Bad Request (error code: 50035): Invalid Form Body"

CLASSES = {
    "text": "TextChannel",
    "news": "TextChannel",
    "voice": "VoiceChannel",
    "stage": "StageChannel",
    "category": "CategoryChannel",
    "forum": "ForumChannel",
    "thread": "Thread",
}


# Ids and times


def parsed_id(text: str) -> tuple[str, str]:
    """Return an id in its plain form, or why the text is no number."""
    try:
        return str(int(text)), ""
    except ValueError as error:
        return "", str(error)


def created_at(snowflake: str) -> str:
    """Return the time in an id, as isoformat() prints it."""
    moment_ms = (int(snowflake) >> 22) + EPOCH_MS
    return (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=moment_ms)).isoformat()


def next_count(ep: Episode) -> int:
    """Count one more created channel or message."""
    last = ep.db.scalar("SELECT last_value FROM counters WHERE name = ?", "created")
    if last is None:
        ep.db.insert("counters", name="created", last_value=1)
        return 1
    ep.db.update("counters", {"name": "created"}, last_value=last + 1)
    return last + 1


# Users


def bot_user(ep: Episode) -> Row | None:
    """Return the user that the server acts as."""
    return ep.db.one("SELECT * FROM users WHERE is_self = 1")


def fetch_user(ep: Episode, user_id: str) -> tuple[Row, str]:
    """Return any user of Discord."""
    number, refusal = parsed_id(user_id)
    if refusal:
        return {}, refusal
    user = ep.db.one("SELECT * FROM users WHERE user_id = ?", number)
    if user is None:
        return {}, UNKNOWN_USER
    return user, ""


def user_text(user: Row) -> str:
    """Return str(user): the name, with the discriminator of those who still have one."""
    if user["discriminator"] == "0":
        return user["name"]
    return f"{user['name']}#{user['discriminator']}"


# Servers, their members and roles


def fetch_guild(ep: Episode, server_id: str) -> tuple[Row, str]:
    """Return a server."""
    number, refusal = parsed_id(server_id)
    if refusal:
        return {}, refusal
    guild = ep.db.one("SELECT * FROM guilds WHERE guild_id = ?", number)
    if guild is None:
        return {}, UNKNOWN_GUILD
    return guild, ""


def first_members(ep: Episode, guild: Row, limit: int) -> list[Row]:
    """Return the oldest accounts among the members up to a limit, the newest of them first.

    Each row is a member with the columns of its user.
    """
    rows = ep.db.all(
        "SELECT members.*, users.name, users.discriminator, users.is_bot, users.is_self"
        " FROM members JOIN users ON users.user_id = members.user_id WHERE members.guild_id = ?",
        guild["guild_id"],
    )
    rows = sorted(rows, key=lambda row: int(row["user_id"]))
    return list(reversed(rows[:limit]))


def fetch_member(ep: Episode, guild: Row, user_id: str) -> tuple[Row, str]:
    """Return a member of a server with the columns of its user."""
    user, refusal = fetch_user(ep, user_id)
    if refusal:
        return {}, refusal
    member = ep.db.one(
        "SELECT members.*, users.name, users.discriminator, users.is_bot, users.is_self"
        " FROM members JOIN users ON users.user_id = members.user_id"
        " WHERE members.guild_id = ? AND members.user_id = ?",
        guild["guild_id"],
        user["user_id"],
    )
    if member is None:
        return {}, UNKNOWN_MEMBER
    return member, ""


def roles_of(ep: Episode, member: Row) -> list[Row]:
    """Return the roles of a member from the lowest to the highest, without @everyone."""
    rows = ep.db.all(
        "SELECT roles.* FROM member_roles JOIN roles ON roles.role_id = member_roles.role_id"
        " WHERE member_roles.member_key = ?",
        member["member_key"],
    )
    return sorted(rows, key=lambda row: (row["position"], -int(row["role_id"])))


def get_role(ep: Episode, guild: Row, role_id: str) -> tuple[Row, str]:
    """Return a role of a server; one that it does not have fails as None would."""
    number, refusal = parsed_id(role_id)
    if refusal:
        return {}, refusal
    role = ep.db.one("SELECT * FROM roles WHERE role_id = ? AND guild_id = ?", number, guild["guild_id"])
    if role is None:
        return {}, "'NoneType' object has no attribute 'id'"
    return role, ""


def can_manage_role(ep: Episode, guild: Row, role: Row) -> bool:
    """Tell whether a role stands below the highest role of the bot."""
    bot = bot_user(ep)
    highest = ep.db.scalar(
        "SELECT MAX(roles.position) FROM member_roles JOIN roles ON roles.role_id = member_roles.role_id"
        " JOIN members ON members.member_key = member_roles.member_key"
        " WHERE members.guild_id = ? AND members.user_id = ?",
        guild["guild_id"],
        bot["user_id"] if bot is not None else "",
    )
    return highest is not None and role["position"] < highest


def give_role(ep: Episode, guild: Row, member: Row, role: Row) -> str:
    """Add a role to a member, if it is not there."""
    if role["role_id"] == guild["guild_id"]:
        return UNKNOWN_ROLE
    if not can_manage_role(ep, guild, role):
        return MISSING_PERMISSIONS
    if not has_role(ep, member, role):
        row_id = ep.next_number("member_roles", "row_id")
        ep.db.insert("member_roles", row_id=row_id, member_key=member["member_key"], role_id=role["role_id"])
    return ""


def take_role(ep: Episode, guild: Row, member: Row, role: Row) -> str:
    """Remove a role from a member, if it is there."""
    if role["role_id"] == guild["guild_id"]:
        return UNKNOWN_ROLE
    if not can_manage_role(ep, guild, role):
        return MISSING_PERMISSIONS
    ep.db.delete("member_roles", member_key=member["member_key"], role_id=role["role_id"])
    return ""


def has_role(ep: Episode, member: Row, role: Row) -> bool:
    """Tell whether a member has a role."""
    count = ep.db.scalar(
        "SELECT COUNT(*) FROM member_roles WHERE member_key = ? AND role_id = ?", member["member_key"], role["role_id"]
    )
    return count > 0


def silence_member(ep: Episode, guild: Row, user_id: str, minutes: float) -> str:
    """Keep a member from talking for some minutes."""
    member, refusal = fetch_member(ep, guild, user_id)
    if refusal:
        return refusal
    if member["user_id"] == guild["owner_id"]:
        return MISSING_PERMISSIONS
    until = ep.now_ms + int(minutes * 60000)
    ep.db.update("members", {"member_key": member["member_key"]}, silent_until_ms=until)
    return ""


# Channels


def fetch_channel(ep: Episode, channel_id: str) -> tuple[Row, str]:
    """Return a channel or thread."""
    number, refusal = parsed_id(channel_id)
    if refusal:
        return {}, refusal
    channel = ep.db.one("SELECT * FROM channels WHERE channel_id = ?", number)
    if channel is None:
        return {}, UNKNOWN_CHANNEL
    return channel, ""


def fetch_messageable(ep: Episode, channel_id: str, method: str) -> tuple[Row, str]:
    """Return a channel that has messages; another one lacks the method (send, history, fetch_message)."""
    channel, refusal = fetch_channel(ep, channel_id)
    if refusal:
        return {}, refusal
    if channel["kind"] in ("category", "forum"):
        return {}, f"'{CLASSES[channel['kind']]}' object has no attribute '{method}'"
    return channel, ""


def guild_of(ep: Episode, channel: Row) -> Row:
    """Return the server of a channel."""
    return ep.db.one("SELECT * FROM guilds WHERE guild_id = ?", channel["guild_id"]) or {}


def make_text_channel(ep: Episode, guild: Row, name: str, topic: str | None) -> tuple[Row, str]:
    """Create a text channel outside any category, with its name as Discord spells it."""
    spelled = re.sub(r"\s+", "-", name.strip().lower())
    if not 1 <= len(spelled) <= 100:
        return {}, f"{INVALID_FORM}\nIn name: Must be between 1 and 100 in length."
    if topic is not None and len(topic) > 1024:
        return {}, f"{INVALID_FORM}\nIn topic: Must be 1024 or fewer in length."
    channel_id = str(FIRST_CHANNEL_ID + next_count(ep))
    ep.db.insert(
        "channels", channel_id=channel_id, guild_id=guild["guild_id"], name=spelled, kind="text", topic=topic
    )
    return fetch_channel(ep, channel_id)


def remove_channel(ep: Episode, channel: Row) -> None:
    """Delete a channel and all that is in it."""
    for message in ep.db.all("SELECT message_id FROM messages WHERE channel_id = ?", channel["channel_id"]):
        remove_message(ep, message)
    ep.db.delete("channels", channel_id=channel["channel_id"])


# Messages


def fetch_message(ep: Episode, channel: Row, message_id: str) -> tuple[Row, str]:
    """Return a message of a channel."""
    number, refusal = parsed_id(message_id)
    if refusal:
        return {}, refusal
    message = ep.db.one(
        "SELECT * FROM messages WHERE message_id = ? AND channel_id = ?", number, channel["channel_id"]
    )
    if message is None:
        return {}, UNKNOWN_MESSAGE
    return message, ""


def history(ep: Episode, channel: Row, limit: int) -> list[Row]:
    """Return the newest messages of a channel up to a limit, the newest first."""
    rows = ep.db.all("SELECT * FROM messages WHERE channel_id = ?", channel["channel_id"])
    return sorted(rows, key=lambda row: -int(row["message_id"]))[:limit]


def author_text(ep: Episode, message: Row) -> str:
    """Return str(message.author); a webhook's discriminator is 0000."""
    if message["webhook_name"] is not None:
        return f"{message['webhook_name']}#0000"
    author = ep.db.one("SELECT * FROM users WHERE user_id = ?", message["author_id"])
    return user_text(author) if author is not None else "Deleted User"


def post_message(ep: Episode, channel: Row, content: str) -> tuple[Row, str]:
    """Send a message as the bot; Discord removes the white space around it."""
    content = re.sub(r"[\ud800-\udfff]", "\ufffd", content)
    if not content.strip():
        return {}, EMPTY_MESSAGE
    if len(content) > 2000:
        return {}, f"{INVALID_FORM}\nIn content: Must be 2000 or fewer in length."
    bot = bot_user(ep)
    message_id = str(((ep.now_ms - EPOCH_MS) << 22) + WORKER_BITS + next_count(ep))
    ep.db.insert(
        "messages",
        message_id=message_id,
        channel_id=channel["channel_id"],
        author_id=bot["user_id"] if bot is not None else None,
        webhook_name=None,
        content=content.strip(),
    )
    return fetch_message(ep, channel, message_id)


def remove_message(ep: Episode, message: Row) -> None:
    """Delete a message and its reactions."""
    ep.db.delete("reactions", message_id=message["message_id"])
    ep.db.delete("messages", message_id=message["message_id"])


# Reactions


def reactions_of(ep: Episode, message: Row) -> list[Row]:
    """Return the reactions to a message in the order in which they first came."""
    return ep.db.all("SELECT * FROM reactions WHERE message_id = ? ORDER BY row_id", message["message_id"])


def react(ep: Episode, channel: Row, message: Row, emoji: str) -> str:
    """Add the bot's reaction to a message, if it is not there."""
    emoji_id, name, there, refusal = _emoji(ep, channel, message, emoji)
    if refusal:
        return refusal
    if there is None:
        ep.db.insert(
            "reactions",
            row_id=ep.next_number("reactions", "row_id"),
            message_id=message["message_id"],
            emoji_id=emoji_id,
            emoji_name=name,
            total=1,
            mine=1,
        )
    elif not there["mine"]:
        ep.db.update("reactions", {"row_id": there["row_id"]}, total=there["total"] + 1, mine=1)
    return ""


def unreact(ep: Episode, channel: Row, message: Row, emoji: str) -> str:
    """Remove the bot's reaction from a message, if it is there."""
    there, refusal = _emoji(ep, channel, message, emoji)[2:]
    if refusal:
        return refusal
    if there is not None and there["mine"]:
        if there["total"] <= 1:
            ep.db.delete("reactions", row_id=there["row_id"])
        else:
            ep.db.update("reactions", {"row_id": there["row_id"]}, total=there["total"] - 1, mine=0)
    return ""


def found_reaction(ep: Episode, message: Row, emoji: str) -> Row | None:
    """Return the reaction to a message with an emoji, whoever gave it."""
    emoji_id, name = _emoji_parts(emoji)
    for row in reactions_of(ep, message):
        if emoji_id is not None and row["emoji_id"] == emoji_id:
            return row
        if emoji_id is None and row["emoji_id"] is None and row["emoji_name"] == name:
            return row
    return None


def is_known_emoji(ep: Episode, channel: Row, emoji: str) -> bool:
    """Tell whether a text is an emoji of Unicode or, as name:id, one of the server's."""
    emoji_id, name = _emoji_parts(emoji)
    if emoji_id is None:
        return _is_unicode_emoji(name)
    own = ep.db.one("SELECT * FROM emojis WHERE emoji_id = ? AND guild_id = ?", emoji_id, channel["guild_id"])
    return own is not None


def _emoji(ep: Episode, channel: Row, message: Row, emoji: str) -> tuple[str | None, str, Row | None, str]:
    """Return an emoji's id and name, its reaction to the message, and a refusal."""
    emoji_id, name = _emoji_parts(emoji)
    there = found_reaction(ep, message, emoji)
    if there is None and not is_known_emoji(ep, channel, emoji):
        return None, "", None, UNKNOWN_EMOJI
    if emoji_id is not None:
        own = ep.db.scalar("SELECT name FROM emojis WHERE emoji_id = ?", emoji_id)
        name = own if own is not None else name
    return emoji_id, name, there, ""


def _emoji_parts(emoji: str) -> tuple[str | None, str]:
    emoji = emoji.strip("<>")
    custom = re.fullmatch(r"(?:a:|:)?([^:]+):([0-9]+)", emoji)
    if custom is not None:
        return custom.group(2), custom.group(1)
    return None, emoji


def _is_unicode_emoji(text: str) -> bool:
    """Tell whether a text is one emoji, by the form of emoji sequences."""
    if re.fullmatch("[0-9#*]\ufe0f?\u20e3", text) or re.fullmatch("[\U0001f1e6-\U0001f1ff]{2}", text):
        return True
    for piece in text.split("\u200d"):
        piece = re.sub("[\U000e0020-\U000e007f]+$", "", piece)
        piece = re.sub("[\U0001f3fb-\U0001f3ff]\ufe0f?$", "", piece) if len(piece) > 1 else piece
        piece = re.sub("[\ufe0e\ufe0f]$", "", piece)
        if len(piece) != 1 or ord(piece) < 169:
            return False
        if unicodedata.category(piece) not in ("So", "Sk", "Sm", "Po", "Pd", "Cn"):
            return False
    return True
