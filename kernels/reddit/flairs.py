"""Flairs: what a community offers for its posts."""

from __future__ import annotations

from farm.appkit import Episode, Result

from . import subreddits

_OFFERED = """
SELECT flair_id, text, text_editable, mod_only, css_class, text_color, background_color FROM link_flairs
WHERE subreddit_id = ? AND (NOT mod_only OR ?) ORDER BY position, flair_id
"""


def get_flairs(ep: Episode, *, subreddit: str) -> Result:
    """Return the flairs of posts that the caller may choose; none where only moderators choose.

    Raises:
        NotFound, Forbidden: as ``subreddits.require_readable``.

    Source: https://www.reddit.com/dev/api#GET_api_link_flair_v2
    """
    found = subreddits.require_readable(ep, subreddit)
    is_moderator = bool(subreddits.standing(ep, found["subreddit_id"])["is_moderator"])
    if not found["flair_self_assign"] and not is_moderator:
        return {"flair_list": []}
    return {
        "flair_list": [
            {
                "type": "text",
                "text_editable": bool(row["text_editable"]),
                "allowable_content": "all",
                "text": row["text"],
                "max_emojis": 10,
                "text_color": row["text_color"],
                "mod_only": bool(row["mod_only"]),
                "css_class": row["css_class"],
                "richtext": [],
                "background_color": row["background_color"],
                "id": row["flair_id"],
            }
            for row in ep.db.all(_OFFERED, found["subreddit_id"], int(is_moderator))
        ]
    }
