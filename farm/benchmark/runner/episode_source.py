"""Where the episodes of plays are created: a host in this process, or a farm."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, Protocol

from farm import content
from farm.benchmark.agents.base import Session
from farm.benchmark.runner.farm_address import FarmAddress, open_session
from farm.benchmark.runner.local_host import PROCESS_HOST, CountedHost, LocalHost
from farm.client import FarmClient
from farm.errors import FarmError


class EpisodeSource(Protocol):
    """Creates episodes."""

    def open(self, *, world: str, apps: Sequence[str] | None, **wishes: Any) -> Session:
        """Create an episode; ``wishes`` are those of ``POST /v1/episodes``, and None for ``apps`` means all of them."""

    def require(self) -> None:
        """Check that episodes can be created.

        Raises:
            FarmError: the farm does not answer.
        """

    def again(self) -> EpisodeSource:
        """Return the same source for another user, who may be on another thread."""

    def close(self) -> None:
        """Release it."""


class HostSource:
    """Episodes on a host in this process."""

    def __init__(self, host: LocalHost | None = None) -> None:
        """Use a host, which outlives this; None for the one that all users of this process share.

        Raises:
            FarmError: the host is closed.
        """
        self._counted: CountedHost | None = None
        if host is None:
            self._counted = PROCESS_HOST
            host = PROCESS_HOST.join()
        elif host.is_closed:
            raise FarmError("this host is closed; make another, or close it later")
        self._host = host

    def open(self, *, world: str, apps: Sequence[str] | None, **wishes: Any) -> Session:
        """Create an episode. A label is for operators of farms, and it has none."""
        kept = {name: value for name, value in wishes.items() if name != "label"}
        return self._host.farm.create(world, content.app_names() if apps is None else apps, **kept)

    def require(self) -> None:
        """Do nothing: this process is there."""

    def again(self) -> HostSource:
        """Return the same source for another user."""
        return HostSource(None if self._counted else self._host)

    def close(self) -> None:
        """Release the host; the shared one ends with its last user."""
        if self._counted is not None:
            self._counted.leave(self._host)


class FarmSource:
    """Episodes on a farm."""

    def __init__(self, address: FarmAddress, client: FarmClient | None = None) -> None:
        """Use a farm, with a client of the calling thread, or with one of its own."""
        self._address = address
        self._is_own = client is None
        self._client = address.client() if client is None else client

    def open(self, *, world: str, apps: Sequence[str] | None, **wishes: Any) -> Session:
        """Create an episode.

        Raises:
            InfrastructureError: the farm does not answer or refuses.
        """
        return open_session(self._client, world=world, apps=apps, **wishes)

    def require(self) -> None:
        """Check that the farm answers, on a connection of its own."""
        with closing(self._address.client()) as client:
            client.episodes()

    def again(self) -> FarmSource:
        """Return the same source with a client of its own."""
        return FarmSource(self._address)

    def close(self) -> None:
        """Close the client if it is its own."""
        if self._is_own:
            self._client.close()
