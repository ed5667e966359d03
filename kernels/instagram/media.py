"""Media: what an account has published."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import errors, pagination
from .accounts import connected, require_own, time_text
from .containers import require_ready
from .shortcodes import shortcode

# How many posts a day the API lets an account publish; an album counts once.
_PUBLISHED_MAX, _PUBLISHED_WITHIN_MS = 100, 86_400_000
_FIELDS = (
    "id,caption,media_type,media_product_type,media_url,permalink,thumbnail_url,timestamp,username,like_count,"
    "comments_count,children"
)
_CDN = "https://scontent.cdninstagram.com/v"
_POSTS = """
SELECT media.*, (SELECT count(*) FROM comments c WHERE c.media_id = media.media_id) AS comments_count
FROM media WHERE ig_user_id = :owner AND product_type <> 'STORY'
"""
_CHILDREN = """
SELECT media_id, child_id FROM media_children WHERE media_id IN (SELECT value FROM json_each(?))
ORDER BY media_id, position
"""


def publish(ep: Episode, *, ig_user_id: str, creation_id: str, graph_api_version: str = "") -> Result:
    """Publish a draft that is ready.

    Raises:
        NoToken, UnsupportedPost: as ``require_own``.
        NoContainer, AlreadyPublished, NotReady: as ``containers.require_ready``.
        InvalidParameter: it is only an item of a carousel.
        PublishingLimit: a hundred posts within 24 hours.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media_publish
    """
    account = require_own(ep, ig_user_id, errors.UnsupportedPost)
    container = require_ready(ep, account, creation_id)
    if container["is_carousel_item"]:
        raise errors.InvalidParameter(ep, problem="A carousel item cannot be published by itself")  # (inferred)
    since_ms = ep.now_ms - _PUBLISHED_WITHIN_MS
    published = ep.db.scalar(
        "SELECT count(*) FROM media WHERE ig_user_id = ? AND created_ms > ?", account["ig_user_id"], since_ms
    )
    if published >= _PUBLISHED_MAX:
        raise errors.PublishingLimit(ep)
    children = [
        ep.db.one("SELECT * FROM containers WHERE container_id = ?", child) or {}
        for child in parse_json(container["children"])
    ]
    media_id = _keep(ep, container, children)
    ep.db.update("containers", {"container_id": creation_id}, published_media_id=media_id)
    return {"id": media_id}


def _keep(ep: Episode, container: Row, children: list[Row]) -> str:
    """Store a post with the items of its carousel and return its id."""
    media_id, kind = ep.new_id("media"), _type_of(ep, container)
    first = children[0] if children else container
    ep.db.insert(
        "media",
        media_id=media_id,
        ig_user_id=container["ig_user_id"],
        media_type=kind,
        product_type={"REELS": "REELS", "STORIES": "STORY"}.get(container["media_type"], "FEED"),
        caption=container["caption"],
        media_url=_file(ep, _type_of(ep, first)),
        thumbnail_url=_file(ep, "IMAGE") if kind == "VIDEO" else None,
        file_url=container["url"],
        shortcode=shortcode(ep.now_ms, ep.hash("shortcode", media_id)),
        created_ms=ep.now_ms,
    )
    for position, child in enumerate(children):
        ep.db.insert(
            "media_children",
            media_id=media_id,
            position=position,
            child_id=ep.new_id("media"),
            media_type=_type_of(ep, child),
            media_url=_file(ep, _type_of(ep, child)),
            file_url=child["url"],
        )
    return media_id


def list_media(
    ep: Episode,
    *,
    ig_user_id: str | None = None,
    limit: int = 25,
    after: str | None = None,
    graph_api_version: str = "v21.0",
) -> Result:
    """Return the account's posts, newest first; stories are not among them.

    Reads all comments: those of the page's posts are counted.

    Raises:
        NoToken, UnsupportedGet: as ``require_own``.
        InvalidParameter, InvalidCursor: as ``pagination.fetch_page``.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media
    """
    account = require_own(ep, ig_user_id)
    page = pagination.fetch_page(ep, _POSTS, "media_id", limit=limit, after=after, owner=account["ig_user_id"])
    children = _children(ep, page.rows)
    posts = [_media_to_json(row, account["username"], children[row["media_id"]]) for row in page.rows]
    return page.listed(posts, f"{account['ig_user_id']}/media", graph_api_version, _FIELDS)


def require_media(ep: Episode, media_id: str) -> Row:
    """Return a post or story of the connected account.

    Raises:
        NoToken: nothing is connected.
        UnsupportedGet: it is somebody else's, or there is none.
    """
    account = connected(ep)
    row = ep.db.one("SELECT * FROM media WHERE media_id = ? AND ig_user_id = ?", media_id, account["ig_user_id"])
    if row is None:
        raise errors.UnsupportedGet(ep, id=media_id)
    return row


def comments_count(ep: Episode, media_id: str) -> int:
    """Return how many comments a post has, answers to them among them.

    Reads all comments: those of one post are counted.
    """
    return int(ep.db.scalar("SELECT count(*) FROM comments WHERE media_id = ?", media_id))


def _children(ep: Episode, posts: Sequence[Row]) -> dict[str, list[dict[str, Any]]]:
    """Return what the albums among some posts hold."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in ep.db.all(_CHILDREN, json.dumps([post["media_id"] for post in posts])):
        found[row["media_id"]].append({"id": row["child_id"]})
    return found


def _media_to_json(row: Row, username: str, children: list[dict[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {"id": row["media_id"]}
    if row["caption"]:
        told["caption"] = row["caption"]
    told |= {"media_type": row["media_type"], "media_product_type": row["product_type"], "media_url": row["media_url"]}
    folder = "reel" if row["product_type"] == "REELS" else "p"
    told["permalink"] = f"https://www.instagram.com/{folder}/{row['shortcode']}/"
    if row["thumbnail_url"] is not None:
        told["thumbnail_url"] = row["thumbnail_url"]
    told |= {"timestamp": time_text(row["created_ms"]), "username": username, "like_count": row["like_count"]}
    told["comments_count"] = row["comments_count"]
    if row["media_type"] == "CAROUSEL_ALBUM":
        told["children"] = {"data": children}
    return told


def _type_of(ep: Episode, container: Row) -> str:
    if container["media_type"] == "CAROUSEL":
        return "CAROUSEL_ALBUM"
    if container["media_type"] == "STORIES":
        form = ep.db.scalar("SELECT format FROM files WHERE url = ?", container["url"])
        return "VIDEO" if form in ("mp4", "mov") else "IMAGE"
    return "IMAGE" if container["media_type"] == "IMAGE" else "VIDEO"


def _file(ep: Episode, kind: str) -> str:
    """Return the address at which Instagram itself serves a file."""
    return (
        f"{_CDN}/t50.2886-16/{ep.new_id('file')}.mp4"
        if kind == "VIDEO"
        else f"{_CDN}/t51.2885-15/{ep.new_id('file')}.jpg"
    )
