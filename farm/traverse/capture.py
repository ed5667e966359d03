"""What a real server says of itself: the tools.json that an app begins with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from farm.traverse.connection import ServerInfo, connect
from farm.traverse.source import Source

FILE = "tools.json"


@dataclass(frozen=True)
class Captured:
    """What was taken, and the file it stands in."""

    server: ServerInfo
    tools: list[dict[str, Any]]
    file: Path


async def take(source: Source, folder: Path) -> Captured:
    """Ask a server for its tools and write them to the folder.

    Raises:
        FarmError: it cannot be reached, or lists no tools.
    """
    async with connect(source) as connection:
        tools, server = await connection.tools(), connection.server
    return Captured(server, tools, write(folder, server, tools))


def write(folder: Path, server: ServerInfo, tools: list[dict[str, Any]]) -> Path:
    """Write what a server said to the folder's tools.json, and return the file."""
    written = {
        "server": {"name": server.name, "version": server.version},
        "protocol": server.protocol,
        "instructions": server.instructions,
        "captured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "tools": tools,
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / FILE
    file.write_text(json.dumps(written, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return file
