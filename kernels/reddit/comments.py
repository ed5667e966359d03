"""Comments: reading those of a post, and writing one."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row

from . import comment_views, errors, ids, post_views, posting_rules, subreddits
from .trees import Tree

LENGTH_MAX = 10_000
_POST = f"{post_views.POSTS} WHERE p.post_id = :post_id"
_OF_POST = f"{comment_views.COMMENTS} WHERE c.post_id = :post_id ORDER BY c.created_s, c.comment_id"
_ONE = f"{comment_views.COMMENTS} WHERE c.comment_id = :comment_id"


def get_comments(ep: Episode, *, article: str) -> Result:
    """Return the comments of a post as a tree, in the order its community suggests or the best first.

    Reads all comments: those of the post, for the order of its tree and the number that each branch leaves out.

    Args:
        article: the post's id without ``t3_``.

    Raises:
        NotFound: no such post.
        Forbidden: it is in a private community, and the caller no member.

    Source: https://www.reddit.com/dev/api#GET_comments_{article}
    """
    post = ep.db.one(_POST, post_id=article.lower(), me=ep.me)
    if post is None:
        raise errors.NotFound
    subreddits.require_readable(ep, post["subreddit"])
    rows = ep.db.all(_OF_POST, post_id=post["post_id"], me=ep.me)
    return {"comments": Tree(ep, rows, post["suggested_sort"]).things(None, f"t3_{post['post_id']}")}


def post_comment(ep: Episode, *, thing_id: str, text: str) -> Result:
    """Comment on a post or answer a comment, and return the comment as stored.

    Reads all comments: a post tells how many it has.

    Args:
        thing_id: the fullname of the post or comment.
        text: Markdown.

    Raises:
        Forbidden: no such thing, or not for the caller.
        NoText, TextTooLong: nothing, or more than 10 000 characters.
        Ratelimit: as ``posting_rules.require_within_rate_limit``.
        DeletedLink, DeletedComment, TooOld, ThreadLocked: what it answers takes none any more.

    Source: https://www.reddit.com/dev/api#POST_api_comment
    """
    kind, _, thing = thing_id.strip().partition("_")
    parent = ep.db.one(_ONE, comment_id=thing, me=ep.me) if kind == "t1" else None
    post = ep.db.one(_POST, post_id=parent["post_id"] if parent else thing if kind == "t3" else "", me=ep.me)
    if post is None:
        raise errors.Forbidden
    subreddit = subreddits.find(ep, post["subreddit"])
    assert subreddit is not None, "a post lies in a community"
    if subreddit["is_banned"] or not posting_rules.may_comment(ep, subreddit):
        raise errors.Forbidden
    if not text.strip():
        raise errors.NoText
    if len(text) > LENGTH_MAX:
        raise errors.TextTooLong(max=LENGTH_MAX)
    posting_rules.require_within_rate_limit(ep, subreddit, "comments")
    _require_answerable(ep, post, parent)
    comment_id = ids.new_id(ep, "comments")
    ep.db.insert(
        "comments",
        comment_id=comment_id,
        post_id=post["post_id"],
        parent_id=parent["comment_id"] if parent else None,
        user_id=ep.me,
        body=text,
        created_s=ep.now_ms // 1000,
    )
    made = ep.db.one(_ONE, comment_id=comment_id, me=ep.me)
    assert made is not None, "it was just written"
    return {"json": {"errors": [], "data": {"things": [comment_views.thing(ep, made)]}}}


def _require_answerable(ep: Episode, post: Row, parent: Row | None) -> None:
    if parent is not None and parent["is_deleted"]:
        raise errors.DeletedComment
    if parent is None and post["is_deleted"]:
        raise errors.DeletedLink
    if post_views.is_archived(ep, post):
        raise errors.TooOld
    if post["is_locked"] and not post["can_mod"]:
        raise errors.ThreadLocked
