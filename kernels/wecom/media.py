"""Media: files of the machine the server runs on, uploaded for three days."""

from __future__ import annotations

from posixpath import basename, join, normpath

from farm.appkit import Episode, GivenFile, Result, Row

from . import errors, webhook

_SIZE_BYTES_MIN, _SIZE_BYTES_MAX = 5, 20 * 1024 * 1024
_NAME_BYTES_MAX = 255
_LIFETIME_MS = 3 * 86_400_000


def upload_file(ep: Episode, *, file_path: str = "") -> Result:
    """Upload a file and return its media id, which no tool of this server can use.

    Args:
        file_path: absolute, or from the folder the server was started in. There is no file system: what can be read
            stands in table ``files``.

    Raises:
        NoSuchFile, NotAPath, NameTooLong, NotADirectory, IsADirectory: nothing to read there.
        InvalidWebhookUrl: as ``webhook.require_robot``.
        InvalidFileSize: below 5 bytes or above 20 MB.

    Source: https://developer.work.weixin.qq.com/document/path/99110
    """
    webhook.turn_to(ep, webhook.UPLOAD)
    size_bytes = _require_file(ep, file_path)
    robot = webhook.require_robot(ep)
    if not _SIZE_BYTES_MIN <= size_bytes <= _SIZE_BYTES_MAX:
        raise errors.InvalidFileSize(ep)
    media_id = ep.new_id("media")
    ep.db.insert(
        "media",
        media_id=media_id,
        webhook_key=robot["webhook_key"],
        filename=basename(file_path),
        size_bytes=size_bytes,
        type="file",
        created_ms=ep.now_ms,
        expires_ms=ep.now_ms + _LIFETIME_MS,
    )
    return f"File uploaded successfully, media ID: {media_id}"


def rows_of_file(file: GivenFile) -> list[Row]:
    """Return the row of a file that a start gets; a relative path begins in the server's folder."""
    server = next((row for row in file.rows("servers") if row["userid"] == file.me), None)
    if server is None:
        raise file.unfit("has no machine to lie on: the account's owner has no server")
    path, size_bytes = file.path_in(server.get("folder", "/")), len(file.content)
    return [{"table": "files", "userid": file.me, "path": path, "size_bytes": size_bytes}]


def _require_file(ep: Episode, path: str) -> int:
    """Return the size of a file; folders are the beginnings of what the table names."""
    files = ep.db.all("SELECT path, size_bytes FROM files WHERE userid = ? ORDER BY path", ep.me)
    sizes = {row["path"]: int(row["size_bytes"]) for row in files}
    folder = ep.db.scalar("SELECT folder FROM servers WHERE userid = ?", ep.me) or "/"
    whole = normpath(join(folder, path))
    if not path:
        raise errors.NoSuchFile(path=path)
    if "\0" in path:
        raise errors.NotAPath(path=path)
    if any(len(name.encode()) > _NAME_BYTES_MAX for name in path.split("/")):
        raise errors.NameTooLong(path=path)
    if whole in sizes and not path.endswith("/"):
        return sizes[whole]
    if any(whole.startswith(f"{each}/") for each in sizes) or whole in sizes:
        raise errors.NotADirectory(path=path)
    inside = f"{whole.rstrip('/')}/"
    if any(f"{each}/".startswith(inside) for each in (*sizes, folder)):
        raise errors.IsADirectory(path=path)
    raise errors.NoSuchFile(path=path)
