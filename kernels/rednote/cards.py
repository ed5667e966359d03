"""The shapes that several tools show: users, pictures, counters, and notes as cards in a list."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from farm.kernel import Episode, Quoted, Row
from farm.render import quoted_go

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

_CARD = f"""
SELECT n.note_id, n.type, n.title, n.user_id, u.nickname, u.avatar, i.width, i.height, i.file_id, v.duration,
       {LIKED_COUNT}, {IS_LIKED}"""
_FROM = """
FROM notes n JOIN users u USING (user_id)
LEFT JOIN note_images i ON i.note_id = n.note_id AND i.position = 0
LEFT JOIN videos v ON v.note_id = n.note_id
"""
# What a card is made of; a list adds its conditions and its order.
CARDS = _CARD + _FROM
# The same with every counter, as the search shows them.
FULL_CARDS = f"""
{_CARD}, n.shared_count, {COMMENT_COUNT}, {COLLECTED_COUNT}, {IS_COLLECTED}
{_FROM} WHERE n.note_id IN (SELECT value FROM json_each(:notes))
"""
# A row of either.
CardRow = tuple[Any, ...]


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


def with_feeds(ep: Episode, viewer: str, body: dict[str, Any], rows: Sequence[CardRow]) -> Quoted:
    """Return a body whose ``feeds``, None until now, are rows of ``CARDS`` or ``FULL_CARDS``, in their order."""
    feeds = b",\\n    ".join(
        [_FEED % (tokens.note_token(ep, viewer, row[0]).encode(), _feed(*row), at) for at, row in enumerate(rows)]
    )
    listed = rb"\"feeds\": [\n    %b\n  ]" % feeds if rows else rb"\"feeds\": []"
    return Quoted(quoted_go(body).replace(rb"\"feeds\": null", listed, 1))


_FEED = rb"{\n      \"xsecToken\": \"%b\",\n      %b,\n      \"index\": %d\n    }"


@lru_cache(maxsize=2048)
def _feed(
    note_id: str,
    kind: str,
    title: str,
    user_id: str,
    nickname: str,
    avatar_name: str,
    width: int | None,
    height: int | None,
    file_id: str | None,
    duration: int | None,
    liked_count: int,
    is_liked: int,
    *more: int,
) -> bytes:
    """Return the fields of a feed that depend on its row alone: printed once, for lists show a note again and again."""
    card: dict[str, Any] = {
        "type": kind,
        "displayTitle": title,
        "user": {
            "userId": user_id,
            "nickname": nickname,
            "nickName": nickname,
            "avatar": avatar(user_id, avatar_name),
        },
        "interactInfo": _interactions(liked_count, is_liked, *more),
        "cover": _cover(width, height, file_id),
    }
    if duration is not None:
        card["video"] = {"capa": {"duration": duration}}
    printed = quoted_go({"id": note_id, "modelType": "note", "noteCard": card}, depth=2)
    return printed.removeprefix(rb"{\n      ").removesuffix(rb"\n    }")


def _interactions(liked_count: int, is_liked: int, *more: int) -> dict[str, Any]:
    """Return a note's counters; the home feed and profiles carry likes only."""
    shown = {"liked": bool(is_liked), "likedCount": texts.counter(liked_count)}
    if not more:
        return shown | {"sharedCount": "", "commentCount": "", "collectedCount": "", "collected": False}
    shared_count, comment_count, collected_count, is_collected = more
    return shown | {
        "sharedCount": texts.counter(shared_count),
        "commentCount": texts.counter(comment_count),
        "collectedCount": texts.counter(collected_count),
        "collected": bool(is_collected),
    }


def _cover(width: int | None, height: int | None, file_id: str | None) -> dict[str, Any]:
    if file_id is None:
        return {"width": 0, "height": 0, "url": "", "fileId": "", "urlPre": "", "urlDefault": "", "infoList": []}
    preview, default = picture(file_id, "nc_n_webp_prv_1"), picture(file_id, "nc_n_webp_mw_1")
    scenes = [{"imageScene": "WB_PRV", "url": preview}, {"imageScene": "WB_DFT", "url": default}]
    return {
        "width": width,
        "height": height,
        "url": "",
        "fileId": "",
        "urlPre": preview,
        "urlDefault": default,
        "infoList": scenes,
    }


def id_list(ids: Sequence[str]) -> str:
    """Return ids as the JSON that ``json_each`` reads in a statement."""
    return json.dumps(ids)
