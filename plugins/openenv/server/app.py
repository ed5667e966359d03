"""The server, where OpenEnv's tools look for it."""

from mcp_farm_openenv.server import app

__all__ = ["app"]
