"""The process that forks all others: what it tells a child reaches it, however little of it there is yet."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks its apps")

# A child that gets its first step late, as on a busy machine: when the order to end is there, or was let pass by.
LATE = """
import os, pathlib, signal, socket, sys, time
from farm.runtime.supervisor import forkserver

fork = os.fork

def late():
    pid = fork()
    until = time.monotonic() + 20
    while not pid and signal.SIGTERM not in signal.sigpending() and time.monotonic() < until:
        time.sleep(0.001)
    return pid

def live(order, started):
    pathlib.Path("lives").touch()
    return 0

os.fork, forkserver._live, forkserver._END_S_MAX = late, live, 60.0
forkserver.Starter(socket.socket(fileno=int(sys.argv[1]))).run()
"""


def test_a_child_that_is_told_to_end_before_its_first_step_takes_none(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(json.dumps({"name": "app slack", "app": {}}).encode() + b"\n")
        ours.shutdown(socket.SHUT_WR)
        command = [sys.executable, "-c", LATE, str(theirs.fileno())]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

        done = subprocess.run(
            command, cwd=tmp_path, env=environment, pass_fds=(theirs.fileno(),), timeout=120, check=False
        )

    assert done.returncode == 0
    assert not (tmp_path / "lives").exists()
