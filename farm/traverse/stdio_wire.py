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
from farm.traverse.wire import Gone, Message, Wire, refusal_of

_LINE_BYTES_MAX = 64 * 1024 * 1024
_END_S_MAX = 5.0
_STDERR_LINES_KEPT = 20


class StdioWire(Wire):
    """A server process, and the answers it has not given yet."""

    def __init__(self, source: Source, process: asyncio.subprocess.Process) -> None:
        self._name = source.name
        self._process = process
        self.pid = process.pid
        self._waiting: dict[object, asyncio.Future[Message]] = {}
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

    async def ask(self, message: Message) -> Message:
        """Send a request and return its answer."""
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[message["id"]] = answer
        try:
            await self.tell(message)
            return await answer
        finally:
            self._waiting.pop(message["id"], None)

    async def tell(self, message: Message) -> None:
        """Send a message."""
        if self._readers[0].done():
            raise Gone(await self._end())
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            await self._process.stdin.drain()
        except OSError:
            raise Gone(await self._end()) from None

    def agree(self, protocol: str) -> None:
        """Do nothing: only HTTP repeats the revision with every message."""

    async def close(self) -> None:
        """Close stdin, as a client does that leaves, and end what does not leave by itself."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _END_S_MAX)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            async for line in self._process.stdout:
                await self._take(line)
        except ValueError:
            self._stderr.append(f"a line of more than {_LINE_BYTES_MAX} bytes")
        gone = Gone(await self._end())
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(gone)

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
            await self.tell(refused)
            return
        answer = self._waiting.get(message.get("id"))
        if answer is not None and not answer.done():
            answer.set_result(message)

    async def _drain(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(ValueError):
            async for line in self._process.stderr:
                self._stderr.append(line.decode("utf-8", "replace").rstrip())

    async def _end(self) -> str:
        """Say how the server ended, with the last line it printed."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _END_S_MAX)
            await asyncio.wait_for(asyncio.shield(self._readers[1]), _END_S_MAX)
        status = self._process.returncode
        said = next((each for each in reversed(self._stderr) if each.strip()), "")
        ended = f"{self._name} ended" if status is not None else f"{self._name} closed its output"
        shown = "" if status is None else f", status {status}" if status >= 0 else f", signal {-status}"
        return f"{ended}{shown}" + (f": {said.strip()[:300]}" if said else "")
