"""The supported clients: the file in which each keeps its servers, and the format of an entry."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from farm.errors import NotFoundError

Entry = dict[str, Any]


@dataclass(frozen=True)
class Server:
    """One MCP server to be entered.

    Attributes:
        name: its name in the client's file.
        url: its address.
        token: the bearer that it requires, or None.
        bridge: program and arguments of the stdio bridge to it.
        environment: environment variables of the bridge.
    """

    name: str
    url: str
    token: str | None
    bridge: tuple[str, ...]
    environment: Mapping[str, str]

    @property
    def headers(self) -> dict[str, str]:
        """The headers that a client must send."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


@dataclass(frozen=True)
class Client:
    """A client.

    Attributes:
        name: its name on the command line.
        title: its display name.
        file: returns its file on this machine.
        place: the keys that lead to its table of servers.
        entry: returns one server in the client's format.
        form: the file's format.
        after: the remaining steps after the file is written, or a function of the file and its first server.
        command: the client's own command that does the same for one server, if there is one.
        note: a requirement on this machine, if there is one.
    """

    name: str
    title: str
    file: Callable[[], Path]
    place: tuple[str, ...]
    entry: Callable[[Server], Entry]
    after: str | Callable[[str, Server], str]
    form: Literal["json", "toml"] = "json"
    command: Callable[[Server], str] | None = None
    note: Callable[[], str] | None = None

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


def _url_entry(server: Server) -> Entry:
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


_NODE_OF_INSPECTOR_2 = (22, 19)


@cache
def node_version() -> tuple[int, ...] | None:
    """Return the version of this machine's Node, or None if it is not installed."""
    program = shutil.which("node")
    if program is None:
        return None
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    parts = said.strip().removeprefix("v").split(".")
    return tuple(map(int, parts)) if all(part.isdigit() for part in parts) else None


def _has_old_node() -> bool:
    version = node_version()
    return version is not None and version < _NODE_OF_INSPECTOR_2


def _npx_inspector() -> list[str]:
    # Without a version, npx on an older Node installs an old release that requests another path than the given one.
    version = "1.0.3" if _has_old_node() else "2"
    return ["npx", "--yes", f"@modelcontextprotocol/inspector@{version}"]


def _inspector_command(server: Server) -> str:
    call = [*_npx_inspector(), "--cli", server.url, "--transport", "http"]
    return shlex.join([*call, *_header_options(server), "--method", "tools/list"])


def _start_inspector(file: str, server: Server) -> str:
    # The older one shows one server of a file.
    named = ["--server", server.name] if _has_old_node() else []
    return f"Start it with: {shlex.join([*_npx_inspector(), '--config', file, *named])}"


def _inspector_note() -> str:
    if not _has_old_node():
        return "Inspector 2 needs Node 22.19 or newer; on an older one take @1.0.3, and --server with --config."
    here = ".".join(map(str, node_version() or ()))
    return f"Inspector 2 needs Node 22.19 or newer; here is {here}, so this is the last one before it."


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
            _url_entry,
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
            _start_inspector,
            command=_inspector_command,
            note=_inspector_note,
        ),
    )
}


def find_client(name: str) -> Client:
    """Return the client of this name.

    Raises:
        NotFoundError: there is none; the message lists the names.
    """
    if name not in CLIENTS:
        raise NotFoundError(f"no client '{name}'; have {', '.join(CLIENTS)}")
    return CLIENTS[name]
