"""The home feed."""

from __future__ import annotations

from farm.appkit import Episode, Result

from . import cards, errors
from .sessions import find_viewer

FIRST_SCREEN = 35

_HOME = f"{cards.CARDS} WHERE {cards.PUBLIC} AND n.user_id <> :me ORDER BY n.time DESC, n.note_id LIMIT :limit"


def list_feeds(ep: Episode) -> Result:
    """Return the first screen of the home feed; it works for visitors, too.

    Not simulated: recommendation. The feed is everybody else's public notes, newest first.

    Raises:
        NoFeeds: there is none.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (feeds.go)
    """
    viewer = find_viewer(ep)
    rows = ep.db.all(_HOME, me=viewer, now=ep.now_ms, limit=FIRST_SCREEN)
    if not rows:
        raise errors.NoFeeds("获取Feeds列表")
    return {"feeds": cards.feeds(ep, viewer, rows), "count": len(rows)}
