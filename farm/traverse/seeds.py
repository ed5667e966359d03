"""Seeds: calls that are meant to succeed, played against a real server into a recording."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farm.errors import FarmError
from farm.traverse import capture
from farm.traverse.calls import Request
from farm.traverse.connection import ANSWER_S_MAX, Connection, connect
from farm.traverse.recording import Recording
from farm.traverse.source import Source


@dataclass(frozen=True)
class Seed:
    """A call to make.

    Attributes:
        line: where it stands in its file.
        trace: seeds of one trace meet one start of the server.
    """

    line: int
    request: Request
    trace: Any = None


def read_seeds(file: Path) -> list[Seed]:
    """Return the seeds of a file: ``{"tool", "arguments"}`` in each line, and ``trace`` where the server starts anew.

    Raises:
        FarmError: it cannot be read, or a line is no seed; the message names the line.
    """
    try:
        raw = file.expanduser().read_bytes()
    except OSError as problem:
        raise FarmError(f"{file} cannot be read ({problem.strerror})") from None
    seeds = [_seed(line, number, file) for number, line in enumerate(raw.splitlines(), 1) if line.strip()]
    if not seeds:
        raise FarmError(f'{file} holds no seed; one is a line such as {{"tool": "read_graph", "arguments": {{}}}}')
    return seeds


def _seed(line: bytes, number: int, file: Path) -> Seed:
    try:
        said = json.loads(line)
    except ValueError as problem:
        raise FarmError(f"{file}, line {number} is not JSON: {problem}") from None
    if not isinstance(said, dict) or not isinstance(said.get("tool"), str):
        raise FarmError(f"{file}, line {number} is no seed; one has at least 'tool', and 'arguments'")
    omits = bool(said.get("arguments_omitted", False))
    return Seed(number, Request(said["tool"], said.get("arguments", {}), omits), said.get("trace"))


class Player:
    """Makes calls one after the other and records them; a server that broke is started anew, in a new trace."""

    def __init__(self, source: Source, recording: Recording, *, limit_s: float = ANSWER_S_MAX) -> None:
        """Make calls of a server.

        Args:
            limit_s: how long an answer is waited for.
        """
        self._source, self._recording, self._limit_s = source, recording, limit_s
        self._open = AsyncExitStack()
        self._connection: Connection | None = None
        self._trace: int | None = None
        self._sessions = 0
        self.tools: Sequence[Mapping[str, Any]] = ()

    async def start(self) -> None:
        """Start the server, anew where it runs; what is called from here on is a new trace.

        Raises:
            FarmError: it does not start, or the recording is another server's.
        """
        await self.end()
        connection = await self._open.enter_async_context(connect(self._source))
        self._recording.require_server(connection.server.name)
        if not self.tools:
            self.tools = await connection.tools()
            if not (self._recording.folder / capture.FILE).exists():
                said = capture.described(self._source.name, connection.hello, self.tools)
                capture.write(self._recording.folder, said)
        self._connection, self._sessions, self._trace = connection, connection.sessions, None

    async def end(self) -> None:
        """End the server."""
        self._connection = None
        await self._open.aclose()

    async def call(self, request: Request) -> dict[str, Any]:
        """Make a call, record it, and return the answer as ``Recorded.result`` says it."""
        if self._connection is None:
            await self.start()
        connection = self._connection
        assert connection is not None
        if self._trace is None or connection.sessions != self._sessions:
            self._sessions = connection.sessions
            self._trace = self._recording.begin_trace(connection.server.name, connection.server.version)
        begun = self._recording.begin(self._trace, request)
        result = await connection.call(request, limit_s=self._limit_s)
        self._recording.end(begun, result)
        if "silence" in result:
            # It ended, or is still busy; what it has done of the call nobody knows.
            await self.end()
        return result


@asynccontextmanager
async def playing(source: Source, recording: Recording, *, limit_s: float = ANSWER_S_MAX) -> AsyncIterator[Player]:
    """Give a player whose server has started, and end it with the block."""
    player = Player(source, recording, limit_s=limit_s)
    try:
        await player.start()
        yield player
    finally:
        await player.end()


async def play(player: Player, seeds: Iterable[Seed], file: Path) -> int:
    """Make the calls of a file in their order, and return how many there were.

    Raises:
        FarmError: the server has no such tool; the message names the line.
    """
    seeds = list(seeds)
    names = {tool["name"] for tool in player.tools}
    for seed in seeds:
        if seed.request.tool not in names:
            have = ", ".join(sorted(names)[:12])
            raise FarmError(f"{file}, line {seed.line}: the server has no tool '{seed.request.tool}'; it has {have}")
    last = seeds[0].trace
    for seed in seeds:
        if seed.trace != last:
            await player.start()
            last = seed.trace
        await player.call(seed.request)
    return len(seeds)
