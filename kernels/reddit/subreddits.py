"""Communities: finding one by name, what the caller is in it, and who may read there."""

from __future__ import annotations

from farm.appkit import Episode, Row

from . import errors

_STANDING = """
SELECT link_karma, comment_karma, is_moderator, is_contributor, is_banned FROM standings
WHERE subreddit_id = ? AND user_id = ?
"""
_NONE: Row = {"link_karma": 0, "comment_karma": 0, "is_moderator": 0, "is_contributor": 0, "is_banned": 0}
# Whose posts the caller may read: of private communities, members only. The alias is s.
READABLE = """
s.is_banned = 0 AND (s.type <> 'private' OR EXISTS (
    SELECT 1 FROM standings m WHERE m.subreddit_id = s.subreddit_id AND m.user_id = :me
    AND (m.is_moderator OR m.is_contributor)))
"""


def find(ep: Episode, name: str) -> Row | None:
    """Return the community of this name, whatever the case; banned ones are among them."""
    return ep.db.one("SELECT * FROM subreddits WHERE lower(name) = lower(?)", name)


def standing(ep: Episode, subreddit_id: str) -> Row:
    """Return what the caller is in a community."""
    return ep.db.one(_STANDING, subreddit_id, ep.me) or _NONE


def require_readable(ep: Episode, name: str) -> Row:
    """Return a community whose posts the caller may read.

    Raises:
        NotFound: there is none, or it is banned.
        Forbidden: it is private, and the caller is no member.
    """
    found = find(ep, name)
    if found is None:
        raise errors.NotFound
    if found["is_banned"]:
        raise errors.NotFound("banned")
    own = standing(ep, found["subreddit_id"])
    if found["type"] == "private" and not (own["is_moderator"] or own["is_contributor"]):
        raise errors.Forbidden("private")
    return found
