"""Sending and saving files, as the server of December 2025 answered."""

from __future__ import annotations

import mimetypes
import posixpath

from farm.appkit import Episode, Result, Row

from .. import media, texts
from ..errors import NotConnected, ToolMessage
from ..files import kind_of, send_one
from ..ids import Id, as_in_2025, checked
from ..media import find_file, require_media
from ..peers import me, own_row, require
from ..roots import FOLDER
from ..tl_builders import photo_size

_CAPTION_MAX = 1024


def _require_file(ep: Episode, path: str, name: str = "File") -> Row:
    file = find_file(ep, path)
    if file is None:
        raise ToolMessage(f"{name} not found: {path}")
    if not file["is_readable"]:
        raise ToolMessage(f"{name} is not readable: {path}")
    return file


@checked("chat_id")
def send_file(ep: Episode, *, chat_id: Id, file_path: str, caption: str | None = None) -> Result:
    """Send a file: a picture as a photo, anything else as a document, with words below it."""
    file = _require_file(ep, file_path)
    send_one(ep, require(ep, chat_id), file, kind_of(file_path), caption or "")
    return f"File sent to chat {chat_id}."


@checked("chat_id")
def send_voice(ep: Episode, *, chat_id: Id, file_path: str) -> Result:
    """Send a voice message; its file ends in .ogg or .opus."""
    file = _require_file(ep, file_path)
    mime = mimetypes.guess_type(file_path)[0]
    if not mime or not (mime == "audio/ogg" or file_path.lower().endswith((".ogg", ".opus"))):
        raise ToolMessage("Voice file must be .ogg or .opus format.")
    send_one(ep, require(ep, chat_id), file, "voice")
    return f"Voice message sent to chat {chat_id}."


@checked("chat_id")
def send_sticker(ep: Episode, *, chat_id: Id, file_path: str) -> Result:
    """Send a sticker; its file ends in .webp."""
    file = _require_file(ep, file_path, "Sticker file")
    if not file_path.lower().endswith(".webp"):
        raise ToolMessage("Sticker file must be a .webp file.")
    send_one(ep, require(ep, chat_id), file, "sticker")
    return f"Sticker sent to chat {chat_id}."


@checked("chat_id")
def download_media(ep: Episode, *, chat_id: Id, message_id: int, file_path: str) -> Result:
    """Save what is attached to a message. A path without an ending gets one, and is then not found again."""
    row = require_media(ep, chat_id, message_id)
    texts.require_printable(file_path)
    folder = posixpath.dirname(file_path) or "."
    if not ep.db.scalar(FOLDER, me(ep), folder):
        raise ToolMessage(f"Directory not writable: {folder}")
    failed = ToolMessage(f"Download failed: file not created at {file_path}")
    is_there = find_file(ep, file_path) is not None
    if row["kind"] == "poll" or (not is_there and not posixpath.splitext(file_path)[1]):
        raise failed
    if ep.db.scalar(FOLDER, me(ep), file_path) is not None:
        raise failed
    values = {key: row[key] for key in ("width", "height", "duration_s")} | {
        "size_bytes": photo_size(row) if row["kind"] == "photo" else row["size_bytes"] or 0
    }
    if not ep.db.update("files", {"owner_id": me(ep), "path": file_path}, **values):
        own_row(ep)
        ep.db.insert("files", owner_id=me(ep), path=file_path, **values)
    return f"Media downloaded to {file_path}."


def get_gif_search(ep: Episode, *, query: str, limit: int = 10) -> Result:
    """Find nothing; where nobody is logged in, the server told what its second try came to."""
    texts.require_printable(query)
    try:
        own_row(ep)
    except NotConnected as problem:
        raise ToolMessage(f"Could not search GIFs using available methods: {problem.message}") from None
    return find_gifs(ep, query=query, limit=limit)


find_gifs = as_in_2025(media.get_gif_search)
