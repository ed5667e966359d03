"""Paths: how they are resolved, and which are allowed."""

import posixpath
import re
import unicodedata

from farm.appkit import Episode, Row

from . import errors

ROOT = "/tmp/farm-traverse/files"
HOME = "/root"
# The allowed directory is made so long before the first call.
START_MS = 240
SPACES = (
    "\t\n\x0b\x0c\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
WORDS = {
    "ENOENT": "no such file or directory",
    "ENOTDIR": "not a directory",
    "ENAMETOOLONG": "name too long",
    "EISDIR": "illegal operation on a directory",
    "EEXIST": "file already exists",
    "EINVAL": "invalid argument",
}


def fault_text(code: str, action: str) -> str:
    """Return the text of a fault of the system."""
    return f"{code}: {WORDS[code]}, {action}"


def fault(code: str, action: str) -> errors.SystemFault:
    """Return the refusal for a fault of the system."""
    return errors.SystemFault(fault_text(code, action))


def resolve(path: str) -> str:
    """Return the absolute path without dots, relative to the allowed directory."""
    whole = path if path.startswith("/") else f"{ROOT}/{path}"
    kept: list[str] = []
    for part in whole.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if kept:
                kept.pop()
        else:
            kept.append(part)
    return "/" + "/".join(kept)


def check(ep: Episode, requested: str) -> tuple[str, str | None]:
    """Return the absolute path, and what speaks against its use."""
    expanded = requested
    if requested == "~" or requested.startswith("~/"):
        expanded = HOME + requested[1:]
    absolute = resolve(expanded)
    if not _allowed(absolute):
        return absolute, f"Access denied - path outside allowed directories: {absolute} not in {ROOT}"
    code = _real_fault(ep, absolute)
    if code is None:
        return absolute, None
    if code == "ENOENT":
        found = _found(ep, absolute)
        above = posixpath.dirname(found)
        while above != "/":
            if _kind(ep, above) == "file":
                return found, fault_text("ENOTDIR", f"scandir '{above}'")
            above = posixpath.dirname(above)
        return found, None
    return absolute, fault_text(code, f"realpath '{absolute}'")


def valid(ep: Episode, requested: str) -> str:
    """Return the absolute path, or refuse.

    Raises:
        PathRefused: the path is outside the allowed directory, or cannot be.
    """
    absolute, text = check(ep, requested)
    if text is not None:
        raise errors.PathRefused(text)
    return absolute


def node(ep: Episode, path: str) -> Row | None:
    """Return what stands at a path."""
    row = ep.db.one("SELECT * FROM nodes WHERE path = ?", path)
    if row is None and (path == ROOT or ROOT.startswith(path + "/")):
        return {
            "path": path,
            "parent_path": posixpath.dirname(path),
            "name": posixpath.basename(path),
            "kind": "directory",
            "content": "",
            "created_ms": ep.now_ms - START_MS,
            "modified_ms": ep.now_ms - START_MS,
            "changed_ms": ep.now_ms - START_MS,
            "accessed_ms": ep.now_ms - START_MS,
        }
    return row


def children(ep: Episode, path: str) -> list[Row]:
    """Return what a directory holds, or refuse.

    Raises:
        SystemFault: there is no such directory.
    """
    row = node(ep, path)
    if row is None:
        raise fault("ENOENT", f"scandir '{path}'")
    if row["kind"] != "directory":
        raise fault("ENOTDIR", f"scandir '{path}'")
    access(ep, row)
    rows = ep.db.all("SELECT * FROM nodes WHERE parent_path = ?", path)
    return sorted(rows, key=_bytes_of_name)


def access(ep: Episode, row: Row) -> None:
    """Note that something was read, if nothing was read since its last change."""
    if row["path"] == ROOT:
        _keep_root(ep)
    if row["accessed_ms"] <= max(row["modified_ms"], row["changed_ms"]):
        ep.db.update("nodes", {"path": row["path"]}, accessed_ms=ep.now_ms)


def touch(ep: Episode, path: str) -> None:
    """Note that a directory was changed."""
    if path == ROOT:
        _keep_root(ep)
    ep.db.update("nodes", {"path": path}, modified_ms=ep.now_ms, changed_ms=ep.now_ms)


def add(ep: Episode, path: str, kind: str, content: str) -> None:
    """Put something new at a path."""
    ep.db.insert(
        "nodes",
        path=path,
        parent_path=posixpath.dirname(path),
        name=posixpath.basename(path),
        kind=kind,
        content=content,
        created_ms=ep.now_ms,
        modified_ms=ep.now_ms,
        changed_ms=ep.now_ms,
        accessed_ms=ep.now_ms,
    )


def _keep_root(ep: Episode) -> None:
    if ep.db.one("SELECT path FROM nodes WHERE path = ?", ROOT) is None:
        start_ms = ep.now_ms - START_MS
        ep.db.insert(
            "nodes",
            path=ROOT,
            parent_path=posixpath.dirname(ROOT),
            name=posixpath.basename(ROOT),
            kind="directory",
            content="",
            created_ms=start_ms,
            modified_ms=start_ms,
            changed_ms=start_ms,
            accessed_ms=start_ms,
        )


def _bytes_of_name(row: Row) -> bytes:
    return row["name"].encode("utf-8")


def _allowed(absolute: str) -> bool:
    text = re.sub(r"""^["']""", "", absolute.strip(SPACES))
    if text.endswith(('"', "'")):
        text = text[:-1]
    if "\x00" in text:
        return False
    normal = resolve(text)
    return normal == ROOT or normal.startswith(ROOT + "/")


def _found(ep: Episode, absolute: str) -> str:
    """Return the path in the spelling of what exists: names are the same if their NFC is."""
    reached = ""
    for part in absolute.split("/")[1:]:
        exact = f"{reached}/{part}"
        if _kind(ep, exact) is None:
            wanted = unicodedata.normalize("NFC", part)
            rows = ep.db.all("SELECT * FROM nodes WHERE parent_path = ?", reached)
            for row in sorted(rows, key=_bytes_of_name):
                if unicodedata.normalize("NFC", row["name"]) == wanted:
                    exact = row["path"]
                    break
        reached = exact
    return reached


def _real_fault(ep: Episode, absolute: str) -> str | None:
    reached = ""
    kind: str | None = "directory"
    for part in absolute.split("/")[1:]:
        if kind == "file":
            return "ENOTDIR"
        reached = f"{reached}/{part}"
        if len(part.encode("utf-8")) > 255 or len(reached.encode("utf-8")) >= 4096:
            return "ENAMETOOLONG"
        kind = _kind(ep, reached)
        if kind is None:
            return "ENOENT"
    return None


def _kind(ep: Episode, path: str) -> str | None:
    if path == ROOT or ROOT.startswith(path + "/"):
        return "directory"
    row = ep.db.one("SELECT kind FROM nodes WHERE path = ?", path)
    return None if row is None else row["kind"]
