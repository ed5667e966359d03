"""Puts the content folders and the gateway inside the wheel, under ``farm/_content/``.

An editable install gets nothing forced in: there ``farm/_content/__init__.py`` points at the checkout.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("contexts", "gateway", "kernels", "papers", "tasks", "web")
SUFFIXES = {".py", ".toml", ".json", ".jsonl", ".md", ".html", ".css", ".js"}


class ContentHook(BuildHookInterface[Any]):
    """Forces content files in by suffix, because forced files skip ``.gitignore``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        for folder in FOLDERS:
            for path in sorted((root / folder).rglob("*")):
                if path.suffix in SUFFIXES and "__pycache__" not in path.parts:
                    relative = path.relative_to(root).as_posix()
                    build_data["force_include"][str(path)] = f"farm/_content/{relative}"
