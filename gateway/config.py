"""What the supervisor tells the gateway when it starts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm.upkeep.sizes import EXPIRED_KEPT_S


@dataclass(frozen=True)
class GatewayConfig:
    """The farm this gateway serves.

    Attributes:
        data: the data folder.
        agents_url: where agents reach the MCP endpoints, from this machine or wherever the farm was told they are.
        operators_url: where operators reach the control API.
        world: the world of episodes that name none, or None for empty contexts.
        operator_token: what control requests must carry.
        secret: makes the tokens of episodes.
        control_token: what app processes want on their control ports.
        ports: app → for each of its workers, port of the MCP endpoint and port of the control endpoints.
        host: where app processes are reached.
        hosts: app → where it is reached instead, its control endpoints too, when it runs in a container of its own; the
            agents' port then belongs to a front that leads straight to it.
        allowed_hosts: names in Host and Origin let in beside this machine's own.
        has_default: whether it has the episode ``default``.
        guards_default: whether that wants a bearer, as every other episode does.
        episodes_max: how many episodes it takes beside ``default``; None: any number.
        disk_max: how many bytes its data folder may take before nothing new is made; None: any number.
        expired_kept_s: how long an episode stays after its ``expires_at``.
        cell: first part of every episode's id.
        has_public_url: whether that is the agents' URL for everybody, whatever name they call the farm by.
        behind_proxy: whether X-Forwarded-Proto comes from a proxy that leads to both ports.
    """

    data: Path
    agents_url: str
    operators_url: str
    world: str | None
    operator_token: str
    secret: str
    control_token: str
    ports: Mapping[str, tuple[tuple[int, int], ...]]
    host: str = "127.0.0.1"
    allowed_hosts: tuple[str, ...] = field(default=())
    has_default: bool = True
    guards_default: bool = False
    episodes_max: int | None = None
    disk_max: int | None = None
    expired_kept_s: float = EXPIRED_KEPT_S
    cell: str = "c0"
    hosts: Mapping[str, str] = field(default_factory=dict)
    has_public_url: bool = False
    behind_proxy: bool = False

    @staticmethod
    def load(raw: Mapping[str, Any]) -> GatewayConfig:
        """Read a configuration that came as JSON."""
        return GatewayConfig(
            data=Path(raw["data"]),
            agents_url=raw["agents_url"],
            operators_url=raw["operators_url"],
            world=raw["world"],
            operator_token=raw["operator_token"],
            secret=raw["secret"],
            control_token=raw["control_token"],
            ports={app: tuple((mcp, control) for mcp, control in each) for app, each in raw["ports"].items()},
            host=raw.get("host", "127.0.0.1"),
            allowed_hosts=tuple(raw["allowed_hosts"]),
            has_default=raw["has_default"],
            guards_default=raw["guards_default"],
            episodes_max=raw.get("episodes_max"),
            disk_max=raw.get("disk_max"),
            expired_kept_s=raw.get("expired_kept_s", EXPIRED_KEPT_S),
            cell=raw.get("cell", "c0"),
            hosts=raw.get("hosts", {}),
            has_public_url=raw["has_public_url"],
            behind_proxy=raw["behind_proxy"],
        )

    @property
    def workers(self) -> int:
        """How many processes each app has."""
        return max((len(each) for each in self.ports.values()), default=1)

    def host_of(self, app: str) -> str:
        """Return where an app's MCP endpoint is reached."""
        return self.hosts.get(app, self.host)

    def control_host_of(self, app: str) -> str:
        """Return where an app's control endpoints are reached."""
        return self.hosts.get(app, "127.0.0.1")


def in_url(host: str) -> str:
    """Return a host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def worker_of(episode_id: str, workers: int) -> int:
    """Return which of an app's workers has an episode: ids are ``<cell>-<worker>-<random>``.

    A farm may come back with other workers than an episode was made with; its files move to another process then.
    """
    parts = episode_id.split("-")
    return int(parts[1]) % workers if len(parts) == 3 and parts[1].isdigit() else 0
