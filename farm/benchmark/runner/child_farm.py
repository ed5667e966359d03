"""A farm that runs until its standard input closes; runs and tests start it as a child process."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

import orjson

from farm._util.bounded_log import log_to_stderr
from farm._util.sockets import keep_private
from farm.errors import FarmError
from farm.runtime.supervisor.config import Config
from farm.runtime.supervisor.state import FarmState
from farm.runtime.supervisor.supervisor import Supervisor


def _say_ready(state: FarmState) -> None:
    """Print the farm's address. The token goes only through the pipe, so that no agent finds it on the disk."""
    path = Path(state.token_file)
    token = path.read_text("ascii").strip()
    path.unlink()
    sys.stdout.write(orjson.dumps({"url": state.operators_url, "token": token}).decode() + "\n")
    sys.stdout.flush()


async def _run(supervisor: Supervisor) -> None:
    loop, descriptor = asyncio.get_running_loop(), sys.stdin.fileno()

    def until_parent_is_gone() -> None:
        while os.read(descriptor, 4096):
            pass
        with suppress(RuntimeError):  # the loop is closed: it has ended by itself
            loop.call_soon_threadsafe(supervisor.end)

    # A daemon thread, so that the process can end before its parent does.
    threading.Thread(target=until_parent_is_gone, name="parent", daemon=True).start()
    await supervisor.run(_say_ready)


def run(data: Path, apps: tuple[str, ...]) -> None:
    """Run a farm on free ports until standard input ends; the first printed line has its address.

    Raises:
        FarmError: it cannot start.
    """
    log_to_stderr("farm: %(message)s", logging.ERROR)
    keep_private()
    # An agent must find only its own episode, and above all no episode without a token.
    asyncio.run(_run(Supervisor(Config(data, apps, port=0, operator_port=0, has_default=False))))


def main() -> None:
    """Run the farm that the first line of stdin describes."""
    config = orjson.loads(sys.stdin.readline())
    try:
        run(Path(config["data"]), tuple(config["apps"]))
    except FarmError as problem:
        sys.stderr.write(f"farm: {problem}\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
