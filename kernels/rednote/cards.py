"""The shapes that several tools show: users, pictures, counters, and notes as cards in a list."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from farm.appkit import CachedRow, Episode, Row, memoised_row

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

LIKES = "n.liked_base + (SELECT count(*) FROM likes l WHERE l.note_id = n.note_id)"
COLLECTIONS = "n.collected_base + (SELECT count(*) FROM favorites l WHERE l.note_id = n.note_id)"
# As many as can be read: what answers a deleted comment went with it.
COMMENTS = """(SELECT count(*) FROM comments c LEFT JOIN comments r ON r.comment_id = c.root_id
 WHERE c.note_id = n.note_id AND c.status = 'NORMAL' AND coalesce(r.status, 'NORMAL') = 'NORMAL')"""
IS_LIKED = "EXISTS (SELECT 1 FROM likes l WHERE l.note_id = n.note_id AND l.user_id = :me) AS is_liked"
IS_COLLECTED = "EXISTS (SELECT 1 FROM favorites l WHERE l.note_id = n.note_id AND l.user_id = :me) AS is_collected"

_CARD = f"""
SELECT n.note_id, n.type, n.title, n.user_id, u.nickname, u.avatar, i.width, i.height, i.file_id, v.duration,
       {LIKES} AS liked_count, {IS_LIKED}"""
_FROM = """
FROM notes n JOIN users u USING (user_id)
LEFT JOIN note_images i ON i.note_id = n.note_id AND i.position = 0
LEFT JOIN videos v ON v.note_id = n.note_id
"""
# What a card is made of; a list adds its conditions and its order.
CARDS = _CARD + _FROM
# The same with every counter, as the search shows them.
FULL_CARDS = f"""
{_CARD}, n.shared_count AS shares, {COMMENTS} AS comment_count, {COLLECTIONS} AS collected_count, {IS_COLLECTED}
{_FROM} WHERE n.note_id IN (SELECT value FROM json_each(:notes))
"""


def user(row: Row, size: str = "") -> dict[str, Any]:
    """Return the author of a note or, in the ``size`` the site sends there, of a comment; the nickname comes twice."""
    return {
        "userId": row["user_id"],
        "nickname": row["nickname"],
        "nickName": row["nickname"],
        "avatar": avatar(row["user_id"], row["avatar"]) + size,
    }


def avatar(user_id: str, name: str) -> str:
    """Return the address of a user's picture; a user without one has a picture named like the account."""
    return f"{_AVATARS}{name or user_id}.jpg"


def picture(file_id: str, style: str) -> str:
    """Return the address of a picture in one of the site's sizes."""
    return f"{_PICTURES}{file_id}!{style}"


def interactions(row: Row) -> dict[str, Any]:
    """Return a note's counters, all of them where the row has the shares."""
    return {
        "liked": bool(row["is_liked"]),
        "likedCount": texts.counter(row["liked_count"]),
        "sharedCount": texts.counter(row["shares"]) if "shares" in row else "",
        "commentCount": texts.counter(row["comment_count"]),
        "collectedCount": texts.counter(row["collected_count"]),
        "collected": bool(row["is_collected"]),
    }


def _likes_only(row: Row) -> dict[str, Any]:
    """Return what the home feed and profiles show of a note's counters."""
    likes = {"liked": bool(row["is_liked"]), "likedCount": texts.counter(row["liked_count"])}
    return {**likes, "sharedCount": "", "commentCount": "", "collectedCount": "", "collected": False}


def feeds(ep: Episode, viewer: str, rows: Sequence[Row]) -> list[CachedRow]:
    """Return rows of ``CARDS`` or ``FULL_CARDS`` as a body's list of feeds shows them."""
    return [_feed(row, viewer, ep.seed, index) for index, row in enumerate(rows)]


# Measured: a first screen takes 250 µs, and twice that without it.
@memoised_row(depth=2)
def _feed(row: Row, viewer: str, seed: int, index: int) -> dict[str, Any]:
    card: dict[str, Any] = {
        "type": row["type"],
        "displayTitle": row["title"],
        "user": user(row),
        "interactInfo": interactions(row) if "shares" in row else _likes_only(row),
        "cover": _cover(row),
    }
    if row["duration"] is not None:
        card["video"] = {"capa": {"duration": row["duration"]}}
    return {
        "xsecToken": tokens.note_token(seed, viewer, row["note_id"]),
        "id": row["note_id"],
        "modelType": "note",
        "noteCard": card,
        "index": index,
    }


def _cover(row: Row) -> dict[str, Any]:
    file_id = row["file_id"]
    if file_id is None:
        return {"width": 0, "height": 0, "url": "", "fileId": "", "urlPre": "", "urlDefault": "", "infoList": []}
    preview, default = picture(file_id, "nc_n_webp_prv_1"), picture(file_id, "nc_n_webp_mw_1")
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


def id_list(ids: Sequence[str]) -> str:
    """Return ids as the JSON that ``json_each`` reads in a statement."""
    return json.dumps(ids)
