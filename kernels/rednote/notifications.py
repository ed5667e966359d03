"""The notification page: three tabs, their unread marks, and answering from there."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.go import go_quote

from . import comments, errors, tokens
from .sessions import find_viewer

_LIST = "获取通知列表"
_REPLY = "回复"
_LIKE = "点赞"
_LIMIT, _LIMIT_MAX = 20, 10_000
_TABS = {"": "mentions", "mentions": "mentions", "likes": "likes", "connections": "connections"}

_ITEMS = """
SELECT t.id, t.type, t.title, t.time, t.from_id, u.nickname, n.note_id, n.title AS note_title,
       t.comment_id, c.content, c.root_id,
       coalesce(n.status, 'NORMAL') = 'NORMAL' AND coalesce(c.status, 'NORMAL') = 'NORMAL' AS is_shown,
       EXISTS (SELECT 1 FROM comment_likes l WHERE l.comment_id = t.comment_id AND l.user_id = t.user_id) AS is_liked
FROM notifications t JOIN users u ON u.user_id = t.from_id
LEFT JOIN comments c ON c.comment_id = t.comment_id LEFT JOIN notes n ON n.note_id = coalesce(t.note_id, c.note_id)
"""
_OF_TAB = "WHERE t.user_id = ? AND t.tab = ? ORDER BY t.time DESC, t.id DESC LIMIT ?"
# By the index of comments: SQLite would rather walk the whole tab in its order.
_ABOUT = "WHERE +t.user_id = ? AND +t.tab = ? AND t.comment_id = ? ORDER BY +t.time DESC, t.id DESC"


def get_unread_count(ep: Episode) -> Result:
    """Return how many notifications of each tab are unread, and together; nothing is marked as read.

    Reads all notifications: the unread ones are counted, by an index that holds no others.

    Raises:
        UnreadCountMissing: nobody is signed in.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (notification.go)
    """
    viewer = find_viewer(ep)
    if not viewer:
        raise errors.UnreadCountMissing("获取未读数")
    rows = ep.db.all(
        "SELECT tab, count(*) AS unread FROM notifications WHERE user_id = ? AND unread GROUP BY tab ORDER BY tab",
        viewer,
    )
    unread = {row["tab"]: row["unread"] for row in rows}
    counts = {tab: unread.get(tab, 0) for tab in ("mentions", "likes", "connections")}
    return {**counts, "unread": sum(counts.values())}


def list_notifications(ep: Episode, *, tab: str = "", limit: int = 0) -> Result:
    """Return the notifications of a tab, newest first, and mark the whole tab as read.

    Reads all notifications: the unread ones are marked, by an index that holds no others.

    Args:
        tab: ``mentions``, ``likes`` or ``connections``.
        limit: most entries; 0 or less is 20. Entries whose note or comment is gone are counted, not shown.

    Raises:
        UnknownNotificationTab: there is no such tab.
        TabMissing: nobody is signed in.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (notification.go)
    """
    chosen = _TABS.get(tab.strip().lower())
    if chosen is None:
        raise errors.UnknownNotificationTab(_LIST, tab=go_quote(tab))
    viewer = _require_viewer(ep, _LIST, chosen)
    size = min(limit, _LIMIT_MAX) if limit > 0 else _LIMIT
    items: list[dict[str, Any]] = []
    filtered = 0
    for row in _newest(ep, viewer, chosen, size):
        if len(items) == size:
            break
        if row["is_shown"]:
            items.append(_item(ep, viewer, row))
        else:
            filtered += 1
    ep.db.execute("UPDATE notifications SET unread = 0 WHERE user_id = ? AND tab = ? AND unread", viewer, chosen)
    return {"tab": chosen, "filtered": filtered, "items": items}


def _newest(ep: Episode, viewer: str, tab: str, size: int) -> list[Row]:
    """Return at least so many entries that are shown, and those between them that are not, newest first."""
    most = size
    while True:
        rows = ep.db.all(f"{_ITEMS} {_OF_TAB}", viewer, tab, most)
        hidden = sum(not row["is_shown"] for row in rows)
        if len(rows) < most or len(rows) - hidden >= size:
            return rows
        most += hidden


def _require_viewer(ep: Episode, verb: str, tab: str) -> str:
    viewer = find_viewer(ep)
    if not viewer:
        raise errors.TabMissing(verb, tab=tab)
    return viewer


def _item(ep: Episode, viewer: str, row: Row) -> dict[str, Any]:
    token = tokens.user_token(ep.seed, viewer, row["from_id"])
    item: dict[str, Any] = {
        "id": row["id"],
        "type": row["type"],
        "title": row["title"],
        "time": row["time"],
        "from": {"user_id": row["from_id"], "nickname": row["nickname"], "xsec_token": token},
    }
    # Go leaves these out when they are empty; liked has no such mark.
    if row["comment_id"] is not None:
        item["comment_id"] = row["comment_id"]
    if row["content"]:
        item["comment_text"] = row["content"]
    item["liked"] = bool(row["is_liked"])
    if row["note_id"] is not None:
        item["feed_id"] = row["note_id"]
        item["feed_xsec_token"] = tokens.note_token(ep.seed, viewer, row["note_id"])
    if row["note_title"]:
        item["feed_title"] = row["note_title"]
    return item


def _require_mention(ep: Episode, verb: str, comment_id: str) -> Row:
    """Return the newest entry of the mentions tab that is about a comment.

    Raises:
        TabMissing: nobody is signed in.
        NotificationNotFound: the tab has no entry about it.
        NotificationHidden: the comment or its note is gone.
    """
    viewer = _require_viewer(ep, verb, "mentions")
    row = ep.db.one(f"{_ITEMS} {_ABOUT}", viewer, "mentions", comment_id)
    if row is None:
        raise errors.NotificationNotFound(verb, comment_id=comment_id)
    if not row["is_shown"]:
        raise errors.NotificationHidden(verb, comment_id=comment_id)
    return row


def reply_notification(ep: Episode, *, comment_id: str, content: str) -> Result:
    """Answer a comment from the mentions tab. The tab stays unread.

    Raises:
        MissingCommentId, EmptyReply: blank arguments.
        TabMissing, NotificationNotFound, NotificationHidden: as ``_require_mention``.
        NotificationReplyNotConfirmed: the page does not send the text.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (notification_reply.go)
    """
    if not comment_id.strip():
        raise errors.MissingCommentId(_REPLY)
    if not content.strip():
        raise errors.EmptyReply(_REPLY)
    mention = _require_mention(ep, _REPLY, comment_id)
    if not comments.is_sendable(content):
        raise errors.NotificationReplyNotConfirmed(_REPLY)
    comments.write(ep, note_id=mention["note_id"], content=content, target=mention)
    return {
        "comment_id": comment_id,
        "nickname": mention["nickname"],
        "feed_id": mention["note_id"],
        "content": content,
    }


def like_notification(ep: Episode, *, comment_id: str, unlike: bool = False) -> Result:
    """Like a comment from the mentions tab, or take the like back; ``skipped`` says it was so already.

    Raises:
        MissingCommentId: a blank id.
        TabMissing, NotificationNotFound, NotificationHidden: as ``_require_mention``.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (notification_like.go)
    """
    if not comment_id.strip():
        raise errors.MissingCommentId(_LIKE)
    mention = _require_mention(ep, _LIKE, comment_id)
    wanted = not unlike
    skipped = bool(mention["is_liked"]) == wanted
    if not skipped and wanted:
        ep.db.insert("comment_likes", comment_id=comment_id, user_id=ep.me, time=ep.now_ms)
    elif not skipped:
        ep.db.delete("comment_likes", comment_id=comment_id, user_id=ep.me)
    return {"comment_id": comment_id, "nickname": mention["nickname"], "liked": wanted, "skipped": skipped}
