"""Makes the calls of ``calls.json`` over MCP; needs only Python's standard library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

CALLS = Path(__file__).with_name("calls.json")
TIMEOUT_S = 30


def post(url: str, message: dict[str, Any]) -> Any:
    """Send one message of JSON-RPC and return its result."""
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
    }
    request = Request(url, json.dumps({"jsonrpc": "2.0", "id": 1, **message}).encode(), headers)
    with urlopen(request, timeout=TIMEOUT_S) as answer:
        text = answer.read().decode()
        if answer.headers.get_content_type() == "text/event-stream":
            text = next(line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:"))
    found = json.loads(text)
    if "result" not in found:
        raise SystemExit(f"{message['method']}: {found['error']}")
    return found["result"]


def main() -> None:
    """Make the calls in order."""
    for call in json.loads(CALLS.read_text("utf-8")):
        asked = {"name": call["tool"], "arguments": call["arguments"]}
        post(call["url"], {"method": "tools/call", "params": asked})


if __name__ == "__main__":
    main()
