"""Files of the machine that the server runs on: what a mail takes along, and what is downloaded."""

from __future__ import annotations

import re
from posixpath import basename, join, normpath, splitext

from farm.appkit import Episode, GivenFile, Result, Row

from . import errors, mailboxes

_NAME_BYTES_MAX = 255
_WORD, _OPEN = "application/vnd.openxmlformats-officedocument", "application/vnd.oasis.opendocument"
# How nodemailer tells a file's type by its ending, of those that people send; any other is bytes.
_TYPES = {
    "pdf": "application/pdf", "rtf": "application/rtf", "txt": "text/plain", "log": "text/plain", "csv": "text/csv",
    "html": "text/html", "htm": "text/html", "ics": "text/calendar", "json": "application/json",
    "xml": "application/xml",
    "doc": "application/msword", "xls": "application/vnd.ms-excel", "ppt": "application/vnd.ms-powerpoint",
    "docx": f"{_WORD}.wordprocessingml.document", "xlsx": f"{_WORD}.spreadsheetml.sheet",
    "pptx": f"{_WORD}.presentationml.presentation", "odt": f"{_OPEN}.text", "ods": f"{_OPEN}.spreadsheet",
    "zip": "application/zip", "gz": "application/x-gzip", "tar": "application/x-tar", "js": "application/javascript",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "bmp": "image/bmp", "mp4": "video/mp4",
    "mov": "video/quicktime", "mp3": "audio/mpeg", "wav": "audio/wav", "ai": "application/postscript",
    "step": "application/step", "stl": "application/vnd.ms-pkistl", "dxf": "application/dxf",
}  # fmt: skip


def rows_of_file(file: GivenFile) -> list[Row]:
    """Return the row of a file that a start gets; a relative path begins in the account's folder."""
    folder = next(row.get("folder", "/") for row in file.rows("accounts") if row["account_id"] == file.me)
    path, size_bytes = file.path_in(folder), len(file.content)
    return [{"table": "files", "account_id": file.me, "path": path, "size_bytes": size_bytes}]


def require_attachable(ep: Episode, path: str) -> Row:
    """Return a file as a mail's attachment: name, type by its ending, size.

    Raises:
        ServerError: there is nothing at the path.
        FileError: a folder is there.
    """
    resolved = _resolve_path(ep, path)
    size_bytes = None if path.endswith("/") else _sizes(ep).get(resolved)
    if size_bytes is None and _is_folder(ep, resolved) and path:
        raise errors.FileError("EISDIR: illegal operation on a directory, read")
    if size_bytes is None:
        raise errors.ServerError(f"File does not exist: {path}")
    name = basename(path)
    # A name without an ending is taken for one.
    ending = (splitext(name)[1][1:] or name).strip().lower()
    kind = _TYPES.get(ending, "application/octet-stream")
    return {"filename": name, "mime_type": kind, "size_bytes": size_bytes}


def download_attachment(
    ep: Episode, *, messageId: str, attachmentId: str, filename: str | None = None, savePath: str | None = None
) -> Result:
    """Write an attachment to the server's machine; a file of the same name is overwritten.

    Args:
        filename: nothing is made of ``/`` or ``..`` in it.
        savePath: a folder, made when it is not there; by default the one the server was started in.

    Raises:
        InvalidId, NotFound: no such message.
        InvalidAttachmentToken: the message has no such attachment.
        PathWithNull: no path can be made of the arguments.
        FileError: a file stands where a folder must be, or a folder where the file must.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.messages.attachments/get
    """
    found = require_attachment(ep, messageId, attachmentId)
    if not found["size_bytes"]:
        raise errors.ServerError("No attachment data received")
    folder, name = savePath or mailboxes.folder(ep), filename or found["filename"]
    shown = _joined(folder, name)
    resolved = _resolve_path(ep, folder)
    if "\0" in folder:
        raise errors.PathWithNull(path=folder)
    _require_folder(ep, resolved, folder)
    if "\0" in name:
        raise errors.PathWithNull(path=shown)
    target = _joined(resolved, name)
    if _is_folder(ep, target):
        raise errors.FileError(f"EISDIR: illegal operation on a directory, open '{shown}'")
    if len(basename(target).encode()) > _NAME_BYTES_MAX:
        raise errors.FileError(f"ENAMETOOLONG: name too long, open '{shown}'")
    if not _has_folder(ep, target, resolved, shown):
        raise errors.FileError(f"ENOENT: no such file or directory, open '{shown}'")
    key = {"account_id": ep.me, "path": target}
    if not ep.db.update("files", key, size_bytes=found["size_bytes"]):
        ep.db.insert("files", **key, size_bytes=found["size_bytes"])
    return f"Attachment downloaded successfully:\nFile: {name}\nSize: {found['size_bytes']} bytes\nSaved to: {shown}"


def require_attachment(ep: Episode, message_id: str, attachment_id: str) -> Row:
    """Return an attachment of one of the caller's messages.

    Raises:
        InvalidId, NotFound: no such message.
        InvalidAttachmentToken: the message has no such attachment.
    """
    message = mailboxes.require_message(ep, message_id)
    sql = "SELECT filename, size_bytes FROM attachments WHERE attachment_id = ? AND message_id = ?"
    found = ep.db.one(sql, attachment_id, message["message_id"])
    if found is None:
        raise errors.InvalidAttachmentToken
    return found


def _resolve_path(ep: Episode, path: str) -> str:
    """Return a path as the server resolves it."""
    return _joined(join(mailboxes.folder(ep), path))


def _joined(*parts: str) -> str:
    """Join paths as Node does: a later one that begins at the root is put behind the others all the same."""
    return re.sub(r"^/+", "/", normpath("/".join(parts)))


def _sizes(ep: Episode) -> dict[str, int]:
    """Reads all files: a path is looked for among them and the folders that they make."""
    rows = ep.db.all("SELECT path, size_bytes FROM files WHERE account_id = ? ORDER BY path", ep.me)
    return {row["path"]: row["size_bytes"] for row in rows}


def _is_folder(ep: Episode, resolved: str) -> bool:
    """Whether a path is a folder: the server's own, or one that files lie in."""
    inside = f"{resolved.rstrip('/')}/"
    return f"{mailboxes.folder(ep)}/".startswith(inside) or any(path.startswith(inside) for path in _sizes(ep))


def _require_folder(ep: Episode, resolved: str, path: str) -> None:
    """Refuse where a file stands on the way to a folder that must be made.

    Raises:
        FileError: it does.
    """
    sizes = _sizes(ep)
    if resolved in sizes:
        return  # it exists, and then a file cannot be opened in it
    if any(resolved.startswith(f"{each}/") for each in sizes):
        raise errors.FileError(f"ENOTDIR: not a directory, mkdir '{path}'")


def _has_folder(ep: Episode, target: str, resolved: str, given: str) -> bool:
    """Whether the folder of a file is there: the one just made, or one above or below it that is known.

    Raises:
        FileError: a file is in its place.
    """
    folder = target.rpartition("/")[0] or "/"
    if folder in _sizes(ep):
        raise errors.FileError(f"ENOTDIR: not a directory, open '{given}'")
    return folder == resolved or f"{resolved}/".startswith(f"{folder}/") or _is_folder(ep, folder)
