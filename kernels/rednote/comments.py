"""Comments: the threads under a note, and writing into them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.javascript import js_length

from . import access, cards, errors, texts
from .ids import stamped
from .sessions import find_viewer

LENGTH_MAX = 300
_POST = "发表评论"
_REPLY = "回复评论"

_VISIBLE_REPLIES = """
SELECT c.comment_id, c.note_id, c.content, c.time, c.ip_location, c.user_id, c.root_id, u.nickname, u.avatar,
       c.liked_base + (SELECT count(*) FROM comment_likes l WHERE l.comment_id = c.comment_id) AS liked_count,
       EXISTS (SELECT 1 FROM comment_likes l WHERE l.comment_id = c.comment_id AND l.user_id = :me) AS is_liked"""
_FROM = "FROM comments c JOIN users u USING (user_id)"
_ROOTS = f"""{_VISIBLE_REPLIES},
       (SELECT count(*) FROM comments r WHERE r.root_id = c.comment_id AND r.status = 'NORMAL') AS reply_count
{_FROM} WHERE c.note_id = :note AND c.root_id IS NULL AND c.status = 'NORMAL'
ORDER BY c.time DESC, c.comment_id DESC LIMIT :limit"""
_REPLIES = f"""{_VISIBLE_REPLIES}
{_FROM} WHERE c.root_id IN (SELECT value FROM json_each(:roots)) AND c.status = 'NORMAL'
ORDER BY c.time, c.comment_id"""
_FIRST_REPLIES = f"""{_VISIBLE_REPLIES}
{_FROM} WHERE c.comment_id IN (
    SELECT (SELECT r.comment_id FROM comments r WHERE r.root_id = j.value AND r.status = 'NORMAL'
            ORDER BY r.time, r.comment_id LIMIT 1) FROM json_each(:roots) j)
ORDER BY c.time, c.comment_id"""

# In the order of the page: threads newest first, in a thread the top comment and then the replies.
_FIRST_BY_USER = """
SELECT c.comment_id, c.root_id FROM comments c LEFT JOIN comments r ON r.comment_id = c.root_id
WHERE c.note_id = ? AND c.user_id = ? AND c.status = 'NORMAL' AND coalesce(r.status, 'NORMAL') = 'NORMAL'
ORDER BY coalesce(r.time, c.time) DESC, coalesce(c.root_id, c.comment_id) DESC, c.root_id IS NOT NULL, c.time,
         c.comment_id
