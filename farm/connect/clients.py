"""The clients that can be connected: where each keeps its servers, and how it writes one down."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from farm.errors import NotFound

Entry = dict[str, Any]


@dataclass(frozen=True)
class Server:
    """One MCP server to be entered.

    Attributes:
        name: its name in the client's file.
        url: its address.
        token: the bearer it asks for, or None.
        bridge: program and arguments of the stdio bridge to it.
        environment: variables the bridge needs.
    """

    name: str
    url: str
    token: str | None
    bridge: tuple[str, ...]
    environment: Mapping[str, str]

    @property
    def headers(self) -> dict[str, str]:
        """The headers a client must send."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


@dataclass(frozen=True)
class Client:
    """A client.

    Attributes:
        name: its name on the command line.
        title: its name for people.
        file: returns its file on this machine.
        place: the keys that lead to its table of servers.
        entry: one server as the client writes it.
        form: how the file is written.
        after: what is left to do once the file is written; ``{file}`` stands for it.
        command: the client's own command that does the same for one server, where it has one.
    """

    name: str
    title: str
    file: Callable[[], Path]
    place: tuple[str, ...]
    entry: Callable[[Server], Entry]
    after: str
    form: Literal["json", "toml"] = "json"
    command: Callable[[Server], str] | None = None

    def config(self, servers: list[Server]) -> dict[str, Any]:
        """Return the part of the client's file that names these servers."""
        config: dict[str, Any] = {server.name: self.entry(server) for server in servers}
        for key in reversed(self.place):
            config = {key: config}
        return config


def _with(entry: Entry, name: str, value: Mapping[str, str]) -> Entry:
    return {**entry, name: dict(value)} if value else entry


def _stdio(server: Server) -> Entry:
    program, *arguments = server.bridge
    return _with({"command": program, "args": arguments}, "env", server.environment)


def _typed(server: Server) -> Entry:
    return _with({"type": "http", "url": server.url}, "headers", server.headers)


def _plain(server: Server) -> Entry:
    return _with({"url": server.url}, "headers", server.headers)


def _openclaw(server: Server) -> Entry:
    return _with({"url": server.url, "transport": "streamable-http"}, "headers", server.headers)


def _codex(server: Server) -> Entry:
    # Codex ignores a table called `headers` and refuses a bearer written as such.
    return _with({"url": server.url}, "http_headers", server.headers)


def _inspector(server: Server) -> Entry:
    return _with({"type": "streamable-http", "url": server.url}, "headers", server.headers)


def _home(*parts: str) -> Path:
    return Path.home().joinpath(*parts)


def _claude_desktop_file() -> Path:
    if sys.platform == "darwin":
        return _home("Library", "Application Support", "Claude", "claude_desktop_config.json")
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA")
        return (Path(roaming) if roaming else _home("AppData", "Roaming")) / "Claude" / "claude_desktop_config.json"
    return Path(os.environ.get("XDG_CONFIG_HOME") or _home(".config")) / "Claude" / "claude_desktop_config.json"


def _openclaw_file() -> Path:
    return Path(os.environ.get("OPENCLAW_STATE_DIR") or _home(".openclaw")) / "openclaw.json"


def _codex_file() -> Path:
    return Path(os.environ.get("CODEX_HOME") or _home(".codex")) / "config.toml"


def _header_options(server: Server) -> list[str]:
    return [part for name, value in server.headers.items() for part in ("--header", f"{name}: {value}")]


def _claude_code_command(server: Server) -> str:
    return shlex.join(
        ["claude", "mcp", "add", "--transport", "http", server.name, server.url, *_header_options(server)]
    )


def _openclaw_command(server: Server) -> str:
    headers = [part for name, value in server.headers.items() for part in ("--header", f"{name}={value}")]
    return shlex.join(
        ["openclaw", "mcp", "add", server.name, "--url", server.url, "--transport", "streamable-http", *headers]
    )


def _inspector_command(server: Server) -> str:
    call = ["npx", "@modelcontextprotocol/inspector", "--cli", server.url, "--transport", "http"]
    return shlex.join([*call, *_header_options(server), "--method", "tools/list"])


CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude-desktop",
            "Claude Desktop",
            _claude_desktop_file,
            ("mcpServers",),
            _stdio,
            "Quit Claude Desktop altogether and start it again.",
        ),
        Client(
            "claude-code",
            "Claude Code",
            lambda: Path.cwd() / ".mcp.json",
            ("mcpServers",),
            _typed,
            "Start claude in this folder and allow the servers; '/mcp' shows them.",
            command=_claude_code_command,
        ),
        Client(
            "openclaw",
            "OpenClaw",
            _openclaw_file,
            ("mcp", "servers"),
            _openclaw,
            "Check with 'openclaw mcp doctor --probe'; set tools.toolSearch to false if the tools hide behind it.",
            command=_openclaw_command,
        ),
        Client(
            "cursor",
            "Cursor",
            lambda: _home(".cursor", "mcp.json"),
            ("mcpServers",),
            _plain,
            "Open Cursor's settings, MCP, and switch the servers on.",
        ),
        Client(
            "vscode",
            "VS Code",
            lambda: Path.cwd() / ".vscode" / "mcp.json",
            ("servers",),
            _typed,
            "Open this folder in VS Code and start the servers from the file's own buttons.",
        ),
        Client(
            "codex",
            "Codex",
            _codex_file,
            ("mcp_servers",),
            _codex,
            "Start codex; '/mcp' shows the servers.",
            form="toml",
        ),
        Client(
            "inspector",
            "MCP Inspector",
            lambda: Path.cwd() / "mcp-inspector.json",
            ("mcpServers",),
            _inspector,
            "Start it with: npx @modelcontextprotocol/inspector --config {file}   (Node 22.19 or newer)",
            command=_inspector_command,
        ),
    )
}


def find_client(name: str) -> Client:
    """Return the client of this name.

    Raises:
        NotFound: there is none; the message lists what there is.
    """
    if name not in CLIENTS:
        raise NotFound(f"no client '{name}'; have {', '.join(CLIENTS)}")
    return CLIENTS[name]
