"""Things, which are posts or comments: reading them by fullname, editing and deleting one's own."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row

from . import comment_views, comments, errors, post_views, posts, subreddits

_THINGS_MAX = 100
_EDITED_UNSEEN_S = 180
_VOTES_UNSEEN = 2
_POST = f"{post_views.POSTS} WHERE p.post_id = :id AND {subreddits.READABLE}"
_COMMENT = f"{comment_views.COMMENTS} WHERE c.comment_id = :id AND {subreddits.READABLE}"
_OWN = {
    "t3": ("posts", "post_id", "SELECT * FROM posts WHERE post_id = ? AND user_id = ?"),
    "t1": ("comments", "comment_id", "SELECT * FROM comments WHERE comment_id = ? AND user_id = ?"),
}


def get_things(ep: Episode, *, id: str) -> Result:
    """Return posts and comments by fullname, in the order asked for; what is not there, or not for the caller, is not.

    Args:
        id: a fullname, or several with commas between them.

    Source: https://www.reddit.com/dev/api#GET_api_info
    """
    found = [_find_thing(ep, each.strip()) for each in id.split(",")[:_THINGS_MAX]]
    return {"things": [each for each in found if each is not None]}


def _find_thing(ep: Episode, fullname: str) -> dict[str, Any] | None:
    """Reads all comments: a post tells how many it has."""
    kind, _, thing = fullname.partition("_")
    if kind == "t3":
        post = ep.db.one(_POST, id=thing, me=ep.me)
        return None if post is None else post_views.thing(ep, post)
    comment = ep.db.one(_COMMENT, id=thing, me=ep.me) if kind == "t1" else None
    return None if comment is None else comment_views.thing(ep, comment)


def edit(ep: Episode, *, thing_id: str, text: str) -> Result:
    """Give one's own comment or text post another text, and return it as it is now.

    An edit within three minutes, of what hardly anybody voted on, leaves no mark.

    Raises:
        NotAuthor: no such thing, or somebody else's.
        NoText: a comment without text.
        Forbidden: a link, or deleted.
        TextTooLong: more than 10 000 characters for a comment, 40 000 for a post.

    Source: https://www.reddit.com/dev/api#POST_api_editusertext
    """
    own = _find_own(ep, thing_id)
    if own is None:
        raise errors.NotAuthor
    kind, row = own
    table, key, _ = _OWN[kind]
    if kind == "t1" and not text.strip():
        raise errors.NoText
    if row["is_deleted"] or row.get("kind") == "link":
        raise errors.Forbidden
    length_max = posts.TEXT_MAX if kind == "t3" else comments.LENGTH_MAX
    if len(text) > length_max:
        raise errors.TextTooLong(max=length_max)
    now_s = ep.now_ms // 1000
    is_seen = row["created_s"] < now_s - _EDITED_UNSEEN_S or row["ups"] + row["downs"] > _VOTES_UNSEEN
    changed = {"text" if kind == "t3" else "body": text, "edited_s": now_s if is_seen else row["edited_s"]}
    ep.db.update(table, {key: row[key]}, **changed)
    return {"json": {"errors": [], "data": {"things": [_find_thing(ep, f"{kind}_{row[key]}")]}}}


def delete(ep: Episode, *, id: str) -> Result:
    """Delete one's own post or comment. Reddit says the same whatever happened, also where nothing did.

    Source: https://www.reddit.com/dev/api#POST_api_del
    """
    own = _find_own(ep, id)
    if own is not None:
        kind, row = own
        table, key, _ = _OWN[kind]
        ep.db.update(table, {key: row[key], "is_deleted": 0}, is_deleted=1)
    return {}


def _find_own(ep: Episode, fullname: str) -> tuple[str, Row] | None:
    """Return the kind and the row of something that is the caller's."""
    kind, _, thing = fullname.strip().partition("_")
    row = ep.db.one(_OWN[kind][2], thing, ep.me) if kind in _OWN else None
    return None if row is None else (kind, row)
