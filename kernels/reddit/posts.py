"""Posts: a community's front page, and submitting."""

from __future__ import annotations

import json
import re

from farm.appkit import Episode, Result, Row, parse_json
from farm.appkit.formats.untrusted_regex import split_sent

from . import errors, ids, post_views, posting_rules, subreddits

TITLE_MAX = 300
TEXT_MAX = 40_000
PAGE_MAX = 100
# Listings over every public community.
_EVERYWHERE = ("all", "popular")
_LISTED = f"{post_views.POSTS} WHERE NOT p.is_deleted AND {subreddits.READABLE}"
_AMONG = f"{_LISTED} AND p.post_id IN (SELECT value FROM json_each(:posts))"
_PUBLIC = f"SELECT subreddit_id FROM subreddits s WHERE {subreddits.READABLE} AND s.type <> 'private' AND NOT s.over_18"
_STICKY = "SELECT post_id FROM posts WHERE subreddit_id = ? AND sticky > 0"
_NEWEST = """
SELECT post_id, ups, downs, created_s FROM posts
WHERE subreddit_id = :subreddit_id AND NOT is_deleted AND (created_s, post_id) < (:created_s, :post_id)
ORDER BY created_s DESC, post_id DESC LIMIT :limit
"""
_BEST = """
SELECT post_id, ups, downs, created_s FROM posts
WHERE subreddit_id = :subreddit_id AND NOT is_deleted
AND ups - downs <= :score AND (ups - downs, post_id) < (:score, :post_id)
ORDER BY ups - downs DESC, post_id DESC LIMIT :limit
"""
_BEYOND_ALL: Row = {"created_s": 2**62, "ups": 2**62, "downs": 0, "post_id": ""}
# So many posts of each order are read first, and then twice as many each time.
_CHUNK, _CHUNK_MAX = 25, 1600
_SAME_LINK = "SELECT 1 FROM posts WHERE subreddit_id = ? AND url = ? AND kind = 'link' AND NOT is_deleted"
_FLAIR = "SELECT mod_only FROM link_flairs WHERE flair_id = ? AND subreddit_id = ?"
_SPACES = re.compile(r"\s+")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def get_posts(ep: Episode, *, subreddit: str, size: int = 5) -> Result:
    """Return a community's hot posts, those on top first.

    Reads all comments: a post tells how many it has.
    Reads all subreddits: ``all`` and ``popular`` are made of the public ones.

    Args:
        subreddit: its name, or ``all`` or ``popular``; several with ``+`` between them, of which those are passed over
            that there are not or that the caller may not read.
        size: how many; 0: as many as one listing has, 100.

    Raises:
        NotFound, Forbidden: as ``subreddits.require_readable``.

    Source: https://www.reddit.com/dev/api#GET_hot
    """
    count = PAGE_MAX if size == 0 else min(max(size, 1), PAGE_MAX)
    names = list(dict.fromkeys(name for name in subreddit.lower().split("+") if name))
    if not names:
        raise errors.NotFound
    if any(name in _EVERYWHERE for name in names):
        rows = _hottest(ep, [row["subreddit_id"] for row in ep.db.all(_PUBLIC, me=ep.me)], count)
        rows.sort(key=lambda row: (-post_views.hotness(row), row["post_id"]))
    else:
        asked = [subreddits.find(ep, name) for name in names]
        communities = [found for found in asked if found is not None]
        if len(communities) <= 1:
            # One is left: it is answered for as if it had been asked for alone.
            communities = [subreddits.require_readable(ep, communities[0]["name"] if communities else names[0])]
        # Of several, those that the caller may not read are passed over.
        rows = _hottest(ep, [found["subreddit_id"] for found in communities], count)
        # Only the front page of one community has posts that stay on top.
        is_one = len(communities) == 1
        rows.sort(key=lambda row: (is_one * (row["sticky"] or 3), -post_views.hotness(row), row["post_id"]))
    return {"posts_list": [post_views.thing(ep, row) for row in rows[:count]]}


def _hottest(ep: Episode, subreddit_ids: list[str], count: int) -> list[Row]:
    """Return the hottest posts of each of some communities, among more, with those that stay on top there."""
    found: list[str] = []
    for subreddit_id in subreddit_ids:
        found += _hottest_of(ep, subreddit_id, count)
        found += [row["post_id"] for row in ep.db.all(_STICKY, subreddit_id)]
    return ep.db.all(_AMONG, me=ep.me, posts=json.dumps(found))


