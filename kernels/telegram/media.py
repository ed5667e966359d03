"""Media: files of the server's machine that are sent or saved, and what is attached to messages."""

from __future__ import annotations

import json
import mimetypes
import posixpath

from farm.appkit import Episode, Result, Row, Value

from . import texts, tl_objects
from .errors import NotConnected, NotFitting, Refused, ToolMessage
from .ids import Id, checked
from .messages import SENDING, find, post_message
from .peers import Peer, me, own_row, require, require_may_send, require_readable
from .tl_builders import media_object, photo_size

_CAPTION_MAX = 1024
_PICTURES = (".png", ".jpg", ".jpeg")


def find_file(ep: Episode, path: str) -> Row | None:
    """Return a file of the server's machine. There is no file system: what there is stands in table ``files``."""
    texts.require_printable(path)
    return ep.db.one("SELECT * FROM files WHERE path = ? AND kind = 'file'", path)


def require_picture(file: Row) -> None:
    """Refuse a photo that is none."""
    if not file["path"].lower().endswith(_PICTURES) or not file["size_bytes"]:
        raise Refused("PHOTO_EXT_INVALID")


def add_photo(ep: Episode, peer_id: int) -> int:
    """Give a peer a new photo and return its number."""
    photo_id = int(ep.new_id("photo"))
    ep.db.insert("photos", photo_id=photo_id, peer_id=peer_id, made_s=ep.now_ms // 1000)
    return photo_id


def _require_file(ep: Episode, path: str, name: str = "File") -> Row:
    file = find_file(ep, path)
    if file is None:
        raise ToolMessage(f"{name} not found: {path}")
    if not file["is_readable"]:
        raise ToolMessage(f"{name} is not readable: {path}")
    return file


def _send(ep: Episode, peer: Peer, file: Row, kind: str, caption: str = "") -> None:
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
    post_message(ep, peer, text, media_id=media_id)


@checked("chat_id")
def send_file(ep: Episode, *, chat_id: Id, file_path: str, caption: str | None = None) -> Result:
    """Send a file: a picture as a photo, anything else as a document, with words below it."""
    file = _require_file(ep, file_path)
    _send(ep, require(ep, chat_id), file, _kind(file_path), caption or "")
    return f"File sent to chat {chat_id}."


def _kind(path: str) -> str:
    if path.lower().endswith(_PICTURES):
        return "photo"
    if path.lower().endswith(".webp"):
        return "sticker"
    family = (mimetypes.guess_type(path)[0] or "").partition("/")[0]
    return family if family in ("audio", "video") else "document"


@checked("chat_id")
def send_voice(ep: Episode, *, chat_id: Id, file_path: str) -> Result:
    """Send a voice message; its file ends in .ogg or .opus."""
    file = _require_file(ep, file_path)
    mime = mimetypes.guess_type(file_path)[0]
    if not mime or not (mime == "audio/ogg" or file_path.lower().endswith((".ogg", ".opus"))):
        raise ToolMessage("Voice file must be .ogg or .opus format.")
    _send(ep, require(ep, chat_id), file, "voice")
    return f"Voice message sent to chat {chat_id}."


@checked("chat_id")
def send_sticker(ep: Episode, *, chat_id: Id, file_path: str) -> Result:
    """Send a sticker; its file ends in .webp."""
    file = _require_file(ep, file_path, "Sticker file")
    if not file_path.lower().endswith(".webp"):
        raise ToolMessage("Sticker file must be a .webp file.")
    _send(ep, require(ep, chat_id), file, "sticker")
    return f"Sticker sent to chat {chat_id}."


def get_gif_search(ep: Episode, *, query: str, limit: int = 10) -> Result:
    """Find nothing: the server's Telethon has no search of GIFs, so it looks through an empty chat with a bot."""
    texts.require_printable(query)
    try:
        own_row(ep)
    except NotConnected as problem:
        raise ToolMessage(f"Could not search GIFs using available methods: {problem.message}") from None
    if not -(2**31) <= limit < 2**31:
        raise ToolMessage(
            "Could not search GIFs using available methods: 'i' format requires -2147483648 <= number <= 2147483647"
        )
    return "[]"


@checked("chat_id")
def send_gif(ep: Episode, *, chat_id: Id, gif_id: int) -> Result:
    """Fail: a number is no file to Telethon."""
    require(ep, chat_id)
    raise NotFitting


@checked("chat_id")
def get_media_info(ep: Episode, *, chat_id: Id, message_id: int) -> Result:
    """Return what Telethon prints of what is attached to a message."""
    return tl_objects.to_str(media_object(ep, _require_media(ep, chat_id, message_id)))


def _require_media(ep: Episode, chat_id: Id, message_id: int) -> Row:
    chat = require_readable(ep, require(ep, chat_id))
    if message_id == 0:
        # Telethon takes 0 for no number, and gives a list with nothing in it.
        raise NotFitting
    found = find(ep, chat, message_id)
    row = ep.db.one("SELECT * FROM media WHERE media_id = ?", found["media_id"]) if found else None
    if row is None:
        raise ToolMessage("No media found in the specified message.")
    return row


@checked("chat_id")
def download_media(ep: Episode, *, chat_id: Id, message_id: int, file_path: str) -> Result:
    """Save what is attached to a message. A path without an ending gets one, and is then not found again."""
    row = _require_media(ep, chat_id, message_id)
    texts.require_printable(file_path)
    folder = posixpath.dirname(file_path) or "."
    if not ep.db.scalar("SELECT is_writable FROM files WHERE path = ? AND kind = 'folder'", folder):
        raise ToolMessage(f"Directory not writable: {folder}")
    failed = ToolMessage(f"Download failed: file not created at {file_path}")
    is_there = find_file(ep, file_path) is not None
    if row["kind"] == "poll" or (not is_there and not posixpath.splitext(file_path)[1]):
        raise failed
    if ep.db.scalar("SELECT 1 FROM files WHERE path = ? AND kind = 'folder'", file_path):
        raise failed
    values = {key: row[key] for key in ("width", "height", "duration_s")} | {
        "size_bytes": photo_size(row) if row["kind"] == "photo" else row["size_bytes"] or 0
    }
    if not ep.db.update("files", {"path": file_path}, **values):
        own_row(ep)
        ep.db.insert("files", path=file_path, **values)
    return f"Media downloaded to {file_path}."


def get_sticker_sets(ep: Episode) -> Result:
    """Return the titles of the account's sticker sets, as JSON."""
    own_row(ep)
    found = ep.db.all("SELECT title FROM sticker_sets WHERE owner_id = ? ORDER BY position", me(ep))
    return json.dumps([row["title"] for row in found], indent=2)
