"""A copy of the world mini, with other files."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from farm import content


def copy_mini(root: Path, files: Mapping[str, str], name: str = "mini") -> Path:
    """Copy mini's specification to a content folder and return the world's folder.

    Args:
        root: the content folder.
        files: file of the world → its text, which replaces what the file had.
        name: the copy's name.
    """
    (source,) = content.world_dirs("mini")
    folder = root / "contexts" / "worlds" / name
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.jsonl", "scheduled"))
    for relative, text in files.items():
        path = folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder
