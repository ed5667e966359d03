"""Files: pictures that were uploaded to be named in chats, some of them for a time."""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode
from collections.abc import Iterable, Mapping
from typing import Any

from farm.appkit import Answer, Episode, Json, Result, Row
from farm.appkit.formats.javascript import js_well_formed

from . import errors

_INDENTED = Json(indented=True)
_LIMIT = 1000
# What a form's head cannot hold in quotes goes out as an escape that no API takes back.
_QUOTED = re.compile(r'["\r\n]')
_HEADS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


def upload_file(ep: Episode, *, filename: str, file_data: str, expires_after_seconds: int | None = None) -> Result:
    """Upload a picture.

    Args:
        file_data: base64, or a data URL that says what it is.

    Raises:
        UnsupportedImage, OtherImage: it is none of the four kinds, or another than it says.
    """
    head, comma, payload = file_data.partition(",")
    if comma and not head.startswith("data:"):
        # The schema reads past any comma; what sends the file knows data URLs in small letters alone.
        raise errors.InvalidBase64
    data = b64decode(payload if comma else file_data)
    found = _kind(data)
    if found is None:
        raise errors.UnsupportedImage
    declared = head.removeprefix("data:").removesuffix(";base64")
    if comma and declared != found:
        raise errors.OtherImage(declared=declared, found=found)
    created_s = ep.now_ms // 1000
    row: Row = {
        "file_id": ep.new_id("file"),
        "filename": _QUOTED.sub(lambda sign: f"%{ord(sign[0]):02X}", js_well_formed(filename)),
        "size_bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "created_s": created_s,
        "expires_s": None if expires_after_seconds is None else created_s + expires_after_seconds,
    }
    ep.db.insert("files", **row)
    text = f"Uploaded {row['filename']} as {row['file_id']} ({len(data)} bytes)."
    return Answer(text, structured=_file_to_json(row))


def list_files(
    ep: Episode, *, after: str | None = None, limit: int = _LIMIT, order: str = "desc", purpose: str = "user_data"
) -> Result:
    """Return a page of the files, by the time they were made.

    Reads all files: those of the account, cut in the order that was asked for.

    Args:
        after: the last file of the page before; one that is not there begins at the first (inferred).
        order: newest first unless told otherwise (inferred).
    """
    rows = [row for row in ep.db.all("SELECT * FROM files ORDER BY created_s, rowid") if not _is_over(ep, row)]
    rows = rows if order == "asc" else rows[::-1]
    ids = [row["file_id"] for row in rows]
    rows = rows[ids.index(after) + 1 :] if after in ids else rows
    page = rows[: int(limit)]
    body: dict[str, Any] = {
        "object": "list",
        "data": [_file_to_json(row) for row in page],
        "has_more": len(rows) > len(page),
    }
    if page:
        body |= {"first_id": page[0]["file_id"], "last_id": page[-1]["file_id"]}
    lines = [f"{row['file_id']}\t{row['filename']}\t{row['size_bytes']} bytes" for row in page]
    return Answer("\n".join(lines) or "(no files returned)", structured=body)


def retrieve_file(ep: Episode, *, file_id: str) -> Result:
    """Return what is known of a file.

    Raises:
        FileNotFound: there is none, or its time is over.
    """
    body = _file_to_json(_require_file(ep, file_id))
    return Answer(_INDENTED.text(body), structured=body)


def delete_file(ep: Episode, *, file_id: str) -> Result:
    """Delete a file.

    Raises:
        FileNotFound: there is none, or its time is over.
    """
    _require_file(ep, file_id)
    ep.db.delete("files", file_id=file_id)
    return Answer(f"Deleted {file_id}.", structured={"id": file_id, "object": "file", "deleted": True})


def require_parts(ep: Episode, messages: Iterable[Mapping[str, Any]]) -> None:
    """Refuse messages that name a file there is not."""
    for message in messages:
        for key in ("content", "output"):
            for part in message[key] if isinstance(message.get(key), list) else ():
                if part.get("file_id") is not None:
                    _require_file(ep, part["file_id"])


def _require_file(ep: Episode, file_id: str) -> Row:
    row = ep.db.one("SELECT * FROM files WHERE file_id = ?", file_id)
    if row is None or _is_over(ep, row):
        raise errors.FileNotFound(file_id=file_id)
    return row


def _is_over(ep: Episode, row: Row) -> bool:
    return row["expires_s"] is not None and row["expires_s"] * 1000 <= ep.now_ms


def _kind(data: bytes) -> str | None:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for head, kind in _HEADS.items() if data.startswith(head)), None)


def _file_to_json(row: Row) -> dict[str, Any]:
    shown = {
        "id": row["file_id"],
        "object": "file",
        "bytes": row["size_bytes"],
        "created_at": row["created_s"],
        "filename": row["filename"],
        "purpose": "user_data",
    }
    return shown if row["expires_s"] is None else {**shown, "expires_at": row["expires_s"]}
