"""MCP over the stdin and stdout of a server process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections import deque

from farm.errors import FarmError
from farm.traverse.transport.bounds import PIECE_BYTES, Bounds
from farm.traverse.transport.source import Source
from farm.traverse.transport.wire import ConnectionGoneError, Message, StreamWire, refusal_of

_LEAVE_S_MAX = 2.0
_END_S_MAX = 5.0
_STDERR_LINES_KEPT = 20
_STDERR_LINE_MAX = 1_000


class StdioWire(StreamWire):
    """A server process, with the requests that it has not answered yet."""

    def __init__(self, source: Source, process: asyncio.subprocess.Process) -> None:
        self._name = source.name
        self._bounds = Bounds(source.name, source.body_max)
        self._unreadable: ConnectionGoneError | None = None  # why its output is no longer read
        self._process = process
        self.pid = process.pid
        super().__init__()
        self._stderr: deque[str] = deque(maxlen=_STDERR_LINES_KEPT)
        self.noise = 0
        self._readers = [asyncio.create_task(self._read()), asyncio.create_task(self._drain())]

    @classmethod
    async def start(cls, source: Source) -> StdioWire:
        """Start the program.

        Raises:
            FarmError: the program does not exist, or is not executable.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                *source.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=dict(source.environment),
                cwd=source.folder,
                limit=PIECE_BYTES,
                start_new_session=True,  # a runner such as npx has children, and all of them must end
            )
        except OSError as problem:
            name = problem.filename or source.command[0]
            raise FarmError(f"{source.name} does not start: {name}: {problem.strerror}") from None
        return cls(source, process)

    async def tell(self, message: Message) -> None:
        """Send a message."""
        if self._readers[0].done():
            raise self._unreadable or ConnectionGoneError(await self._end())
        try:
            await self._write(message)
        except OSError:
            raise ConnectionGoneError(await self._end()) from None

    async def _write(self, message: Message) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        await self._process.stdin.drain()

    def agree(self, protocol: str) -> None:
        """Do nothing: only HTTP repeats the revision with every message."""

    async def close(self) -> None:
        """Close stdin as a leaving client does, then terminate and finally kill the process, as MCP specifies."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        if not await self._ends_within(_LEAVE_S_MAX):
            self._signal(signal.SIGTERM)
            await self._ends_within(_END_S_MAX)
        self._signal(signal.SIGKILL)
        await self._process.wait()
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)

    async def _ends_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._process.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        line = bytearray()
        try:
            while data := await self._process.stdout.read(PIECE_BYTES):
                *ended, rest = data.split(b"\n")
                for each in ended:
                    await self._take(bytes(line) + each)
                    line.clear()
                line += rest
                if len(line) > self._bounds.body_max:
                    raise self._bounds.too_long("a line")
            await self._take(bytes(line))
        except ConnectionGoneError as gone:
            self._unreadable = gone
            # With no reader left, the server must notice; asyncio waits for a process until its output is closed.
            self._process._transport.get_pipe_transport(1).close()  # type: ignore[attr-defined]
        self._give_up(self._unreadable or ConnectionGoneError(await self._end()))

    async def _take(self, line: bytes) -> None:
        self.received += len(line)
        try:
            message = self._bounds.parse(line)
        except ValueError:
            self.noise += bool(line.strip())
            return
        if not isinstance(message, dict):
            self.noise += 1
            return
        if refused := refusal_of(message):
            # A server may send a request and end before it reads our rejection; its output is still read to the end.
            with contextlib.suppress(OSError):
                await self._write(refused)
            return
        self._answered(message)

    async def _drain(self) -> None:
        assert self._process.stderr is not None
        line = b""
        while data := await self._process.stderr.read(PIECE_BYTES):
            *ended, line = (line + data).split(b"\n")
            self._stderr.extend(_line_of(each) for each in ended)
            line = line[-_STDERR_LINE_MAX:]
        if line:
            self._stderr.append(_line_of(line))

    async def _end(self) -> str:
        """Return how the server ended, with the last line it printed."""
        if await self._ends_within(_END_S_MAX):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._readers[1]), _END_S_MAX)
        status = self._process.returncode
        said = next((each for each in reversed(self._stderr) if each.strip()), "")
        ended = f"{self._name} ended" if status is not None else f"{self._name} closed its output"
        shown = "" if status is None else f", status {status}" if status >= 0 else f", signal {-status}"
        return f"{ended}{shown}" + (f": {said.strip()[:300]}" if said else "")


def _line_of(raw: bytes) -> str:
    return raw[-_STDERR_LINE_MAX:].decode("utf-8", "replace").rstrip()
