"""Likes and favourites of notes. Both are idempotent: what is so already is a silent success."""

from __future__ import annotations

from farm.appkit import Episode, Result

from . import access, errors
from .sessions import find_viewer

_LIKE_BUTTON = ".interact-container .left .like-lottie"
_COLLECT_BUTTON = ".interact-container .left .reds-icon.collect-icon"


def like_feed(ep: Episode, *, feed_id: str, xsec_token: str, unlike: bool = False) -> Result:
    """Like a note, or take the like back.

    Raises:
        MissingArgument: the id or the token is empty.
        ElementMissing: the note does not open, so the page has no button.
        StateUnchanged: nobody is signed in.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (like_favorite.go)
    """
    action = "取消点赞" if unlike else "点赞"
    return _set(ep, "likes", action, _LIKE_BUTTON, feed_id, xsec_token, wanted=not unlike)


def favorite_feed(ep: Episode, *, feed_id: str, xsec_token: str, unfavorite: bool = False) -> Result:
    """Put a note among the favourites, or take it out.

    Raises:
        MissingArgument: the id or the token is empty.
        ElementMissing: the note does not open, so the page has no button.
        StateUnchanged: nobody is signed in.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (like_favorite.go)
    """
    action = "取消收藏" if unfavorite else "收藏"
    return _set(ep, "favorites", action, _COLLECT_BUTTON, feed_id, xsec_token, wanted=not unfavorite)


def _set(ep: Episode, table: str, action: str, button: str, feed_id: str, xsec_token: str, *, wanted: bool) -> Result:
    access.require_given("操作", feed_id=feed_id, xsec_token=xsec_token)
    viewer = find_viewer(ep)
    if access.find_refusal(ep, viewer, feed_id, xsec_token) is not None:
        raise errors.ElementMissing(action, action=action, selector=button)
    if not viewer and wanted:
        # The click opens the login dialog; the state never turns. What a visitor never liked is not liked already.
        raise errors.StateUnchanged(action, feed_id=feed_id, action=action)
    if wanted:
        statement = f"INSERT INTO {table} (note_id, user_id, time) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        ep.db.execute(statement, feed_id, viewer, ep.now_ms)
    else:
        ep.db.delete(table, note_id=feed_id, user_id=viewer)
    return f"{action}成功 - Feed ID: {feed_id}"
