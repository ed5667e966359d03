"""What people do on Reddit, and what they notice of posts and comments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row
from farm.appkit.acts import Acts, Place, Surroundings

from . import comments, things


def _fullname(row: Row) -> str:
    return f"t1_{row['comment_id']}" if row.get("comment_id") else f"t3_{row['post_id']}"


def reply(ep: Episode, row: Row, *, text: str) -> None:
    """Comment on a post, or answer a comment."""
    comments.post_comment(ep, thing_id=_fullname(row), text=text)


def upvote(ep: Episode, row: Row) -> None:
    """Vote a post or comment up."""
    _vote(ep, row, 1)


def downvote(ep: Episode, row: Row) -> None:
    """Vote a post or comment down."""
    _vote(ep, row, -1)


def _vote(ep: Episode, row: Row, direction: int) -> None:
    table, key = ("comments", "comment_id") if row.get("comment_id") else ("posts", "post_id")
    fullname, column = _fullname(row), "ups" if direction > 0 else "downs"
    if ep.db.scalar("SELECT 1 FROM votes WHERE fullname = ? AND user_id = ?", fullname, ep.me) is None:
        ep.db.insert("votes", fullname=fullname, user_id=ep.me, direction=direction)
        ep.db.execute(f"UPDATE {table} SET {column} = {column} + 1 WHERE {key} = ?", row[key])


def edit(ep: Episode, row: Row, *, text: str) -> None:
    """Change what they said last under the post."""
    sql = "SELECT comment_id FROM comments WHERE post_id = ? AND user_id = ? ORDER BY created_s DESC, comment_id DESC"
    found = ep.db.scalar(f"{sql} LIMIT 1", row["post_id"], ep.me)
    things.edit(ep, thing_id=f"t1_{found}", text=text)


def _around_post(ep: Episode, row: Row) -> Mapping[str, Any]:
    sql = "SELECT name FROM subreddits WHERE subreddit_id = ?"
    return {"subreddit": ep.db.scalar(sql, row["subreddit_id"]) or "", "to": []}


def _around_comment(ep: Episode, row: Row) -> Mapping[str, Any]:
    sql = "SELECT p.title, p.user_id, s.name FROM posts p JOIN subreddits s USING (subreddit_id) WHERE post_id = ?"
    post = ep.db.one(sql, row["post_id"])
    assert post is not None, "a comment is under a post"
    answered = post["user_id"]
    if row["parent_id"]:
        answered = ep.db.scalar("SELECT user_id FROM comments WHERE comment_id = ?", row["parent_id"])
    return {"subreddit": post["name"], "title": post["title"], "to": [answered]}


ACTS = Acts(
    verbs={"reply": reply, "upvote": upvote, "downvote": downvote, "edit": edit},
    around={
        "posts": Surroundings(("subreddit", "to"), _around_post),
        "comments": Surroundings(("subreddit", "title", "to"), _around_comment),
    },
    places={"subreddit": Place("subreddits", "name")},
)
