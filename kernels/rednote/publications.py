"""Publishing a note. What can be uploaded is what the account's camera roll (table ``media``) lists."""

from __future__ import annotations

import json
from collections.abc import Sequence

from farm.appkit import Episode, GivenFile, Result, Row
from farm.appkit.formats.javascript import js_length
from farm.appkit.formats.pictures import read_picture
from farm.appkit.formats.times import go_format

from . import cards, errors, gotimes, texts
from .ids import stamped
from .sessions import find_viewer

_VERB = "发布"
_TITLE_MAX = 20
_BODY_MAX = 1000
_TAGS_MAX = 10
_IMAGES_MAX = 18
_HOUR_MS = 3600 * 1000
_MINUTE = "2006-01-02 15:04"
_VISIBILITIES = ("公开可见", "仅自己可见", "仅互关好友可见")


def rows_of_file(file: GivenFile) -> list[Row]:
    """Return the row of a picture that a start's camera roll gets."""
    picture = read_picture(file.content)
    if picture is None:
        raise file.unfit("is no PNG, JPEG, GIF or WebP picture; Rednote's camera roll takes no other file")
    row = {"user_id": file.me, "path": file.path, "kind": "image", "width": picture.width, "height": picture.height}
    return [{"table": "media", **row}]


def publish_content(
    ep: Episode,
    *,
    title: str,
    content: str,
    images: Sequence[str] | None,
    tags: Sequence[str] | None = None,
    schedule_at: str = "",
    is_original: bool = False,
    visibility: str = "",
    products: Sequence[str] | None = None,
) -> Result:
    """Publish a note with pictures, now or later. The answer does not name the note.

    Args:
        title: at most 20 by the site's count, in which ASCII is half.
        content: at most 1000 together with the tags.
        images: paths or http(s) addresses in the camera roll, 18 at most; paths that are not there are left out.
        tags: the first ten are used.
        schedule_at: RFC 3339, from one hour to 14 days ahead.
        visibility: 公开可见, 仅自己可见 or 仅互关好友可见.
        products: names or ids of the account's goods; the first match is bound.

    Raises:
        TitleTooLong, DownloadFailed, NoImages, BadScheduleTime, ScheduleTooSoon, ScheduleTooLate: before the page.
        PublishPageUnreachable: nobody is signed in.
        ImageUploadTimedOut, NoEditor: a picture cannot be uploaded, or none of them is there.
        BodyTooLong, UnsupportedVisibility, NoShop, ProductsNotFound: the page refuses.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (service.go, publish.go)
    """
    _require_title(title)
    files = _downloaded(ep, images or ())
    schedule_ms = _schedule(ep, schedule_at)
    _require_page(ep)
    uploads = _require_uploads(files)
    used = _used(tags)
    bound = _require_submittable(ep, content, used, visibility, products)
    note_id = _store(ep, "normal", title, content, used, schedule_ms, visibility, bound, is_original=is_original)
    for position, (path, file) in enumerate(uploads):
        _store_image(ep, note_id, position, file, source=path)
    # As there, the number is that of the paths that were given.
    return f"内容发布成功: &{{Title:{title} Content:{content} Images:{len(files)} Status:发布完成}}"


def publish_with_video(
    ep: Episode,
    *,
    title: str,
    content: str,
    video: str,
    tags: Sequence[str] | None = None,
    schedule_at: str = "",
    visibility: str = "",
    products: Sequence[str] | None = None,
) -> Result:
    """Publish a note with one video, now or later; its first frame is the cover. The answer does not name the note.

    Args:
        video: path of a video in the camera roll; addresses are not downloaded.
        title, content, tags, schedule_at, visibility, products: as for ``publish_content``.

    Raises:
        MissingVideoPath, TitleTooLong, VideoMissing: before the page.
        BadScheduleTime, ScheduleTooSoon, ScheduleTooLate: before the page.
        PublishPageUnreachable: nobody is signed in.
        VideoUploadTimedOut: the file is not a video.
        BodyTooLong, UnsupportedVisibility, NoShop, ProductsNotFound: the page refuses.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (service.go, publish_video.go)
    """
    if not video:
        raise errors.MissingVideoPath(_VERB)
    _require_title(title)
    file = None if _is_address(video) else _file(ep, video)
    if file is None:
        raise errors.VideoMissing(_VERB, path=video)
    schedule_ms = _schedule(ep, schedule_at)
    _require_page(ep)
    if file["kind"] != "video":
        raise errors.VideoUploadTimedOut(_VERB)
    used = _used(tags)
    bound = _require_submittable(ep, content, used, visibility, products)
    note_id = _store(ep, "video", title, content, used, schedule_ms, visibility, bound)
    _store_image(ep, note_id, 0, file, source=None)
    ep.db.insert(
        "videos",
        note_id=note_id,
        duration=file["duration"] or 0,
        width=file["width"],
        height=file["height"],
        source=video,
    )
    return f"视频发布成功: &{{Title:{title} Content:{content} Video:{video} Status:发布完成}}"


def _require_title(title: str) -> None:
    if texts.title_length(title) > _TITLE_MAX:
        raise errors.TitleTooLong(_VERB)


def _is_address(path: str) -> bool:
    return path.lower().startswith(("http://", "https://"))


def _file(ep: Episode, path: str) -> Row | None:
    return ep.db.one("SELECT * FROM media WHERE user_id = ? AND path = ?", ep.me, path)


