"""Profiles: a user's head figures and the notes of one tab."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.go import go_quote

from . import access, cards, errors, tokens
from .sessions import find_viewer

FIRST_SCREEN = 30
_USER = "获取用户主页"
_ME = "获取我的主页"

_TABS = {
    "": "note",
    "note": "note",
    "notes": "note",
    "笔记": "note",
    "fav": "fav",
    "favorites": "fav",
    "favorite": "fav",
    "收藏": "fav",
    "liked": "liked",
    "like": "liked",
    "点赞": "liked",
}
_HEAD = """
SELECT u.*,
       u.follows_base + (SELECT count(*) FROM follows f WHERE f.user_id = u.user_id) AS follows,
       u.fans_base + (SELECT count(*) FROM follows f WHERE f.target_id = u.user_id) AS fans,
       u.liked_base
       + (SELECT coalesce(sum(n.liked_base + n.collected_base), 0) FROM notes n
          WHERE n.user_id = u.user_id AND n.status = 'NORMAL')
       + (SELECT count(*) FROM notes n JOIN likes l USING (note_id)
          WHERE n.user_id = u.user_id AND n.status = 'NORMAL')
       + (SELECT count(*) FROM notes n JOIN favorites l USING (note_id)
          WHERE n.user_id = u.user_id AND n.status = 'NORMAL') AS liked_and_collected
FROM users u WHERE u.user_id = ?
"""
_LISTS = {
    "note": f"{cards.CARDS} WHERE n.user_id = :user AND {cards.VISIBLE} ORDER BY n.time DESC, n.note_id LIMIT :limit",
    "fav": f"{cards.CARDS} JOIN favorites t ON t.note_id = n.note_id AND t.user_id = :user "
    f"WHERE {cards.VISIBLE} ORDER BY t.time DESC, n.note_id LIMIT :limit",
    "liked": f"{cards.CARDS} JOIN likes t ON t.note_id = n.note_id AND t.user_id = :user "
    f"WHERE {cards.VISIBLE} ORDER BY t.time DESC, n.note_id LIMIT :limit",
}
# Through which notes a user is seen: their own, and those they commented on.
_SEEN_THROUGH = """
SELECT note_id FROM notes WHERE user_id = :user UNION SELECT note_id FROM comments WHERE user_id = :user
ORDER BY note_id
"""


def user_profile(ep: Episode, *, user_id: str, xsec_token: str, tab: str = "") -> Result:
    """Return a user's figures and the first screen of their notes, favourites or likes.

    Args:
        user_id: the user.
        xsec_token: a token of a note through which the user is seen, or the one a notification gives for the user.
        tab: ``note``, ``fav`` or ``liked``; the latter two are empty when the user does not show them.

    Raises:
        MissingArgument: the id or the token is empty.
        UnknownProfileTab: there is no such tab.
        ProfileMissing: no such user, a token that was not issued for them, or nobody is signed in.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (user_profile.go)
    """
    access.require_given(_USER, user_id=user_id, xsec_token=xsec_token)
    chosen = _tab(_USER, tab)
    viewer = find_viewer(ep)
    if not viewer or not _is_issued(ep, viewer, user_id, xsec_token):
        raise errors.ProfileMissing(_USER)
    return _profile(ep, viewer, user_id, chosen)


def get_my_profile(ep: Episode, *, tab: str = "") -> Result:
    """Return the signed-in user's figures and the first screen of a tab, private notes included.

    Raises:
        UnknownProfileTab: there is no such tab.
        Panic: nobody is signed in; the page has no link to a profile.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (user_profile.go)
    """
    chosen = _tab(_ME, tab)
    viewer = find_viewer(ep)
    if not viewer:
        raise errors.Panic(tool="get_my_profile", detail="context deadline exceeded")
    return _profile(ep, viewer, viewer, chosen)


def _tab(verb: str, tab: str) -> str:
    chosen = _TABS.get(tab.strip().lower())
    if chosen is None:
        raise errors.UnknownProfileTab(verb, tab=go_quote(tab))
    return chosen


def _is_issued(ep: Episode, viewer: str, user_id: str, token: str) -> bool:
    """Reads all notes: a user is seen through any of their own, and
    Reads all comments: through any note that they commented on.
    """
    if ep.db.one("SELECT 1 FROM users WHERE user_id = ?", user_id) is None:
        return False
    if token == tokens.user_token(ep.seed, viewer, user_id):
        return True
    seen = ep.db.all(_SEEN_THROUGH, user=user_id)
    return any(token == tokens.note_token(ep.seed, viewer, row["note_id"]) for row in seen)


def _profile(ep: Episode, viewer: str, user_id: str, tab: str) -> Result:
    """Reads all notes: the likes and favourites of all that a user wrote are summed up."""
    (head,) = ep.db.all(_HEAD, user_id)
    shown = {"note": True, "fav": head["favorites_public"], "liked": head["likes_public"]}[tab]
    rows: list[Row] = []
    if shown or user_id == viewer:
        rows = ep.db.all(_LISTS[tab], me=viewer, now=ep.now_ms, user=user_id, limit=FIRST_SCREEN)
    return {
        "userBasicInfo": {
            "gender": head["gender"],
            "ipLocation": head["ip_location"],
            "desc": head["bio"],
            "imageb": cards.avatar(user_id, head["banner"] or head["avatar"]) + "?imageView2/2/w/540/format/webp",
            "nickname": head["nickname"],
            "images": cards.avatar(user_id, head["avatar"]) + "?imageView2/2/w/360/format/webp",
            "redId": head["red_id"],
        },
        # In full, unlike a note's counters.
        "interactions": [
            {"type": "follows", "name": "关注", "count": str(head["follows"])},
            {"type": "fans", "name": "粉丝", "count": str(head["fans"])},
            {"type": "interaction", "name": "获赞与收藏", "count": str(head["liked_and_collected"])},
        ],
        # Go prints a list that was never appended to as null.
        "feeds": cards.feeds(ep, viewer, rows) or None,
    }
