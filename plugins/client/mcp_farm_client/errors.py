"""The error of a farm, or of a wrong use of it."""

from __future__ import annotations


class McpFarmError(Exception):
    """The farm cannot do what was requested; the message is one line that names the cause and a remedy."""
