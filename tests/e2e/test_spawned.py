"""App processes where the farm spawns instead of forking, as on macOS, where no kernel tells of a parent's end."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from urllib.request import urlopen

import orjson
import pytest

from farm._util.sockets import bind
from farm.runtime.supervisor.app_process import AppProcessConfig


def test_a_spawned_app_ends_when_whoever_started_it_is_gone(tmp_path: Path) -> None:
    (tmp_path / "episodes").mkdir()
    listening, control = bind("127.0.0.1", 0, "--port"), bind("127.0.0.1", 0, "--port")
    config = AppProcessConfig("slack", listening.fileno(), control.fileno(), str(tmp_path), "token")
    process = subprocess.Popen(
        [sys.executable, "-m", "farm.runtime.supervisor.app_process"],
        stdin=subprocess.PIPE,
        pass_fds=(listening.fileno(), control.fileno()),
    )
    assert process.stdin
    try:
        # We live on: what the kernel says on Linux is not what ends it here.
        process.stdin.write(orjson.dumps({**asdict(config), "parent": os.getpid()}) + b"\n")
        process.stdin.flush()

        with urlopen(f"http://127.0.0.1:{listening.getsockname()[1]}/healthz", timeout=60) as answer:
            assert answer.status == 200
        process.stdin.close()

        assert process.wait(120) == 0
    except subprocess.TimeoutExpired:
        pytest.fail("it lives on")
    finally:
        process.stdin.close()
        process.kill()
        process.wait()
        listening.close()
        control.close()
