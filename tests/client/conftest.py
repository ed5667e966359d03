"""A farm in processes of its own, for the client without dependencies."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def address() -> Iterator[dict[str, Any]]:
    """Start a farm; return its URL and token, as the client's functions take them."""
    command = [sys.executable, "-m", "farm", "up", "--ephemeral"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        yield json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait(60) == 0
