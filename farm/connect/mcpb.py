"""Writes a bundle that Claude Desktop installs (``.mcpb``): a manifest, and the farm's stdio bridge as its server.

The bundle holds no program: its server is a few lines of Python that replace themselves by the bridge of this machine's
farm. A bundle has one server, so several apps are joined.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from farm import __version__
from farm.connect.clients import Client, Server
from farm.errors import FarmError

MANIFEST_VERSION = "0.3"
_MAIN = '''"""Starts the farm's bridge, which carries the client's messages to the farm."""

import os
import sys

COMMAND = {command}
ENVIRONMENT = {environment}

if not os.path.exists(COMMAND[0]):
    sys.exit(f"mcp-farm is no longer at {{COMMAND[0]}}; write it again: farm connect claude-desktop --mcpb FILE")
os.environ.update(ENVIRONMENT)
if os.name == "nt":
    import subprocess

    sys.exit(subprocess.call(COMMAND))
os.execv(COMMAND[0], COMMAND)
'''


def write_bundle(path: Path, servers: Sequence[Server], client: Client) -> Path:
    """Write a bundle for one server and return its path.

    Raises:
        FarmError: the client takes no bundle, there are several servers, or the file cannot be written.
    """
    if client.name != "claude-desktop":
        raise FarmError(f"{client.title} takes no .mcpb; leave out --mcpb")
    if len(servers) != 1:
        raise FarmError("a bundle has one server; add --together, or name one app with --apps")
    path = path.expanduser()
    path = path if path.suffix == ".mcpb" else path.with_name(f"{path.name}.mcpb")
    if path.exists() and not zipfile.is_zipfile(path):
        raise FarmError(f"{path} exists and is no bundle; name another file")
    (server,) = servers
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("manifest.json", orjson.dumps(_manifest(server), option=orjson.OPT_INDENT_2))
        bundle.writestr("server/main.py", _main(server))
    try:
        path.write_bytes(packed.getvalue())
        # The bridge's command may name a token's file, never a token.
        path.chmod(0o600)
    except OSError as problem:
        raise FarmError(f"{path} cannot be written: {problem.strerror}") from None
    return path


def _main(server: Server) -> str:
    command = orjson.dumps(list(server.bridge)).decode()
    return _MAIN.format(command=command, environment=orjson.dumps(dict(server.environment)).decode())


def _manifest(server: Server) -> dict[str, Any]:
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": f"mcp-farm-{server.name}",
        "display_name": f"mcp-farm: {server.name}",
        "version": ".".join(__version__.split(".")[:3]),
        "description": "Simulated apps of an mcp-farm on this machine.",
        "author": {"name": "mcp-farm"},
        "server": {
            "type": "python",
            "entry_point": "server/main.py",
            "mcp_config": {"command": "python3", "args": ["${__dirname}/server/main.py"]},
        },
        "tools_generated": True,
        "compatibility": {"platforms": ["darwin", "linux", "win32"]},
    }
