"""The containers of a farm: their commands, their ports, and their limits.

One cell is a gateway and one container per app over one data folder; a front routes agents to the apps of one or
several cells. All writers of an engine's files, and the Docker launcher, take the commands from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

AGENTS_PORT = 8700
OPERATORS_PORT = 8701
CONTROL_PORT = 8702
DATA = "/data"
CELL = "c0"
CONTROL_TOKEN = "control.token"
USER_ID = 10001

# Limits of a container. An app's process needs about 100 MiB.
APP_MEMORY = "512m"
GATEWAY_MEMORY = "1g"
PROCESSES_MAX = 64

GATEWAY = "gateway"
FRONT = "front"
IMAGE = "mcp-farm"
FRONT_IMAGE = "mcp-farm-front"


@dataclass(frozen=True)
class ContainerAddress:
    """The address of a process."""

    host: str
    port: int = AGENTS_PORT
    control_port: int = CONTROL_PORT

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True)
class Cell:
    """One cell as its front sees it.

    Attributes:
        name: first part of the ids of its episodes.
        gateway: address of its gateway.
        apps: app → its address.
    """

    name: str
    gateway: ContainerAddress
    apps: tuple[tuple[str, ContainerAddress], ...]


def one_cell(apps: Sequence[str]) -> Cell:
    """Return the cell whose apps are separate containers, each reached by its name."""
    return Cell(CELL, ContainerAddress(GATEWAY), tuple((app, ContainerAddress(app)) for app in apps))


def serve_command(app: str, place: ContainerAddress, *, control_host: str = "0.0.0.0") -> list[str]:
    """Return the command of an app's container."""
    return [
        "farm",
        "serve",
        app,
        "--member",
        f"--data={DATA}",
        "--host=0.0.0.0",
        f"--port={place.port}",
        f"--control-host={control_host}",
        f"--control-port={place.control_port}",
        f"--control-token-file={CONTROL_TOKEN}",
        f"--allow-host={place.host}",
    ]


def gateway_command(apps: Sequence[tuple[str, ContainerAddress]]) -> list[str]:
    """Return the command of the gateway's container."""
    reached = [f"--app={app}={place}:{place.control_port}" for app, place in apps]
    return ["farm", "gateway", f"--data={DATA}", *reached]


def front_command(cells: Sequence[Cell]) -> list[str]:
    """Return the command of the front's container."""
    command = ["farm", "front"]
    for cell in cells:
        command.append(f"--cell={cell.name}={cell.gateway}")
        command += [f"--app={cell.name}/{app}={place}" for app, place in cell.apps]
    return command
