"""The farm versions that this plugin supports: those of the client that it contains."""

from __future__ import annotations

from pytest_mcp_farm._client import versions

PACKAGE = "pytest-mcp-farm"


def require_fitting(farm: str, where: str) -> None:
    """Reject a farm of another version.

    Args:
        farm: its version.
        where: its description in the message.
    """
    versions.require_fitting(farm, where, PACKAGE)
