"""How messages are shown: with their author's app, their text taken apart, and what hangs on them."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from farm.kernel import Episode, Row, parse_json
from farm.memo import memoised_row

from . import file_views, texts

# A message and all that is shown with it, lists as JSON; a query adds its conditions and its order.
MESSAGES = """
SELECT m.ts, m.thread_ts, m.user_id, m.text, m.subtype, m.client_msg_id, m.username, m.edited_by, m.edited_ts, m.bot_id,
       m.icons, m.files, m.attachments, m.blocks,
       CASE WHEN m.thread_ts != m.ts THEN (SELECT p.user_id FROM messages p
        WHERE p.channel_id = m.channel_id AND p.ts = m.thread_ts) END AS parent_user_id,
       (SELECT json_group_array(json_array(r.ts, r.user_id)) FROM messages r
        WHERE r.channel_id = m.channel_id AND r.thread_ts = m.ts AND r.ts != m.ts) AS replies,
       (SELECT s.last_read FROM subscriptions s
        WHERE s.channel_id = m.channel_id AND s.thread_ts = m.ts AND s.user_id = :me) AS last_read,
       (SELECT json_group_array(json_array(r.reacted_ms, r.name, r.user_id)) FROM reactions r
        WHERE r.channel_id = m.channel_id AND r.ts = m.ts) AS reactions
FROM messages m
"""
# A join is shown with exactly these; a leave is taken to be.
_COMINGS_AND_GOINGS = ("channel_join", "channel_leave")
_BOTS = "SELECT id, app_id, user_id, name, updated FROM bots ORDER BY id"


def shown(ep: Episode, channel: Row, rows: list[Row]) -> list[Any]:
    """Return rows of ``MESSAGES`` as histories and threads show them."""
    team_id, block_seed = channel["team_id"], _block_seed(ep, channel)
    bots = {bot["id"]: bot for bot in ep.db.all(_BOTS)} if any(row["bot_id"] for row in rows) else {}
    return [_message(row, bots.get(row["bot_id"]), team_id, block_seed) for row in rows]


def posted(ep: Episode, channel: Row, row: Row, bot: Row | None, parent: Row | None) -> dict[str, Any]:
    """Return a new message: nothing hangs on it yet, and its thread comes before its blocks.

    Args:
        row: as it was stored.
        bot: the app it was posted by.
        parent: what it answers.
    """
    message = _above_blocks(row, bot, channel["team_id"])
    if parent is not None:
        message |= {"thread_ts": parent["ts"], "parent_user_id": parent["user_id"]}
    return message | {"blocks": _blocks(row, _block_seed(ep, channel))}


def _block_seed(ep: Episode, channel: Row) -> int:
    """Return what ids of blocks in a channel begin with; they are to look arbitrary."""
    return crc32(f"{ep.seed}:{channel['id']}:".encode())


# Measured: a page of ten takes 80 µs, and 128 without it.
@memoised_row()
def _message(row: Row, bot: Row | None, team_id: str, block_seed: int) -> dict[str, Any]:
    message = _above_blocks(row, bot, team_id)
    if row["blocks"]:
        message["blocks"] = parse_json(row["blocks"])
    elif row["text"] and row["subtype"] not in (*_COMINGS_AND_GOINGS, "bot_message"):
        message["blocks"] = _blocks(row, block_seed)
    if row["attachments"]:
        message["attachments"] = parse_json(row["attachments"])
    if row["thread_ts"] not in (None, row["ts"]):
        message |= {"thread_ts": row["thread_ts"], "parent_user_id": row["parent_user_id"]}
    elif replies := parse_json(row["replies"]):
        message |= _thread(row, sorted(replies))
    if reactions := parse_json(row["reactions"]):
        message["reactions"] = _reactions(sorted(reactions))
    return message


def _above_blocks(row: Row, bot: Row | None, team_id: str) -> dict[str, Any]:
    if row.get("subtype") in _COMINGS_AND_GOINGS:
        named = {"type": "message", "subtype": row["subtype"]}
        return {**named, "ts": row["ts"], "user": row["user_id"], "text": row["text"]}
    if row.get("subtype") == "bot_message":
        return _webhook_post(row)
    message: dict[str, Any] = {}
    if row.get("client_msg_id"):
        message["client_msg_id"] = row["client_msg_id"]
    if row.get("subtype"):
        message["subtype"] = row["subtype"]
    if row["user_id"]:
        message["user"] = row["user_id"]
    message |= {"type": "message", "ts": row["ts"]}
    if row.get("username"):
        message["username"] = row["username"]
    if bot is not None:
        message |= {"bot_id": bot["id"], "app_id": bot["app_id"]}
    message |= {"text": row["text"], "team": team_id}
    if bot is not None:
        message["bot_profile"] = _bot_profile(bot, team_id)
    if row.get("files"):
        message |= {"files": file_views.shown(row, team_id), "upload": False, "display_as_bot": False}
    if row.get("edited_ts"):
        message["edited"] = {"user": row["edited_by"], "ts": row["edited_ts"]}
    return message


def _webhook_post(row: Row) -> dict[str, Any]:
    """Return what an incoming webhook posted: it has a name and a picture of its own, and no user."""
    message = {"type": "message", "subtype": "bot_message", "text": row["text"], "ts": row["ts"]}
    if row["username"]:
        message["username"] = row["username"]
    if row["icons"]:
        message["icons"] = parse_json(row["icons"])
    return message | {"bot_id": row["bot_id"]}


def _bot_profile(bot: Row, team_id: str) -> dict[str, Any]:
    icon = f"https://avatars.example/bots/{bot['id']}"
    return {
        "id": bot["id"],
        "deleted": False,
        "name": bot["name"],
        "updated": bot["updated"],
        "app_id": bot["app_id"],
        "user_id": bot["user_id"],
        "icons": {f"image_{size}": f"{icon}_{size}.png" for size in (36, 48, 72)},
        "team_id": team_id,
    }


def _blocks(row: Row, block_seed: int) -> list[dict[str, Any]]:
    section = {"type": "rich_text_section", "elements": texts.elements(row["text"])}
    block_id = f"{crc32(row['ts'].encode(), block_seed) & 0xFFFFF:05x}"
    return [{"type": "rich_text", "block_id": block_id, "elements": [section]}]


def _thread(row: Row, replies: list[tuple[str, str | None]]) -> dict[str, Any]:
    """Return what Slack adds to a message with replies, which are (ts, author), oldest first."""
    users = list(dict.fromkeys(user_id for _, user_id in replies if user_id))
    latest, _ = replies[-1]
    thread = {
        "thread_ts": row["ts"],
        "reply_count": len(replies),
        "reply_users_count": len(users),
        "latest_reply": latest,
        "reply_users": users,
        "is_locked": False,
        "subscribed": row["last_read"] is not None,
    }
    return thread if row["last_read"] is None else {**thread, "last_read": row["last_read"]}


def _reactions(reactions: list[tuple[int, str, str]]) -> list[dict[str, Any]]:
    """Return each emoji once, in the order in which it first came, with its users as they came."""
    users: dict[str, list[str]] = {}
    for _, emoji, user_id in reactions:
        users.setdefault(emoji, []).append(user_id)
    return [{"name": emoji, "users": each, "count": len(each)} for emoji, each in users.items()]
