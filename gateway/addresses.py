"""Under which names a farm tells its URLs: the one its caller used, or the one it was given."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.types import Scope

from farm.server.asgi import header

from .config import GatewayConfig, in_url, worker_of

# A host with any port, in the forms that stand in a URL as they are.
_HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


@dataclass(frozen=True)
class Address:
    """Where one caller reaches a farm.

    Attributes:
        agents: the beginning of every URL at the agents' port.
        host: where the ports of app processes are.
    """

    agents: str
    host: str


class Addresses:
    """Makes the URLs in answers of the control API.

    Whoever asks from another machine knows the farm by a name that the farm need not know: it stands in the request's
    Host, which was let in, and leads to the agents' port as well. A URL the farm was given goes before all.
    """

    def __init__(self, config: GatewayConfig) -> None:
        self._config = config
        self._given = Address(config.agents_url, in_url(config.host))
        port = urlsplit(config.agents_url).port
        self._port = "" if port is None else f":{port}"

    def seen_by(self, scope: Scope) -> Address:
        """Return where the sender of a request to the control API reaches the farm."""
        host = _HOST.fullmatch((header(scope, b"host") or b"").decode("latin-1"))
        if self._config.has_public_url or host is None:
            return self._given
        # Each proxy of a row may add its own; the first is the one that the caller spoke to.
        proto = (header(scope, b"x-forwarded-proto") or b"").decode("latin-1").partition(",")[0].strip()
        if self._config.behind_proxy and proto in ("http", "https"):
            # The proxy leads to both ports under one name, the one it was called by.
            return Address(f"{proto}://{host[0]}", self._given.host)
        return Address(f"http://{host[1]}{self._port}", host[1])

    def urls(self, scope: Scope, episode_id: str, apps: Iterable[str]) -> dict[str, Any]:
        """Return where the sender of a request reaches an episode: each app, all in one, and each app's own process."""
        address, here = self.seen_by(scope), tuple(apps)
        return {
            "mcp": {app: f"{address.agents}/mcp/{episode_id}/{app}" for app in here},
            "mcp_all": f"{address.agents}/mcp/{episode_id}",
            "direct": {app: self._direct(address, app, episode_id) for app in here},
        }

    def _direct(self, address: Address, app: str, episode_id: str) -> str:
        """Return where the process that has an app's context of an episode answers, without the gateway in between."""
        if app in self._config.hosts:
            return f"{address.agents}/mcp/{episode_id}/{app}"
        ports = self._config.ports[app]
        return f"http://{address.host}:{ports[worker_of(episode_id, len(ports))][0]}/mcp/{episode_id}"
