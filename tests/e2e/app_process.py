"""A real app process for tests: forked from one that has imported everything, on sockets that outlive it.

Run as ``python app_process.py APP DATA TOKEN``. Prints both ports, then one line per process: its pid when it answers
requests and its exit status when it has ended. A line on standard input starts the next one; the end of input ends all.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from farm._util.sockets import bind
from farm.content import load_app
from farm.runtime.supervisor.app_process import end_with_parent
from farm.server import control
from farm.server.serve import run

# A watcher who is not told that the process ends waits an hour for it.
control.WATCH_S_MAX = 3600.0


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def _serve(app: str, data: Path, token: str, listening: socket.socket, control: socket.socket) -> int:
    run(
        app,
        data=data,
        listening=listening,
        control_listening=control,
        control_token=token,
        on_ready=lambda *_: _say("ready", os.getpid()),
    )
    return 0


def main(app: str, data: str, token: str) -> None:
    """Fork one process after another."""
    end_with_parent(os.getppid())
    assert load_app(app).bound
    listening, control = bind("127.0.0.1", 0, "port"), bind("127.0.0.1", 0, "port")
    _say("ports", listening.getsockname()[1], control.getsockname()[1])
    starter = os.getpid()
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                end_with_parent(starter)
                sys.stdin.close()
                status = _serve(app, Path(data), token, listening, control)
            finally:
                os._exit(status)
        _, status = os.waitpid(pid, 0)
        _say("ended", os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(*sys.argv[1:])
