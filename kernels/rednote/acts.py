"""What people do on Rednote, and what they notice of notes, comments and likes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row, Value, VendorError
from farm.appkit.acts import Acts, Surroundings

from . import comments


class GoneError(VendorError):
    """The note or comment is gone."""


def reply(ep: Episode, row: Row, *, text: str) -> None:
    """Comment on a note, or answer a comment; whose it is gets a notification."""
    target = None
    owner = ep.db.scalar("SELECT user_id FROM notes WHERE note_id = ? AND status = 'NORMAL'", row["note_id"])
    if owner is None:
        raise GoneError
    if row.get("comment_id"):
        sql = "SELECT comment_id, root_id, user_id FROM comments WHERE comment_id = ? AND status = 'NORMAL'"
        target = ep.db.one(sql, row["comment_id"])
        if target is None:
            raise GoneError
    made = comments.write(ep, note_id=row["note_id"], content=text, target=target)
    told = owner if target is None else target["user_id"]
    kind, title = ("comment/item", "评论了你的笔记") if target is None else ("comment/comment", "回复了你的评论")
    _tell(ep, told, "mentions", kind, title, note_id=row["note_id"], comment_id=made)


def like(ep: Episode, row: Row) -> None:
    """Like a note, or a comment."""
    if row.get("comment_id"):
        table, key, owner = "comment_likes", {"comment_id": row["comment_id"]}, row["user_id"]
        said = ("likes", "liked/comment", "赞了你的评论")
        about = {"note_id": row["note_id"], "comment_id": row["comment_id"]}
    else:
        table, key, about = "likes", {"note_id": row["note_id"]}, {"note_id": row["note_id"]}
        owner = ep.db.scalar("SELECT user_id FROM notes WHERE note_id = ?", row["note_id"])
        said = ("likes", "liked/item", "赞了你的笔记")
    (column, value), *_ = key.items()
    if ep.db.scalar(f"SELECT 1 FROM {table} WHERE {column} = ? AND user_id = ?", value, ep.me) is None:
        ep.db.insert(table, **key, user_id=ep.me, time=ep.now_ms)
        _tell(ep, owner, *said, **about)


def follow(ep: Episode, row: Row) -> None:
    """Follow whoever wrote the note or comment."""
    key = {"user_id": ep.me, "target_id": row["user_id"]}
    if ep.db.scalar("SELECT 1 FROM follows WHERE user_id = ? AND target_id = ?", *key.values()) is None:
        ep.db.insert("follows", **key, time=ep.now_ms)
        _tell(ep, row["user_id"], "connections", "follow/you", "开始关注你了")


def _tell(ep: Episode, user_id: str, tab: str, kind: str, title: str, **about: str) -> None:
    """Store what the account is told of somebody else's doing."""
    if user_id != ep.me:
        number = 10**18 + ep.hash("notification", ep.now_ms, kind) % (9 * 10**18)
        said: dict[str, Value] = {"tab": tab, "type": kind, "title": title, "from_id": ep.me, "time": ep.now_ms // 1000}
        ep.db.insert("notifications", id=str(number), user_id=user_id, **said, **about, unread=1)


def _around_comment(ep: Episode, row: Row) -> Mapping[str, Any]:
    note = ep.db.one("SELECT title, user_id FROM notes WHERE note_id = ?", row["note_id"])
    assert note is not None, "a comment is under a note"
    answered = note["user_id"]
    if row["target_id"]:
        answered = ep.db.scalar("SELECT user_id FROM comments WHERE comment_id = ?", row["target_id"])
    return {"note": note["title"], "to": [answered]}


def _around_like(ep: Episode, row: Row) -> Mapping[str, Any]:
    note = ep.db.one("SELECT title, user_id FROM notes WHERE note_id = ?", row["note_id"])
    assert note is not None, "a like is on a note"
    return {"note": note["title"], "to": [note["user_id"]]}


ACTS = Acts(
    verbs={"reply": reply, "like": like, "follow": follow},
    around={
        "comments": Surroundings(("note", "to"), _around_comment),
        "likes": Surroundings(("note", "to"), _around_like),
        "favorites": Surroundings(("note", "to"), _around_like),
    },
)
