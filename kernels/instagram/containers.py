"""Containers: drafts that are fetched and processed, wait for a day to be published, and are gone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from farm.appkit import Episode, Result, Row, compact_json

from . import errors, files
from .accounts import connected, require_own

_CAPTION_MAX, _HASHTAGS_MAX, _MENTIONS_MAX = 2200, 30, 20
_CHILDREN_MIN, _CHILDREN_MAX = 2, 10
_LIVES_MS = 86_400_000
_MADE_MAX = 400  # as many as an account can make while the first of them lives
_PROCESSING_MS = 30_000
_TYPES = ("IMAGE", "VIDEO", "REELS", "STORIES")
_CONTENT_TYPES = ("photo", "video", "reel", "carousel_item")
_ITEM_TYPES = ("IMAGE", "VIDEO")  # reels and stories cannot stand in a carousel
# What the toolkit makes of its own word for a kind (inferred).
_KINDS = {"photo": "IMAGE", "video": "REELS", "reel": "REELS"}
_HASHTAG, _MENTION = re.compile(r"(?<!\w)#\w+"), re.compile(r"(?<![\w.])@[\w.]+")
_STATUS_TEXTS = {
    "EXPIRED": "Expired: The container was not published within 24 hours and has expired.",  # (inferred)
    "FINISHED": "Finished: Media has been uploaded and it is ready to be published.",
    "IN_PROGRESS": "In Progress: Media is still being processed.",
    "PUBLISHED": "Published: Media has been successfully published.",
}


def create_container(
    ep: Episode,
    *,
    ig_user_id: str,
    image_url: str | None = None,
    video_url: str | None = None,
    media_type: str | None = None,
    caption: str = "",
    cover_url: str | None = None,
    is_carousel_item: bool = False,
    content_type: str | None = None,
    graph_api_version: str = "",
) -> Result:
    """Make a draft of one picture or video. Pictures are ready at once, videos after a while.

    Args:
        image_url, video_url: an address of the web; what it serves stands in table ``files``.
        cover_url: a picture of the web that stands for a video.
        media_type: IMAGE, REELS or STORIES; VIDEO only as an item of a carousel.
        content_type: the toolkit's own word: photo, video, reel or carousel_item.

    Raises:
        NoToken, UnsupportedPost: as ``require_own``.
        UnknownContentType: another word of the toolkit's.
        UnknownMediaType, VideoNoLonger: a type that there is not, or no more.
        CarouselItemType: a reel or a story as an item of a carousel.
        ParameterRequired: neither picture nor video, or a carousel, which this tool cannot give its children.
        CaptionTooLong, TooManyTags: more than 2,200 characters, 30 hashtags or 20 mentions.
        DownloadFailed, ImageFormat, ImageSize, AspectRatio: as ``files.require_image``.
        PublishingLimit: four hundred within 24 hours.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media
    """
    if content_type is not None and content_type not in _CONTENT_TYPES:
        raise errors.UnknownContentType
    account = require_own(ep, ig_user_id, errors.UnsupportedPost)
    is_item = is_carousel_item or content_type == "carousel_item"
    # The word video says what a file is; as an item of a carousel it is no reel.
    told = None if is_item and content_type == "video" else _KINDS.get(content_type or "")
    kind = media_type or told or _kind_of(video_url, is_item)
    _require_kind(ep, kind, is_item=is_item)
    url = video_url if kind in ("VIDEO", "REELS") else image_url if kind == "IMAGE" else image_url or video_url
    if not url:
        raise errors.ParameterRequired(ep, name="video_url" if kind in ("VIDEO", "REELS") else "image_url")
    _require_caption(ep, caption)
    is_video, is_story = url == video_url and kind != "IMAGE", kind == "STORIES"
    error: int | None = None
    if is_video:
        error = files.video_error(ep, url, is_story=is_story)
        if cover_url and files.find_image(ep, cover_url) is None:
            raise errors.DownloadFailed(ep, url=cover_url)
    else:
        files.require_image(ep, url, is_story=is_story)
    return _made(
        ep,
        ig_user_id=account["ig_user_id"],
        media_type=kind,
        caption="" if is_item else caption,
        url=url,
        cover_url=cover_url or None,
        is_carousel_item=int(is_item),
        ready_ms=ep.now_ms + (_PROCESSING_MS if is_video else 0),
        error_subcode=error,
    )


def create_carousel(
    ep: Episode, *, ig_user_id: str, children: Sequence[str], caption: str = "", graph_api_version: str = ""
) -> Result:
    """Make a draft of two to ten others that were made as items of a carousel.

    Raises:
        NoToken, UnsupportedPost: as ``require_own``.
        CarouselSize, CarouselChild, NoContainer, NotReady: too few or too many, no item, gone, or not ready yet.
        CaptionTooLong, TooManyTags, PublishingLimit: as ``create_container``.

    Source: https://developers.facebook.com/docs/instagram-platform/content-publishing
    """
    account = require_own(ep, ig_user_id, errors.UnsupportedPost)
    if not _CHILDREN_MIN <= len(children) <= _CHILDREN_MAX:
        raise errors.CarouselSize(ep)
    for child in children:
        container = require_ready(ep, account, child)
        if not container["is_carousel_item"]:
            raise errors.CarouselChild(ep, id=child)
    _require_caption(ep, caption)
    return _made(
        ep,
        ig_user_id=account["ig_user_id"],
        media_type="CAROUSEL",
        caption=caption,
        children=compact_json(list(children)),
        ready_ms=ep.now_ms,
    )


def get_status(ep: Episode, *, creation_id: str, graph_api_version: str = "") -> Result:
    """Return how far a draft is. Who asks for a video a second time finds it processed, however little time went by.

    Raises:
        NoToken: nothing is connected.
        UnsupportedGet: it is not the account's, or there is none.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-container
    """
    account = connected(ep)
    container = find_container(ep, account, creation_id)
    if container is None:
        raise errors.UnsupportedGet(ep, id=creation_id)
    status = status_code(ep, container)
    if status == "IN_PROGRESS":
        ep.db.update("containers", {"container_id": creation_id}, asked_count=container["asked_count"] + 1)
    told = _STATUS_TEXTS.get(status) or f"Error: Media upload has failed with error code {container['error_subcode']}"
    return {"id": creation_id, "status_code": status, "status": told}


def find_container(ep: Episode, account: Row, container_id: str) -> Row | None:
    """Return a draft of the account, or None."""
    return ep.db.one(
        "SELECT * FROM containers WHERE container_id = ? AND ig_user_id = ?", container_id, account["ig_user_id"]
    )


def require_ready(ep: Episode, account: Row, container_id: str) -> Row:
    """Return a draft of the account that can be published.

    Raises:
        NoContainer, AlreadyPublished, NotReady: none any more, published, not processed or failed.
    """
    container = find_container(ep, account, container_id)
    status = None if container is None else status_code(ep, container)
    if container is None or status == "EXPIRED":
        raise errors.NoContainer(ep, id=container_id)
    if status == "PUBLISHED":
        raise errors.AlreadyPublished(ep, id=container_id)
    if status != "FINISHED":
        raise errors.NotReady(ep)
    return container


def status_code(ep: Episode, container: Row) -> str:
    """Return where in its life a draft is."""
    if container["published_media_id"] is not None:
        return "PUBLISHED"
    if ep.now_ms - container["created_ms"] >= _LIVES_MS:
        return "EXPIRED"
    if ep.now_ms < container["ready_ms"] and not container["asked_count"]:
        return "IN_PROGRESS"
    return "FINISHED" if container["error_subcode"] is None else "ERROR"


def _kind_of(video_url: str | None, is_item: bool) -> str:
    if not video_url:
        return "IMAGE"
    return "VIDEO" if is_item else "REELS"


def _require_kind(ep: Episode, kind: str, *, is_item: bool) -> None:
    if kind == "CAROUSEL":
        raise errors.ParameterRequired(ep, name="children")
    if kind not in _TYPES:
        raise errors.UnknownMediaType(ep, media_type=kind)
    if is_item and kind not in _ITEM_TYPES:
        raise errors.CarouselItemType(ep, media_type=kind)
    if kind == "VIDEO" and not is_item:
        raise errors.VideoNoLonger(ep)


def _require_caption(ep: Episode, caption: str) -> None:
    if len(caption) > _CAPTION_MAX:
        raise errors.CaptionTooLong(ep, length=len(caption), length_max=_CAPTION_MAX)
    for pattern, tags_max in ((_HASHTAG, _HASHTAGS_MAX), (_MENTION, _MENTIONS_MAX)):
        if len(pattern.findall(caption)) > tags_max:
            raise errors.TooManyTags(ep, tags_max=tags_max)


def _made(ep: Episode, *, ig_user_id: str, **values: str | int | None) -> Result:
    living = "SELECT count(*) FROM containers WHERE ig_user_id = ? AND created_ms > ?"
    if ep.db.scalar(living, ig_user_id, ep.now_ms - _LIVES_MS) >= _MADE_MAX:
        raise errors.PublishingLimit(ep)  # (inferred): that it is this one
    container_id = ep.new_id("container")
    ep.db.insert("containers", container_id=container_id, ig_user_id=ig_user_id, created_ms=ep.now_ms, **values)
    return {"id": container_id}
