"""Listing, searching and describing files and directories."""

import math
import posixpath
import unicodedata
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from farm.appkit import Episode, JavaScriptJson, Result, Row
from farm.appkit.formats.javascript import js_length

from .globs import matches
from .paths import ROOT, children, fault, node, valid

DIRECTORY_SIZE = 4096
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
SIGNS = "\t\n\x0b\x0c\r\x85\u2028\u2029 _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"


def list_directory(ep: Episode, *, path: str) -> Result:
    """Return what a directory holds, a line each."""
    return "\n".join([f"{_tag(row)} {row['name']}" for row in children(ep, valid(ep, path))])


def list_directory_with_sizes(ep: Episode, *, path: str, sortBy: str = "name") -> Result:
    """Return what a directory holds, with sizes and their sum."""
    rows = children(ep, valid(ep, path))
    files = [row for row in rows if row["kind"] == "file"]
    rows = sorted(rows, key=_by_size if sortBy == "size" else _by_name)
    lines = []
    for row in rows:
        padded = row["name"] + " " * max(0, 30 - js_length(row["name"]))
        size = _size_text(_size(row)).rjust(10) if row["kind"] == "file" else ""
        lines.append(f"{_tag(row)} {padded} {size}")
    total = sum(_size(row) for row in files)
    lines.append("")
    lines.append(f"Total: {len(files)} files, {len(rows) - len(files)} directories")
    lines.append(f"Combined size: {_size_text(total)}")
    return "\n".join(lines)


def directory_tree(ep: Episode, *, path: str, excludePatterns: list[Any] | None = None) -> Result:
    """Return a directory and everything below it as JSON."""
    return JavaScriptJson(indented=True).text(_tree(ep, path, "", excludePatterns or []))


def search_files(
    ep: Episode, *, path: str, pattern: str, excludePatterns: list[Any] | None = None
) -> Result:
    """Return the paths below a directory that match a pattern."""
    found = _found(ep, valid(ep, path), "", pattern, excludePatterns or [])
    return "\n".join(found) if found else "No matches found"


def get_file_info(ep: Episode, *, path: str) -> Result:
    """Return what is known about a file or a directory."""
    real = valid(ep, path)
    row = node(ep, real)
    if row is None:
        raise fault("ENOENT", f"stat '{real}'")
    is_directory = row["kind"] == "directory"
    return "\n".join(
        [
            f"size: {_size(row)}",
            f"created: {_date(row['created_ms'])}",
            f"modified: {_date(row['modified_ms'])}",
            f"accessed: {_date(row['accessed_ms'])}",
            f"isDirectory: {'true' if is_directory else 'false'}",
            f"isFile: {'false' if is_directory else 'true'}",
            f"permissions: {'755' if is_directory else '644'}",
        ]
    )


def list_allowed_directories(ep: Episode) -> Result:
    """Return the one directory that is allowed."""
    return f"Allowed directories:\n{ROOT}"


def _tree(ep: Episode, path: str, below: str, excluded: list[Any]) -> list[Row]:
    out = []
    for row in children(ep, valid(ep, path)):
        relative = f"{below}/{row['name']}" if below else row["name"]
        if any(_left_out(relative, pattern) for pattern in excluded):
            continue
        entry: Row = {"name": row["name"], "type": row["kind"]}
        if row["kind"] == "directory":
            joined = posixpath.normpath(posixpath.join(path, row["name"]))
            entry["children"] = _tree(ep, joined, relative, excluded)
        out.append(entry)
    return out


def _left_out(relative: str, pattern: str) -> bool:
    if "*" in pattern:
        return matches(relative, pattern)
    return (
        matches(relative, pattern)
        or matches(relative, f"**/{pattern}")
        or matches(relative, f"**/{pattern}/**")
    )


def _found(ep: Episode, path: str, below: str, pattern: str, excluded: list[Any]) -> list[str]:
    out = []
    for row in children(ep, path):
        relative = f"{below}/{row['name']}" if below else row["name"]
        if any(matches(relative, item) for item in excluded):
            continue
        if matches(relative, pattern):
            out.append(row["path"])
        if row["kind"] == "directory":
            out.extend(_found(ep, row["path"], relative, pattern, excluded))
    return out


def _tag(row: Row) -> str:
    return "[DIR]" if row["kind"] == "directory" else "[FILE]"


def _size(row: Row) -> int:
    return DIRECTORY_SIZE if row["kind"] == "directory" else len(row["content"].encode("utf-8"))


def _size_text(size: int) -> str:
    units = ("B", "KB", "MB", "GB", "TB")
    if size == 0:
        return "0 B"
    step = math.floor(math.log(size) / math.log(1024))
    if step <= 0:
        return f"{size} B"
    step = min(step, len(units) - 1)
    value = Decimal(size / 1024**step).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return f"{value} {units[step]}"


def _by_size(row: Row) -> int:
    return -_size(row)


def _by_name(row: Row) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Return a key that sorts as localeCompare does."""
    first: list[tuple[int, int]] = []
    second: list[int] = []
    third: list[int] = []
    for char in unicodedata.normalize("NFD", row["name"].replace("ß", "ss")):
        if unicodedata.combining(char):
            if second:
                second[-1] = second[-1] * 1000 + ord(char)
            continue
        weight = _weight(char)
        if weight is None:
            continue
        first.append(weight)
        second.append(0)
        third.append(0 if char == char.lower() else 1)
    return first, second, third


def _weight(char: str) -> tuple[int, int] | None:
    at = SIGNS.find(char)
    category = unicodedata.category(char)
    if char == "$":
        return 4, 0
    if at >= 0:
        return (1, at) if at <= SIGNS.find("%") else (2, at)
    if category in ("Cc", "Cf"):
        return None
    if category.startswith("Z") or category.startswith("P"):
        return 1, 1000 + ord(char)
    if category == "Sc":
        return 4, ord(char)
    if category.startswith("S"):
        return 3, ord(char)
    if category == "Nd":
        return 5, int(char)
    return 6, ord(char.lower()[0])


def _date(moment_ms: int) -> str:
    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=moment_ms)
    day = f"{DAYS[moment.weekday()]} {MONTHS[moment.month - 1]} {moment.day:02d} {moment.year}"
    return (
        f"{day} {moment.hour:02d}:{moment.minute:02d}:{moment.second:02d} GMT+0000 (Coordinated Universal Time)"
    )
