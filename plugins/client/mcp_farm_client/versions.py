"""The farm versions that this client supports."""

from __future__ import annotations

from . import __version__
from .errors import McpFarmError

# Major and minor version must match: the farm's answers change with these.
FITTING = ".".join(__version__.split(".")[:2])


def require_fitting(farm: str, where: str, package: str = "mcp-farm-client") -> None:
    """Reject a farm of another version.

    Args:
        farm: its version.
        where: its description in the message.
        package: the distribution that contains this module.
    """
    if farm.split(".")[:2] != FITTING.split("."):
        raise McpFarmError(
            f"{where} is of version {farm}, and this is {package} {__version__}; "
            f"install both from one checkout of mcp-farm, {package} from its folder plugins"
        )
