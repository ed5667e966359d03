"""The files that pictures are saved in, on a disk that holds nothing else, in the words of Node."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from posixpath import dirname, normpath
from typing import Any

from farm.appkit import Episode
from farm.appkit.formats.javascript import js_is_true, js_slice, js_string, js_well_formed

from . import errors

FOLDER = "./mcpollinations-output"
_FORMATS = ("png", "jpeg", "jpg", "webp")
_NAME_BYTES_MAX, _PATH_BYTES_MAX = 255, 4095


def save_generated(ep: Episode, args: Mapping[str, Any], row: Mapping[str, Any], data: bytes) -> str:
    """Save what generateImage made and return where; a format that it does not know is png."""
    folder = _require_folder(ep, args.get("outputPath", FOLDER))
    given, extension = args.get("fileName", ""), args.get("format", "png")
    extension = extension if extension in _FORMATS else "png"
    start = re.sub(r"[^a-z0-9]", "_", _units(js_slice(row["prompt"], 20)), flags=re.IGNORECASE | re.ASCII).lower()
    base = (
        js_string(given)
        if js_is_true(given)
        else f"{start}_{ep.now_ms}_{ep.hash('file', ep.writes, ep.now_ms) % 10_000:04}"
    )
    name, counter = base, 1
    while _is_file(ep, path := _join(folder, f"{name}.{extension}")):
        name, counter = f"{base}_{counter}", counter + 1
    return _write(ep, folder, path, row, data)


def save_edited(ep: Episode, args: Mapping[str, Any], row: Mapping[str, Any], data: bytes, *, prefix: str) -> str:
    """Save what was made of another picture and return where; any format is taken as it stands.

    Raises:
        NotAFunction, NotReadable: a name or a format that is no string.
    """
    folder = _require_folder(ep, args.get("outputPath", FOLDER))
    name, extension = args.get("fileName", ""), args.get("format", "png")
    if not js_is_true(name):
        start = re.sub(r"[^a-zA-Z0-9]", "_", _units(row["prompt"]))[:20]
        name = f"{prefix}_{start}_{ep.now_ms}_{ep.hash('file', ep.writes, ep.now_ms) % 1000}"
    if extension is None:
        raise errors.NotReadable(member="toLowerCase")
    if not isinstance(extension, str):
        raise errors.NotAFunction(name="format.toLowerCase")
    if not isinstance(name, str):
        raise errors.NotAFunction(name="finalFileName.endsWith")
    extension = extension.lower()
    name = name if name.endswith(f".{extension}") else f"{name}.{extension}"
    path, counter = _join(folder, name), 1
    while _is_file(ep, path):
        path = _join(folder, f"{name.replace(f'.{extension}', '', 1)}_{counter}.{extension}")
        counter += 1
    return _write(ep, folder, path, row, data)


def _units(text: str) -> str:
    """Return a text with two characters for each that JavaScript counts as two."""
    return re.sub("[\U00010000-\U0010ffff]", "__", text)


def _require_folder(ep: Episode, folder: Any) -> str:
    """Return a folder that is there or can be made."""
    if not isinstance(folder, str):
        raise errors.InvalidPath(found=_found(folder))
    if "\0" in folder:
        raise errors.PathWithNull(found=folder)
    if not folder:
        raise errors.FileFailed(code="ENOENT", problem="no such file or directory", act="mkdir", path="")
    _require_length(folder, act="mkdir")
    if any(_is_file(ep, above) for above in _above(_normal(folder))):
        raise errors.FileFailed(code="ENOTDIR", problem="not a directory", act="mkdir", path=folder)
    return folder


def _require_length(path: str, *, act: str) -> None:
    # A name has no more bytes in a path as it is given than in what it comes to.
    if _size(path) > _PATH_BYTES_MAX or any(_size(name) > _NAME_BYTES_MAX for name in path.split("/")):
        raise errors.FileFailed(code="ENAMETOOLONG", problem="name too long", act=act, path=path)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _above(path: str) -> Iterator[str]:
    while (above := dirname(path)) not in (path, ""):
        yield above
        path = above


def _found(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return f"type boolean ({js_string(value)})"
        case int() | float():
            return f"type number ({js_string(value)})"
        case list():
            return "an instance of Array"
        case _:
            return "an instance of Object"


def _join(folder: str, name: str) -> str:
    return _normal(f"{folder}/{name}")


def _normal(path: str) -> str:
    # Two slashes in front stay as they are in Python alone.
    return normpath(path).replace("//", "/")


def _is_file(ep: Episode, path: str) -> bool:
    return ep.db.one("SELECT path FROM files WHERE path = ?", js_well_formed(path)) is not None


def _holds_files(ep: Episode, folder: str) -> bool:
    # Between the folder's slash and the character behind a slash stands all that is in it.
    start = js_well_formed(folder.rstrip("/"))
    inside = "SELECT 1 AS there FROM files WHERE path >= ? AND path < ? LIMIT 1"
    return ep.db.one(inside, f"{start}/", f"{start}0") is not None


def _write(ep: Episode, folder: str, path: str, row: Mapping[str, Any], data: bytes) -> str:
    """Write the file, where its folder is there: the one asked for, those above it, and those that hold files."""
    if "\0" in path:
        raise errors.PathWithNull(found=path)
    _require_length(path, act="open")
    where = dirname(path)
    if any(_is_file(ep, above) for above in (_normal(folder), *_above(path))):
        raise errors.FileFailed(code="ENOTDIR", problem="not a directory", act="open", path=path)
    whole = _normal(folder)
    if where and where not in (whole, *_above(whole)) and not _holds_files(ep, where):
        raise errors.FileFailed(code="ENOENT", problem="no such file or directory", act="open", path=path)
    size, digest = len(data), hashlib.sha256(data).hexdigest()
    ep.db.insert("files", path=js_well_formed(path), **row, size_bytes=size, sha256=digest, saved_ms=ep.now_ms)
    return path
