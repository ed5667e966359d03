"""Imports an episode again and again for a test, each time in a process that is killed at the step it is told."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from farm import content
from farm.client import FarmClient
from farm.runtime.maintenance.export_import import import_episode
from tests.kill_steps import killed_at


def main(operators_url: str, token: str, data: Path, source: str) -> None:
    """Read the number of a step a line, import, and answer with how the process ended."""
    os.umask(0o077)
    content.load_app("slack")
    for line in sys.stdin:
        child = os.fork()
        if not child:
            with killed_at(int(line), data, lambda: os.kill(os.getpid(), signal.SIGKILL)):
                import_episode(FarmClient(operators_url, token), data, source)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4])
