"""Media: files of the server's machine that are sent or saved, and what is attached to messages."""

from __future__ import annotations

import json

from farm.appkit import Episode, Result, Row

from . import texts, tl_objects
from .errors import NotFitting, Refused, ToolMessage
from .ids import Id, addressed
from .messages import find
from .peers import me, own_row, require, require_readable
from .sanitize import Clean, clean_name
from .tl_builders import media_object
from .tl_objects import LATEST, Layer

PICTURES = (".png", ".jpg", ".jpeg")


def find_file(ep: Episode, path: str) -> Row | None:
    """Return a file of the server's machine. There is no file system: what there is stands in table ``files``."""
    texts.require_printable(path)
    return ep.db.one("SELECT * FROM files WHERE owner_id = ? AND path = ? AND kind = 'file'", me(ep), path)


def require_picture(file: Row) -> None:
    """Refuse a photo that is none."""
    if not file["path"].lower().endswith(PICTURES) or not file["size_bytes"]:
        raise Refused("PHOTO_EXT_INVALID")


def add_photo(ep: Episode, peer_id: int) -> int:
    """Give a peer a new photo and return its number."""
    photo_id = int(ep.new_id("photo"))
    ep.db.insert("photos", photo_id=photo_id, peer_id=peer_id, made_s=ep.now_ms // 1000)
    return photo_id


@addressed()
def get_gif_search(ep: Episode, *, query: str, limit: int = 10) -> Result:
    """Find nothing: the server's Telethon has no search of GIFs, so it looks through an empty chat with a bot."""
    texts.require_printable(query)
    own_row(ep)
    if not -(2**31) <= limit < 2**31:
        raise ToolMessage(
            "Could not search GIFs using available methods: 'i' format requires -2147483648 <= number <= 2147483647"
        )
    return "[]"


@addressed("chat_id")
def get_media_info(ep: Episode, *, chat_id: Id, message_id: int, layer: Layer = LATEST) -> Result:
    """Return what Telethon prints of what is attached to a message."""
    return tl_objects.to_str(media_object(ep, require_media(ep, chat_id, message_id)), layer)


def require_media(ep: Episode, chat_id: Id, message_id: int) -> Row:
    chat = require_readable(ep, require(ep, chat_id))
    if message_id == 0:
        # Telethon takes 0 for no number, and gives a list with nothing in it.
        raise NotFitting
    found = find(ep, chat, message_id)
    row = ep.db.one("SELECT * FROM media WHERE media_id = ?", found["media_id"]) if found else None
    if row is None:
        raise ToolMessage("No media found in the specified message.")
    return row


@addressed()
def get_sticker_sets(ep: Episode, *, clean: Clean = clean_name) -> Result:
    """Return the titles of the account's sticker sets, as JSON."""
    own_row(ep)
    found = ep.db.all("SELECT title FROM sticker_sets WHERE owner_id = ? ORDER BY position", me(ep))
    return json.dumps([clean(row["title"]) for row in found], indent=2)