def _hottest_of(ep: Episode, subreddit_id: str, count: int) -> list[str]:
    """Return the hottest posts of a community, in no order.

    The newest and those with the most points are read until nothing further down in both orders can be hotter.
    """
    newest, best = _BEYOND_ALL, _BEYOND_ALL
    hotness: dict[str, float] = {}
    size = _CHUNK
    while True:
        place: Row = {"created_s": newest["created_s"], "post_id": newest["post_id"]}
        by_time = ep.db.all(_NEWEST, subreddit_id=subreddit_id, limit=size, **place)
        place = {"score": best["ups"] - best["downs"], "post_id": best["post_id"]}
        by_score = ep.db.all(_BEST, subreddit_id=subreddit_id, limit=size, **place)
        hotness |= {row["post_id"]: post_views.hotness(row) for row in (*by_time, *by_score)}
        if len(by_time) < size or len(by_score) < size:
            break  # all have been read
        newest, best, size = by_time[-1], by_score[-1], min(size * 2, _CHUNK_MAX)
        hottest_unread = post_views.hotness({**best, "created_s": newest["created_s"]})
        if sum(each > hottest_unread for each in hotness.values()) >= count:
            break
    return sorted(hotness, key=lambda post_id: (-hotness[post_id], post_id))[:count]


def create_post(
    ep: Episode,
    *,
    subreddit: str,
    title: str,
    flair_id: str,
    kind: str,
    text: str | None = None,
    url: str | None = None,
) -> Result:
    """Submit a text or a link and return where it stands.

    Args:
        subreddit: the community's name, ``r/`` before it or not.
        title: up to 300 characters; white space is folded.
        flair_id: one of the community's flairs; an empty text is none.
        kind: ``self`` or ``link``.
        text: Markdown of up to 40 000 characters; may be empty.
        url: of a ``link`` post.

    Raises:
        InvalidOption: another kind.
        SubredditRequired, SubredditNoexist, SubredditNotallowed: as ``posting_rules.require_open``.
        NoSelfs, NoLinks: not posts of this kind.
        NoTitle, TitleTooLong, TextTooLong: the texts.
        Ratelimit: as ``posting_rules.require_within_rate_limit``.
        NoUrl, BadUrl, AlreadySub: the link.
        FlairRequired, BadFlairTemplateId, TitleBlacklisted, BodyBlacklisted: what the community asks of posts.

    Source: https://www.reddit.com/dev/api#POST_api_submit
    """
    if kind not in ("self", "link"):
        raise errors.InvalidOption
    found = posting_rules.require_open(ep, subreddit)
    if found["submission_type"] not in ("any", kind):
        raise errors.NoSelfs if kind == "self" else errors.NoLinks
    if not title.strip():
        raise errors.NoTitle
    if len(title) > TITLE_MAX:
        raise errors.TitleTooLong(max=TITLE_MAX)
    posting_rules.require_within_rate_limit(ep, found, "posts")
    link = _require_link(ep, found, url or "") if kind == "link" else None
    body = text or ""
    if len(body) > TEXT_MAX:
        raise errors.TextTooLong(max=TEXT_MAX)
    title = _SPACES.sub(" ", title).strip()
    _require_wanted(ep, found, title, body, flair_id)
    post_id = ids.new_id(ep, "posts")
    ep.db.insert(
        "posts",
        post_id=post_id,
        subreddit_id=found["subreddit_id"],
        user_id=ep.me,
        kind=kind,
        title=title,
        text=body,
        url=link,
        flair_id=flair_id or None,
        created_s=ep.now_ms // 1000,
    )
    address = f"https://www.reddit.com{post_views.permalink(found['name'], post_id, title)}"
    made = {"url": address, "drafts_count": 0, "id": post_id, "name": f"t3_{post_id}"}
    return {"json": {"errors": [], "data": made}}


def _require_link(ep: Episode, subreddit: Row, url: str) -> str:
    """Return the address of a link post; one without a scheme gets ``http://``."""
    link = url.strip()
    if not link:
        raise errors.NoUrl
    if not _SCHEME.match(link):
        link = f"http://{link}"
    try:
        parts = split_sent(link)
        host = (parts.hostname or "").removesuffix(".")
    except ValueError:
        raise errors.BadUrl from None
    is_host = "." in host and all(host.split("."))
    if parts.scheme.lower() not in ("http", "https") or not is_host or "@" in parts.netloc or _SPACES.search(link):
        raise errors.BadUrl
    if ep.db.scalar(_SAME_LINK, subreddit["subreddit_id"], link) is not None:
        raise errors.AlreadySub
    return link


def _require_wanted(ep: Episode, subreddit: Row, title: str, body: str, flair_id: str) -> None:
    """Let a post be as its community asks: with a flair that is offered, without words that are not wanted."""
    is_moderator = bool(subreddits.standing(ep, subreddit["subreddit_id"])["is_moderator"])
    if not flair_id:
        if subreddit["flair_required"] and not is_moderator:
            raise errors.FlairRequired
    else:
        flair = ep.db.one(_FLAIR, flair_id, subreddit["subreddit_id"])
        is_offered = subreddit["flair_self_assign"] and flair is not None and not flair["mod_only"]
        if flair is None or not (is_offered or is_moderator):
            raise errors.BadFlairTemplateId
    if is_moderator:
        return
    for words in parse_json(subreddit["title_blacklist"]):
        if words.casefold() in title.casefold():
            raise errors.TitleBlacklisted(words=words)
    for words in parse_json(subreddit["body_blacklist"]):
        if words.casefold() in body.casefold():
            raise errors.BodyBlacklisted(words=words)
