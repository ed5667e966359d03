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

# A child that gets its first step late, as on a busy machine; the order to end is there by then.
LATE = """
import os, pathlib, socket, sys, time
from farm.supervisor import forkserver

fork = os.fork

def late():
    pid = fork()
    if not pid:
        time.sleep(0.2)
    return pid

def live(order, started):
    pathlib.Path("lives").touch()
    return 0

os.fork, forkserver._live = late, live
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
            command, cwd=tmp_path, env=environment, pass_fds=(theirs.fileno(),), timeout=60, check=False
        )

    assert done.returncode == 0
    assert not (tmp_path / "lives").exists()
