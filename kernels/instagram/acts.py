"""What people do on Instagram, and what they notice of posts, comments and messages of an account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row, VendorError
from farm.appkit.acts import Acts, Surroundings


class GoneError(VendorError):
    """The post, comment or conversation is gone."""


def reply(ep: Episode, row: Row, *, text: str) -> None:
    """Comment on a post, answer a comment, or write back in a conversation."""
    if row.get("conversation_id"):
        ids = {"message_id": ep.new_id("message"), "conversation_id": row["conversation_id"]}
        ep.db.insert("messages", **ids, from_id=ep.me, text=text, created_ms=ep.now_ms)
        return
    if ep.db.scalar("SELECT 1 FROM media WHERE media_id = ?", row["media_id"]) is None:
        raise GoneError
    parent_id = (row["parent_id"] or row["comment_id"]) if row.get("comment_id") else None
    said = {"comment_id": ep.new_id("comment"), "media_id": row["media_id"], "parent_id": parent_id}
    ep.db.insert("comments", **said, user_id=ep.me, text=text, created_ms=ep.now_ms)


def like(ep: Episode, row: Row) -> None:
    """Like a post or a comment."""
    table, key = ("comments", "comment_id") if row.get("comment_id") else ("media", "media_id")
    if not ep.db.execute(f"UPDATE {table} SET like_count = like_count + 1 WHERE {key} = ?", row[key]):
        raise GoneError


def _around_message(ep: Episode, row: Row) -> Mapping[str, Any]:
    sql = "SELECT user_id, ig_user_id FROM conversations WHERE conversation_id = ?"
    found = ep.db.one(sql, row["conversation_id"])
    assert found is not None, "a message is in a conversation"
    both = (found["user_id"], found["ig_user_id"])
    return {"to": [each for each in both if each != row["from_id"]]}


def _around_comment(ep: Episode, row: Row) -> Mapping[str, Any]:
    caption = ep.db.scalar("SELECT caption FROM media WHERE media_id = ?", row["media_id"])
    answered = row["parent_id"] and ep.db.scalar("SELECT user_id FROM comments WHERE comment_id = ?", row["parent_id"])
    # Who answers in a thread answers everybody in it.
    sql = "SELECT DISTINCT user_id FROM comments WHERE parent_id = ? AND user_id != ? ORDER BY user_id"
    others = [each["user_id"] for each in ep.db.all(sql, row["parent_id"], row["user_id"])] if answered else []
    return {"caption": caption or "", "to": list(dict.fromkeys([*([answered] if answered else []), *others]))}


ACTS = Acts(
    verbs={"reply": reply, "like": like},
    around={
        "messages": Surroundings(("to",), _around_message),
        "comments": Surroundings(("caption", "to"), _around_comment),
    },
)
