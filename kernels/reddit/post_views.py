"""Posts as Reddit shows them in listings: every member, in the order of recorded ones (April 2026)."""

from __future__ import annotations

import math
import re
from typing import Any

from farm.appkit import Episode, Row
from farm.appkit.formats.untrusted_regex import split_sent

from . import markdown

POSTS = """
SELECT p.post_id, p.subreddit_id, p.user_id, p.kind, p.title, p.text, p.url, p.flair_id, p.ups, p.downs, p.created_s,
       p.edited_s, p.sticky, p.distinguished, p.is_locked, p.over_18, p.spoiler, p.is_deleted,
       s.name AS subreddit, s.type AS subreddit_type, s.subscribers, s.suggested_sort, s.archives_posts,
       s.over_18 AS is_adult, u.name AS author, u.is_premium, u.is_deleted AS is_gone, f.text AS flair_text,
       f.css_class, f.text_color, f.background_color, t.flair_text AS author_flair, v.direction AS vote,
       m.is_moderator AS can_mod,
       (SELECT count(*) FROM comments c WHERE c.post_id = p.post_id AND NOT c.is_deleted) AS num_comments
FROM posts p JOIN subreddits s ON s.subreddit_id = p.subreddit_id JOIN users u ON u.user_id = p.user_id
LEFT JOIN link_flairs f ON f.flair_id = p.flair_id
LEFT JOIN standings t ON t.subreddit_id = p.subreddit_id AND t.user_id = p.user_id
LEFT JOIN standings m ON m.subreddit_id = p.subreddit_id AND m.user_id = :me
LEFT JOIN votes v ON v.fullname = 't3_' || p.post_id AND v.user_id = :me
"""
DELETED = "[deleted]"
# Members about the author that a post or comment of nobody does not have.
OF_AUTHOR = (
    "author_fullname",
    "author_flair_template_id",
    "author_flair_richtext",
    "author_flair_type",
    "author_premium",
    "author_patreon_flair",
)
# What stands for a member that is not there.
ABSENT = object()
_HALF_A_YEAR_S = 180 * 86_400
_WHITE, _UNSAFE, _UNDERSCORES = re.compile(r"\s+"), re.compile(r"\W+"), re.compile(r"_+")
_SLUG_MAX = 50
# Every member in its order, with what a plain post has; what a post does not have at all is ABSENT.
_USUAL: dict[str, Any] = {
    "approved_at_utc": None,
    "subreddit": None,
    "selftext": None,
    "author_fullname": None,
    "saved": False,
    "mod_reason_title": None,
    "gilded": 0,
    "clicked": False,
    "title": None,
    "link_flair_richtext": [],
    "subreddit_name_prefixed": None,
    "hidden": False,
    "pwls": None,
    "link_flair_css_class": None,
    "downs": 0,
    "thumbnail_height": None,
    "top_awarded_type": None,
    "hide_score": False,
    "name": None,
    "quarantine": False,
    "link_flair_text_color": None,
    "upvote_ratio": None,
    "author_flair_background_color": None,
    "subreddit_type": None,
    "ups": None,
    "total_awards_received": 0,
    "media_embed": {},
    "thumbnail_width": None,
    "author_flair_template_id": None,
    "is_original_content": False,
    "user_reports": [],
    "secure_media": None,
    "is_reddit_media_domain": False,
    "is_meta": False,
    "category": None,
    "secure_media_embed": {},
    "link_flair_text": None,
    "can_mod_post": None,
    "score": None,
    "approved_by": None,
    "is_created_from_ads_ui": False,
    "author_premium": None,
    "thumbnail": None,
    "edited": None,
    "author_flair_css_class": None,
    "author_flair_richtext": [],
    "gildings": {},
    "content_categories": None,
    "is_self": None,
    "mod_note": None,
    "created": None,
    "link_flair_type": "text",
    "wls": None,
    "removed_by_category": None,
    "banned_by": None,
    "author_flair_type": "text",
    "domain": None,
    "allow_live_comments": False,
    "selftext_html": None,
    "likes": None,
    "suggested_sort": None,
    "banned_at_utc": None,
    "url_overridden_by_dest": ABSENT,
    "view_count": None,
    "archived": None,
    "no_follow": None,
    "is_crosspostable": None,
    "pinned": False,
    "over_18": None,
    "all_awardings": [],
    "awarders": [],
    "media_only": False,
    "link_flair_template_id": ABSENT,
    "can_gild": False,
    "spoiler": None,
    "locked": None,
    "author_flair_text": None,
    "treatment_tags": [],
    "rte_mode": ABSENT,
    "visited": False,
    "removed_by": None,
    "num_reports": None,
    "distinguished": None,
    "subreddit_id": None,
    "author_is_blocked": False,
    "mod_reason_by": None,
    "removal_reason": None,
    "link_flair_background_color": None,
    "id": None,
    "is_robot_indexable": None,
    "report_reasons": None,
    "author": None,
    "discussion_type": None,
    "num_comments": None,
    "send_replies": True,
    "contest_mode": False,
    "mod_reports": [],
    "author_patreon_flair": False,
    "author_flair_text_color": None,
    "permalink": None,
    "stickied": None,
    "url": None,
    "subreddit_subscribers": None,
    "created_utc": None,
    "num_crossposts": 0,
    "media": None,
    "is_video": False,
}


