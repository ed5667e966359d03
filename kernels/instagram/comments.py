"""Comments on the account's posts, and the account's answers to them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from farm.appkit import Episode, Result, Row

from . import errors, pagination
from .accounts import connected, time_text
from .media import require_media

_PAGE_MAX = 50
_TEXT_MAX, _HASHTAGS_MAX, _LINKS_MAX = 300, 4, 1
_HASHTAG, _LINK = re.compile(r"(?<!\w)#\w+"), re.compile(r"https?://\S+|(?<![\w@.])www\.\S+")
_COMMENTS = """
SELECT comments.*, users.username FROM comments JOIN users USING (user_id)
WHERE media_id = :post AND parent_id IS NULL
"""
_ANSWERS = """
SELECT parent_id, created_ms, text, comment_id FROM comments WHERE parent_id IN (SELECT value FROM json_each(?))
ORDER BY parent_id, created_ms, comment_id
"""
_FIELDS = "id,text,username,timestamp,like_count,replies"


def get_comments(
    ep: Episode,
    *,
    ig_post_id: str,
    limit: int = 25,
    after: str | None = None,
    graph_api_version: str = "v21.0",
) -> Result:
    """Return the comments on a post of the account, newest first, at most fifty, each with the answers to it.

    Raises:
        NoToken, UnsupportedGet: as ``media.require_media``.
        InvalidParameter, InvalidCursor: as ``pagination.fetch_page``.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media/comments
    """
    post = require_media(ep, ig_post_id)
    page = pagination.fetch_page(
        ep, _COMMENTS, "comment_id", limit=limit, after=after, limit_max=_PAGE_MAX, post=post["media_id"]
    )
    answers = _answers(ep, page.rows)
    told: dict[str, Any] = {"data": [_comment_to_json(row, answers[row["comment_id"]]) for row in page.rows]}
    beside = page.paging(f"{post['media_id']}/comments", graph_api_version, _FIELDS)
    # Only what follows is told, and nothing where there is nothing.
    if "next" in beside:
        told["paging"] = {"cursors": {"after": beside["cursors"]["after"]}, "next": beside["next"]}
    return told


def reply(ep: Episode, *, ig_comment_id: str, message: str, graph_api_version: str = "") -> Result:
    """Answer a comment as the account. An answer to an answer stands under the comment that began it.

    Raises:
        NoToken: nothing is connected.
        UnsupportedPost: there is no such comment on the account's posts.
        ParameterRequired: nothing is said.
        CommentNotAllowed: more than 300 characters, four hashtags or one link, or capitals only.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-comment/replies
    """
    account = connected(ep)
    answered = ep.db.one(
        "SELECT comments.* FROM comments JOIN media USING (media_id) WHERE comment_id = ? AND ig_user_id = ?",
        ig_comment_id,
        account["ig_user_id"],
    )
    if answered is None:
        raise errors.UnsupportedPost(ep, id=ig_comment_id)
    if not message.strip():
        raise errors.ParameterRequired(ep, name="message")
    _require_fitting(ep, message)
    comment_id = ep.new_id("comment")
    ep.db.insert(
        "comments",
        comment_id=comment_id,
        media_id=answered["media_id"],
        parent_id=answered["parent_id"] or answered["comment_id"],
        user_id=account["ig_user_id"],
        text=message,
        created_ms=ep.now_ms,
    )
    return {"id": comment_id}


def _require_fitting(ep: Episode, message: str) -> None:
    letters = [each for each in message if each.isalpha()]
    problems = (
        (len(message) > _TEXT_MAX, "The comment is longer than 300 characters."),
        (len(_HASHTAG.findall(message)) > _HASHTAGS_MAX, "The comment has more than 4 hashtags."),
        (len(_LINK.findall(message)) > _LINKS_MAX, "The comment has more than 1 URL."),
        (bool(letters) and all(each.isupper() for each in letters), "The comment consists of capital letters only."),
    )
    for is_so, problem in problems:
        if is_so:
            raise errors.CommentNotAllowed(ep, problem=problem)


def _answers(ep: Episode, comments: Sequence[Row]) -> dict[str, list[dict[str, Any]]]:
    """Return the answers to some comments. Nobody asked for more of one than the API gives by itself, so its author
    is not told.
    """
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in ep.db.all(_ANSWERS, json.dumps([comment["comment_id"] for comment in comments])):
        answer = {"timestamp": time_text(row["created_ms"]), "text": row["text"], "id": row["comment_id"]}
        found[row["parent_id"]].append(answer)
    return found


def _comment_to_json(row: Row, answers: list[dict[str, Any]]) -> dict[str, Any]:
    told = {"id": row["comment_id"], "text": row["text"], "username": row["username"]}
    told |= {"timestamp": time_text(row["created_ms"]), "like_count": row["like_count"]}
    if answers:
        told["replies"] = {"data": answers}
    return told
