"""The farm versions that this plugin supports."""

from __future__ import annotations

from pytest_mcp_farm import __version__
from pytest_mcp_farm.errors import McpFarmError

# Major and minor version must match: the farm's answers change with these.
FITTING = ".".join(__version__.split(".")[:2])


def require_fitting(farm: str, where: str) -> None:
    """Reject a farm of another version.

    Args:
        farm: its version.
        where: its description in the message.
    """
    if farm.split(".")[:2] != FITTING.split("."):
        raise McpFarmError(
            f"{where} is of version {farm}, and this is pytest-mcp-farm {__version__}; "
            f"install 'pytest-mcp-farm=={'.'.join(farm.split('.')[:2])}.*', or a farm of version {FITTING}"
        )
