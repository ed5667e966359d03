"""The configuration of ``farm up``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from farm._util.sizes import EXPIRED_RETENTION_S
from farm._util.sockets import is_beyond_loopback


@dataclass(frozen=True)
class Config:
    """The configuration of ``farm up``; only the farm of a run has no ``default`` episode."""

    data: Path
    apps: tuple[str, ...]
    world: str | None = None
    host: str = "127.0.0.1"
    port: int = 8700
    operator_port: int = 8701
    public_url: str | None = None
    behind_proxy: bool = False
    allowed_hosts: tuple[str, ...] = ()
    workers: int = 1
    has_default: bool = True
    episodes_max: int | None = None
    disk_max: int | None = None
    expired_retention_s: float = EXPIRED_RETENTION_S

    @property
    def quota_options(self) -> list[str]:
        """The quota options for ``farm up`` and ``farm gateway``."""
        options = {"episodes-max": self.episodes_max, "disk-max": self.disk_max}
        given = [f"--{name}={value}" for name, value in options.items() if value is not None]
        return [*given, f"--keep-expired={self.expired_retention_s:.0f}s"]

    @property
    def guards_default(self) -> bool:
        """Whether the ``default`` episode requires a bearer like any other: if other machines may reach the farm."""
        return self.behind_proxy or is_beyond_loopback(self.host, self.allowed_hosts)

    def others(self, operator_port: int) -> tuple[str, ...]:
        """Return the control API's URLs for other machines; empty behind a proxy, whose URL is not known here."""
        if self.public_url or self.behind_proxy or not is_beyond_loopback(self.host, ()):
            return ()
        names = (name for name in self.allowed_hosts if name != "*" and is_beyond_loopback("127.0.0.1", (name,)))
        return tuple(f"http://{name}:{operator_port}" for name in names)

    @property
    def nobody_else(self) -> bool:
        """Whether the farm listens for other machines but accepts no host name by which they could reach it."""
        return is_beyond_loopback(self.host, ()) and not is_beyond_loopback("127.0.0.1", self.allowed_hosts)
