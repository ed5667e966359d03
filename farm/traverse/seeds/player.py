"""Play seeds against a real server and record them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from farm.errors import FarmError
from farm.traverse import capture
from farm.traverse.consent import Consent, ToolFilter
from farm.traverse.recordings.calls import Request
from farm.traverse.recordings.recording import Recording
from farm.traverse.seeds.seeds import Seeds
from farm.traverse.transport.connection import ANSWER_S_MAX, Connection, connect
from farm.traverse.transport.source import Source

Reset = Callable[[], Awaitable[None]]


class Player:
    """Makes calls one by one and records them; after a failure, it restarts the server in a new trace."""

    def __init__(
        self,
        source: Source,
        recording: Recording,
        *,
        limit_s: float = ANSWER_S_MAX,
        reset: Reset | None = None,
        may: ToolFilter | None = None,
    ) -> None:
        """Prepare to call a server.

        Args:
            limit_s: the time-out of a call, in seconds.
            reset: restores the server's own state to its start, before each start of the server.
            may: decides which of the listed tools may be called; None: all.
        """
        self._consent = Consent(source.name, may)
        self._reset = reset
        self._source, self._recording, self._limit_s = source, recording, limit_s
        self._open = AsyncExitStack()
        self._connection: Connection | None = None
        self._trace: int | None = None
        self._sessions = 0
        self.tools: Sequence[Mapping[str, Any]] = ()

    async def start(self) -> None:
        """Start or restart the server; the following calls are a new trace.

        Raises:
            FarmError: the server does not start, or the recording is of another server.
        """
        await self.end()
        if self._reset is not None:
            await self._reset()
        connection = await self._open.enter_async_context(connect(self._source))
        self._recording.require_server(connection.server.name)
        if not self.tools:
            self.tools = await connection.tools()
            said = capture.describe_server(self._source.name, connection.hello, self.tools)
            capture.write_unless_equal(self._recording.folder, said)
        self._connection, self._sessions, self._trace = connection, connection.sessions, None

    async def end(self) -> None:
        """Stop the server."""
        self._connection = None
        await self._open.aclose()

    async def call(self, request: Request) -> dict[str, Any]:
        """Make a call, record it, and return the answer in the form of ``Recorded.result``.

        Raises:
            FarmError: the server's current declaration does not permit this tool.
        """
        if self._connection is None:
            await self.start()
        connection = self._connection
        assert connection is not None
        await self._consent.require(connection, {request.tool})
        if self._trace is None or connection.sessions != self._sessions:
            self._sessions = connection.sessions
            self._trace = self._recording.begin_trace(connection.server.name, connection.server.version)
        begun = self._recording.begin(self._trace, request)
        result = await connection.call(request, limit_s=self._limit_s)
        self._recording.end(begun, result)
        if "silence" in result:
            # The server ended or is still busy; how far the call was executed is unknown.
            await self.end()
        return result


@asynccontextmanager
async def playing(
    source: Source,
    recording: Recording,
    *,
    limit_s: float = ANSWER_S_MAX,
    reset: Reset | None = None,
    may: ToolFilter | None = None,
) -> AsyncIterator[Player]:
    """Yield a player whose server is running, and stop the server at the end of the block."""
    player = Player(source, recording, limit_s=limit_s, reset=reset, may=may)
    try:
        await player.start()
        yield player
    finally:
        await player.end()


async def play(player: Player, seeds: Seeds) -> int:
    """Make the calls of each trace on its own start of the server, and return the number of calls.

    Raises:
        FarmError: the server lacks one of the tools; then no call was made.
    """
    names = {tool["name"] for tool in player.tools}
    for trace in seeds.traces:
        for seed in trace:
            if seed.request.tool not in names:
                raise FarmError(f"the server has no tool '{seed.request.tool}'; it has {', '.join(sorted(names))}")
    for number, trace in enumerate(seeds.traces):
        if number:  # the first trace uses the server that was started to list its tools
            await player.start()
        for seed in trace:
            await player.call(seed.request)
    return sum(len(trace) for trace in seeds.traces)
