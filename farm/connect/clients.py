"""The supported clients: the file in which each keeps its servers, and the format of an entry."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
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
        advice: returns the lines about what the client must be told before it calls tools without a person beside it.
        programs: names of its program.
        folders: returns folders that exist where it is installed.
    """

    name: str
    title: str
    file: Callable[[], Path]
    place: tuple[str, ...]
    entry: Callable[[Server], Entry]
    after: str | Callable[[str, Server], str]
    form: Literal["json", "toml", "yaml"] = "json"
    command: Callable[[Server], str] | None = None
    advice: Callable[[Sequence[Server]], list[str]] = lambda _: []
    programs: tuple[str, ...] = ()
    folders: Callable[[], tuple[Path, ...]] = tuple

    def config(self, servers: Sequence[Server]) -> dict[str, Any]:
        """Return the part of the client's file that names these servers."""
        config: dict[str, Any] = {server.name: self.entry(server) for server in servers}
        for key in reversed(self.place):
            config = {key: config}
        return config

    def installed(self) -> str | None:
        """Return the program or folder by which the client is found on this machine, or None."""
        program = next(filter(None, map(shutil.which, self.programs)), None)
        return program or next((str(each) for each in self.folders() if each.is_dir()), None)


def _with(entry: Entry, name: str, value: Mapping[str, str]) -> Entry:
    return {**entry, name: dict(value)} if value else entry


def _stdio(server: Server) -> Entry:
    program, *arguments = server.bridge
    return _with({"command": program, "args": arguments}, "env", server.environment)


def _typed(server: Server) -> Entry:
    # Sources: https://code.visualstudio.com/docs/copilot/reference/mcp-configuration, https://code.claude.com/docs/mcp
    return _with({"type": "http", "url": server.url}, "headers", server.headers)


def _url_entry(server: Server) -> Entry:
    # Sources: https://cursor.com/docs/mcp, https://zed.dev/docs/ai/mcp, https://lmstudio.ai/docs/app/mcp
    return _with({"url": server.url}, "headers", server.headers)


def _openclaw(server: Server) -> Entry:
    return _with({"url": server.url, "transport": "streamable-http"}, "headers", server.headers)


def _codex(server: Server) -> Entry:
    # Codex ignores a table called `headers` and refuses a bearer written as such. Without the approval, `codex exec`
    # refuses every call: nobody is there to be asked.
    return _with({"url": server.url, "default_tools_approval_mode": "approve"}, "http_headers", server.headers)


def _gemini(server: Server) -> Entry:
    # Without `trust`, a run that nobody watches is shown no tool at all.
    return _with({"httpUrl": server.url, "trust": True}, "headers", server.headers)


def _opencode(server: Server) -> Entry:
    return _with({"type": "remote", "url": server.url, "enabled": True}, "headers", server.headers)


def _goose(server: Server) -> Entry:
    # Source: https://github.com/aaif-goose/goose/blob/main/documentation/docs/guides/config-files.md
    entry = {"enabled": True, "type": "streamable_http", "name": server.name, "uri": server.url, "timeout": 300}
    return _with(entry, "headers", server.headers)


def _windsurf(server: Server) -> Entry:
    # Source: https://docs.windsurf.com/windsurf/cascade/mcp
    return _with({"serverUrl": server.url}, "headers", server.headers)


def _cline(server: Server) -> Entry:
    # Source: https://docs.cline.bot/mcp/connecting-to-a-remote-server
    return _with({"type": "streamableHttp", "url": server.url, "disabled": False}, "headers", server.headers)


def _mcp_remote(server: Server) -> Entry:
    return {"command": "npx", "args": ["--yes", "mcp-remote", *_mcp_remote_options(server)]}


def _mcp_remote_options(server: Server) -> list[str]:
    # Without a blank after the colon: some clients split arguments at blanks on Windows.
    headers = [part for name, value in server.headers.items() for part in ("--header", f"{name}:{value}")]
    return [server.url, "--transport", "http-only", *headers]


