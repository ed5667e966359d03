"""The configuration that the supervisor sends the gateway at start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm._util.sizes import EXPIRED_RETENTION_S


@dataclass(frozen=True)
class GatewayConfig:
    """The farm that this gateway serves.

    Attributes:
        data: the data folder.
        agents_url: URL of the MCP endpoints for agents: local, or the configured public one.
        operators_url: URL of the control API for operators.
        world: the world of episodes that name none, or None for empty contexts.
        operator_token: the token that control requests must carry.
        secret: the key from which the episodes' tokens are derived.
        control_token: the token that app processes require on their control ports.
        ports: app → for each of its workers, port of the MCP endpoint and port of the control endpoints.
        host: the host of the app processes.
            hosts: app → its own host, for its control endpoints too, when it runs in a container of its own; the
                agents' port then belongs to a front that routes directly to it.
        allowed_hosts: names accepted in Host and Origin besides this machine's own.
        has_default: whether the farm has the episode ``default``.
        guards_default: whether ``default`` requires a bearer, as every other episode does.
        episodes_max: maximum number of episodes besides ``default``; None: no limit.
        disk_max: maximum size of the data folder in bytes, above which nothing new is made; None: no limit.
        expired_retention_s: seconds for which an episode is kept after its ``expires_at``.
        cell: first part of every episode's id.
        has_public_url: whether ``agents_url`` is used for every client, whatever host name it used.
        behind_proxy: whether X-Forwarded-Proto is set by a proxy that serves both ports.
        companions: those of ``ports`` that are the farm's own servers in this process: an episode has them if it names
            them.
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
    expired_retention_s: float = EXPIRED_RETENTION_S
    cell: str = "c0"
    hosts: Mapping[str, str] = field(default_factory=dict)
    has_public_url: bool = False
    behind_proxy: bool = False
    companions: tuple[str, ...] = ()

    @staticmethod
    def load(raw: Mapping[str, Any]) -> GatewayConfig:
        """Parse a configuration that came as JSON."""
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
            expired_retention_s=raw.get("expired_retention_s", EXPIRED_RETENTION_S),
            cell=raw.get("cell", "c0"),
            hosts=raw.get("hosts", {}),
            has_public_url=raw["has_public_url"],
            behind_proxy=raw["behind_proxy"],
        )

    @property
    def workers(self) -> int:
        """The number of processes of each app."""
        return max((len(each) for each in self.ports.values()), default=1)

    def host_of(self, app: str) -> str:
        """Return the host of an app's MCP endpoint."""
        return self.hosts.get(app, "127.0.0.1" if app in self.companions else self.host)

    def control_host_of(self, app: str) -> str:
        """Return the host of an app's control endpoints."""
        return self.hosts.get(app, "127.0.0.1")


def in_url(host: str) -> str:
    """Return a host in its form for URLs."""
    return f"[{host}]" if ":" in host else host


def worker_of(episode_id: str, workers: int) -> int:
    """Return the number of the worker that has an episode: ids are ``<cell>-<worker>-<random>``.

    If a farm restarts with another number of workers, an episode's files may move to another process.
    """
    parts = episode_id.split("-")
    return int(parts[1]) % workers if len(parts) == 3 and parts[1].isdigit() else 0
