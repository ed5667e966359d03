"""The farm a run plays on: one that runs elsewhere, or one of the run's own that nobody else can reach."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import orjson

from farm import scratch
from farm.agents.base import Infrastructure
from farm.changes import Changes
from farm.client import FarmClient, McpCaller
from farm.errors import FarmError
from farm.trace import Call

_END_S_MAX = 15.0
# Whoever broke a run off is waiting for its end.
_BROKEN_OFF_S_MAX = 0.3


@dataclass(frozen=True)
class FarmAddress:
    """Where a farm's control API is, and the token it wants."""

    url: str
    token: str

    def client(self) -> FarmClient:
        """Return a client; it belongs to the thread that asked for it."""
        return FarmClient(self.url, self.token)


class WireSession:
    """One episode of a running farm."""

    def __init__(self, client: FarmClient, made: Mapping[str, Any]) -> None:
        self._client = client
        self._caller = McpCaller()
        self.id: str = made["id"]
        self.now: str = made["now"]
        self.token: str | None = made["token"]
        self.urls: Mapping[str, str] = made["mcp"]

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call one tool over MCP and return its CallToolResult, or ``{"error": …}``."""
        if app not in self.urls:
            have = ", ".join(self.urls)
            return {"error": {"code": -32602, "message": f"episode has no app '{app}'; it has {have}"}}
        try:
            return self._caller.call(self.urls[app], tool, arguments, self.token)
        except FarmError as problem:
            raise Infrastructure(str(problem)) from problem

    def changes(self) -> Changes:
        """Return what changed since the start, and what was done and undone."""
        return self._client.changes(self.id)

    def calls(self) -> list[Call]:
        """Return the trace."""
        return self._client.calls(self.id)

    def over_limit(self) -> int:
        """Return how many calls the farm has refused as over the limit."""
        return int(self._client.episode(self.id)["over_limit"])

    def close(self) -> None:
        """Drop the episode."""
        self._caller.close()
        self._client.drop(self.id)


def open_session(client: FarmClient, **options: Any) -> WireSession:
    """Create an episode; ``options`` are ``FarmClient.create``'s, those that are None left out.

    Raises:
        Infrastructure: the farm does not answer or refuses.
    """
    try:
        return WireSession(
            client, client.create(**{name: value for name, value in options.items() if value is not None})
        )
    except FarmError as problem:
        raise Infrastructure(str(problem)) from problem


@contextmanager
def own_farm(apps: Sequence[str]) -> Iterator[FarmAddress]:
    """Start a farm on free ports and temporary data, and end it afterwards. Its token is on no disk.

    Raises:
        FarmError: it does not start; the message is its own.
    """
    with scratch.scratch("farm-run-") as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "farm.runner.embedded"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, scratch.VARIABLE: str(folder)},
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        end_s_max = _BROKEN_OFF_S_MAX
        try:
            config = {"data": str(folder / "data"), "apps": list(apps)}
            with suppress(BrokenPipeError):  # it has ended already, and said why
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
            # The farm ends when this pipe closes, also when we are killed. What is too slow goes with the folder.
            with suppress(BrokenPipeError):  # what it was not told in time
                process.stdin.close()
            try:
                process.wait(end_s_max)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()
