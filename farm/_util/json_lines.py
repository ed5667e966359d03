"""Files with one JSON object a line, to which a process appends that may be killed while it writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_whole_lines(path: Path) -> list[dict[str, Any]]:
    """Return a file's objects, without lines that are cut off or damaged; none if there is no file."""
    if not path.is_file():
        return []
    found = []
    for line in path.read_bytes().splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            continue
        if isinstance(said, dict):
            found.append(said)
    return found


def append_line(path: Path, line: bytes) -> None:
    """Append a line, on a line of its own even after one that was cut off."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+") as file:
        if file.tell() and not _ends_a_line(file):
            line = b"\n" + line
        file.write(line + b"\n")


def _ends_a_line(file: Any) -> bool:
    file.seek(-1, 2)
    return bool(file.read(1) == b"\n")
