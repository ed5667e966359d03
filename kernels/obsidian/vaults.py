"""The vault behind the plugin: whether it can be reached, and its files as the plugin finds and writes them."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from farm.appkit import Episode, GivenFile, Row

from . import errors
from .urls import decoded, request_target

_ROUTE = "/vault/"
_NEXT = "SELECT path FROM files WHERE vault_id = ? AND path >= ? AND path < ? ORDER BY path LIMIT ?"
_NEXT_SHOWN = """
SELECT path FROM files WHERE vault_id = ? AND path >= ? AND path < ? AND instr(path, '/.') = 0 AND path NOT GLOB '.*'
ORDER BY path LIMIT 1
"""
_CHANGED = """
SELECT path, changed_ms FROM files
WHERE vault_id = ? AND changed_ms >= ? AND path GLOB '*.md' AND instr(path, '/.') = 0 AND path NOT GLOB '.*'
ORDER BY changed_ms DESC, seq, path LIMIT ?
"""
# What the first path sorts at or after that is not a name, or does not begin with a name and a slash; and the last.
_AFTER_NAME, _AFTER_SLASH, _LAST = "\0", "0", "\U0010ffff"
# So many paths are read at a time.
_CHUNK = 50
# Of a name and of a path on any disk; a vault's own place would count, too.
_NAME_BYTES_MAX, _PATH_BYTES_MAX = 255, 4095
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Vault:
    """The vault that answers a request."""

    ep: Episode
    vault_id: str
    has_dataview: bool
    zone: tzinfo

    @property
    def now(self) -> datetime:
        """What time it is where Obsidian runs."""
        return self.ep.now.astimezone(self.zone)

    # -- what Obsidian has indexed: everything but what a name with a dot in front hides -----------------------------

    def files(self) -> list[Row]:
        """Return the files that Obsidian shows, in the vault's order.

        Reads all files: every caller searches through what is in them, or looks for the last of a name.
        """
        found = self.ep.db.all("SELECT * FROM files WHERE vault_id = ? ORDER BY seq, path", self.vault_id)
        return [file for file in found if not _is_hidden(file["path"])]

    def notes(self) -> list[Row]:
        """Return the Markdown files that Obsidian shows, in the vault's order."""
        return [file for file in self.files() if file["path"].endswith(".md")]

    def find_indexed(self, path: str) -> Row | None:
        """Return a file that Obsidian shows; its path must be written exactly."""
        return None if _is_hidden(path) else self._find(path)

    def list_folder(self, folder: str) -> list[str]:
        """Return the names in a folder, whose path ends in a slash; folders in it do, too.

        Raises:
            NotFound: Obsidian shows no file in it.
        """
        names: list[str] = []
        last = ""
        while rows := self.ep.db.all(_NEXT, self.vault_id, folder + last, folder + _LAST, _CHUNK):
            for path in (row["path"] for row in rows):
                if path < folder + last:
                    continue  # in a folder that has been listed
                first, slash, _ = path[len(folder) :].partition("/")
                last = f"{first}{_AFTER_SLASH if slash else _AFTER_NAME}"
                if not _is_hidden(path) or (slash and self._shows(f"{folder}{first}")):
                    names.append(f"{first}{slash}")
        if not names:
            raise errors.NotFound
        # JavaScript sorts by UTF-16 code unit.
        return sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass"))

    def _shows(self, folder: str) -> bool:
        """Return whether Obsidian shows any file below a folder."""
        return self.ep.db.scalar(_NEXT_SHOWN, self.vault_id, f"{folder}/", f"{folder}{_AFTER_SLASH}") is not None

    def changed(self, since_ms: int, most: int) -> list[Row]:
        """Return the paths and times of the notes that changed since then, the last changed first.

        Args:
            most: how many; below zero: all of them.
        """
        return self.ep.db.all(_CHANGED, self.vault_id, since_ms, most)

    # -- what lies on the disk, where slashes may be doubled ----------------------------------------------------------

    def find_file(self, path: str) -> Row | None:
        """Return a file, shown or hidden."""
        return None if path.endswith("/") else self._find(_on_disk(path))

    def is_folder(self, path: str) -> bool:
        """Return whether there is such a folder, be it empty."""
        folder = _on_disk(path)
        if not folder:
            return True
        if self.ep.db.one("SELECT path FROM folders WHERE vault_id = ? AND path = ?", self.vault_id, folder):
            return True
        return self.ep.db.scalar(_NEXT, self.vault_id, f"{folder}/", f"{folder}{_AFTER_SLASH}", 1) is not None

    def write(self, path: str, content: str) -> None:
        """Write a file, with the folders it needs.

        Raises:
            ReadTimedOut: there is a folder of this name, a file where a folder has to be, or the path is too long.
        """
        name = _on_disk(path)
        if not _is_possible(name):
            raise errors.ReadTimedOut
        above = ["/".join(name.split("/")[:count]) for count in range(1, name.count("/") + 1)]
        if self.is_folder(name) or any(self._find(each) for each in above):
            raise errors.ReadTimedOut
        if self._find(name) is None:
            seq = self.ep.next_number("files", "seq", vault_id=self.vault_id)
            times = {"made_ms": self.ep.now_ms, "changed_ms": self.ep.now_ms}
            self.ep.db.insert("files", vault_id=self.vault_id, path=name, content=content, seq=seq, **times)
        else:
            key = {"vault_id": self.vault_id, "path": name}
            self.ep.db.update("files", key, content=content, base64=None, changed_ms=self.ep.now_ms)

    def delete(self, path: str) -> None:
        """Delete a file; the folders it was in stay, by a row of their own where nothing else is in them."""
        self.ep.db.delete("files", vault_id=self.vault_id, path=path)
        segments = path.split("/")
        folders = ["/".join(segments[:count]) for count in range(1, len(segments))]
        for folder in [each for each in folders if not self.is_folder(each)]:
            self.ep.db.insert("folders", vault_id=self.vault_id, path=folder)

    def _find(self, path: str) -> Row | None:
        return self.ep.db.one("SELECT * FROM files WHERE vault_id = ? AND path = ?", self.vault_id, path)


