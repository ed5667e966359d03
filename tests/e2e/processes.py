"""Starts a real app process for tests; see app_process.py."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from farm.context.settings import Settings
from tests.protocol.wire import CONTENT, settings

TOKEN = "control-token"
HERE = Path(__file__).parent
LINE_S_MAX = 120.0


class AppProcess:
    """A process that serves one app; can be killed and started anew on the same ports and data."""

    def __init__(self, process: asyncio.subprocess.Process, app: str, data: Path) -> None:
        self._process = process
        self._app = app
        self.data = data
        self.pid = 0
        self.ports = (0, 0)

    async def _line(self) -> list[str]:
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), LINE_S_MAX)
        return line.decode().split()

    async def start(self) -> None:
        """Start a process and wait until it answers."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        word, *rest = await self._line()
        if word == "ports":
            self.ports = (int(rest[0]), int(rest[1]))
            word, *rest = await self._line()
        assert word == "ready"
        self.pid = int(rest[0])

    async def ended(self) -> int:
        """Wait for the process to end and return its exit status."""
        word, status = await self._line()
        assert word == "ended"
        self.pid = 0
        return int(status)

    async def kill(self, number: signal.Signals = signal.SIGKILL) -> int:
        """Send a signal to the process and return its exit status."""
        os.kill(self.pid, number)
        return await self.ended()

    def make_episode(self, episode_id: str, **options: Any) -> Settings:
        """Write an episode's settings, as the gateway does."""
        folder = self.data / "episodes" / episode_id
        folder.mkdir(parents=True)
        made = settings(episode_id, self._app, **options)
        made.save(folder)
        return made

    def url(self, episode_id: str) -> str:
        """Return an episode's URL."""
        return f"http://127.0.0.1:{self.ports[0]}/mcp/{episode_id}"


@asynccontextmanager
async def app_process(data: Path, app: str = "toy") -> AsyncIterator[AppProcess]:
    """Serve an app inside, on the data below a folder."""
    environment = {**os.environ, "FARM_CONTENT": str(CONTENT)}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(HERE / "app_process.py"), app, str(data), TOKEN),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment,
        limit=1 << 20,
    )
    served = AppProcess(process, app, data)
    try:
        await served.start()
        yield served
    finally:
        if served.pid:
            os.kill(served.pid, signal.SIGKILL)
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()
