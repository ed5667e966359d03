"""Finds the farm of a data folder, and starts one if none runs."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from farm.errors import FarmError
from farm.runtime.supervisor.state import FarmState, is_locked

START_S_MAX = 90.0
_OTHER_PORTS = 8790


def farm_command() -> tuple[str, ...]:
    """Return program and first arguments of the running ``farm`` command, with absolute paths."""
    for name in ("farm", "farm.exe"):
        script = Path(sys.executable).with_name(name)
        if script.is_file():
            return (str(script),)
    return (sys.executable, "-m", "farm")


def ensure_running(data: Path, *options: str) -> FarmState:
    """Return the farm on this data folder; start it detached, with every app, if none runs.

    A desktop client starts all its bridges at once: one of them starts the farm, the others wait for it.

    Args:
        options: further options of ``farm up`` for a farm that is started.

    Raises:
        FarmError: the farm did not start; the message contains its last output.
    """
    data = data.expanduser().absolute()
    found = FarmState.load(data)
    if found is not None:
        return found
    # Its output must not reach our stdout, which carries the protocol.
    command = [*farm_command(), "up", "--detach", "--data", str(data), *options]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, said = process.communicate(timeout=START_S_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise FarmError(f"the farm did not get ready in {START_S_MAX:.0f} s; see {data / 'farm.log'}") from None
    until = time.monotonic() + START_S_MAX
    while (found := FarmState.load(data)) is None:
        # The folder is not locked, so no other farm is starting, and our farm's output is the reason.
        if not is_locked(data) or time.monotonic() >= until:
            last = said.decode("utf-8", "replace").strip().rpartition("\n")[2].removeprefix("farm: ")
            if not options and "FARM_" in last:
                # Our caller has no options for ports, and a farm needs two: both are named, so that one more try does.
                agents, operators = _free_ports()
                way_out = f"set FARM_PORT={agents} FARM_OPERATOR_PORT={operators} before the command"
                raise FarmError(f"{last.partition('; ')[0]}; {way_out}")
            raise FarmError(last or f"the farm could not be started; see {data / 'farm.log'}")
        time.sleep(0.05)
    return found


def _free_ports() -> tuple[int, int]:
    """Return two free neighbouring ports of this machine, from 8790; those if none are free."""
    for port in range(_OTHER_PORTS, _OTHER_PORTS + 1000, 10):
        with (
            suppress(OSError),
            socket.create_server(("127.0.0.1", port)),
            socket.create_server(("127.0.0.1", port + 1)),
        ):
            return port, port + 1
    return _OTHER_PORTS, _OTHER_PORTS + 1
