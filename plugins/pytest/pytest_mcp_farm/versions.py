"""Which farms this plugin works with."""

from __future__ import annotations

from pytest_mcp_farm import __version__
from pytest_mcp_farm.errors import FarmProblem

# Major and minor version of both: what a farm answers changes with these.
FITTING = ".".join(__version__.split(".")[:2])


def require_fitting(farm: str, where: str) -> None:
    """Refuse a farm of another version.

    Args:
        farm: its version.
        where: what it is, for the message.
    """
    if farm.split(".")[:2] != FITTING.split("."):
        raise FarmProblem(
            f"{where} is of version {farm}, and this is pytest-mcp-farm {__version__}; "
            f"install 'pytest-mcp-farm=={'.'.join(farm.split('.')[:2])}.*', or a farm of version {FITTING}"
        )
