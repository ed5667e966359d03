"""Insights of a post, a reel or a story. What can be counted from posts and comments is counted."""

from __future__ import annotations

from collections.abc import Sequence

from farm.appkit import Episode, Result, Row

from . import errors
from .insights import insight, require_known
from .media import comments_count, require_media

# Metric → its title and description.
_OF_MEDIA = {
    "reach": ("Reach", "Total number of unique accounts that have seen the media object"),
    "replies": ("Replies", "Total number of replies to the story"),
    "saved": ("Saved", "Total number of unique accounts that have saved the media object"),
    "likes": ("Likes", "Total number of likes of the media object"),
    "comments": ("Comments", "Total number of comments on the media object"),
    "shares": ("Shares", "Total number of times the media object was shared"),
    "total_interactions": ("Interactions", "Likes, comments, saves and shares of the media object taken together"),
    "follows": ("Follows", "Total number of accounts that followed from the media object"),
    "profile_visits": ("Profile visits", "Total number of visits of the profile from the media object"),
    "profile_activity": ("Profile activity", "Total number of actions on the profile from the media object"),
    "navigation": ("Navigation", "Total number of taps and swipes on the story"),
    "ig_reels_avg_watch_time": ("Average watch time", "Milliseconds that the reel was watched each time"),
    "ig_reels_video_view_total_time": ("Total watch time", "Milliseconds that the reel was watched in all"),
    "views": ("Views", "Total number of times the media object was played or shown"),
}
# Every metric that the API knows of, in the order in which it names them, whatever the media are of.
_KNOWN = (
    *("impressions", "reach", "replies", "saved", "likes", "comments", "shares", "total_interactions", "follows"),
    *("profile_visits", "profile_activity", "navigation", "ig_reels_video_view_total_time", "ig_reels_avg_watch_time"),
    *("views", "reels_skip_rate", "reposts", "facebook_views", "crossposted_views", "total_views", "total_likes"),
    *("total_comments", "link_clicks"),
)
_EVERYWHERE = {"reach", "shares", "total_interactions", "views"}
_SUPPORTED = {
    "FEED": _EVERYWHERE | {"likes", "comments", "saved", "follows", "profile_visits", "profile_activity"},
    "REELS": _EVERYWHERE | {"likes", "comments", "saved", "ig_reels_avg_watch_time", "ig_reels_video_view_total_time"},
    "STORY": _EVERYWHERE | {"replies", "navigation", "follows", "profile_visits", "profile_activity"},
}
# What the toolkit asks for where it is told nothing: the first of them the API takes no more.
_DEFAULT = ("impressions", "reach", "saved")
_STORY_MS, _STORY_VIEWERS_MIN = 86_400_000, 5


def get_media_insights(
    ep: Episode, *, ig_post_id: str, metric: Sequence[str] | None = None, graph_api_version: str = ""
) -> Result:
    """Return the figures of a post, a reel, or a story of the last 24 hours.

    Raises:
        NoToken, UnsupportedGet: as ``media.require_media``.
        InvalidParameter: a metric that there is not.
        MetricUnsupported: some that media of this kind have not; where none is asked for, the toolkit asks for such a
            one itself.
        NotEnoughViewers: a story that fewer than five have seen.

    Source: https://developers.facebook.com/docs/instagram-platform/reference/instagram-media/insights
    """
    post = require_media(ep, ig_post_id)
    names = list(dict.fromkeys(metric or _DEFAULT))
    require_known(ep, names, _KNOWN)
    unsupported = [name for name in names if name not in _SUPPORTED[post["product_type"]]]
    if unsupported:
        raise errors.MetricUnsupported(ep, metric=", ".join(unsupported))
    values = _values(ep, post)
    if post["product_type"] == "STORY":
        if ep.now_ms - post["created_ms"] >= _STORY_MS:
            return {"data": []}
        if values["reach"] < _STORY_VIEWERS_MIN:
            raise errors.NotEnoughViewers(ep)
    return {
        "data": [
            insight(post["media_id"], name, "lifetime", [{"value": values[name]}], *_OF_MEDIA[name]) for name in names
        ]
    }


def _values(ep: Episode, post: Row) -> dict[str, int]:
    """Return every figure of a post; the sum is of what it is a sum of."""
    kept = ep.db.all("SELECT metric, value FROM media_insights WHERE media_id = ?", post["media_id"])
    values = dict.fromkeys(_OF_MEDIA, 0) | {row["metric"]: int(row["value"]) for row in kept}
    values |= {"likes": post["like_count"], "comments": comments_count(ep, post["media_id"])}
    parts = ("replies", "shares") if post["product_type"] == "STORY" else ("likes", "comments", "saved", "shares")
    return values | {"total_interactions": sum(values[name] for name in parts)}
