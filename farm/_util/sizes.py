"""Parse and format sizes and ages: ``2GiB``, ``7d``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from farm.errors import FarmError

EXPIRED_RETENTION_S = 86_400.0  # time to score or inspect an episode
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
_AGE = re.compile(r"(\d{1,6})([smhdw])")
_AGE_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
BLOCK_BYTES = 512  # the unit of st_blocks on every disk


def parse_size(text: str, option: str) -> int:
    """Return the bytes of a size such as ``500MB`` or ``2GiB``; both units use 1,024.

    Raises:
        FarmError: the text is not a size.
    """
    match = _SIZE.fullmatch(text.strip())
    size = int(float(match[1]) * _UNITS[match[2].lower()]) if match else 0
    if size < 1:
        raise FarmError(f"{option} must be a size such as 500MiB or 20GiB, not '{text}'")
    return size


def parse_age(text: str, option: str) -> timedelta:
    """Return a time such as ``7d``, ``12h`` or ``0s``.

    Raises:
        FarmError: the text is not a time.
    """
    match = _AGE.fullmatch(text.strip())
    if match is None:
        raise FarmError(f"{option} must be a time such as 7d, 12h or 0s, not '{text}'")
    return timedelta(**{_AGE_UNITS[match[2]]: int(match[1])})


def format_size(size_bytes: float) -> str:
    """Return a human-readable size."""
    for unit in ("bytes", "KiB", "MiB"):
        if size_bytes < 1024:
            return f"{size_bytes:.0f} {unit}" if unit == "bytes" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1024
    return f"{size_bytes:.1f} GiB"


def files_below(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    """Yield every file below a folder; files that vanish meanwhile are skipped."""
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        yield entry
        except (FileNotFoundError, NotADirectoryError):
            continue


def disk_usage(folder: Path) -> int:
    """Return the disk space in bytes of the files below a folder; a file with several hard links counts once."""
    total, seen = 0, set()
    for entry in files_below(folder):
        try:
            found = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue
        if found.st_nlink > 1:
            if found.st_ino in seen:
                continue
            seen.add(found.st_ino)
        total += found.st_blocks * BLOCK_BYTES
    return total
