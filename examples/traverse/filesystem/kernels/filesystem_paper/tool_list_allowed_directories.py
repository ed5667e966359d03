"""The allowed directory."""

from farm.appkit import Episode, Result

from . import context


def list_allowed_directories(ep: Episode) -> Result:
    """Tell which directory is allowed."""
    return f"Allowed directories:\n{context.ROOT}"
