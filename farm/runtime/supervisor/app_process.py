"""The life of one app process: from its configuration to its end."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from farm.errors import FarmError

# The gateway's package; the farm starts it by name and imports nothing of it.
GATEWAY = "farm._content.gateway"
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class AppProcessConfig:
    """The configuration of an app process: app, worker number, socket descriptors, data folder."""

    app: str
    listening: int
    control: int
    data: str
    control_token: str
    allowed_hosts: tuple[str, ...] = ()
    worker: int = 0

    @staticmethod
    def load(raw: dict[str, Any]) -> AppProcessConfig:
        """Parse a configuration that came as JSON."""
        return AppProcessConfig(**{**raw, "allowed_hosts": tuple(raw["allowed_hosts"])})


def end_with_parent(parent: int) -> None:
    """Ask the kernel to end this process when its parent dies (Linux); end now if it has died already."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(0)


def serve(config: AppProcessConfig, on_ready: Callable[[], None] | None = None) -> int:
    """Serve until told to end; return the exit status. ``on_ready`` is called once requests are answered."""
    from farm.server.serve import run

    try:
        run(
            config.app,
            data=Path(config.data),
            listening=socket.socket(fileno=config.listening),
            control_listening=socket.socket(fileno=config.control),
            control_token=config.control_token,
            allowed_hosts=config.allowed_hosts,
            on_ready=None if on_ready is None else lambda *_: on_ready(),
        )
    except FarmError as problem:
        print(f"farm: {config.app}: {problem}", file=sys.stderr, flush=True)  # noqa: T201
        return 1
    return 0


def _end_with_input() -> None:
    """End when the supervisor closes standard input: macOS has no signal for a parent's death.

    The event loop watches it: beside a thread, each of SQLite's many locks costs an atomic instruction.
    """
    loop, source = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        if not os.read(source, 1024):
            loop.remove_reader(source)
            os.kill(os.getpid(), signal.SIGTERM)

    loop.add_reader(source, read)


def main() -> int:
    """Serve one app by the configuration on standard input, for systems on which forking is not safe."""
    raw = orjson.loads(sys.stdin.buffer.readline() or b"null")
    if raw is None:
        return 0  # the supervisor ended before it sent the configuration
    end_with_parent(raw.pop("parent"))
    return serve(AppProcessConfig.load(raw), on_ready=_end_with_input)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)
