"""The host names in a farm's URLs: the name that the client used, or the configured one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.types import Scope

from farm.server.http.asgi import header

from .config import GatewayConfig, in_url, worker_of

# A host with any port, in the forms that a URL allows unescaped.
_HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


@dataclass(frozen=True)
class Address:
    """The address by which one client reaches a farm.

    Attributes:
        agents: the beginning of every URL at the agents' port.
        host: the host of the app processes' ports.
    """

    agents: str
    host: str


class Addresses:
    """Builds the URLs in answers of the control API.

    A client on another machine may know the farm by a name that the farm does not know. That name is in the request's
    Host header, which passed the Host check, and is assumed to lead to the agents' port, too. A configured public URL
    takes precedence.
    """

    def __init__(self, config: GatewayConfig) -> None:
        self._config = config
        self._given = Address(config.agents_url, in_url(config.host))
        port = urlsplit(config.agents_url).port
        self._port = "" if port is None else f":{port}"

    def seen_by(self, scope: Scope) -> Address:
        """Return the address by which the sender of a control request reaches the farm."""
        host = _HOST.fullmatch((header(scope, b"host") or b"").decode("latin-1"))
        if self._config.has_public_url or host is None:
            return self._given
        # Each proxy in a chain may append its own value; the first is from the proxy that the client contacted.
        proto = (header(scope, b"x-forwarded-proto") or b"").decode("latin-1").partition(",")[0].strip()
        if self._config.behind_proxy and proto in ("http", "https"):
            # The proxy serves both ports under the host name that the client used.
            return Address(f"{proto}://{host[0]}", self._given.host)
        return Address(f"http://{host[1]}{self._port}", host[1])

    def urls(self, scope: Scope, episode_id: str, apps: Iterable[str]) -> dict[str, Any]:
        """Return an episode's URLs as its client sees them: for each app, for all apps, for each app process."""
        address, here = self.seen_by(scope), tuple(apps)
        return {
            "mcp": {app: f"{address.agents}/mcp/{episode_id}/{app}" for app in here},
            "mcp_all": f"{address.agents}/mcp/{episode_id}",
            "direct": {app: self._direct(address, app, episode_id) for app in here},
        }

    def _direct(self, address: Address, app: str, episode_id: str) -> str:
        """Return the URL of the process that holds an episode's context of an app, which bypasses the gateway."""
        # A companion listens on the loopback address of this process's machine only.
        if app in self._config.hosts or app in self._config.companions:
            return f"{address.agents}/mcp/{episode_id}/{app}"
        ports = self._config.ports[app]
        return f"http://{address.host}:{ports[worker_of(episode_id, len(ports))][0]}/mcp/{episode_id}"
