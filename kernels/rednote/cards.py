"""The shapes that several tools show: users, pictures, counters, and notes as cards in a list."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from farm.kernel import Episode, Row

from . import texts, tokens

_AVATARS = "https://sns-avatar-qc.xhscdn.com/avatar/"
_PICTURES = "http://sns-webpic-qc.xhscdn.com/"

# Who may open a note: everybody, its author alone, or the author's friends, who follow and are followed.
VISIBLE = """
(n.status = 'NORMAL' AND n.time <= :now AND (n.visibility = '公开可见' OR n.user_id = :me
 OR (n.visibility = '仅互关好友可见'
     AND EXISTS (SELECT 1 FROM follows f WHERE f.user_id = :me AND f.target_id = n.user_id)
     AND EXISTS (SELECT 1 FROM follows f WHERE f.user_id = n.user_id AND f.target_id = :me))))
"""
PUBLIC = "(n.status = 'NORMAL' AND n.time <= :now AND n.visibility = '公开可见')"

LIKED_COUNT = "n.liked_base + (SELECT count(*) FROM likes l WHERE l.note_id = n.note_id) AS liked_count"
COLLECTED_COUNT = "n.collected_base + (SELECT count(*) FROM favorites l WHERE l.note_id = n.note_id) AS collected_count"
COMMENT_COUNT = (
    "n.comment_base + (SELECT count(*) FROM comments c WHERE c.note_id = n.note_id AND c.status = 'NORMAL')"
    " AS comment_count"
)
IS_LIKED = "EXISTS (SELECT 1 FROM likes l WHERE l.note_id = n.note_id AND l.user_id = :me) AS is_liked"
IS_COLLECTED = "EXISTS (SELECT 1 FROM favorites l WHERE l.note_id = n.note_id AND l.user_id = :me) AS is_collected"

# What a card is made of; a list adds its conditions and its order.
CARDS = f"""
SELECT n.note_id, n.type, n.title, n.user_id, u.nickname, u.avatar, i.width, i.height, i.file_id, v.duration,
       {LIKED_COUNT}, {IS_LIKED}
FROM notes n JOIN users u USING (user_id)
LEFT JOIN note_images i ON i.note_id = n.note_id AND i.position = 0
LEFT JOIN videos v ON v.note_id = n.note_id
"""

# The same with every counter, as the search shows them.
FULL_CARDS = f"""
SELECT n.note_id, n.type, n.title, n.time, n.user_id, u.nickname, u.avatar, i.width, i.height, i.file_id, v.duration,
       n.shared_count, {LIKED_COUNT}, {COLLECTED_COUNT}, {COMMENT_COUNT}, {IS_LIKED}, {IS_COLLECTED}
FROM notes n JOIN users u USING (user_id)
LEFT JOIN note_images i ON i.note_id = n.note_id AND i.position = 0
LEFT JOIN videos v ON v.note_id = n.note_id
WHERE n.note_id IN (SELECT value FROM json_each(:notes))
"""


def user(row: Row) -> dict[str, Any]:
    """Return the author of a note or comment. The site sends the nickname under two names."""
    return {
        "userId": row["user_id"],
        "nickname": row["nickname"],
        "nickName": row["nickname"],
        "avatar": avatar(row["user_id"], row["avatar"]),
    }


def avatar(user_id: str, name: str) -> str:
    """Return the address of a user's picture; a user without one has a picture named like the account."""
    return f"{_AVATARS}{name or user_id}.jpg?imageView2/2/w/120/format/jpg"


def picture(file_id: str, style: str) -> str:
    """Return the address of a picture in one of the site's sizes."""
    return f"{_PICTURES}{file_id}!{style}"


def full_interactions(row: Row) -> dict[str, Any]:
    """Return a note's counters, all of them."""
    return {
        "liked": bool(row["is_liked"]),
        "likedCount": texts.counter(row["liked_count"]),
        "sharedCount": texts.counter(row["shared_count"]),
        "commentCount": texts.counter(row["comment_count"]),
        "collectedCount": texts.counter(row["collected_count"]),
        "collected": bool(row["is_collected"]),
    }


def _interactions(row: Row) -> dict[str, Any]:
    """Return a note's counters as the home feed and profiles carry them: likes only."""
    return {
        "liked": bool(row["is_liked"]),
        "likedCount": texts.counter(row["liked_count"]),
        "sharedCount": "",
        "commentCount": "",
        "collectedCount": "",
        "collected": False,
    }


def _cover(row: Row) -> dict[str, Any]:
    if row["file_id"] is None:
        return {"width": 0, "height": 0, "url": "", "fileId": "", "urlPre": "", "urlDefault": "", "infoList": []}
    preview, default = picture(row["file_id"], "nc_n_webp_prv_1"), picture(row["file_id"], "nc_n_webp_mw_1")
    scenes = [{"imageScene": "WB_PRV", "url": preview}, {"imageScene": "WB_DFT", "url": default}]
    return {
        "width": row["width"],
        "height": row["height"],
        "url": "",
        "fileId": "",
        "urlPre": preview,
        "urlDefault": default,
        "infoList": scenes,
    }


def cards(ep: Episode, viewer: str, rows: Sequence[Row], *, full: bool = False) -> list[dict[str, Any]]:
    """Return rows of ``CARDS`` (or ``FULL_CARDS``) as the feeds of a list, in their order."""
    feeds = []
    for index, row in enumerate(rows):
        card: dict[str, Any] = {
            "type": row["type"],
            "displayTitle": row["title"],
            "user": user(row),
            "interactInfo": full_interactions(row) if full else _interactions(row),
            "cover": _cover(row),
        }
        if row["duration"] is not None:
            card["video"] = {"capa": {"duration": row["duration"]}}
        feeds.append(
            {
                "xsecToken": tokens.note_token(ep, viewer, row["note_id"]),
                "id": row["note_id"],
                "modelType": "note",
                "noteCard": card,
                "index": index,
            }
        )
    return feeds


def id_list(ids: Sequence[str]) -> str:
    """Return ids as the JSON that ``json_each`` reads in a statement."""
    return json.dumps(ids)
