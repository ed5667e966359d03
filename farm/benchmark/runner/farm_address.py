"""The farm of a run: one that runs elsewhere, or a private one of the run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import orjson

from farm._util import temp_folders
from farm.benchmark.agents.base import InfrastructureError
from farm.client import FarmClient, McpCaller, mcp_tools
from farm.context.changes import Changes
from farm.context.trace import Call
from farm.errors import FarmError, UnavailableError

_END_S_MAX = 15.0
# An interrupted run should end quickly.
_BROKEN_OFF_S_MAX = 0.3


@dataclass(frozen=True)
class FarmAddress:
    """The address of a farm's control API, and its token."""

    url: str
    token: str

    def client(self) -> FarmClient:
        """Return a client of the calling thread."""
        return FarmClient(self.url, self.token)


def require_farms(addresses: Sequence[FarmAddress]) -> None:
    """Check that every farm answers.

    Raises:
        FarmError: one does not.
    """
    for address in addresses:
        with closing(address.client()) as client:
            client.episodes()


class WireSession:
    """One episode of a running farm."""

    def __init__(self, client: FarmClient, made: Mapping[str, Any]) -> None:
        self._client = client
        self._caller = McpCaller()
        self.id: str = made["id"]
        self.now: str = made["now"]
        self.token: str | None = made["token"]
        self.urls: Mapping[str, str] = made["mcp"]

    @property
    def apps(self) -> Sequence[str]:
        """The apps that it has."""
        return tuple(self.urls)

    def tools(self, app: str) -> list[dict[str, Any]]:
        """Return the app's tools as ``tools/list`` answers."""
        try:
            return mcp_tools(self.urls[app], self.token)
        except FarmError as problem:
            raise InfrastructureError(f"the episode's MCP servers did not answer: {problem}") from problem

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call one tool over MCP and return its CallToolResult, or ``{"error": …}``."""
        if app not in self.urls:
            have = ", ".join(self.urls)
            return {"error": {"code": -32602, "message": f"episode has no app '{app}'; it has {have}"}}
        try:
            return self._caller.call(self.urls[app], tool, arguments, self.token)
        except FarmError as problem:
            raise InfrastructureError(str(problem)) from problem

    def changes(self) -> Changes:
        """Return the changes since the start, including reverted ones."""
        return self._client.changes(self.id)

    def calls(self) -> list[Call]:
        """Return the trace."""
        return self._client.calls(self.id)

    def move_clock(self, **move: Any) -> list[dict[str, Any]]:
        """Move the simulated time and return what came, each with a ``notice`` if the person is notified of it."""
        try:
            return list(self._client.set_clock(self.id, **move)["came"])
        except UnavailableError as problem:
            raise InfrastructureError(str(problem)) from problem

    def over_limit(self) -> int:
        """Return the number of calls that the farm refused as over the limit."""
        return int(self._client.episode(self.id)["over_limit"])

    def fork(self) -> WireSession:
        """Return an independent copy of the episode."""
        return WireSession(self._client, self._client.fork(self.id)[0])

    def close(self) -> None:
        """Drop the episode."""
        self._caller.close()
        self._client.drop(self.id)


def open_session(client: FarmClient, **options: Any) -> WireSession:
    """Create an episode; ``options`` are those of ``FarmClient.create``, and None values are omitted.

    Raises:
        InfrastructureError: the farm does not answer or refuses.
    """
    try:
        return WireSession(
            client, client.create(**{name: value for name, value in options.items() if value is not None})
        )
    except FarmError as problem:
        raise InfrastructureError(str(problem)) from problem


@contextmanager
def own_farm(apps: Sequence[str]) -> Iterator[FarmAddress]:
    """Start a farm on free ports and temporary data, and end it afterwards. Its token is on no disk.

    Raises:
        FarmError: the farm does not start; the message is the farm's.
    """
    with temp_folders.scratch("farm-run-") as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "farm.benchmark.runner.child_farm"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, temp_folders.VARIABLE: str(folder)},
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        end_s_max = _BROKEN_OFF_S_MAX
        try:
            config = {"data": str(folder / "data"), "apps": list(apps)}
            with suppress(BrokenPipeError):  # it has ended already with a message
                process.stdin.write(orjson.dumps(config) + b"\n")
                process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                raise FarmError(
                    f"the run's own farm did not start (status {process.wait()}); see what it printed above"
                )
            ready = orjson.loads(line)
            yield FarmAddress(ready["url"], ready["token"])
            end_s_max = _END_S_MAX
        finally:
            # The farm ends when this pipe closes, also if this process is killed. The data of one that ends too slowly
            # is removed with the folder.
            with suppress(BrokenPipeError):  # buffered input that it did not read in time
                process.stdin.close()
            try:
                process.wait(end_s_max)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()