def rows_of_file(file: GivenFile) -> list[Row]:
    """Return the row of a file that a start's vault gets; bytes that are no text are kept as base64."""
    path = _on_disk(file.path)
    if not _is_possible(path) or file.path.startswith("/"):
        raise file.unfit("needs a path inside the vault, such as 'Notes/Plan.md'")
    try:
        body = {"content": file.content.decode()}
    except UnicodeDecodeError:
        body = {"base64": base64.b64encode(file.content).decode()}
    seq = 1 + max((row.get("seq", 0) for row in file.rows("files") if row["vault_id"] == file.me), default=0)
    times = {"made_ms": file.now_ms, "changed_ms": file.now_ms}
    return [{"table": "files", "vault_id": file.me, "path": path, "seq": seq, **times, **body}]


def connect(ep: Episode, target: str) -> Vault:
    """Return the vault of whoever calls, as a request for ``target`` reaches it.

    Raises:
        ConnectionRefused: Obsidian is not running, or the caller has no vault.
        ApiKeyAuthorizationRequired: the server has another key.
    """
    row = ep.db.one("SELECT * FROM vaults WHERE vault_id = ?", ep.me)
    if row is None or not row["is_running"]:
        raise errors.ConnectionRefused(target)
    if not row["is_key_right"]:
        raise errors.ApiKeyAuthorizationRequired
    zone = ZoneInfo(row["time_zone"]) if row["time_zone"] else ep.zone
    return Vault(ep, row["vault_id"], bool(row["has_dataview"]), zone)


def connect_to(ep: Episode, path: str) -> tuple[Vault, str]:
    """Return the vault, and what a path is there once it has been through a URL.

    Raises:
        NotFound: dots lead out of the vault's routes.
    """
    target = request_target(_ROUTE + path)
    vault = connect(ep, target)
    if not target.startswith(_ROUTE):
        raise errors.NotFound
    return vault, decoded(target.removeprefix(_ROUTE))


def require_file_path(path: str) -> None:
    """Check that a path can be a file's.

    Raises:
        RequestMethodValidOnlyForFiles: it is empty or ends in a slash.
    """
    if not path or path.endswith("/"):
        raise errors.RequestMethodValidOnlyForFiles


def text_of(file: Row) -> str:
    """Return a file's text; what is no UTF-8 in it shows as replacement characters."""
    return file["content"] if file["base64"] is None else base64.b64decode(file["base64"]).decode(errors="replace")


def size_of(file: Row) -> int:
    """Return a file's size in bytes."""
    if file["base64"] is not None:
        return len(base64.b64decode(file["base64"]))
    return len(file["content"].encode("utf-8", "surrogatepass"))


def body_of(content: str) -> str:
    """Return what the plugin reads of a text that is sent to it: without a byte order mark.

    Raises:
        ServerError: half a surrogate pair cannot be sent.
    """
    try:
        content.encode()
    except UnicodeEncodeError as error:
        raise errors.ServerError(str(error)) from None
    return content.removeprefix(_BYTE_ORDER_MARK)


def _is_hidden(path: str) -> bool:
    return path.startswith(".") or "/." in path


def _on_disk(path: str) -> str:
    return "/".join(segment for segment in path.split("/") if segment)


def _is_possible(path: str) -> bool:
    segments = path.split("/")
    is_short = len(path.encode()) <= _PATH_BYTES_MAX and all(
        len(segment.encode()) <= _NAME_BYTES_MAX for segment in segments
    )
    return is_short and "\0" not in path and ".." not in segments