def _downloaded(ep: Episode, images: Sequence[str]) -> list[tuple[str, Row | None]]:
    """Return path and file of every picture; local paths are looked at later, when they are uploaded."""
    wanted = cards.id_list(images)
    rows = ep.db.all(
        "SELECT * FROM media WHERE user_id = ? AND path IN (SELECT value FROM json_each(?))", ep.me, wanted
    )
    roll = {row["path"]: row for row in rows}
    for path in images:
        if _is_address(path) and path not in roll:
            reason = f"download failed with status 404 for URL: {path}"
            raise errors.DownloadFailed(_VERB, url=path, reason=reason)
        if _is_address(path) and roll[path]["kind"] != "image":
            raise errors.DownloadFailed(_VERB, url=path, reason="downloaded file is not a valid image")
    if not images:
        raise errors.NoImages(_VERB)
    return [(path, roll.get(path)) for path in images]


def _schedule(ep: Episode, schedule_at: str) -> int | None:
    """Return when a scheduled note appears, in milliseconds, or None for at once."""
    if not schedule_at:
        return None
    try:
        moment = gotimes.parse(schedule_at)
    except gotimes.InvalidTimeError as problem:
        raise errors.BadScheduleTime(_VERB, reason=problem) from None
    first_ms, last_ms = ep.now_ms + _HOUR_MS, ep.now_ms + 14 * 24 * _HOUR_MS
    if moment.at_ms < first_ms:
        raise errors.ScheduleTooSoon(_VERB, given=moment.minute, bound=go_format(first_ms, _MINUTE, ep.zone))
    if moment.at_ms > last_ms:
        raise errors.ScheduleTooLate(_VERB, given=moment.minute, bound=go_format(last_ms, _MINUTE, ep.zone))
    return moment.at_ms


def _require_page(ep: Episode) -> None:
    if not find_viewer(ep):
        raise errors.PublishPageUnreachable(_VERB)


def _require_uploads(files: Sequence[tuple[str, Row | None]]) -> list[tuple[str, Row]]:
    """Return the pictures to upload: the server leaves out paths that are not there, with a line in its log.

    Raises:
        ImageUploadTimedOut: the page does not take one.
        NoEditor: there is none.
    """
    uploads = [(path, file) for path, file in files if file is not None]
    for number, (_, file) in enumerate(uploads, start=1):
        if file["kind"] != "image" or number > _IMAGES_MAX:
            # The page shows no preview of what it does not take, and the server waits for one.
            raise errors.ImageUploadTimedOut(_VERB, number=number)
    if not uploads:
        # The form with the title appears only behind a first picture.
        raise errors.NoEditor(_VERB)
    return uploads


def _used(tags: Sequence[str] | None) -> list[str]:
    return [tag for tag in (tag.lstrip("#") for tag in (tags or ())[:_TAGS_MAX]) if tag]


def _require_submittable(
    ep: Episode, content: str, tags: Sequence[str], visibility: str, products: Sequence[str] | None
) -> list[str]:
    """Refuse what the publish page refuses, in its order, and return the ids of the goods to bind."""
    # Tags stand in the same text field as the body: '#', the tag, a blank.
    length = js_length(content) + sum(js_length(tag) + 2 for tag in tags)
    if length > _BODY_MAX:
        raise errors.BodyTooLong(_VERB, length=length, length_max=_BODY_MAX)
    if visibility and visibility not in _VISIBILITIES:
        raise errors.UnsupportedVisibility(_VERB, visibility=visibility)
    if not products:
        return []
    if not ep.db.scalar("SELECT has_shop FROM users WHERE user_id = ?", ep.me):
        raise errors.NoShop(_VERB)
    goods = ep.db.all("SELECT product_id, name FROM products WHERE user_id = ? ORDER BY product_id", ep.me)
    found = [next((row["product_id"] for row in goods if _is_match(row, product)), None) for product in products]
    missing = [product for product, product_id in zip(products, found, strict=True) if product_id is None]
    if missing:
        raise errors.ProductsNotFound(_VERB, products=f"[{' '.join(missing)}]")
    # Choosing the same product twice leaves it chosen once.
    return list(dict.fromkeys(product_id for product_id in found if product_id is not None))


def _is_match(row: Row, keyword: str) -> bool:
    return keyword == row["product_id"] or keyword.casefold() in row["name"].casefold()


def _store(
    ep: Episode,
    kind: str,
    title: str,
    content: str,
    tags: Sequence[str],
    schedule_ms: int | None,
    visibility: str,
    products: Sequence[str],
    *,
    is_original: bool = False,
) -> str:
    note_id = stamped(ep, "note")
    (author,) = ep.db.all("SELECT ip_location, district FROM users WHERE user_id = ?", ep.me)
    ep.db.insert(
        "notes",
        note_id=note_id,
        user_id=ep.me,
        type=kind,
        title=title,
        body=content,
        tags=json.dumps(tags, ensure_ascii=False),
        time=ep.now_ms if schedule_ms is None else schedule_ms,
        schedule_at=schedule_ms,
        ip_location=author["ip_location"],
        district=author["district"],
        visibility=visibility or _VISIBILITIES[0],
        is_original=int(is_original),
    )
    for position, product_id in enumerate(products):
        ep.db.insert("note_products", note_id=note_id, position=position, product_id=product_id)
    return note_id


def _store_image(ep: Episode, note_id: str, position: int, file: Row, *, source: str | None) -> None:
    ep.db.insert(
        "note_images",
        note_id=note_id,
        position=position,
        file_id=ep.new_id("file"),
        width=file["width"],
        height=file["height"],
        source=source,
    )