def slug(title: str) -> str:
    """Return a title as it stands in an address: at most fifty characters, cut between words."""
    text = _UNSAFE.sub("", _WHITE.sub("_", title))
    text = _UNDERSCORES.sub("_", text).strip("_").lower()
    if len(text) > _SLUG_MAX:
        text = text[:_SLUG_MAX]
        text = text[: text.rfind("_")] if text.rfind("_") > 0 else text
    return text or "_"


def permalink(subreddit: str, post_id: str, title: str) -> str:
    """Return where a post stands, without the site."""
    return f"/r/{subreddit}/comments/{post_id}/{slug(title)}/"


def is_archived(ep: Episode, post: Row) -> bool:
    """Whether a post is too old to be answered, where its community closes old posts."""
    return bool(post["archives_posts"]) and post["created_s"] < ep.now_ms // 1000 - _HALF_A_YEAR_S


def edited(row: Row) -> float | bool:
    """Return when something was edited, or false."""
    return False if row["edited_s"] is None else float(row["edited_s"])


def liked(ep: Episode, row: Row) -> bool | None:
    """Return the caller's vote; one's own posts and comments have it from the start."""
    if row["vote"] is not None:
        return bool(row["vote"] > 0)
    return True if row["user_id"] == ep.me else None


def hotness(row: Row) -> float:
    """Return what the hot listing sorts by, the formula that Reddit published."""
    score: int = row["ups"] - row["downs"]
    sign = (score > 0) - (score < 0)
    return float(round(sign * math.log10(max(abs(score), 1)) + (row["created_s"] - 1_134_028_003) / 45_000, 7))


def without_absent(view: dict[str, Any], *, is_nobodys: bool) -> dict[str, Any]:
    """Return a view without the members that are not there; what is nobody's has none about its author."""
    return {
        name: value for name, value in view.items() if value is not ABSENT and not (is_nobodys and name in OF_AUTHOR)
    }


def thing(ep: Episode, row: Row) -> dict[str, Any]:
    """Return a post as a thing."""
    return {"kind": "t3", "data": _post_to_json(ep, row)}


def _post_to_json(ep: Episode, row: Row) -> dict[str, Any]:
    is_self, is_deleted = row["kind"] == "self", bool(row["is_deleted"])
    is_nobodys = is_deleted or bool(row["is_gone"])
    text = DELETED if is_deleted and (is_self or row["text"]) else row["text"]
    path = permalink(row["subreddit"], row["post_id"], row["title"])
    score, votes = max(0, row["ups"] - row["downs"]), row["ups"] + row["downs"]
    is_safe = 6 if row["subreddit_type"] == "public" and not row["is_adult"] else None
    own = {
        "subreddit": row["subreddit"],
        "selftext": text,
        "author_fullname": f"t2_{row['user_id']}",
        "title": row["title"],
        "subreddit_name_prefixed": f"r/{row['subreddit']}",
        "pwls": is_safe,
        "link_flair_css_class": row["css_class"],
        "name": f"t3_{row['post_id']}",
        "link_flair_text_color": row["text_color"] or "dark",
        "upvote_ratio": round(row["ups"] / votes, 2) if votes else 1.0,
        "subreddit_type": row["subreddit_type"],
        "ups": score,
        "link_flair_text": row["flair_text"],
        "can_mod_post": bool(row["can_mod"]),
        "score": score,
        "author_premium": bool(row["is_premium"]),
        "thumbnail": _thumbnail(row),
        "edited": edited(row),
        "is_self": is_self,
        "created": float(row["created_s"]),
        "wls": is_safe,
        "removed_by_category": "deleted" if is_deleted else None,
        "domain": f"self.{row['subreddit']}" if is_self else _domain(row["url"]),
        "selftext_html": markdown.selftext_html(text),
        "likes": liked(ep, row),
        "suggested_sort": row["suggested_sort"],
        "url_overridden_by_dest": ABSENT if is_self else row["url"],
        "archived": is_archived(ep, row),
        "no_follow": score <= 1,
        "is_crosspostable": row["subreddit_type"] == "public" and not is_deleted,
        "over_18": bool(row["over_18"] or row["is_adult"]),
        "link_flair_template_id": ABSENT if row["flair_id"] is None else row["flair_id"],
        "spoiler": bool(row["spoiler"]),
        "locked": bool(row["is_locked"]),
        "author_flair_text": None if is_nobodys else row["author_flair"],
        "rte_mode": "markdown" if row["user_id"] == ep.me and not is_nobodys else ABSENT,
        "distinguished": row["distinguished"],
        "subreddit_id": f"t5_{row['subreddit_id']}",
        "link_flair_background_color": row["background_color"] or "",
        "id": row["post_id"],
        "is_robot_indexable": not is_deleted,
        "author": DELETED if is_nobodys else row["author"],
        "num_comments": row["num_comments"],
        "permalink": path,
        "stickied": bool(row["sticky"]),
        "url": f"https://www.reddit.com{path}" if is_self else row["url"],
        "subreddit_subscribers": row["subscribers"],
        "created_utc": float(row["created_s"]),
    }
    return without_absent({**_USUAL, **own}, is_nobodys=is_nobodys)


def _thumbnail(row: Row) -> str:
    if row["over_18"] or row["is_adult"]:
        return "nsfw"
    if row["spoiler"]:
        return "spoiler"
    return "self" if row["kind"] == "self" else "default"


def _domain(url: str) -> str:
    return (split_sent(url).hostname or "").removeprefix("www.")
