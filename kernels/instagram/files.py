"""Files: what can be fetched from the web, and whether it may be published."""

from __future__ import annotations

from dataclasses import asdict

from farm.appkit import Episode, GivenFile, Row
from farm.appkit.formats.pictures import read_picture

from . import errors

_IMAGES, _VIDEOS = ("jpeg", "png", "gif", "webp", "heic"), ("mp4", "mov")
_IMAGE_BYTES_MAX = 8 * 1024 * 1024
_RATIO_MIN, _RATIO_MAX = 4 / 5, 1.91
_VIDEO_BYTES_MAX = 300 * 1024 * 1024
_STORY_BYTES_MAX = 100 * 1024 * 1024
_DURATION_MS_MIN, _REEL_MS_MAX, _STORY_MS_MAX = 3_000, 900_000, 60_000
_UNSUPPORTED_VIDEO = 2207026


def rows_of_file(file: GivenFile) -> list[Row]:
    """Return the row of a picture that a start's web has at an address."""
    picture = read_picture(file.content)
    if picture is None or not file.path.startswith(("http://", "https://")):
        raise file.unfit("is no PNG, JPEG, GIF or WebP picture at an address such as https://pictures.example/a.jpg")
    return [{"table": "files", "url": file.path, "size_bytes": len(file.content), **asdict(picture)}]


def find_image(ep: Episode, url: str) -> Row | None:
    """Return a picture of the web, or None."""
    file = ep.db.one("SELECT * FROM files WHERE url = ?", url)
    return file if file is not None and file["format"] in _IMAGES else None


def require_image(ep: Episode, url: str, *, is_story: bool) -> None:
    """Refuse what is no picture that a post can have; a story's may have any shape.

    Raises:
        DownloadFailed: nothing is there, or no picture.
        ImageFormat, ImageSize, AspectRatio: it is no JPEG, 8 MiB or larger, or neither 4:5 nor 1.91:1 nor between.
    """
    image = find_image(ep, url)
    if image is None:
        raise errors.DownloadFailed(ep, url=url)
    if image["format"] != "jpeg":
        raise errors.ImageFormat(ep)
    if image["size_bytes"] >= _IMAGE_BYTES_MAX:
        raise errors.ImageSize(ep)
    ratio = image["width"] / image["height"]
    if not is_story and not _RATIO_MIN - 0.005 <= ratio <= _RATIO_MAX + 0.005:
        raise errors.AspectRatio(ep, ratio=f"{ratio:.2f}")


def video_error(ep: Episode, url: str, *, is_story: bool) -> int | None:
    """Return the subcode with which a video will fail, or None; it is known only when it has been processed.

    Raises:
        DownloadFailed: nothing is there, or no video.
    """
    video = ep.db.one("SELECT * FROM files WHERE url = ?", url)
    if video is None or video["format"] not in _VIDEOS:
        raise errors.DownloadFailed(ep, url=url)
    longest_ms, largest = (_STORY_MS_MAX, _STORY_BYTES_MAX) if is_story else (_REEL_MS_MAX, _VIDEO_BYTES_MAX)
    fits = _DURATION_MS_MIN <= (video["duration_ms"] or 0) <= longest_ms and video["size_bytes"] <= largest
    return None if fits else _UNSUPPORTED_VIDEO
