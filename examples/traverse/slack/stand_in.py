"""Run a Slack MCP server with a stand-in for Slack: the farm's Slack, in the world `mini`, at Slack's own addresses.

    python stand_in.py node_modules/.bin/slack-mcp

The server is the real one and unchanged; what it asks of slack.com is answered on loopback, from a start of its own
each time, with the clock of this machine. So a recording shows what the server does with calls and answers; what Slack
would say is only as true as the farm's Slack.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from farm.testing import LocalWorld

# The Web API's method → the tool that asks for it, and the API's names of its arguments.
METHODS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "conversations.list": ("slack_list_channels", {"limit": "limit", "cursor": "cursor"}),
    "conversations.history": ("slack_get_channel_history", {"channel": "channel_id", "limit": "limit"}),
    "conversations.replies": ("slack_get_thread_replies", {"channel": "channel_id", "ts": "thread_ts"}),
    "reactions.add": ("slack_add_reaction", {"channel": "channel_id", "timestamp": "timestamp", "name": "reaction"}),
    "users.list": ("slack_get_users", {"limit": "limit", "cursor": "cursor"}),
    "users.profile.get": ("slack_get_user_profile", {"user": "user_id"}),
}
POST = ("slack_post_message", {"channel": "channel_id", "text": "text"})
REPLY = ("slack_reply_to_thread", {"channel": "channel_id", "thread_ts": "thread_ts", "text": "text"})

# Node reads this first: the server has Slack's address built in.
REDIRECT = """
const real = globalThis.fetch;
globalThis.fetch = (input, init) => real(String(input).replace("https://slack.com/api/", "http://127.0.0.1:%d/"), init);
"""


def body_of(world: LocalWorld, method: str, asked: Mapping[str, Any]) -> str:
    """Return Slack's JSON for a call of its Web API."""
    if method == "chat.postMessage":
        tool, names = REPLY if "thread_ts" in asked else POST
    elif method in METHODS:
        tool, names = METHODS[method]
    else:
        return '{"ok":false,"error":"unknown_method"}'
    arguments = {name: asked[theirs] for theirs, name in names.items() if theirs in asked}
    if "limit" in arguments:
        arguments["limit"] = float(arguments["limit"])
    now = datetime.now(UTC)
    if now > world.now:
        world.advance_to(now)
    result = world.result("slack", tool, **arguments)
    if "error" in result:
        return '{"ok":false,"error":"invalid_arguments"}'
    return str(result["content"][0]["text"])


def serve(world: LocalWorld) -> ThreadingHTTPServer:
    """Answer as slack.com/api would, on a loopback port."""
    one_at_a_time = threading.Lock()

    class Api(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True)))

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))

        def _answer(self, asked: Mapping[str, Any]) -> None:
            with one_at_a_time:
                body = body_of(world, urlsplit(self.path).path.lstrip("/"), asked).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing: the server's own messages stand on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main(command: list[str]) -> int:
    """Run the server until its client leaves, and return its status."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    with tempfile.TemporaryDirectory() as folder, LocalWorld("mini", ["slack"], now=now) as world:
        redirect = Path(folder) / "redirect.mjs"
        redirect.write_text(REDIRECT % serve(world).server_address[1], "utf-8")
        node = {"NODE_OPTIONS": f"--import={redirect}", "SLACK_BOT_TOKEN": "xoxb-token", "SLACK_TEAM_ID": "T063J1CWQAD"}
        return subprocess.run(command, env={**os.environ, **node}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
