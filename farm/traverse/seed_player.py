"""Seeds played against a real server into a recording."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from farm.errors import FarmError
from farm.traverse import capture
from farm.traverse.calls import Request
from farm.traverse.connection import ANSWER_S_MAX, Connection, connect
from farm.traverse.provoke.consent import Consent, May
from farm.traverse.recording import Recording
from farm.traverse.seeds import Seeds
from farm.traverse.source import Source

Reset = Callable[[], Awaitable[None]]


class Player:
    """Makes calls one after the other and records them; a server that broke is started anew, in a new trace."""

    def __init__(
        self,
        source: Source,
        recording: Recording,
        *,
        limit_s: float = ANSWER_S_MAX,
        reset: Reset | None = None,
        may: May | None = None,
    ) -> None:
        """Make calls of a server.

        Args:
            limit_s: how long an answer is waited for.
            reset: brings what the server keeps back to its start, before each start of it.
            may: which of the tools that the server lists may be called; None: all.
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
        """Start the server, anew where it runs; what is called from here on is a new trace.

        Raises:
            FarmError: it does not start, or the recording is another server's.
        """
        await self.end()
        if self._reset is not None:
            await self._reset()
        connection = await self._open.enter_async_context(connect(self._source))
        self._recording.require_server(connection.server.name)
        if not self.tools:
            self.tools = await connection.tools()
            said = capture.described(self._source.name, connection.hello, self.tools)
            capture.keep(self._recording.folder, said)
        self._connection, self._sessions, self._trace = connection, connection.sessions, None

    async def end(self) -> None:
        """End the server."""
        self._connection = None
        await self._open.aclose()

    async def call(self, request: Request) -> dict[str, Any]:
        """Make a call, record it, and return the answer as ``Recorded.result`` says it.

        Raises:
            FarmError: the tool may not be called, as the server declares it now.
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
            # It ended, or is still busy; what it has done of the call nobody knows.
            await self.end()
        return result


@asynccontextmanager
async def playing(
    source: Source,
    recording: Recording,
    *,
    limit_s: float = ANSWER_S_MAX,
    reset: Reset | None = None,
    may: May | None = None,
) -> AsyncIterator[Player]:
    """Give a player whose server has started, and end it with the block."""
    player = Player(source, recording, limit_s=limit_s, reset=reset, may=may)
    try:
        await player.start()
        yield player
    finally:
        await player.end()


async def play(player: Player, seeds: Seeds) -> int:
    """Make the calls of each trace on a start of its own, and return how many there were.

    Raises:
        FarmError: the server has no such tool; nothing was called then.
    """
    names = {tool["name"] for tool in player.tools}
    for trace in seeds.traces:
        for seed in trace:
            if seed.request.tool not in names:
                raise FarmError(f"the server has no tool '{seed.request.tool}'; it has {', '.join(sorted(names))}")
    for number, trace in enumerate(seeds.traces):
        if number:  # the first meets the server that was started to learn its tools
            await player.start()
        for seed in trace:
            await player.call(seed.request)
    return sum(len(trace) for trace in seeds.traces)
