"""Paths: what is allowed, what exists."""

import posixpath
import re

from farm.appkit import Episode, Row

from . import errors

DEFAULT_ROOT = "/projects"
OUTSIDE = (
    "bin", "boot", "dev", "etc", "forbidden", "lib", "lib64", "outside", "proc", "root", "run", "sbin", "secret",
    "sys", "usr", "var",
)
DEEP = ("Users", "Volumes", "home", "media", "mnt", "opt", "private", "srv", "tmp")


def base_of(path: str) -> str | None:
    """Return the directory that is probably allowed when this path is."""
    parts = [part for part in path.split("/") if part]
    if not parts or parts[0] in OUTSIDE:
        return None
    depth = 2 if parts[0] in DEEP else 1
    if len(parts) < depth or "." in parts[depth - 1][1:]:
        return None
    return "/" + "/".join(parts[:depth])


def known_root(ep: Episode) -> str | None:
    """Return the allowed directory, once something lies in it."""
    path = ep.db.scalar("SELECT path FROM nodes ORDER BY row_id LIMIT 1")
    return None if path is None else base_of(path)


def get_node(ep: Episode, path: str) -> Row | None:
    """Return the row of a file or directory below the allowed directory."""
    return ep.db.one("SELECT * FROM nodes WHERE path = ?", path)


def kind_of(ep: Episode, path: str) -> str | None:
    """Return "directory", "file", or None if nothing is there."""
    if base_of(path) == path:
        return "directory"
    row = get_node(ep, path)
    return None if row is None else row["node_kind"]


def valid_path(ep: Episode, requested: str) -> str:
    """Return the absolute path, or refuse.

    Raises:
        PathRefused: it is outside, or its parent is missing.
        SystemRefused: the operating system cannot resolve it.
    """
    path, problem = resolve_path(ep, requested)
    if problem is None:
        return path
    if problem.startswith("E"):
        raise errors.SystemRefused(problem)
    raise errors.PathRefused(problem)


def resolve_path(ep: Episode, requested: str) -> tuple[str, str | None]:
    """Return the absolute path and why it is refused."""
    expanded = requested
    if requested == "~" or requested.startswith("~/"):
        expanded = "/root" + requested[1:]
    known = known_root(ep)
    if expanded.startswith("/"):
        absolute = _normal(expanded)
    else:
        absolute = _normal((known or DEFAULT_ROOT) + "/" + expanded)
    base = base_of(absolute)
    root = known or base or DEFAULT_ROOT
    inside = absolute == root or absolute.startswith(root + "/")
    if "\0" in absolute or not inside or base is None:
        return absolute, f"Access denied - path outside allowed directories: {absolute} not in {root}"
    failure = _walk(ep, root, absolute)
    if failure is None:
        return absolute, None
    if failure.startswith("ENOENT"):
        parent = posixpath.dirname(absolute)
        if _walk(ep, root, parent) is not None:
            return absolute, f"Parent directory does not exist: {parent}"
        return absolute, None
    return absolute, f"{failure}, realpath '{absolute}'"


def _normal(path: str) -> str:
    return posixpath.normpath("/" + re.sub("^/+", "", path))


def _walk(ep: Episode, root: str, path: str) -> str | None:
    if path == root:
        return None
    current = root
    kind = "directory"
    for name in path[len(root) + 1 :].split("/"):
        if kind != "directory":
            return "ENOTDIR: not a directory"
        if len(name.encode("utf-8", "replace")) > 255:
            return "ENAMETOOLONG: name too long"
        current = current + "/" + name
        row = get_node(ep, current)
        if row is None:
            return "ENOENT: no such file or directory"
        kind = row["node_kind"]
    return None
