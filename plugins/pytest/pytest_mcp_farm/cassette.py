"""Cassettes: a recorded session in the place of an app's server or of a model."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pytest_mcp_farm.errors import McpFarmError
from pytest_mcp_farm.farm import Options, command_words, has_farm_here
from pytest_mcp_farm.started import end, start
from pytest_mcp_farm.versions import require_fitting
from pytest_mcp_farm.world import Call, Calls

Server = str | Mapping[str, Any]  # an address, or what world.connection() returns
NO_CASSETTE = (
    "no cassette can be had: a farm's URL serves none; name what to install in mcp_farm_install, or the command that "
    "starts it, such as mcp_farm_command = uvx --from mcp-farm farm"
)
_TIMEOUT_S = 60.0

__tracebackhide__ = True  # pytest shows a problem at the test's own line


class Cassette:
    """A recorded session, served on a port of this machine.

    Attributes:
        path: its file.
        url: the MCP server's URL, for a cassette of an app.
        root: the base URL for Anthropic's and Gemini's clients, for a cassette of a model.
        base_url: the base URL for OpenAI's clients, for a cassette of a model.
    """

    def __init__(
        self, path: Path, served: Mapping[str, str], headers: Mapping[str, str], stop: Callable[[], None]
    ) -> None:
        self.path = path
        self.url, self.root = served["url"], served["root"]
        self.base_url = f"{self.root}/v1"
        self._headers, self._stop = dict(headers), stop
        self._is_closed = False

    def connection(self) -> dict[str, Any]:
        """Return ``url`` and ``headers``, as most frameworks take them."""
        return {"url": self.url, "headers": dict(self._headers)}

    def mcp_config(self, name: str | None = None) -> dict[str, Any]:
        """Return the server as ``{"mcpServers": …}``; its name is the file's, if none is given."""
        return {"mcpServers": {name or self.path.stem: {"type": "http", **self.connection()}}}

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables by which clients find a model."""
        openai, others = {"OPENAI_BASE_URL": self.base_url}, ("ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL")
        return openai | dict.fromkeys(others, self.root)

    @property
    def calls(self) -> Calls:
        """The tool calls so far; ``app`` is the file's name, and nothing is known of ``wrote`` and ``now``."""
        made = self._status()["calls"]
        return Calls([Call(app=self.path.stem, wrote=False, now="", **each) for each in made])

    def assert_finished(self) -> None:
        """Assert that everything recorded was asked for, and nothing else."""
        self.require_matched()
        if unplayed := self._status()["unplayed"]:
            raise AssertionError(f"cassette {self.path.name}: {', '.join(unplayed)} was recorded and not asked for")

    def require_matched(self) -> None:
        """Raise an error if a request had no recorded answer; the end of the test does so, too.

        Raises:
            McpFarmError: a sentence for each such request.
        """
        if mismatches := self._status()["mismatches"]:
            raise McpFarmError("\n".join(mismatches))

    def _status(self) -> dict[str, Any]:
        connection = http.client.HTTPConnection(urlsplit(self.root).netloc, timeout=_TIMEOUT_S)
        try:
            connection.request("GET", "/cassette")
            told: dict[str, Any] = json.loads(connection.getresponse().read())
        except (OSError, http.client.HTTPException) as problem:
            raise McpFarmError(f"cassette {self.path.name} does not answer any more ({problem})") from None
        finally:
            connection.close()
        return told

    def close(self) -> None:
        """Stop serving, and raise an error if a request had no recorded answer."""
        if not self._is_closed:
            self._is_closed = True
            try:
                self.require_matched()
            finally:
                self._stop()

    def __enter__(self) -> Cassette:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_cassette(
    options: Options,
    path: str | os.PathLike[str],
    server: Server | Callable[[], Server] | None,
    *,
    mode: str | None,
    ignore: Sequence[str],
    is_model: bool = False,
) -> Cassette:
    """Return a cassette that is being served.

    Args:
        server: what is recorded, or a function that returns it, which is called only when something may be recorded.
        mode: the record mode, if the command line and the environment name none.
        ignore: dotted paths in a request that are not compared.

    Raises:
        McpFarmError: the cassette cannot be read or recorded, or no farm is installed that serves it.
    """
    file, mode = Path(path).absolute(), options.record_mode or mode or "once"
    may_record = mode in ("new_episodes", "all") or (mode == "once" and not file.exists())
    found: Server | None = None
    if may_record:
        found = server() if callable(server) else server
    address, headers = _address(found)
    served, stop = _served(options, file, address, mode, ignore, is_model)
    return Cassette(file, served, headers, stop)


def _address(server: Server | None) -> tuple[str | None, dict[str, str]]:
    if server is None or isinstance(server, str):
        return server, {}
    if not isinstance(server, Mapping) or not isinstance(server.get("url"), str):
        raise McpFarmError(f"the server of a cassette is an address or world.connection(app), not {server!r}")
    return server["url"], dict(server.get("headers") or {})


def _served(
    options: Options, file: Path, server: str | None, mode: str, ignore: Sequence[str], is_model: bool
) -> tuple[Mapping[str, str], Callable[[], None]]:
    command = _command(options)
    if command is None:
        from pytest_mcp_farm.in_process import serve_cassette

        return serve_cassette(file, server, mode, ignore, is_model=is_model)
    arguments = ["cassette", str(file), "--ephemeral", "--mode", mode, *(["--model"] if is_model else [])]
    arguments += [] if server is None else ["--server", server]
    arguments += [word for each in ignore for word in ("--ignore", each)]
    process, said = start(command, arguments, "cassette", subprocess.PIPE)
    try:
        require_fitting(said["version"], f"the cassettes of '{' '.join(command)}'")
    except McpFarmError:
        end(process)
        raise
    return said, lambda: end(process)


def _command(options: Options) -> list[str] | None:
    """Return the command that serves cassettes; None for this process."""
    if options.command:
        return command_words(options.command)
    if options.install:
        from pytest_mcp_farm.own_environment import own_farm

        return own_farm(options.install)
    if has_farm_here():
        return None
    if shutil.which("farm"):
        return ["farm"]
    raise McpFarmError(NO_CASSETTE)
