"""Capture a real server's description: the tools.json from which an app begins."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from farm._util.plurals import pluralize
from farm.errors import FarmError
from farm.traverse.transport.connection import Connection, NotListedError, connect
from farm.traverse.transport.packages import packages_of
from farm.traverse.transport.source import Source

FILE = "tools.json"
# What servers may offer besides tools: the capability, the listing method, the key of its list.
_BESIDE_TOOLS = (
    ("prompts", "prompts/list", "prompts"),
    ("resources", "resources/list", "resources"),
    ("resources", "resources/templates/list", "resourceTemplates"),
)
_TITLES = {"prompts": "prompt", "resources": "resource", "resourceTemplates": "resource template"}


@dataclass(frozen=True)
class Captured:
    """A captured description and its file.

    Attributes:
        description: the content of the file.
    """

    description: Mapping[str, Any]
    file: Path

    @property
    def summary(self) -> str:
        """A one-line summary of the description."""
        server, package = self.description["server"], self.description.get("package")
        parts = [f"{server['name']} {server['version']}".strip()]
        if package:
            parts[0] += f" ({package['name']} {package['version']})"
        kinds = [(self.description.get(key), title) for key, title in _TITLES.items()]
        beside = "".join(f", {pluralize(len(listed), title)}" for listed, title in kinds if listed)
        parts.append(f"{len(self.description['tools'])} tools{beside}, in {self.file}")
        more = ""
        if needing := self.description.get("only_as_task"):
            more += f"; only as tasks, which are not recorded: {', '.join(needing)}"
        if lines := self.description.get("noise_lines"):
            more += f"; {lines} lines of its output were no messages"
        return ": ".join(parts) + more


async def capture_server(source: Source, folder: Path, *, protocol: str | None = None) -> Captured:
    """List a server's tools, prompts and resources, and write them to the folder.

    Args:
        protocol: the revision to speak; by default, the last one with a handshake, or one that the server supports.

    Raises:
        FarmError: the server cannot be reached, or lists no tools.
    """
    async with connect(source, protocol=protocol) as connection:
        tools = await connection.tools()
        beside = await _beside_tools(connection)
        packages = packages_of(source, connection.pid)
        noise = connection.noise
    hello = {**connection.hello, "protocolVersion": connection.server.protocol}
    description = describe_server(source.name, hello, tools, beside=beside, noise_lines=noise, **packages)
    return Captured(description, write(folder, description))


def describe_server(
    name: str, hello: Mapping[str, Any], tools: Sequence[Any], *, beside: Mapping[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """Return the content of tools.json for a server.

    Args:
        name: the server's name if it does not give one.
        hello: the result of ``initialize`` or ``server/discover``.
        tools: as it lists them.
        beside: its other lists by their keys, as it lists them; empty ones, too.
        more: further keys; empty ones are left out.
    """
    who = hello.get("serverInfo") or {}
    only_as_task = [
        tool["name"]
        for tool in tools
        if isinstance(execution := tool.get("execution"), dict) and execution.get("taskSupport") == "required"
    ]
    told = {
        "protocol": hello.get("protocolVersion"),
        "protocols": hello.get("supportedVersions"),
        "capabilities": hello.get("capabilities"),
        "instructions": hello.get("instructions"),
        **more,
        "only_as_task": only_as_task,
    }
    return {
        "server": {**who, "name": str(who.get("name") or name), "version": str(who.get("version") or "")},
        **{key: value for key, value in told.items() if value},
        **(beside or {}),
        "captured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "tools": list(tools),
    }


def write_unless_equal(folder: Path, description: Mapping[str, Any]) -> None:
    """Write tools.json unless it lists the same tools of the same server: a capture contains more than a client sees.

    Raises:
        FarmError: the file cannot be written.
    """
    with suppress(OSError, ValueError):
        stood = json.loads((folder / FILE).read_bytes())
        if isinstance(stood, dict) and all(stood.get(key) == description[key] for key in ("server", "tools")):
            return
    write(folder, description)


def write(folder: Path, description: Mapping[str, Any]) -> Path:
    """Write tools.json atomically and return the file.

    Raises:
        FarmError: the file cannot be written.
    """
    file = folder / FILE
    draft = folder / f".{FILE}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(description, ensure_ascii=False, indent=2)
        draft.write_bytes((text + "\n").encode(errors="surrogatepass"))
        draft.replace(file)
    except OSError as problem:
        with suppress(OSError):
            draft.unlink()
        raise FarmError(f"{file} cannot be written ({problem.strerror})") from None
    return file


async def _beside_tools(connection: Connection) -> dict[str, list[Any]]:
    """Return the lists of the declared capabilities; a server may declare one without its methods."""
    found = {}
    for capability, method, key in _BESIDE_TOOLS:
        if capability in connection.server.capabilities:
            with suppress(NotListedError):
                found[key] = await connection.listed(method, key)
    return found
