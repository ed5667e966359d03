"""Files of the server's machine: folders that it may use, and paths in them.

Every account's server runs on a machine of its own. It is started with folders as its roots: those of the account in
table ``files`` that lie in no other one.
"""

from __future__ import annotations

import posixpath

from farm.appkit import Episode, GivenFile, Row
from farm.appkit.formats.pictures import read_picture

from . import texts
from .errors import Failed, ToolMessage
from .media import find_file
from .peers import me

_FORBIDDEN = ("*", "?", "[", "]", "{", "}", "~", "\x00")
_PICTURES = (".jpg", ".jpeg", ".png", ".webp")
_ENDINGS = {
    "send_voice": (".ogg", ".opus"),
    "send_sticker": (".webp",),
    "set_profile_photo": _PICTURES,
    "edit_chat_photo": _PICTURES,
}
_MIB = 1024 * 1024
_BYTES_MAX = {
    "send_file": 200 * _MIB,
    "upload_file": 200 * _MIB,
    "send_voice": 100 * _MIB,
    "send_sticker": 10 * _MIB,
    "set_profile_photo": 50 * _MIB,
    "edit_chat_photo": 50 * _MIB,
}
_DOWNLOADS = "downloads"
_FOLDERS = "SELECT path FROM files WHERE owner_id = ? AND kind = 'folder' ORDER BY path"
FOLDER = "SELECT is_writable FROM files WHERE owner_id = ? AND path = ? AND kind = 'folder'"


def rows_of_file(file: GivenFile) -> list[Row]:
    """Return the rows of a file that a start gets; its folder becomes a root if it is inside none.

    A relative path begins in the first root.
    """
    owner = {"table": "files", "owner_id": int(file.me) if file.me.isdigit() else 0}
    own = [row for row in file.rows("files") if row["owner_id"] == owner["owner_id"]]
    roots = sorted(row["path"] for row in own if row.get("kind") == "folder")
    path = file.path_in(roots[0]) if roots else file.absolute()
    picture = read_picture(file.content)
    size = {} if picture is None else {"width": picture.width, "height": picture.height}
    row = {**owner, "path": path, "size_bytes": len(file.content), **size}
    is_outside = not _is_inside(path, roots)
    return [{**owner, "path": posixpath.dirname(path), "kind": "folder"}, row] if is_outside else [row]


def require_roots(ep: Episode, tool: str) -> list[str]:
    """Return the roots, or refuse where there are none.

    Reads all files: the folders among them, of which the outermost are wanted.
    """
    folders = [row["path"] for row in ep.db.all(_FOLDERS, me(ep))]
    roots = [each for each in folders if not any(_is_inside(each, [other]) for other in folders if other != each)]
    if not roots:
        raise ToolMessage(
            f"{tool} is disabled until allowed roots are configured. Provide server CLI roots and/or client MCP Roots."
        )
    return roots


def require_file(ep: Episode, raw_path: str, tool: str) -> Row:
    """Return a file that a tool may read."""
    roots = require_roots(ep, tool)
    path = _absolute(raw_path, roots)
    file = find_file(ep, path)
    is_folder = file is None and _is_folder(ep, path)
    if file is None and not is_folder:
        raise ToolMessage(f"File not found: {raw_path}")
    if not _is_inside(path, roots):
        raise ToolMessage("Path is outside allowed roots.")
    if file is None:
        raise ToolMessage(f"Path is not a file: {path}")
    if not file["is_readable"]:
        raise ToolMessage(f"File is not readable: {path}")
    endings = _ENDINGS.get(tool)
    if endings and posixpath.splitext(path)[1].lower() not in endings:
        allowed = ", ".join(sorted(endings))
        raise ToolMessage(f"File extension is not allowed for {tool}. Allowed: {allowed}.")
    if file["size_bytes"] > _BYTES_MAX[tool]:
        size = f"{file['size_bytes']} bytes (limit: {_BYTES_MAX[tool]} bytes)"
        raise ToolMessage(f"File is too large for {tool}: {size}.")
    return file


def require_target(ep: Episode, raw_path: str | None, usual: str, tool: str) -> str:
    """Return the path that a tool may write to; folders on the way to it are made."""
    roots = require_roots(ep, tool)
    is_named = bool(raw_path and raw_path.strip())
    path = _absolute(raw_path or "", roots) if is_named else f"{roots[0]}/{_DOWNLOADS}/{usual}"
    if not _is_inside(path, roots) or not _is_inside(posixpath.dirname(path), roots):
        raise ToolMessage("Path is outside allowed roots.")
    _make_folders(ep, posixpath.dirname(path))
    return path


def _absolute(raw_path: str, roots: list[str]) -> str:
    texts.require_printable(raw_path)
    path = raw_path.strip()
    if not path:
        raise ToolMessage("Path must not be empty.")
    if any(each in path for each in _FORBIDDEN):
        raise ToolMessage("Path contains disallowed wildcard/shell patterns.")
    if ".." in path.split("/"):
        raise ToolMessage("Path traversal is not allowed.")
    return posixpath.normpath(posixpath.join(roots[0], path))


def _is_inside(path: str, roots: list[str]) -> bool:
    return any(path == root or path.startswith(f"{root.rstrip('/')}/") for root in roots)


def _is_folder(ep: Episode, path: str) -> bool:
    return ep.db.scalar(FOLDER, me(ep), path) is not None


def _make_folders(ep: Episode, folder: str) -> None:
    missing = []
    while not _is_folder(ep, folder):
        missing.append(folder)
        folder = posixpath.dirname(folder)
    is_writable = ep.db.scalar(FOLDER, me(ep), folder)
    if not is_writable and not missing:
        raise ToolMessage(f"Directory not writable: {folder}")
    if not is_writable:
        raise Failed
    for each in reversed(missing):
        ep.db.insert("files", owner_id=me(ep), path=each, kind="folder")