def _mcp_remote_command(server: Server) -> str:
    return shlex.join(["npx", "--yes", "mcp-remote", *_mcp_remote_options(server)])


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
    return _config_home() / "Claude" / "claude_desktop_config.json"


def _config_home() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or _home(".config"))


def _vscode_folder() -> Path:
    """Return the folder in which VS Code keeps a person's settings."""
    if sys.platform == "darwin":
        return _home("Library", "Application Support", "Code")
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or _home("AppData", "Roaming")) / "Code"
    return _config_home() / "Code"


def _cline_file() -> Path:
    """Return Cline's file: the one that its command line shares, where there is one, else its extension's."""
    named = os.environ.get("CLINE_MCP_SETTINGS_PATH")
    if named:
        return Path(named)
    shared = _home(".cline", "data", "settings", "cline_mcp_settings.json")
    settings = "User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
    return shared if shared.parent.is_dir() else _vscode_folder() / settings


def _opencode_file() -> Path:
    return _config_home() / "opencode" / "opencode.json"


def _goose_file() -> Path:
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA")
        return (
            (Path(roaming) if roaming else _home("AppData", "Roaming")) / "Block" / "goose" / "config" / "config.yaml"
        )
    return _config_home() / "goose" / "config.yaml"


def _claude_code_advice(servers: Sequence[Server]) -> list[str]:
    allowed = shlex.quote(",".join(f"mcp__{server.name}" for server in servers))
    return [
        # The option takes every word after it, so the prompt comes first.
        f'Without a person who allows each call: claude -p "PROMPT" --allowed-tools {allowed}',
        "ENABLE_TOOL_SEARCH=false shows the model all tools at once, instead of a search for them.",
    ]


def _codex_advice(_: Sequence[Server]) -> list[str]:
    return ["default_tools_approval_mode lets it call tools unasked, as 'codex exec' must; remove it to be asked."]


def _gemini_advice(_: Sequence[Server]) -> list[str]:
    return ["'trust' lets it call tools unasked. In a folder that it does not trust, start it as gemini --skip-trust."]


def _openclaw_advice(_: Sequence[Server]) -> list[str]:
    return ["openclaw config set tools.toolSearch false   shows the model all tools, instead of a search for them."]


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


def _inspector_advice(_: Sequence[Server]) -> list[str]:
    if not _has_old_node():
        return ["Inspector 2 needs Node 22.19 or newer; on an older one take @1.0.3, and --server with --config."]
    here = ".".join(map(str, node_version() or ()))
    return [f"Inspector 2 needs Node 22.19 or newer; here is {here}, so this is the last one before it."]


