"""Comments as Reddit shows them: every member, in the order of a tree recorded in June 2025, without a moderator's."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Row

from . import markdown, post_views
from .post_views import ABSENT, DELETED

COMMENTS = """
SELECT c.comment_id, c.post_id, c.parent_id, c.user_id, c.body, c.ups, c.downs, c.created_s, c.edited_s, c.sticky,
       c.distinguished, c.is_deleted, p.subreddit_id, p.title, p.user_id AS poster_id, p.created_s AS posted_s,
       s.name AS subreddit, s.type AS subreddit_type, s.score_hide_minutes, s.archives_posts, u.name AS author,
       u.is_premium, u.is_deleted AS is_gone, t.flair_text AS author_flair, v.direction AS vote,
       m.is_moderator AS can_mod
FROM comments c JOIN posts p ON p.post_id = c.post_id JOIN subreddits s ON s.subreddit_id = p.subreddit_id
JOIN users u ON u.user_id = c.user_id
LEFT JOIN standings t ON t.subreddit_id = p.subreddit_id AND t.user_id = c.user_id
LEFT JOIN standings m ON m.subreddit_id = p.subreddit_id AND m.user_id = :me
LEFT JOIN votes v ON v.fullname = 't1_' || c.comment_id AND v.user_id = :me
"""
# Comments with fewer points come folded.
_SCORE_LEAST = -4
_CONTROVERSIAL_VOTES = 7
# Every member in its order, with what a plain comment has; what it does not have at all is ABSENT.
_USUAL: dict[str, Any] = {
    "author_flair_background_color": None,
    "subreddit_id": None,
    "approved_at_utc": None,
    "author_is_blocked": False,
    "comment_type": None,
    "awarders": [],
    "mod_reason_by": None,
    "banned_by": None,
    "author_flair_type": "text",
    "total_awards_received": 0,
    "subreddit": None,
    "author_flair_template_id": None,
    "likes": None,
    "replies": None,
    "user_reports": [],
    "saved": False,
    "id": None,
    "banned_at_utc": None,
    "mod_reason_title": None,
    "gilded": 0,
    "archived": None,
    "collapsed_reason_code": None,
    "no_follow": None,
    "author": None,
    "rte_mode": ABSENT,
    "can_mod_post": None,
    "send_replies": True,
    "parent_id": None,
    "score": None,
    "author_fullname": None,
    "removal_reason": None,
    "approved_by": None,
    "mod_note": None,
    "all_awardings": [],
    "collapsed": None,
    "body": None,
    "edited": None,
    "top_awarded_type": None,
    "author_flair_css_class": None,
    "name": None,
    "is_submitter": None,
    "downs": 0,
    "author_flair_richtext": [],
    "author_patreon_flair": False,
    "body_html": None,
    "gildings": {},
    "collapsed_reason": None,
    "distinguished": None,
    "associated_award": None,
    "stickied": None,
    "author_premium": None,
    "can_gild": False,
    "link_id": None,
    "unrepliable_reason": None,
    "author_flair_text_color": None,
    "score_hidden": None,
    "permalink": None,
    "subreddit_type": None,
    "locked": False,
    "report_reasons": None,
    "created": None,
    "author_flair_text": None,
    "treatment_tags": [],
    "created_utc": None,
    "subreddit_name_prefixed": None,
    "controversiality": None,
    "depth": ABSENT,
    "collapsed_because_crowd_control": None,
    "mod_reports": [],
    "num_reports": None,
    "ups": None,
}


def thing(ep: Episode, row: Row, *, depth: int | None = None, replies: Any = "") -> dict[str, Any]:
    """Return a comment as a thing.

    Args:
        depth: how deep it stands in its tree; None outside one, where Reddit leaves the member out.
        replies: the listing of its answers, or an empty text.
    """
    is_deleted = bool(row["is_deleted"])
    is_nobodys = is_deleted or bool(row["is_gone"])
    body = DELETED if is_deleted else row["body"]
    score = row["ups"] - row["downs"]
    is_low = score < _SCORE_LEAST
    is_hidden = row["created_s"] > ep.now_ms // 1000 - 60 * row["score_hide_minutes"]
    shown_score = 1 if is_hidden else score
    path = post_views.permalink(row["subreddit"], row["post_id"], row["title"])
    parent = f"t3_{row['post_id']}" if row["parent_id"] is None else f"t1_{row['parent_id']}"
    archived = {"archives_posts": row["archives_posts"], "created_s": row["posted_s"]}
    own = {
        "subreddit_id": f"t5_{row['subreddit_id']}",
        "subreddit": row["subreddit"],
        "likes": post_views.liked(ep, row),
        "replies": replies,
        "id": row["comment_id"],
        "archived": post_views.is_archived(ep, archived),
        "collapsed_reason_code": "DELETED" if is_deleted else "LOW_SCORE" if is_low else None,
        "no_follow": score < 3,
        "author": DELETED if is_nobodys else row["author"],
        "rte_mode": "markdown" if row["user_id"] == ep.me and not is_nobodys else ABSENT,
        "can_mod_post": bool(row["can_mod"]),
        "parent_id": parent,
        "score": shown_score,
        "author_fullname": f"t2_{row['user_id']}",
        "collapsed": is_deleted or is_low,
        "body": body,
        "edited": post_views.edited(row),
        "name": f"t1_{row['comment_id']}",
        "is_submitter": row["user_id"] == row["poster_id"] and not is_nobodys,
        "body_html": markdown.to_html(body),
        "collapsed_reason": "comment score below threshold" if is_low and not is_deleted else None,
        "distinguished": row["distinguished"],
        "stickied": bool(row["sticky"]),
        "author_premium": bool(row["is_premium"]),
        "link_id": f"t3_{row['post_id']}",
        "score_hidden": is_hidden,
        "permalink": f"{path}{row['comment_id']}/",
        "subreddit_type": row["subreddit_type"],
        "created": float(row["created_s"]),
        "author_flair_text": None if is_nobodys else row["author_flair"],
        "created_utc": float(row["created_s"]),
        "subreddit_name_prefixed": f"r/{row['subreddit']}",
        "controversiality": _controversiality(row),
        "depth": ABSENT if depth is None else depth,
        "ups": shown_score,
    }
    return {"kind": "t1", "data": post_views.without_absent({**_USUAL, **own}, is_nobodys=is_nobodys)}


def _controversiality(row: Row) -> int:
    votes = row["ups"] + row["downs"]
    return int(votes >= _CONTROVERSIAL_VOTES and 0.4 <= row["ups"] / votes <= 0.6)
