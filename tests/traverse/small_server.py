"""A real MCP server over stdio, as small as one can be, with the habits that recorders stumble over.

``python small_server.py [FILE]``: notes are kept in the file, or in memory.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

_TEXT = {"type": "string"}
TOOLS = [
    {
        "name": "add_note",
        "description": "Keep a note.",
        "inputSchema": {"type": "object", "properties": {"title": _TEXT, "text": _TEXT}, "required": ["title"]},
    },
    {
        "name": "read_notes",
        "description": "All notes.",
        "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True},
    },
    {"name": "sleep", "description": "Answer late.", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "crash", "description": "End.", "inputSchema": {"type": "object", "properties": {}}},
]


class _Refused(Exception):
    """What is answered with isError."""


def _call(name: Any, arguments: Any, notes: dict[str, str]) -> str:
    if name == "crash":
        sys.stderr.write("cannot go on\n")
        sys.exit(3)
    if name == "sleep":
        time.sleep(30)
    if name == "read_notes":
        return json.dumps(notes)
    title = arguments.get("title") if isinstance(arguments, dict) else None
    if not isinstance(title, str):
        raise _Refused("title must be a text")
    if title in notes:
        raise _Refused(f"there is a note '{title}' already")
    notes[title] = arguments.get("text", "")
    return f"kept '{title}'"


def _answer(method: str, params: dict[str, Any], notes: dict[str, str]) -> dict[str, Any]:
    if method == "initialize":
        who = {"name": "small", "version": "1.2"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": who}
    if method == "tools/list":
        at = int(params.get("cursor", 0))
        more = {"nextCursor": str(at + 2)} if at + 2 < len(TOOLS) else {}
        return {"tools": TOOLS[at : at + 2], **more}
    try:
        text, is_error = _call(params.get("name"), params.get("arguments"), notes), False
    except _Refused as refused:
        text, is_error = str(refused), True
    return {"content": [{"type": "text", "text": text}], **({"isError": True} if is_error else {})}


def _say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Serve until stdin ends."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    notes = json.loads(file.read_text()) if file and file.exists() else {}
    sys.stdout.write("a line that is no message\n")
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        # Servers may talk before they answer, and may ask something themselves.
        _say({"method": "notifications/message", "params": {"level": "info", "data": "working"}})
        _say({"id": message["id"], "method": "roots/list"})
        result = _answer(message["method"], message.get("params") or {}, notes)
        if file:
            file.write_text(json.dumps(notes))  # before it is acknowledged: whoever kills us has heard of nothing else
        _say({"id": message["id"], "result": result})


if __name__ == "__main__":
    main()
