"""How messages are shown: with their author's app, their text taken apart, and what hangs on them.

The order of keys is the one recorded since 2024; a post's answer has its own for the app's profile.
"""

from __future__ import annotations

import json
from typing import Any
from zlib import crc32

from farm.appkit import Episode, Row, memoised_row, parse_json

from . import file_views, texts

# The workspace's own emoji, for texts that may name one. It depends on no message, so a page reads them once.
_OWN_EMOJI = "SELECT json_group_array(name) FROM emoji"
# A message and all that is shown with it, lists as JSON; a query adds its conditions and its order.
# The index of the replies is named, because SQLite would rather walk the whole channel by the primary key.
MESSAGES = f"""
SELECT m.ts, m.thread_ts, m.user_id, m.text, m.subtype, m.client_msg_id, m.username, m.edited_by, m.edited_ts, m.bot_id,
       m.icons, m.files, m.attachments, m.blocks,
       CASE WHEN m.thread_ts != m.ts THEN (SELECT p.user_id FROM messages p
        WHERE p.channel_id = m.channel_id AND p.ts = m.thread_ts) END AS parent_user_id,
       (SELECT json_group_array(json_array(r.ts, coalesce(r.user_id, r.bot_id)))
        FROM messages r INDEXED BY messages_thread
        WHERE r.channel_id = m.channel_id AND r.thread_ts = m.ts AND r.ts != m.ts) AS replies,
       (SELECT s.last_read FROM subscriptions s
        WHERE s.channel_id = m.channel_id AND s.thread_ts = m.ts AND s.user_id = :me) AS last_read,
       (SELECT json_group_array(json_array(r.reacted_ms, r.name, r.user_id)) FROM reactions r
        WHERE r.channel_id = m.channel_id AND r.ts = m.ts) AS reactions,
       CASE WHEN instr(m.text, ':') THEN ({_OWN_EMOJI}) ELSE '[]' END AS own_emoji
FROM messages m
"""
_ROOTS = f"""
{MESSAGES} WHERE m.channel_id = :channel AND m.ts IN (SELECT value FROM json_each(:stamps)) ORDER BY m.ts
"""
_BOTS = "SELECT id, app_id, user_id, name, updated FROM bots ORDER BY id"
# Slack's own notices: who came and who went.
NOTICES = ("channel_join", "channel_leave")
SLACKBOT = "USLACKBOT"


def message_views(ep: Episode, channel: Row, rows: list[Row]) -> list[Any]:
    """Return rows of ``MESSAGES`` as histories and threads show them."""
    team_id, block_seed = channel["team_id"], _block_seed(ep, channel)
    roots = _roots(ep, channel, rows)
    posted_by = {row["bot_id"] for row in (*rows, *roots.values())} - {None}
    bots = {bot["id"]: bot for bot in ep.db.all(_BOTS)} if posted_by else {}
    made = []
    for row in rows:
        root = roots.get(row["thread_ts"]) if row["subtype"] == "thread_broadcast" else None
        root_bot = bots.get(root["bot_id"]) if root else None
        made.append(_message(row, bots.get(row["bot_id"]), team_id, block_seed, root, root_bot))
    return made


def _roots(ep: Episode, channel: Row, rows: list[Row]) -> dict[str, Row]:
    """Return the first messages of the threads that replies among the rows were sent to the channel from, too."""
    wanted = {row["thread_ts"] for row in rows if row["subtype"] == "thread_broadcast"}
    if not wanted:
        return {}
    found = ep.db.all(_ROOTS, channel=channel["id"], stamps=json.dumps(sorted(wanted)), me=ep.me)
    return {row["ts"]: row for row in found}


def posted(ep: Episode, channel: Row, row: Row, bot: Row | None, parent: Row | None) -> dict[str, Any]:
    """Return a new message, as the answer to a post shows it: nothing hangs on it yet.

    Args:
        row: as it was stored.
        bot: the app it was posted by.
        parent: what it answers.
    """
    message = _spoken(row, bot)
    message["team"] = channel["team_id"]
    if bot is not None:
        message["bot_profile"] = _bot_profile(bot, channel["team_id"], _PROFILE_OF_A_POST)
    if parent is not None:
        message |= {"thread_ts": parent["ts"], "parent_user_id": parent["user_id"]}
    own_emoji = ep.db.scalar(_OWN_EMOJI) if ":" in row["text"] else "[]"
    return message | _blocks({**row, "own_emoji": own_emoji}, _block_seed(ep, channel))


def _block_seed(ep: Episode, channel: Row) -> int:
    """Return what ids of blocks in a channel begin with; they are to look arbitrary."""
    return crc32(f"{ep.seed}:{channel['id']}:".encode())


# Measured: a page of ten takes 80 µs, and 128 without it.
@memoised_row()
def _message(
    row: Row, bot: Row | None, team_id: str, block_seed: int, root: Row | None, root_bot: Row | None
) -> dict[str, Any]:
    if root is None:
        return _message_to_json(row, bot, team_id, block_seed)
    # A reply that was sent to the channel, too, carries the thread's first message and no team.
    message: dict[str, Any] = {"subtype": row["subtype"], "user": row["user_id"], "thread_ts": row["thread_ts"]}
    message["root"] = _message_to_json(root, root_bot, team_id, block_seed)
    return {**message, **_spoken(row, bot), **_files(row, team_id), **_reactions(row), **_body(row, block_seed)}


