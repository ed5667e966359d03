"""Run mcp-discord in front of the stand-in for Discord of `tests/upstream`, from a start of its own each time.

    python stand_in.py PYTHON mcp-discord/src/discord_mcp/server.py

PYTHON has the server's libraries. The server is the real one; what it asks of Discord is answered on loopback by the
rows of the farm's own Discord, so a recording shows what the server does with calls and answers. It needs a checkout.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(CHECKOUT))

from farm.testing import LocalApp  # noqa: E402 - the checkout is found first
from tests.apps.discord.conftest import rows  # noqa: E402
from tests.upstream.discord.backend import backend  # noqa: E402
from tests.upstream.real import stand_in  # noqa: E402

LAUNCH = CHECKOUT / "tests/upstream/discord/launch.py"


def main(python: str, server: str) -> int:
    """Run the server until its client leaves, and return its status."""
    now = datetime(2026, 3, 9, 1, tzinfo=UTC)
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalApp("discord", folder, rows=rows(), me="ada") as app,
        stand_in(backend(app, now)) as url,
    ):
        environment = {**os.environ, "STAND_IN": url, "DISCORD_TOKEN": "none", "NO_PROXY": "127.0.0.1"}
        return subprocess.run([python, str(LAUNCH), server], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