_CLIENTS = (
    Client(
        "claude-desktop",
        "Claude Desktop",
        _claude_desktop_file,
        ("mcpServers",),
        _stdio,
        "Quit Claude Desktop altogether and start it again.",
        folders=lambda: (_claude_desktop_file().parent,),
    ),
    Client(
        "claude-code",
        "Claude Code",
        lambda: Path.cwd() / ".mcp.json",
        ("mcpServers",),
        _typed,
        "Start claude in this folder and allow the servers; '/mcp' shows them.",
        command=_claude_code_command,
        advice=_claude_code_advice,
        programs=("claude",),
    ),
    Client(
        "codex",
        "Codex",
        _codex_file,
        ("mcp_servers",),
        _codex,
        "Start codex; '/mcp' shows the servers.",
        form="toml",
        advice=_codex_advice,
        programs=("codex",),
        folders=lambda: (_codex_file().parent,),
    ),
    Client(
        "gemini-cli",
        "Gemini CLI",
        lambda: _home(".gemini", "settings.json"),
        ("mcpServers",),
        _gemini,
        "Start gemini; '/mcp' shows the servers.",
        advice=_gemini_advice,
        programs=("gemini",),
        folders=lambda: (_home(".gemini"),),
    ),
    Client(
        "openclaw",
        "OpenClaw",
        _openclaw_file,
        ("mcp", "servers"),
        _openclaw,
        "Check with 'openclaw mcp doctor --probe'.",
        command=_openclaw_command,
        advice=_openclaw_advice,
        programs=("openclaw",),
        folders=lambda: (_openclaw_file().parent,),
    ),
    Client(
        "opencode",
        "opencode",
        _opencode_file,
        ("mcp",),
        _opencode,
        "Start opencode; 'opencode mcp list' shows the servers.",
        programs=("opencode",),
        folders=lambda: (_opencode_file().parent,),
    ),
    Client(
        "cursor",
        "Cursor",
        lambda: _home(".cursor", "mcp.json"),
        ("mcpServers",),
        _url_entry,
        "Open Cursor's settings, MCP, and switch the servers on.",
        programs=("cursor",),
        folders=lambda: (_home(".cursor"),),
    ),
    Client(
        "vscode",
        "VS Code",
        lambda: Path.cwd() / ".vscode" / "mcp.json",
        ("servers",),
        _typed,
        "Open this folder in VS Code and start the servers from the file's own buttons.",
        programs=("code",),
        folders=lambda: (_vscode_folder(),),
    ),
    Client(
        "goose",
        "goose",
        _goose_file,
        ("extensions",),
        _goose,
        "Start goose; 'goose info -v' shows the extensions.",
        form="yaml",
        programs=("goose",),
        folders=lambda: (_goose_file().parent,),
    ),
    Client(
        "windsurf",
        "Windsurf",
        lambda: _home(".codeium", "windsurf", "mcp_config.json"),
        ("mcpServers",),
        _windsurf,
        "Open Cascade's MCP servers in Windsurf and refresh them.",
        programs=("windsurf",),
        folders=lambda: (_home(".codeium", "windsurf"),),
    ),
    Client(
        "zed",
        "Zed",
        lambda: _config_home() / "zed" / "settings.json",
        ("context_servers",),
        _url_entry,
        "Open Zed's agent panel; its settings show the servers.",
        programs=("zed", "zeditor"),
        folders=lambda: (_config_home() / "zed",),
    ),
    Client(
        "cline",
        "Cline",
        _cline_file,
        ("mcpServers",),
        _cline,
        "Open Cline's MCP servers and switch them on.",
        programs=("cline",),
        folders=lambda: (_cline_file().parent,),
    ),
    Client(
        "lm-studio",
        "LM Studio",
        lambda: _home(".lmstudio", "mcp.json"),
        ("mcpServers",),
        _url_entry,
        "Open LM Studio's chat, Program, and switch the servers on.",
        programs=("lms",),
        folders=lambda: (_home(".lmstudio"),),
    ),
    Client(
        "inspector",
        "MCP Inspector",
        lambda: Path.cwd() / "mcp-inspector.json",
        ("mcpServers",),
        _inspector,
        _start_inspector,
        command=_inspector_command,
        advice=_inspector_advice,
    ),
    Client(
        "mcp-remote",
        "mcp-remote, a stdio bridge for other clients",
        lambda: Path.cwd() / "mcp.json",
        ("mcpServers",),
        _mcp_remote,
        "Copy the entries into the file of a client that starts its servers as programs.",
        command=_mcp_remote_command,
    ),
    Client(
        "generic",
        "Any other client",
        lambda: Path.cwd() / "mcp.json",
        ("mcpServers",),
        _typed,
        "Copy the addresses and headers into your client's file.",
    ),
)
CLIENTS = {client.name: client for client in _CLIENTS}
# What people call them.
_OTHER_NAMES = {
    "claude": "claude-code",
    "gemini": "gemini-cli",
    "lmstudio": "lm-studio",
    "vs-code": "vscode",
    "code": "vscode",
    "mcp-inspector": "inspector",
}


def find_client(name: str) -> Client:
    """Return the client of this name.

    Raises:
        NotFoundError: there is none; the message lists the names.
    """
    known = _OTHER_NAMES.get(name, name)
    if known not in CLIENTS:
        raise NotFoundError(f"no client '{name}'; have {', '.join(CLIENTS)}")
    return CLIENTS[known]


def installed_clients() -> dict[str, str]:
    """Return client → the program or folder by which it is found on this machine."""
    found = {client.name: client.installed() for client in _CLIENTS}
    return {name: where for name, where in found.items() if where is not None}
