"""What the supervisor tells the gateway when it starts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Orders:
    """The farm this gateway serves.

    Attributes:
        data: the data folder.
        agents_url: where agents reach the MCP endpoints.
        operators_url: where operators reach the control API.
        world: the world of episodes that name none, or None for empty contexts.
        operator_token: what control requests must carry.
        secret: makes the tokens of episodes.
        control_token: what app processes want on their control ports.
        ports: app → port of its MCP endpoint and port of its control endpoints.
        host: where app processes are reached.
        allowed_hosts: names in Host and Origin let in beside this machine's own.
        cell: first part of every episode's id.
    """

    data: Path
    agents_url: str
    operators_url: str
    world: str | None
    operator_token: str
    secret: str
    control_token: str
    ports: Mapping[str, tuple[int, int]]
    host: str = "127.0.0.1"
    allowed_hosts: tuple[str, ...] = field(default=())
    cell: str = "c0"

    @staticmethod
    def load(raw: Mapping[str, Any]) -> Orders:
        """Read orders that came as JSON."""
        return Orders(
            data=Path(raw["data"]),
            agents_url=raw["agents_url"],
            operators_url=raw["operators_url"],
            world=raw["world"],
            operator_token=raw["operator_token"],
            secret=raw["secret"],
            control_token=raw["control_token"],
            ports={app: (each["port"], each["control_port"]) for app, each in raw["apps"].items()},
            host=raw.get("host", "127.0.0.1"),
            allowed_hosts=tuple(raw["allowed_hosts"]),
        )

    def direct_url(self, app: str) -> str:
        """Return where an app process answers without the gateway in between."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.ports[app][0]}"
