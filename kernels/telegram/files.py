"""Sending files of the server's machine, alone or as an album, and saving what is attached to messages there."""

from __future__ import annotations

import json
import mimetypes
import posixpath

from farm.appkit import Episode, Result, Row, Value

from . import texts
from .errors import NotFitting, Refused, ToolMessage
from .ids import Id, addressed, require_account
from .media import PICTURES, find_file, require_media
from .messages import SENDING, post_message
from .peers import Peer, me, own_row, require, require_may_send
from .roots import require_file, require_target
from .sending import place
from .tl_builders import photo_size

_CAPTION_MAX = 1024
_ALBUM_MIN, _ALBUM_MAX = 2, 10
# Above it Telethon uploads in parts and works out no checksum.
_WITH_CHECKSUM_MAX = 10 * 1024 * 1024
# What may stand beside each other in an album.
_FAMILIES = {"photo": "picture", "video": "picture"}


def kind_of(path: str) -> str:
    """Return what a file is sent as, by its ending."""
    if path.lower().endswith(PICTURES):
        return "photo"
    if path.lower().endswith(".webp"):
        return "sticker"
    family = (mimetypes.guess_type(path)[0] or "").partition("/")[0]
    return family if family in ("audio", "video") else "document"


def send_one(ep: Episode, peer: Peer, file: Row, kind: str, caption: str = "", **columns: Value) -> None:
    """Send a file to a peer, with words below it."""
    require_may_send(ep, peer, SENDING.get(kind, "send_media"))
    if not file["size_bytes"]:
        raise Refused("FILE_PARTS_INVALID")
    text = texts.require_text(caption, _CAPTION_MAX) if caption else ""
    path = file["path"]
    row: dict[str, Value] = {"kind": kind, "size_bytes": file["size_bytes"], "made_s": ep.now_ms // 1000}
    row |= {key: file[key] for key in ("width", "height", "duration_s")}
    if kind != "photo":
        mime = mimetypes.guess_type(path)[0] or "application/octet-stream"
        row |= {"file_name": posixpath.basename(path), "mime_type": mime}
    media_id = int(ep.new_id("media"))
    ep.db.insert("media", media_id=media_id, **row)
    post_message(ep, peer, text, media_id=media_id, **columns)


@addressed("chat_id")
def send_file(
    ep: Episode,
    *,
    chat_id: Id,
    file_path: str | list[str],
    caption: str | None = None,
    topic_id: int | None = None,
    account: str | None = None,
) -> Result:
    """Send a file: a picture as a photo, anything else as a document; of a list all go as one album."""
    if isinstance(file_path, list):
        return _send_album(ep, chat_id, file_path, caption, topic_id, account)
    require_account(account)
    file = require_file(ep, file_path, "send_file")
    peer = require(ep, chat_id)
    send_one(ep, peer, file, kind_of(file["path"]), caption or "", **place(ep, peer, topic_id))
    return f"File sent to chat {chat_id} from {file['path']}."


@addressed("chat_id")
def send_album(
    ep: Episode,
    *,
    chat_id: Id,
    file_paths: list[str],
    caption: str | None = None,
    topic_id: int | None = None,
    account: str | None = None,
) -> Result:
    """Send files as one album; the words stand below the first."""
    return _send_album(ep, chat_id, file_paths, caption, topic_id, account)


def _send_album(
    ep: Episode, chat_id: Id, paths: list[str], caption: str | None, topic_id: int | None, account: str | None
) -> Result:
    if not _ALBUM_MIN <= len(paths) <= _ALBUM_MAX:
        raise ToolMessage("Albums must contain between 2 and 10 files.")
    require_account(account)
    files = [require_file(ep, each, "send_file") for each in paths]
    peer = require(ep, chat_id)
    kinds = [kind_of(file["path"]) for file in files]
    if len({_FAMILIES.get(kind, kind) for kind in kinds}) > 1 or "sticker" in kinds:
        raise Refused("MEDIA_GROUPED_INVALID")
    columns = place(ep, peer, topic_id) | {"album_id": int(ep.new_id("album"))}
    for nth, (file, kind) in enumerate(zip(files, kinds, strict=True)):
        send_one(ep, peer, file, kind, "" if nth else caption or "", **columns)
    return f"Album sent to chat {chat_id} with {len(files)} files."


@addressed("chat_id")
def send_voice(ep: Episode, *, chat_id: Id, file_path: str, topic_id: int | None = None) -> Result:
    """Send a voice message; its file ends in .ogg or .opus."""
    file = require_file(ep, file_path, "send_voice")
    if not mimetypes.guess_type(file["path"])[0]:
        raise ToolMessage("Voice file must be .ogg or .opus format.")
    peer = require(ep, chat_id)
    send_one(ep, peer, file, "voice", "", **place(ep, peer, topic_id))
    return f"Voice message sent to chat {chat_id} from {file['path']}."


@addressed("chat_id")
def send_sticker(ep: Episode, *, chat_id: Id, file_path: str, topic_id: int | None = None) -> Result:
    """Send a sticker; its file ends in .webp."""
    file = require_file(ep, file_path, "send_sticker")
    peer = require(ep, chat_id)
    send_one(ep, peer, file, "sticker", "", **place(ep, peer, topic_id))
    return f"Sticker sent to chat {chat_id} from {file['path']}."


@addressed("chat_id")
def send_gif(ep: Episode, *, chat_id: Id, gif_id: int, topic_id: int | None = None) -> Result:
    """Fail: a number is no file to Telethon."""
    require(ep, chat_id)
    raise NotFitting


@addressed()
def upload_file(ep: Episode, *, file_path: str) -> Result:
    """Upload a file and return what is known of it; the checksum is arbitrary, for the file's bytes are not there."""
    own_row(ep)
    file = require_file(ep, file_path, "upload_file")
    digest = f"{ep.hash('md5', file['path'], 0):016x}{ep.hash('md5', file['path'], 1):016x}"
    told = {
        "path": file["path"],
        "name": posixpath.basename(file["path"]),
        "size": file["size_bytes"],
        "md5_checksum": digest if file["size_bytes"] <= _WITH_CHECKSUM_MAX else None,
    }
    return json.dumps(told, indent=2)


@addressed("chat_id")
def download_media(ep: Episode, *, chat_id: Id, message_id: int, file_path: str | None = None) -> Result:
    """Save what is attached to a message, under an ending that fits it, whatever ending the path has."""
    row = require_media(ep, chat_id, message_id)
    usual = f"telegram_{chat_id}_{message_id}_{ep.now_ms // 1000}"
    path = require_target(ep, file_path, usual, "download_media")
    if row["kind"] == "poll":
        raise ToolMessage(f"Download failed for message {message_id}.")
    saved = _free_path(ep, posixpath.splitext(path)[0], _ending(row))
    values = {key: row[key] for key in ("width", "height", "duration_s")} | {
        "size_bytes": photo_size(row) if row["kind"] == "photo" else row["size_bytes"] or 0
    }
    ep.db.insert("files", owner_id=me(ep), path=saved, **values)
    return f"Media downloaded to {saved}."


def _ending(row: Row) -> str:
    if row["kind"] == "photo":
        return ".jpg"
    if row["kind"] == "contact":
        return ".vcard"
    # Telethon teaches Python this one.
    known = {"audio/ogg": ".ogg", "image/webp": ".webp"}
    return known.get(row["mime_type"]) or mimetypes.guess_extension(row["mime_type"] or "") or ""


def _free_path(ep: Episode, stem: str, ending: str) -> str:
    """Return a path where nothing lies yet; an ending that the stem still has stays."""
    stem, own = posixpath.splitext(stem)
    ending = own or ending
    path, nth = f"{stem}{ending}", 1
    while find_file(ep, path) is not None:
        path, nth = f"{stem} ({nth}){ending}", nth + 1
    return path
