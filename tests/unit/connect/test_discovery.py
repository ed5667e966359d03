"""Starting the farm of a data folder."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from farm.connect import discovery
from farm.errors import FarmError

SAID = "farm: port 8700 of 127.0.0.1 cannot be used (Address already in use); choose another with --port or FARM_PORT"


def test_a_taken_port_says_what_to_set_before_a_command_that_has_no_options_for_ports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = f"import sys; print({SAID!r}, file=sys.stderr); sys.exit(1)"
    monkeypatch.setattr(discovery, "farm_command", lambda: (sys.executable, "-c", program))

    with pytest.raises(FarmError, match=r"in use\); set FARM_PORT=\d+ FARM_OPERATOR_PORT=\d+ before the command$"):
        discovery.ensure_running(tmp_path)
    with pytest.raises(FarmError, match=r"choose another with --port or FARM_PORT$"):
        discovery.ensure_running(tmp_path, "--port=8700")


def test_the_named_ports_are_free() -> None:
    agents, operators = discovery._free_ports()

    with socket.create_server(("127.0.0.1", agents)), socket.create_server(("127.0.0.1", operators)):
        assert discovery._free_ports()[0] > agents
