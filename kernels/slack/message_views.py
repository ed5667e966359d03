"""How messages are shown.

Histories are read more than anything else, so a message is not built as an object for every answer: what depends on its
row alone is kept as the text that it is in an answer (``farm.kernel.Quoted``), and a page puts such texts together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any
from zlib import crc32

from farm.kernel import Episode
from farm.render import quoted

from . import texts

# The columns of a message as it is shown, in the order in which ``_message`` takes them.
COLUMNS = "ts, thread_ts, user_id, bot_id, text, subtype, client_msg_id, username, edited_by, edited_ts"
Message = tuple[Any, ...]
Bot = tuple[str, str, str, str, int]

_KNOWN_MAX = 1_000
_BOTS = "SELECT id, app_id, user_id, name, updated FROM bots"
# What hangs on a message comes as one text, a line each: rows cost more than all that is done with them.
_THREADS = """
SELECT t.thread_ts, (
    SELECT last_read FROM subscriptions s
    WHERE s.channel_id = ?1 AND s.thread_ts = t.thread_ts AND s.user_id = ?4
), group_concat(t.ts || char(9) || coalesce(t.user_id, ''), char(10))
FROM messages t WHERE t.channel_id = ?1 AND t.thread_ts BETWEEN ?2 AND ?3 AND t.ts != t.thread_ts GROUP BY t.thread_ts
"""
_REACTION = "group_concat(r.reacted_ms || char(9) || r.name || char(9) || r.user_id, char(10))"
_REACTIONS_OF_PAGE = f"""
SELECT r.ts, {_REACTION} FROM reactions r WHERE r.channel_id = ? AND r.ts BETWEEN ? AND ? GROUP BY r.ts
"""
# Other messages of the conversation may lie between those of a thread, any number of them.
_REACTIONS_OF_THREAD = f"""
SELECT r.ts, {_REACTION} FROM reactions r WHERE r.channel_id = ?1 AND r.ts = ?2 GROUP BY r.ts
UNION ALL
SELECT r.ts, {_REACTION} FROM messages m INDEXED BY messages_thread
CROSS JOIN reactions r ON r.channel_id = ?1 AND r.ts = m.ts
WHERE m.channel_id = ?1 AND m.thread_ts = ?2 AND m.ts != ?2 GROUP BY r.ts
"""


def find_own_bot(ep: Episode) -> Bot | None:
    """Return the app whose token the server holds, or None."""
    return next(iter(ep.db.tuples(f"{_BOTS} WHERE is_self")), None)


def page(ep: Episode, channel_id: str, team_id: str, rows: Sequence[Message]) -> bytes:
    """Return messages that lie side by side in a conversation, newest first, as the items of a quoted list."""
    if not rows:
        return b""
    # The whole page's threads and reactions at once.
    first, last = rows[-1][0], rows[0][0]
    reactions = ep.db.tuples(_REACTIONS_OF_PAGE, channel_id, first, last)
    return _items(ep, channel_id, team_id, rows, _threads(ep, channel_id, first, last), _reactions(reactions), {})


def thread(ep: Episode, channel_id: str, team_id: str, parent: Message, replies: Sequence[Message]) -> bytes:
    """Return a message and its replies as the items of a quoted list."""
    ts = parent[0]
    reactions = ep.db.tuples(_REACTIONS_OF_THREAD, channel_id, ts)
    threads, authors = _threads(ep, channel_id, ts, ts), {ts: parent[2]}
    return _items(ep, channel_id, team_id, [parent, *replies], threads, _reactions(reactions), authors)


def posted(
    ep: Episode, channel_id: str, team_id: str, row: Message, bot: Bot | None, *, parent: Message | None = None
) -> dict[str, Any]:
    """Return a message on which nothing hangs yet; ``parent`` is what it answers."""
    message = _above_blocks(team_id, bot, *row)
    if parent is not None:
        message |= {"thread_ts": row[1], "parent_user_id": parent[2]}
    block_id = f"{_block_id(row[0], _block_seed(ep, channel_id)):05x}"
    message["blocks"] = [{"type": "rich_text", "block_id": block_id, "elements": [_section(row[4])]}]
    return message


def _items(
    ep: Episode,
    channel_id: str,
    team_id: str,
    rows: Sequence[Message],
    threads: Mapping[str, bytes],
    reactions: Mapping[str, bytes],
    authors: dict[str, str | None],
) -> bytes:
    bots: dict[str, Bot] = {}
    block_seed = _block_seed(ep, channel_id)
    parts: list[bytes] = []
    for row in rows:
        ts, thread_ts, _, bot_id, text = row[:5]
        hanging = threads.get(ts, b"")
        if thread_ts is not None and thread_ts != ts:
            if thread_ts not in authors:
                authors[thread_ts] = _find_author(ep, channel_id, thread_ts)
            hanging = _answering(thread_ts, authors[thread_ts])
        if bot_id and not bots:
            bots = {bot[0]: bot for bot in ep.db.tuples(f"{_BOTS} ORDER BY id")}
        shown = _known_message if len(text) <= _KNOWN_MAX else _message
        before, behind = shown(team_id, bots.get(bot_id), *row)
        block_id = behind and b"%05x" % _block_id(ts, block_seed)
        parts += (before, block_id, behind, hanging, reactions.get(ts, b""), b"},")
    return b"".join(parts)[:-1]


def _block_seed(ep: Episode, channel_id: str) -> int:
    return crc32(f"{ep.seed}:{channel_id}:".encode())


def _block_id(ts: str, seed: int) -> int:
    return crc32(ts.encode(), seed) & 0xFFFFF


def _find_author(ep: Episode, channel_id: str, ts: str) -> str | None:
    found: str | None = ep.db.scalar("SELECT user_id FROM messages WHERE channel_id = ? AND ts = ?", channel_id, ts)
    return found


def _message(team_id: str, bot: Bot | None, *row: Any) -> tuple[bytes, bytes]:
    """Return what stands before and behind the id of a message's block, the last brace left out: more may follow.

    The second is empty for a message without a block.
    """
    before = b"{" + _fields(_above_blocks(team_id, bot, *row))
    if row[5] == "channel_join":
        return before, b""
    behind = _fields({"elements": [_section(row[4])]})
    return before + rb",\"blocks\":[{\"type\":\"rich_text\",\"block_id\":\"", rb"\"," + behind + b"}]"


# A world's messages are shown in every episode that is played in it, again and again.
_known_message = lru_cache(maxsize=4096)(_message)


def _above_blocks(
    team_id: str,
    bot: Bot | None,
    ts: str,
    _thread_ts: str | None,
    user_id: str | None,
    _bot_id: str | None,
    text: str,
    subtype: str | None,
    client_msg_id: str | None,
    username: str | None,
    edited_by: str | None,
    edited_ts: str | None,
) -> dict[str, Any]:
    """Return a message without its blocks."""
    if subtype == "channel_join":
        return {"type": "message", "subtype": "channel_join", "ts": ts, "user": user_id, "text": text}
    message: dict[str, Any] = {}
    if client_msg_id:
        message["client_msg_id"] = client_msg_id
    if subtype:
        message["subtype"] = subtype
    if user_id:
        message["user"] = user_id
    message["type"] = "message"
    message["ts"] = ts
    if username:
        message["username"] = username
    if bot is not None:
        message["bot_id"] = bot[0]
        message["app_id"] = bot[1]
    message["text"] = text
    message["team"] = team_id
    if bot is not None:
        message["bot_profile"] = _profile(team_id, *bot)
    if edited_ts:
        message["edited"] = {"user": edited_by, "ts": edited_ts}
    return message


def _section(text: str) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": texts.elements(text)}


def _fields(body: Mapping[str, Any]) -> bytes:
    """Return the fields of a quoted object, without its braces."""
    return quoted(body)[1:-1]


# Shown again and again; nobody changes what it returns.
@lru_cache(maxsize=256)
def _profile(team_id: str, bot_id: str, app_id: str, user_id: str, name: str, updated: int) -> dict[str, Any]:
    return {
        "id": bot_id,
        "deleted": False,
        "name": name,
        "updated": updated,
        "app_id": app_id,
        "user_id": user_id,
        "icons": {f"image_{size}": f"https://avatars.example/bots/{bot_id}_{size}.png" for size in (36, 48, 72)},
        "team_id": team_id,
    }


@lru_cache(maxsize=256)
def _answering(ts: str, author: str | None) -> bytes:
    """Return what Slack adds to a reply."""
    return b"," + _fields({"thread_ts": ts, "parent_user_id": author})


def _reactions(rows: list[tuple[str, str]]) -> dict[str, bytes]:
    """Return ts → what Slack adds to a message that has reactions."""
    return {ts: _reacted(reactions) for ts, reactions in rows}


@lru_cache(maxsize=1024)
def _reacted(lines: str) -> bytes:
    """Return reactions: each emoji once, in the order in which it first came, with its users as they came."""
    reactions = sorted((int(at), emoji, user) for at, emoji, user in map(_cells, lines.split("\n")))
    users: dict[str, list[str]] = {}
    for _, emoji, user_id in reactions:
        users.setdefault(emoji, []).append(user_id)
    listed = [{"name": emoji, "users": each, "count": len(each)} for emoji, each in users.items()]
    return b"," + _fields({"reactions": listed})


def _cells(line: str) -> list[str]:
    return line.split("\t")


def _threads(ep: Episode, channel_id: str, first: str, last: str) -> dict[str, bytes]:
    """Return parent ts → what Slack adds to a message that has replies."""
    return {row[0]: _threaded(*row) for row in ep.db.tuples(_THREADS, channel_id, first, last, ep.me)}


@lru_cache(maxsize=1024)
def _threaded(ts: str, last_read: str | None, lines: str) -> bytes:
    """Return the thread under a message."""
    replies = sorted(map(_cells, lines.split("\n")))
    users = list(dict.fromkeys(user for _, user in replies if user))
    thread = {
        "thread_ts": ts,
        "reply_count": len(replies),
        "reply_users_count": len(users),
        "latest_reply": replies[-1][0],
        "reply_users": users,
        "is_locked": False,
        "subscribed": last_read is not None,
    }
    if last_read is not None:
        thread["last_read"] = last_read
    return b"," + _fields(thread)
