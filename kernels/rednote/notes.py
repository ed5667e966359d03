"""One note: everything its page shows."""

from __future__ import annotations

import hashlib
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import access, cards, comments
from .sessions import find_viewer

_VERB = "获取Feed详情"
_FIRST_COMMENTS = 10
_LIMIT = 20
_REPLY_LIMIT = 10

_DETAIL = f"""
SELECT n.*, u.nickname, u.avatar, v.duration, v.width AS video_width, v.height AS video_height,
       {cards.LIKES} AS liked_count, {cards.COLLECTIONS} AS collected_count, {cards.COMMENTS} AS comment_count,
       {cards.IS_LIKED}, {cards.IS_COLLECTED}
FROM notes n JOIN users u USING (user_id) LEFT JOIN videos v ON v.note_id = n.note_id
WHERE n.note_id = :note
"""


def get_feed_detail(
    ep: Episode,
    *,
    feed_id: str,
    xsec_token: str,
    load_all_comments: bool = False,
    limit: int = 0,
    click_more_replies: bool = False,
    reply_limit: int = 0,
    scroll_speed: str = "",
) -> Result:
    """Return a note with its pictures or video, its counters and its comments, newest first.

    Reads all comments: a note tells how many it has.

    Without ``load_all_comments`` there are ten top-level comments, each with its first reply, and the arguments that
    follow it mean nothing. Not simulated: the note is not marked as seen; ``scroll_speed`` makes no difference.

    Args:
        feed_id: the note.
        xsec_token: its token, from a listing, a notification or an earlier detail.
        load_all_comments: whether to load more than the first ten.
        limit: most top-level comments; 0 or less is 20.
        click_more_replies: whether to show all replies of a thread.
        reply_limit: threads with more replies than this stay folded; 0 or less is 10.
        scroll_speed: ``slow``, ``normal`` or ``fast``.

    Raises:
        MissingArgument, NoteInaccessible: as ``access.require_open``.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (feed_detail.go)
    """
    viewer = find_viewer(ep)
    access.require_open(ep, _VERB, viewer, feed_id, xsec_token)
    (note,) = ep.db.all(_DETAIL, me=viewer, note=feed_id)
    size = _FIRST_COMMENTS if not load_all_comments else limit if limit > 0 else _LIMIT
    unfold = (reply_limit if reply_limit > 0 else _REPLY_LIMIT) if load_all_comments and click_more_replies else 0
    listed = comments.page(ep, viewer, note, size=size, unfold=unfold)
    return {"feed_id": feed_id, "data": {"note": _note(ep, note, xsec_token), "comments": listed}}


def _note(ep: Episode, note: Row, token: str) -> dict[str, Any]:
    images = ep.db.all("SELECT * FROM note_images WHERE note_id = ? ORDER BY position", note["note_id"])
    detail = {
        "noteId": note["note_id"],
        "xsecToken": token,
        "title": note["title"],
        "desc": description(note["body"], parse_json(note["tags"])),
        "type": note["type"],
        "time": note["time"],
        "ipLocation": note["ip_location"],
        "user": cards.user(note),
        # The page calls the shares shareCount, and the server reads sharedCount: they never come.
        "interactInfo": cards.interactions(note),
        "imageList": [_image(image) for image in images],
    }
    if note["duration"] is not None:
        detail["video"] = _video(ep, note, images[0]["file_id"] if images else "")
    return detail


def description(body: str, tags: list[str]) -> str:
    """Return the text under a note: its body, then its tags as the site writes them."""
    return " ".join(([body] if body else []) + [f"#{tag}[话题]#" for tag in tags])


def _image(image: Row) -> dict[str, Any]:
    shown = {
        "width": image["width"],
        "height": image["height"],
        "urlDefault": cards.picture(image["file_id"], "nd_dft_wlteh_webp_3"),
        "urlPre": cards.picture(image["file_id"], "nd_prv_wlteh_webp_3"),
    }
    if image["live_photo"]:
        shown["livePhoto"] = True
    return shown


def _video(ep: Episode, note: Row, cover: str) -> dict[str, Any]:
    """Return the video of a note. Its addresses and figures are made from the note's id; nothing answers there."""
    digest = hashlib.blake2b(note["note_id"].encode(), digest_size=16).hexdigest()
    duration = note["duration"]
    meta = {
        "duration": duration,
        "md5": digest,
        "hdrType": 0,
        "drmType": 0,
        "streamTypes": [259],
        "bizName": 110,
        "bizId": str(int(digest[:15], 16)),
    }
    # The map of codecs is sorted by name when Go prints it.
    stream = {"av1": [], "h264": [_stream(ep, note, digest)], "h265": [], "h266": []}
    return {
        "image": {"firstFrameFileid": cover, "thumbnailFileid": cover},
        "capa": {"duration": duration},
        "media": {"videoId": int(digest[:13], 16), "video": meta, "stream": stream},
    }


def _stream(ep: Episode, note: Row, digest: str) -> dict[str, Any]:
    milliseconds = note["duration"] * 1000
    path = f"/stream/1/110/259/{digest[:24]}_259.mp4"
    until = ep.now_ms // 1000 + 6 * 3600
    return {
        "masterUrl": f"http://sns-video-qc.xhscdn.com{path}?sign={digest[::-1]}&t={until:x}",
        "backupUrls": [f"http://sns-bak-v1.xhscdn.com{path}"],
        "format": "mp4",
        "width": note["video_width"],
        "height": note["video_height"],
        "duration": milliseconds,
        "size": milliseconds * 150,
        "fps": 30,
        "rotate": 0,
        "qualityType": "HD",
        "streamType": 259,
        "streamDesc": "WM_X264_MP4",
        "hdrType": 0,
        "videoCodec": "h264",
        "videoBitrate": 1_100_000,
        "videoDuration": milliseconds,
        "avgBitrate": 1_200_000,
        "audioCodec": "aac",
        "audioBitrate": 96_000,
        "audioDuration": milliseconds,
        "audioChannels": 2,
        "volume": 0,
        "vmaf": -1,
        "psnr": 0,
        "ssim": 0,
        "weight": 62,
        "defaultStream": 0,
    }
