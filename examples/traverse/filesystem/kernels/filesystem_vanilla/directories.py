"""Directories: making, listing, searching, moving."""

import math
import posixpath
import unicodedata
from datetime import datetime, timedelta, timezone
from typing import Any

from farm.appkit import Episode, JavaScriptJson, Result, Row
from farm.appkit.formats.javascript import js_length

from .files import answered
from .globs import matches
from .paths import ROOT, children, failed, row_at, validate

DIRECTORY_SIZE = 4096


def create_directory(ep: Episode, *, path: str) -> Result:
    """Make a directory, if there is none.

    Raises:
        Refused: the path is refused, or a file stands there.
    """
    valid = validate(ep, path)
    row = row_at(ep, valid)
    if row is not None and row["kind"] != "directory":
        raise failed("EEXIST", "mkdir", valid)
    if row is None:
        above = posixpath.dirname(valid)
        ep.db.insert(
            "nodes",
            path=valid,
            parent_path=above,
            name=posixpath.basename(valid),
            kind="directory",
            content=None,
            created_ms=ep.now_ms,
            modified_ms=ep.now_ms,
        )
        ep.db.update("nodes", {"path": above}, modified_ms=ep.now_ms)
    return answered(f"Successfully created directory {path}")


def list_directory(ep: Episode, *, path: str) -> Result:
    """List a directory.

    Raises:
        Refused: the path is refused or is no directory.
    """
    rows = _entries(ep, validate(ep, path))
    return answered("\n".join(f"{_mark(row)} {row['name']}" for row in rows))


def list_directory_with_sizes(ep: Episode, *, path: str, sortBy: str = "name") -> Result:
    """List a directory with sizes and a summary.

    Raises:
        Refused: the path is refused or is no directory.
    """
    rows = _entries(ep, validate(ep, path))
    if sortBy == "size":
        rows = sorted(rows, key=lambda row: -_size(row))
    else:
        rows = sorted(rows, key=lambda row: _collation(row["name"]))
    lines = []
    for row in rows:
        name = row["name"] + " " * max(0, 30 - js_length(row["name"]))
        size = "" if _is_directory(row) else _shown_size(_size(row)).rjust(10)
        lines.append(f"{_mark(row)} {name} {size}")
    sizes = [_size(row) for row in rows if not _is_directory(row)]
    lines.append("")
    lines.append(f"Total: {len(sizes)} files, {len(rows) - len(sizes)} directories")
    lines.append(f"Combined size: {_shown_size(sum(sizes))}")
    return answered("\n".join(lines))


def directory_tree(ep: Episode, *, path: str, excludePatterns: list[Any] | None = None) -> Result:
    """Show a directory as a tree.

    Raises:
        Refused: the path is refused or is no directory.
    """
    tree = _tree(ep, validate(ep, path), "", excludePatterns or [])
    return answered(JavaScriptJson(indented=True).text(tree))


def move_file(ep: Episode, *, source: str, destination: str) -> Result:
    """Move or rename a file or directory.

    Raises:
        Refused: a path is refused, or the system refuses the move.
    """
    origin = validate(ep, source)
    target = validate(ep, destination)
    row = row_at(ep, origin)
    if row is None:
        raise failed("ENOENT", "rename", origin, target)
    if len(posixpath.basename(target).encode("utf-8")) > 255:
        raise failed("ENAMETOOLONG", "rename", origin, target)
    if origin != target:
        _rename(ep, row, origin, target)
    return answered(f"Successfully moved {source} to {destination}")


def search_files(ep: Episode, *, path: str, pattern: str, excludePatterns: list[Any] | None = None) -> Result:
    """Find what matches a pattern below a directory.

    Raises:
        Refused: the path is refused or is no directory.
    """
    valid = validate(ep, path)
    found: list[str] = []
    _search(ep, valid, valid, pattern, excludePatterns or [], found)
    return answered("\n".join(found) if found else "No matches found")


def get_file_info(ep: Episode, *, path: str) -> Result:
    """Tell size, times, kind and permissions.

    Raises:
        Refused: the path is refused, or nothing stands there.
    """
    valid = validate(ep, path)
    row = row_at(ep, valid)
    if row is None:
        raise failed("ENOENT", "stat", valid)
    is_directory = _is_directory(row)
    modified = _date(ep, row["modified_ms"])
    lines = [
        f"size: {_size(row)}",
        f"created: {_date(ep, row['created_ms'])}",
        f"modified: {modified}",
        f"accessed: {_date(ep, row['created_ms'])}",
        f"isDirectory: {'true' if is_directory else 'false'}",
        f"isFile: {'false' if is_directory else 'true'}",
        f"permissions: {'755' if is_directory else '644'}",
    ]
    return answered("\n".join(lines))


def list_allowed_directories(ep: Episode) -> Result:
    """Tell which directory is allowed."""
    return answered(f"Allowed directories:\n{ROOT}")


def _is_directory(row: Row) -> bool:
    return row["kind"] == "directory"


