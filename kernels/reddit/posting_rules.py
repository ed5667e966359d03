"""Who may post and comment in a community, and how often: newcomers wait ten minutes between two posts."""

from __future__ import annotations

import re

from farm.appkit import Episode, Row

from . import errors, subreddits

_PREFIX = re.compile(r"/?r/")
# Below this much karma in a community one waits between posts, and between comments.
_FREE_LINK_KARMA, _FREE_COMMENT_KARMA = 10, 1
_BREAK_S = 600
_LAST = {
    "posts": """
SELECT subreddit_id, created_s FROM posts WHERE user_id = :me AND created_s >= :since ORDER BY created_s DESC, post_id
""",
    "comments": """
SELECT p.subreddit_id, c.created_s FROM comments c JOIN posts p USING (post_id)
WHERE c.user_id = :me AND c.created_s >= :since ORDER BY c.created_s DESC, c.comment_id
""",
}


def require_open(ep: Episode, name: str) -> Row:
    """Return a community that the caller may post in, by its name or path.

    Raises:
        SubredditRequired, SubredditNoexist, SubredditNotallowed: no name, no such community, not for the caller.
    """
    if not name:
        raise errors.SubredditRequired
    path = name.strip()
    prefix = _PREFIX.match(path)
    found = subreddits.find(ep, path[prefix.end() if prefix else 0 :].removesuffix("/"))
    if found is None or found["is_banned"]:
        raise errors.SubredditNoexist
    own = subreddits.standing(ep, found["subreddit_id"])
    is_member = own["is_moderator"] or own["is_contributor"]
    if own["is_banned"] or (found["type"] != "public" and not is_member):
        raise errors.SubredditNotallowed
    return found


def may_comment(ep: Episode, subreddit: Row) -> bool:
    """Whether the caller may comment: in restricted communities everybody may, in private ones members."""
    own = subreddits.standing(ep, subreddit["subreddit_id"])
    is_member = own["is_moderator"] or own["is_contributor"]
    return not own["is_banned"] and (subreddit["type"] != "private" or bool(is_member))


def require_within_rate_limit(ep: Episode, subreddit: Row, table: str) -> None:
    """Refuse a post or comment that comes too soon after the caller's last one.

    Callers with little karma in a community wait ten minutes after their last post, or comment, in such a community.

    Args:
        table: ``posts`` or ``comments``.

    Raises:
        Ratelimit: the ten minutes are not over.
    """
    if _is_trusted(subreddits.standing(ep, subreddit["subreddit_id"]), table):
        return
    for last in ep.db.all(_LAST[table], me=ep.me, since=ep.now_ms // 1000 - _BREAK_S):
        if not _is_trusted(subreddits.standing(ep, last["subreddit_id"]), table):
            left_s = last["created_s"] + _BREAK_S - ep.now_ms / 1000
            if left_s > 0:
                raise errors.Ratelimit(ratelimit=round(left_s, 6), time=_in_words(left_s))


def _is_trusted(own: Row, table: str) -> bool:
    is_special = own["is_moderator"] or own["is_contributor"]
    karma = own["link_karma"] >= _FREE_LINK_KARMA if table == "posts" else own["comment_karma"] >= _FREE_COMMENT_KARMA
    return bool(is_special or karma)


def _in_words(seconds: float) -> str:
    count, unit = (int(seconds / 60), "minute") if seconds >= 60 else (max(1, int(seconds)), "second")
    return f"{count} {unit}{'' if count == 1 else 's'}"
