"""Paths: which are allowed, and what stands at them."""

import posixpath
import re

from farm.appkit import Episode, Row

from . import errors

ROOT = "/tmp/farm-traverse/files"
HOME = "/root"

MEANINGS = {
    "ENOENT": "no such file or directory",
    "ENOTDIR": "not a directory",
    "EISDIR": "illegal operation on a directory",
    "EEXIST": "file already exists",
    "EINVAL": "invalid argument",
    "ENOTEMPTY": "directory not empty",
    "ENAMETOOLONG": "name too long",
}


def failed(code: str, call: str, path: str | None = None, destination: str | None = None) -> errors.Refused:
    """Return an error of the system in Node's words."""
    text = f"{code}: {MEANINGS[code]}, {call}"
    if path is not None:
        text += f" '{path}'"
    if destination is not None:
        text += f" -> '{destination}'"
    return errors.Refused(text)


def row_at(ep: Episode, path: str) -> Row | None:
    """Return what stands at a path."""
    return ep.db.one("SELECT * FROM nodes WHERE path = ?", path)


def children(ep: Episode, path: str) -> list[Row]:
    """Return the entries of a directory in the order of their bytes."""
    rows = ep.db.all("SELECT * FROM nodes WHERE parent_path = ?", path)
    return sorted(rows, key=lambda row: row["name"].encode("utf-8"))


def resolved(*parts: str) -> str:
    """Join and normalise as path.resolve does."""
    path = posixpath.normpath(posixpath.join("/", *parts))
    return "/" + path.lstrip("/")


def validate(ep: Episode, requested: str) -> str:
    """Return the absolute path, or refuse.

    Raises:
        Refused: the path is outside, or its parent does not exist.
    """
    requested = re.sub(r"[\ud800-\udfff]", "\ufffd", requested)
    expanded = requested
    if requested == "~" or requested.startswith("~/"):
        expanded = posixpath.normpath(HOME + "/" + requested[1:])
    absolute = resolved(expanded) if expanded.startswith("/") else resolved(ROOT, expanded)
    if not _is_inside(_normalized(absolute)):
        raise errors.Refused(f"Access denied - path outside allowed directories: {absolute} not in {ROOT}")
    code = _found(ep, absolute)
    if code == "":
        return absolute
    if code != "ENOENT":
        raise failed(code, "realpath", absolute)
    above = posixpath.dirname(absolute)
    if not _is_inside(above) or _found(ep, above) != "":
        raise errors.Refused(f"Parent directory does not exist: {above}")
    return absolute


def _normalized(path: str) -> str:
    path = re.sub(r"^[\"']|[\"']$", "", path.strip())
    return re.sub(r"(?<!^)/$", "", re.sub(r"/+", "/", path))


def _is_inside(path: str) -> bool:
    if "\x00" in path or not path:
        return False
    path = resolved(path)
    return path == ROOT or path.startswith(ROOT + "/")


def _found(ep: Episode, absolute: str) -> str:
    """Return the code of the error of realpath, "" if the path exists."""
    if len(absolute.encode("utf-8")) >= 4096:
        return "ENAMETOOLONG"
    if absolute == ROOT:
        return ""
    if not absolute.startswith(ROOT + "/"):
        return "ENOENT"
    current = ROOT
    for name in absolute[len(ROOT) + 1 :].split("/"):
        here = row_at(ep, current)
        if here is None:
            return "ENOENT"
        if here["kind"] != "directory":
            return "ENOTDIR"
        if len(name.encode("utf-8")) > 255:
            return "ENAMETOOLONG"
        current = current + "/" + name
    return "" if row_at(ep, current) is not None else "ENOENT"