LIMIT 1
"""
_BY_ID = """
SELECT c.comment_id, c.root_id FROM comments c LEFT JOIN comments r ON r.comment_id = c.root_id
WHERE c.comment_id = ? AND c.note_id = ? AND c.status = 'NORMAL' AND coalesce(r.status, 'NORMAL') = 'NORMAL'
"""


def page(ep: Episode, viewer: str, note: Row, *, size: int, unfold: int) -> dict[str, Any]:
    """Return the comment list of a note's page.

    Reads all comments: a comment tells how many replies it has, and short threads are shown whole.

    Args:
        size: most top-level comments.
        unfold: show all replies of threads with up to this many; the others, and all at 0, show their first.
    """
    if not viewer:
        # A visitor sees a login wall instead.
        return {"list": [], "cursor": "", "hasMore": False}
    size = min(size, 10_000)
    found = ep.db.all(_ROOTS, me=viewer, note=note["note_id"], limit=size + 1)
    roots, has_more = found[:size], len(found) > size
    unfolded = [root["comment_id"] for root in roots if 0 < root["reply_count"] <= unfold]
    folded = [root["comment_id"] for root in roots if root["reply_count"] > unfold]
    threads = defaultdict(list)
    for sql, ids in ((_REPLIES, unfolded), (_FIRST_REPLIES, folded)):
        for reply in ep.db.all(sql, me=viewer, roots=cards.id_list(ids)) if ids else ():
            threads[reply["root_id"]].append(reply)
    author = note["user_id"]
    listed = []
    for root in roots:
        # The site gives a comment a list of replies, an empty one too, and a reply none.
        under = [_comment(reply, author, count="", under=None) for reply in threads[root["comment_id"]]]
        listed.append(_comment(root, author, count=texts.counter(root["reply_count"]), under=under))
    return {"list": listed, "cursor": roots[-1]["comment_id"] if has_more else "", "hasMore": has_more}


def _comment(row: Row, author: str, *, count: str, under: list[dict[str, Any]] | None) -> dict[str, Any]:
    return {
        "id": row["comment_id"],
        "noteId": row["note_id"],
        "content": row["content"],
        "likeCount": texts.counter(row["liked_count"]),
        "createTime": row["time"],
        "ipLocation": row["ip_location"],
        "liked": bool(row["is_liked"]),
        "userInfo": cards.user(row, size="?imageView2/2/w/120/format/jpg"),
        "subCommentCount": count,
        "subComments": under,
        "showTags": ["is_author"] if row["user_id"] == author else [],
    }


def write(ep: Episode, *, note_id: str, content: str, target: Row | None = None) -> str:
    """Store a comment by the signed-in user, a reply when there is a target, and return its id.

    Own comments notify nobody: a notification is something another user does to the account.
    """
    target_id = None if target is None else target["comment_id"]
    root_id = None if target is None else target["root_id"] or target_id
    comment_id = stamped(ep, "comment")
    ep.db.insert(
        "comments",
        comment_id=comment_id,
        note_id=note_id,
        user_id=ep.me,
        root_id=root_id,
        target_id=target_id,
        content=content,
        time=ep.now_ms,
        ip_location=ep.db.scalar("SELECT ip_location FROM users WHERE user_id = ?", ep.me),
    )
    return comment_id


def is_sendable(content: str) -> bool:
    """Say whether the page sends a text; its button is dead for a blank one and for more than 300 characters."""
    return bool(content.strip()) and js_length(content) <= LENGTH_MAX


def post_comment_to_feed(ep: Episode, *, feed_id: str, xsec_token: str, content: str) -> Result:
    """Write a top-level comment under a note. The answer does not name the comment.

    Raises:
        MissingArgument: an argument is empty.
        NoteInaccessible: the note does not open.
        CommentBoxMissing: nobody is signed in.
        CommentNotConfirmed: the page does not send the text.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (comment_feed.go)
    """
    access.require_given(_POST, feed_id=feed_id, xsec_token=xsec_token, content=content)
    viewer = find_viewer(ep)
    access.require_open(ep, _POST, viewer, feed_id, xsec_token)
    if not viewer:
        raise errors.CommentBoxMissing(_POST)
    if not is_sendable(content):
        raise errors.CommentNotConfirmed(_POST, feed_id=feed_id)
    write(ep, note_id=feed_id, content=content)
    return f"评论发表成功 - Feed ID: {feed_id}"


def reply_comment_in_feed(
    ep: Episode, *, feed_id: str, xsec_token: str, content: str, comment_id: str = "", user_id: str = ""
) -> Result:
    """Answer a comment under a note.

    Args:
        comment_id: the comment; looked for first.
        user_id: otherwise the first comment of the page by this user.

    Raises:
        MissingReplyTarget: neither is given.
        MissingArgument: another argument is empty.
        NoteInaccessible: the note does not open.
        CommentNotFound: no such comment under the note, or nobody is signed in.
        ReplyNotConfirmed: the page does not send the text.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (comment_feed.go)
    """
    if not comment_id and not user_id:
        raise errors.MissingReplyTarget
    access.require_given(_REPLY, feed_id=feed_id, xsec_token=xsec_token, content=content)
    viewer = find_viewer(ep)
    access.require_open(ep, _REPLY, viewer, feed_id, xsec_token)
    target = _find_target(ep, feed_id, comment_id, user_id) if viewer else None
    if target is None:
        raise errors.CommentNotFound(_REPLY, comment_id=comment_id, user_id=user_id)
    if not is_sendable(content):
        raise errors.ReplyNotConfirmed(_REPLY)
    write(ep, note_id=feed_id, content=content, target=target)
    return f"评论回复成功 - Feed ID: {feed_id}, Comment ID: {comment_id}, User ID: {user_id}"


def _find_target(ep: Episode, note_id: str, comment_id: str, user_id: str) -> Row | None:
    found = ep.db.one(_BY_ID, comment_id, note_id) if comment_id else None
    return found or (ep.db.one(_FIRST_BY_USER, note_id, user_id) if user_id else None)