def _message_to_json(row: Row, bot: Row | None, team_id: str, block_seed: int) -> dict[str, Any]:
    about = {"type": "message", "ts": row["ts"]}
    if row["subtype"] in NOTICES:
        notice = {"subtype": row["subtype"], "user": row["user_id"], "text": row["text"], **about}
        return {**notice, **_thread(row, {}), **_reactions(row)}
    if row["subtype"] == "tombstone":
        gone = {"subtype": "tombstone", "text": row["text"], "user": SLACKBOT, "hidden": True, **about}
        return gone | _thread(row, {"parent_user_id": SLACKBOT})
    if row["subtype"] == "bot_message":
        message: dict[str, Any] = {"subtype": "bot_message", "text": row["text"], "username": row["username"], **about}
        if row["icons"]:
            message["icons"] = parse_json(row["icons"])
        if bot is not None:
            message |= {"bot_id": bot["id"], "app_id": bot["app_id"]}
    else:
        message = _spoken(row, bot) | _files(row, team_id) | {"team": team_id}
        if bot is not None:
            message["bot_profile"] = _bot_profile(bot, team_id, _PROFILE_READ_BACK)
    return {**message, **_thread(row, {}), **_reactions(row), **_body(row, block_seed)}


def _files(row: Row, team_id: str) -> dict[str, Any]:
    if not row["files"]:
        return {}
    return {"files": file_views.file_views(row, team_id), "upload": False, "display_as_bot": False}


def _body(row: Row, block_seed: int) -> dict[str, Any]:
    """Return a message's blocks, its own or those made of its text, and what an app attached."""
    body = {"blocks": parse_json(row["blocks"])} if row["blocks"] else _blocks(row, block_seed)
    return body | ({"attachments": parse_json(row["attachments"])} if row["attachments"] else {})


def _spoken(row: Row, bot: Row | None) -> dict[str, Any]:
    """Return who said what and when."""
    message: dict[str, Any] = {}
    if row.get("subtype"):
        message["subtype"] = row["subtype"]
    if row["user_id"]:
        message["user"] = row["user_id"]
    message |= {"type": "message", "ts": row["ts"]}
    if row.get("edited_ts"):
        message["edited"] = {"user": row["edited_by"], "ts": row["edited_ts"]}
    if row.get("client_msg_id"):
        message["client_msg_id"] = row["client_msg_id"]
    if bot is not None:
        message |= {"bot_id": bot["id"], "app_id": bot["app_id"]}
    return message | {"text": row["text"]}


_PROFILE_READ_BACK = ("id", "deleted", "name", "updated", "app_id", "user_id", "icons", "team_id")
_PROFILE_OF_A_POST = ("id", "app_id", "user_id", "name", "icons", "deleted", "updated", "team_id")


def _bot_profile(bot: Row, team_id: str, order: tuple[str, ...]) -> dict[str, Any]:
    icon = f"https://avatars.example/bots/{bot['id']}"
    icons = {f"image_{size}": f"{icon}_{size}.png" for size in (36, 48, 72)}
    known = {**bot, "deleted": False, "icons": icons, "team_id": team_id}
    return {key: known[key] for key in order}


def _blocks(row: Row, block_seed: int) -> dict[str, Any]:
    elements = texts.rich_text(row["text"], parse_json(row["own_emoji"]))
    if not elements:
        return {}
    block_id = f"{crc32(row['ts'].encode(), block_seed) & 0xFFFFF:05x}"
    return {"blocks": [{"type": "rich_text", "block_id": block_id, "elements": elements}]}


def _thread(row: Row, beside: dict[str, Any]) -> dict[str, Any]:
    """Return what a reply says of its thread, and a message with replies of them.

    Args:
        beside: what stands behind the thread's ts of a first message.
    """
    if row["thread_ts"] not in (None, row["ts"]):
        return {"thread_ts": row["thread_ts"], "parent_user_id": row["parent_user_id"]}
    replies = sorted(parse_json(row["replies"]))
    if not replies:
        return {}
    users = list(dict.fromkeys(user_id for _, user_id in replies if user_id))
    thread = {
        "thread_ts": row["ts"],
        **beside,
        "reply_count": len(replies),
        "reply_users_count": len(users),
        "latest_reply": replies[-1][0],
        "reply_users": users,
        "is_locked": False,
        "subscribed": row["last_read"] is not None,
    }
    return thread if row["last_read"] is None else {**thread, "last_read": row["last_read"]}


def _reactions(row: Row) -> dict[str, Any]:
    """Return each emoji once, in the order in which it first came, with its users as they came."""
    users: dict[str, list[str]] = {}
    for _, emoji, user_id in sorted(parse_json(row["reactions"])):
        users.setdefault(emoji, []).append(user_id)
    listed = [{"name": emoji, "users": each, "count": len(each)} for emoji, each in users.items()]
    return {"reactions": listed} if listed else {}