def _mark(row: Row) -> str:
    return "[DIR]" if _is_directory(row) else "[FILE]"


def _size(row: Row) -> int:
    return DIRECTORY_SIZE if _is_directory(row) else len(row["content"].encode("utf-8"))


def _entries(ep: Episode, valid: str) -> list[Row]:
    row = row_at(ep, valid)
    if row is None:
        raise failed("ENOENT", "scandir", valid)
    if not _is_directory(row):
        raise failed("ENOTDIR", "scandir", valid)
    return children(ep, valid)


def _tree(ep: Episode, valid: str, relative: str, excluded: list[Any]) -> list[Any]:
    result = []
    for row in _entries(ep, valid):
        place = f"{relative}/{row['name']}" if relative else row["name"]
        if any(_excludes(place, pattern) for pattern in excluded):
            continue
        entry: dict[str, Any] = {"name": row["name"], "type": row["kind"]}
        if _is_directory(row):
            entry["children"] = _tree(ep, row["path"], place, excluded)
        result.append(entry)
    return result


def _excludes(place: str, pattern: str) -> bool:
    if "*" in pattern:
        return matches(place, pattern)
    return matches(place, pattern) or matches(place, f"**/{pattern}") or matches(place, f"**/{pattern}/**")


def _search(ep: Episode, top: str, current: str, pattern: str, excluded: list[Any], found: list[str]) -> None:
    for row in _entries(ep, current):
        relative = row["path"][len(top) + 1 :]
        if any(matches(relative, one) for one in excluded):
            continue
        if matches(relative, pattern):
            found.append(row["path"])
        if _is_directory(row):
            _search(ep, top, row["path"], pattern, excluded, found)


def _rename(ep: Episode, row: Row, origin: str, target: str) -> None:
    if target.startswith(origin + "/"):
        raise failed("EINVAL", "rename", origin, target)
    if origin.startswith(target + "/"):
        raise failed("ENOTEMPTY", "rename", origin, target)
    there = row_at(ep, target)
    if there is not None:
        if _is_directory(row) and not _is_directory(there):
            raise failed("ENOTDIR", "rename", origin, target)
        if not _is_directory(row) and _is_directory(there):
            raise failed("EISDIR", "rename", origin, target)
        if _is_directory(there) and children(ep, target):
            raise failed("ENOTEMPTY", "rename", origin, target)
        ep.db.delete("nodes", path=target)
    for below in ep.db.all("SELECT * FROM nodes"):
        if below["path"].startswith(origin + "/"):
            _replant(
                ep,
                below,
                path=target + below["path"][len(origin) :],
                parent_path=target + below["parent_path"][len(origin) :],
                name=below["name"],
            )
    above = posixpath.dirname(target)
    _replant(ep, row, path=target, parent_path=above, name=posixpath.basename(target))
    ep.db.update("nodes", {"path": posixpath.dirname(origin)}, modified_ms=ep.now_ms)
    ep.db.update("nodes", {"path": above}, modified_ms=ep.now_ms)


def _replant(ep: Episode, row: Row, *, path: str, parent_path: str, name: str) -> None:
    """Put a row at another path; its key never changes, so it is made anew."""
    ep.db.delete("nodes", path=row["path"])
    ep.db.insert(
        "nodes",
        path=path,
        parent_path=parent_path,
        name=name,
        kind=row["kind"],
        content=row["content"],
        created_ms=row["created_ms"],
        modified_ms=row["modified_ms"],
    )


def _shown_size(size: int) -> str:
    units = ("B", "KB", "MB", "GB", "TB")
    if size == 0:
        return "0 B"
    power = math.floor(math.log(size) / math.log(1024))
    if power <= 0:
        return f"{size} B"
    power = min(power, len(units) - 1)
    return f"{size / 1024**power:.2f} {units[power]}"


def _date(ep: Episode, moment_ms: int) -> str:
    start = datetime(1970, 1, 1, tzinfo=timezone.utc)
    moment = start + timedelta(milliseconds=moment_ms) if moment_ms else ep.now
    days = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    day = f"{days[moment.weekday()]} {months[moment.month - 1]} {moment.day:02d} {moment.year:04d}"
    return f"{day} {moment.hour:02d}:{moment.minute:02d}:{moment.second:02d} GMT+0000 (Coordinated Universal Time)"


def _collation(name: str) -> Any:
    """Return a key that sorts nearly as localeCompare does."""
    marks = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
    primary = []
    accents = []
    cases = []
    for sign in unicodedata.normalize("NFD", name):
        if unicodedata.combining(sign):
            accents.append((len(primary), ord(sign)))
            continue
        if sign.isspace():
            primary.append((0, ord(sign), ""))
        elif sign in marks:
            primary.append((1, marks.index(sign), ""))
        elif sign.isdigit():
            primary.append((3, 0, sign))
        elif sign.isalpha():
            primary.append((4, 0, sign.casefold()))
        else:
            primary.append((2, ord(sign), ""))
        cases.append(1 if sign.isupper() else 0)
    return (primary, accents, cases)
