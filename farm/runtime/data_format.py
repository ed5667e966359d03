"""The format number of a data folder: every command opens folders of its own format and rejects every other."""

from __future__ import annotations

import secrets
from pathlib import Path

from farm.errors import FarmError

FILE = "format"
# Incremented whenever files in a data folder change so that an earlier or later farm would misread them.
# 1: farms up to 0.1.0, which wrote no number.
DATA_FORMAT = 2
_UNNUMBERED = "1"  # what farms had that wrote no number


def require_format(data: Path) -> None:
    """Write the format number into an unused folder, and check it in any other.

    Raises:
        FarmError: as ``check_format``.
    """
    check_format(data)
    if not _number(data):
        # Not named by the process: containers that share the folder each count theirs from 1.
        temporary = data / f"{FILE}.{secrets.token_hex(4)}.tmp"
        temporary.write_text(f"{DATA_FORMAT}\n", "ascii")
        temporary.replace(data / FILE)


def check_format(data: Path) -> None:
    """Check the format number of a folder, which may be unused or missing; change nothing.

    Raises:
        FarmError: the folder has another format; the message says what can be done.
    """
    number = _number(data)
    if number == str(DATA_FORMAT) or not (number or _is_used(data)):
        return
    ways_out = "name another folder with --data, move this one away, or run the mcp-farm that wrote it"
    if not number:
        ways_out += f"; if only the file was lost, write {DATA_FORMAT} into {data / FILE}"
    found = number[:20] or _UNNUMBERED
    raise FarmError(f"{data} has data format {found!r}, and this mcp-farm reads and writes {DATA_FORMAT}; {ways_out}")


def _number(data: Path) -> str:
    """Return what the file says; an empty text if it is missing or empty."""
    try:
        return (data / FILE).read_text("ascii", "replace").strip()
    except FileNotFoundError:
        return ""


def _is_used(data: Path) -> bool:
    episodes = data / "episodes"
    return (data / "registry.db").exists() or (episodes.is_dir() and any(episodes.iterdir()))
