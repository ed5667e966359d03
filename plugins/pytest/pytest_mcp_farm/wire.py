"""Worlds on a farm that runs elsewhere, by the plugin's copy of ``mcp-farm-client``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from pytest_mcp_farm._client.wire import Farm, WireSession
from pytest_mcp_farm.versions import PACKAGE

_LIFETIME_MAX = timedelta(days=1)

__tracebackhide__ = True  # pytest shows a problem at the test's own line


class WorldFarm(Farm):
    """A farm on which tests create their worlds."""

    def __init__(self, url: str, token: str) -> None:
        """Connect to a farm at the operators' URL with its token.

        Raises:
            McpFarmError: no farm answers there, the token is wrong, or the version does not match.
        """
        super().__init__(url, token, PACKAGE)

    def create(self, wishes: Mapping[str, Any]) -> WireSession:
        """Create an episode."""
        # Episodes of a killed test run must not stay on a permanent farm forever.
        expires_at = datetime.now(UTC) + _LIFETIME_MAX
        return super().create({**wishes, "label": "pytest", "expires_at": expires_at.isoformat(timespec="seconds")})
