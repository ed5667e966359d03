"""MCP over the stdin and stdout of a server that is started for it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections import deque

from farm.errors import FarmError
from farm.traverse.source import Source
from farm.traverse.wire import Gone, Message, StreamWire, refusal_of

_LINE_BYTES_MAX = 64 * 1024 * 1024
_LEAVE_S_MAX = 2.0
_END_S_MAX = 5.0
_STDERR_LINES_KEPT = 20


class StdioWire(StreamWire):
    """A server process, and the answers it has not given yet."""

    def __init__(self, source: Source, process: asyncio.subprocess.Process) -> None:
        self._name = source.name
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
            FarmError: there is no such program, or it may not be run.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                *source.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=dict(source.environment),
                cwd=source.folder,
                limit=_LINE_BYTES_MAX,
                start_new_session=True,  # a runner such as npx has children, and all of them must end
            )
        except OSError as problem:
            name = problem.filename or source.command[0]
            raise FarmError(f"{source.name} does not start: {name}: {problem.strerror}") from None
        return cls(source, process)

    async def tell(self, message: Message) -> None:
        """Send a message."""
        if self._readers[0].done():
            raise Gone(await self._end())
        try:
            await self._write(message)
        except OSError:
            raise Gone(await self._end()) from None

    async def _write(self, message: Message) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        await self._process.stdin.drain()

    def agree(self, protocol: str) -> None:
        """Do nothing: only HTTP repeats the revision with every message."""

    async def close(self) -> None:
        """Close stdin, as a client does that leaves, then ask to end, and kill what is still there, as MCP has it."""
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
        try:
            async for line in self._process.stdout:
                await self._take(line)
        except ValueError:
            self._stderr.append(f"a line of more than {_LINE_BYTES_MAX} bytes")
        self._give_up(Gone(await self._end()))

    async def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            self.noise += bool(line.strip())
            return
        if not isinstance(message, dict):
            self.noise += 1
            return
        if refused := refusal_of(message):
            # One that asks and is gone before it hears has said its last words: its output is read to the end.
            with contextlib.suppress(OSError):
                await self._write(refused)
            return
        self._answered(message)

    async def _drain(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(ValueError):
            async for line in self._process.stderr:
                self._stderr.append(line.decode("utf-8", "replace").rstrip())

    async def _end(self) -> str:
        """Say how the server ended, with the last line it printed."""
        if await self._ends_within(_END_S_MAX):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._readers[1]), _END_S_MAX)
        status = self._process.returncode
        said = next((each for each in reversed(self._stderr) if each.strip()), "")
        ended = f"{self._name} ended" if status is not None else f"{self._name} closed its output"
        shown = "" if status is None else f", status {status}" if status >= 0 else f", signal {-status}"
        return f"{ended}{shown}" + (f": {said.strip()[:300]}" if said else "")
