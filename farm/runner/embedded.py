"""A farm for as long as standard input is open: of one run, whose program starts it, and of tests that use it."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

import orjson

from farm.errors import FarmError
from farm.sockets import keep_private
from farm.supervisor.farm import Config, Supervisor
from farm.supervisor.state import FarmState


def _say_ready(state: FarmState) -> None:
    """Print where the farm is. The token goes through the pipe only: an agent must not find it on the disk."""
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

    # A thread that nobody waits for: what ends before its parent does must not wait for that.
    threading.Thread(target=until_parent_is_gone, name="parent", daemon=True).start()
    await supervisor.run(_say_ready)


def run(data: Path, apps: tuple[str, ...]) -> None:
    """Run a farm on free ports until standard input ends; the first line it prints says where it is.

    Raises:
        FarmError: it cannot start.
    """
    logging.basicConfig(level=logging.ERROR, format="farm: %(message)s")
    keep_private()
    # An agent must find no episode here but its own, least of all one that needs no token.
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
