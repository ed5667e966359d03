"""Finding servers, users, channels and messages as discord.py fetches them."""

from datetime import datetime, timedelta, timezone

from farm.appkit import Episode, Row

from . import errors

BOT_ID = "175928847299117063"
EPOCH = 1420070400000


def number(text: str) -> int:
    """Return int(text), or refuse in Python's words."""
    try:
        return int(text)
    except ValueError as error:
        raise errors.PythonFailed(str(error))


def http(status: str, code: int, text: str) -> errors.HttpFailed:
    """Return an HTTP failure."""
    return errors.HttpFailed(status=status, number=code, text=text)


def not_found(code: int, text: str) -> errors.HttpFailed:
    """Return a 404."""
    return http("404 Not Found", code, text)


def missing_permissions() -> errors.HttpFailed:
    """Return the refusal for lack of a permission."""
    return http("403 Forbidden", 50013, "Missing Permissions")


def missing_access() -> errors.HttpFailed:
    """Return the refusal for lack of access."""
    return http("403 Forbidden", 50001, "Missing Access")


def invalid_form(field: str, text: str) -> errors.HttpFailed:
    """Return the refusal of a form."""
    return http("400 Bad Request", 50035, f"Invalid Form Body\nIn {field}: {text}")


def snowflake(value: str, field: str) -> str:
    """Return an id in its canonical form, or refuse."""
    parsed = number(value)
    if parsed < 0 or parsed >= 2**63:
        raise invalid_form(field, f'Value "{parsed}" is not snowflake.')
    return str(parsed)


def created_at(identifier: str) -> str:
    """Return the time in an id as isoformat prints it."""
    start = datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (start + timedelta(milliseconds=(int(identifier) >> 22) + EPOCH)).isoformat()


def new_snowflake(ep: Episode) -> str:
    """Return a new id of the time of the call."""
    row_id = ep.next_number("creations", "row_id")
    ep.db.insert("creations", row_id=row_id)
    return str(((ep.now_ms - EPOCH) << 22) + row_id)


def guild(ep: Episode, server_id: str) -> Row:
    """Fetch a server."""
    row = ep.db.one("SELECT * FROM guilds WHERE guild_id = ?", snowflake(server_id, "guild_id"))
    if row is None or not row["bot_inside"]:
        raise not_found(10004, "Unknown Guild")
    return row


def user(ep: Episode, user_id: str) -> Row:
    """Fetch a user."""
    row = ep.db.one("SELECT * FROM users WHERE user_id = ?", snowflake(user_id, "user_id"))
    if row is None:
        raise not_found(10013, "Unknown User")
    return row


def member(ep: Episode, guild_id: str, user_id: str) -> Row:
    """Fetch a member of a server."""
    row = user(ep, user_id)
    found = ep.db.one("SELECT * FROM members WHERE guild_id = ? AND user_id = ?", guild_id, row["user_id"])
    if found is None:
        raise not_found(10007, "Unknown Member")
    return row


def channel(ep: Episode, channel_id: str) -> Row:
    """Fetch a channel."""
    row = ep.db.one("SELECT * FROM channels WHERE channel_id = ?", snowflake(channel_id, "channel_id"))
    if row is None:
        raise not_found(10003, "Unknown Channel")
    if row["hidden"]:
        raise missing_access()
    return row


def require_messages(row: Row, attribute: str) -> None:
    """Refuse what a category or a forum cannot do."""
    classes = {"category": "CategoryChannel", "forum": "ForumChannel"}
    if row["kind"] in classes:
        raise errors.PythonFailed(f"'{classes[row['kind']]}' object has no attribute '{attribute}'")


def message(ep: Episode, row: Row, message_id: str) -> Row:
    """Fetch a message of a channel."""
    require_messages(row, "fetch_message")
    identifier = snowflake(message_id, "message_id")
    if row["no_history"]:
        raise missing_access()
    found = ep.db.one(
        "SELECT * FROM messages WHERE channel_id = ? AND message_id = ?", row["channel_id"], identifier
    )
    if found is None:
        raise not_found(10008, "Unknown Message")
    return found
