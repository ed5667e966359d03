"""Starts the real server on another address than its own: ``python start.py URL``."""

import sys

from mcp_server_baidu_maps import map as server  # type: ignore[import-not-found]  # it is installed elsewhere


async def at_once(_: float) -> None:
    """Wait for nothing: between two questions after a result the real server waits two seconds."""


server.api_url = sys.argv[1]
server.sleep = at_once
server.mcp.run()
