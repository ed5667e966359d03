"""Topics of forums: which there are, new ones, and supergroups that become forums."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row

from . import admin_log, messages, texts
from .errors import NotFitting, Refused, ToolMessage
from .ids import Id, addressed
from .message_views import results
from .peers import Peer, me, require, require_readable, require_right
from .sanitize import clean_name, clean_text

_GENERAL = 1
_TITLE_MAX, _SHOWN_MAX = 128, 256
# Source: https://core.telegram.org/method/channels.createForumTopic
_COLOURS = (0x6FB9F0, 0xFFD67E, 0xCB86DB, 0x8EEE98, 0xFF93B2, 0xFB6F5F)
_NO_SUPERGROUP = "The specified chat is not a supergroup."
_NO_FORUM = "The specified supergroup does not have forum topics enabled."


@addressed()
def list_topics(
    ep: Episode, *, chat_id: int, limit: int = 200, offset_topic: int = 0, search_query: str | None = None
) -> Result:
    """Return the topics of a forum, those with the newest message first."""
    peer = require(ep, chat_id)
    if peer.kind != "supergroup":
        raise ToolMessage(_NO_SUPERGROUP)
    if not peer.row["is_forum"]:
        raise ToolMessage(_NO_FORUM)
    texts.require_printable(search_query)
    for number in (limit, offset_topic):
        messages.require_number(number)
    found = _topics(ep, peer)
    if search_query:
        wanted = texts.words(search_query)
        found = [row for row in found if texts.is_found(row["title"], wanted)]
    numbers = [row["topic_id"] for row in found]
    start = numbers.index(offset_topic) + 1 if offset_topic in numbers else 0
    some = found[start : start + max(limit, 0)]
    if not some:
        raise ToolMessage("No topics found for this chat.")
    return results(map(_record, some))


def _topics(ep: Episode, peer: Peer) -> list[Row]:
    """Return a forum's topics with their newest message and how many were not read. Every forum has a general one.

    Reads all messages: the forum's, for the newest of each topic and how many were not read.
    """
    chat = require_readable(ep, peer)
    stored = ep.db.all("SELECT * FROM topics WHERE chat_id = ? ORDER BY topic_id", chat)
    read = ep.db.scalar("SELECT read_id FROM dialogs WHERE chat_id = ? AND user_id = ?", chat, me(ep)) or 0
    said = {
        row["topic"]: row
        for row in ep.db.all(
            "SELECT coalesce(topic_id, 1) AS topic, max(sent_s) AS sent_s, "
            "sum(message_id > ? AND sender_id IS NOT ?) AS unread FROM messages "
            "WHERE chat_id = ? AND is_deleted = 0 GROUP BY coalesce(topic_id, 1) ORDER BY topic",
            read,
            me(ep),
            chat,
        )
    }
    general = {"topic_id": _GENERAL, "title": "General", "made_s": peer.row["created_s"]}
    if not any(row["topic_id"] == _GENERAL for row in stored):
        stored = [{**general, "is_closed": 0, "is_hidden": 0}, *stored]
    none: Row = {"sent_s": None, "unread": 0}
    full = [{**row, **said.get(row["topic_id"], none)} for row in stored]
    return sorted(full, key=lambda row: (-(row["sent_s"] or row["made_s"]), row["topic_id"]))


def _record(row: Row) -> dict[str, Any]:
    told = {"id": row["topic_id"], "title": clean_text(row["title"] or "(no title)", _SHOWN_MAX)}
    told |= {"unread": row["unread"]} if row["unread"] else {}
    told |= {"closed": bool(row["is_closed"]), "hidden": bool(row["is_hidden"])}
    return told | ({"last_activity": texts.iso(row["sent_s"])} if row["sent_s"] else {})


@addressed("chat_id")
def enable_forum_topics(ep: Episode, *, chat_id: Id, tabs: bool = True) -> Result:
    """Make a forum of a supergroup. Not simulated: how its topics are laid out, which no tool shows."""
    peer = require(ep, chat_id)
    if peer.kind != "supergroup":
        raise ToolMessage(_NO_SUPERGROUP)
    title = clean_name(peer.row["title"])
    if peer.row["is_forum"]:
        raise ToolMessage(f"Forum topics already enabled for {title}.")
    require_right(ep, peer, "change_info")
    ep.db.update("chats", {"chat_id": peer.id}, is_forum=1)
    admin_log.record(ep, peer, "forum", now=True)
    return f"Forum topics enabled for {title}."


@addressed("chat_id")
def create_forum_topic(
    ep: Episode, *, chat_id: Id, title: str, icon_color: int | None = None, icon_emoji_id: int | None = None
) -> Result:
    """Make a topic of a forum; its number is that of the message that says so. Its own emoji want Premium."""
    peer = require(ep, chat_id)
    if peer.kind != "supergroup":
        raise ToolMessage(_NO_SUPERGROUP)
    if not peer.row["is_forum"]:
        raise ToolMessage(f"{_NO_FORUM} Use enable_forum_topics first.")
    texts.require_printable(title)
    clean = clean_text(title, _TITLE_MAX)
    if icon_color is not None:
        messages.require_number(icon_color)
    if icon_emoji_id is not None and not -(2**63) <= icon_emoji_id < 2**63:
        raise NotFitting
    require_right(ep, peer, "manage_topics")
    if len(clean) > _TITLE_MAX:
        raise Refused("TOPIC_TITLE_TOO_LONG")
    if icon_color is not None and icon_color not in _COLOURS:
        raise Refused("ICON_COLOR_INVALID")
    if icon_emoji_id:
        raise Refused("PREMIUM_ACCOUNT_REQUIRED")
    topic_id = messages.post_message(ep, peer, None, action="topic")
    ep.db.update("messages", {"chat_id": peer.id, "message_id": topic_id}, topic_id=topic_id)
    row = {"icon_color": icon_color or _COLOURS[0], "creator_id": me(ep), "made_s": ep.now_ms // 1000}
    ep.db.insert("topics", chat_id=peer.id, topic_id=topic_id, title=clean, **row)
    admin_log.record(ep, peer, "topic", topic_id=topic_id)
    return results([{"chat_id": peer.marked, "title": clean, "topic_id": topic_id}])
